import { Link } from 'react-router'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { subscriptionSection } from '../../lib/paths.ts'
import { subscription as messages } from '../../messages/en/subscription.ts'
import { usePlanStatus } from '../../lib/plan-status.ts'

/** Beside the controls of the big screen: says that a payment is past due. */
export function PastDueIndicator() {
  const { pastDue: text } = useText({ subscription: messages })
  const format = useFormat()
  const { data: status } = usePlanStatus()
  const { subscription } = status ?? {}
  if (subscription?.status !== 'past_due') return null
  return (
    <output className="latest__sign">
      <Link to={subscriptionSection}>
        {text.sign(format.date(subscription.grace_until ?? subscription.current_period_end))}
      </Link>
    </output>
  )
}
