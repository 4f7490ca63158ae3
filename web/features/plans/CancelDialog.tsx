import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { subscription as messages } from '../../messages/en/subscription.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useSubscriptionErrorMessage } from './problems.ts'
import { freeLimits } from './subscription-details.ts'
import { useCancel } from './subscription-queries.ts'

interface Props {
  status: SubscriptionStatus
  onClose: () => void
  onDone: (message: string) => void
}

/** Asks before the subscription is cancelled, and says what that means. */
export function CancelDialog({ status, onClose, onDone }: Props) {
  const { cancelDialog: text, after, actions, done, errors } = useText({ subscription: messages })
  const format = useFormat()
  const isPastDue = status.subscription?.status === 'past_due'
  const cancel = useCancel(() => {
    onClose()
    onDone(isPastDue ? done.ended : done.cancelled)
  })
  const problem = useSubscriptionErrorMessage(cancel.error, errors.cancel)
  const { subscription, complimentary, plan } = status
  if (!subscription) return null
  const gigabytes = format.count(freeLimits.storage_gb)
  return (
    <ConfirmDialog
      open
      title={actions.cancel}
      question={
        isPastDue
          ? text.atOnce(subscription.plan.name)
          : text.until(subscription.plan.name, format.date(subscription.current_period_end))
      }
      details={
        complimentary ? (
          <p>{text.complimentary(complimentary.name)}</p>
        ) : (
          <>
            <p>{text.afterwards(format.count(freeLimits.max_photos), gigabytes)}</p>
            <ul className="stack bullet-list small">
              <li>{text.codes}</li>
              <li>{text.photos(gigabytes)}</li>
              {plan.features.custom_branding && <li>{after.features}</li>}
              {plan.features.api_access && <li>{after.api}</li>}
            </ul>
          </>
        )
      }
      confirm={actions.cancel}
      dismiss={actions.keep}
      problem={problem}
      busy={cancel.isPending}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    />
  )
}
