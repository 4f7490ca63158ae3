interface Props {
  label: string
  /** Of the limit; may be over 100. */
  percentage: number
  /** How much is used, in words: `742 of 1000`. */
  used: string
  /** A line below the bar. */
  left: string
}

/** Green up to 60 %, yellow up to 80 %, then red. */
const toneOf = (percentage: number): string => (percentage > 80 ? 'bad' : percentage > 60 ? 'warn' : 'ok')

/** How much of a limit is used, as text and as a bar. */
export function UsageBar({ label, percentage, used, left }: Props) {
  const shown = Math.min(100, percentage)
  return (
    <div className={`usage usage--${toneOf(percentage)}`}>
      <div className="usage__top">
        <b>{label}</b>
        <span>{used}</span>
      </div>
      <meter className="visually-hidden" min="0" max="100" value={shown} aria-label={label} aria-valuetext={used} />
      <div className="usage__bar" aria-hidden="true">
        <i style={{ width: `${shown}%` }} />
      </div>
      <p className="tiny muted tabular-numbers">{left}</p>
    </div>
  )
}
