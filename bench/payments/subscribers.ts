import type { Client } from 'pg'
import type { StripeCustomer } from './stripe.ts'

/** Adds users without a plan, who are the customers; they exist in the database only. */
export async function addSubscribers(database: Client, customers: readonly StripeCustomer[]): Promise<void> {
  const ids = [customers.map(({ id }) => id)]
  await database.query('begin')
  await database.query(
    `insert into users (id, email, email_key, username, password_hash, email_verified_at)
     select 'user of ' || id, id || '@example.com', id || '@example.com', id, '', now() from unnest($1::text[]) id`,
    ids,
  )
  await database.query(
    `insert into billing_customers (customer_id, provider, user_id)
     select id, 'stripe', 'user of ' || id from unnest($1::text[]) id`,
    ids,
  )
  await database.query('commit')
}

/** How many events of Stripe are stored but not applied, or not stored. */
export async function missingEvents(
  database: Client,
  { customers, events }: { customers: readonly StripeCustomer[]; events: number },
): Promise<number> {
  const { rows } = await database.query<{ processed: number }>(
    `select count(*)::int as processed from payment_events where processed_at is not null and customer_id = any ($1)`,
    [customers.map(({ id }) => id)],
  )
  return events - (rows[0]?.processed ?? 0)
}

/** What the database and Stripe must agree about; each is 0. */
export interface Differences {
  plans: number
  emails: number
}

const paidPlansSql = `
  select customer_id as "customerId", subscription_id as "subscriptionId", plan, cancel_at_period_end as "cancelsAtPeriodEnd",
    current_period_end as "periodEndsAt"
  from paid_plans join billing_customers using (user_id, provider) where customer_id = any ($1)`

/** The kinds of what happened and of the emails, by customer. */
const emailsSql = `
  select customer_id as "customerId",
    array(select kind from billing_effects where user_id = billing_customers.user_id) as effects,
    array(select kind from emails where user_id = billing_customers.user_id) as emails
  from billing_customers where customer_id = any ($1)`

interface PaidPlanRow {
  customerId: string
  subscriptionId: string
  plan: string
  cancelsAtPeriodEnd: boolean
  periodEndsAt: Date
}

/**
 * Compares the database with what Stripe knows. A customer whose subscription goes on has its plan and one email that says
 * so; one whose subscription had ended before anything was delivered has neither.
 */
export async function findDifferences(database: Client, customers: readonly StripeCustomer[]): Promise<Differences> {
  const ids = [customers.map(({ id }) => id)]
  const paidPlans = await database.query<PaidPlanRow>(paidPlansSql, ids)
  const sent = await database.query<{ customerId: string; effects: string[]; emails: string[] }>(emailsSql, ids)
  const expected = new Map(customers.map(({ id, subscription }) => [id, subscription]))
  const isRight = (row: PaidPlanRow): boolean => {
    const subscription = expected.get(row.customerId)
    return (
      subscription?.id === row.subscriptionId &&
      subscription.plan === row.plan &&
      subscription.cancelsAtPeriodEnd === row.cancelsAtPeriodEnd &&
      subscription.periodEndsAt.getTime() === row.periodEndsAt.getTime()
    )
  }
  const paying = customers.filter(({ subscription }) => subscription).length
  const right = paidPlans.rows.filter(isRight).length
  const wrongEmails = sent.rows.filter(({ customerId, effects, emails }) => {
    const wanted = expected.get(customerId) ? 'plan-started' : ''
    return effects.join() !== wanted || emails.join() !== wanted
  })
  return { plans: paying - right + (paidPlans.rows.length - right), emails: wrongEmails.length }
}
