import { Link } from 'react-router'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { restoreRemovedPhotos, type SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { paths, subscriptionSection } from '../../lib/paths.ts'
import { keptPhotos, subscription as messages } from '../../messages/en/plans.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { pricing } from '../../messages/en/pricing.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { planStatusKey } from './plan-status.ts'
import { usePortal, useSubscriptionErrorMessage } from './subscription.ts'

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

/** On pages with photos: says that some will be or were removed, with a link to the details in Settings. */
export function PhotoRemovalNote({ status: { removal, removed_photos: removed } }: { status: SubscriptionStatus }) {
  const text = useText({ keptPhotos })
  const format = useFormat()
  return (
    <Note tone="warn">
      {removal && <b>{text.removal(removal.photos, format.count(removal.photos), format.date(removal.at))} </b>}
      {removed && <b>{text.removed(removed.photos, format.count(removed.photos))} </b>}
      <Link to={subscriptionSection}>{text.settings}</Link>
    </Note>
  )
}

type Photos = { photos: number; bytes: number }

/** Photos over the storage after a larger plan has ended: when they will be removed, or how to put them back. */
export function PhotoRemovalStatus({ status }: { status: SubscriptionStatus }) {
  const text = useText({ keptPhotos })
  const format = useFormat()
  const [outcome, setOutcome] = useState<{ restored: number; remaining: number } | null>(null)
  const { removal, removed_photos: removed } = status
  return (
    <>
      {removal && <Announced removal={removal} storageGb={status.plan_limits.storage_gb} />}
      {outcome && (
        <Note tone="ok">
          {[
            text.restored(outcome.restored, format.count(outcome.restored)),
            outcome.remaining > 0 && text.remaining(outcome.remaining, format.count(outcome.remaining)),
          ]
            .filter(Boolean)
            .join(' ')}
        </Note>
      )}
      {removed && <Removed removed={removed} onDone={setOutcome} />}
    </>
  )
}

function Announced({ removal, storageGb }: { removal: Photos & { at: string }; storageGb: number }) {
  const text = useText({ keptPhotos })
  const format = useFormat()
  const { photos, bytes, at } = removal
  return (
    <div className="past-due">
      <Note tone="warn">
        <b>{text.removal(photos, format.count(photos), format.date(at))}</b>{' '}
        {text.reason(photos, format.size(bytes), format.size(storageGb * 1024 ** 3))}
      </Note>
      <Link className={buttonClass({})} to={paths.gallery}>
        {text.gallery}
      </Link>
    </div>
  )
}

interface RemovedProps {
  removed: Photos & { until: string }
  onDone: (outcome: { restored: number; remaining: number }) => void
}

function Removed({ removed: { photos, bytes, until }, onDone }: RemovedProps) {
  const text = useText({ keptPhotos })
  const format = useFormat()
  const api = useApi()
  const queryClient = useQueryClient()
  const restoring = useMutation({
    mutationFn: () => api.call(restoreRemovedPhotos, {}),
    async onSuccess(outcome) {
      onDone(outcome)
      // Every list and count of photos has changed.
      await queryClient.invalidateQueries()
    },
    onError: () => queryClient.invalidateQueries({ queryKey: planStatusKey }),
  })
  return (
    <div className="past-due">
      <Note tone="warn">
        <b>{text.removed(photos, format.count(photos))}</b>{' '}
        <span>{text.restorable(photos, format.size(bytes), format.date(until))}</span>
        {restoring.error && <span>{` ${errorMessage(restoring.error, text.failed(photos))}`}</span>}
      </Note>
      <Button busy={restoring.isPending} onClick={() => restoring.mutate()}>
        {text.restore(photos)}
      </Button>
    </div>
  )
}
