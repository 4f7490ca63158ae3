import type Stripe from 'stripe'
import type { PaymentsConfig } from './payment-settings.ts'
import { PaymentRefused, type Payments, type Subscription } from './payments.ts'
import {
  stripeErrorCode,
  createStripeCalls,
  isStripeId,
  mostItems,
  stripeTimes,
  type StripeContext,
} from './stripe-calls.ts'
import { checkouts, customers, portal } from './stripe-checkouts.ts'
import { stripeEventsSince, webhookReader } from './stripe-events.ts'
import { idOf, invoicesByIntent, itemOf, paymentView, subscriptionView, unpaidSince } from './stripe-views.ts'

type StripeConfig = Extract<PaymentsConfig, { kind: 'stripe' }>

const mostPayments = 100
/** Why there is nothing to refund. */
const nothingLeft = new Set<string | undefined>([
  'charge_already_refunded',
  'charge_disputed',
  'refund_disputed_payment',
])

/** The address of Stripe's API as the package takes it. */
function addressOf(apiBase: string | undefined) {
  if (apiBase === undefined) return {}
  const { protocol, hostname, port } = new URL(apiBase)
  const isHttp = protocol === 'http:'
  return {
    host: hostname,
    port: port || (isHttp ? '80' : '443'),
    protocol: isHttp ? ('http' as const) : ('https' as const),
  }
}

type Subscriptions = Pick<Payments, 'subscriptionsOf' | 'changePrice' | 'setCancelAtPeriodEnd' | 'cancelNow'>

/** Our view of a subscription, for which it reads the invoices if a payment is overdue. */
const subscriptionViews =
  ({ stripe, calls }: StripeContext) =>
  async (subscription: Stripe.Subscription): Promise<Subscription> => {
    const { id, status } = subscription
    if (status !== 'past_due') return subscriptionView(subscription)
    // With the setting to leave subscriptions past due, each unpaid period starts another one.
    const invoices = await calls.list((page) => stripe.invoices.list({ subscription: id, ...page }), mostItems)
    return subscriptionView(subscription, unpaidSince(invoices))
  }

function subscriptions(context: StripeContext): Subscriptions {
  const { stripe, calls } = context
  const viewOf = subscriptionViews(context)
  // The credit is the customer's.
  const expand = ['customer']
  const retrieve = (id: string) => {
    if (!isStripeId(id)) throw new PaymentRefused(`no subscription "${id}"`)
    return calls.send(() => stripe.subscriptions.retrieve(id, { expand }))
  }
  return {
    async subscriptionsOf(customer) {
      const listParams = { customer, status: 'all' as const, expand: ['data.customer'] }
      const all = await calls.list((page) => stripe.subscriptions.list({ ...listParams, ...page }), mostItems)
      return Promise.all(all.toReversed().map(viewOf))
    },
    async changePrice(id, priceId, idempotencyKey) {
      const current = await retrieve(id)
      const item = itemOf(current)
      // An unpaid period would be set off like a paid one.
      if (subscriptionView(current).state !== 'active')
        throw new PaymentRefused(`subscription ${id} is ${current.status}`)
      if (item.price.id === priceId) return viewOf(current)
      const change = {
        items: [{ id: item.id, price: priceId }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
        expand,
      }
      return viewOf(await calls.send(() => stripe.subscriptions.update(id, change, { idempotencyKey })))
    },
    async setCancelAtPeriodEnd(id, cancels) {
      const current = await retrieve(id)
      if (current.ended_at !== null) throw new PaymentRefused(`subscription ${id} has ended`)
      if (subscriptionView(current).cancelAtPeriodEnd === cancels) return viewOf(current)
      const isDate = !cancels && !current.cancel_at_period_end
      const change: Stripe.SubscriptionUpdateParams = isDate ? { cancel_at: '' } : { cancel_at_period_end: cancels }
      return viewOf(await calls.send(() => stripe.subscriptions.update(id, { ...change, expand })))
    },
    async cancelNow(id) {
      try {
        await calls.send(() => stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false }))
      } catch (error) {
        if (!(error instanceof PaymentRefused) || (await retrieve(id)).ended_at === null) throw error
      }
    },
  }
}

function paymentsAndRefunds({ stripe, calls }: StripeContext): Pick<Payments, 'paymentsOf' | 'refund' | 'dropCredit'> {
  return {
    async paymentsOf(customer) {
      const charges = await calls.list((page) => stripe.charges.list({ customer, ...page }), mostItems)
      const received = charges.filter(({ status, captured }) => status === 'succeeded' && captured)
      if (!received.length) return []
      // Asked after the charges, so that the invoice of each is among them.
      const invoices = await calls.list(
        (page) => stripe.invoices.list({ customer, expand: ['data.payments'], ...page }),
        mostItems,
      )
      const byIntent = invoicesByIntent(invoices)
      return received
        .slice(0, mostPayments)
        .map((charge) => paymentView(charge, byIntent.get(idOf(charge.payment_intent) ?? '')))
    },
    async dropCredit(id) {
      const customer = await calls.find(() => stripe.customers.retrieve(id))
      // A credit is a balance below zero.
      if (customer && !customer.deleted && customer.balance < 0)
        await calls.send(() => stripe.customers.update(id, { balance: 0 }))
    },
    async refund(charge, idempotencyKey) {
      try {
        // Without an amount: what is left. The same key gives the same answer for 24 hours at least.
        return (await calls.send(() => stripe.refunds.create({ charge }, { idempotencyKey }))).amount
      } catch (error) {
        // The bank has taken back what is disputed.
        if (error instanceof PaymentRefused && nothingLeft.has(stripeErrorCode(error))) return 0
        throw error
      }
    },
  }
}

/** Payments by card at Stripe. Resolves when its package is loaded; asks Stripe nothing yet. */
export async function stripePayments(config: StripeConfig): Promise<Payments> {
  const { default: Stripe } = await import('stripe')
  const stripe = new Stripe(config.secretKey, {
    apiVersion: '2026-10-28.endive',
    maxNetworkRetries: stripeTimes.retries,
    timeout: stripeTimes.attemptMs,
    telemetry: false,
    ...addressOf(config.apiBase),
  })
  const context = { stripe, calls: createStripeCalls(Stripe.errors) }
  const readWebhook = webhookReader(stripe, config.webhookSecret, /^\w\w_live_/.test(config.secretKey))
  return {
    kind: 'stripe',
    ...customers(context),
    ...checkouts(context),
    ...portal(context),
    ...subscriptions(context),
    ...paymentsAndRefunds(context),
    readWebhook: (body, signature) => readWebhook(body, signature, Date.now()),
    eventsSince: (time) => stripeEventsSince(stripe, context.calls, time),
  }
}
