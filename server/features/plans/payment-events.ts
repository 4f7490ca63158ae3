import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { retention } from '@keepsnap/contract/limits.ts'
import { paymentWebhook } from '@keepsnap/contract/subscriptions.ts'
import { type Db, isDatabaseDown } from '../../platform/db/connect.ts'
import { Fault } from '../../faults.ts'
import { InvalidWebhook, type PaymentEvent } from '../../ports/payments/payments.ts'
import { enqueueAll } from '../../platform/jobs/queue.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { SyncDependencies } from './sync-customer.ts'
import type { Provider } from './customers.ts'

const refusal = (): Fault => new Fault('bad_request', 'This is not a valid event of the payment provider.')
const recordedEachMs = 1_000

/** POST /payments/webhook: stores the provider's events; jobs then read the state itself. docs/security.md T25. */
export function paymentWebhookRoutes(serve: Serve, { db, log, metrics, payments }: Dependencies): void {
  const storeEvent = createEventBatcher((events) =>
    db.transaction().execute((tx) => storePaymentEvents(tx, payments?.kind ?? 'stripe', events)),
  )
  let recordedAt = -recordedEachMs
  serve(paymentWebhook, async (_, { req }) => {
    if (!payments) throw refusal()
    // The endpoint is declared with raw bodies.
    const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
    const signature = req.headers['stripe-signature']
    let event: PaymentEvent
    try {
      event = payments.readWebhook(body, typeof signature === 'string' ? signature : undefined)
    } catch (error) {
      if (!(error instanceof InvalidWebhook)) throw error
      metrics.count('keepsnap_payment_webhooks_total', { outcome: 'refused' })
      if (error.isTimeOff)
        log.error(
          { err: error },
          'a webhook was refused because of its time: the clock of this machine may be wrong, or an old webhook was sent again',
        )
      else log.warn({ err: error }, 'a webhook was refused')
      throw refusal()
    }
    const isNew = await storeEvent(event)
    metrics.count('keepsnap_payment_webhooks_total', { outcome: isNew ? 'new' : 'repeated' })
    // When the last valid webhook arrived, at most once a second.
    if (performance.now() - recordedAt >= recordedEachMs) {
      recordedAt = performance.now()
      // The condition keeps several nodes from waiting for each other's row lock.
      await sql`
        update payment_settings set last_webhook_at = now()
        where last_webhook_at is null or last_webhook_at < now() - interval '1 second'`.execute(db)
    }
    return { received: true as const, ...(!isNew && { repeated: true }) }
  })
}

/** The maximum size of a batch. Further events are refused; the provider sends them again later. */
const mostWaiting = 500
/** A batch that has not been stored after this long is not waited for: its connection may be dead. */
const defaultMaxBatchMs = 5_000
/** From this many events on, a batch is followed by a pause. */
const largeBatch = 5
/**
 * The pause after a large batch: more events are collected meanwhile, and calls of users go first. Responses are spread
 * over it, because a provider sends the next events after the responses.
 */
const defaultPauseMs = 60

interface Batch {
  events: PaymentEvent[]
  newIds: Promise<Set<string>>
}

/**
 * Stores events in batches: those that arrive while a batch is being stored form the next one. Thousands of webhooks at
 * once need one connection and few commits, and leave the other connections to the calls of users. Resolves when the
 * event is stored, to whether it is new. Throws `unavailable` when too many are waiting. `store`: in one transaction;
 * resolves to the ids of the new ones.
 */
export function createEventBatcher(
  store: (events: readonly PaymentEvent[]) => Promise<Set<string>>,
  { maxBatchMs = defaultMaxBatchMs, pauseMs = defaultPauseMs } = {},
): (event: PaymentEvent) => Promise<boolean> {
  let earlier: Promise<unknown> = Promise.resolve()
  let next: Batch | undefined
  const startBatch = (): Batch => {
    const events: PaymentEvent[] = []
    const newIds = earlier.then(() => {
      next = undefined
      return store(events)
    })
    const isStored = Promise.race([newIds.catch(() => {}), wait(maxBatchMs, undefined, { ref: false })])
    earlier = isStored.then(() => (events.length < largeBatch ? undefined : wait(pauseMs, undefined, { ref: false })))
    return { events, newIds }
  }
  const storeEvent = async (event: PaymentEvent, batch: Batch): Promise<boolean> => {
    // Of two events with the same id in a batch, only one counts as new.
    const takeNew = (newIds: Set<string>): boolean => newIds.delete(event.id)
    try {
      return takeNew(await batch.newIds)
    } catch (error) {
      if (batch.events.length === 1 || isDatabaseDown(error)) throw error
      // One event that cannot be stored must not keep the others out.
      return takeNew(await store([event]))
    }
  }
  return async (event) => {
    const batch = (next ??= startBatch())
    if (batch.events.length >= mostWaiting)
      throw new Fault('unavailable', 'Too many events at once. Please send this one again later.', 60)
    const position = batch.events.push(event) - 1
    const isNew = await storeEvent(event, batch)
    const { length } = batch.events
    if (length >= largeBatch) await wait((pauseMs * position) / length)
    return isNew
  }
}

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
const enqueuePayerJobs = (db: Db, eventIds: readonly string[]): Promise<void> =>
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

/** Asks the provider whose payment an event is about, and enqueues the synchronization of that customer if it is ours. */
export async function findPayer({ db, payments }: SyncDependencies, eventId: string): Promise<void> {
  if (!payments) return
  const provider = payments.kind
  const event = await eventsWithoutPayer(db, provider).where('id', '=', eventId).executeTakeFirst()
  if (!event?.paymentId) return
  const customerId = await payments.payerOf(event.paymentId)
  await db.transaction().execute(async (tx) => {
    // It counts as received now: a synchronization that has begun did not ask about it, and must not mark it processed.
    const { rows } = await sql<{ isKnown: boolean }>`
      update payment_events set customer_id = ${customerId}, received_at = clock_timestamp(), processed_at = case when not exists (
          select from billing_customers where billing_customers.customer_id = ${customerId} and billing_customers.provider = ${provider}
        ) then now() end
      where provider = ${provider} and id = ${eventId} and customer_id is null and processed_at is null
      returning processed_at is null as "isKnown"`.execute(tx)
    if (customerId !== null && rows[0]?.isKnown) await enqueueSyncs(tx, [customerId])
  })
}

const eventsWithoutPayer = (db: Db, provider: Provider) =>
  db
    .selectFrom('payment_events')
    .select(['id', 'payment_id as paymentId'])
    .where('provider', '=', provider)
    .where('processed_at', 'is', null)
    .where('customer_id', 'is', null)
    .where('payment_id', 'is not', null)

/** Enqueues the search for those payers whose job was lost or has given up. */
export async function enqueuePayersToFind(db: Db, provider: Provider, limit: number): Promise<void> {
  const events = await eventsWithoutPayer(db, provider)
    .where('received_at', '<', sql<Date>`now() - interval '1 minute'`)
    .orderBy('received_at')
    .limit(limit)
    .execute()
  await enqueuePayerJobs(
    db,
    events.map(({ id }) => id),
  )
}
