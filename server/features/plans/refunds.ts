import { sql } from 'kysely'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { refundUser } from '@keepsnap/contract/operators.ts'
import { Fault } from '../../faults.ts'
import type { Db } from '../../platform/db/connect.ts'
import { actAsOperator, recordAction, requireConfirmedOperator, userSubject } from '../operators/audit-log.ts'
import { isId, newId } from '../../lib/ids.ts'
import { type Payment, PaymentRefused, type Payments, PaymentsDown } from '../../ports/payments/payments.ts'
import type { Dependencies } from '../../dependencies.ts'
import { refundSubscription } from '@keepsnap/contract/subscriptions.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { customerOfUser, lockCustomer, planOfPrice, type Provider } from './customers.ts'
import {
  isTakenBack,
  syncCustomer,
  type SyncDependencies,
  syncIfKnown,
  withoutTakenBack,
  addRefund,
  enqueueRefund,
  type NewRefund,
} from './sync-customer.ts'
import { requirePayments } from './prices.ts'
import { isLive, refundableUntil, applyEffects } from './paid-plan.ts'
import { isWithdrawing, runWithdrawal, unfinishedWithdrawalsOf } from './withdrawal-refunds.ts'

/** Refunds of everything that was paid, within 30 days of the first payment: asked for by the customer, or made by an operator. */
export function refundRoutes(serve: Serve, deps: Dependencies): void {
  serve(refundSubscription, async (_, { actor }) => ({ refunded_cents: await refundAsCustomer(deps, actor.userId) }))

  const { db, log, payments } = deps
  serve(refundUser, async ({ params: { user_id: userId }, body: { reason } }, { actor: operator }) => {
    if (!isId(userId)) throw new Fault('not_found', 'There is no such account.')
    await requireConfirmedOperator(db, operator)
    const nothingPaid = (): Fault => new Fault('conflict', 'This account has no payments to refund.')
    const customerId = payments && (await customerOfUser(db, userId, payments.kind))
    // A payment may have been made a moment ago.
    const isKnown = customerId !== undefined && (await syncIfKnown(deps, customerId))
    const leftCents = payments && isKnown ? await refundableCents({ db, payments }, customerId) : 0
    const subject = await userSubject(db, userId)
    await actAsOperator(db, { operator, action: 'refund', subject, reason }, async (tx) => {
      if (!subject) throw new Fault('not_found', 'There is no such account.')
      if (customerId === undefined || !isKnown) throw nothingPaid()
      const customer = await lockCustomer(tx, customerId)
      if (!customer?.firstPaidAt) throw nothingPaid()
      if (await unfinishedFullRefund(tx, customerId)) return
      if (await hasFullRefund(tx, customerId))
        throw new Fault('conflict', 'This account has already had a refund. Each account can have one.')
      if (leftCents === 0) throw nothingPaid()
      if (customer.now >= refundableUntil(customer.firstPaidAt))
        throw new Fault('conflict', `The first payment was more than ${billingLimits.refundDays} days ago.`)
      await addOperatorRefund(tx, customerId)
    })
    if (customerId === undefined) return { refunded_cents: 0 }
    const cents = await finishOperatorRefund(deps, customerId).catch((error: unknown) => {
      if (!(error instanceof PaymentRefused)) throw error
      log.error({ err: error, customer: customerId }, 'the payment provider refused to give a payment back')
      throw new Fault('unavailable', 'The refund is stored and not complete yet. It will be tried again by itself.')
    })
    return { refunded_cents: cents }
  })
}

/** Refunds all payments of a user, once; resolves to the cents. Otherwise 409. */
async function refundAsCustomer(deps: Dependencies, userId: string): Promise<number> {
  const { db } = deps
  const nothingPaid = (): Fault => new Fault('conflict', 'You have not paid anything that could be refunded.')
  const payments = requirePayments(deps.payments)
  const customerId = await customerOfUser(db, userId, payments.kind)
  // A payment may have been made a moment ago.
  if (customerId === undefined || !(await syncIfKnown(deps, customerId))) throw nothingPaid()
  const leftCents = await refundableCents({ db, payments }, customerId)
  const refundId = await db.transaction().execute(async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    const unfinished = await unfinishedFullRefund(tx, customerId)
    if (unfinished) return unfinished.id
    if (await hasFullRefund(tx, customerId))
      throw new Fault('conflict', 'You have already had a refund. Each account can have one.')
    if (customer?.firstPaidAt && leftCents === 0 && (await isTakenBack(tx, customerId)))
      throw new Fault('conflict', 'Your payment was disputed at the bank, so it cannot be refunded here.')
    if (!customer?.firstPaidAt || leftCents === 0) throw nothingPaid()
    if (customer.now >= refundableUntil(customer.firstPaidAt))
      throw new Fault(
        'conflict',
        `Your first payment was more than ${billingLimits.refundDays} days ago. Cancel your subscription instead.`,
      )
    const id = newId()
    await addRefund(tx, { id, customerId, reason: 'customer', subscriptionId: null }, { isAwaited: true })
    return id
  })
  return runRefundNow(deps, refundId).catch((error: unknown) => {
    if (!(error instanceof PaymentRefused)) throw error
    deps.log.error({ err: error, refund: refundId }, 'the payment provider refused to give a payment back')
    throw new Fault('unavailable', 'Your refund is not complete yet. It will be tried again; you need not do anything.')
  })
}

/** Refunds all payments of a customer for an operator's command, at any time, and logs it; resolves to the cents. */
export async function refundAsOperator(deps: SyncDependencies, customerId: string): Promise<number> {
  await deps.db.transaction().execute(async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    await addOperatorRefund(tx, customerId)
    const subject = customer && customer.userId !== null ? await userSubject(tx, customer.userId) : undefined
    const by = { kind: 'command', id: null, name: 'billing' } as const
    await recordAction(tx, { by, action: 'refund', subject, outcome: 'done' })
  })
  return finishOperatorRefund(deps, customerId)
}

/** Stores the intent of a full refund, unless one is unfinished. The caller has locked the customer. */
async function addOperatorRefund(tx: Db, customerId: string): Promise<void> {
  if (await unfinishedFullRefund(tx, customerId)) return
  await addRefund(tx, { id: newId(), customerId, reason: 'operator', subscriptionId: null }, { isAwaited: true })
}

/** Carries out the unfinished full refund; resolves to the cents. */
async function finishOperatorRefund(deps: SyncDependencies, customerId: string): Promise<number> {
  const refund = await unfinishedFullRefund(deps.db, customerId)
  return refund ? runRefundNow(deps, refund.id) : 0
}

/** Runs a refund for a waiting request. After a failure the job, which may have given up before, retries it. */
async function runRefundNow(deps: SyncDependencies, refundId: string): Promise<number> {
  try {
    return await runRefund(deps, refundId)
  } catch (error) {
    await enqueueRefund(deps.db, refundId, { isAwaited: true })
    throw error
  }
}

/**
 * Carries out a stored refund: ends the subscriptions, refunds every payment that no other refund of the customer
 * claims, and marks it done. Can be retried after an interruption at any point, because each payment has an idempotency
 * key. Resolves to the cents that this refund gave back.
 */
export async function runRefund(deps: SyncDependencies, refundId: string): Promise<number> {
  const { db, payments } = deps
  const refund = await selectRefunds(db).where('id', '=', refundId).executeTakeFirst()
  if (!payments || !refund) return 0
  if (refund.isDone) return refund.amountCents ?? 0
  await recordAttempt(db, refundId)
  await endSubscriptions(payments, refund)
  // What is refunded must not pay for the next plan as well.
  if (refund.subscriptionId === null) await payments.dropCredit(refund.customerId)
  const { paid, unrefunded, claimed } = await claimAfterWithdrawals(deps, payments, refund)
  const claimedIds = new Set(claimed.map(({ id }) => id))
  for (const { id } of unrefunded) if (claimedIds.has(id)) await payments.refund(id, `refund ${refundId} ${id}`)
  const returned = await returnedCents(payments, claimed, paid)
  await finish(deps, refund, returned)
  await syncCustomer(deps, refund.customerId)
  return returned
}

/** Records an attempt at a refund; its time. */
async function recordAttempt(db: Db, refundId: string): Promise<Date> {
  const { since } = await db
    .updateTable('refunds')
    .set({ tried_at: sql<Date>`now()` })
    .where('id', '=', refundId)
    .returning(sql<Date>`tried_at`.as('since'))
    .executeTakeFirstOrThrow()
  return since
}

/** How often withdrawals that begin meanwhile are waited for; the job tries again later. */
const claimAttempts = 5

/** Finishes withdrawals first, which give parts of payments back, so that this refund knows what is left; then claims that. */
async function claimAfterWithdrawals(
  deps: SyncDependencies,
  payments: Payments,
  refund: Refund,
): Promise<{ paid: Payment[]; unrefunded: Payment[]; claimed: ClaimedPayment[] }> {
  const { db } = deps
  for (let attempt = 0; attempt < claimAttempts; attempt += 1) {
    for (const id of await unfinishedWithdrawalsOf(db, refund.customerId)) await runWithdrawal(deps, id)
    const since = await recordAttempt(db, refund.id)
    const paid = await paymentsOf(payments, refund)
    const unrefunded = paid.filter((one) => one.refundedCents < one.amountCents)
    const claimed = await db.transaction().execute(async (tx) => {
      await lockCustomer(tx, refund.customerId)
      if (await isWithdrawing(tx, refund.customerId, since)) return undefined
      return claimPayments(tx, refund, { unrefunded, since })
    })
    if (claimed) return { paid, unrefunded, claimed }
  }
  throw new PaymentsDown('withdrawals of the customer are not complete yet')
}

/**
 * What the provider gave back of the claimed payments, in this attempt and in earlier ones. That may be less than was
 * claimed: nothing of a payment that the bank has taken back meanwhile.
 */
async function returnedCents(
  payments: Payments,
  claimed: readonly ClaimedPayment[],
  paid: readonly Payment[],
): Promise<number> {
  let sum = 0
  for (const { id, cents } of claimed) {
    const payment = paid.find((one) => one.id === id)
    const before = payment ? payment.amountCents - cents : 0
    sum += Math.min(cents, Math.max(0, (await payments.refundedCents(id)) - before))
  }
  return sum
}

async function endSubscriptions(payments: Payments, { customerId, subscriptionId }: Refund): Promise<void> {
  const subscriptions = await payments.subscriptionsOf(customerId)
  for (const one of subscriptions)
    if (isLive(one) && (subscriptionId === null || one.id === subscriptionId)) await payments.cancelNow(one.id)
}

const paymentsOf = async (
  payments: Payments,
  { customerId, subscriptionId }: Pick<Refund, 'customerId' | 'subscriptionId'>,
): Promise<Payment[]> =>
  (await payments.paymentsOf(customerId)).filter(
    (one) => one.subscriptionId !== null && (subscriptionId === null || one.subscriptionId === subscriptionId),
  )

/** The cents of everything that a customer paid and that neither was refunded nor is with the bank. */
export async function refundableCents(
  { db, payments }: { db: Db; payments: Payments },
  customerId: string,
): Promise<number> {
  const all = await paymentsOf(payments, { customerId, subscriptionId: null })
  const paid = await withoutTakenBack(db, customerId, all)
  return paid.reduce((sum, one) => sum + one.amountCents - one.refundedCents, 0)
}

async function finish({ db, payments }: SyncDependencies, refund: Refund, amountCents: number): Promise<void> {
  const { id, customerId, subscriptionId } = refund
  await db.transaction().execute(async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    const { numUpdatedRows } = await tx
      .updateTable('refunds')
      .set({ amount_cents: amountCents, done_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('done_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n || !customer?.userId || !payments) return
    // Another refund of the customer, or the bank, gave everything back.
    if (amountCents === 0) return
    const { rows } = await sql<{ price: string }>`
      select price_id as price from subscriptions where customer_id = ${customerId}
        and (${subscriptionId}::text is null or id = ${subscriptionId}) order by started_at desc limit 1`.execute(tx)
    const plan = (rows[0] && (await planOfPrice(tx, payments.kind, rows[0].price))) ?? 'free'
    await applyEffects(tx, customer.userId, [{ kind: 'payment-refunded', subject: id, plan, at: null, amountCents }])
  })
}

/** A stored intent to give money back. */
interface Refund extends NewRefund {
  amountCents: number | null
  isDone: boolean
}

const selectRefunds = (db: Db) =>
  db
    .selectFrom('refunds')
    .select(['id', 'customer_id as customerId', 'reason', 'subscription_id as subscriptionId'])
    .select(['amount_cents as amountCents', sql<boolean>`done_at is not null`.as('isDone')])
    .$castTo<Refund>()

/** A customer's unfinished refund of all payments. */
const unfinishedFullRefund = (db: Db, customerId: string): Promise<Refund | undefined> =>
  selectRefunds(db)
    .where('customer_id', '=', customerId)
    .where('subscription_id', 'is', null)
    .where('done_at', 'is', null)
    .executeTakeFirst()

/** Whether everything that a customer paid is, or was, refunded. */
const hasFullRefund = async (db: Db, customerId: string): Promise<boolean> =>
  (await selectRefunds(db)
    .where('customer_id', '=', customerId)
    .where('subscription_id', 'is', null)
    .executeTakeFirst()) !== undefined

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
  const rows = await selectRefunds(db).where('customer_id', '=', customerId).where('done_at', 'is', null).execute()
  return rows.map(({ id }) => id)
}

/** What a refund gives back of one payment, in cents. */
interface ClaimedPayment {
  id: string
  cents: number
}

/**
 * Claims the payments that a refund gives back, and resolves to them: those that it claimed before, and those of
 * `unrefunded` that no other refund of the customer claims. Claims of refunds that finished before `since`, which is
 * before `unrefunded` was read, are ignored: a payment that is still in that list was not refunded. The caller has
 * locked the customer.
 */
async function claimPayments(
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
