import {
  cancelSubscription,
  changeSubscription,
  type Invoice,
  listInvoices,
  listPlans,
  openBillingPortal,
  openCheckout,
  type PlanForSale,
  refundSubscription,
  resumeSubscription,
  subscriptionStatus,
  type SubscriptionStatus,
  verifySession,
} from '@keepsnap/contract/billing.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { isPlanId, planIds, plans, storageBytes } from '@keepsnap/contract/plans.ts'
import type { Dependencies } from '../../dependencies.ts'
import { removalFields } from '../../domain/over-limit-photos.ts'
import { planOf } from '../../domain/plans.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { Origins } from '../../http/origins.ts'
import type { Serve } from '../../http/serve.ts'
import { isUnknownCustomer } from '../../ports/payments/payments.ts'
import { startCheckout } from './checkout.ts'
import { customerOfUser } from './customers.ts'
import { currentPrices, requirePayments } from './prices.ts'
import { createUsageReads, type UsageRow } from './queries.ts'
import { refundAsCustomer } from './refunds.ts'
import { cancel, changePlan, resume } from './subscription-changes.ts'
import { verifyCheckout } from './verify-session.ts'
import { paymentWebhookRoutes } from './webhook.ts'

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
  serve(refundSubscription, async (_, { actor }) => ({ refunded_cents: await refundAsCustomer(deps, actor.userId) }))
  serve(listInvoices, async (_, { actor }) => invoicesOf(deps, actor.userId))
  serve(openBillingPortal, async (_, { actor }) => ({ url: await portalUrlOf(deps, actor.userId) }))
  paymentWebhookRoutes(serve, deps)
}

/** The plans with the provider's current prices, the cheapest first. */
async function plansForSale({ db, payments }: Pick<Dependencies, 'db' | 'payments'>): Promise<PlanForSale[]> {
  const prices = payments ? await currentPrices(db, payments.kind) : {}
  return planIds.map((id) => ({ ...plans[id], stripe_price_id: prices[id] ?? null }))
}

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
  return paid.slice(0, billingLimits.invoicesMax).map((payment) => ({
    id: payment.id,
    paid_at: payment.paidAt.toISOString(),
    amount_cents: payment.amountCents,
    refunded_cents: payment.refundedCents,
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
  }
}
