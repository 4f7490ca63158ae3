import { sql } from 'kysely'
import type { Plan } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../platform/db/connect.ts'
import { currentMonth, currentPlan, type PlanColumn, planNumber, planOf } from '../plans/plans.ts'
import { publish } from '../../platform/live/bus.ts'
import { hiddenByOperator } from '../guests/reports.ts'
import type { Dependencies } from '../../dependencies.ts'
import { addPhotoDeletedEvents } from '../integrations/webhook-deliveries.ts'
import { enqueue, enqueueAll } from '../../platform/jobs/queue.ts'
import { hasStorageWarning, resetStorageWarning } from '../plans/usage.ts'
import { nextAttemptNumber } from './process.ts'
import { lockUser, monthlyPhotos } from './queries.ts'
import { unregisterKeys } from './stored-objects.ts'

/** The first phase of a deletion: removes the photo from every read. False when the user has no such photo. */
async function markPhotoDeleted(db: Db, userId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('photos')
    .set({ deleted_at: sql`now()` })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('state', '!=', 'receiving')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Hides a photo from guests or shows it, for its owner. A photo that is hidden already keeps its `hidden_at`. Throws
 * 403 for an attempt to show what an operator has hidden.
 */
async function setPhotoHidden(
  db: Db,
  { userId, id, hidden }: { userId: string; id: string; hidden: boolean },
): Promise<'changed' | 'unchanged' | 'no photo'> {
  const photo = await db
    .selectFrom('photos')
    .select(['hidden_at', 'operator_decision'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('state', '!=', 'receiving')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!photo) return 'no photo'
  if ((photo.hidden_at !== null) === hidden) return 'unchanged'
  if (photo.operator_decision === 'hide') throw hiddenByOperator()
  await db
    .updateTable('photos')
    .set({ hidden_at: hidden ? sql`now()` : null })
    .where('id', '=', id)
    .execute()
  return 'changed'
}

/** Hides or shows a photo, as `setPhotoHidden` does, and tells the owner's screens. */
export async function hidePhotoOf(
  tx: Db,
  change: { userId: string; id: string; hidden: boolean },
): Promise<'changed' | 'unchanged' | 'no photo'> {
  const outcome = await setPhotoHidden(tx, change)
  if (outcome === 'changed')
    await publish(tx, { kind: 'photo', what: 'changed', user: change.userId, photo: change.id })
  return outcome
}

/** The result of queueing a failed photo again. */
export type RequeueOutcome = 'queued' | 'no photo' | 'not failed' | 'original gone' | { fullMonthOf: Plan }

/**
 * Queues a failed photo again, with enough attempts, and counts it towards the monthly quota; otherwise returns why it cannot.
 * Earlier attempts no longer change it.
 */
export async function requeueFailedPhoto(
  db: Db,
  { userId, id }: { userId: string; id: string },
): Promise<RequeueOutcome> {
  await lockUser(db, userId)
  const photo = await db
    .selectFrom('photos')
    .select(['state', 'original_key'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!photo || photo.state === 'receiving') return 'no photo'
  if (photo.state !== 'failed') return 'not failed'
  if (photo.original_key === null) return 'original gone'
  const { rows } = await sql<PlanColumn & { month: string | null }>`
    with owner as (
      select ${currentPlan} as plan from users where id = ${userId}
    ), place as (
      insert into usage_months (user_id, month, uploads) values (${userId}, ${currentMonth}, 1)
      on conflict (user_id, month) do update set uploads = usage_months.uploads + 1
        where usage_months.uploads < (select ${planNumber(sql`plan`, monthlyPhotos)} from owner)
      returning month::text
    )
    select plan, (select month from place) from owner`.execute(db)
  const [row] = rows
  if (!row) return 'no photo'
  const { month } = row
  if (month === null) return { fullMonthOf: planOf(row) }
  await db
    .updateTable('photos')
    .set({
      state: 'queued',
      attempt: nextAttemptNumber,
      crashes: 0,
      error_message: null,
      finished_at: null,
      counted_month: sql`${month}::date`,
    })
    .where('id', '=', id)
    .execute()
  return 'queued'
}

/** Longer than any attempt at processing can take. */
const longestAttemptSeconds = 240

/** Deletes a photo of a user, with everything that follows from it. False when the user has no such photo. */
export async function deletePhotoOf(tx: Db, userId: string, photoId: string): Promise<boolean> {
  const isWarned = (await hasStorageWarning(tx, userId)) && (await lockUser(tx, userId))
  if (!(await markPhotoDeleted(tx, userId, photoId))) return false
  if (isWarned) await resetStorageWarning(tx, userId)
  await enqueue(tx, { name: 'delete-photo', payload: { photoId }, key: `delete:${photoId}` })
  await addPhotoDeletedEvents(tx, userId, [photoId])
  await publish(tx, { kind: 'photo', what: 'deleted', user: userId, photo: photoId })
  return true
}

/**
 * Deletes a photo for an operator: also one that was removed after the end of a plan, which its owner could restore. It is
 * put back for a moment, so that it is recorded as erased like any other. False when there is no such photo.
 */
export async function deletePhotoForGood(tx: Db, userId: string, photoId: string): Promise<boolean> {
  if (!(await lockUser(tx, userId))) return false
  await sql`
    with removed as (delete from photo_removals where photo_id = ${photoId} and user_id = ${userId} returning photo_id)
    update photos set deleted_at = null from removed where photos.id = removed.photo_id`.execute(tx)
  return deletePhotoOf(tx, userId, photoId)
}

/**
 * The second phase of a deletion: removes the photo's objects, then their entries. The clean-up job removes the row.
 * The entries of objects that an attempt at processing may still be storing stay: the clean-up job repeats this, so that
 * nothing is left when the program is killed meanwhile.
 */
export async function deletePhotoObjects(
  { db, storage }: Pick<Dependencies, 'db' | 'storage'>,
  photoId: string,
): Promise<void> {
  const { rows: objects } = await sql<{ key: string; inUse: boolean }>`
    select stored_objects.key, stored_objects.created_at > now() - make_interval(secs => ${longestAttemptSeconds})
        and stored_objects.key is distinct from photos.original_key and stored_objects.key is distinct from photos.full_key
        and stored_objects.key is distinct from photos.thumb_key and stored_objects.key is distinct from photos.unmarked_key
        as "inUse"
    from stored_objects join photos on photos.id = stored_objects.photo_id
    where stored_objects.photo_id = ${photoId} and photos.deleted_at is not null
      and not exists (select 1 from photo_removals where photo_removals.photo_id = photos.id)`.execute(db)
  await storage.remove(objects.map(({ key }) => key))
  await unregisterKeys(
    db,
    objects.filter(({ inUse }) => !inUse).map(({ key }) => key),
  )
}

/**
 * Deletes photos again that a restored backup contained. The jobs remove their emails in the outbox folder. Publishes
 * no events: that was done when they were deleted. Resolves with the number of photos.
 */
export async function erasePhotos(db: Db, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  return db.transaction().execute(async (tx) => {
    const erased = await tx
      .updateTable('photos')
      .set({ deleted_at: sql`now()` })
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .returning('id')
      .execute()
    await enqueueAll(
      tx,
      erased.map(({ id }) => ({ name: 'delete-photo' as const, payload: { photoId: id }, key: `delete:${id}` })),
    )
    return erased.length
  })
}
