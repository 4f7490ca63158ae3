import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
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
import { useProblem } from './problems.ts'
import { planName } from './prices.ts'
import { holdingOf } from './subscription-facts.ts'
import { useResume } from './subscription-queries.ts'

interface Props {
  status: SubscriptionStatus
  /** Shows what was done. */
  onDone: (message: string) => void
}

/** The plan that counts, with what can be done with it. */
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
  const badge = {
    free: ['', badges.none],
    complimentary: ['badge--ok', badges.complimentary],
    active: ['badge--ok', badges.active],
    cancelled: ['badge--warn', badges.ends(end)],
    'past-due': ['badge--bad', badges.pastDue],
  }[holdingOf(status)]
  return <span className={`badge ${badge[0]}`}>{badge[1]}</span>
}

function PlanActions({ status, onDone }: Props) {
  const { actions } = useText({ subscription: messages })
  const { subscription, payments, plan } = status
  if (subscription?.cancel_at_period_end) return <Resume onDone={onDone} />
  const isFree = plan.price_cents === 0
  return (
    <>
      {payments !== 'off' && subscription?.status !== 'past_due' && (
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
  const problem = useProblem(resume.error, errorMessage(resume.error, errors.resume))
  return (
    <>
      <Button tone="primary" busy={resume.isPending} onClick={() => resume.mutate()}>
        {actions.resume}
      </Button>
      {problem !== null && <Note tone="bad">{problem}</Note>}
    </>
  )
}
