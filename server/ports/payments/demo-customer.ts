import { sql } from 'kysely'
import { insertEvent } from './demo-events.ts'
import type { DemoStore, LockedDemoCustomer, Renewals } from './demo-store.ts'
import { renewDue } from './demo-subscriptions.ts'
import { PaymentRefused } from './payments.ts'

/**
 * Runs a transaction of one customer; transactions of the same customer run one after the other, on every node. What is due
 * by the billing clock is renewed or ended first.
 * @throws PaymentRefused when there is no such customer
 */
export function lockDemoCustomer<T>(
  { db, onEvent }: DemoStore,
  id: string,
  work: (customer: LockedDemoCustomer, renewals: Renewals) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('demo_customers')
      .select(['id', 'card_pays'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new PaymentRefused(`there is no customer ${id}`, { isCustomerUnknown: true })
    // `now()` is when the transaction began, before it waited for the lock.
    const { rows } = await sql<{ now: Date }>`select billing_now() + (clock_timestamp() - now()) as now`.execute(tx)
    const customer: LockedDemoCustomer = {
      tx,
      id,
      now: rows[0]?.now ?? new Date(),
      cardPays: row.card_pays,
      record: async (type) => onEvent(tx, await insertEvent(tx, id, type)),
    }
    return work(customer, await renewDue(customer))
  })
}
