import { useText } from '../../lib/i18n.tsx'
import { states } from '../../messages/en/states.ts'

const tiles = 6

/** The shape of the numbers that are on their way. */
export function InsightsSkeleton() {
  return (
    <div className="insights">
      <output className="sr">{useText({ states }).loading}</output>
      <div className="in-tiles" aria-hidden="true">
        {Array.from({ length: tiles }, (_, at) => (
          <div key={at} className="card in-tile">
            <span className="sk in-sk--name" />
            <span className="sk in-sk--value" />
          </div>
        ))}
      </div>
      <div className="card card--pad in-days" aria-hidden="true">
        <span className="sk in-sk--chart" />
      </div>
    </div>
  )
}
