import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { PaymentEvent } from '../../ports/payments/payments.ts'
import type { Provider } from './sync-queries.ts'

/** Processed events are kept longer than the provider lists them, so that none is taken for a new one. */
const keptDays = 40

/** Enqueues the synchronization of a customer; many events of one customer are one job. */
export const enqueueSync = (db: Db, customerId: string): Promise<void> =>
  enqueue(db, { name: 'sync-customer', payload: { customerId }, key: `sync:${customerId}` })

/**
 * Stores an event once, with the job that asks for the state of its customer, in the caller's transaction. False when it
 * was stored before. An event that concerns none of our customers is stored and has no effect.
 */
export async function storePaymentEvent(tx: Db, provider: Provider, event: PaymentEvent): Promise<boolean> {
  const { id, type, customerId, createdAt } = event
  const { rows } = await sql<{ isKnown: boolean }>`
    with customer as (
      select customer_id from billing_customers where customer_id = ${customerId}::text and provider = ${provider}
    )
    insert into payment_events (provider, id, type, customer_id, created_at, received_at, processed_at)
    values (${provider}, ${id}, ${type}, ${customerId}, ${createdAt}, clock_timestamp(),
      case when not exists (select from customer) then now() end)
    on conflict do nothing returning processed_at is null as "isKnown"`.execute(tx)
  const [stored] = rows
  if (stored?.isKnown && customerId !== null) await enqueueSync(tx, customerId)
  return stored !== undefined
}

/** Remembers that a webhook with a valid signature arrived. */
export async function recordWebhook(db: Db): Promise<void> {
  // At most once a second: webhooks that arrive together would wait for each other's lock.
  await sql`
    update payment_settings set last_webhook_at = now()
    where last_webhook_at is null or last_webhook_at < now() - interval '1 second'`.execute(db)
}

/** Removes processed events that the provider does not list any more. */
export async function deleteOldEvents(db: Db): Promise<void> {
  await sql`
    delete from payment_events where processed_at is not null
      and received_at < now() - make_interval(days => ${keptDays})`.execute(db)
}
