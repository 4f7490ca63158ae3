import type { PlanId } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { enqueue } from '../../jobs/queue.ts'
import { newId } from '../../lib/ids.ts'
import { publish } from '../../live/bus.ts'
import { isUnknownCustomer, type Payments, type Subscription } from '../../ports/payments/payments.ts'
import { grantedUntil, splitLive, type LiveSubscription } from './entitlement.ts'
import { applyEffects, planEffects, wasEndTold, type PaidPlan } from './plan-effects.ts'
import { schedulePlanEnd } from './plan-ends.ts'
import {
  applyNumber,
  isOfAnotherCustomer,
  lockCustomer,
  makeCurrent,
  markEventsProcessed,
  paidPlanOf,
  planOfPrice,
  recordFirstPayment,
  recordSubscriber,
  savePaidPlan,
  saveSubscriptions,
  startSync,
  type LockedCustomer,
} from './sync-queries.ts'
import { addRefund, isRefunding } from './refund-queries.ts'

export type SyncDependencies = Pick<Dependencies, 'db' | 'log' | 'payments'>

/** What the provider said about a customer, and when it was asked. */
interface Answer {
  number: number
  askedAt: Date
  subscriptions: readonly Subscription[]
  firstPaidAt: Date | null
}

/**
 * Asks the provider for a customer's state and applies it, unless the answer to a later question was applied already.
 * Afterwards everything that the provider knew before the call is applied. Whether anything differed.
 */
export async function syncCustomer({ db, log, payments }: SyncDependencies, customerId: string): Promise<boolean> {
  if (!payments) return false
  // Numbers are taken before asking: an answer with a lower number than an applied one can be older than that.
  const started = await startSync(db, customerId, payments.kind)
  if (!started) return false
  const subscriptions = await payments.subscriptionsOf(customerId)
  const firstPaidAt = started.firstPaidAt ?? (await firstPaymentOf(payments, customerId, subscriptions))
  const answer = { ...started, subscriptions, firstPaidAt }
  return db.transaction().execute(async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    if (!customer || !(await applyNumber(tx, customerId, answer.number))) return false
    return applyAnswer({ tx, log }, customer, answer)
  })
}

/** The same; false when the provider does not know the customer. */
export async function syncIfKnown(deps: SyncDependencies, customerId: string): Promise<boolean> {
  try {
    await syncCustomer(deps, customerId)
    return true
  } catch (error) {
    if (isUnknownCustomer(error)) return false
    throw error
  }
}

/** Asked only until it is known, and only when something may have been paid. */
async function firstPaymentOf(
  payments: Payments,
  customerId: string,
  subscriptions: readonly Subscription[],
): Promise<Date | null> {
  if (subscriptions.every(({ state }) => state === 'incomplete')) return null
  const paid = (await payments.paymentsOf(customerId)).filter(({ amountCents }) => amountCents > 0)
  return paid.at(-1)?.paidAt ?? null
}

async function applyAnswer(
  { tx, log }: { tx: Db; log: Dependencies['log'] },
  customer: LockedCustomer,
  answer: Answer,
): Promise<boolean> {
  const { customerId, provider, userId } = customer
  const { subscriptions, number } = answer
  const hasChanged = await saveSubscriptions(tx, provider, subscriptions)
  await recordFirstPayment(tx, customerId, answer.firstPaidAt)
  await markEventsProcessed(tx, { customerId, provider, before: answer.askedAt })
  const { kept, extra } = splitLive(subscriptions)
  if (userId === null || !customer.isActive) {
    if (kept) await closeAgain(tx, customer, [kept, ...extra])
    if (userId === null) return hasChanged
  } else {
    for (const { id } of extra)
      await addRefund(tx, { id: newId(), customerId, reason: 'second subscription', subscriptionId: id })
  }
  const before = await paidPlanOf(tx, userId, provider)
  if (!kept && (customer.isReplaced || (before && (await isOfAnotherCustomer(tx, customerId, before)))))
    return hasChanged
  // A customer who pays is the one that counts, also after a time with the keys of the provider's other mode.
  if (kept && customer.isReplaced) await makeCurrent(tx, customer)
  const plan = kept && (await planOfPrice(tx, provider, kept.priceId))
  if (kept && !plan)
    log.error(
      { subscription: kept.id, price: kept.priceId },
      'a subscription has a price that no plan has: set the price of the plan, or change the subscription at the payment provider',
    )
  const after = kept && plan ? paidPlanFrom(kept, plan, customer.now) : undefined
  const isRefunded = before !== undefined && (await isRefunding(tx, customerId, before.subscriptionId))
  if (!isSamePaidPlan(before, after)) {
    await savePaidPlan(tx, { userId, provider }, after)
    await publish(tx, { kind: 'plan', user: userId })
    // Photos may no longer fit into the plan, or fit again.
    await enqueue(tx, { name: 'check-plan-storage', payload: { userId }, key: `plan-storage:${userId}` })
  }
  if (after) {
    await recordSubscriber(tx, userId)
    await schedulePlanEnd(tx, userId, after.until)
  }
  const hasEnded = !before && after !== undefined && (await wasEndTold(tx, userId, after.subscriptionId))
  await applyEffects(tx, userId, planEffects(before, after, { number, isRefunded, hasEnded }))
  return hasChanged
}

/** Undefined when it grants nothing any more. */
function paidPlanFrom(subscription: LiveSubscription, plan: PlanId, now: Date): PaidPlan | undefined {
  const until = grantedUntil(subscription)
  if (until <= now) return undefined
  const { id: subscriptionId, state: status, cancelAtPeriodEnd, currentPeriodEnd, creditCents } = subscription
  return { plan, subscriptionId, status, cancelAtPeriodEnd, currentPeriodEnd, until, creditCents }
}

const isSamePaidPlan = (one: PaidPlan | undefined, other: PaidPlan | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Something is being charged to an account that is deleted or deactivated. What began after its end is refunded. */
async function closeAgain(tx: Db, customer: LockedCustomer, live: readonly LiveSubscription[]): Promise<void> {
  const { customerId, closeSince, closedAt } = customer
  for (const { id, startedAt } of live)
    if (closeSince && startedAt > closeSince)
      await addRefund(tx, { id: newId(), customerId, reason: 'account closed', subscriptionId: id })
  if (closeSince === null || closedAt !== null)
    await enqueue(tx, { name: 'close-customer', payload: { customerId }, key: `close:${customerId}` })
}
