import { Check, Clock, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { User } from '@keepsnap/contract/accounts.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { pricing } from '../../messages/en/pricing.ts'
import { subscription as messages } from '../../messages/en/plans.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import { paths } from '../../lib/paths.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { states } from '../../messages/en/frame.ts'
import { Fact } from '../../ui/Fact.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { useTemporaryMessage } from '../../ui/SaveStatus.tsx'
import { billingStateOf, freeLimits, includedFeatures, subscriptionDetails } from './subscription-details.ts'
import { useCancel, useExpiredToast, usePlans, useResume, useSubscriptionErrorMessage } from './subscription.ts'
import { planName, proSaving } from './offers.ts'
import { ChangePlanDialog } from './ChangePlanDialog.tsx'
import { BillingActions } from './BillingActions.tsx'
import { BusinessDetails } from './BusinessDetails.tsx'
import { PastDueNote, PhotoRemovalStatus } from './PlanNotices.tsx'
import { usePlanStatus } from './plan-status.ts'
import { UsageBars } from './Usage.tsx'
import './subscription.css'

/** The subscription in Settings: the effective plan, billing, usage and actions. Polled every 30 seconds. */
export function PlanOverview({ user }: { user: User }) {
  const { errors } = useText({ subscription: messages })
  const { loading } = useText({ states })
  const query = usePlanStatus()
  const problem = useSubscriptionErrorMessage(query.error, errors.status)
  useExpiredToast()
  return (
    <QueryView
      query={query}
      failed={problem ?? errors.status}
      loading={
        <div className="subscription__loading">
          <output className="visually-hidden">{loading}</output>
          {['2rem', '9rem', '10.5rem', '1.2rem'].map((height) => (
            <span key={height} className="skeleton" style={{ height }} aria-hidden="true" />
          ))}
        </div>
      }
    >
      {(status) => <Overview status={status} since={user.became_subscriber_at} />}
    </QueryView>
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
      <div className="current-plan">
        <div>
          <p className="current-plan__name">{planName(status.plan, priceText.names)}</p>
          <Badge status={status} />
        </div>
        <div className="row">
          <PlanActions status={status} onDone={setDone} />
        </div>
      </div>
      <dl className="account-details subscription__facts tabular-numbers">
        {subscriptionDetails(status, since, { text, pricing: priceText, format }).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
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
      {status.payments !== 'off' && <BusinessDetails />}
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

interface Props {
  status: SubscriptionStatus
  /** Shows what was done. */
  onDone: (message: string) => void
}

function Badge({ status }: { status: SubscriptionStatus }) {
  const { badges } = useText({ subscription: messages })
  const format = useFormat()
  const end = format.date(status.subscription?.current_period_end ?? status.month_ends_at)
  switch (billingStateOf(status)) {
    case 'free':
      return <span className="badge">{badges.none}</span>
    case 'complimentary':
      return <StateBadge tone="ok" Icon={Check} text={badges.complimentary} />
    case 'active':
      return <StateBadge tone="ok" Icon={Check} text={badges.active} />
    case 'cancelled':
      return <StateBadge tone="warn" Icon={Clock} text={badges.ends(end)} />
    case 'past-due':
      return <StateBadge tone="bad" Icon={TriangleAlert} text={badges.pastDue} />
  }
}

/** The icon says the same as the colour. */
function StateBadge({ tone, Icon, text }: { tone: 'ok' | 'warn' | 'bad'; Icon: LucideIcon; text: string }) {
  return (
    <span className={`badge badge--${tone}`}>
      <Icon className="icon" />
      <span>{text}</span>
    </span>
  )
}

function PlanActions({ status, onDone }: Props) {
  const { actions } = useText({ subscription: messages })
  const { subscription, payments, plan, delayed_payment: delayed } = status
  if (subscription?.cancel_at_period_end) return <Resume onDone={onDone} />
  const isFree = plan.price_cents === 0
  return (
    <>
      {payments !== 'off' && subscription?.status !== 'past_due' && delayed?.state !== 'pending' && (
        <Link className={buttonClass({ tone: isFree ? 'primary' : 'quiet' })} to={paths.pricing}>
          {isFree ? actions.upgrade : actions.change}
        </Link>
      )}
      {subscription && <Cancel status={status} onDone={onDone} />}
    </>
  )
}

function Resume({ onDone }: { onDone: Props['onDone'] }) {
  const { actions, done, errors } = useText({ subscription: messages })
  const resume = useResume(() => onDone(done.resumed))
  const problem = useSubscriptionErrorMessage(resume.error, errorMessage(resume.error, errors.resume))
  return (
    <>
      <Button tone="primary" busy={resume.isPending} onClick={() => resume.mutate()}>
        {actions.resume}
      </Button>
      {problem !== null && <Note tone="bad">{problem}</Note>}
    </>
  )
}

function Cancel({ status, onDone }: Props) {
  const { actions } = useText({ subscription: messages })
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button tone="ghost" onClick={() => setOpen(true)}>
        {actions.cancel}
      </Button>
      {open && <CancelDialog status={status} onClose={() => setOpen(false)} onDone={onDone} />}
    </>
  )
}

/** Asks before the subscription is cancelled, and says what that means. */
function CancelDialog({ status, onDone, onClose }: Props & { onClose: () => void }) {
  const { cancelDialog: text, after, actions, done, errors } = useText({ subscription: messages })
  const format = useFormat()
  const isPastDue = status.subscription?.status === 'past_due'
  const cancel = useCancel(() => {
    onClose()
    onDone(isPastDue ? done.ended : done.cancelled)
  })
  const problem = useSubscriptionErrorMessage(cancel.error, errors.cancel)
  const { subscription, complimentary, plan } = status
  if (!subscription) return null
  const gigabytes = format.count(freeLimits.storage_gb)
  return (
    <ConfirmDialog
      open
      title={actions.cancel}
      question={
        isPastDue
          ? text.atOnce(subscription.plan.name)
          : text.until(subscription.plan.name, format.date(subscription.current_period_end))
      }
      details={
        complimentary ? (
          <p>{text.complimentary(complimentary.name)}</p>
        ) : (
          <>
            <p>{text.afterwards(format.count(freeLimits.max_photos), gigabytes)}</p>
            <ul className="stack bullet-list small">
              <li>{text.codes}</li>
              <li>{text.photos(gigabytes)}</li>
              {plan.features.custom_branding && <li>{after.features}</li>}
              {plan.features.api_access && <li>{after.api}</li>}
            </ul>
          </>
        )
      }
      confirm={actions.cancel}
      dismiss={actions.keep}
      problem={problem}
      busy={cancel.isPending}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    />
  )
}

/** Timeline of what happens when a cancelled subscription ends. */
function AfterSubscriptionEnd({ status }: { status: SubscriptionStatus }) {
  const { after: text, date } = useText({ subscription: messages })
  const { names } = useText({ pricing })
  const format = useFormat()
  const { subscription, complimentary, plan, current_usage: used } = status
  if (!subscription) return null
  const end = subscription.current_period_end
  const day = (days: number): string => format.date(new Date(Date.parse(end) + days * 86_400_000).toISOString())
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
