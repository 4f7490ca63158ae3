import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { Subscription } from '../../ports/payments/payments.ts'
import type { PlanId } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Provider } from './customers.ts'
import { sql } from 'kysely'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { PlanEmail } from '@keepsnap/contract/emails.ts'
import { queueEmail } from '../emails/queue-email.ts'
import { newId } from '../../lib/ids.ts'

const dayMs = 24 * 60 * 60 * 1000

const graceMs = billingLimits.graceDays * dayMs

/** A subscription that is being charged, now or again later. */
export type LiveSubscription = Subscription & { state: 'active' | 'past_due' }

/** Whether the provider continues to charge for a subscription. False for one whose first payment is missing. */
export const isLive = (subscription: Subscription): subscription is LiveSubscription =>
  subscription.state === 'active' || subscription.state === 'past_due'

/** Splits the live subscriptions of a customer: the oldest is kept, the extra ones must end. */
export function splitLive(subscriptions: readonly Subscription[]): {
  kept: LiveSubscription | undefined
  extra: readonly LiveSubscription[]
} {
  const [kept, ...extra] = subscriptions
    .filter(isLive)
    .toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime() || (a.id < b.id ? -1 : 1))
  return { kept, extra }
}

/**
 * Until when a subscription grants its plan without news from the provider, in billing time. At the end of its period a
 * payment is due, for which there is a grace period. That of a past-due subscription starts with its first unpaid
 * period; later unpaid periods do not restart it.
 */
export function grantedUntil(subscription: LiveSubscription): Date {
  const { state, cancelAtPeriodEnd, currentPeriodStart, currentPeriodEnd, unpaidSince } = subscription
  if (state === 'past_due') return new Date((unpaidSince ?? currentPeriodStart).getTime() + graceMs)
  return cancelAtPeriodEnd ? currentPeriodEnd : new Date(currentPeriodEnd.getTime() + graceMs)
}

/** Until when everything can be refunded, after the first payment; billing time. */
export const refundableUntil = (firstPaidAt: Date): Date =>
  new Date(firstPaidAt.getTime() + billingLimits.refundDays * dayMs)

/** What a user's payment grants; a row of `paid_plans`. Times are billing time. */
interface PaidPlan {
  plan: PlanId
  subscriptionId: string
  status: 'active' | 'past_due'
  cancelAtPeriodEnd: boolean
  currentPeriodEnd: Date
  until: Date
  /** Credit from earlier payments, deducted from the next ones. */
  creditCents: number
}

/** The paid plan of a subscription; undefined if it grants nothing any more. */
export function paidPlanFrom(subscription: LiveSubscription, plan: PlanId, now: Date): PaidPlan | undefined {
  const until = grantedUntil(subscription)
  if (until <= now) return undefined
  const { id: subscriptionId, state: status, cancelAtPeriodEnd, currentPeriodEnd, creditCents } = subscription
  return { plan, subscriptionId, status, cancelAtPeriodEnd, currentPeriodEnd, until, creditCents }
}

export const isSamePaidPlan = (one: PaidPlan | undefined, other: PaidPlan | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

export async function paidPlanOf(tx: Db, userId: string, provider: Provider): Promise<PaidPlan | undefined> {
  const { rows } = await sql<PaidPlan>`
    select plan, subscription_id as "subscriptionId", status, cancel_at_period_end as "cancelAtPeriodEnd",
      current_period_end as "currentPeriodEnd", until, credit_cents as "creditCents"
    from paid_plans where user_id = ${userId} and provider = ${provider}`.execute(tx)
  return rows[0]
}

export async function savePaidPlan(
  tx: Db,
  { userId, provider }: { userId: string; provider: Provider },
  paidPlan: PaidPlan | undefined,
): Promise<void> {
  if (!paidPlan) {
    await tx.deleteFrom('paid_plans').where('user_id', '=', userId).where('provider', '=', provider).execute()
    return
  }
  const columns = {
    plan: paidPlan.plan,
    subscription_id: paidPlan.subscriptionId,
    status: paidPlan.status,
    cancel_at_period_end: paidPlan.cancelAtPeriodEnd,
    current_period_end: paidPlan.currentPeriodEnd,
    until: paidPlan.until,
    credit_cents: paidPlan.creditCents,
  }
  await tx
    .insertInto('paid_plans')
    .values({ user_id: userId, provider, ...columns })
    .onConflict((conflict) => conflict.columns(['user_id', 'provider']).doUpdateSet(columns))
    .execute()
}

/** Remembers when a user first paid for a plan. */
export async function recordSubscriber(tx: Db, userId: string): Promise<void> {
  await tx
    .insertInto('subscribers')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether a paid plan comes from a replaced customer of the same user, which the provider may know again. */
export async function belongsToAnotherCustomer(
  tx: Db,
  customerId: string,
  { subscriptionId }: PaidPlan,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from subscriptions join billing_customers using (customer_id)
    where id = ${subscriptionId} and customer_id <> ${customerId} and replaced_at is not null`.execute(tx)
  return rows.length > 0
}

/** Converts billing time to the time of the database, which is that of jobs. */
const databaseTime = (billingTime: Date) => sql<Date>`now() + (${billingTime}::timestamptz - billing_now())`

/** Enqueues the job that checks a paid plan at its end; it replaces the job enqueued before. */
export async function schedulePlanEnd(tx: Db, userId: string, until: Date): Promise<void> {
  await enqueue(tx, { name: 'end-paid-plan', payload: { userId }, key: `end-plan:${userId}`, at: databaseTime(until) })
}

/** Enqueues overdue ends of plans, whose jobs were lost or have given up; least recently tried first. */
export async function enqueueDuePlanEnds(db: Db, limit: number): Promise<void> {
  const plans = await db
    .selectFrom('paid_plans')
    .innerJoin('payment_settings', 'payment_settings.provider', 'paid_plans.provider')
    .innerJoin('billing_customers', (join) =>
      join
        .onRef('billing_customers.user_id', '=', 'paid_plans.user_id')
        .onRef('billing_customers.provider', '=', 'paid_plans.provider')
        .on('replaced_at', 'is', null),
    )
    .select(['paid_plans.user_id', 'until'])
    .where('until', '<=', sql<Date>`billing_now()`)
    .orderBy('sync_tried_at', (order) => order.asc().nullsFirst())
    .orderBy('until')
    .limit(limit)
    .execute()
  for (const { user_id: userId, until } of plans) await schedulePlanEnd(db, userId, until)
}

/** Deletes ended plans that belong to no customer. They grant nothing any more. */
export async function deletePlansWithoutCustomer(db: Db, provider: Provider): Promise<void> {
  await sql`
    delete from paid_plans where provider = ${provider} and until < billing_now() - interval '1 hour'
      and not exists (select from billing_customers
        where billing_customers.user_id = paid_plans.user_id and billing_customers.provider = paid_plans.provider)`.execute(
    db,
  )
}

/** An email about a plan, sent at most once per subject. */
interface BillingEffect {
  kind: PlanEmail['kind']
  /** What it is about: a subscription, a period or a change. */
  subject: string
  plan: PlanId
  /** When the email's event takes place: the next payment, or the end of the plan. */
  at: Date | null
  amountCents?: number
}

/**
 * The emails that a change of the paid plan causes. `number`: of the synchronization; part of the subjects of changes
 * that can recur in the same period. `isRefunded`: the email about the refund announces the end. `hasEnded`: the plan
 * of this subscription ended before because a payment was missing; the late payment starts it again.
 */
export function planEffects(
  before: PaidPlan | undefined,
  after: PaidPlan | undefined,
  { number, isRefunded, hasEnded }: { number: number; isRefunded: boolean; hasEnded: boolean },
): BillingEffect[] {
  const effects: BillingEffect[] = []
  const isSame = before?.subscriptionId === after?.subscriptionId
  if (before && !isSame && !isRefunded) {
    const subject = `${before.subscriptionId} ${before.currentPeriodEnd.toISOString()}`
    effects.push({ kind: 'plan-ended', subject, plan: before.plan, at: null })
  }
  if (!after) return effects
  const { plan, subscriptionId, currentPeriodEnd } = after
  const change = { subject: `${subscriptionId} ${number}`, plan, at: currentPeriodEnd }
  if (after.status === 'past_due') {
    const subject = `${subscriptionId} ${currentPeriodEnd.toISOString()}`
    effects.push({ kind: 'payment-failed', subject, plan, at: after.until })
  } else if (!before || !isSame || before.status === 'past_due')
    effects.push({ ...change, kind: 'plan-started', subject: !before && hasEnded ? change.subject : subscriptionId })
  if (!before || !isSame) return effects
  if (before.plan !== plan) effects.push({ kind: 'plan-changed', ...change })
  else if (before.cancelAtPeriodEnd !== after.cancelAtPeriodEnd)
    effects.push({ kind: after.cancelAtPeriodEnd ? 'plan-cancelled' : 'plan-resumed', ...change })
  return effects
}

/** Whether a user was notified that the plan of a subscription has ended. */
export async function wasPlanEndAnnounced(tx: Db, userId: string, subscriptionId: string): Promise<boolean> {
  const kind: PlanEmail['kind'] = 'plan-ended'
  const { rows } = await sql`
    select 1 from billing_effects
    where user_id = ${userId} and kind = ${kind} and starts_with(subject, ${`${subscriptionId} `})`.execute(tx)
  return rows.length > 0
}

/** Queues the emails of effects that have not happened yet. The caller holds the lock of the user. */
export async function applyEffects(tx: Db, userId: string, effects: readonly BillingEffect[]): Promise<void> {
  for (const { kind, subject, plan, at, amountCents } of effects) {
    const { rows } = await sql<{ email: string }>`
      with effect as (
        insert into billing_effects (user_id, kind, subject) values (${userId}, ${kind}, ${subject})
        on conflict do nothing returning user_id
      ) select email from users join effect on effect.user_id = users.id`.execute(tx)
    const [user] = rows
    if (!user) continue
    const payload = { plan, at: at?.toISOString() ?? null, amountCents: amountCents ?? null }
    await queueEmail(tx, { id: newId(), kind, userId, recipient: user.email, payload })
  }
}
