import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { pricing } from '../../messages/en/pricing.ts'
import { subscription as messages } from '../../messages/en/subscription.ts'
import { freeLimits } from './subscription-details.ts'

const dayMs = 24 * 3_600_000
const daysAfter = (iso: string, days: number): string => new Date(Date.parse(iso) + days * dayMs).toISOString()

/** Timeline of what happens when a cancelled subscription ends. */
export function AfterSubscriptionEnd({ status }: { status: SubscriptionStatus }) {
  const { after: text, date } = useText({ subscription: messages })
  const { names } = useText({ pricing })
  const format = useFormat()
  const { subscription, complimentary, plan, current_usage: used } = status
  if (!subscription) return null
  const end = subscription.current_period_end
  const day = (days: number): string => format.date(daysAfter(end, days))
  const gigabytes = format.count(freeLimits.storage_gb)
  const fits = used.storage_used_bytes <= freeLimits.storage_gb * 1024 ** 3
  const [, firstReminder, lastReminder] = billingLimits.keepEmailDays
  return (
    <div className="subscription__after">
      <h3 className="subscription__heading">{text.heading}</h3>
      <ol>
        <li>
          <b className="tabular-numbers">{date(format.date(end))}</b>
          <span>
            {[
              text.ends(complimentary?.name ?? names.free),
              !complimentary && text.features,
              !complimentary && plan.features.api_access && text.api,
              !complimentary && fits && text.fits(gigabytes),
            ]
              .filter(Boolean)
              .join(' ')}
          </span>
        </li>
        {!complimentary && !fits && (
          <>
            <li>
              <b className="tabular-numbers">{text.and(day(firstReminder), day(lastReminder))}</b>
              <span>{text.emails}</span>
            </li>
            <li>
              <b className="tabular-numbers">{date(day(billingLimits.keepDays))}</b>
              <span>{text.removal(gigabytes)}</span>
            </li>
          </>
        )}
      </ol>
    </div>
  )
}
