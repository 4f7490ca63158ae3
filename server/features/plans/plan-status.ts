import { sql } from 'kysely'
import {
  cancelSubscription,
  changeSubscription,
  type Invoice,
  listInvoices,
  listPlans,
  openBillingPortal,
  openCheckout,
  type PlanForSale,
  previewChange,
  refundSubscription,
  resumeSubscription,
  type SubscriptionState,
  type SubscriptionStatus,
  subscriptionStatus,
  verifySession,
} from '@keepsnap/contract/subscriptions.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/site.ts'
import { isPlanId, planIds, plans, storageBytes } from '@keepsnap/contract/plans.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, unauthorized } from '../../faults.ts'
import { isUnknownCustomer } from '../../ports/payments/payments.ts'
import { coalesce, prepareQuery } from '../../platform/db/prepared-query.ts'
import type { Database, Db } from '../../platform/db/connect.ts'
import type { Origins } from '../../platform/http/origins.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { customerOfUser } from './customers.ts'
import { withoutTakenBack } from './sync-customer.ts'
import { canSell, currentPrices, requirePayments } from './prices.ts'
import { currentMonth, currentPlan, type PlanColumn, planOf, storedBytes } from './plans.ts'
import { removalFields } from './over-limit-photos.ts'
import { startCheckout, verifyCheckout } from './checkout.ts'
import { refundAsCustomer } from './refunds.ts'
import { cancel, changePlan, previewChange as previewChangeOf, resume } from './subscription-changes.ts'
import { paymentWebhookRoutes } from './payment-events.ts'

const nothingPaid = 'You have not paid for a plan, so there are no invoices.'

/** What a user paid, newest first. */
async function invoicesOf({ db, payments }: Pick<Dependencies, 'db' | 'payments'>, userId: string): Promise<Invoice[]> {
  if (!payments) return []
  const customerId = await customerOfUser(db, userId, payments.kind)
  if (customerId === undefined) return []
  const paid = await payments.paymentsOf(customerId).catch((error: unknown) => {
    if (isUnknownCustomer(error)) return []
    throw error
  })
  const refundable = new Set((await withoutTakenBack(db, customerId, paid)).map(({ id }) => id))
  return paid.slice(0, billingLimits.invoicesMax).map((payment) => ({
    id: payment.id,
    paid_at: payment.paidAt.toISOString(),
    amount_cents: payment.amountCents,
    refunded_cents: payment.refundedCents,
    ...(!refundable.has(payment.id) && { is_disputed: true }),
    url: payment.invoiceUrl,
  }))
}

/** The provider's page for a user's card and invoices. */
async function portalUrlOf(
  { config, db, payments: sold }: Pick<Dependencies, 'config' | 'db' | 'payments'>,
  userId: string,
): Promise<string> {
  const payments = requirePayments(sold)
  const customerId = await customerOfUser(db, userId, payments.kind)
  if (customerId === undefined) throw new Fault('conflict', nothingPaid)
  const url = await payments.portalUrl(customerId, `${config.publicUrl}${pages.settings}`).catch((error: unknown) => {
    if (isUnknownCustomer(error)) throw new Fault('conflict', nothingPaid)
    throw error
  })
  if (url === null) throw new Fault('conflict', 'These payments are a demonstration: there is no card to manage.')
  return url
}

/** What a user has used, which plan counts, and what determines it. */
interface UsageRow extends PlanColumn {
  photos: number
  bytes: number
  monthEndsAt: Date
  /** A complimentary plan that has not ended. */
  grantedPlan: string | null
  grantedUntil: Date | null
  /** The subscription that counts now. */
  paidPlan: string | null
  paidStatus: SubscriptionState | null
  cancelAtPeriodEnd: boolean | null
  currentPeriodEnd: Date | null
  paidUntil: Date | null
  creditCents: number | null
  refundableUntil: Date | null
  /** A payment that takes days, and the plan that it is for: it is under way, or has failed lately. */
  delayedState: 'pending' | 'failed' | null
  delayedPlan: string | null
  /** Whether photos are going to be removed, or can be put back. */
  hasRemovals: boolean
}

/** For how long Settings say that a payment has failed, unless a later one is made. */
const failureShownDays = 14

const usageQuery = sql<UsageRow>`
  select ${currentPlan} as plan,
    coalesce((select uploads from usage_months where user_id = users.id and month = ${currentMonth}), 0) as photos,
    (select ${storedBytes} from photos where user_id = users.id and deleted_at is null and state <> 'receiving') as bytes,
    (${currentMonth} + interval '1 month') at time zone 'utc' as "monthEndsAt",
    case when granted_until is null or granted_until > now() then granted_plan end as "grantedPlan",
    granted_until as "grantedUntil",
    paid.plan as "paidPlan", paid.status as "paidStatus", paid.cancel_at_period_end as "cancelAtPeriodEnd",
    paid.current_period_end as "currentPeriodEnd", paid.until as "paidUntil", paid.credit_cents as "creditCents",
    case when refundable.until > billing_now() then refundable.until end as "refundableUntil",
    delayed.state as "delayedState", delayed.plan as "delayedPlan",
    exists (select from photo_keeping where photo_keeping.user_id = users.id)
      or exists (select from photo_removals where photo_removals.user_id = users.id) as "hasRemovals"
  from users
    left join paid_plans paid on paid.user_id = users.id and paid.until > billing_now()
      and paid.provider = (select provider from payment_settings)
    left join billing_customers customer on customer.user_id = users.id and replaced_at is null
      and customer.provider = (select provider from payment_settings)
    left join lateral (
      select first_paid_at + make_interval(days => ${sql.lit(billingLimits.refundDays)}) as until
      where not nothing_to_refund and not exists (
        select from refunds where refunds.customer_id = customer.customer_id and subscription_id is null)
    ) refundable on true
    left join lateral (
      select case when state <> 'paid' then state end as state, plan_prices.plan from checkouts
        join plan_prices on plan_prices.price_id = checkouts.price_id and plan_prices.provider = customer.provider
      where checkouts.customer_id = customer.customer_id and (state in ('pending', 'paid')
        or state = 'failed' and state_since > now() - make_interval(days => ${sql.lit(failureShownDays)}))
      order by state = 'pending' desc, created_at desc limit 1
    ) delayed on true
  where users.id = ${''}`

/** The plan and the usage of a user as they are now; undefined when the account is gone. */
export type UsageReads = (userId: string) => Promise<UsageRow | undefined>

/** A prepared statement with coalesced concurrent reads, because open pages read this often. */
function createUsageReads(db: Db, pool: Database['pool']): UsageReads {
  const usage = coalesce(prepareQuery(pool, 'billing usage', usageQuery.compile(db)))
  return async (userId) => (await usage([userId]))[0]
}

const percentOf = (used: number, limit: number): number => Math.round((1000 * used) / limit) / 10

function complimentaryView({ grantedPlan, grantedUntil }: UsageRow): SubscriptionStatus['complimentary'] {
  if (grantedPlan === null || !isPlanId(grantedPlan)) return null
  const { id, name } = plans[grantedPlan]
  return { id, name, until: grantedUntil?.toISOString() ?? null }
}

function subscriptionView(usage: UsageRow): SubscriptionStatus['subscription'] {
  const { paidPlan, paidStatus, currentPeriodEnd, paidUntil, creditCents } = usage
  // A row of `paid_plans` has all of them.
  if (paidPlan === null || paidStatus === null || currentPeriodEnd === null || paidUntil === null) return null
  const { id, name, price_cents, interval_type } = planOf({ plan: paidPlan })
  return {
    plan: { id, name, price_cents, interval_type },
    status: paidStatus,
    cancel_at_period_end: usage.cancelAtPeriodEnd ?? false,
    current_period_end: currentPeriodEnd.toISOString(),
    grace_until: paidStatus === 'past_due' ? paidUntil.toISOString() : null,
    ...(creditCents && { credit_cents: creditCents }),
  }
}

function delayedView({
  delayedState: state,
  delayedPlan,
  paidPlan,
}: UsageRow): Pick<SubscriptionStatus, 'delayed_payment'> {
  if (state === null || delayedPlan === null || !isPlanId(delayedPlan)) return {}
  if (state === 'failed' && paidPlan !== null) return {}
  const { id, name } = plans[delayedPlan]
  return { delayed_payment: { state, plan: { id, name } } }
}

/** The status of a user's plan as the API returns it. */
function statusView(usage: UsageRow, payments: SubscriptionStatus['payments']): SubscriptionStatus {
  const plan = planOf(usage)
  const { id, name, price_cents, interval_type, features } = plan
  const { max_photos, storage_gb, max_file_size_mb } = features
  const complimentary = complimentaryView(usage)
  const subscription = subscriptionView(usage)
  return {
    has_subscription: subscription !== null,
    subscription,
    plan: { id, name, price_cents, interval_type, features },
    complimentary,
    until: complimentary?.id === id ? complimentary.until : null,
    current_usage: { photos_uploaded: usage.photos, storage_used_bytes: usage.bytes },
    plan_limits: { max_photos, storage_gb, max_file_size_mb },
    usage_percentage: {
      photos: percentOf(usage.photos, max_photos),
      storage: percentOf(usage.bytes, storageBytes(plan)),
    },
    month_ends_at: usage.monthEndsAt.toISOString(),
    payments,
    refundable_until: usage.refundableUntil?.toISOString() ?? null,
    ...delayedView(usage),
  }
}

type BillingDependencies = Pick<Dependencies, 'config' | 'db' | 'log' | 'metrics' | 'payments' | 'pool'> & {
  origins: Origins
}

/** Plans, subscriptions and what is paid for them. */
export function billingRoutes(serve: Serve, deps: BillingDependencies): void {
  const { db, payments, pool } = deps
  const usageOf = createUsageReads(db, pool)
  const statusOf = async (userId: string): Promise<SubscriptionStatus> => {
    const usage = await usageOf(userId)
    if (!usage) throw unauthorized()
    return {
      ...statusView(usage, payments?.kind ?? 'off'),
      ...(usage.hasRemovals && (await removalFields(db, userId))),
    }
  }
  serve(listPlans, async () => plansForSale(deps))
  serve(subscriptionStatus, async (_, { actor }) => statusOf(actor.userId))
  serve(openCheckout, async ({ body }, { actor }) => ({ checkout_url: await startCheckout(deps, actor, body) }))
  serve(verifySession, async ({ body }, { actor }) => verifyCheckout(deps, actor.userId, body.session_id))
  serve(cancelSubscription, async (_, { actor }) => {
    await cancel(deps, actor.userId)
    return statusOf(actor.userId)
  })
  serve(resumeSubscription, async (_, { actor }) => {
    await resume(deps, actor.userId)
    return statusOf(actor.userId)
  })
  serve(changeSubscription, async ({ body }, { actor }) => {
    await changePlan(deps, actor.userId, body.price_id)
    return statusOf(actor.userId)
  })
  serve(previewChange, async ({ body }, { actor }) => previewChangeOf(deps, actor.userId, body.price_id))
  serve(refundSubscription, async (_, { actor }) => ({ refunded_cents: await refundAsCustomer(deps, actor.userId) }))
  serve(listInvoices, async (_, { actor }) => invoicesOf(deps, actor.userId))
  serve(openBillingPortal, async (_, { actor }) => ({ url: await portalUrlOf(deps, actor.userId) }))
  paymentWebhookRoutes(serve, deps)
}

/** The plans with the provider's current prices, the cheapest first. */
async function plansForSale({ db, payments }: Pick<Dependencies, 'db' | 'payments'>): Promise<PlanForSale[]> {
  const prices = payments ? await currentPrices(db, payments.kind) : {}
  if (await canSell(db)) return planIds.map((id) => ({ ...plans[id], stripe_price_id: prices[id] ?? null }))
  return planIds.map((id) => ({ ...plans[id], stripe_price_id: null, ...(prices[id] && { is_paused: true }) }))
}
