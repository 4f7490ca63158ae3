import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { photosLeft, storageLeftBytes } from '../../lib/plan-status.ts'
import { usage } from '../../messages/en/usage.ts'
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
      <Bar
        label={text.photos}
        percentage={percentage.photos}
        used={text.of(format.count(used.photos_uploaded), format.count(limits.max_photos))}
        left={text.photosLeft(
          percent(percentage.photos),
          format.count(photosLeft(status)),
          format.date(status.month_ends_at),
        )}
      />
      <Bar
        label={text.storage}
        percentage={percentage.storage}
        used={text.of(format.size(used.storage_used_bytes), format.size(storageBytes))}
        left={text.storageLeft(percent(percentage.storage), format.size(storageLeftBytes(status)))}
      />
    </>
  )
}

/** Green up to 60 %, yellow up to 80 %, then red. */
const toneOf = (percentage: number): string => (percentage > 80 ? 'bad' : percentage > 60 ? 'warn' : 'ok')

function Bar({ label, percentage, used, left }: { label: string; percentage: number; used: string; left: string }) {
  const shown = Math.min(100, percentage)
  return (
    <div className={`usage usage--${toneOf(percentage)}`}>
      <div className="usage__top">
        <b>{label}</b>
        <span>{used}</span>
      </div>
      <meter className="visually-hidden" min="0" max="100" value={shown} aria-label={label} aria-valuetext={used} />
      <div className="usage__bar" aria-hidden="true">
        <i style={{ width: `${shown}%` }} />
      </div>
      <p className="tiny muted tabular-numbers">{left}</p>
    </div>
  )
}
