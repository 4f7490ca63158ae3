import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { pricing } from '../../messages/en/pricing.ts'
import { subscription as messages } from '../../messages/en/subscription.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useSubscriptionErrorMessage } from './problems.ts'
import { freeLimits } from './subscription-details.ts'
import { useRefund } from './subscription-queries.ts'

interface Props {
  status: SubscriptionStatus
  /** What was paid, if that is known. */
  cents: number | null
  onClose: () => void
  onDone: (message: string) => void
}

const submitText = (text: (typeof messages)['refund'], amount: string | null, hasEnded: boolean): string => {
  if (amount === null) return hasEnded ? text.submitEndedAll : text.submitAll
  return hasEnded ? text.submitEnded(amount) : text.submit(amount)
}

/** Asks before everything that was paid is refunded, which ends the plan at once unless it has ended already. */
export function RefundDialog({ status, cents, onClose, onDone }: Props) {
  const { refund: text, actions, demo, done, errors } = useText({ subscription: messages })
  const { names } = useText({ pricing })
  const format = useFormat()
  const { complimentary, payments, subscription } = status
  const hasEnded = subscription === null
  const refund = useRefund((refunded) => {
    onClose()
    if (refunded === 0) return onDone(done.nothingToRefund)
    onDone((hasEnded ? done.refundedAfterEnd : done.refunded)(format.price(refunded)))
  })
  const problem = useSubscriptionErrorMessage(refund.error, errorMessage(refund.error, errors.refund))
  const amount = cents === null ? null : format.price(cents)
  return (
    <ConfirmDialog
      open
      title={text.title}
      question={amount === null ? text.everything : text.amount(amount)}
      details={
        <>
          <p>{hasEnded ? text.ended : text.ends(complimentary?.name ?? names.free)}</p>
          {!complimentary && !hasEnded && <p>{text.photos(format.count(freeLimits.storage_gb))}</p>}
          {payments === 'demo' && <p className="small muted">{demo}</p>}
        </>
      }
      confirm={submitText(text, amount, hasEnded)}
      dismiss={hasEnded ? actions.notNow : actions.keep}
      problem={problem}
      busy={refund.isPending}
      onConfirm={() => refund.mutate()}
      onClose={onClose}
    />
  )
}
