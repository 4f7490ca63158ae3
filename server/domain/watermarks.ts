import type { Db } from '../db/connect.ts'
import type { WatermarkLayout } from '@keepsnap/contract/watermark.ts'
import { hasBranding } from './brands.ts'
import { currentPlan } from './plans.ts'

/** A logo as it is put on photos. */
export interface Watermark {
  logoKey: string
  layout: WatermarkLayout
}

/** The columns of a user that describe the layout. */
export interface WatermarkColumns {
  watermark_size: WatermarkLayout['size']
  watermark_corner: WatermarkLayout['corner']
  watermark_strength: WatermarkLayout['strength']
}

/** Narrows the type of these columns to the values that the database allows in them. */
export const watermarkColumns = ({
  watermark_size,
  watermark_corner,
  watermark_strength,
}: Record<keyof WatermarkColumns, string>): WatermarkColumns =>
  // Each column has a check constraint, and what a photo says was written from them.
  ({ watermark_size, watermark_corner, watermark_strength }) as WatermarkColumns

/** The layout that a user has chosen. */
export const watermarkLayoutOf = (user: WatermarkColumns): WatermarkLayout => ({
  size: user.watermark_size,
  corner: user.watermark_corner,
  strength: user.watermark_strength,
})

/** The columns that record a photo's watermark: if logo or layout differ from these, it can be added again. */
export const photoWatermarkColumns = ({ logoKey, layout }: Watermark) => ({
  watermark_key: logoKey,
  watermark_layout: `${layout.size} ${layout.corner} ${layout.strength}`,
})

/** The watermark that a user's photos can get now; null without a logo, or without a plan that includes branding. */
export async function watermarkOf(db: Db, userId: string): Promise<Watermark | null> {
  const row = await db
    .selectFrom('users')
    .innerJoin('brand_images', 'brand_images.user_id', 'users.id')
    .select([
      'brand_images.key',
      currentPlan.as('plan'),
      'users.watermark_size',
      'users.watermark_corner',
      'users.watermark_strength',
    ])
    .where('users.id', '=', userId)
    .where('brand_images.kind', '=', 'logo')
    .executeTakeFirst()
  if (!row || !hasBranding(row)) return null
  return { logoKey: row.key, layout: watermarkLayoutOf(watermarkColumns(row)) }
}

/**
 * The watermark that a photo has according to its row, even if its owner has since chosen another layout or lost
 * branding. Null when the logo was replaced or removed.
 */
export async function watermarkOfPhoto(db: Db, photoId: string): Promise<Watermark | null> {
  const row = await db
    .selectFrom('photos')
    .innerJoin('brand_images', (join) =>
      join
        .onRef('brand_images.user_id', '=', 'photos.user_id')
        .onRef('brand_images.key', '=', 'photos.watermark_key')
        .on('brand_images.kind', '=', 'logo'),
    )
    .select(['brand_images.key', 'photos.watermark_layout'])
    .where('photos.id', '=', photoId)
    .executeTakeFirst()
  const [size, corner, strength] = row?.watermark_layout?.split(' ') ?? []
  if (!row || size === undefined || corner === undefined || strength === undefined) return null
  const columns = { watermark_size: size, watermark_corner: corner, watermark_strength: strength }
  return { logoKey: row.key, layout: watermarkLayoutOf(watermarkColumns(columns)) }
}
