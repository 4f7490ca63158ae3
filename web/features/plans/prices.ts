import { isPlanId, plans, type Plan, type PlanId } from '@keepsnap/contract/plans.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'

export type BillingCycle = Plan['interval_type']

/** The plan that is recommended while prices are compared per month or per year. */
const recommendedPlan: Record<BillingCycle, PlanId> = { month: 'pro_monthly', year: 'pro_yearly' }

/** The plan that stands out: for who has more than the free plan their own, so that no smaller one is recommended. */
export const markedPlan = (cycle: BillingCycle, ownPlan: string | null): { id: PlanId; isOwn: boolean } =>
  ownPlan !== null && ownPlan !== 'free' && isPlanId(ownPlan)
    ? { id: ownPlan, isOwn: true }
    : { id: recommendedPlan[cycle], isOwn: false }

/** Percent saved by paying once a year instead of every month, rounded down. */
export const savingPercent = (monthCents: number, yearCents: number): number =>
  Math.floor((1 - yearCents / (12 * monthCents)) * 100)

/** The saving of Pro Yearly over Pro Monthly, of these plans. */
export function proSaving(shown: readonly PricedPlan[]): number {
  const [month, year] = (['pro_monthly', 'pro_yearly'] as const).map(
    (id) => (shown.find((plan) => plan.id === id) ?? plans[id]).price_cents,
  )
  return month && year ? savingPercent(month, year) : 0
}

type PricedPlan = Pick<Plan, 'id' | 'price_cents' | 'interval_type'>

export interface Localization {
  text: Catalogue['pricing']
  format: Format
}
export interface PriceText {
  amount: string
  per: string
  /** What it comes to in the interval of comparison, or how it is paid. */
  terms: string
}

/** A plan's price per its own interval, which is how it is paid; below it, what that is in the interval of comparison. */
export function priceOf(
  plan: PricedPlan,
  { cycle, saving }: { cycle: BillingCycle; saving: number },
  { text, format }: Localization,
): PriceText {
  const { price_cents: cents, interval_type: paid } = plan
  if (cents === 0) return { amount: format.price(0, true), per: text.forever, terms: text.noCard }
  const amount = format.price(cents)
  if (paid === 'year') {
    const share = format.price(Math.round(cents / 12))
    return { amount, per: text.perYear, terms: text.aboutPerMonth(share, text.save(saving)) }
  }
  return {
    amount,
    per: text.perMonth,
    terms: cycle === 'month' ? text.paidMonthly : text.inAYear(format.price(cents * 12)),
  }
}

/** `$14.99 per month` */
export const pricePerInterval = (
  { price_cents: cents, interval_type: interval }: Pick<Plan, 'price_cents' | 'interval_type'>,
  { text, format }: Localization,
): string => text.perInterval(format.price(cents), interval === 'year' ? text.perYear : text.perMonth)

/** The name of a plan in the user's language; the server's where the app does not know it. */
export const planName = ({ id, name }: { id: string; name: string }, names: Catalogue['pricing']['names']): string =>
  isPlanId(id) ? names[id] : name

interface PlanFeature {
  text: string
  included: boolean
}
const feature = (text: string, included = true): PlanFeature => ({ text, included })

/** What a plan includes and what it does not include, as shown on its card. */
export function featuresOf({ features }: Pick<Plan, 'features'>, { text, format }: Localization): PlanFeature[] {
  const { max_photos, storage_gb, max_file_size_mb, custom_branding, analytics, api_access } = features
  return [
    feature(text.photos(format.count(max_photos))),
    feature(text.storage(storage_gb)),
    feature(text.files(max_file_size_mb)),
    ...(analytics ? [] : [feature(text.bothCodes)]),
    custom_branding ? feature(text.branding) : feature(text.brandingShort, false),
    ...(analytics ? [feature(text.analytics)] : []),
    api_access ? feature(text.api) : feature(text.apiShort, false),
  ]
}
