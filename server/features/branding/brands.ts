import { sql } from 'kysely'
import type { LogoGround, LogoGrounds, WatermarkLayout } from '@keepsnap/contract/accounts.ts'
import { type Plan, plans } from '@keepsnap/contract/plans.ts'
import { Fault } from '../../faults.ts'
import { currentPlan, type PlanColumn, planOf } from '../plans/plans.ts'
import type { Db } from '../../platform/db/connect.ts'

/** The share of a logo's visible pixels, 0 to 1, with low contrast on a light (paper) and a dark (ink) background. */
interface LowContrast {
  onPaper: number
  onInk: number
}

/** Assumed for a logo that has not been measured or cannot be: dark on transparent, the most common kind. */
export const presumedContrast: LowContrast = { onPaper: 0, onInk: 1 }
/** The share of low-contrast pixels up to which a logo needs no background of its own. */
const maxLostShare = 0.1

/** The background that a logo needs in the light theme, in the dark theme, and on the big screen (dark by default). */
export function chooseLogoGrounds(
  { onPaper, onInk }: LowContrast,
  { hasBackground }: { hasBackground: boolean },
): LogoGrounds {
  const light = onPaper > maxLostShare && onInk < onPaper ? 'ink' : 'none'
  const dark = onInk > maxLostShare && onPaper < onInk ? 'paper' : 'none'
  return { light, dark, stage: hasBackground ? groundOnUnknownBackground({ onPaper, onInk }) : dark }
}

/** The background that a logo needs on an unknown one: an owner's image, or a mail client's light or dark theme. */
export function groundOnUnknownBackground({ onPaper, onInk }: LowContrast): LogoGround {
  if (Math.max(onPaper, onInk) <= maxLostShare) return 'none'
  return onInk < onPaper ? 'ink' : 'paper'
}

/** A user's logo. */
export interface StoredLogo {
  key: string
  type: string
  bytes: number
  /** Pixels. */
  width: number
  height: number
  lowContrast: LowContrast
}

/** Whether the current plan includes branding. Checked at each use, not only at the upload. */
export const hasBranding = (user: PlanColumn): boolean => planOf(user).features.custom_branding

const plansWithBranding = Object.values(plans)
  .filter(({ features }) => features.custom_branding)
  .map(({ name }) => name)
  .join(' and ')

/** Refuses a user whose plan has no branding, and names the plans that have it. */
export const brandingNotInPlan = (plan: Plan): Fault =>
  new Fault('forbidden', `Your own logo and background are part of ${plansWithBranding}. Your plan is ${plan.name}.`)

/** The measured contrast of a logo, or the default until it has been measured. */
export const lowContrastOf = (row: {
  low_contrast_on_paper: number | null
  low_contrast_on_ink: number | null
}): LowContrast =>
  row.low_contrast_on_paper === null || row.low_contrast_on_ink === null
    ? presumedContrast
    : { onPaper: row.low_contrast_on_paper, onInk: row.low_contrast_on_ink }

/** The columns of an owner's logo in a query over `users` and its `brand_images`, joined as the logo; all of them null without one. */
export const logoColumns = [
  currentPlan.as('plan'),
  'brand_images.key as logoKey',
  'brand_images.type as logoType',
  'brand_images.bytes as logoBytes',
  'brand_images.width as logoWidth',
  'brand_images.height as logoHeight',
  'brand_images.low_contrast_on_paper',
  'brand_images.low_contrast_on_ink',
] as const

interface LogoRow extends PlanColumn {
  logoKey: string | null
  logoType: string | null
  logoBytes: number | null
  logoWidth: number | null
  logoHeight: number | null
  low_contrast_on_paper: number | null
  low_contrast_on_ink: number | null
}

/** A row with its logo in place of these columns. The logo shows while the plan includes branding. */
export function withLogo<Row extends LogoRow>({
  plan,
  logoKey: key,
  logoType: type,
  logoBytes,
  logoWidth,
  logoHeight,
  low_contrast_on_paper,
  low_contrast_on_ink,
  ...row
}: Row) {
  const isShown = key !== null && type !== null && hasBranding({ plan })
  const size = { bytes: logoBytes ?? 0, width: logoWidth ?? 1, height: logoHeight ?? 1 }
  const lowContrast = lowContrastOf({ low_contrast_on_paper, low_contrast_on_ink })
  const logo: StoredLogo | null = isShown ? { key, type, ...size, lowContrast } : null
  return { ...row, logo }
}

/** The name that an owner is known by to guests; only of an account whose email address is confirmed. */
export const shownBrandName = sql<
  string | null
>`case when users.email_verified_at is not null then users.brand_name end`

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
