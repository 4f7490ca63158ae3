/** A placeholder while content loads. Sizes in CSS units; hidden from screen readers. */
export function Skeleton({ width = '100%', height = '1em' }: { width?: string; height?: string }) {
  return <span className="skeleton" style={{ display: 'inline-block', width, height }} aria-hidden="true" />
}
