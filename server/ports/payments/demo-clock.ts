import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { expireCheckout } from './demo-checkouts.ts'
import { lockDemoCustomer } from './demo-customer.ts'
import type { DemoStore, Renewals } from './demo-store.ts'
import { unpaidDays } from './demo-subscriptions.ts'

/** How far the clock can be moved, over all moves together. */
export const maxClockDays = 3_660
/** How many customers and checkouts are looked at in one run; the next one continues. */
const batchSize = 1_000
/** How long events and unpaid checkouts are kept. */
const keepDays = 30

/**
 * The billing clock: its time, and how far it is ahead of the database's clock, in seconds. Periods, grace and refunds follow
 * it; sessions, monthly counts, links and limits stay on the database's clock.
 */
export interface DemoClock {
  now: Date
  aheadSeconds: number
}

/** Reads the clock. */
export async function readDemoClock(db: Db): Promise<DemoClock> {
  const { rows } = await sql<DemoClock>`
    select now() + moved_by as now, extract(epoch from moved_by)::float8 as "aheadSeconds" from demo_clock`.execute(db)
  const [clock] = rows
  if (!clock) throw new Error('the table demo_clock is empty')
  return clock
}

/** Moves the clock forward; false, without effect, when it would be too far ahead. */
export async function moveDemoClock(db: Db, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    update demo_clock set moved_by = make_interval(secs => extract(epoch from moved_by)::float8 + ${seconds}::float8)
    where ${seconds}::float8 > 0
      and extract(epoch from moved_by)::float8 + ${seconds}::float8 <= ${maxClockDays * 86_400}::float8
    returning 1`.execute(db)
  return rows.length > 0
}

async function renewCustomers(store: DemoStore): Promise<Renewals> {
  const customers = await store.db
    .selectFrom('demo_subscriptions')
    .select('customer_id')
    .distinct()
    .where('ended_at', 'is', null)
    .where(
      sql<boolean>`(current_period_end <= billing_now() or unpaid_since <= billing_now() - make_interval(days => ${unpaidDays}))`,
    )
    .limit(batchSize)
    .execute()
  const renewals = { renewed: 0, ended: 0 }
  for (const { customer_id: id } of customers) {
    const { renewed, ended } = await lockDemoCustomer(store, id, async (_, ofCustomer) => ofCustomer)
    renewals.renewed += renewed
    renewals.ended += ended
  }
  return renewals
}

async function expireCheckouts(store: DemoStore): Promise<void> {
  const checkouts = await store.db
    .selectFrom('demo_checkouts')
    .select('id')
    .where('state', '=', 'open')
    .where('expires_at', '<=', sql<Date>`now()`)
    .limit(batchSize)
    .execute()
  for (const { id } of checkouts) await expireCheckout(store, id)
}

async function deleteOld({ db }: DemoStore): Promise<void> {
  const keptSince = sql<Date>`now() - make_interval(days => ${keepDays})`
  await db.deleteFrom('demo_events').where('created_at', '<', keptSince).execute()
  await db.deleteFrom('demo_checkouts').where('state', '=', 'expired').where('expires_at', '<', keptSince).execute()
}

/** Renews and ends every subscription that is due, expires old checkouts and removes old events; may run twice. */
export async function advanceDemo(store: DemoStore): Promise<Renewals> {
  const renewals = await renewCustomers(store)
  await expireCheckouts(store)
  await deleteOld(store)
  return renewals
}
