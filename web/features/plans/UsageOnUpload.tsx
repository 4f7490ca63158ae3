import { useFormat, useText } from '../../lib/i18n.tsx'
import { photosLeft } from '../../lib/plan-status.ts'
import { usage } from '../../messages/en/usage.ts'
import { UsageBanner } from './UsageBanner.tsx'
import type { UsageLimit } from './usage-warning.ts'
import './usage.css'

/** Above the uploads: what is left of the month, or the warning. `waitingFor`: the limit that files wait for, if any. */
export function UsageOnUpload({ waitingFor }: { waitingFor: UsageLimit | null }) {
  const text = useText({ usage })
  const format = useFormat()
  return (
    <div className="usage-note">
      <UsageBanner waitingFor={waitingFor}>
        {(status) => (
          <p className="usage-note__left tabular-numbers">
            {text.left(
              format.count(photosLeft(status)),
              format.count(status.plan_limits.max_photos),
              format.date(status.month_ends_at),
            )}
          </p>
        )}
      </UsageBanner>
    </div>
  )
}
