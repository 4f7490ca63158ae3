import { sql } from 'kysely'
import { isPlanId, type PlanId } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Payments, Subscription } from '../../ports/payments/payments.ts'
import type { PaidPlan } from './paid-plan.ts'

export type Provider = Payments['kind']

/** A synchronization that has begun, and what it asks about besides subscriptions. */
export interface StartedSync {
  number: number
  askedAt: Date
  firstPaidAt: Date | null
  /** Payments, after one was refunded or disputed. */
  asksPayments: boolean
  asksDisputes: boolean
  asksCheckouts: boolean
}

/** Takes the number of a request to the provider. Undefined if the customer is unknown or another provider's. */
export async function startSync(db: Db, customerId: string, provider: Provider): Promise<StartedSync | undefined> {
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
        where checkouts.customer_id = billing_customers.customer_id and state = 'pending') as "asksCheckouts"`.execute(
    db,
  )
  return rows[0]
}

/** A customer that is locked, together with its user, until the transaction ends. */
export interface LockedCustomer {
  customerId: string
  provider: Provider
  /** Null when the account is deleted. */
  userId: string | null
  /** Whether the account may be used. */
  isActive: boolean
  /** Whether another customer of the user is the current one. */
  isReplaced: boolean
  closeSince: Date | null
  closedAt: Date | null
  firstPaidAt: Date | null
  /** Billing time. */
  now: Date
}

/** Locks a customer, and its user first: this prevents deadlocks. Undefined when the customer is unknown. */
export async function lockCustomer(tx: Db, customerId: string): Promise<LockedCustomer | undefined> {
  await sql`
    select 1 from users where id = (select user_id from billing_customers where customer_id = ${customerId})
    for no key update`.execute(tx)
  const { rows } = await sql<LockedCustomer>`
    select customer_id as "customerId", provider, user_id as "userId", replaced_at is not null as "isReplaced", close_since as "closeSince",
      closed_at as "closedAt", first_paid_at as "firstPaidAt", billing_now() as now,
      coalesce((select is_active from users where id = user_id), false) as "isActive"
    from billing_customers where customer_id = ${customerId} for no key update`.execute(tx)
  return rows[0]
}

/** Records the number of an answer as applied. False if the answer to a later request was already applied. */
export async function recordAppliedSync(tx: Db, customerId: string, number: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('billing_customers')
    .set({ last_sync_applied: number, synced_at: sql<Date>`now()` })
    .where('customer_id', '=', customerId)
    .where('last_sync_applied', '<', number)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Saves what the provider said about subscriptions; whether anything differed. */
export async function saveSubscriptions(
  tx: Db,
  provider: Provider,
  subscriptions: readonly Subscription[],
): Promise<boolean> {
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

/** Records the time of a customer's first payment, once. */
export async function recordFirstPayment(tx: Db, customerId: string, paidAt: Date | null): Promise<void> {
  if (!paidAt) return
  await tx
    .updateTable('billing_customers')
    .set({ first_paid_at: paidAt })
    .where('customer_id', '=', customerId)
    .where('first_paid_at', 'is', null)
    .execute()
}

/**
 * Marks events processed that arrived before the request: the provider's answer includes their changes. Not those about
 * something that was not asked: they have arrived meanwhile, and their own jobs ask.
 */
export async function markEventsProcessed(
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

/** Records whether anything that a customer paid is left to refund. */
export async function recordRefundable(tx: Db, customerId: string, isNothingLeft: boolean): Promise<void> {
  await tx
    .updateTable('billing_customers')
    .set({ nothing_to_refund: isNothingLeft })
    .where('customer_id', '=', customerId)
    .execute()
}

/** The plan of a price, also of one that is not sold any more. */
export async function planOfPrice(tx: Db, provider: Provider, priceId: string): Promise<PlanId | undefined> {
  const row = await tx
    .selectFrom('plan_prices')
    .select('plan')
    .where('provider', '=', provider)
    .where('price_id', '=', priceId)
    .executeTakeFirst()
  return row && isPlanId(row.plan) ? row.plan : undefined
}

export async function paidPlanOf(tx: Db, userId: string, provider: Provider): Promise<PaidPlan | undefined> {
  const { rows } = await sql<PaidPlan>`
    select plan, subscription_id as "subscriptionId", status, cancel_at_period_end as "cancelAtPeriodEnd",
      current_period_end as "currentPeriodEnd", until, credit_cents as "creditCents"
    from paid_plans where user_id = ${userId} and provider = ${provider}`.execute(tx)
  return rows[0]
}

export async function savePaidPlan(
  tx: Db,
  { userId, provider }: { userId: string; provider: Provider },
  paidPlan: PaidPlan | undefined,
): Promise<void> {
  if (!paidPlan) {
    await tx.deleteFrom('paid_plans').where('user_id', '=', userId).where('provider', '=', provider).execute()
    return
  }
  const columns = {
    plan: paidPlan.plan,
    subscription_id: paidPlan.subscriptionId,
    status: paidPlan.status,
    cancel_at_period_end: paidPlan.cancelAtPeriodEnd,
    current_period_end: paidPlan.currentPeriodEnd,
    until: paidPlan.until,
    credit_cents: paidPlan.creditCents,
  }
  await tx
    .insertInto('paid_plans')
    .values({ user_id: userId, provider, ...columns })
    .onConflict((conflict) => conflict.columns(['user_id', 'provider']).doUpdateSet(columns))
    .execute()
}

/** Remembers when a user first paid for a plan. */
export async function recordSubscriber(tx: Db, userId: string): Promise<void> {
  await tx
    .insertInto('subscribers')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether a paid plan comes from a replaced customer of the same user, which the provider may know again. */
export async function belongsToAnotherCustomer(
  tx: Db,
  customerId: string,
  { subscriptionId }: PaidPlan,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from subscriptions join billing_customers using (customer_id)
    where id = ${subscriptionId} and customer_id <> ${customerId} and replaced_at is not null`.execute(tx)
  return rows.length > 0
}

/** Makes a customer the current one of its user. The caller has locked the user. */
export async function makeCustomerCurrent(
  tx: Db,
  { customerId, userId, provider }: Pick<LockedCustomer, 'customerId' | 'userId' | 'provider'>,
): Promise<void> {
  await sql`
    update billing_customers set replaced_at = now()
    where user_id = ${userId} and provider = ${provider} and replaced_at is null and customer_id <> ${customerId}`.execute(
    tx,
  )
  await sql`update billing_customers set replaced_at = null where customer_id = ${customerId}`.execute(tx)
}
