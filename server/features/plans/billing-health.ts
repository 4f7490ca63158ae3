import { sql } from 'kysely'
import { normalizeEmail } from '@keepsnap/contract/form-rules.ts'
import type { Db } from '../../platform/db/connect.ts'
import { planOf } from './plans.ts'
import type { Provider } from './customers.ts'

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
      (select count(*) from refunds where done_at is null)
        + (select count(*) from withdrawals where state = 'accepted') as "unfinishedRefunds",
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

/** The account with an email address, and its customer at the provider in use; undefined when there is no account. */
export async function customerOfEmail(db: Db, email: string, provider: Provider | undefined) {
  const { rows } = await sql<{ userId: string; customerId: string | null }>`
    select id as "userId", customer_id as "customerId"
    from users left join billing_customers on user_id = id and provider = ${provider ?? null} and replaced_at is null
    where email_key = ${normalizeEmail(email)}`.execute(db)
  return rows[0]
}

interface StateRow {
  plan: string
  isActive: boolean
  grantedPlan: string | null
  grantedUntil: Date | null
  billingNow: Date
}

interface CustomerRow {
  provider: string
  customerId: string
  firstPaidAt: Date | null
  syncedAt: Date | null
  closeSince: Date | null
  closedAt: Date | null
  unprocessed: number
}

/** The billing state of an account as text for operators, one line per fact. Times are billing time. */
export async function billingStateText(db: Db, userId: string): Promise<string> {
  const { rows: users } = await sql<StateRow>`
    select current_plan(users) as plan, is_active as "isActive", granted_plan as "grantedPlan",
      granted_until as "grantedUntil", billing_now() as "billingNow"
    from users where id = ${userId}`.execute(db)
  const { rows: customers } = await sql<CustomerRow>`
    select provider, customer_id as "customerId", first_paid_at as "firstPaidAt", synced_at as "syncedAt",
      close_since as "closeSince", closed_at as "closedAt",
      (select count(*) from payment_events
        where payment_events.customer_id = billing_customers.customer_id and processed_at is null) as unprocessed
    from billing_customers where user_id = ${userId} order by provider`.execute(db)
  const [user] = users
  if (!user) return 'There is no such account.'
  const lines = [`Plan: ${planOf(user).name}${user.isActive ? '' : ' (the account is deactivated)'}`]
  if (user.grantedPlan !== null)
    lines.push(
      `Complimentary: ${planOf({ plan: user.grantedPlan }).name}${user.grantedUntil ? ` until ${timeText(user.grantedUntil)}` : ''}`,
    )
  lines.push(`Billing time: ${timeText(user.billingNow)}`)
  if (customers.length === 0) lines.push('Payments: none yet.')
  for (const customer of customers) lines.push(...customerLines(customer), ...(await detailLines(db, customer)))
  return lines.join('\n')
}

const customerLines = ({ provider, customerId, firstPaidAt, syncedAt, unprocessed, ...customer }: CustomerRow) => [
  `Customer: ${customerId} (${provider}), first paid ${timeText(firstPaidAt)}, last synchronized ${timeText(syncedAt)}, unprocessed events: ${unprocessed}`,
  ...(customer.closeSince
    ? [`Ends since ${timeText(customer.closeSince)}: ${customer.closedAt ? 'confirmed' : 'not confirmed yet'}`]
    : []),
]

async function detailLines(db: Db, { customerId }: CustomerRow): Promise<string[]> {
  const subscriptions = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('started_at')
    .limit(20)
    .execute()
  const refunds = await db
    .selectFrom('refunds')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('requested_at')
    .limit(20)
    .execute()
  const withdrawals = await db
    .selectFrom('withdrawals')
    .select(['made_at', 'state', 'amount_cents', 'done_at'])
    .where('customer_id', '=', customerId)
    .orderBy('made_at')
    .limit(20)
    .execute()
  const disputes = await db
    .selectFrom('disputes')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('opened_at')
    .limit(20)
    .execute()
  return [
    ...subscriptions.map(
      (one) =>
        `Subscription: ${one.id}, ${one.plan ?? `unknown price ${one.price_id}`}, ${one.status}` +
        `${one.cancel_at_period_end ? ', ends with its period' : ''}, period ${timeText(one.current_period_start)} to ${timeText(one.current_period_end)}`,
    ),
    ...refunds.map(
      (one) =>
        `Refund: ${one.reason}, ${one.done_at ? `${one.amount_cents} cents on ${timeText(one.done_at)}` : 'not finished'}`,
    ),
    ...withdrawals.map(
      (one) =>
        `Withdrawal from the contract: ${timeText(one.made_at)}, ${one.done_at ? `${one.amount_cents} cents on ${timeText(one.done_at)}` : one.state}`,
    ),
    ...disputes.map(
      (one) =>
        `Dispute: ${one.id}, ${one.reason}, ${one.amount_cents} cents on ${timeText(one.opened_at)}, ${one.state}`,
    ),
  ]
}
