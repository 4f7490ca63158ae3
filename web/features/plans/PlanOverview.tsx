import type { User } from '@keepsnap/contract/accounts.ts'
import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { Check, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useSessionState } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { pricing } from '../../messages/en/pricing.ts'
import { states } from '../../messages/en/states.ts'
import { subscription as messages } from '../../messages/en/subscription.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { AfterSubscriptionEnd } from './AfterSubscriptionEnd.tsx'
import { BillingActions } from './BillingActions.tsx'
import { CurrentPlan } from './CurrentPlan.tsx'
import { PhotoRemovalStatus } from './PhotoRemovalStatus.tsx'
import { PastDueNote } from './PastDueNote.tsx'
import { planName } from './prices.ts'
import { subscriptionErrorMessage } from './problems.ts'
import { usePlanStatus } from '../../lib/plan-status.ts'
import { hasFailed } from '../../lib/query-failure.ts'
import { useTemporaryMessage } from '../../lib/temporary-message.ts'
import { billingStateOf, includedFeatures, subscriptionDetails } from './subscription-details.ts'
import { UsageBars } from './UsageBars.tsx'
import { useExpiredToast } from './useExpiredToast.ts'
import { YearlyOffer } from './YearlyOffer.tsx'
import './subscription.css'

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
  const [done, showMessage] = useTemporaryMessage()
  const setDone = (message: string) => showMessage({ tone: 'ok', text: message })
  const billingState = billingStateOf(status)
  return (
    <>
      {done && <Done key={done.text} message={done.text} />}
      {status.subscription?.status === 'past_due' && <PastDueNote status={status} />}
      <DelayedPayment status={status} />
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

/** A payment that takes days: on its way, or failed lately. */
function DelayedPayment({ status: { delayed_payment: delayed } }: { status: SubscriptionStatus }) {
  const { delayed: text } = useText({ subscription: messages })
  const { names } = useText({ pricing })
  if (!delayed) return null
  return (
    <Note tone={delayed.state === 'pending' ? 'plain' : 'bad'}>
      {text[delayed.state](planName(delayed.plan, names))}
    </Note>
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
