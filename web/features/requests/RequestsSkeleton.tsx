import { useText } from '../../lib/i18n.tsx'
import { states } from '../../messages/en/states.ts'

const rows = 5

/** The shape of a list of requests that is on its way. */
export function RequestsSkeleton() {
  return (
    <div className="card rq">
      <output className="sr">{useText({ states }).loading}</output>
      <div className="rq-sk" aria-hidden="true">
        {Array.from({ length: rows }, (_, at) => (
          <div key={at}>
            <span className="sk" />
            <span className="sk sq" />
            <span className="sk" />
          </div>
        ))}
      </div>
    </div>
  )
}
