import { isUtf8 } from 'node:buffer'
import type Stripe from 'stripe'
import {
  InvalidWebhook,
  type MissingPermission,
  type PaymentEvent,
  PaymentRefused,
  type Payments,
  PaymentsDown,
} from './payments.ts'
import {
  businessView,
  checkoutView,
  createStripeCalls,
  delayedPaymentState,
  disputeView,
  eurRateOf,
  idOf,
  invoicesByIntent,
  invoiceView,
  isDelayed,
  isMissing,
  isStripeId,
  itemOf,
  mostItems,
  paymentView,
  priceView,
  stripeErrorCode,
  stripeStatus,
  stripeTimes,
  subscriptionView,
  unpaidSince,
} from './stripe-objects.ts'
import type { PaymentsConfig } from './payment-settings.ts'

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
    [
      { name: 'Tax IDs: write', isNeededToSell: false },
      () => stripe.customers.createTaxId(noId, { type: 'eu_vat', value: 'BE0123456749' }),
    ],
  ]
}

/** Stripe says so about an object of live mode when a key of test mode was used; nothing real is charged in test mode. */
const isInLiveMode = /exists in live mode/

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
  const calls = createStripeCalls(Stripe.errors)
  const isLive = /^\w\w_live_/.test(config.secretKey)

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

  const taxSettings = () => calls.send(() => stripe.tax.settings.retrieve())
  /** Whether tax is added to a price. Without a behaviour of its own, the price has that of the account. */
  async function addsTax({ tax_behavior: own, currency }: Stripe.Price): Promise<boolean> {
    if (own === 'inclusive') return false
    const { status, defaults } = await taxSettings()
    if (status !== 'active') return false
    if (own === 'exclusive') return true
    const { tax_behavior: ofAccount } = defaults
    // Stripe infers `exclusive` for these currencies and `inclusive` for all others.
    if (ofAccount === 'inferred_by_currency') return currency === 'usd' || currency === 'cad'
    return ofAccount !== 'inclusive'
  }

  /** A request about a customer by its id, where Stripe says of the id only that there is nothing under it. */
  async function ofCustomer<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof PaymentRefused) || !isMissing(error)) throw error
      throw new PaymentRefused(error.message, { isCustomerUnknown: true, cause: error.cause })
    }
  }
  const taxIdsOf = (id: string) =>
    ofCustomer(() => calls.list((page) => stripe.customers.listTaxIds(id, page), mostItems))
  const findSession = async (id: string) =>
    isStripeId(id) ? calls.find(() => stripe.checkout.sessions.retrieve(id)) : null
  /** A session says until the end that it is unpaid, also when its payment has failed: the charges of its invoice say which. */
  async function delayedPayment(session: Stripe.Checkout.Session) {
    const [customer, subscription, invoiceId] = [session.customer, session.subscription, session.invoice].map(idOf)
    if (!customer || !subscription) return 'pending'
    const charges = await calls.list((page) => stripe.charges.list({ customer, ...page }), mostItems)
    // Asked after the charges, so that a payment that arrives meanwhile is not missed.
    const expand = ['data.payments']
    const invoices = await calls.list((page) => stripe.invoices.list({ subscription, expand, ...page }), mostItems)
    return delayedPaymentState(
      invoices.find(({ id }) => id === invoiceId),
      charges,
    )
  }

  /** Our view of a subscription, for which it reads the invoices if a payment is overdue. */
  async function viewOf(subscription: Stripe.Subscription) {
    const { id, status } = subscription
    if (status !== 'past_due') return subscriptionView(subscription)
    // With the setting to leave subscriptions past due, each unpaid period starts another one.
    const invoices = await calls.list((page) => stripe.invoices.list({ subscription: id, ...page }), mostItems)
    return subscriptionView(subscription, unpaidSince(invoices))
  }
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

  async function allPaymentsOf(customer: string) {
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
    kind: 'stripe',
    async missingPermissions() {
      const missing = []
      // One after the other: Stripe limits how many come at once, and customers come first.
      for (const [permission, request] of permissionProbes(stripe))
        if (!(await isGranted(request))) missing.push(permission)
      return missing
    },
    async createCustomer({ reference, email }, idempotencyKey) {
      const customer = { email, metadata: { reference } }
      return (await calls.send(() => stripe.customers.create(customer, { idempotencyKey }))).id
    },
    async isCustomerGone(id) {
      if (!isStripeId(id)) return true
      try {
        return (await calls.send(() => stripe.customers.retrieve(id))).deleted === true
      } catch (error) {
        if (!(error instanceof PaymentRefused) || !isMissing(error)) throw error
        return !isInLiveMode.test(error.message)
      }
    },
    async businessOf(id) {
      const customer = await ofCustomer(() => calls.send(() => stripe.customers.retrieve(id)))
      return customer.deleted ? null : businessView(customer.name, customer.address, await taxIdsOf(id))
    },
    async setBusiness(id, business) {
      const address = business && {
        line1: business.street,
        postal_code: business.postalCode,
        city: business.city,
        country: business.country,
      }
      const before = (await taxIdsOf(id)).filter(({ type }) => type === 'eu_vat')
      const value = business?.vatNumber
      // First, because it may be refused: then nothing is changed.
      if (value !== undefined && !before.some((taxId) => taxId.value === value))
        await ofCustomer(() => calls.send(() => stripe.customers.createTaxId(id, { type: 'eu_vat', value })))
      const details = { name: business?.name ?? '', address: address ?? ('' as const) }
      await ofCustomer(() => calls.send(() => stripe.customers.update(id, details)))
      for (const taxId of before)
        if (taxId.value !== value) await calls.find(() => stripe.customers.deleteTaxId(id, taxId.id))
    },
    async price(id) {
      const price = isStripeId(id) ? await calls.find(() => stripe.prices.retrieve(id)) : null
      return price && priceView(price, await addsTax(price))
    },
    async openCheckout({ customerId, priceId, reference, successUrl, cancelUrl }, idempotencyKey) {
      // Stripe calculates taxes only when asked to, and refuses that until its account is set up for it.
      const { status } = await taxSettings()
      const session = {
        mode: 'subscription',
        customer: customerId,
        client_reference_id: reference,
        line_items: [{ price: priceId, quantity: 1 }],
        success_url: successUrl,
        cancel_url: cancelUrl,
        // A business may enter its name and VAT number, which are kept with the customer.
        tax_id_collection: { enabled: true },
        customer_update: { name: 'auto' as const, address: 'auto' as const },
        ...(status === 'active' && { automatic_tax: { enabled: true } }),
      }
      return checkoutView(await calls.send(() => stripe.checkout.sessions.create(session, { idempotencyKey })))
    },
    async checkout(id) {
      const session = await findSession(id)
      return session && checkoutView(session, isDelayed(session) ? await delayedPayment(session) : undefined)
    },
    async expireCheckout(id) {
      try {
        await calls.send(() => stripe.checkout.sessions.expire(id))
      } catch (error) {
        // Only an open one can be expired.
        if (!(error instanceof PaymentRefused) || (await findSession(id))?.status === 'open') throw error
      }
    },
    async openCheckoutsOf(customer) {
      const sessions = await calls.list(
        (page) => stripe.checkout.sessions.list({ customer, status: 'open', ...page }),
        mostItems,
      )
      return sessions.map((session) => checkoutView(session))
    },
    async portalUrl(customer, returnUrl) {
      try {
        const session = { customer, return_url: returnUrl }
        return (await calls.send(() => stripe.billingPortal.sessions.create(session))).url
      } catch (error) {
        // There is no portal until its settings have been saved once.
        if (error instanceof PaymentRefused && !isMissing(error) && /\bconfiguration\b/.test(error.message)) return null
        throw error
      }
    },
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
    paymentsOf: async (customer) => (await allPaymentsOf(customer)).slice(0, mostPayments),
    async eurRatesOf(customer) {
      const expand = ['data.balance_transaction']
      try {
        const charges = await calls.list((page) => stripe.charges.list({ customer, expand, ...page }), mostItems)
        return new Map(
          charges.flatMap(({ id, balance_transaction }): [string, number][] => {
            const rate = eurRateOf(balance_transaction)
            return rate === null ? [] : [[id, rate]]
          }),
        )
      } catch (error) {
        // A restricted key may read charges, but not what is expanded in them.
        if (error instanceof PaymentsDown && stripeStatus(error) === 403) return new Map()
        throw error
      }
    },
    async invoicesOf(customer) {
      const invoices = await calls.list((page) => stripe.invoices.list({ customer, ...page }), mostPayments)
      const issued = invoices.filter(({ status }) => status === 'paid' || status === 'open')
      return issued.slice(0, mostPayments).map(invoiceView)
    },
    async payerOf(id) {
      const charge = isStripeId(id) ? await calls.find(() => stripe.charges.retrieve(id)) : null
      return idOf(charge?.customer)
    },
    async disputesOf(customer) {
      const disputes = []
      for (const { id: charge, subscriptionId, isDisputed } of await allPaymentsOf(customer)) {
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
    async refund(charge, idempotencyKey, cents) {
      const params = cents === undefined ? { charge } : { charge, amount: cents }
      try {
        // Without an amount: what is left. The same key gives the same answer for 24 hours at least.
        return (await calls.send(() => stripe.refunds.create(params, { idempotencyKey }))).amount
      } catch (error) {
        // The bank has taken back what is disputed.
        if (error instanceof PaymentRefused && nothingLeft.has(stripeErrorCode(error))) return 0
        throw error
      }
    },
    readWebhook(body, header) {
      if (!header) throw new InvalidWebhook('there is no signature')
      // Bytes that are not UTF-8 would be replaced before the signature is computed.
      if (!isUtf8(body)) throw new InvalidWebhook('the body is not UTF-8')
      let event: Partial<Stripe.Event> | null
      try {
        // Without tolerance for the time, which is checked after the signature.
        event = stripe.webhooks.constructEvent(body.toString(), header, config.webhookSecret, 0)
      } catch (error) {
        throw new InvalidWebhook(error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : 'not verified')
      }
      const ageSeconds = Date.now() / 1000 - signedAt(header)
      if (!(Math.abs(ageSeconds) <= toleranceSeconds))
        throw new InvalidWebhook(`it was signed ${Math.round(ageSeconds)} s ago`, { isTimeOff: true })
      if (!event || !isEvent(event)) throw new InvalidWebhook('the body is not an event')
      if (event.livemode !== isLive) throw new InvalidWebhook(`an event of ${isLive ? 'test' : 'live'} mode`)
      return eventView(event)
    },
    /**
     * Stripe lists the newest first, so they are read day by day from the oldest. This machine's clock affects only the number
     * of requests, not which events are read.
     */
    async *eventsSince(time) {
      const days = Math.min(keptDays, Math.max(1, Math.ceil((Date.now() - time.getTime()) / dayMs)))
      for (let day = 0; day < days; day += 1) {
        const from = Math.floor((time.getTime() + day * dayMs) / 1000)
        const created = { gte: from, ...(day + 1 < days && { lt: from + dayMs / 1000 }) }
        const events = await calls.list(async (page) => {
          const { data, has_more } = await stripe.events.list({ created, types: [...stripeEventTypes], ...page })
          return { data: data.map(eventView), has_more }
        }, mostEventsPerDay)
        if (events.length >= mostEventsPerDay) throw new Error('Stripe lists too many events of one day')
        yield* events.toReversed()
      }
    },
  }
}

/** The events that Keepsnap needs; a webhook endpoint at Stripe is set up with these. At most 20, by Stripe's list of events. */
export const stripeEventTypes = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.deleted',
  'customer.updated',
  'customer.tax_id.created',
  'customer.tax_id.deleted',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
] as const

const toleranceSeconds = 300
const dayMs = 24 * 60 * 60 * 1000
/** Stripe keeps events for 30 days. */
const keptDays = 30
/** In one day; more are an error. */
const mostEventsPerDay = 100_000

/** The customer whom an event concerns: the object itself, or the one that it names. */
function customerOf(object: { object?: unknown; id?: unknown; customer?: unknown }): string | null {
  const { customer } = object
  if (object.object === 'customer') return typeof object.id === 'string' ? object.id : null
  if (typeof customer === 'string') return customer
  const isExpanded = typeof customer === 'object' && customer !== null && 'id' in customer
  return isExpanded && typeof customer.id === 'string' ? customer.id : null
}

function eventView({ id, type, created, data }: Stripe.Event): PaymentEvent {
  const event = { id, type, createdAt: new Date(created * 1000) }
  if (data.object.object === 'dispute') {
    const paymentId = idOf(data.object.charge)
    return { ...event, customerId: null, ...(paymentId !== null && { paymentId }) }
  }
  return { ...event, customerId: customerOf(data.object) }
}

/** The time in a header of signatures, in seconds; the package takes the last one too. */
const signedAt = (header: string): number =>
  Number.parseInt(
    header
      .split(',')
      .findLast((part) => /^t=\d/.test(part))
      ?.slice(2) ?? '',
    10,
  )

/** What is signed is Stripe's, but not always an event of this kind. */
function isEvent(event: Partial<Stripe.Event>): event is Stripe.Event {
  const { object, id, type, created, data } = event
  const hasData = typeof data?.object === 'object' && data.object !== null
  return (
    object === 'event' && typeof id === 'string' && typeof type === 'string' && Number.isInteger(created) && hasData
  )
}
