import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import {
  type Business,
  type Checkout,
  type Dispute,
  isUnknownCustomer,
  type Payment,
  type Payments,
  PaymentsDown,
  type Subscription,
} from '../../ports/payments/payments.ts'
import type { Dependencies } from '../../dependencies.ts'
import { newId } from '../../lib/ids.ts'
import { publish } from '../../platform/live/bus.ts'
import { enqueueInvoicesIfBusiness } from './business-invoices.ts'
import { readBusiness, saveReadBusiness } from './businesses.ts'
import {
  lockCustomer,
  type LockedCustomer,
  makeCustomerCurrent,
  planOfPrice,
  type Provider,
  customerOfUser,
} from './customers.ts'
import {
  splitLive,
  paidPlanOf,
  belongsToAnotherCustomer,
  paidPlanFrom,
  isSamePaidPlan,
  savePaidPlan,
  recordSubscriber,
  schedulePlanEnd,
  wasPlanEndAnnounced,
  applyEffects,
  planEffects,
  type LiveSubscription,
} from './paid-plan.ts'

export type SyncDependencies = Pick<Dependencies, 'db' | 'log' | 'payments'>

/** The provider's answer about a customer, with the number and time of the request; undefined: not asked. */
interface Answer extends Pick<StartedSync, 'number' | 'askedAt' | 'firstPaidAt'> {
  subscriptions: readonly Subscription[]
  disputes: readonly Dispute[] | undefined
  payments: readonly Payment[] | undefined
  checkouts: readonly (Pick<Checkout, 'id' | 'state'> & { priceId: string })[] | undefined
  business: Business | null | undefined
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
    const hasChanged = await applyAnswer({ tx, log }, customer, answer)
    await enqueueInvoicesIfBusiness(tx, customerId)
    return hasChanged
  })
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

/**
 * A paid plan has reached its end: synchronizes with the provider. If the provider is down, the plan has ended
 * nevertheless: open pages are notified, and the job is retried.
 */
export async function endPaidPlan(deps: SyncDependencies, userId: string): Promise<void> {
  const { db, payments } = deps
  if (!payments) return
  const customerId = await customerOfUser(db, userId, payments.kind)
  if (customerId === undefined) return
  try {
    await syncCustomer(deps, customerId)
  } catch (error) {
    if (error instanceof PaymentsDown) await publish(db, { kind: 'plan', user: userId })
    throw error
  }
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
  const asksBusiness = started.asksCheckouts || started.asksBusiness
  const business = asksBusiness ? await readBusiness({ log }, payments, customerId) : undefined
  const firstPaidAt = started.firstPaidAt ?? (await firstPaymentOf(payments, customerId, subscriptions))
  return { ...started, subscriptions, firstPaidAt, disputes, payments: paid, checkouts, business }
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
  const { disputes, payments, checkouts, business, firstPaidAt } = answer
  const customers = tx.updateTable('billing_customers').where('customer_id', '=', customerId)
  if (firstPaidAt) await customers.set({ first_paid_at: firstPaidAt }).where('first_paid_at', 'is', null).execute()
  if (disputes && (await saveDisputes(tx, customerId, disputes))) hasChanged = true
  if (payments) {
    const left = await withoutTakenBack(tx, customerId, payments)
    const hasLeft = left.some((one) => one.subscriptionId !== null && one.refundedCents < one.amountCents)
    await customers.set({ nothing_to_refund: payments.length > 0 && !hasLeft }).execute()
  }
  const unasked = [
    ...(payments ? [] : ['charge.%']),
    ...(disputes ? [] : ['charge.dispute.%']),
    ...(checkouts ? [] : ['checkout.session.%']),
    ...(business === undefined ? ['customer.updated', 'customer.tax_id.%'] : []),
  ]
  await markEventsProcessed(tx, { customerId, provider, before: answer.askedAt, unasked })
  await saveCheckouts(tx, customer, checkouts ?? [])
  if (business !== undefined) await saveReadBusiness(tx, customer, { business, askedAt: answer.askedAt })
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

/** Closes a customer with live subscriptions again, and refunds those that began after the account had ended. */
async function closeAgain(tx: Db, customer: LockedCustomer, live: readonly LiveSubscription[]): Promise<void> {
  const { customerId, closeSince, closedAt } = customer
  for (const { id, startedAt } of live)
    if (closeSince && startedAt > closeSince)
      await addRefund(tx, { id: newId(), customerId, reason: 'account closed', subscriptionId: id })
  if (closeSince === null || closedAt !== null)
    await enqueue(tx, { name: 'close-customer', payload: { customerId }, key: `close:${customerId}` })
}

/**
 * The disputes of a customer. Undefined when the key may not read them: everything else about the customer is synchronized
 * nevertheless, and the events about them wait for the permission.
 */
async function readDisputes(
  { log }: Pick<SyncDependencies, 'log'>,
  payments: Payments,
  customerId: string,
): Promise<Dispute[] | undefined> {
  try {
    return await payments.disputesOf(customerId)
  } catch (error) {
    if (!(error instanceof PaymentsDown) || error.kind !== 'refused') throw error
    log.error({ err: error, customer: customerId }, 'the disputes of a customer cannot be read: see `keepsnap billing`')
    return undefined
  }
}

/**
 * Cancels the subscriptions whose payment was lost to the bank, without a refund; whether there was one. What is left of
 * earlier payments is dropped with it, because it came from the same money.
 */
async function endLostSubscriptions(
  payments: Payments,
  customerId: string,
  { disputes, subscriptions }: { disputes: readonly Dispute[]; subscriptions: readonly Subscription[] },
): Promise<boolean> {
  const lost = new Set(disputes.filter(({ state }) => state === 'lost').map(({ subscriptionId }) => subscriptionId))
  const toEnd = subscriptions.filter(({ id, state }) => lost.has(id) && state !== 'canceled')
  for (const { id } of toEnd) await payments.cancelNow(id)
  if (toEnd.length > 0) await payments.dropCredit(customerId)
  return toEnd.length > 0
}

/** Saves what the provider said about disputes, with a job that tells operators of each new one; whether anything differed. */
async function saveDisputes(tx: Db, customerId: string, disputes: readonly Dispute[]): Promise<boolean> {
  let hasChanged = false
  for (const { id, paymentId, state, reason, amountCents, openedAt, respondBy } of disputes) {
    const { rows } = await sql<{ isNew: boolean }>`
      insert into disputes as saved (id, customer_id, payment_id, state, reason, amount_cents, opened_at, respond_by)
      values (${id}, ${customerId}, ${paymentId}, ${state}, ${reason}, ${amountCents}, ${openedAt}, ${respondBy})
      on conflict (id) do update set state = excluded.state, reason = excluded.reason, amount_cents = excluded.amount_cents,
        respond_by = excluded.respond_by
      where (saved.state, saved.reason, saved.amount_cents, saved.respond_by)
        is distinct from (excluded.state, excluded.reason, excluded.amount_cents, excluded.respond_by)
      returning xmax = 0 as "isNew"`.execute(tx)
    hasChanged ||= rows.length > 0
    if (rows[0]?.isNew && state !== 'won')
      await enqueue(tx, { name: 'tell-of-dispute', payload: { disputeId: id }, key: `dispute:${id}` })
    if (rows.length > 0 && state === 'won') await reopenWithdrawals(tx, customerId)
  }
  return hasChanged
}

/** Withdrawals that gave nothing back because the bank had the money are carried out again once it stays here. */
async function reopenWithdrawals(tx: Db, customerId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update withdrawals set state = 'accepted', done_at = null, amount_cents = null
    where customer_id = ${customerId} and state = 'done' and amount_cents = 0 returning id`.execute(tx)
  for (const { id } of rows)
    await enqueue(tx, { name: 'process-withdrawal', payload: { withdrawalId: id }, key: `withdrawal:${id}` })
}

/** The payments of which the bank has, or may get, the money: those that were disputed, unless that was won. */
export async function withoutTakenBack(db: Db, customerId: string, paid: readonly Payment[]): Promise<Payment[]> {
  if (!paid.some(({ isDisputed }) => isDisputed)) return [...paid]
  const rows = await db
    .selectFrom('disputes')
    .select('payment_id')
    .groupBy('payment_id')
    .where('customer_id', '=', customerId)
    .having(sql<boolean>`bool_and(state = 'won')`)
    .execute()
  const won = new Set(rows.map(({ payment_id: id }) => id))
  return paid.filter(({ id, isDisputed }) => !isDisputed || won.has(id))
}

/** Whether the bank has, or may get, the money of a payment of a customer. */
export async function isTakenBack(db: Db, customerId: string): Promise<boolean> {
  const dispute = await db
    .selectFrom('disputes')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('state', '<>', 'won')
    .executeTakeFirst()
  return dispute !== undefined
}

/** A synchronization that has begun, and what it asks about besides subscriptions. */
interface StartedSync {
  number: number
  askedAt: Date
  firstPaidAt: Date | null
  /** Payments, after one was refunded or disputed. */
  asksPayments: boolean
  asksDisputes: boolean
  asksCheckouts: boolean
  /** After one was entered or changed on the provider's pages. */
  asksBusiness: boolean
}

/** Takes the number of a request to the provider. Undefined if the customer is unknown or another provider's. */
async function startSync(db: Db, customerId: string, provider: Provider): Promise<StartedSync | undefined> {
  const hasEvent = (type: string) => sql`exists (select from payment_events
    where payment_events.customer_id = billing_customers.customer_id and processed_at is null and type like ${type})`
  const { rows } = await sql<StartedSync>`
    update billing_customers set last_sync_started = last_sync_started + 1, sync_tried_at = now()
    where customer_id = ${customerId} and provider = ${provider}
    returning last_sync_started as number, clock_timestamp() as "askedAt", first_paid_at as "firstPaidAt",
      nothing_to_refund or ${hasEvent('charge.%')} as "asksPayments",
      ${hasEvent('charge.dispute.%')} or exists (select from disputes
        where disputes.customer_id = billing_customers.customer_id and state = 'open') as "asksDisputes",
      ${hasEvent('checkout.session.%')} or exists (select from checkouts
        where checkouts.customer_id = billing_customers.customer_id and state = 'pending') as "asksCheckouts",
      ${hasEvent('customer.updated')} or ${hasEvent('customer.tax_id.%')} as "asksBusiness"`.execute(db)
  return rows[0]
}

/** Records the number of an answer as applied. False if the answer to a later request was already applied. */
async function recordAppliedSync(tx: Db, customerId: string, number: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('billing_customers')
    .set({ last_sync_applied: number, synced_at: sql<Date>`now()` })
    .where('customer_id', '=', customerId)
    .where('last_sync_applied', '<', number)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Saves what the provider said about subscriptions; whether anything differed. */
async function saveSubscriptions(tx: Db, provider: Provider, subscriptions: readonly Subscription[]): Promise<boolean> {
  let hasChanged = false
  for (const one of subscriptions) {
    const { rows } = await sql`
      insert into subscriptions as saved (id, customer_id, price_id, plan, status, cancel_at_period_end,
        current_period_start, current_period_end, started_at, ended_at)
      values (${one.id}, ${one.customerId}, ${one.priceId},
        (select plan from plan_prices where price_id = ${one.priceId} and provider = ${provider}),
        ${one.state}, ${one.cancelAtPeriodEnd}, ${one.currentPeriodStart}, ${one.currentPeriodEnd}, ${one.startedAt}, ${one.endedAt})
      on conflict (id) do update set price_id = excluded.price_id, plan = excluded.plan, status = excluded.status,
        cancel_at_period_end = excluded.cancel_at_period_end, current_period_start = excluded.current_period_start,
        current_period_end = excluded.current_period_end, ended_at = excluded.ended_at
      where (saved.price_id, saved.plan, saved.status, saved.cancel_at_period_end, saved.current_period_start,
          saved.current_period_end, saved.ended_at)
        is distinct from (excluded.price_id, excluded.plan, excluded.status, excluded.cancel_at_period_end,
          excluded.current_period_start, excluded.current_period_end, excluded.ended_at)
      returning 1`.execute(tx)
    hasChanged ||= rows.length > 0
  }
  return hasChanged
}

/**
 * Marks events processed that arrived before the request: the provider's answer includes their changes. Not those about
 * something that was not asked: they have arrived meanwhile, and their own jobs ask.
 */
async function markEventsProcessed(
  tx: Db,
  {
    customerId,
    provider,
    before,
    unasked,
  }: { customerId: string; provider: Provider; before: Date; unasked: readonly string[] },
): Promise<void> {
  await tx
    .updateTable('payment_events')
    .set({ processed_at: sql<Date>`now()` })
    .where('customer_id', '=', customerId)
    .where('provider', '=', provider)
    .where('processed_at', 'is', null)
    .where('received_at', '<=', before)
    .where(sql<boolean>`not type like any(${unasked}::text[])`)
    .execute()
}

/** Saves what became of a checkout, by the provider's id; whether that is new. */
export async function saveCheckoutState(db: Db, sessionId: string, state: Checkout['state']): Promise<boolean> {
  if (state === 'open') return false
  const { numUpdatedRows } = await db
    .updateTable('checkouts')
    .set({ state, state_since: sql<Date>`now()` })
    .where('session_id', '=', sessionId)
    .where('state', '<>', state)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The provider's ids of the checkouts of a customer that may still be paid, or whose payment is under way; newest first. */
export async function unfinishedCheckouts(db: Db, customerId: string): Promise<{ id: string; priceId: string }[]> {
  const rows = await db
    .selectFrom('checkouts')
    .select(['session_id as id', 'price_id as priceId'])
    .where('customer_id', '=', customerId)
    .where('state', 'in', ['open', 'pending'])
    .where('session_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(mostUnfinished)
    .execute()
  return rows.map(({ id, priceId }) => ({ id: id ?? '', priceId }))
}

/** More are not asked about at once: opening one ends the older ones. */
const mostUnfinished = 5

/** Money that is to be refunded. */
export interface NewRefund {
  id: string
  customerId: string
  reason: 'customer' | 'operator' | 'second subscription' | 'account closed'
  /** Null: everything that the customer paid. */
  subscriptionId: string | null
}

/** A request refunds at once; the job is a fallback for an interrupted one. */
const jobDelay = sql<Date>`now() + interval '1 minute'`

/**
 * Stores the intent to refund, in billing time, and enqueues its job; does nothing if the same money is already being
 * refunded. `isAwaited`: the caller refunds now, so the job is delayed as a fallback.
 */
export async function addRefund(tx: Db, refund: NewRefund, { isAwaited = false } = {}): Promise<void> {
  const { id, customerId, reason, subscriptionId } = refund
  const added = await tx
    .insertInto('refunds')
    .values({
      id,
      customer_id: customerId,
      reason,
      subscription_id: subscriptionId,
      requested_at: sql<Date>`billing_now()`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) await enqueueRefund(tx, id, { isAwaited })
}

export async function enqueueRefund(db: Db, refundId: string, { isAwaited = false } = {}): Promise<void> {
  const at = isAwaited ? { at: jobDelay } : {}
  await enqueue(db, { name: 'refund-payments', payload: { refundId }, key: `refund:${refundId}`, ...at })
}

/** Whether the payments of a subscription are, or were, refunded, also because its contract was withdrawn from. */
async function hasSubscriptionRefund(db: Db, customerId: string, subscriptionId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from refunds where customer_id = ${customerId} and (subscription_id = ${subscriptionId} or subscription_id is null
      and requested_at >= (select started_at from subscriptions where id = ${subscriptionId}))
    union all select 1 from withdrawals where customer_id = ${customerId} and subscription_id = ${subscriptionId}
      and state in ('accepted', 'done')`.execute(db)
  return rows.length > 0
}
