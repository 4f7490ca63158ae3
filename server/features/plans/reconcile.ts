import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { PaymentRefused, type Payments } from '../../ports/payments/payments.ts'
import { syncCustomer, type SyncDependencies, saveCheckoutState, enqueueRefund } from './sync-customer.ts'
import { enqueueInvoicesToRead } from './business-invoices.ts'
import { enqueueBusinessesToPush } from './businesses.ts'
import { enqueueCustomersToClose } from './close-customer.ts'
import { deleteOldEvents, enqueuePayersToFind, enqueueSyncs, storePaymentEvent } from './payment-events.ts'
import type { Provider } from './customers.ts'
import { unfinishedRefundIds } from './refunds.ts'
import { enqueueWithdrawal, unfinishedWithdrawalIds } from './withdrawal-refunds.ts'
import { deletePlansWithoutCustomer, enqueueDuePlanEnds } from './paid-plan.ts'

const pageSize = 200
/** Between customers: providers limit the rate of calls, and calls of users come first. */
const pauseMs = 50

/** One page of customers with an open subscription or a paid plan, and whether they have unprocessed events. */
async function pageOfPayers(db: Db, provider: Provider, after: string) {
  const { rows } = await sql<{ customerId: string; awaitsEvent: boolean }>`
    select customer_id as "customerId", exists (
        select from payment_events where payment_events.customer_id = billing_customers.customer_id and processed_at is null
      ) as "awaitsEvent"
    from billing_customers where provider = ${provider} and customer_id > ${after} and (
      exists (select from subscriptions where subscriptions.customer_id = billing_customers.customer_id and status <> 'canceled')
      or exists (select from paid_plans where paid_plans.user_id = billing_customers.user_id and paid_plans.provider = ${provider}))
    order by customer_id limit ${pageSize}`.execute(db)
  return rows
}

/** Synchronizes every paying customer. One that differed without an unprocessed event counts as a mismatch. */
export async function compareCustomers(deps: SyncDependencies): Promise<void> {
  const { db, log, payments } = deps
  if (!payments) return
  let mismatches = 0
  for (let page = await pageOfPayers(db, payments.kind, ''); page.length > 0;) {
    for (const { customerId, awaitsEvent } of page) {
      const hasChanged = await syncCustomer(deps, customerId).catch((error: unknown) => {
        // A customer that the provider does not know must not block the comparison of the others.
        if (!(error instanceof PaymentRefused)) throw error
        log.warn({ err: error, customer: customerId }, 'a customer could not be compared with the payment provider')
        return false
      })
      if (hasChanged && !awaitsEvent) {
        mismatches += 1
        log.warn({ customer: customerId }, 'a customer differed from the payment provider and was corrected')
      }
      await wait(pauseMs)
    }
    page = await pageOfPayers(db, payments.kind, page.at(-1)?.customerId ?? '')
  }
  await sql`update payment_settings set compared_at = now(), mismatches = ${mismatches}`.execute(db)
}

/** The first run reads the events of this many days; later runs resume from the last one, with an overlap. */
const firstReadDays = 7
const overlapMinutes = 10
/** Overdue work is handled in batches, least recently tried first; the rest follows in the next run, an hour later. */
const defaultBatchSize = 500
const eventsPerCursor = 100

/**
 * Reads events that the provider's webhooks did not deliver, and restarts unfinished work. The steps are independent:
 * if one fails, the others still run.
 */
export async function reconcilePayments(
  { db, payments }: SyncDependencies,
  { batchSize = defaultBatchSize } = {},
): Promise<void> {
  if (!payments) return
  const steps = [
    () => readMissedEvents(db, payments),
    () => endEventsWithoutCustomer(db, payments.kind),
    () => enqueuePayersToFind(db, payments.kind, batchSize),
    () => enqueueUnprocessed(db, payments.kind, batchSize),
    () => enqueueUnfinishedRefunds(db, payments.kind, batchSize),
    () => enqueueBusinessesToPush(db, payments.kind, batchSize),
    () => enqueueUnfinishedWithdrawals(db, payments.kind, batchSize),
    () => enqueueCustomersToClose(db, payments.kind, batchSize),
    () => enqueueInvoicesToRead(db, payments.kind, batchSize),
    () => enqueueDuePlanEnds(db, batchSize),
    () => deletePlansWithoutCustomer(db, payments.kind),
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

/** Moves the cursor forward only: another node may be ahead. */
async function saveCursor(db: Db, readUntil: Date): Promise<void> {
  await sql`update payment_settings set events_read_until = greatest(events_read_until, ${readUntil}::timestamptz)`.execute(
    db,
  )
}

/** Marks events processed whose customer was deleted while they arrived: like later ones, they have no effect. */
async function endEventsWithoutCustomer(db: Db, provider: Provider): Promise<void> {
  await sql`
    update payment_events set processed_at = now()
    where provider = ${provider} and processed_at is null and received_at < now() - interval '1 minute'
      and (customer_id is not null or payment_id is null) and not exists (select from billing_customers
        where billing_customers.customer_id = payment_events.customer_id and billing_customers.provider = ${provider})`.execute(
    db,
  )
}

/** Enqueues customers with unprocessed events, whose job was lost or has given up. */
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

async function enqueueUnfinishedWithdrawals(db: Db, provider: Provider, batchSize: number): Promise<void> {
  for (const id of await unfinishedWithdrawalIds(db, provider, batchSize)) await enqueueWithdrawal(db, id)
}

/** Payments arrive or fail within weeks. One that is still under way then is of a customer whom the provider does not know. */
const longestPaymentDays = 60

/** Checkouts expire after a day. Applies those that were paid without our noticing, and asks again about those under way. */
async function checkOldCheckouts(db: Db, payments: Payments, batchSize: number): Promise<void> {
  await sql`
    update checkouts set state = 'expired', state_since = now() from billing_customers
    where billing_customers.customer_id = checkouts.customer_id and provider = ${payments.kind} and state = 'pending'
      and checkouts.created_at < now() - make_interval(days => ${longestPaymentDays})`.execute(db)
  const { rows } = await sql<{ id: string; sessionId: string | null; customerId: string }>`
    select id, session_id as "sessionId", customer_id as "customerId" from checkouts join billing_customers using (customer_id)
    where provider = ${payments.kind} and state = 'open' and checkouts.created_at < now() - interval '1 day'
    order by checkouts.created_at limit ${batchSize}`.execute(db)
  const { rows: pending } = await sql<{ customerId: string }>`
    select customer_id as "customerId" from checkouts join billing_customers using (customer_id)
    where provider = ${payments.kind} and state = 'pending' limit ${batchSize}`.execute(db)
  const toSync = new Set(pending.map(({ customerId }) => customerId))
  for (const { id, sessionId, customerId } of rows) {
    const checkout = sessionId === null ? null : await payments.checkout(sessionId)
    // The synchronization ends what has failed, and tells the user.
    if (checkout?.state === 'pending' || checkout?.state === 'failed')
      await db.updateTable('checkouts').set({ state: 'pending' }).where('id', '=', id).execute()
    else if (sessionId !== null && checkout) await saveCheckoutState(db, sessionId, checkout.state)
    else await db.updateTable('checkouts').set({ state: 'expired' }).where('id', '=', id).execute()
    if (checkout && checkout.state !== 'open' && checkout.state !== 'expired') toSync.add(customerId)
  }
  await enqueueSyncs(db, toSync)
}
