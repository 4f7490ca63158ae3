import { PastDueNote } from '../features/plans/PastDueNote.tsx'
import { usePlanStatus } from '../lib/plan-status.ts'
import '../features/plans/subscription.css'

/** Above every page while a payment is missing. */
export function PaymentNotice() {
  const { data: status } = usePlanStatus()
  if (status?.subscription?.status !== 'past_due') return null
  return (
    <div className="wrap frame__notice">
      <PastDueNote status={status} isElsewhere />
    </div>
  )
}
