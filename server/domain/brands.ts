import type { LogoGrounds } from '@keepsnap/contract/logo-grounds.ts'
import { plans, type Plan } from '@keepsnap/contract/plans.ts'
import type { Db } from '../db/connect.ts'
import { Fault } from '../faults.ts'
import { chooseLogoGrounds, presumedContrast, type LowContrast } from './logo-grounds.ts'
import { currentPlan, planOf, type PlanColumn } from './plans.ts'
import type { Urls } from './urls.ts'

/** A stored logo (PNG) or background (JPEG). */
export interface StoredImage {
  key: string
  type: string
  bytes: number
  /** Pixels. */
  width: number
  height: number
}
/** A user's logo. */
export interface StoredLogo extends StoredImage {
  lowContrast: LowContrast
}
/** A user's logo and background. */
export interface Brand {
  logo: StoredLogo | null
  background: StoredImage | null
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

/** The brand that is shown now: none while the plan does not include it, even if images are stored. */
async function brandOf(db: Db, userId: string): Promise<Brand> {
  const rows = await db
    .selectFrom('brand_images')
    .innerJoin('users', 'users.id', 'brand_images.user_id')
    .select([
      'brand_images.kind',
      'brand_images.key',
      'brand_images.type',
      'brand_images.bytes',
      'brand_images.width',
      'brand_images.height',
      'brand_images.low_contrast_on_paper',
      'brand_images.low_contrast_on_ink',
      currentPlan.as('plan'),
    ])
    .where('brand_images.user_id', '=', userId)
    .execute()
  const brandImageOf = (kind: string): StoredLogo | null => {
    const row = rows.find((one) => one.kind === kind)
    if (!row || !hasBranding(row)) return null
    const { key, type, bytes, width, height } = row
    return { key, type, bytes, width, height, lowContrast: lowContrastOf(row) }
  }
  return { logo: brandImageOf('logo'), background: brandImageOf('background') }
}

/** The measured contrast of a logo, or the default until it has been measured. */
export const lowContrastOf = (row: {
  low_contrast_on_paper: number | null
  low_contrast_on_ink: number | null
}): LowContrast =>
  row.low_contrast_on_paper === null || row.low_contrast_on_ink === null
    ? presumedContrast
    : { onPaper: row.low_contrast_on_paper, onInk: row.low_contrast_on_ink }

/** The brand that is shown now, as fields of the user in the API. */
export async function brandFields(
  db: Db,
  userId: string,
  urls: Urls,
): Promise<{ logo_url: string | null; logo_grounds: LogoGrounds | null; background_image_url: string | null }> {
  const { logo, background } = await brandOf(db, userId)
  return {
    logo_url: logo && urls.brandImage(logo.key),
    logo_grounds: logo && chooseLogoGrounds(logo.lowContrast, { hasBackground: background !== null }),
    background_image_url: background && urls.brandImage(background.key),
  }
}
