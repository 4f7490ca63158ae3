import { plans, type Plan } from '@keepsnap/contract/plans.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'

export type Cycle = Plan['interval_type']

/** Whole percent saved by paying a year at once, against twelve months; spec section 9. */
export const savedPercent = (monthCents: number, yearCents: number): number =>
  Math.floor((1 - yearCents / (12 * monthCents)) * 100)

/** The saving of Pro Yearly over Pro Monthly. */
export const proSaving = (): number => savedPercent(plans.pro_monthly.price_cents, plans.pro_yearly.price_cents)

interface Words {
  text: Catalogue['pricing']
  format: Format
}
export interface Price {
  amount: string
  per: string
  /** How it is paid. */
  terms: string
}

/** A plan's price told by the month or by the year, however it is paid. */
export function priceOf(plan: Plan, told: Cycle, { text, format }: Words): Price {
  const { price_cents: cents, interval_type: paid } = plan
  if (cents === 0) return { amount: format.price(0, true), per: text.forGood, terms: text.noCard }
  const price = format.price(cents)
  const per = told === 'month' ? text.perMonth : text.perYear
  if (paid === told) {
    const share = format.price(Math.round(cents / 12))
    return { amount: price, per, terms: paid === 'month' ? text.paidMonthly : text.paidYearly(share) }
  }
  if (paid === 'month') return { amount: format.price(cents * 12), per, terms: text.paidEveryMonth(price) }
  return { amount: format.price(Math.round(cents / 12)), per, terms: text.paidOnceAYear(price) }
}

interface Line {
  text: string
  included: boolean
}
const has = (text: string, included = true): Line => ({ text, included })

/** What a plan holds and what it lacks, as lines of its card. */
export function linesOf({ features }: Plan, text: Catalogue['pricing']): Line[] {
  const { max_photos, storage_gb, max_file_size_mb, custom_branding, analytics, api_access } = features
  return [
    has(text.photos(max_photos)),
    has(text.storage(storage_gb)),
    has(text.files(max_file_size_mb)),
    ...(analytics ? [] : [has(text.bothCodes)]),
    custom_branding ? has(text.branding) : has(text.brandingShort, false),
    ...(analytics ? [has(text.analytics)] : []),
    api_access ? has(text.api) : has(text.apiShort, false),
  ]
}
