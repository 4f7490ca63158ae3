import { useText } from '../../lib/i18n.tsx'
import { states } from '../../messages/en/states.ts'

const tileCount = 6

/** Shown while the insights are loading. */
export function InsightsSkeleton() {
  return (
    <div className="insights">
      <output className="sr">{useText({ states }).loading}</output>
      <div className="insights-tiles" aria-hidden="true">
        {Array.from({ length: tileCount }, (_, index) => (
          <div key={index} className="card insights-tile">
            <span className="sk insights-sk--name" />
            <span className="sk insights-sk--value" />
          </div>
        ))}
      </div>
      <div className="card card--pad insights-days" aria-hidden="true">
        <span className="sk insights-sk--chart" />
      </div>
    </div>
  )
}
