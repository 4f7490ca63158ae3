/** How much has been sent, 0 to 1. */
export function ProgressBar({ label, share }: { label: string; share: number }) {
  return <progress className="bar" aria-label={label} max={100} value={Math.round(share * 100)} />
}
