import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { unregisterKeys } from '../../domain/stored-objects.ts'
import { addPhotoDeletedEvents } from '../../domain/webhook-events.ts'
import { enqueue } from '../../jobs/queue.ts'
import { publish } from '../../live/bus.ts'
import { markPhotoDeleted } from './change-queries.ts'
import { lockUser } from './queries.ts'
import { hasStorageWarning, resetStorageWarning } from './usage-warnings.ts'

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
