import { plans, type Plan } from '@keepsnap/contract/plans.ts'
import { Fault } from '../faults.ts'
import { presumedContrast, type LowContrast } from './logo-grounds.ts'
import { planOf, type PlanColumn } from './plans.ts'

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
