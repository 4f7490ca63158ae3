import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { unauthorized } from '../../faults.ts'
import { hashOf } from '../../lib/ids.ts'
import type { Payments } from '../../ports/payments/payments.ts'
import type { Provider } from './sync-queries.ts'

/** The id of the user at the provider; undefined for a user who never opened a checkout. */
export async function customerOfUser(db: Db, userId: string, provider: Provider): Promise<string | undefined> {
  const customer = await db
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return customer?.customer_id
}

/** The same, created if there is none. Calls at the same time create one, by the idempotency key. */
export async function ensureCustomer(db: Db, payments: Payments, userId: string): Promise<string> {
  const existing = await customerOfUser(db, userId, payments.kind)
  if (existing !== undefined) return existing
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  if (!user) throw unauthorized()
  // With the address, because a key that is used again must come with the same values.
  const key = `customer ${userId} ${hashOf(user.email).toString('hex').slice(0, 16)}`
  const customerId = await payments.createCustomer({ reference: userId, email: user.email }, key)
  await db
    .insertInto('billing_customers')
    .values({ customer_id: customerId, provider: payments.kind, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const stored = await customerOfUser(db, userId, payments.kind)
  if (stored === undefined) throw unauthorized()
  return stored
}

/** A user's subscription that goes on. Times are billing time. */
export interface CurrentSubscription {
  id: string
  customerId: string
  priceId: string
  status: 'active' | 'past_due'
  cancelAtPeriodEnd: boolean
  /** Whether it grants its plan now. */
  isGranting: boolean
  /** Grows with each change that is known here. */
  syncNumber: number
}

/** The subscription of a user that counts, as far as it is known here; the oldest of those that go on. */
export async function currentSubscription(
  db: Db,
  userId: string,
  provider: Provider,
): Promise<CurrentSubscription | undefined> {
  const { rows } = await sql<CurrentSubscription>`
    select id, customer_id as "customerId", price_id as "priceId", subscriptions.status,
      subscriptions.cancel_at_period_end as "cancelAtPeriodEnd", last_sync_applied as "syncNumber",
      coalesce(until > billing_now(), false) as "isGranting"
    from billing_customers join subscriptions using (customer_id)
      left join paid_plans on paid_plans.user_id = billing_customers.user_id
        and paid_plans.provider = billing_customers.provider and subscription_id = id
    where billing_customers.user_id = ${userId} and billing_customers.provider = ${provider}
      and subscriptions.status in ('active', 'past_due')
    order by started_at, id collate "C" limit 1`.execute(db)
  return rows[0]
}
