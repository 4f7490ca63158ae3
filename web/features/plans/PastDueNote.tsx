import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { Link } from 'react-router'
import { errorMessage } from '../../lib/error-message.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { subscriptionSection } from '../../lib/paths.ts'
import { pricing } from '../../messages/en/pricing.ts'
import { subscription as messages } from '../../messages/en/subscription.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { useSubscriptionErrorMessage } from './problems.ts'
import { usePortal } from './subscription-queries.ts'

interface Props {
  status: SubscriptionStatus
  /** On another page than Settings. */
  isElsewhere?: boolean
}

/** While a payment is past due: until when the plan continues, and how to keep it. */
export function PastDueNote({ status: { subscription, complimentary, payments }, isElsewhere = false }: Props) {
  const { pastDue: text, actions, errors } = useText({ subscription: messages })
  const { names } = useText({ pricing })
  const format = useFormat()
  const portal = usePortal()
  const problem = useSubscriptionErrorMessage(portal.error, errorMessage(portal.error, errors.portal))
  if (subscription?.status !== 'past_due') return null
  const until = format.date(subscription.grace_until ?? subscription.current_period_end)
  return (
    <div className="past-due">
      <Note tone="bad">
        <b>{text.sentence(until, complimentary?.name ?? names.free)}</b>{' '}
        {payments === 'stripe' ? text.fixCard : text.fixDemo}
        {problem !== null && <span>{` ${problem}`}</span>}
      </Note>
      {payments === 'stripe' && (
        <Button tone={isElsewhere ? 'quiet' : 'primary'} busy={portal.isPending} onClick={() => portal.mutate()}>
          {actions.updateCard}
        </Button>
      )}
      {isElsewhere && payments !== 'stripe' && (
        <Link className={buttonClass({})} to={subscriptionSection}>
          {text.toSettings}
        </Link>
      )}
    </div>
  )
}
