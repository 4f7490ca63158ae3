import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Payments } from '../../ports/payments/payments.ts'
import { saveCheckoutState } from './checkout-queries.ts'
import { enqueueUnclosed } from './close-customer.ts'
import { deleteOldEvents, enqueueSyncs, storePaymentEvent } from './payment-events.ts'
import { deletePlansOfNobody, enqueueDuePlanEnds } from './plan-ends.ts'
import { enqueueRefund, unfinishedRefundIds } from './refund-queries.ts'
import type { SyncDependencies } from './sync-customer.ts'
import type { Provider } from './sync-queries.ts'

/** The first time, events of so many days are read; later, those since the last time and some minutes more. */
const firstReadDays = 7
const overlapMinutes = 10
/** What is late is looked at in parts, first what was tried longest ago; the rest comes an hour later. */
const defaultBatchSize = 500
const eventsPerCursor = 100

/**
 * Reads what did not arrive from the provider, and starts what is unfinished again. The steps are independent: when one
 * fails, the others run all the same.
 */
export async function reconcilePayments(
  { db, payments }: SyncDependencies,
  { batchSize = defaultBatchSize } = {},
): Promise<void> {
  if (!payments) return
  const steps = [
    () => readMissedEvents(db, payments),
    () => endEventsOfNobody(db, payments.kind),
    () => enqueueUnprocessed(db, payments.kind, batchSize),
    () => enqueueUnfinishedRefunds(db, payments.kind, batchSize),
    () => enqueueUnclosed(db, payments.kind, batchSize),
    () => enqueueDuePlanEnds(db, batchSize),
    () => deletePlansOfNobody(db, payments.kind),
    () => checkOldCheckouts(db, payments, batchSize),
    () => deleteOldEvents(db),
  ]
  const failures: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => failures.push(error))
  if (failures.length) throw failures[0]
}

/** Stores the provider's events since the last time. Those that arrived as webhooks are stored already. */
async function readMissedEvents(db: Db, payments: Payments): Promise<void> {
  const { rows } = await sql<{ since: Date }>`
    select coalesce(events_read_until - make_interval(mins => ${overlapMinutes}),
      now() - make_interval(days => ${firstReadDays})) as since from payment_settings`.execute(db)
  const [start] = rows
  if (!start) return
  let newest = start.since
  let unsavedCount = 0
  for await (const event of payments.eventsSince(start.since)) {
    await db.transaction().execute((tx) => storePaymentEvent(tx, payments.kind, event))
    if (event.createdAt > newest) newest = event.createdAt
    unsavedCount += 1
    if (unsavedCount < eventsPerCursor) continue
    unsavedCount = 0
    await saveCursor(db, newest)
  }
  await saveCursor(db, newest)
}

/** Only forward: another node may be further. */
async function saveCursor(db: Db, readUntil: Date): Promise<void> {
  await sql`update payment_settings set events_read_until = greatest(events_read_until, ${readUntil}::timestamptz)`.execute(
    db,
  )
}

/** Events that arrived while the last row of their customer was deleted have no effect, as if they had come later. */
async function endEventsOfNobody(db: Db, provider: Provider): Promise<void> {
  await sql`
    update payment_events set processed_at = now()
    where provider = ${provider} and processed_at is null and received_at < now() - interval '1 minute'
      and not exists (select from billing_customers
        where billing_customers.customer_id = payment_events.customer_id and billing_customers.provider = ${provider})`.execute(
    db,
  )
}

/** Customers with events whose job was lost, or has given up. */
async function enqueueUnprocessed(db: Db, provider: Provider, batchSize: number): Promise<void> {
  const { rows } = await sql<{ customerId: string }>`
    select customer_id as "customerId" from billing_customers
    where provider = ${provider} and customer_id in (
      select customer_id from payment_events
      where provider = ${provider} and processed_at is null and received_at < now() - interval '1 minute')
    order by sync_tried_at nulls first limit ${batchSize}`.execute(db)
  await enqueueSyncs(
    db,
    rows.map(({ customerId }) => customerId),
  )
}

async function enqueueUnfinishedRefunds(db: Db, provider: Provider, batchSize: number): Promise<void> {
  for (const id of await unfinishedRefundIds(db, provider, batchSize)) await enqueueRefund(db, id)
}

/** Checkouts end after a day; one that was paid although nobody told us is applied. */
async function checkOldCheckouts(db: Db, payments: Payments, batchSize: number): Promise<void> {
  const { rows } = await sql<{ id: string; sessionId: string | null; customerId: string }>`
    select id, session_id as "sessionId", customer_id as "customerId" from checkouts join billing_customers using (customer_id)
    where provider = ${payments.kind} and state = 'open' and checkouts.created_at < now() - interval '1 day'
    order by checkouts.created_at limit ${batchSize}`.execute(db)
  const paidBy = new Set<string>()
  for (const { id, sessionId, customerId } of rows) {
    const checkout = sessionId === null ? null : await payments.checkout(sessionId)
    if (sessionId !== null && checkout) await saveCheckoutState(db, sessionId, checkout.state)
    else await db.updateTable('checkouts').set({ state: 'expired' }).where('id', '=', id).execute()
    if (checkout?.state === 'paid') paidBy.add(customerId)
  }
  await enqueueSyncs(db, paidBy)
}
