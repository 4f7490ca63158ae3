import type { User } from '@keepsnap/contract/accounts.ts'
import { useText } from '../../lib/i18n.tsx'
import { usePlanStatus } from '../../lib/plan-status.ts'
import { frame } from '../../messages/en/frame.ts'

/** Who is signed in, and on which plan. */
export function AccountSummary({ user }: { user: User }) {
  const text = useText({ frame })
  const { data: status } = usePlanStatus()
  return (
    <p className="menu__account">
      <b translate="no">{user.username}</b>
      {status && <span className="muted">{text.plan(status.plan.name)}</span>}
      {!user.email_verified && <span className="muted">{text.unconfirmed}</span>}
    </p>
  )
}
