import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/connect.ts'
import { newId } from '../lib/ids.ts'
import type { Storage } from '../ports/storage/storage.ts'

/** The kind of a stored object: the first part of its key. */
export type ObjectKind = 'orig' | 'full' | 'thumb' | 'screen' | 'brand' | 'archive'

export const newStorageKey = (kind: ObjectKind): string => `${kind}/${newId()}`

/**
 * An insert that registers keys before bytes are stored under them, so that the clean-up job finds the bytes after a crash.
 * It is part of a larger statement: `photo` names the common table expression that returns the photo's id.
 */
export const registerKeysClause = (photo: 'photo' | 'claimed', keys: readonly string[]): RawBuilder<unknown> =>
  sql`insert into stored_objects (key, photo_id) select key, id from ${sql.ref(photo)}, unnest(${keys}::text[]) as key`

/** Registers keys that belong to an account: brand images and archives. */
export async function registerKeysForUser(db: Db, userId: string, keys: readonly string[]): Promise<void> {
  await sql`insert into stored_objects (key, user_id) select key, ${userId} from unnest(${keys}::text[]) as key`.execute(
    db,
  )
}

/** Registers keys for an existing photo. */
export async function registerKeysForPhoto(db: Db, photoId: string, keys: readonly string[]): Promise<void> {
  await sql`insert into stored_objects (key, photo_id) select key, photos.id from photos, unnest(${keys}::text[]) as key where photos.id = ${photoId}`.execute(
    db,
  )
}

/** Removes keys whose bytes are deleted. */
export async function unregisterKeys(db: Db, keys: readonly string[]): Promise<void> {
  if (keys.length) await db.deleteFrom('stored_objects').where('key', 'in', keys).execute()
}

/** Keys older than an interval that no row refers to. */
export async function unreferencedKeys(db: Db, olderThan: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select stored_objects.key from stored_objects left join photos on photos.id = stored_objects.photo_id
    where stored_objects.created_at < now() - ${olderThan}::interval
      and (photos.id is null or (
        stored_objects.key is distinct from photos.original_key and stored_objects.key is distinct from photos.full_key
        and stored_objects.key is distinct from photos.thumb_key and stored_objects.key is distinct from photos.unmarked_key
        and (stored_objects.key is distinct from photos.screen_key or photos.screen_of is distinct from photos.full_key)
        and photos.state <> 'receiving' and not (photos.state = 'queued' and stored_objects.created_at > now() - interval '1 hour')))
      and not exists (select 1 from brand_images where brand_images.key = stored_objects.key)
      and not exists (select 1 from archives where archives.key = stored_objects.key)
    order by stored_objects.created_at limit ${limit}`.execute(db)
  return rows.map(({ key }) => key)
}

/**
 * Keys whose photo and account have been deleted, in pages. They stay registered after their bytes are removed: an upload
 * that is still running may store bytes again, which `unreferencedKeys` finds later.
 */
export async function ownerlessKeys(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from stored_objects where photo_id is null and user_id is null and key > ${after} order by key limit ${limit}`.execute(
    db,
  )
  return rows.map(({ key }) => key)
}

/** Removes the bytes of a full-size or brand image that no row refers to; does nothing if one does. */
export async function removeIfUnreferenced({ db, storage }: { db: Db; storage: Storage }, key: string): Promise<void> {
  const { rows } = await sql<{ referenced: boolean }>`select exists (select 1 from photos where full_key = ${key})
    or exists (select 1 from photos where unmarked_key = ${key}) or exists (select 1 from brand_images where key = ${key}) as referenced`.execute(
    db,
  )
  if (rows[0]?.referenced !== false) return
  await storage.remove([key])
  await unregisterKeys(db, [key])
}
