import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { ImageFailure } from '../../images/sandbox/image-jobs.ts'
import { newId } from '../../lib/ids.ts'
import type { Storage, ObjectChecksum } from '../../ports/storage/storage.ts'

/** The kind of a stored object: the first part of its key. */
type ObjectKind = 'orig' | 'full' | 'thumb' | 'screen' | 'brand' | 'archive'

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

/**
 * Calls `store` with a new key of a photo, and removes the file unless the row refers to it afterwards, as `store` says; also when
 * the image could not be rendered. Whether it does.
 */
export async function storeUnderNewKey(
  { db, storage }: { db: Db; storage: Storage },
  { photoId, kind }: { photoId: string; kind: 'full' | 'thumb' },
  store: (key: string) => Promise<boolean>,
): Promise<boolean> {
  const key = newStorageKey(kind)
  await registerKeysForPhoto(db, photoId, [key])
  let isNamed = false
  try {
    isNamed = await store(key)
  } catch (error) {
    if (!(error instanceof ImageFailure)) throw error
  }
  if (!isNamed) {
    await storage.remove([key])
    await unregisterKeys(db, [key])
  }
  return isNamed
}

/** Keys older than 15 minutes that no row refers to. */
export async function unreferencedKeys(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select stored_objects.key from stored_objects left join photos on photos.id = stored_objects.photo_id
    where stored_objects.created_at < now() - interval '15 minutes'
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

/** A stored object that a row refers to, so its bytes must exist. */
export interface ReferencedObject {
  key: string
  /** Its role for the photo or account. */
  part: 'original' | 'full' | 'thumbnail' | 'unmarked' | 'brand' | 'archive'
  /** The size according to the row. */
  bytes: number | null
  /** Null for objects stored by earlier versions. */
  sha256: Buffer | null
  photoId: string | null
  userId: string | null
}

/** A key in `stored_objects`, whether or not another row refers to it. */
interface RegisteredObject {
  key: string
  /** Undefined if no row refers to it. */
  named: ReferencedObject | undefined
  /** Registered more than a day ago, not referenced, and not of a photo that is being received or deleted. */
  isLeftOver: boolean
}

/**
 * Whether a row refers to it: an existing or restorable photo, a brand image, or a finished archive. The picture for screens is not
 * needed, since it can be made again at any time.
 */
const isNamed = sql`(brand_images.key is not null or archives.key is not null
  or photos.state <> 'receiving'
    and (photos.deleted_at is null or exists (select from photo_removals where photo_removals.photo_id = photos.id))
    and stored_objects.key in (photos.original_key, photos.full_key, photos.thumb_key, photos.unmarked_key))`

const objectsAndRows = sql`stored_objects
  left join photos on photos.id = stored_objects.photo_id
  left join brand_images on brand_images.user_id = stored_objects.user_id and brand_images.key = stored_objects.key
  left join archives on archives.user_id = stored_objects.user_id and archives.key = stored_objects.key
    and archives.state = 'ready'`

const namedColumns = sql`stored_objects.key,
  case stored_objects.key when photos.original_key then 'original' when photos.full_key then 'full'
    when photos.thumb_key then 'thumbnail' when photos.unmarked_key then 'unmarked'
    when archives.key then 'archive' else 'brand' end as part,
  case stored_objects.key when photos.original_key then photos.original_bytes when photos.full_key then photos.full_bytes
    when photos.thumb_key then photos.thumb_bytes when photos.unmarked_key then photos.unmarked_bytes
    else coalesce(brand_images.bytes, archives.bytes) end as bytes,
  coalesce(stored_objects.sha256, case stored_objects.key when photos.original_key then photos.original_sha256 end) as sha256,
  stored_objects.photo_id as "photoId", coalesce(stored_objects.user_id, photos.user_id) as "userId"`

const namedWhere = async (db: Db, condition: RawBuilder<unknown>): Promise<ReferencedObject[]> => {
  const { rows } = await sql<ReferencedObject>`
    select ${namedColumns} from ${objectsAndRows} where ${isNamed} and ${condition}`.execute(db)
  return rows
}

/** The referenced objects among these keys. */
export const referencedObjects = (db: Db, keys: readonly string[]): Promise<ReferencedObject[]> =>
  keys.length === 0 ? Promise.resolve([]) : namedWhere(db, sql`stored_objects.key = any(${keys}::text[])`)

/** One page of all referenced objects, ordered by key. */
export const referencedObjectsPage = (db: Db, after: string, limit: number): Promise<ReferencedObject[]> =>
  namedWhere(db, sql`stored_objects.key > ${after} order by stored_objects.key limit ${limit}`)

/** The registered objects among these keys. */
export async function registeredObjects(db: Db, keys: readonly string[]): Promise<RegisteredObject[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<ReferencedObject & { isNamed: boolean; isLeftOver: boolean }>`
    select ${namedColumns}, coalesce(${isNamed}, false) as "isNamed",
      stored_objects.created_at < now() - interval '1 day' and photos.deleted_at is null
        and photos.state is distinct from 'receiving' and stored_objects.key is distinct from photos.screen_key as "isLeftOver"
    from ${objectsAndRows} where stored_objects.key = any(${keys}::text[])`.execute(db)
  return rows.map(({ isNamed: isNeeded, isLeftOver, ...named }) => ({
    key: named.key,
    named: isNeeded ? named : undefined,
    isLeftOver: isLeftOver && !isNeeded,
  }))
}

/**
 * Those of these keys that are registered or that any row refers to, whatever the state of the photo: their bytes must
 * not be deleted as unknown. Scans all photos, so pass many keys at a time.
 */
export async function keysKnownToDatabase(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select key from stored_objects where key = any(${keys}::text[])
    union select named.key from photos,
      lateral (values (original_key), (full_key), (thumb_key), (unmarked_key), (watermark_key)) as named (key)
      where named.key = any(${keys}::text[])
    union select key from brand_images where key = any(${keys}::text[])
    union select key from archives where key = any(${keys}::text[])`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** An SQL clause that stores missing checksums if `condition` holds. */
export const checksumsClause = (checksums: readonly ObjectChecksum[], condition: RawBuilder<unknown>) =>
  sql<{ key: string }>`update stored_objects set sha256 = decode(known.sha256, 'hex'),
      crc32 = coalesce(stored_objects.crc32, known.crc32)
    from unnest(${checksums.map(({ key }) => key)}::text[], ${checksums.map(({ sha256 }) => sha256.toString('hex'))}::text[],
      ${checksums.map(({ crc32 }) => crc32 ?? null)}::bigint[]) as known (key, sha256, crc32)
    where stored_objects.key = known.key and stored_objects.sha256 is null and ${condition}
    returning stored_objects.key`

/** Stores the checksums of objects that have none yet; resolves to how many. */
export async function recordChecksums(db: Db, checksums: readonly ObjectChecksum[]): Promise<number> {
  if (checksums.length === 0) return 0
  return (await checksumsClause(checksums, sql`true`).execute(db)).rows.length
}

/** Stores the CRC-32 of objects that have none yet. */
export async function recordCrc32(db: Db, found: readonly (readonly [key: string, crc32: number])[]): Promise<void> {
  if (found.length === 0) return
  await sql`
    update stored_objects set crc32 = known.crc32
    from unnest(${found.map(([key]) => key)}::text[], ${found.map(([, crc32]) => crc32)}::bigint[]) as known (key, crc32)
    where stored_objects.key = known.key and stored_objects.crc32 is null`.execute(db)
}

/** Registers the keys of a photo that are not in `stored_objects` yet; resolves to how many. */
export async function registerMissingKeys(db: Db, photoId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into stored_objects (key, photo_id)
    select named.key, photos.id from photos,
      lateral (values (original_key), (full_key), (thumb_key), (unmarked_key)) as named (key)
    where photos.id = ${photoId} and named.key is not null on conflict (key) do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}
