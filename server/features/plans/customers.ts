import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { unauthorized } from '../../faults.ts'
import { hashOf } from '../../lib/ids.ts'
import { isUnknownCustomer, type Payments } from '../../ports/payments/payments.ts'
import { type PlanId, isPlanId } from '@keepsnap/contract/plans.ts'

export type Provider = Payments['kind']

/** A customer that is locked, together with its user, until the transaction ends. */
export interface LockedCustomer {
  customerId: string
  provider: Provider
  /** Null when the account is deleted. */
  userId: string | null
  /** Whether the account may be used. */
  isActive: boolean
  /** Whether another customer of the user is the current one. */
  isReplaced: boolean
  closeSince: Date | null
  closedAt: Date | null
  firstPaidAt: Date | null
  /** Billing time. */
  now: Date
}

/** Locks a customer, and its user first: this prevents deadlocks. Undefined when the customer is unknown. */
export async function lockCustomer(tx: Db, customerId: string): Promise<LockedCustomer | undefined> {
  await sql`
    select 1 from users where id = (select user_id from billing_customers where customer_id = ${customerId})
    for no key update`.execute(tx)
  const { rows } = await sql<LockedCustomer>`
    select customer_id as "customerId", provider, user_id as "userId", replaced_at is not null as "isReplaced", close_since as "closeSince",
      closed_at as "closedAt", first_paid_at as "firstPaidAt", billing_now() as now,
      coalesce((select is_active from users where id = user_id), false) as "isActive"
    from billing_customers where customer_id = ${customerId} for no key update`.execute(tx)
  return rows[0]
}

/** The plan of a price, also of one that is not sold any more. */
export async function planOfPrice(tx: Db, provider: Provider, priceId: string): Promise<PlanId | undefined> {
  const row = await tx
    .selectFrom('plan_prices')
    .select('plan')
    .where('provider', '=', provider)
    .where('price_id', '=', priceId)
    .executeTakeFirst()
  return row && isPlanId(row.plan) ? row.plan : undefined
}

/** Makes a customer the current one of its user. The caller has locked the user. */
export async function makeCustomerCurrent(
  tx: Db,
  { customerId, userId, provider }: Pick<LockedCustomer, 'customerId' | 'userId' | 'provider'>,
): Promise<void> {
  await sql`
    update billing_customers set replaced_at = now()
    where user_id = ${userId} and provider = ${provider} and replaced_at is null and customer_id <> ${customerId}`.execute(
    tx,
  )
  await sql`update billing_customers set replaced_at = null where customer_id = ${customerId}`.execute(tx)
}

/** The id of a user's current customer at the provider; undefined for a user who never opened a checkout. */
export async function customerOfUser(db: Db, userId: string, provider: Provider): Promise<string | undefined> {
  const customer = await db
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where('replaced_at', 'is', null)
    .executeTakeFirst()
  return customer?.customer_id
}

/** The same, created if missing. Concurrent calls create only one, thanks to the idempotency key. */
export async function ensureCustomer(db: Db, payments: Payments, userId: string): Promise<string> {
  const existing = await customerOfUser(db, userId, payments.kind)
  if (existing !== undefined) return existing
  const customerId = await createCustomer(db, payments, { userId, suffix: '' })
  await db
    .insertInto('billing_customers')
    .values({ customer_id: customerId, provider: payments.kind, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const stored = await customerOfUser(db, userId, payments.kind)
  if (stored === undefined) throw unauthorized()
  return stored
}

/** `suffix`: appended to the idempotency key, for a customer that replaces another one. */
async function createCustomer(
  db: Db,
  payments: Payments,
  { userId, suffix }: { userId: string; suffix: string },
): Promise<string> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  if (!user) throw unauthorized()
  // The key contains a hash of the address, because providers reject a reused key with different parameters.
  const key = `customer ${userId} ${hashOf(user.email).toString('hex').slice(0, 16)}${suffix}`
  return payments.createCustomer({ reference: userId, email: user.email }, key)
}

/** The maximum number of replaced customers of a user to look up at the provider. */
const mostReplaced = 5

async function findKnownReplacedCustomer(
  db: Db,
  payments: Payments,
  { userId, unknownId }: { userId: string; unknownId: string },
): Promise<string | undefined> {
  const replaced = await db
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('user_id', '=', userId)
    .where('provider', '=', payments.kind)
    .where('customer_id', '<>', unknownId)
    .orderBy('replaced_at', 'desc')
    .limit(mostReplaced)
    .execute()
  for (const { customer_id: id } of replaced) {
    try {
      await payments.openCheckoutsOf(id)
      return id
    } catch (error) {
      if (!isUnknownCustomer(error)) throw error
    }
  }
  return undefined
}

/**
 * Gives a user another customer, because the provider does not know the current one. The old one is kept as replaced:
 * it is known again when the settings return to the API keys of the other mode (test or live).
 */
export async function replaceCustomer(
  db: Db,
  payments: Payments,
  { userId, unknownId }: { userId: string; unknownId: string },
): Promise<void> {
  const provider = payments.kind
  const customerId =
    (await findKnownReplacedCustomer(db, payments, { userId, unknownId })) ??
    (await createCustomer(db, payments, { userId, suffix: ` after ${unknownId}` }))
  await db.transaction().execute(async (tx) => {
    await sql`select 1 from users where id = ${userId} for no key update`.execute(tx)
    // Another request may have replaced it.
    if ((await customerOfUser(tx, userId, provider)) !== unknownId) return
    await tx
      .insertInto('billing_customers')
      .values({ customer_id: customerId, provider, user_id: userId, replaced_at: sql<Date>`now()` })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await makeCustomerCurrent(tx, { customerId, userId, provider })
  })
}

/** A user's live subscription. */
export interface CurrentSubscription {
  id: string
  customerId: string
  priceId: string
  status: 'active' | 'past_due'
  cancelAtPeriodEnd: boolean
  /** Whether it grants its plan now. */
  isGranting: boolean
  /** Grows with each applied synchronization. */
  syncNumber: number
}

/** The oldest live subscription of a user, according to our copy. */
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
      and replaced_at is null and subscriptions.status in ('active', 'past_due')
    order by started_at, id collate "C" limit 1`.execute(db)
  return rows[0]
}
