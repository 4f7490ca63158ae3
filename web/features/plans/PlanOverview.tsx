import type { User } from '@keepsnap/contract/accounts.ts'
import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { Check, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSessionState } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { photosLeft, storageLeftBytes, usePlanStatus } from '../../lib/plan-status.ts'
import { hasFailed } from '../../lib/query-failure.ts'
import { pricing } from '../../messages/en/pricing.ts'
import { states } from '../../messages/en/states.ts'
import { subscription as messages } from '../../messages/en/subscription.ts'
import { usage } from '../../messages/en/usage.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { UsageBar } from '../../ui/UsageBar.tsx'
import { BillingActions } from './BillingActions.tsx'
import { ChangePlanDialog } from './ChangePlanDialog.tsx'
import { CurrentPlan } from './CurrentPlan.tsx'
import { PastDueNote } from './PastDueNote.tsx'
import { PhotoRemovalStatus } from './PhotoRemovalStatus.tsx'
import { proSaving } from './prices.ts'
import { subscriptionErrorMessage } from './problems.ts'
import { billingStateOf, freeLimits, includedFeatures, subscriptionDetails } from './subscription-details.ts'
import { usePlans } from './subscription-queries.ts'
import './subscription.css'
import './usage.css'
import { useExpiredToast } from './useExpiredToast.ts'

/** The subscription in Settings: the effective plan, billing, usage and actions. Polled every 30 seconds. */
export function PlanOverview({ user }: { user: User }) {
  const { errors } = useText({ subscription: messages })
  const { tryAgain, loading } = useText({ states })
  const { token } = useSessionState()
  const query = usePlanStatus()
  const { data: status, error, isFetching, refetch } = query
  useExpiredToast()
  if (status) return <Overview status={status} since={user.became_subscriber_at} />
  if (hasFailed(query))
    return (
      <div className="card state" role="alert">
        <TriangleAlert className="icon state__icon" />
        <p>{subscriptionErrorMessage({ error, token }, errors.status, errors)}</p>
        <Button busy={isFetching} onClick={() => void refetch()}>
          {tryAgain}
        </Button>
      </div>
    )
  return (
    <div className="subscription__loading">
      <output className="visually-hidden">{loading}</output>
      {['2rem', '9rem', '10.5rem', '1.2rem'].map((height) => (
        <span key={height} className="skeleton" style={{ height }} aria-hidden="true" />
      ))}
    </div>
  )
}

function Overview({ status, since }: { status: SubscriptionStatus; since: string | null }) {
  const text = useText({ subscription: messages })
  const priceText = useText({ pricing })
  const format = useFormat()
  const [done, setDone] = useState<string | null>(null)
  const billingState = billingStateOf(status)
  return (
    <>
      {done !== null && <Done key={done} message={done} />}
      {status.subscription?.status === 'past_due' && <PastDueNote status={status} />}
      <PhotoRemovalStatus status={status} />
      <CurrentPlan status={status} onDone={setDone} />
      <dl className="account-details subscription__facts tabular-numbers">
        {subscriptionDetails(status, since, { text, pricing: priceText, format }).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {billingState === 'cancelled' && <AfterSubscriptionEnd status={status} />}
      <UsageBars status={status} />
      <div>
        <h3 className="subscription__heading">{text.features}</h3>
        <ul className="plan-features" aria-label={text.features}>
          {includedFeatures(status.plan.features, text.feature, format).map((feature) => (
            <li key={feature}>
              <Check className="icon" />
              {feature}
            </li>
          ))}
        </ul>
      </div>
      {billingState === 'active' && <YearlyOffer status={status} onDone={setDone} />}
      <BillingActions status={status} hasPaid={since !== null} onDone={setDone} />
      {status.payments === 'off' && billingState === 'free' && <p className="tiny muted">{text.notSold}</p>}
    </>
  )
}

/** What was done. The button for it may be far below. */
function Done({ message }: { message: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div className="subscription__done" ref={box}>
      <Note tone="ok">{message}</Note>
    </div>
  )
}

/** How much of the plan is used: the photos of the month, and the storage. */
function UsageBars({ status }: { status: SubscriptionStatus }) {
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

const dayMs = 24 * 3_600_000
const daysAfter = (iso: string, days: number): string => new Date(Date.parse(iso) + days * dayMs).toISOString()

/** Timeline of what happens when a cancelled subscription ends. */
function AfterSubscriptionEnd({ status }: { status: SubscriptionStatus }) {
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
            {text.ends(complimentary?.name ?? names.free)} {!complimentary && text.features}{' '}
            {!complimentary && plan.features.api_access && text.api} {!complimentary && fits && text.fits(gigabytes)}
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

interface Props {
  status: SubscriptionStatus
  onDone: (message: string) => void
}

/** Tells subscribers who pay monthly what yearly payment saves. */
function YearlyOffer({ status, onDone }: Props) {
  const { changeTo: text, done } = useText({ subscription: messages })
  const format = useFormat()
  const { plans } = usePlans()
  const [open, setOpen] = useState(false)
  const yearly = plans.find(({ id }) => id === 'pro_yearly')
  const paid = status.subscription?.plan
  const priceId = yearly?.stripe_price_id
  if (!yearly || !priceId || paid?.interval_type !== 'month' || status.payments === 'off') return null
  const { max_photos: photos, storage_gb: gigabytes } = yearly.features
  return (
    <div className="subscription__offer">
      <div>
        <h3>{text.heading(proSaving(plans))}</h3>
        <p className="small">
          {text.lead(
            format.price(yearly.price_cents),
            format.price(paid.price_cents),
            format.price(12 * paid.price_cents),
          )}{' '}
          {text.more(format.count(photos), format.count(gigabytes))}
        </p>
      </div>
      <Button onClick={() => setOpen(true)}>{text.action}</Button>
      {open && (
        <ChangePlanDialog
          change={{ plan: yearly, priceId }}
          onClose={() => setOpen(false)}
          onChanged={(plan) => onDone(done.changed(plan))}
        />
      )}
    </div>
  )
}
