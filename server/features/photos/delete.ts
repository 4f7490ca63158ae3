import { sql } from 'kysely'
import { deletePhoto } from '@keepsnap/contract/photos.ts'
import type { Db } from '../../platform/db/connect.ts'
import { lockUser } from '../plans/plans.ts'
import { publish } from '../../platform/live/bus.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Dependencies } from '../../dependencies.ts'
import { addPhotoDeletedEvents } from '../integrations/webhook-deliveries.ts'
import { enqueue, enqueueAll } from '../../platform/jobs/queue.ts'
import { hasStorageWarning, resetStorageWarning } from '../plans/usage.ts'
import { photoNotFound } from './photo-view.ts'
import { unregisterKeys } from './stored-objects.ts'

/** The job that removes the files of a deleted photo. */
export const deletionJob = (photoId: string) =>
  ({ name: 'delete-photo', payload: { photoId }, key: `delete:${photoId}` }) as const

/** Deletes a photo of the caller's. */
export function deleteRoutes(serve: Serve, { db, mediaCache }: Dependencies): void {
  serve(deletePhoto, async ({ params }, { actor }) => {
    await db.transaction().execute(async (tx) => {
      if (!(await deletePhotoOf(tx, actor.userId, params.id, { onlyListed: true }))) throw photoNotFound()
    })
    mediaCache.invalidatePhoto(params.id)
    return null
  })
}

/**
 * The first phase of a deletion: removes a photo of a user from every read, with everything that follows from it. False when
 * the user has no such photo, or, with `onlyListed`, when it is not listed.
 */
export async function deletePhotoOf(
  tx: Db,
  userId: string,
  photoId: string,
  { onlyListed = false } = {},
): Promise<boolean> {
  const isWarned = (await hasStorageWarning(tx, userId)) && (await lockUser(tx, userId))
  const { numUpdatedRows } = await tx
    .updateTable('photos')
    .set({ deleted_at: sql`now()` })
    .where('id', '=', photoId)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('state', '!=', 'receiving')
    .where(onlyListed ? sql<boolean>`is_listed` : sql<boolean>`true`)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  if (isWarned) await resetStorageWarning(tx, userId)
  await enqueue(tx, deletionJob(photoId))
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
 * Deletes some photos of an event that is gone, also those that were removed after the end of a plan, and those that nobody but
 * their owner knew of. Their pages heard of it when the event was deleted. The caller has locked the account.
 */
export async function deletePhotosOfEvent(
  tx: Db,
  { userId, eventId, most }: { userId: string; eventId: string; most: number },
): Promise<number> {
  await sql`
    with removed as (
      delete from photo_removals where photo_id in (
        select photo_id from photo_removals join photos on photos.id = photo_id where event_id = ${eventId} limit ${most}
      ) returning photo_id
    )
    update photos set deleted_at = null from removed where photos.id = removed.photo_id`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    update photos set deleted_at = now()
    where id in (select id from photos where event_id = ${eventId} and deleted_at is null and state <> 'receiving' limit ${most})
    returning id`.execute(tx)
  if (rows.length === 0) return 0
  if (await hasStorageWarning(tx, userId)) await resetStorageWarning(tx, userId)
  const ids = rows.map(({ id }) => id)
  await enqueueAll(tx, ids.map(deletionJob))
  await addPhotoDeletedEvents(tx, userId, ids)
  return ids.length
}

/** Longer than any attempt at processing can take. */
const longestAttemptSeconds = 240

/**
 * The second phase of a deletion: removes the photo's objects, then their entries. The clean-up job removes the row.
 * The entries of objects that an attempt at processing may still be storing stay: the clean-up job repeats this, so that
 * nothing is left when the program is killed meanwhile.
 */
export async function deletePhotoObjects({ db, storage }: Dependencies, photoId: string): Promise<void> {
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
      erased.map(({ id }) => deletionJob(id)),
    )
    return erased.length
  })
}
