import { plans, type Plan } from '@keepsnap/contract/plans.ts'
import type { Db } from '../db/connect.ts'
import { Fault } from '../faults.ts'
import { planOf, type PlanColumns } from './plans.ts'
import type { Urls } from './urls.ts'

/** A stored logo (PNG) or background (JPEG). */
export interface BrandImage {
  key: string
  type: string
  bytes: number
  /** Pixels. */
  width: number
  height: number
}
/** A user's logo and background. */
export interface Brand {
  logo: BrandImage | null
  background: BrandImage | null
}

/** Whether the current plan includes branding. Checked at each use, not only at the upload. */
export const hasBranding = (user: PlanColumns): boolean => planOf(user).features.custom_branding

const plansWithBranding = Object.values(plans)
  .filter(({ features }) => features.custom_branding)
  .map(({ name }) => name)
  .join(' and ')

/** Refuses a user whose plan has no branding, and names the plans that have it. */
export const brandingNotInPlan = (plan: Plan): Fault =>
  new Fault('forbidden', `Your own logo and background are part of ${plansWithBranding}. Your plan is ${plan.name}.`)

/** The brand that is shown now: none while the plan does not include it, even if images are stored. */
export async function brandOf(db: Db, userId: string): Promise<Brand> {
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
      'users.granted_plan',
      'users.granted_until',
    ])
    .where('brand_images.user_id', '=', userId)
    .execute()
  const brandImageOf = (kind: string): BrandImage | null => {
    const row = rows.find((one) => one.kind === kind)
    if (!row || !hasBranding(row)) return null
    const { key, type, bytes, width, height } = row
    return { key, type, bytes, width, height }
  }
  return { logo: brandImageOf('logo'), background: brandImageOf('background') }
}

/** The URLs of that brand, as fields of the user. */
export async function brandUrls(
  db: Db,
  userId: string,
  urls: Urls,
): Promise<{ logo_url: string | null; background_image_url: string | null }> {
  const { logo, background } = await brandOf(db, userId)
  return {
    logo_url: logo && urls.brandImage(logo.key),
    background_image_url: background && urls.brandImage(background.key),
  }
}
