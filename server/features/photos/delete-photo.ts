import type { Dependencies } from '../../dependencies.ts'
import { unregisterKeys } from '../../domain/stored-objects.ts'

/** The second phase of a deletion: removes the photo's objects, then their entries. The clean-up job removes the row. */
export async function deletePhotoObjects(
  { db, storage }: Pick<Dependencies, 'db' | 'storage'>,
  photoId: string,
): Promise<void> {
  const objects = await db
    .selectFrom('stored_objects')
    .innerJoin('photos', 'photos.id', 'stored_objects.photo_id')
    .select('stored_objects.key')
    .where('stored_objects.photo_id', '=', photoId)
    .where('photos.deleted_at', 'is not', null)
    .execute()
  const keys = objects.map(({ key }) => key)
  await storage.remove(keys)
  await unregisterKeys(db, keys)
}
