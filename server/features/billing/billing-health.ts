import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** The state of payments, for operators. */
export interface BillingHealth {
  /** Null where plans are not sold. */
  provider: 'stripe' | 'demo' | null
  /** The newest check of the key and the prices that got an answer. */
  checkedAt: Date | null
  /** Why plans are not sold; null while they are. */
  refusedBecause: string | null
  /** What should be corrected although plans are sold. */
  checkWarning: string | null
  /** Why the newest check got no answer. */
  unreachableBecause: string | null
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
  openDisputes: number
}

export async function billingHealth(db: Db): Promise<BillingHealth> {
  const { rows } = await sql<BillingHealth>`
    select provider, checked_at as "checkedAt", refused_because as "refusedBecause", check_warning as "checkWarning",
      unreachable_because as "unreachableBecause", last_webhook_at as "lastWebhookAt", events_read_until as "eventsReadUntil",
      (select min(received_at) from payment_events where processed_at is null) as "oldestUnprocessedAt",
      (select count(*) from payment_events where processed_at is null) as "unprocessedEvents",
      compared_at as "comparedAt", mismatches,
      (select count(*) from billing_customers left join users on users.id = user_id
        where users.is_active is not true and closed_at is null) as "customersToClose",
      (select count(*) from refunds where done_at is null) as "unfinishedRefunds",
      (select count(*) from disputes where state = 'open') as "openDisputes"
    from payment_settings`.execute(db)
  const [health] = rows
  if (!health) throw new Error('the table payment_settings is empty')
  return health
}

const timeText = (at: Date | null): string => at?.toISOString() ?? 'never'

/** Whether plans can be sold, by the last check, and why not. Demo payments need no check. */
function salesText({ provider, checkedAt, refusedBecause, checkWarning, unreachableBecause }: BillingHealth): string[] {
  if (provider !== 'stripe') return []
  const state = refusedBecause === null ? 'plans are sold' : `PLANS ARE NOT SOLD: ${refusedBecause}`
  return [
    `${state} (checked: ${timeText(checkedAt)})`,
    ...(checkWarning === null ? [] : [`to correct: ${checkWarning}`]),
    ...(unreachableBecause === null ? [] : [`the payment provider could not be reached: ${unreachableBecause}`]),
  ]
}

/** The state of payments in one line. */
export function healthText(health: BillingHealth): string {
  const { provider, oldestUnprocessedAt: oldest, unprocessedEvents, mismatches } = health
  return [
    `Payments: ${provider ?? 'off'}`,
    ...salesText(health),
    `last webhook: ${timeText(health.lastWebhookAt)}`,
    `events read until: ${timeText(health.eventsReadUntil)}`,
    `unprocessed events: ${unprocessedEvents}${oldest ? ` since ${timeText(oldest)}` : ''}`,
    `last comparison: ${timeText(health.comparedAt)}${mismatches === null ? '' : ` with ${mismatches} mismatches`}`,
    `customers to close: ${health.customersToClose}`,
    `refunds to finish: ${health.unfinishedRefunds}`,
    `open disputes: ${health.openDisputes}`,
  ].join('; ')
}
