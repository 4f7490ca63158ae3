import { sql } from 'kysely'
import type { Dependencies } from '../../dependencies.ts'
import { unregisterKeys } from '../../domain/stored-objects.ts'

/** Longer than any attempt at processing can take. */
const longestAttemptSeconds = 240

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
