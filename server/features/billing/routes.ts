import {
  cancelSubscription,
  changeSubscription,
  listInvoices,
  listPlans,
  openBillingPortal,
  openCheckout,
  previewChange,
  refundSubscription,
  resumeSubscription,
  subscriptionStatus,
  verifySession,
  type PlanForSale,
  type SubscriptionStatus,
} from '@keepsnap/contract/billing.ts'
import { planIds, plans } from '@keepsnap/contract/plans.ts'
import type { Dependencies } from '../../dependencies.ts'
import { removalFields } from '../../domain/over-limit-photos.ts'
import { unauthorized } from '../../faults.ts'
import type { Origins } from '../../http/origins.ts'
import type { Serve } from '../../http/serve.ts'
import { canSell } from './check-payments.ts'
import { startCheckout } from './checkout.ts'
import { invoicesOf, portalUrlOf } from './invoices.ts'
import { currentPrices } from './prices.ts'
import { createUsageReads } from './queries.ts'
import { refundAsCustomer } from './refunds.ts'
import { statusView } from './status-view.ts'
import { cancel, changePlan, previewChange as previewChangeOf, resume } from './subscription-changes.ts'
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
