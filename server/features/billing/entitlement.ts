import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { Subscription } from '../../ports/payments/payments.ts'

const dayMs = 24 * 60 * 60 * 1000
const graceMs = billingLimits.graceDays * dayMs

/** A subscription that is being charged, now or again later. */
export type LiveSubscription = Subscription & { state: 'active' | 'past_due' }

/** Whether the provider continues to charge for a subscription. False for one whose first payment is missing. */
export const isLive = (subscription: Subscription): subscription is LiveSubscription =>
  subscription.state === 'active' || subscription.state === 'past_due'

/** Splits the live subscriptions of a customer: the oldest is kept, the extra ones must end. */
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
 * Until when a subscription grants its plan without news from the provider, in billing time. At the end of its period a
 * payment is due, for which there is a grace period. That of a past-due subscription starts with its first unpaid
 * period; later unpaid periods do not restart it.
 */
export function grantedUntil(subscription: LiveSubscription): Date {
  const { state, cancelAtPeriodEnd, currentPeriodStart, currentPeriodEnd, unpaidSince } = subscription
  if (state === 'past_due') return new Date((unpaidSince ?? currentPeriodStart).getTime() + graceMs)
  return cancelAtPeriodEnd ? currentPeriodEnd : new Date(currentPeriodEnd.getTime() + graceMs)
}

/** Until when everything can be refunded, after the first payment; billing time. */
export const refundableUntil = (firstPaidAt: Date): Date =>
  new Date(firstPaidAt.getTime() + billingLimits.refundDays * dayMs)
