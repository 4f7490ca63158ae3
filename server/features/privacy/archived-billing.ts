import type { Db } from '../../db/connect.ts'

const maxRows = 1_000

/**
 * What is known here of what an account paid: subscriptions, checkouts and money refunded. Cards, and invoices with their
 * addresses, are at the payment provider only.
 */
export async function archivedBillingOf(db: Db, userId: string) {
  const customers = await db
    .selectFrom('billing_customers')
    .select(['customer_id', 'provider', 'created_at', 'first_paid_at'])
    .where('user_id', '=', userId)
    .execute()
  // One that no customer has, because `in` needs at least one value.
  const ids = ['', ...customers.map(({ customer_id: id }) => id)]
  const subscriptions = db
    .selectFrom('subscriptions')
    .select(['id', 'customer_id', 'plan', 'status', 'cancel_at_period_end', 'current_period_start'])
    .select(['current_period_end', 'started_at', 'ended_at'])
    .where('customer_id', 'in', ids)
    .orderBy('started_at')
  const checkouts = db
    .selectFrom('checkouts')
    .select(['id', 'customer_id', 'price_id', 'state', 'created_at'])
    .where('customer_id', 'in', ids)
    .orderBy('created_at')
  const refunds = db
    .selectFrom('refunds')
    .select(['id', 'customer_id', 'reason', 'amount_cents', 'requested_at', 'done_at'])
    .where('customer_id', 'in', ids)
    .orderBy('requested_at')
  const events = db
    .selectFrom('billing_effects')
    .select(['kind', 'subject', 'happened_at'])
    .where('user_id', '=', userId)
    .orderBy('happened_at')
  return {
    customers,
    subscriptions: await subscriptions.limit(maxRows).execute(),
    checkouts: await checkouts.limit(maxRows).execute(),
    refunds: await refunds.limit(maxRows).execute(),
    emails: await events.limit(maxRows).execute(),
  }
}
