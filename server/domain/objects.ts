import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/connect.ts'
import type { Deps } from '../deps.ts'
import { newId } from './ids.ts'

/** What a stored object is; the first part of its key. */
export type ObjectKind = 'orig' | 'full' | 'thumb' | 'brand' | 'archive'

export const newKey = (kind: ObjectKind): string => `${kind}/${newId()}`

/**
 * Part of a statement that writes down keys before bytes are stored under them, so that whatever happens next, the
 * bytes are found again. `photo` names a part of the same statement that yields the photo's id.
 */
export const intention = (photo: 'photo' | 'claimed', keys: readonly string[]): RawBuilder<unknown> =>
  sql`insert into objects (key, photo_id) select key, id from ${sql.ref(photo)}, unnest(${keys}::text[]) as key`

/** The same for what belongs to an account rather than to a photo: brands and archives. */
export async function intendForUser(db: Db, userId: string, keys: readonly string[]): Promise<void> {
  await sql`insert into objects (key, user_id) select key, ${userId} from unnest(${keys}::text[]) as key`.execute(db)
}

/** The same for a photo that exists already. */
export async function intendForPhoto(db: Db, photoId: string, keys: readonly string[]): Promise<void> {
  await sql`insert into objects (key, photo_id) select key, p.id from photos p, unnest(${keys}::text[]) as key where p.id = ${photoId}`.execute(
    db,
  )
}

/** Forgets keys whose bytes are gone. */
export async function forgetObjects(db: Db, keys: readonly string[]): Promise<void> {
  if (keys.length) await db.deleteFrom('objects').where('key', 'in', keys).execute()
}

/** Keys that nothing living names (any more), older than the given interval. */
export async function looseObjects(db: Db, olderThan: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select o.key from objects o left join photos p on p.id = o.photo_id
    where o.created_at < now() - ${olderThan}::interval
      and (p.id is null or (o.key is distinct from p.original_key and o.key is distinct from p.full_key and o.key is distinct from p.thumb_key
        and o.key is distinct from p.plain_key
        and p.state <> 'receiving' and not (p.state = 'queued' and o.created_at > now() - interval '1 hour')))
      and not exists (select 1 from brand_images b where b.key = o.key)
      and not exists (select 1 from archives a where a.key = o.key)
    order by o.created_at limit ${most}`.execute(db)
  return rows.map(({ key }) => key)
}

/**
 * Keys whose photo and account are gone for good, in pages. Whoever was still writing under one removes it himself or is
 * found by `looseObjects`, so the knowledge of a key outlives its bytes.
 */
export async function orphans(db: Db, after: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from objects where photo_id is null and user_id is null and key > ${after} order by key limit ${most}`.execute(
    db,
  )
  return rows.map(({ key }) => key)
}

/** Removes the bytes under a full image's or a brand's key that no row names any more; nothing when one does. */
export async function removeUnnamed({ db, storage }: Pick<Deps, 'db' | 'storage'>, key: string): Promise<void> {
  const { rows } = await sql<{ named: boolean }>`select exists (select 1 from photos where full_key = ${key})
    or exists (select 1 from photos where plain_key = ${key}) or exists (select 1 from brand_images where key = ${key}) as named`.execute(
    db,
  )
  if (rows[0]?.named !== false) return
  await storage.remove([key])
  await forgetObjects(db, [key])
}
