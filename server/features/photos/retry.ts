import { sql } from 'kysely'
import { retryPhoto } from '@keepsnap/contract/photos.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { publish } from '../../platform/live/bus.ts'
import { currentMonth, currentPlan, lockUser, planNumber, planOf, type PlanColumn } from '../plans/plans.ts'
import { monthlyPhotos, monthlyQuotaRefusal, warnAboutMonth } from '../plans/usage.ts'
import { photoNotFound, photoOrNotFound } from './photo-view.ts'
import { nextAttemptNumber } from './process.ts'
import { changeGuestCounts } from '../events/guest-counts.ts'
import { admitSlowFile, joinTurns, processJobOf, refuseAfterFailures } from './processing-turns.ts'

/** Processes a failed photo of the caller's again. */
export function retryRoutes(serve: Serve, { db, photoReads, urls }: Dependencies): void {
  serve(retryPhoto, async ({ params }, { actor: { userId } }) => {
    await db.transaction().execute((tx) => retryPhotoOf(tx, { userId, photoId: params.id, onlyListed: true }))
    return photoOrNotFound(urls, await photoReads.one(userId, params.id))
  })
}

/**
 * Queues a failed photo again, within its owner's monthly quota and processing limits: with enough attempts, so that earlier
 * ones no longer change it. With `onlyListed`, another photo does not exist. Throws a refusal worded for the owner. `tx` is a
 * transaction.
 */
export async function retryPhotoOf(
  tx: Db,
  { userId, photoId, onlyListed = false }: { userId: string; photoId: string; onlyListed?: boolean },
): Promise<void> {
  await lockUser(tx, userId)
  const photo = await tx
    .selectFrom('photos')
    .select(['state', 'original_key', 'slow_ms', 'is_listed', 'source', 'event_id', 'review'])
    .where('id', '=', photoId)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  const slowMs = photo?.state === 'failed' ? photo.slow_ms : null
  const isGuests = photo?.source === 'guest'
  if (!isGuests) {
    await refuseAfterFailures(tx, userId)
    if (slowMs !== null) await admitSlowFile(tx, { userId, photoId, slowMs })
  }
  await joinTurns((isGuests && photo.event_id) || userId).execute(tx)
  if (!photo || photo.state === 'receiving' || (onlyListed && !photo.is_listed)) throw photoNotFound()
  if (photo.state !== 'failed') throw new Fault('conflict', 'Only photos whose processing failed can be retried.')
  if (photo.original_key === null)
    throw new Fault('conflict', 'The uploaded file has been deleted. Please upload it again.')
  const month = isGuests ? undefined : await takePlace(tx, userId)
  await tx
    .updateTable('photos')
    .set({
      state: 'queued',
      attempt: nextAttemptNumber,
      crashes: 0,
      error_message: null,
      finished_at: null,
      ...(month !== undefined && { counted_month: sql`${month}::date` }),
    })
    .where('id', '=', photoId)
    .execute()
  // One that was rejected has no place.
  if (isGuests && photo.review !== 'rejected') await changeGuestCounts(tx, { userId, photos: [photoId], by: 1 })
  if (!isGuests) await warnAboutMonth(tx, userId)
  await enqueue(tx, processJobOf({ id: photoId, userId, slowMs }))
  await publish(tx, { kind: 'photo', what: 'changed', user: userId, photo: photoId })
}

/** Counts one more photo of an owner this month, and returns the month. */
async function takePlace(tx: Db, userId: string): Promise<string> {
  const { rows } = await sql<PlanColumn & { month: string | null }>`
    with owner as (
      select ${currentPlan} as plan from users where id = ${userId}
    ), place as (
      insert into usage_months (user_id, month, uploads) values (${userId}, ${currentMonth}, 1)
      on conflict (user_id, month) do update set uploads = usage_months.uploads + 1
        where usage_months.uploads < (select ${planNumber(sql`plan`, monthlyPhotos)} from owner)
      returning month::text
    )
    select plan, (select month from place) from owner`.execute(tx)
  const [row] = rows
  if (!row) throw photoNotFound()
  if (row.month === null) throw monthlyQuotaRefusal(planOf(row))
  return row.month
}
