import { sql } from 'kysely'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { PlanId } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../platform/db/connect.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Invoice, Payment, Payments } from '../../ports/payments/payments.ts'
import { lockCustomer, planOfPrice, type Provider } from './customers.ts'
import { applyEffects, isLive, splitLive } from './paid-plan.ts'
import { syncCustomer, type SyncDependencies, withoutTakenBack } from './sync-customer.ts'

// The contract that a withdrawal ends, and the money that goes back for it.

const dayMs = 24 * 60 * 60 * 1000
/** Writes a day as 2026-11-29. */
const dayInBrussels = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Brussels',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** When a day begins in Brussels; `day`: the same day in UTC. */
function startInBrussels(day: Date): Date {
  const summer = new Date(day.getTime() - 2 * 60 * 60 * 1000)
  const isSummer = dayInBrussels.format(summer) === day.toISOString().slice(0, 10)
  return isSummer ? summer : new Date(day.getTime() - 60 * 60 * 1000)
}

/**
 * The end of the time in which a contract can be withdrawn from: that of the 14th day after the one on which it was concluded, in
 * Belgium. If that is a Saturday or a Sunday, the next Monday's (Regulation 1182/71). Public holidays, which the regulation counts too, are
 * not known here: an operator can accept what came a day late because of one.
 */
export function withdrawalEnd(concludedAt: Date): Date {
  const concludedOn = new Date(`${dayInBrussels.format(concludedAt)}T00:00:00Z`)
  const lastDay = new Date(concludedOn.getTime() + billingLimits.withdrawalDays * dayMs)
  const daysToMonday = { 6: 2, 0: 1 }[lastDay.getUTCDay()] ?? 0
  return startInBrussels(new Date(lastDay.getTime() + (daysToMonday + 1) * dayMs))
}

/** What a contract cost until it was found. */
interface ContractCost {
  cents: number
  /** Ids of the invoices that are counted. */
  invoices: string[]
}

/** The contract of a live subscription: a change of its price begins a new one. */
export interface FoundContract {
  /** The invoice with which it began. */
  invoiceId: string
  invoiceNumber: string
  subscriptionId: string
  customerId: string
  plan: PlanId
  concludedAt: Date
  cost: ContractCost
}

/** Clocks of the provider and of the database may differ so much. */
const clockToleranceMs = 60_000

/** The contract of a customer that was the current one at a time; undefined when no subscription went on then. Asks the provider. */
export async function findContract(
  { db, payments }: { db: Db; payments: Payments },
  customerId: string,
  before: Date,
): Promise<FoundContract | undefined> {
  const hadBegun = (await payments.subscriptionsOf(customerId)).filter(
    ({ startedAt }) => startedAt.getTime() <= before.getTime() + clockToleranceMs,
  )
  const kept = splitLive(hadBegun).kept ?? hadBegun.findLast(({ endedAt }) => endedAt !== null && endedAt > before)
  if (!kept) return undefined
  const invoices = (await payments.invoicesOf(customerId)).filter(({ subscriptionId }) => subscriptionId === kept.id)
  const isFirst = ({ reason, issuedAt }: Invoice): boolean =>
    (reason === 'first' || reason === 'change') && issuedAt.getTime() <= before.getTime() + clockToleranceMs
  const begins = invoices.findIndex(isFirst)
  const first = invoices[begins]
  // One that ended without its first payment was never concluded.
  if (!first || (kept.endedAt !== null && first.reason === 'first' && !first.isPaid)) return undefined
  const price = first.lines.find(({ priceId, cents }) => priceId !== null && cents > 0)?.priceId
  return {
    invoiceId: first.id,
    invoiceNumber: first.number,
    subscriptionId: kept.id,
    customerId,
    plan: (await planOfPrice(db, payments.kind, price ?? kept.priceId)) ?? 'free',
    concludedAt: first.issuedAt,
    cost: costOf(invoices.slice(0, begins + 1), first, kept.creditCents),
  }
}

/**
 * What the contract that began with `first` cost. `invoices`: its own, with later ones of the subscription; `creditCents`: what is left of
 * earlier payments. That is what they charged, and the credit that its conclusion turned in: what is left of it is lost, because no
 * subscription follows. Every invoice adds its total to what was paid or set off, or takes it from the credit; so what was turned in is found
 * from both ends.
 */
function costOf(invoices: readonly Invoice[], first: Invoice, creditCents: number): ContractCost {
  const settled = invoices.reduce((sum, one) => sum + one.totalCents - (one.isPaid ? 0 : one.dueCents), 0)
  const unused = first.lines.reduce((sum, { cents }) => sum - Math.min(0, cents), 0)
  return { cents: Math.max(0, settled + unused + creditCents), invoices: invoices.map(({ id }) => id) }
}

/** A withdrawal that is accepted, with its contract. */
interface AcceptedWithdrawal {
  id: string
  state: string
  provider: Provider
  customerId: string
  subscriptionId: string
  invoiceId: string
  plan: PlanId
  cost: ContractCost
  payments: ClaimedPart[]
  amountCents: number | null
}

/** What a withdrawal gives back of one payment. */
interface ClaimedPart {
  id: string
  cents: number
  /** What was refunded of it before. */
  before: number
}

async function readAccepted(db: Db, id: string): Promise<AcceptedWithdrawal | undefined> {
  const { rows } = await sql<AcceptedWithdrawal>`
    select id, state, provider, customer_id as "customerId", subscription_id as "subscriptionId", invoice_id as "invoiceId", plan, cost,
      payments, amount_cents as "amountCents"
    from withdrawals join billing_customers using (customer_id) where id = ${id} and state in ('accepted', 'done')`.execute(
    db,
  )
  return rows[0]
}

/**
 * Carries out an accepted withdrawal: ends the subscription, refunds what the contract cost, and marks it done. Can be retried after an
 * interruption at any point. Resolves to the cents that went back.
 */
export async function runWithdrawal(deps: SyncDependencies, id: string): Promise<number> {
  const { db, payments } = deps
  const withdrawal = await readAccepted(db, id)
  if (!withdrawal || withdrawal.provider !== payments?.kind) return 0
  if (withdrawal.state === 'done') return withdrawal.amountCents ?? 0
  const { customerId, subscriptionId } = withdrawal
  const { since } = await db
    .updateTable('withdrawals')
    .set({ tried_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returning(sql<Date>`tried_at`.as('since'))
    .executeTakeFirstOrThrow()
  const subscriptions = await payments.subscriptionsOf(customerId)
  if (subscriptions.some((one) => one.id === subscriptionId && one.state !== 'canceled'))
    await payments.cancelNow(subscriptionId)
  // What is refunded must not pay for the next plan as well.
  if (!subscriptions.some((one) => isLive(one) && one.id !== subscriptionId)) await payments.dropCredit(customerId)
  // Only now: the subscription may have been renewed until it ended.
  const [invoices, paid] = [await payments.invoicesOf(customerId), await payments.paymentsOf(customerId)]
  const claimed = await db.transaction().execute(async (tx) => {
    await lockCustomer(tx, customerId)
    return claimParts(tx, withdrawal, { invoices, paid, since })
  })
  let returned = 0
  for (const { id: paymentId, cents, before } of claimed) {
    // What an earlier attempt gave back, or somebody else meanwhile, is not given again: keys are forgotten after a day.
    const missing = cents - Math.max(0, (await payments.refundedCents(paymentId)) - before)
    if (missing > 0) await payments.refund(paymentId, `withdrawal ${id} ${paymentId} ${missing}`, missing)
    returned += Math.min(cents, Math.max(0, (await payments.refundedCents(paymentId)) - before))
  }
  await finish(deps, withdrawal, returned)
  await syncCustomer(deps, customerId)
  return returned
}

/**
 * Chooses which payments give back what the contract cost, the newest first, and stores it; what was chosen before stays. Nothing of
 * a payment that the bank has or may get, or that another refund claims; what was refunded of the contract's own payments counts as given
 * back. Claims of what finished before `since`, which is before `paid` was read, are in `paid`. The caller has locked the customer.
 */
async function claimParts(
  tx: Db,
  { id, customerId, subscriptionId, invoiceId, cost, payments: claimed }: AcceptedWithdrawal,
  { invoices, paid, since }: { invoices: readonly Invoice[]; paid: readonly Payment[]; since: Date },
): Promise<ClaimedPart[]> {
  if (claimed.length > 0) return claimed
  const { rows } = await sql<{ payments: { id: string }[]; refundsAll: boolean }>`
    select payments, done_at is null and (subscription_id is null or subscription_id = ${subscriptionId}) as "refundsAll"
    from refunds where customer_id = ${customerId} and (done_at is null or done_at >= ${since})
    union all select payments, false from withdrawals
    where customer_id = ${customerId} and id <> ${id} and (state = 'accepted' or done_at >= ${since})`.execute(tx)
  if (rows.some(({ refundsAll }) => refundsAll)) return []
  const taken = new Set(rows.flatMap(({ payments }) => payments.map((one) => one.id)))
  const kept = new Set((await withoutTakenBack(tx, customerId, paid)).map((one) => one.id))
  const canBeRefunded = (one: Payment): boolean => kept.has(one.id) && !taken.has(one.id)

  const ofSubscription = invoices.filter((one) => one.subscriptionId === subscriptionId)
  const begins = ofSubscription.findIndex((one) => one.id === invoiceId)
  const later = ofSubscription.slice(0, Math.max(0, begins)).filter((one) => !cost.invoices.includes(one.id))
  const ownInvoices = new Set([...cost.invoices, ...later.map((one) => one.id)])
  let left = cost.cents + later.reduce((sum, { isPaid, dueCents }) => sum + (isPaid ? dueCents : 0), 0)
  for (const one of paid)
    if (one.invoiceId !== null && ownInvoices.has(one.invoiceId))
      left -= canBeRefunded(one) ? one.refundedCents : one.amountCents
  const parts: ClaimedPart[] = []
  for (const one of paid.filter((payment) => payment.subscriptionId === subscriptionId && canBeRefunded(payment))) {
    const cents = Math.min(left, one.amountCents - one.refundedCents)
    if (cents <= 0) continue
    parts.push({ id: one.id, cents, before: one.refundedCents })
    left -= cents
  }
  await sql`update withdrawals set payments = ${JSON.stringify(parts)}::jsonb where id = ${id}`.execute(tx)
  return parts
}

async function finish({ db }: SyncDependencies, withdrawal: AcceptedWithdrawal, amountCents: number): Promise<void> {
  const { id, customerId, plan } = withdrawal
  await db.transaction().execute(async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    const { numUpdatedRows } = await tx
      .updateTable('withdrawals')
      .set({ state: 'done', amount_cents: amountCents, done_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('state', '=', 'accepted')
      .executeTakeFirst()
    if (numUpdatedRows === 0n || !customer?.userId || amountCents === 0) return
    await applyEffects(tx, customer.userId, [{ kind: 'payment-refunded', subject: id, plan, at: null, amountCents }])
  })
}

/** A request acts at once; the job is a fallback for an interrupted one. */
const jobDelay = sql<Date>`now() + interval '1 minute'`

/** Enqueues the job that looks for the contract of a withdrawal or carries it out. `isAwaited`: the caller does that now. */
export const enqueueWithdrawal = (db: Db, withdrawalId: string, { isAwaited = false } = {}): Promise<void> =>
  enqueue(db, {
    name: 'process-withdrawal',
    payload: { withdrawalId },
    key: `withdrawal:${withdrawalId}`,
    ...(isAwaited && { at: jobDelay }),
  })

/** Withdrawals whose contract is not found or whose money has not gone back, least recently tried first. */
export async function unfinishedWithdrawalIds(db: Db, provider: Provider, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from withdrawals left join billing_customers using (customer_id)
    where state in ('received', 'accepted') and (customer_id is null or provider = ${provider})
      and withdrawals.created_at < now() - interval '1 minute'
    order by tried_at nulls first, made_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The ids of the withdrawals of a customer whose money has not gone back. */
export async function unfinishedWithdrawalsOf(db: Db, customerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('state', '=', 'accepted')
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether a withdrawal refunds payments of a customer now, or has since a time. The caller has locked the customer. */
export async function isWithdrawing(tx: Db, customerId: string, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from withdrawals where customer_id = ${customerId}
      and (state = 'accepted' and payments <> '[]' or done_at >= ${since}) limit 1`.execute(tx)
  return rows.length > 0
}
