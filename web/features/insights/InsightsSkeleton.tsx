import { useText } from '../../lib/i18n.tsx'
import { states } from '../../messages/en/states.ts'

const tileCount = 6

/** Shown while the insights are loading. */
export function InsightsSkeleton() {
  return (
    <div className="insights">
      <output className="visually-hidden">{useText({ states }).loading}</output>
      <div className="insights-tiles" aria-hidden="true">
        {Array.from({ length: tileCount }, (_, index) => (
          <div key={index} className="card insights-tile">
            <span className="skeleton insights-skeleton--name" />
            <span className="skeleton insights-skeleton--value" />
          </div>
        ))}
      </div>
      <div className="card card--pad insights-days" aria-hidden="true">
        <span className="skeleton insights-skeleton--chart" />
      </div>
    </div>
  )
}
