import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { enqueueAll } from '../../platform/jobs/queue.ts'
import { isUnknownCustomer, type Payments } from '../../ports/payments/payments.ts'
import { syncCustomer, type SyncDependencies } from './sync-customer.ts'
import { lockCustomer } from './customers.ts'
import { unfinishedRefundsOf } from './refunds.ts'
import { isLive } from './paid-plan.ts'
import { unfinishedWithdrawalsOf } from './withdrawal-refunds.ts'

/**
 * Enqueues jobs that end everything a deleted or deactivated account could still be charged for. The caller has locked
 * the account. Returns whether the account has ever paid or started a checkout.
 */
export async function closeCustomersOf(tx: Db, userId: string): Promise<boolean> {
  const customers = await tx
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('user_id', '=', userId)
    .execute()
  await enqueueAll(
    tx,
    customers.map(({ customer_id: customerId }) => ({
      name: 'close-customer' as const,
      payload: { customerId },
      key: `close:${customerId}`,
    })),
  )
  return customers.length > 0
}

/**
 * Ends everything that the customer of a deleted or deactivated account could still be charged for, and confirms it
 * with the provider. Afterwards deletes the rows of a deleted account.
 */
export async function closeCustomer(deps: SyncDependencies, customerId: string): Promise<void> {
  const { db, payments } = deps
  if (!payments || !(await startClosing(db, customerId, payments.kind))) return
  const isGone = await endAtProvider(deps, payments, customerId)
  const lost = await finishClosing(db, customerId, isGone)
  if (lost.length > 0)
    deps.log.error(
      { customer: customerId, refunds: lost },
      'the payment provider does not know a customer any more whose payments were to be refunded: look for them there and refund them',
    )
}

/** Cancels subscriptions and open checkouts. Resolves to true if the provider does not know the customer any more. */
async function endAtProvider(deps: SyncDependencies, payments: Payments, customerId: string): Promise<boolean> {
  try {
    for (const open of await payments.openCheckoutsOf(customerId)) await payments.expireCheckout(open.id)
    for (const subscription of await payments.subscriptionsOf(customerId))
      if (subscription.state !== 'canceled') await payments.cancelNow(subscription.id)
    // A checkout may have been paid between the two loops, so check again.
    if (await hasSomethingOpen(payments, customerId)) throw new Error('a customer could not be closed yet')
    await syncCustomer(deps, customerId)
    // Invoices that were issued keep it.
    if (await isAccountDeleted(deps.db, customerId)) await forgetBusiness(payments, customerId)
    return false
  } catch (error) {
    if (isUnknownCustomer(error) && (await payments.isCustomerGone(customerId))) return true
    throw error
  }
}

async function isAccountDeleted(db: Db, customerId: string): Promise<boolean> {
  const customers = db.selectFrom('billing_customers').select('user_id').where('customer_id', '=', customerId)
  return (await customers.executeTakeFirst())?.user_id === null
}

async function forgetBusiness(payments: Payments, customerId: string): Promise<void> {
  if ((await payments.businessOf(customerId)) !== null) await payments.setBusiness(customerId, null)
}

async function hasSomethingOpen(payments: Payments, customerId: string): Promise<boolean> {
  if ((await payments.openCheckoutsOf(customerId)).length > 0) return true
  return (await payments.subscriptionsOf(customerId)).some(isLive)
}

/** Records the attempt. False if the account is active again, or the customer belongs to another provider. */
async function startClosing(db: Db, customerId: string, provider: Payments['kind']): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    if (customer?.provider !== provider) return false
    const closeSince = customer.isActive ? null : sql<Date>`coalesce(close_since, billing_now())`
    await tx
      .updateTable('billing_customers')
      .set({ close_since: closeSince, closed_at: null, close_tried_at: sql<Date>`now()` })
      .where('customer_id', '=', customerId)
      .execute()
    return !customer.isActive
  })
}

/** Records that a customer is closed; resolves to the ids of refunds that can no longer be made. */
async function finishClosing(db: Db, customerId: string, isGone: boolean): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    if (!customer || customer.isActive) return []
    await tx
      .updateTable('billing_customers')
      .set({ closed_at: sql<Date>`now()` })
      .where('customer_id', '=', customerId)
      .execute()
    await tx
      .updateTable('checkouts')
      .set({ state: 'expired' })
      .where('customer_id', '=', customerId)
      .where('state', '=', 'open')
      .execute()
    if (isGone) await endGoneSubscriptions(tx, customerId)
    if (customer.userId !== null) return []
    const lost = isGone
      ? [...(await unfinishedRefundsOf(tx, customerId)), ...(await unfinishedWithdrawalsOf(tx, customerId))]
      : []
    await deleteCustomer(tx, customerId, isGone)
    return lost
  })
}

/** Ends the paid plan and the subscriptions of a customer that the provider does not know any more. */
async function endGoneSubscriptions(tx: Db, customerId: string): Promise<void> {
  await sql`
    delete from paid_plans using subscriptions
    where subscription_id = subscriptions.id and customer_id = ${customerId}`.execute(tx)
  await sql`
    update subscriptions set status = 'canceled', ended_at = coalesce(ended_at, billing_now())
    where customer_id = ${customerId} and status <> 'canceled'`.execute(tx)
}

/** Deletes the customer of a deleted account, unless refunds or withdrawals are pending and the provider still knows the customer. */
async function deleteCustomer(tx: Db, customerId: string, isGone: boolean): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('billing_customers')
    .where('customer_id', '=', customerId)
    .where(
      sql<boolean>`(${isGone} or not exists (
        select from refunds where refunds.customer_id = ${customerId} and done_at is null
        union all select from withdrawals
        where withdrawals.customer_id = ${customerId} and state in ('received', 'waiting', 'accepted')))`,
    )
    .executeTakeFirst()
  if (numDeletedRows === 1n) await tx.deleteFrom('payment_events').where('customer_id', '=', customerId).execute()
}

/**
 * Enqueues the closing of customers of deleted or deactivated accounts that is not confirmed yet, least recently tried
 * first.
 */
export async function enqueueCustomersToClose(db: Db, provider: Payments['kind'], limit: number): Promise<void> {
  const { rows } = await sql<{ customerId: string }>`
    select customer_id as "customerId" from billing_customers left join users on users.id = user_id
    where provider = ${provider} and users.is_active is not true
      and (closed_at is null or user_id is null)
    order by close_tried_at nulls first, close_since limit ${limit}`.execute(db)
  await enqueueAll(
    db,
    rows.map((payload) => ({ name: 'close-customer' as const, payload, key: `close:${payload.customerId}` })),
  )
}
