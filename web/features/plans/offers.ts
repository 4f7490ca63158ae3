import type { PlanForSale, SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { isPlanId, type Plan, type PlanFeatures, type PlanId, planIds, plans } from '@keepsnap/contract/plans.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'
import { readFeatures } from './plan-status.ts'

/** A plan as the app shows it. */
export interface ShownPlan extends Omit<PlanForSale, 'id' | 'features'> {
  id: PlanId
  features: PlanFeatures
}

/** The plans that the server lists; an unknown one has no name in the catalogue and is left out. */
export const readPlans = (listed: readonly PlanForSale[]): ShownPlan[] =>
  listed.flatMap((plan) => (isPlanId(plan.id) ? [{ ...plan, id: plan.id, features: readFeatures(plan.features) }] : []))

/** The plans of the contract, while the server's list is missing; none can be bought then. */
export const contractPlans: readonly ShownPlan[] = planIds.map((id) => ({ ...plans[id], stripe_price_id: null }))

/** What a plan's card offers. */
export type Offer =
  | { kind: 'register' }
  /** A paid plan, for visitors: sign in first, then come back to the same choice. */
  | { kind: 'sign-in' }
  /** It is not known yet what can be offered. */
  | { kind: 'wait' }
  | { kind: 'nothing' }
  /** No plans are sold on this site. */
  | { kind: 'not-sold' }
  /** The effective plan. `until`: the end of a complimentary one. */
  | { kind: 'current'; isComplimentary: boolean; until: string | null; endsAt: string | null }
  /** `freeUntil`: the end of a complimentary plan that is at least as large. */
  | { kind: 'buy'; priceId: string; freeUntil: string | null }
  | { kind: 'change'; priceId: string }
  /** The site cannot take payments for now. */
  | { kind: 'paused' }
  /** A payment is on its way: another one would be too much. */
  | { kind: 'pending' }
  /** A change has to wait while a payment is missing. */
  | { kind: 'pay-first' }
  /** Paid, but a larger complimentary plan is in effect. */
  | { kind: 'paid'; until: string }

const rankOf = (id: string): number => planIds.findIndex((planId) => planId === id)

/** What the card of a plan offers. `status`: null for visitors; `isListed`: the server has said what is sold. */
export function offerOf(plan: ShownPlan, status: SubscriptionStatus | undefined | null, isListed: boolean): Offer {
  if (status === null) {
    if (isFree(plan)) return { kind: 'register' }
    return isListed && plan.stripe_price_id === null ? unavailable(plan) : { kind: 'sign-in' }
  }
  if (!status) return { kind: isFree(plan) ? 'nothing' : 'wait' }
  if (plan.id === status.plan.id) return currentPlan(status)
  if (isFree(plan)) return { kind: 'nothing' }
  if (plan.id === status.subscription?.plan.id) return { kind: 'paid', until: status.subscription.current_period_end }
  if (status.payments === 'off') return { kind: 'not-sold' }
  if (!isListed) return { kind: 'wait' }
  if (status.delayed_payment?.state === 'pending') return { kind: 'pending' }
  if (plan.stripe_price_id === null) return unavailable(plan)
  if (status.subscription?.status === 'past_due') return { kind: 'pay-first' }
  if (status.subscription) return { kind: 'change', priceId: plan.stripe_price_id }
  return purchaseOf(plan, plan.stripe_price_id, status)
}

const isFree = ({ price_cents: cents }: ShownPlan): boolean => cents === 0

const unavailable = ({ is_paused: isPaused }: ShownPlan): Offer => ({ kind: isPaused ? 'paused' : 'not-sold' })

function currentPlan({ plan, subscription, complimentary, until }: SubscriptionStatus): Offer {
  const isPaid = subscription?.plan.id === plan.id
  return {
    kind: 'current',
    isComplimentary: !isPaid && complimentary?.id === plan.id,
    until,
    endsAt: isPaid && subscription.cancel_at_period_end ? subscription.current_period_end : null,
  }
}

function purchaseOf(plan: ShownPlan, priceId: string, { complimentary }: SubscriptionStatus): Offer {
  const isCovered = complimentary !== null && rankOf(plan.id) <= rankOf(complimentary.id)
  if (!isCovered) return { kind: 'buy', priceId, freeUntil: null }
  return complimentary.until === null ? { kind: 'nothing' } : { kind: 'buy', priceId, freeUntil: complimentary.until }
}

/** The plan with this id that costs money; what a link to a choice names. */
export const paidPlan = (plans: readonly ShownPlan[], id: string | null): ShownPlan | undefined =>
  plans.find((plan) => plan.id === id && !isFree(plan))

/** Whether a change to the first plan from the second makes it larger. */
export const isLarger = (plan: { id: PlanId }, than: { id: string }): boolean => rankOf(plan.id) > rankOf(than.id)

export type BillingCycle = Plan['interval_type']

/** The plan that is recommended while prices are compared per month or per year. */
const recommendedPlan: Record<BillingCycle, PlanId> = { month: 'pro_monthly', year: 'pro_yearly' }

/** The plan that stands out: for who has more than the free plan their own, so that no smaller one is recommended. */
export const markedPlan = (cycle: BillingCycle, ownPlan: string | null): { id: PlanId; isOwn: boolean } =>
  ownPlan !== null && ownPlan !== 'free' && isPlanId(ownPlan)
    ? { id: ownPlan, isOwn: true }
    : { id: recommendedPlan[cycle], isOwn: false }

/** Percent saved by paying for Pro Yearly instead of twelve times for Pro Monthly, of these plans; rounded down. */
export function proSaving(shown: readonly PricedPlan[]): number {
  const [month, year] = (['pro_monthly', 'pro_yearly'] as const).map(
    (id) => (shown.find((plan) => plan.id === id) ?? plans[id]).price_cents,
  )
  return month && year ? Math.floor((1 - year / (12 * month)) * 100) : 0
}

type PricedPlan = Pick<Plan, 'id' | 'price_cents' | 'interval_type'>

export interface Localization {
  text: Catalogue['pricing']
  format: Format
}
/** A plan's price per its own interval, which is how it is paid; `terms`: what that is in the interval of comparison. */
export function priceOf(
  plan: PricedPlan,
  { cycle, saving }: { cycle: BillingCycle; saving: number },
  { text, format }: Localization,
) {
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

const feature = (text: string, included = true) => ({ text, included })

/** What a plan includes and what it does not include, as shown on its card. */
export function featuresOf({ features }: Pick<Plan, 'features'>, { text, format }: Localization) {
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
