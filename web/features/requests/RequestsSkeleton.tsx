import { useText } from '../../lib/i18n.tsx'
import { states } from '../../messages/en/states.ts'

const rowCount = 5

/** Shown while the list of requests is loading. */
export function RequestsSkeleton() {
  return (
    <div className="card requests">
      <output className="visually-hidden">{useText({ states }).loading}</output>
      <div className="requests__skeleton" aria-hidden="true">
        {Array.from({ length: rowCount }, (_, index) => (
          <div key={index}>
            <span className="skeleton" />
            <span className="skeleton requests__skeleton-photo" />
            <span className="skeleton" />
          </div>
        ))}
      </div>
    </div>
  )
}
