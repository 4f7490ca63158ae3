import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { Check, Clock, TriangleAlert, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { errorMessage } from '../../lib/error-message.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { pricing } from '../../messages/en/pricing.ts'
import { subscription as messages } from '../../messages/en/subscription.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { CancelDialog } from './CancelDialog.tsx'
import { useSubscriptionErrorMessage } from './problems.ts'
import { planName } from './prices.ts'
import { billingStateOf } from './subscription-details.ts'
import { useResume } from './subscription-queries.ts'

interface Props {
  status: SubscriptionStatus
  /** Shows what was done. */
  onDone: (message: string) => void
}

/** The effective plan and its actions. */
export function CurrentPlan({ status, onDone }: Props) {
  const { names } = useText({ pricing })
  return (
    <div className="current-plan">
      <div>
        <p className="current-plan__name">{planName(status.plan, names)}</p>
        <Badge status={status} />
      </div>
      <div className="row">
        <PlanActions status={status} onDone={onDone} />
      </div>
    </div>
  )
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

function Resume({ onDone }: Pick<Props, 'onDone'>) {
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
