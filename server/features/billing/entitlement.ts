import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { Subscription } from '../../ports/payments/payments.ts'

const dayMs = 24 * 60 * 60 * 1000
const graceMs = billingLimits.graceDays * dayMs

/** A subscription that is being charged, now or again later. */
export type LiveSubscription = Subscription & { state: 'active' | 'past_due' }

/** Whether the provider goes on charging for a subscription. One whose first payment is missing is not. */
export const isLive = (subscription: Subscription): subscription is LiveSubscription =>
  subscription.state === 'active' || subscription.state === 'past_due'

/** The live subscriptions of a customer: the oldest, which counts, and the others, which must end. */
export function splitLive(subscriptions: readonly Subscription[]): {
  kept: LiveSubscription | undefined
  extra: readonly LiveSubscription[]
} {
  const [kept, ...extra] = subscriptions
    .filter(isLive)
    .toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime() || (a.id < b.id ? -1 : 1))
  return { kept, extra }
}

/**
 * Until when a subscription grants its plan without news from the provider, in billing time. With the end of its period
 * a payment is due, which may take some days; a period that is not paid has begun nevertheless. Periods that are not paid
 * do not start the days anew.
 */
export function grantedUntil(subscription: LiveSubscription): Date {
  const { state, cancelAtPeriodEnd, currentPeriodStart, currentPeriodEnd, unpaidSince } = subscription
  if (state === 'past_due') return new Date((unpaidSince ?? currentPeriodStart).getTime() + graceMs)
  return cancelAtPeriodEnd ? currentPeriodEnd : new Date(currentPeriodEnd.getTime() + graceMs)
}

/** Until when everything can be refunded, after the first payment; billing time. */
export const refundableUntil = (firstPaidAt: Date): Date =>
  new Date(firstPaidAt.getTime() + billingLimits.refundDays * dayMs)
