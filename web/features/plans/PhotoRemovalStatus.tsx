import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { restoreRemovedPhotos } from '@keepsnap/contract/keeping.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useApi } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { planStatusKey } from '../../lib/plan-status.ts'
import { keptPhotos } from '../../messages/en/kept-photos.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'

type Photos = { photos: number; bytes: number }

/** Photos over the storage after a larger plan has ended: when they will be removed, or how to put them back. */
export function PhotoRemovalStatus({ status }: { status: SubscriptionStatus }) {
  const [outcome, setOutcome] = useState<{ restored: number; remaining: number } | null>(null)
  const { removal, removed_photos: removed } = status
  return (
    <>
      {removal && <Announced removal={removal} storageGb={status.plan_limits.storage_gb} />}
      {outcome && <Restored {...outcome} />}
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

function Restored({ restored, remaining }: { restored: number; remaining: number }) {
  const text = useText({ keptPhotos })
  const format = useFormat()
  return (
    <Note tone="ok">
      {[
        text.restored(restored, format.count(restored)),
        remaining > 0 && text.remaining(remaining, format.count(remaining)),
      ]
        .filter(Boolean)
        .join(' ')}
    </Note>
  )
}
