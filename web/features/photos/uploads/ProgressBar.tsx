/** `progress`: share of the bytes that were sent, 0 to 1. */
export function ProgressBar({ label, progress }: { label: string; progress: number }) {
  return <progress className="progress-bar" aria-label={label} max={100} value={Math.round(progress * 100)} />
}
