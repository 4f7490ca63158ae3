import type { User } from '@keepsnap/contract/accounts.ts'
import { useLocation } from 'react-router'
import { EmailStatusNotice } from '../features/frame/EmailStatusNotice.tsx'
import { PastDueNote } from '../features/plans/PastDueNote.tsx'
import { paths } from '../lib/paths.ts'
import { usePlanStatus } from '../lib/plan-status.ts'
import '../features/plans/subscription.css'

/** Above the pages of a signed-in user, except the big screen. */
export function Notices({ user }: { user: User }) {
  const { pathname } = useLocation()
  return (
    <>
      {user.is_admin && <EmailStatusNotice />}
      {/* Settings have it in a section of their own. */}
      {pathname !== paths.settings && <PaymentNotice />}
    </>
  )
}

/** While a payment is missing. */
function PaymentNotice() {
  const { data: status } = usePlanStatus()
  if (status?.subscription?.status !== 'past_due') return null
  return (
    <div className="wrap frame__notice">
      <PastDueNote status={status} isElsewhere />
    </div>
  )
}
