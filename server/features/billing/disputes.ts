import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { enqueue } from '../../jobs/queue.ts'
import {
  PaymentsDown,
  type Dispute,
  type Payment,
  type Payments,
  type Subscription,
} from '../../ports/payments/payments.ts'
import type { SyncDependencies } from './sync-customer.ts'

/**
 * The disputes of a customer. Undefined when the key may not read them: everything else about the customer is synchronized
 * nevertheless, and the events about them wait for the permission.
 */
export async function readDisputes(
  { log }: Pick<SyncDependencies, 'log'>,
  payments: Payments,
  customerId: string,
): Promise<Dispute[] | undefined> {
  try {
    return await payments.disputesOf(customerId)
  } catch (error) {
    if (!(error instanceof PaymentsDown) || error.kind !== 'refused') throw error
    log.error({ err: error, customer: customerId }, 'the disputes of a customer cannot be read: see `keepsnap billing`')
    return undefined
  }
}

/**
 * Cancels the subscriptions whose payment was lost to the bank, without a refund; whether there was one. What is left of
 * earlier payments is dropped with it, because it came from the same money.
 */
export async function endLostSubscriptions(
  payments: Payments,
  customerId: string,
  { disputes, subscriptions }: { disputes: readonly Dispute[]; subscriptions: readonly Subscription[] },
): Promise<boolean> {
  const lost = new Set(disputes.filter(({ state }) => state === 'lost').map(({ subscriptionId }) => subscriptionId))
  const toEnd = subscriptions.filter(({ id, state }) => lost.has(id) && state !== 'canceled')
  for (const { id } of toEnd) await payments.cancelNow(id)
  if (toEnd.length > 0) await payments.dropCredit(customerId)
  return toEnd.length > 0
}

/** Saves what the provider said about disputes, with a job that tells operators of each new one; whether anything differed. */
export async function saveDisputes(tx: Db, customerId: string, disputes: readonly Dispute[]): Promise<boolean> {
  let hasChanged = false
  for (const { id, paymentId, state, reason, amountCents, openedAt, respondBy } of disputes) {
    const { rows } = await sql<{ isNew: boolean }>`
      insert into disputes as saved (id, customer_id, payment_id, state, reason, amount_cents, opened_at, respond_by)
      values (${id}, ${customerId}, ${paymentId}, ${state}, ${reason}, ${amountCents}, ${openedAt}, ${respondBy})
      on conflict (id) do update set state = excluded.state, reason = excluded.reason, amount_cents = excluded.amount_cents,
        respond_by = excluded.respond_by
      where (saved.state, saved.reason, saved.amount_cents, saved.respond_by)
        is distinct from (excluded.state, excluded.reason, excluded.amount_cents, excluded.respond_by)
      returning xmax = 0 as "isNew"`.execute(tx)
    hasChanged ||= rows.length > 0
    if (rows[0]?.isNew && state !== 'won')
      await enqueue(tx, { name: 'tell-of-dispute', payload: { disputeId: id }, key: `dispute:${id}` })
  }
  return hasChanged
}

/** The payments of which the bank has, or may get, the money: those that were disputed, unless that was won. */
export async function withoutTakenBack(db: Db, customerId: string, paid: readonly Payment[]): Promise<Payment[]> {
  if (!paid.some(({ isDisputed }) => isDisputed)) return [...paid]
  const rows = await db
    .selectFrom('disputes')
    .select('payment_id')
    .groupBy('payment_id')
    .where('customer_id', '=', customerId)
    .having(sql<boolean>`bool_and(state = 'won')`)
    .execute()
  const won = new Set(rows.map(({ payment_id: id }) => id))
  return paid.filter(({ id, isDisputed }) => !isDisputed || won.has(id))
}

/** Whether the bank has, or may get, the money of a payment of a customer. */
export async function isTakenBack(db: Db, customerId: string): Promise<boolean> {
  const dispute = await db
    .selectFrom('disputes')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('state', '<>', 'won')
    .executeTakeFirst()
  return dispute !== undefined
}
