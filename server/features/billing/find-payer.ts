import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { enqueuePayerJobs, enqueueSyncs } from './payment-events.ts'
import type { SyncDependencies } from './sync-customer.ts'
import type { Provider } from './sync-queries.ts'

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
