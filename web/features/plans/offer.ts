import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { planIds, type PlanId } from '@keepsnap/contract/plans.ts'
import type { ShownPlan } from './shown-plans.ts'

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

export type PricingVisitor = { signedIn: false } | { signedIn: true; status: SubscriptionStatus | undefined }

const rankOf = (id: string): number => planIds.findIndex((planId) => planId === id)

/** What the card of a plan offers; `isListed`: the server has said what is sold. */
export function offerOf(plan: ShownPlan, viewer: PricingVisitor, isListed: boolean): Offer {
  if (!viewer.signedIn) {
    if (isFree(plan)) return { kind: 'register' }
    return isListed && plan.stripe_price_id === null ? unavailable(plan) : { kind: 'sign-in' }
  }
  const { status } = viewer
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
