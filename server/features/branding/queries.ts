import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { BrandImage } from '../../domain/brands.ts'
import type { Granted } from '../../domain/plans.ts'

/** The two pictures of a brand. */
export type BrandKind = 'logo' | 'background'

/** Makes whatever changes a user's brand take turns; the user's plan, or undefined when the account is gone. */
export async function lockOwner(tx: Db, userId: string): Promise<Granted | undefined> {
  const { rows } = await sql<Granted>`
    select granted_plan, granted_until from users where id = ${userId} for no key update`.execute(tx)
  return rows[0]
}

/** Whether a session is open still. Ending all of an account's waits for its owner's lock, so the answer holds with it. */
export const isOpen = async (tx: Db, sessionHash: Buffer): Promise<boolean> =>
  (await tx.selectFrom('sessions').select('id').where('token_hash', '=', sessionHash).executeTakeFirst()) !== undefined

/** Puts a picture in place of the one before, whose key is returned. The owner is locked. */
export async function replaceImage(
  tx: Db,
  { userId, kind }: { userId: string; kind: BrandKind },
  image: BrandImage,
): Promise<string | undefined> {
  const before = await dropImage(tx, userId, kind)
  await tx
    .insertInto('brand_images')
    .values({ user_id: userId, kind, ...image })
    .execute()
  return before
}

/** The key of the picture that was there. */
export async function dropImage(tx: Db, userId: string, kind: BrandKind): Promise<string | undefined> {
  const gone = await tx
    .deleteFrom('brand_images')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .returning('key')
    .executeTakeFirst()
  return gone?.key
}

/** A picture by its public name, with what decides whether it shows. */
export const imageBy = (
  db: Db,
  key: string,
): Promise<(Granted & Pick<BrandImage, 'key' | 'type' | 'bytes'> & { is_active: boolean }) | undefined> =>
  db
    .selectFrom('brand_images as b')
    .innerJoin('users as u', 'u.id', 'b.user_id')
    .select(['b.key', 'b.type', 'b.bytes', 'u.is_active', 'u.granted_plan', 'u.granted_until'])
    .where('b.key', '=', key)
    .executeTakeFirst()
