import type { Db } from '../../db/connect.ts'
import { enqueue } from '../../jobs/queue.ts'
import { publish } from '../../live/bus.ts'
import { moveDemoClock } from '../../ports/payments/demo-clock.ts'
import type { Renewals } from '../../ports/payments/demo-store.ts'
import type { DemoPayments } from '../../ports/payments/demo.ts'
import { reschedulePlanEnds } from './plan-ends.ts'
import { syncCustomer, type SyncDependencies } from './sync-customer.ts'

const batchSize = 1_000

/**
 * Synchronizes the customers with renewals now instead of in their jobs. Until then, a renewed plan could seem to have
 * ended.
 */
async function syncChangedCustomers(deps: SyncDependencies): Promise<void> {
  for (let after = ''; ;) {
    const customers = await deps.db
      .selectFrom('payment_events')
      .select('customer_id')
      .distinct()
      .where('provider', '=', 'demo')
      .where('processed_at', 'is', null)
      .where('customer_id', '>', after)
      .orderBy('customer_id')
      .limit(batchSize)
      .execute()
    for (const { customer_id: id } of customers) if (id !== null) await syncCustomer(deps, id)
    const last = customers.at(-1)?.customer_id
    if (!last || customers.length < batchSize) return
    after = last
  }
}

/** Makes open pages reload the state of their plan: no event announces what depends on the billing clock. */
async function notifyCustomers(db: Db): Promise<void> {
  for (let after = ''; ;) {
    const customers = await db
      .selectFrom('billing_customers')
      .select('user_id')
      .where('provider', '=', 'demo')
      .where('user_id', '>', after)
      .orderBy('user_id')
      .limit(batchSize)
      .execute()
    for (const { user_id: user } of customers) if (user !== null) await publish(db, { kind: 'plan', user })
    const last = customers.at(-1)?.user_id
    if (!last || customers.length < batchSize) return
    after = last
  }
}

/**
 * Moves the clock of demo payments forward, renews and ends what is due, and enqueues the jobs that follow. Returns
 * undefined, without effect, if the clock would be too far ahead. If it fails after moving the clock, the jobs that run
 * every minute do the rest.
 */
export async function advanceDemoBilling(
  { db, log, demo }: Pick<SyncDependencies, 'db' | 'log'> & { demo: DemoPayments },
  seconds: number,
): Promise<Renewals | undefined> {
  if (!(await moveDemoClock(db, seconds))) return undefined
  const renewals = await demo.advance()
  await syncChangedCustomers({ db, log, payments: demo })
  await reschedulePlanEnds(db)
  await notifyCustomers(db)
  // The days until photos are removed have passed as well.
  await enqueue(db, { name: 'check-kept-photos', payload: {}, key: 'check-kept-photos' })
  return renewals
}
