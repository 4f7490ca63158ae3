import { Skeleton } from '../../ui/Skeleton.tsx'

/** A list of operators that is being loaded. */
export function ListSkeleton({ rows }: { rows: number }) {
  return (
    <div className="card operator-skeleton" aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index}>
          <Skeleton />
          <Skeleton />
          <Skeleton />
        </div>
      ))}
    </div>
  )
}
