import type { Db } from '../../platform/db/connect.ts'
import { Fault } from '../../faults.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { publish } from '../../platform/live/bus.ts'
import { requeueFailedPhoto, type RequeueOutcome } from './delete.ts'
import { joinTurns, processJobOf } from './processing-turns.ts'
import { admitSlowFile, refuseAfterFailures, slowMsOfFailedPhoto } from './processing-budget.ts'
import { lockUser } from './queries.ts'
import { monthlyQuotaRefusal, warnAboutMonth } from '../plans/usage.ts'
import { photoNotFound } from './photo-view.ts'

/** Why a photo cannot be processed again. */
function retryRefusal(outcome: Exclude<RequeueOutcome, 'queued'>): Fault {
  if (typeof outcome === 'object') return new Fault('quota_photos', monthlyQuotaRefusal(outcome.fullMonthOf).detail)
  switch (outcome) {
    case 'no photo':
      return photoNotFound()
    case 'not failed':
      return new Fault('conflict', 'Only photos whose processing failed can be retried.')
    case 'original gone':
      return new Fault('conflict', 'The uploaded file has been deleted. Please upload it again.')
  }
}

/**
 * Queues a failed photo again, within its owner's monthly quota and processing limits. Throws a refusal worded for the
 * owner. `tx` is a transaction.
 */
export async function retryPhotoOf(tx: Db, { userId, photoId }: { userId: string; photoId: string }): Promise<void> {
  await lockUser(tx, userId)
  const slowMs = await slowMsOfFailedPhoto(tx, userId, photoId)
  await refuseAfterFailures(tx, userId)
  if (slowMs !== null) await admitSlowFile(tx, { userId, photoId, slowMs })
  await joinTurns(userId).execute(tx)
  const outcome = await requeueFailedPhoto(tx, { userId, id: photoId })
  if (outcome !== 'queued') throw retryRefusal(outcome)
  await warnAboutMonth(tx, userId)
  await enqueue(tx, processJobOf({ id: photoId, userId, slowMs }))
  await publish(tx, { kind: 'photo', what: 'changed', user: userId, photo: photoId })
}
