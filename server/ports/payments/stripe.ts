import type Stripe from 'stripe'
import type { PaymentsConfig } from './payment-settings.ts'
import { PaymentRefused, PaymentsDown, type MissingPermission, type Payments, type Subscription } from './payments.ts'
import {
  stripeErrorCode,
  stripeStatus,
  createStripeCalls,
  isStripeId,
  mostItems,
  stripeTimes,
  type StripeContext,
} from './stripe-calls.ts'
import { checkouts, customers, portal } from './stripe-checkouts.ts'
import { stripeEventsSince, webhookReader } from './stripe-events.ts'
import {
  disputeView,
  idOf,
  invoicesByIntent,
  itemOf,
  paymentView,
  subscriptionView,
  unpaidSince,
} from './stripe-views.ts'

type StripeConfig = Extract<PaymentsConfig, { kind: 'stripe' }>

const mostPayments = 100
/** Why there is nothing to refund. */
const nothingLeft = new Set<string | undefined>([
  'charge_already_refunded',
  'charge_disputed',
  'refund_disputed_payment',
])

/** States of a refund that gives nothing back. */
const hasComeToNothing = new Set<string | null>(['failed', 'canceled'])

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

type Subscriptions = Pick<
  Payments,
  'subscriptionsOf' | 'changePrice' | 'previewChange' | 'setCancelAtPeriodEnd' | 'cancelNow'
>

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
  // The credit is the customer's; the invoice says whether anything was ever paid.
  const expand = ['customer', 'latest_invoice']
  const retrieve = (id: string) => {
    if (!isStripeId(id)) throw new PaymentRefused(`no subscription "${id}"`)
    return calls.send(() => stripe.subscriptions.retrieve(id, { expand }))
  }
  /** A subscription whose price can be changed. */
  const retrievePaid = async (id: string) => {
    const current = await retrieve(id)
    // An unpaid period would be set off like a paid one.
    if (subscriptionView(current).state !== 'active')
      throw new PaymentRefused(`subscription ${id} is ${current.status}`)
    return current
  }
  return {
    async subscriptionsOf(customer) {
      const listParams = { customer, status: 'all' as const, expand: expand.map((name) => `data.${name}`) }
      const all = await calls.list((page) => stripe.subscriptions.list({ ...listParams, ...page }), mostItems)
      return Promise.all(all.toReversed().map(viewOf))
    },
    async changePrice(id, priceId, idempotencyKey) {
      const current = await retrievePaid(id)
      const item = itemOf(current)
      if (item.price.id === priceId) return viewOf(current)
      const change = {
        items: [{ id: item.id, price: priceId }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
        expand,
      }
      return viewOf(await calls.send(() => stripe.subscriptions.update(id, change, { idempotencyKey })))
    },
    async previewChange(id, priceId) {
      const item = itemOf(await retrievePaid(id))
      const details = { items: [{ id: item.id, price: priceId }], proration_behavior: 'always_invoice' }
      const { amount_due, total, starting_balance } = await calls.send(() =>
        stripe.invoices.createPreview({ subscription: id, subscription_details: details }),
      )
      // A credit is a balance below zero.
      return { chargedCents: amount_due, creditCents: Math.max(0, -(total + starting_balance)) }
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

type PaymentsAndRefunds = Pick<
  Payments,
  'paymentsOf' | 'refund' | 'refundedCents' | 'dropCredit' | 'payerOf' | 'disputesOf'
>

function paymentsAndRefunds({ stripe, calls }: StripeContext): PaymentsAndRefunds {
  const paymentsOf = async (customer: string) => {
    const charges = await calls.list((page) => stripe.charges.list({ customer, ...page }), mostItems)
    const received = charges.filter(({ status, captured }) => status === 'succeeded' && captured)
    if (!received.length) return []
    // Asked after the charges, so that the invoice of each is among them.
    const invoices = await calls.list(
      (page) => stripe.invoices.list({ customer, expand: ['data.payments'], ...page }),
      mostItems,
    )
    const byIntent = invoicesByIntent(invoices)
    return received.map((charge) => paymentView(charge, byIntent.get(idOf(charge.payment_intent) ?? '')))
  }
  return {
    paymentsOf: async (customer) => (await paymentsOf(customer)).slice(0, mostPayments),
    async payerOf(id) {
      const charge = isStripeId(id) ? await calls.find(() => stripe.charges.retrieve(id)) : null
      return idOf(charge?.customer)
    },
    async disputesOf(customer) {
      const disputes = []
      for (const { id: charge, subscriptionId, isDisputed } of await paymentsOf(customer)) {
        if (!isDisputed) continue
        const ofCharge = await calls.list((page) => stripe.disputes.list({ charge, ...page }), mostItems)
        disputes.push(...ofCharge.map((dispute) => disputeView(dispute, subscriptionId)))
      }
      return disputes.toSorted((a, b) => b.openedAt.getTime() - a.openedAt.getTime())
    },
    async refundedCents(charge) {
      const refunds = await calls.list((page) => stripe.refunds.list({ charge, ...page }), mostItems)
      return refunds.reduce((sum, { amount, status }) => sum + (hasComeToNothing.has(status) ? 0 : amount), 0)
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

/** In no account: a request about it is refused for its permission first, and otherwise because there is nothing under it. */
const noId = 'keepsnap_check'

/** A request for each permission of a restricted key that Keepsnap uses; none changes anything. */
const permissionProbes = (stripe: Stripe): [MissingPermission, () => Promise<unknown>][] => {
  const needed = (name: string): MissingPermission => ({ name, isNeededToSell: true })
  return [
    [needed('Customers: write'), () => stripe.customers.update(noId, { balance: 0 })],
    [needed('Checkout Sessions: write'), () => stripe.checkout.sessions.expire(noId)],
    [needed('Subscriptions: write'), () => stripe.subscriptions.update(noId, { cancel_at_period_end: true })],
    [needed('Charges and Refunds: write'), () => stripe.refunds.create({ charge: noId })],
    [needed('Customer portal: write'), () => stripe.billingPortal.sessions.create({ customer: noId })],
    [needed('Charges and Refunds: read'), () => stripe.charges.list({ limit: 1 })],
    [needed('Invoices: read'), () => stripe.invoices.list({ limit: 1 })],
    [needed('Prices: read'), () => stripe.prices.retrieve(noId)],
    [needed('Events: read'), () => stripe.events.list({ limit: 1 })],
    [needed('Tax Settings: read'), () => stripe.tax.settings.retrieve()],
    // Keys of installations that are older than these calls lack these.
    [{ name: 'Disputes: read', isNeededToSell: false }, () => stripe.disputes.list({ limit: 1 })],
    [{ name: 'Invoices: write', isNeededToSell: false }, () => stripe.invoices.createPreview({ subscription: noId })],
  ]
}

function access({ stripe, calls }: StripeContext): Pick<Payments, 'missingPermissions'> {
  const isGranted = async (request: () => Promise<unknown>): Promise<boolean> => {
    try {
      await calls.send(request)
    } catch (error) {
      if (error instanceof PaymentsDown) {
        if (stripeStatus(error) === 403) return false
        throw error
      }
      if (!(error instanceof PaymentRefused)) throw error
    }
    return true
  }
  return {
    async missingPermissions() {
      const missing = []
      // One after the other: Stripe limits how many come at once, and customers come first.
      for (const [permission, request] of permissionProbes(stripe))
        if (!(await isGranted(request))) missing.push(permission)
      return missing
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
    ...access(context),
    ...customers(context),
    ...checkouts(context),
    ...portal(context),
    ...subscriptions(context),
    ...paymentsAndRefunds(context),
    readWebhook: (body, signature) => readWebhook(body, signature, Date.now()),
    eventsSince: (time) => stripeEventsSince(stripe, context.calls, time),
  }
}
