import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { StoredImage } from '../../domain/brands.ts'
import { currentPlan, type PlanColumn } from '../../domain/plans.ts'

export type BrandKind = 'logo' | 'background'

/** A logo's share of low-contrast pixels on light and dark; null for a background image. */
export interface ContrastColumns {
  low_contrast_on_paper: number | null
  low_contrast_on_ink: number | null
}

/** Locks a user, which serializes changes of the brand. Resolves to the plan; undefined if the account is deleted. */
export async function lockBrandOwner(tx: Db, userId: string): Promise<PlanColumn | undefined> {
  const { rows } = await sql<PlanColumn>`
    select ${currentPlan} as plan from users where id = ${userId} for no key update`.execute(tx)
  return rows[0]
}

/** Whether a session exists. While the owner is locked this stays true: revoking sessions locks the owner first. */
export const sessionExists = async (tx: Db, sessionHash: Buffer): Promise<boolean> =>
  (await tx.selectFrom('sessions').select('id').where('token_hash', '=', sessionHash).executeTakeFirst()) !== undefined

/** Replaces an image of a locked owner; the key of the previous one. */
export async function replaceBrandImageRow(
  tx: Db,
  { userId, kind }: { userId: string; kind: BrandKind },
  image: StoredImage & ContrastColumns,
): Promise<string | undefined> {
  const previous = await deleteBrandImageRow(tx, userId, kind)
  await tx
    .insertInto('brand_images')
    .values({ user_id: userId, kind, ...image })
    .execute()
  return previous
}

/** Deletes an image's row; its key, or undefined when there was none. */
export async function deleteBrandImageRow(tx: Db, userId: string, kind: BrandKind): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('brand_images')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .returning('key')
    .executeTakeFirst()
  return deleted?.key
}

/** An image by its key, with the columns that decide whether it is shown. */
export const brandImageByKey = (
  db: Db,
  key: string,
): Promise<(PlanColumn & Pick<StoredImage, 'key' | 'type' | 'bytes'> & { is_active: boolean }) | undefined> =>
  db
    .selectFrom('brand_images')
    .innerJoin('users', 'users.id', 'brand_images.user_id')
    .select(['brand_images.key', 'brand_images.type', 'brand_images.bytes', 'users.is_active', currentPlan.as('plan')])
    .where('brand_images.key', '=', key)
    .executeTakeFirst()

/** Keys of logos that have not been measured. */
export async function unmeasuredLogos(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('brand_images')
    .select('key')
    .where('kind', '=', 'logo')
    .where('low_contrast_on_paper', 'is', null)
    .limit(limit)
    .execute()
  return rows.map(({ key }) => key)
}

/** Records what was measured; the logo's owner, or undefined when the logo does not exist any more. */
export async function recordLogoContrast(tx: Db, key: string, columns: ContrastColumns): Promise<string | undefined> {
  const row = await tx
    .updateTable('brand_images')
    .set(columns)
    .where('key', '=', key)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}
