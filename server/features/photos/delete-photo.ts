import type { Dependencies } from '../../dependencies.ts'
import { unregisterKeys } from '../../domain/stored-objects.ts'

/** The second phase of a deletion: removes the photo's objects, then their entries. The clean-up job removes the row. */
export async function deletePhotoObjects(
  { db, storage }: Pick<Dependencies, 'db' | 'storage'>,
  photoId: string,
): Promise<void> {
  const objects = await db
    .selectFrom('stored_objects as o')
    .innerJoin('photos as p', 'p.id', 'o.photo_id')
    .select('o.key')
    .where('o.photo_id', '=', photoId)
    .where('p.deleted_at', 'is not', null)
    .execute()
  const keys = objects.map(({ key }) => key)
  await storage.remove(keys)
  await unregisterKeys(db, keys)
}
