import type { PlanId } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { enqueue } from '../../jobs/queue.ts'
import { newId } from '../../lib/ids.ts'
import { publish } from '../../live/bus.ts'
import {
  isUnknownCustomer,
  type Checkout,
  type Dispute,
  type Payment,
  type Payments,
  type Subscription,
} from '../../ports/payments/payments.ts'
import { saveCheckoutState, unfinishedCheckouts } from './checkout-queries.ts'
import { endLostSubscriptions, readDisputes, saveDisputes, withoutTakenBack } from './disputes.ts'
import { grantedUntil, splitLive, type LiveSubscription } from './entitlement.ts'
import { applyEffects, planEffects, wasPlanEndAnnounced, type PaidPlan } from './plan-effects.ts'
import { schedulePlanEnd } from './plan-ends.ts'
import {
  recordAppliedSync,
  belongsToAnotherCustomer,
  lockCustomer,
  makeCustomerCurrent,
  markEventsProcessed,
  paidPlanOf,
  planOfPrice,
  recordFirstPayment,
  recordRefundable,
  recordSubscriber,
  savePaidPlan,
  saveSubscriptions,
  startSync,
  type LockedCustomer,
  type StartedSync,
} from './sync-queries.ts'
import { addRefund, hasSubscriptionRefund } from './refund-queries.ts'

export type SyncDependencies = Pick<Dependencies, 'db' | 'log' | 'payments'>

/** The provider's answer about a customer, with the number and time of the request; undefined: not asked. */
interface Answer extends Pick<StartedSync, 'number' | 'askedAt' | 'firstPaidAt'> {
  subscriptions: readonly Subscription[]
  disputes: readonly Dispute[] | undefined
  payments: readonly Payment[] | undefined
  checkouts: readonly (Pick<Checkout, 'id' | 'state'> & { priceId: string })[] | undefined
}

/**
 * Reads a customer's state from the provider and applies it, unless the answer to a later request was already applied.
 * Either way, everything that the provider knew before the call has been applied then. Resolves to whether anything
 * differed.
 */
export async function syncCustomer(
  { db, log, payments }: SyncDependencies,
  customerId: string,
  { asksCheckouts = false } = {},
): Promise<boolean> {
  if (!payments) return false
  // The number is taken before the request: an answer with a lower number than the applied one may be stale.
  const started = await startSync(db, customerId, payments.kind)
  if (!started) return false
  const asksAll = { ...started, asksCheckouts: asksCheckouts || started.asksCheckouts }
  const answer = await ask({ db, log, payments }, customerId, asksAll)
  return db.transaction().execute(async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    if (!customer || !(await recordAppliedSync(tx, customerId, answer.number))) return false
    return applyAnswer({ tx, log }, customer, answer)
  })
}

/** Asks the provider, after it has ended what must not go on: the subscription of a payment that failed or that the bank took back. */
async function ask(
  { db, log, payments }: SyncDependencies & { payments: Payments },
  customerId: string,
  started: StartedSync,
): Promise<Answer> {
  const checkouts = started.asksCheckouts ? await readCheckouts({ db, payments }, customerId) : undefined
  const paid = started.asksPayments ? await payments.paymentsOf(customerId) : undefined
  const disputes = started.asksDisputes ? await readDisputes({ log }, payments, customerId) : undefined
  let subscriptions = await payments.subscriptionsOf(customerId)
  if (disputes && (await endLostSubscriptions(payments, customerId, { disputes, subscriptions })))
    subscriptions = await payments.subscriptionsOf(customerId)
  const firstPaidAt = started.firstPaidAt ?? (await firstPaymentOf(payments, customerId, subscriptions))
  return { ...started, subscriptions, firstPaidAt, disputes, payments: paid, checkouts }
}

/** What became of the checkouts that may still be paid. The provider must not try a payment again that has failed at first. */
async function readCheckouts({ db, payments }: { db: Db; payments: Payments }, customerId: string) {
  const checkouts: NonNullable<Answer['checkouts']>[number][] = []
  for (const { id, priceId } of await unfinishedCheckouts(db, customerId)) {
    const checkout = await payments.checkout(id)
    if (checkout?.state === 'failed' && checkout.subscriptionId !== null)
      await payments.cancelNow(checkout.subscriptionId)
    // One that the provider does not know any more can neither be paid nor keep the user from another.
    checkouts.push({ id, state: checkout?.state ?? 'expired', priceId })
  }
  return checkouts
}

/** Synchronizes a customer; resolves to false if the provider does not know it. */
export async function syncIfKnown(
  deps: SyncDependencies,
  customerId: string,
  options?: { asksCheckouts: boolean },
): Promise<boolean> {
  try {
    await syncCustomer(deps, customerId, options)
    return true
  } catch (error) {
    if (isUnknownCustomer(error)) return false
    throw error
  }
}

/** The time of the first payment. Called only until it is known. Skips the request when nothing can have been paid. */
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
  let hasChanged = await saveSubscriptions(tx, provider, subscriptions)
  await recordFirstPayment(tx, customerId, answer.firstPaidAt)
  const { disputes, payments, checkouts } = answer
  if (disputes && (await saveDisputes(tx, customerId, disputes))) hasChanged = true
  if (payments) {
    const left = await withoutTakenBack(tx, customerId, payments)
    const hasLeft = left.some((one) => one.subscriptionId !== null && one.refundedCents < one.amountCents)
    await recordRefundable(tx, customerId, payments.length > 0 && !hasLeft)
  }
  const unasked = [
    ...(payments ? [] : ['charge.%']),
    ...(disputes ? [] : ['charge.dispute.%']),
    ...(checkouts ? [] : ['checkout.session.%']),
  ]
  await markEventsProcessed(tx, { customerId, provider, before: answer.askedAt, unasked })
  await saveCheckouts(tx, customer, checkouts ?? [])
  const { kept, extra } = splitLive(subscriptions)
  if (userId === null || !customer.isActive) {
    if (kept) await closeAgain(tx, customer, [kept, ...extra])
    if (userId === null) return hasChanged
  } else {
    for (const { id } of extra)
      await addRefund(tx, { id: newId(), customerId, reason: 'second subscription', subscriptionId: id })
  }
  const before = await paidPlanOf(tx, userId, provider)
  if (!kept && (customer.isReplaced || (before && (await belongsToAnotherCustomer(tx, customerId, before)))))
    return hasChanged
  // A replaced customer that pays becomes current again, as after a switch between test and live mode.
  if (kept && customer.isReplaced) await makeCustomerCurrent(tx, customer)
  const plan = kept && (await planOfPrice(tx, provider, kept.priceId))
  if (kept && !plan)
    log.error(
      { subscription: kept.id, price: kept.priceId },
      'a subscription has a price that no plan has: set the price of the plan, or change the subscription at the payment provider',
    )
  const after = kept && plan ? paidPlanFrom(kept, plan, customer.now) : undefined
  const isRefunded = before !== undefined && (await hasSubscriptionRefund(tx, customerId, before.subscriptionId))
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
  const hasEnded = !before && after !== undefined && (await wasPlanEndAnnounced(tx, userId, after.subscriptionId))
  await applyEffects(tx, userId, planEffects(before, after, { number, isRefunded, hasEnded }))
  return hasChanged
}

/** Saves what became of checkouts; tells the user of a payment that has failed, and open pages of each change. */
async function saveCheckouts(
  tx: Db,
  { provider, userId }: LockedCustomer,
  checkouts: NonNullable<Answer['checkouts']>,
): Promise<void> {
  for (const { id, state, priceId } of checkouts) {
    if (!(await saveCheckoutState(tx, id, state)) || userId === null) continue
    if (state === 'pending' || state === 'failed') await publish(tx, { kind: 'plan', user: userId })
    const plan = state === 'failed' ? await planOfPrice(tx, provider, priceId) : undefined
    if (plan) await applyEffects(tx, userId, [{ kind: 'first-payment-failed', subject: id, plan, at: null }])
  }
}

/** The paid plan of a subscription; undefined if it grants nothing any more. */
function paidPlanFrom(subscription: LiveSubscription, plan: PlanId, now: Date): PaidPlan | undefined {
  const until = grantedUntil(subscription)
  if (until <= now) return undefined
  const { id: subscriptionId, state: status, cancelAtPeriodEnd, currentPeriodEnd, creditCents } = subscription
  return { plan, subscriptionId, status, cancelAtPeriodEnd, currentPeriodEnd, until, creditCents }
}

const isSamePaidPlan = (one: PaidPlan | undefined, other: PaidPlan | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Closes a customer with live subscriptions again, and refunds those that began after the account had ended. */
async function closeAgain(tx: Db, customer: LockedCustomer, live: readonly LiveSubscription[]): Promise<void> {
  const { customerId, closeSince, closedAt } = customer
  for (const { id, startedAt } of live)
    if (closeSince && startedAt > closeSince)
      await addRefund(tx, { id: newId(), customerId, reason: 'account closed', subscriptionId: id })
  if (closeSince === null || closedAt !== null)
    await enqueue(tx, { name: 'close-customer', payload: { customerId }, key: `close:${customerId}` })
}
