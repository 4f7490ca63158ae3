import { sql } from 'kysely'
import { normalizeEmail } from '@keepsnap/contract/emails.ts'
import { planOf } from '../../domain/plans.ts'
import type { Db } from '../../db/connect.ts'
import type { Provider } from './sync-queries.ts'

/** The account with an email address, and its customer at the provider in use; undefined when there is no account. */
export async function customerOfEmail(
  db: Db,
  email: string,
  provider: Provider | undefined,
): Promise<{ userId: string; customerId: string | null } | undefined> {
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

const timeText = (at: Date | null): string => at?.toISOString() ?? 'never'

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
    ...disputes.map(
      (one) =>
        `Dispute: ${one.id}, ${one.reason}, ${one.amount_cents} cents on ${timeText(one.opened_at)}, ${one.state}`,
    ),
  ]
}
