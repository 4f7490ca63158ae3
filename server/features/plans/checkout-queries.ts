import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { SessionActor } from '../../platform/http/authenticator.ts'
import { newId } from '../../lib/ids.ts'
import type { Checkout } from '../../ports/payments/payments.ts'
import { currentSubscription } from './customers.ts'
import type { Provider } from './sync-queries.ts'

/** Throws 409 for a user with a subscription, or whose payment is under way: a second one would be charged as well. */
export async function refuseSecondSubscription(db: Db, userId: string, provider: Provider): Promise<void> {
  if (await currentSubscription(db, userId, provider))
    throw new Fault('conflict', 'You already pay for a plan. Use POST /subscriptions/change to change to another one.')
  const pending = await db
    .selectFrom('checkouts')
    .innerJoin('billing_customers', 'billing_customers.customer_id', 'checkouts.customer_id')
    .select('id')
    .where('billing_customers.user_id', '=', userId)
    .where('provider', '=', provider)
    .where('replaced_at', 'is', null)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  if (pending) throw pendingPayment()
}

/** The refusal while a payment is under way. */
export const pendingPayment = (): Fault =>
  new Fault(
    'payment_pending',
    'Your payment is on its way, which can take some days with this payment method. Your plan starts when it arrives; you need not pay again.',
  )

/** Whether the account may be used and the session has not ended; locks the account. */
async function lockActor(tx: Db, { userId, sessionHash }: SessionActor): Promise<boolean> {
  const { rows: users } = await sql`
    select 1 from users where id = ${userId} and is_active for no key update`.execute(tx)
  // After the lock, because sessions are ended under it.
  const { rows: sessions } = await sql`select 1 from sessions where token_hash = ${sessionHash}`.execute(tx)
  return users.length > 0 && sessions.length > 0
}

/** Stores the intent to open a checkout; resolves to its id. */
export async function addCheckout(
  db: Db,
  {
    actor,
    customerId,
    priceId,
    provider,
  }: { actor: SessionActor; customerId: string; priceId: string; provider: Provider },
): Promise<string> {
  const id = newId()
  await db.transaction().execute(async (tx) => {
    if (!(await lockActor(tx, actor))) throw unauthorized()
    await refuseSecondSubscription(tx, actor.userId, provider)
    // A reactivated account can pay again.
    await sql`
      update billing_customers set close_since = null, closed_at = null
      where customer_id = ${customerId} and close_since is not null`.execute(tx)
    const row = { id, user_id: actor.userId, customer_id: customerId, price_id: priceId }
    // `clock_timestamp()` under the lock, so that checkouts are ordered as they got the lock.
    await tx
      .insertInto('checkouts')
      .values({ ...row, created_at: sql<Date>`clock_timestamp()` })
      .execute()
  })
  return id
}

/** Saves the provider's id of a checkout. False when the account or the session has ended meanwhile. */
export async function saveCheckoutSessionId(
  db: Db,
  { id, sessionId, actor }: { id: string; sessionId: string; actor: SessionActor },
) {
  return db.transaction().execute(async (tx) => {
    if (!(await lockActor(tx, actor))) return false
    await tx.updateTable('checkouts').set({ session_id: sessionId }).where('id', '=', id).execute()
    return true
  })
}

/** The id of a customer's newest checkout. */
export async function newestCheckout(db: Db, customerId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('checkouts')
    .select('id')
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Saves what became of a checkout, by the provider's id; whether that is new. */
export async function saveCheckoutState(db: Db, sessionId: string, state: Checkout['state']): Promise<boolean> {
  if (state === 'open') return false
  const { numUpdatedRows } = await db
    .updateTable('checkouts')
    .set({ state, state_since: sql<Date>`now()` })
    .where('session_id', '=', sessionId)
    .where('state', '<>', state)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** More are not asked about at once: opening one ends the older ones. */
const mostUnfinished = 5

/** The provider's ids of the checkouts of a customer that may still be paid, or whose payment is under way; newest first. */
export async function unfinishedCheckouts(db: Db, customerId: string): Promise<{ id: string; priceId: string }[]> {
  const rows = await db
    .selectFrom('checkouts')
    .select(['session_id as id', 'price_id as priceId'])
    .where('customer_id', '=', customerId)
    .where('state', 'in', ['open', 'pending'])
    .where('session_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(mostUnfinished)
    .execute()
  return rows.map(({ id, priceId }) => ({ id: id ?? '', priceId }))
}

/** A checkout of a user, by the provider's id. */
export const checkoutOfUser = (db: Db, userId: string, sessionId: string) =>
  db
    .selectFrom('checkouts')
    .select(['id', 'customer_id as customerId', 'state'])
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
