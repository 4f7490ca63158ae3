import type { OperatorUser } from '@keepsnap/contract/operator-users.ts'
import { Check, Clock, Lock } from 'lucide-react'
import { useText } from '../../lib/i18n.tsx'
import { operatorUsers } from '../../messages/en/operator-users.ts'

const styles = {
  active: { Icon: Check, tone: 'badge--ok' },
  past_due: { Icon: Clock, tone: 'badge--warn' },
  deactivated: { Icon: Lock, tone: 'badge--bad' },
}

/** The state of an account. */
export function UserBadge({ user: { is_active, is_past_due } }: { user: OperatorUser }) {
  const { states } = useText({ operatorUsers })
  const state = is_active ? (is_past_due ? 'past_due' : 'active') : 'deactivated'
  const { Icon, tone } = styles[state]
  return (
    <span className={`badge ${tone}`}>
      <Icon className="icon" />
      <span>{states[state]}</span>
    </span>
  )
}
