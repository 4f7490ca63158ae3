import { sql } from 'kysely'
import { retention } from '@keepsnap/contract/retention.ts'
import type { Db } from '../../db/connect.ts'
import { enqueueAll } from '../../jobs/queue.ts'
import type { PaymentEvent } from '../../ports/payments/payments.ts'
import type { Provider } from './sync-queries.ts'

const syncJob = (customerId: string) => ({
  name: 'sync-customer' as const,
  payload: { customerId },
  key: `sync:${customerId}`,
})

/** From this many events at once on, the provider is sending a backlog: more of the same customers follow soon. */
const backlogEvents = 10
/** Debounces a backlog: a customer is synchronized once, when no event has arrived for this long. */
const backlogDelaySeconds = 10

/**
 * Enqueues the synchronization of customers after a delay, one job per customer, in a fixed order that prevents
 * deadlocks.
 */
export const enqueueSyncs = (db: Db, customerIds: Iterable<string>, delaySeconds = 0): Promise<void> =>
  enqueueAll(db, [...new Set(customerIds)].toSorted().map(syncJob), delaySeconds)

/** Enqueues the search for the customers of events that name a payment. */
export const enqueuePayerJobs = (db: Db, eventIds: readonly string[]): Promise<void> =>
  enqueueAll(
    db,
    eventIds.map((eventId) => ({ name: 'find-payer' as const, payload: { eventId }, key: `payer:${eventId}` })),
  )

/**
 * Stores events once, with the jobs that ask for the state of their customers, in the caller's transaction. Returns the ids
 * of those that were not stored before. Events that concern none of our customers are stored and have no effect.
 */
export async function storePaymentEvents(
  tx: Db,
  provider: Provider,
  events: readonly PaymentEvent[],
): Promise<Set<string>> {
  // Inserts ordered by id, as everywhere: this prevents deadlocks.
  const { rows } = await sql<{ id: string; customerId: string | null; isKnown: boolean }>`
    insert into payment_events (provider, id, type, customer_id, payment_id, created_at, received_at, processed_at)
    select ${provider}, id, type, event.customer_id, event.payment_id, event.created_at, clock_timestamp(),
      case when customer.customer_id is null and event.payment_id is null then now() end
    from unnest(${events.map(({ id }) => id)}::text[], ${events.map(({ type }) => type)}::text[],
        ${events.map(({ customerId }) => customerId)}::text[], ${events.map(({ paymentId }) => paymentId ?? null)}::text[],
        ${events.map(({ createdAt }) => createdAt)}::timestamptz[]) as event (id, type, customer_id, payment_id, created_at)
      left join billing_customers customer on customer.customer_id = event.customer_id and customer.provider = ${provider}
    order by id
    on conflict do nothing returning id, customer_id as "customerId", processed_at is null as "isKnown"`.execute(tx)
  const known = rows.flatMap(({ customerId, isKnown }) => (isKnown && customerId !== null ? [customerId] : []))
  await enqueuePayerJobs(
    tx,
    rows.flatMap(({ id, customerId, isKnown }) => (isKnown && customerId === null ? [id] : [])),
  )
  await enqueueSyncs(tx, known, known.length >= backlogEvents ? backlogDelaySeconds : 0)
  return new Set(rows.map(({ id }) => id))
}

/** The same for one event: whether it was not stored before. */
export const storePaymentEvent = async (tx: Db, provider: Provider, event: PaymentEvent): Promise<boolean> =>
  (await storePaymentEvents(tx, provider, [event])).has(event.id)

const recordedEachMs = 1_000

/** Records in the database when the last valid webhook arrived, at most once a second. */
export function createWebhookRecorder(db: Db): () => Promise<void> {
  let recordedAt = -recordedEachMs
  return async () => {
    if (performance.now() - recordedAt < recordedEachMs) return
    recordedAt = performance.now()
    // The condition keeps several nodes from waiting for each other's row lock.
    await sql`
      update payment_settings set last_webhook_at = now()
      where last_webhook_at is null or last_webhook_at < now() - interval '1 second'`.execute(db)
  }
}

/** Removes processed events that the provider does not list any more. */
export async function deleteOldEvents(db: Db): Promise<void> {
  await sql`
    delete from payment_events where processed_at is not null
      and received_at < now() - make_interval(days => ${retention.paymentEventDays})`.execute(db)
}

/** Enqueues the synchronization of these accounts' customers; resolves to the accounts that have one. */
export async function enqueueSyncsOfAccounts(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ customerId: string; userId: string }>`
    select customer_id as "customerId", user_id as "userId" from billing_customers join payment_settings using (provider)
    where user_id = any(${userIds}::text[]) and replaced_at is null`.execute(db)
  await enqueueSyncs(
    db,
    rows.map(({ customerId }) => customerId),
  )
  return new Set(rows.map(({ userId }) => userId))
}
