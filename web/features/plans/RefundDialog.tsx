import { errorMessage } from '../../lib/error-message.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { subscription as messages } from '../../messages/en/subscription.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useProblem } from './problems.ts'
import { freeLimits } from './subscription-facts.ts'
import { useRefund } from './subscription-queries.ts'

interface Props {
  /** What was paid, if that is known. */
  cents: number | null
  onClose: () => void
  onDone: (message: string) => void
}

/** Asks before everything that was paid is given back, which ends the plan at once. */
export function RefundDialog({ cents, onClose, onDone }: Props) {
  const { refund: text, actions, done, errors } = useText({ subscription: messages })
  const format = useFormat()
  const refund = useRefund((refunded) => {
    onClose()
    onDone(done.refunded(format.price(refunded)))
  })
  const problem = useProblem(refund.error, errorMessage(refund.error, errors.refund))
  const amount = cents === null ? null : format.price(cents)
  return (
    <ConfirmDialog
      open
      title={text.title}
      question={amount === null ? text.everything : text.amount(amount)}
      details={
        <>
          <p>{text.ends}</p>
          <p>{text.photos(format.count(freeLimits.storage_gb))}</p>
        </>
      }
      confirm={amount === null ? text.submitAll : text.submit(amount)}
      dismiss={actions.keep}
      problem={problem}
      busy={refund.isPending}
      onConfirm={() => refund.mutate()}
      onClose={onClose}
    />
  )
}
