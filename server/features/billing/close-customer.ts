import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { enqueueAll } from '../../jobs/queue.ts'
import type { Payments } from '../../ports/payments/payments.ts'
import { isLive } from './entitlement.ts'
import { syncCustomer, type SyncDependencies } from './sync-customer.ts'
import { lockCustomer } from './sync-queries.ts'

/**
 * Ends everything that a customer whose account is deleted or deactivated could still be charged for, and confirms it with
 * the provider. Of a deleted account the rows are deleted then.
 */
export async function closeCustomer(deps: SyncDependencies, customerId: string): Promise<void> {
  const { db, payments } = deps
  if (!payments || !(await startClosing(db, customerId, payments.kind))) return
  for (const open of await payments.openCheckoutsOf(customerId)) await payments.expireCheckout(open.id)
  for (const subscription of await payments.subscriptionsOf(customerId))
    if (subscription.state !== 'canceled') await payments.cancelNow(subscription.id)
  // A checkout could have been paid between the two, so the provider is asked again.
  if (await hasSomethingOpen(payments, customerId)) throw new Error('a customer could not be closed yet')
  await syncCustomer(deps, customerId)
  await finishClosing(db, customerId)
}

async function hasSomethingOpen(payments: Payments, customerId: string): Promise<boolean> {
  if ((await payments.openCheckoutsOf(customerId)).length > 0) return true
  return (await payments.subscriptionsOf(customerId)).some(isLive)
}

/** False when the account is active again, or the customer another provider's. */
async function startClosing(db: Db, customerId: string, provider: Payments['kind']): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    if (customer?.provider !== provider) return false
    const closeSince = customer.isActive ? null : sql<Date>`coalesce(close_since, billing_now())`
    await tx
      .updateTable('billing_customers')
      .set({ close_since: closeSince, closed_at: null })
      .where('customer_id', '=', customerId)
      .execute()
    return !customer.isActive
  })
}

async function finishClosing(db: Db, customerId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    if (!customer || customer.isActive) return
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
    if (customer.userId === null) await deleteCustomer(tx, customerId)
  })
}

/** Removes what is left of a deleted account, unless money is still to be given back. */
async function deleteCustomer(tx: Db, customerId: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('billing_customers')
    .where('customer_id', '=', customerId)
    .where(sql<boolean>`not exists (select from refunds where refunds.customer_id = ${customerId} and done_at is null)`)
    .executeTakeFirst()
  if (numDeletedRows === 1n) await tx.deleteFrom('payment_events').where('customer_id', '=', customerId).execute()
}

/** Enqueues the customers of accounts that are deleted or deactivated, as long as their end is not confirmed. */
export async function enqueueUnclosed(db: Db, provider: Payments['kind'], limit: number): Promise<void> {
  const { rows } = await sql<{ customerId: string }>`
    select customer_id as "customerId" from billing_customers left join users on users.id = user_id
    where provider = ${provider} and users.is_active is not true
      and (closed_at is null or user_id is null)
    order by close_since nulls first limit ${limit}`.execute(db)
  await enqueueAll(
    db,
    rows.map((payload) => ({ name: 'close-customer' as const, payload, key: `close:${payload.customerId}` })),
  )
}
