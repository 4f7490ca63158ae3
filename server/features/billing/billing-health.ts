import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** The state of payments, for operators. */
export interface BillingHealth {
  /** Null where plans are not sold. */
  provider: 'stripe' | 'demo' | null
  lastWebhookAt: Date | null
  /** Up to which time the hourly job has read the provider's events. */
  eventsReadUntil: Date | null
  /** When the oldest unprocessed event arrived; null when there is none. */
  oldestUnprocessedAt: Date | null
  unprocessedEvents: number
  comparedAt: Date | null
  /** Customers who differed from the provider at the last comparison, and were corrected; null before the first. */
  mismatches: number | null
  /** Customers of deleted or deactivated accounts whose closing the provider has not confirmed. */
  customersToClose: number
  unfinishedRefunds: number
}

export async function billingHealth(db: Db): Promise<BillingHealth> {
  const { rows } = await sql<BillingHealth>`
    select provider, last_webhook_at as "lastWebhookAt", events_read_until as "eventsReadUntil",
      (select min(received_at) from payment_events where processed_at is null) as "oldestUnprocessedAt",
      (select count(*) from payment_events where processed_at is null) as "unprocessedEvents",
      compared_at as "comparedAt", mismatches,
      (select count(*) from billing_customers left join users on users.id = user_id
        where users.is_active is not true and closed_at is null) as "customersToClose",
      (select count(*) from refunds where done_at is null) as "unfinishedRefunds"
    from payment_settings`.execute(db)
  const [health] = rows
  if (!health) throw new Error('the table payment_settings is empty')
  return health
}

const timeText = (at: Date | null): string => at?.toISOString() ?? 'never'

/** The state of payments in one line. */
export function healthText(health: BillingHealth): string {
  const { provider, oldestUnprocessedAt: oldest, unprocessedEvents, mismatches } = health
  return [
    `Payments: ${provider ?? 'off'}`,
    `last webhook: ${timeText(health.lastWebhookAt)}`,
    `events read until: ${timeText(health.eventsReadUntil)}`,
    `unprocessed events: ${unprocessedEvents}${oldest ? ` since ${timeText(oldest)}` : ''}`,
    `last comparison: ${timeText(health.comparedAt)}${mismatches === null ? '' : ` with ${mismatches} mismatches`}`,
    `customers to close: ${health.customersToClose}`,
    `refunds to finish: ${health.unfinishedRefunds}`,
  ].join('; ')
}
