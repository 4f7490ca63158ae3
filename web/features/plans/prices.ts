import { plans, type Plan } from '@keepsnap/contract/plans.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'

export type Cycle = Plan['interval_type']

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
  /** When it is paid. */
  terms: string
}

/** A plan's price per month or per year, whichever way it is paid. */
export function priceOf(plan: Plan, cycle: Cycle, { text, format }: Localization): Price {
  const { price_cents: cents, interval_type: paid } = plan
  if (cents === 0) return { amount: format.price(0, true), per: text.forever, terms: text.noCard }
  const price = format.price(cents)
  const per = cycle === 'month' ? text.perMonth : text.perYear
  if (paid === cycle) {
    const share = format.price(Math.round(cents / 12))
    return { amount: price, per, terms: paid === 'month' ? text.paidMonthly : text.paidYearly(share) }
  }
  if (paid === 'month') return { amount: format.price(cents * 12), per, terms: text.paidEveryMonth(price) }
  return { amount: format.price(Math.round(cents / 12)), per, terms: text.paidOnceAYear(price) }
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
