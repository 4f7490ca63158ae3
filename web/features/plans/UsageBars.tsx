import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { photosLeft, storageLeftBytes } from '../../lib/plan-status.ts'
import { usage } from '../../messages/en/usage.ts'
import { UsageBar } from '../../ui/UsageBar.tsx'
import './usage.css'

/** How much of the plan is used: the photos of the month, and the storage. */
export function UsageBars({ status }: { status: SubscriptionStatus }) {
  const text = useText({ usage })
  return (
    <div className="plan-usage">
      <h3>{text.heading}</h3>
      <Bars status={status} />
      <p className="tiny muted">{text.counting}</p>
    </div>
  )
}

function Bars({ status }: { status: SubscriptionStatus }) {
  const text = useText({ usage })
  const format = useFormat()
  const { current_usage: used, plan_limits: limits, usage_percentage: percentage } = status
  const storageBytes = limits.storage_gb * 1024 ** 3
  const percent = (value: number): string => format.percent(value / 100)
  return (
    <>
      <UsageBar
        label={text.photos}
        percentage={percentage.photos}
        used={text.of(format.count(used.photos_uploaded), format.count(limits.max_photos))}
        left={text.photosLeft(
          percent(percentage.photos),
          format.count(photosLeft(status)),
          format.date(status.month_ends_at),
        )}
      />
      <UsageBar
        label={text.storage}
        percentage={percentage.storage}
        used={text.of(format.size(used.storage_used_bytes), format.size(storageBytes))}
        left={text.storageLeft(percent(percentage.storage), format.size(storageLeftBytes(status)))}
      />
    </>
  )
}
