import { plans, type Plan, type PlanId } from '@keepsnap/contract/plans.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'

export type Cycle = Plan['interval_type']

/** The paid plan that is marked while prices are compared per month or per year. */
export const markedPlan: Record<Cycle, PlanId> = { month: 'pro_monthly', year: 'pro_yearly' }

/** Percent saved by paying once a year instead of every month, rounded down; docs/behaviour.md section 9. */
export const savingPercent = (monthCents: number, yearCents: number): number =>
  Math.floor((1 - yearCents / (12 * monthCents)) * 100)

/** The saving of Pro Yearly over Pro Monthly. */
export const proSaving = (): number => savingPercent(plans.pro_monthly.price_cents, plans.pro_yearly.price_cents)

interface Localization {
  text: Catalogue['pricing']
  format: Format
}
export interface Price {
  amount: string
  per: string
  /** What it comes to in the interval of comparison, or how it is paid. */
  terms: string
}

/**
 * A plan's price per its own interval, which is how it is paid; below it, what that is in the interval of comparison.
 * docs/behaviour.md section 9.
 */
export function priceOf(plan: Plan, cycle: Cycle, { text, format }: Localization): Price {
  const { price_cents: cents, interval_type: paid } = plan
  if (cents === 0) return { amount: format.price(0, true), per: text.forever, terms: text.noCard }
  const amount = format.price(cents)
  if (paid === 'year') {
    const share = format.price(Math.round(cents / 12))
    return { amount, per: text.perYear, terms: text.aboutPerMonth(share, text.save(proSaving())) }
  }
  return {
    amount,
    per: text.perMonth,
    terms: cycle === 'month' ? text.paidMonthly : text.inAYear(format.price(cents * 12)),
  }
}

interface PlanFeature {
  text: string
  included: boolean
}
const feature = (text: string, included = true): PlanFeature => ({ text, included })

/** What a plan includes and what it does not include, as shown on its card. */
export function featuresOf({ features }: Plan, text: Catalogue['pricing']): PlanFeature[] {
  const { max_photos, storage_gb, max_file_size_mb, custom_branding, analytics, api_access } = features
  return [
    feature(text.photos(max_photos)),
    feature(text.storage(storage_gb)),
    feature(text.files(max_file_size_mb)),
    ...(analytics ? [] : [feature(text.bothCodes)]),
    custom_branding ? feature(text.branding) : feature(text.brandingShort, false),
    ...(analytics ? [feature(text.analytics)] : []),
    api_access ? feature(text.api) : feature(text.apiShort, false),
  ]
}
