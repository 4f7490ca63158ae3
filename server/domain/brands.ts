import { plans, type Plan } from '@keepsnap/contract/plans.ts'
import type { Db } from '../db/connect.ts'
import { Fault } from '../faults.ts'
import type { Addresses } from './addresses.ts'
import { planOf, type Granted } from './plans.ts'

/** A stored logo (PNG) or background (JPEG). */
export interface BrandImage {
  key: string
  type: string
  bytes: number
  /** Pixels. */
  width: number
  height: number
}
/** What a user's gallery is dressed in. */
export interface Brand {
  logo: BrandImage | null
  background: BrandImage | null
}

/** Whether the plan that holds now has a brand of its own. Asked at each use, not only at the upload. */
export const hasBranding = (granted: Granted): boolean => planOf(granted).features.custom_branding

/** Whoever has no such plan is told which have it. */
export const needsBranding = (plan: Plan): Fault =>
  new Fault('forbidden', `A logo and a background of your own come with ${withBranding}. Your plan is ${plan.name}.`)

const withBranding = Object.values(plans)
  .filter(({ features }) => features.custom_branding)
  .map(({ name }) => name)
  .join(' and ')

/** The brand that shows now: nothing while the plan has none, whatever is stored. */
export async function brandOf(db: Db, userId: string): Promise<Brand> {
  const rows = await db
    .selectFrom('brand_images as b')
    .innerJoin('users as u', 'u.id', 'b.user_id')
    .select(['b.kind', 'b.key', 'b.type', 'b.bytes', 'b.width', 'b.height', 'u.granted_plan', 'u.granted_until'])
    .where('b.user_id', '=', userId)
    .execute()
  const image = (kind: string): BrandImage | null => {
    const row = rows.find((one) => one.kind === kind)
    if (!row || !hasBranding(row)) return null
    const { key, type, bytes, width, height } = row
    return { key, type, bytes, width, height }
  }
  return { logo: image('logo'), background: image('background') }
}

/** The same as its owner's app needs it. */
export async function brandAddresses(
  db: Db,
  userId: string,
  addresses: Addresses,
): Promise<{ logo_url: string | null; background_image_url: string | null }> {
  const { logo, background } = await brandOf(db, userId)
  return {
    logo_url: logo && addresses.brand(logo.key),
    background_image_url: background && addresses.brand(background.key),
  }
}
