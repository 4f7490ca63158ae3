import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Payment } from '../../ports/payments/payments.ts'
import type { Provider } from './sync-queries.ts'

/** Money that is to be refunded. */
export interface NewRefund {
  id: string
  customerId: string
  reason: 'customer' | 'operator' | 'second subscription' | 'account closed'
  /** Null: everything that the customer paid. */
  subscriptionId: string | null
}

/** A stored intent to give money back. */
export interface Refund extends NewRefund {
  amountCents: number | null
  isDone: boolean
}

/** A request refunds at once; the job is a fallback for an interrupted one. */
const jobDelay = sql<Date>`now() + interval '1 minute'`

/**
 * Stores the intent to refund, in billing time, and enqueues its job; does nothing if the same money is already being
 * refunded. `isAwaited`: the caller refunds now, so the job is delayed as a fallback.
 */
export async function addRefund(tx: Db, refund: NewRefund, { isAwaited = false } = {}): Promise<void> {
  const { id, customerId, reason, subscriptionId } = refund
  const added = await tx
    .insertInto('refunds')
    .values({
      id,
      customer_id: customerId,
      reason,
      subscription_id: subscriptionId,
      requested_at: sql<Date>`billing_now()`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) await enqueueRefund(tx, id, { isAwaited })
}

export async function enqueueRefund(db: Db, refundId: string, { isAwaited = false } = {}): Promise<void> {
  const at = isAwaited ? { at: jobDelay } : {}
  await enqueue(db, { name: 'refund-payments', payload: { refundId }, key: `refund:${refundId}`, ...at })
}

const selectRefunds = (db: Db) =>
  db
    .selectFrom('refunds')
    .select(['id', 'customer_id as customerId', 'reason', 'subscription_id as subscriptionId'])
    .select(['amount_cents as amountCents', sql<boolean>`done_at is not null`.as('isDone')])
    .$castTo<Refund>()

export const refundById = (db: Db, id: string): Promise<Refund | undefined> =>
  selectRefunds(db).where('id', '=', id).executeTakeFirst()

/** A customer's unfinished refund of all payments. */
export const unfinishedFullRefund = (db: Db, customerId: string): Promise<Refund | undefined> =>
  selectRefunds(db)
    .where('customer_id', '=', customerId)
    .where('subscription_id', 'is', null)
    .where('done_at', 'is', null)
    .executeTakeFirst()

/** Whether everything that a customer paid is, or was, refunded. */
export async function hasFullRefund(db: Db, customerId: string): Promise<boolean> {
  const refund = await db
    .selectFrom('refunds')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('subscription_id', 'is', null)
    .executeTakeFirst()
  return refund !== undefined
}

/** Whether the payments of a subscription are, or were, refunded. */
export async function hasSubscriptionRefund(db: Db, customerId: string, subscriptionId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from refunds where customer_id = ${customerId} and (subscription_id = ${subscriptionId} or subscription_id is null
      and requested_at >= (select started_at from subscriptions where id = ${subscriptionId}))`.execute(db)
  return rows.length > 0
}

/** Unfinished refunds, least recently tried first: those that keep failing do not block the others. */
export async function unfinishedRefundIds(db: Db, provider: Provider, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from refunds join billing_customers using (customer_id)
    where provider = ${provider} and done_at is null order by tried_at nulls first, requested_at limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** The ids of a customer's unfinished refunds. */
export async function unfinishedRefundsOf(db: Db, customerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('refunds')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('done_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Records an attempt; resolves to its time by the database's clock. */
export async function recordRefundAttempt(db: Db, refundId: string): Promise<Date> {
  const { tried_at: at } = await db
    .updateTable('refunds')
    .set({ tried_at: sql<Date>`now()` })
    .where('id', '=', refundId)
    .returning(sql<Date>`tried_at`.as('tried_at'))
    .executeTakeFirstOrThrow()
  return at
}

/** What a refund gives back of one payment, in cents. */
export interface ClaimedPayment {
  id: string
  cents: number
}

/**
 * Claims the payments that a refund gives back, and resolves to them: those that it claimed before, and those of
 * `unrefunded` that no other refund of the customer claims. Claims of refunds that finished before `since`, which is
 * before `unrefunded` was read, are ignored: a payment that is still in that list was not refunded. The caller has
 * locked the customer.
 */
export async function claimPayments(
  tx: Db,
  refund: Pick<Refund, 'id' | 'customerId'>,
  { unrefunded, since }: { unrefunded: readonly Payment[]; since: Date },
): Promise<ClaimedPayment[]> {
  const { rows } = await sql<{ id: string; payments: ClaimedPayment[] }>`
    select id, payments from refunds
    where customer_id = ${refund.customerId}
      and (done_at is null or done_at >= ${since} or id = ${refund.id})`.execute(tx)
  const taken = new Set(rows.flatMap(({ payments }) => payments.map(({ id }) => id)))
  const added = unrefunded
    .filter(({ id }) => !taken.has(id))
    .map(({ id, amountCents, refundedCents }) => ({ id, cents: amountCents - refundedCents }))
  const own = [...(rows.find(({ id }) => id === refund.id)?.payments ?? []), ...added]
  await sql`update refunds set payments = ${JSON.stringify(own)}::jsonb where id = ${refund.id}`.execute(tx)
  return own
}

/** False when it was done already. */
export async function finishRefund(tx: Db, id: string, amountCents: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('refunds')
    .set({ amount_cents: amountCents, done_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
