/** What the double stores and answers: Stripe's objects, of which it fills in what our side can read. */
import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'

interface NewInvoice {
  subscription: Subscription
  reason: NonNullable<Invoice['billing_reason']>
  total: number
  /** Of the total, what is given back for another price. */
  before?: { price: Price; cents: number; end: number } | undefined
}

/** Builds an invoice that is not paid yet; the customer's credit is used up first. */
function buildInvoice(store: Store, { subscription, reason, total, before }: NewInvoice): Invoice {
  const customer = store.customers.get(subscription.customer)! // it has a subscription
  const id = store.newId('in')
  const created = store.clock.now()
  const { current_period_start, current_period_end } = subscription.items.data[0]! // each has one
  const startingBalance = customer.balance
  const due = Math.max(0, total + startingBalance)
  customer.balance = Math.min(0, total + startingBalance)
  const { currency, livemode } = subscription
  const { price } = subscription.items.data[0]! // each has one
  const line = (priceId: string, amount: number, end: number) => ({
    id: store.newId('il'),
    object: 'line_item',
    amount,
    currency,
    period: { start: current_period_start, end },
    pricing: { price_details: { price: priceId, product: 'prod_1' }, type: 'price_details', unit_amount_decimal: null },
  })
  const lines = [
    line(price.id, total + (before?.cents ?? 0), current_period_end),
    ...(before ? [line(before.price.id, -before.cents, before.end)] : []),
  ]
  return {
    id,
    object: 'invoice',
    amount_due: due,
    amount_paid: 0,
    amount_remaining: due,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    billing_reason: reason,
    created,
    currency,
    customer: subscription.customer,
    customer_address: customer.address ?? null,
    customer_name: customer.name ?? null,
    customer_tax_ids: store.taxIdsOf(customer.id).map(({ type, value }) => ({ type, value })),
    hosted_invoice_url: `https://invoice.stripe.test/i/${id}`,
    lines: listOf(`/v1/invoices/${id}/lines`, lines),
    livemode,
    next_payment_attempt: null,
    number: `${customer.id.slice(-6).toUpperCase()}-${id.slice(-4)}`,
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata: {}, subscription: subscription.id },
    },
    payments: listOf<InvoicePayment>(`/v1/invoices/${id}/payments`, []),
    period_end: current_period_end,
    period_start: current_period_start,
    starting_balance: startingBalance,
    status: 'open',
    status_transitions: { finalized_at: created, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subscriptionId: subscription.id,
    total,
  } as Invoice // in part, as all objects of the double
}

/** What a charge says about how its payment went; `undefined`: it is still on its way. */
const outcomeOf = (amount: number, isPaid: boolean | undefined) => ({
  amount_captured: isPaid ? amount : 0,
  captured: isPaid === true,
  failure_code: isPaid === false ? 'card_declined' : null,
  paid: isPaid === true,
  status: isPaid === undefined ? 'pending' : isPaid ? 'succeeded' : 'failed',
})

function buildCharge(store: Store, invoice: Invoice, isPaid: boolean | undefined): Charge {
  const { amount_due, currency, customer, livemode, payments } = invoice
  return {
    id: store.newId('ch'),
    object: 'charge',
    amount: amount_due,
    amount_refunded: 0,
    balance_transaction: null,
    created: store.clock.now(),
    currency,
    customer,
    disputed: false,
    livemode,
    payment_intent: payments.data[0]?.payment.payment_intent ?? store.newId('pi'),
    refunded: false,
    ...outcomeOf(amount_due, isPaid),
  } as Charge // in part
}

function addPayment(store: Store, invoice: Invoice, { payment_intent, paid, created }: Charge): void {
  const { amount_due, currency, id, livemode, payments } = invoice
  const status = paid ? 'paid' : 'open'
  const amount_paid = paid ? amount_due : null
  const [existing] = payments.data
  if (existing) Object.assign(existing, { status, amount_paid })
  else
    payments.data.push({
      id: store.newId('inpay'),
      object: 'invoice_payment',
      amount_paid,
      amount_requested: amount_due,
      created,
      currency,
      invoice: id,
      livemode,
      payment: { type: 'payment_intent', payment_intent },
      status,
    } as InvoicePayment)
}

type Interval = 'month' | 'year'

/** A failed payment is tried again after these days, and then the subscription ends as `afterRetries` says. */
const retryDays = [3, 5, 7]

/** The time of the same day in a later month or year, or of the last day of that month. */
function addInterval(seconds: number, interval: Interval, anchorDay: number): number {
  const date = new Date(seconds * 1000)
  const months = interval === 'month' ? 1 : 12
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(Math.min(anchorDay, lastDay))
  return date.getTime() / 1000
}

const dayOf = (seconds: number): number => new Date(seconds * 1000).getUTCDate()

function intervalOf({ id, recurring }: Price): Interval {
  const interval: string | undefined = recurring?.interval
  if (interval !== 'month' && interval !== 'year') throw invalidRequest(`The price ${id} is not recurring.`)
  return interval
}

const itemOf = ({ items }: Subscription) => items.data[0]! // each has one

interface PriceChange {
  isInvoicedNow: boolean
  isProrated: boolean
  isRefusedUnlessPaid: boolean
}

export type Billing = ReturnType<typeof createBilling>

export function createBilling(store: Store, { emit }: Events) {
  const { clock, subscriptions, invoices, charges } = store
  /** What happens to a subscription whose payments all failed. */
  const settings: { afterRetries: 'canceled' | 'unpaid' | 'past_due' } = { afterRetries: 'canceled' }

  function setStatus(subscription: Subscription, status: Subscription['status']): void {
    if (subscription.status === status) return
    subscription.status = status
    emit('customer.subscription.updated', subscription)
  }

  function end(subscription: Subscription): void {
    const now = clock.now()
    Object.assign(subscription, { status: 'canceled', ended_at: now })
    subscription.canceled_at ??= now
    // Stripe does not collect any more what is still open.
    for (const invoice of invoices.values())
      if (invoice.subscriptionId === subscription.id && invoice.status === 'open')
        Object.assign(invoice, { auto_advance: false, next_payment_attempt: null })
    emit('customer.subscription.deleted', subscription)
  }

  function markPaid(invoice: Invoice): void {
    Object.assign(invoice, {
      status: 'paid',
      amount_paid: invoice.amount_due,
      amount_remaining: 0,
      attempted: true,
      next_payment_attempt: null,
    })
    invoice.status_transitions.paid_at = clock.now()
    emit('invoice.paid', invoice)
  }

  function giveUp(subscription: Subscription): void {
    if (settings.afterRetries === 'canceled') end(subscription)
    else setStatus(subscription, settings.afterRetries)
  }

  /** A delayed payment has arrived, or will not; the subscription follows. */
  function settle(invoice: Invoice, isPaid: boolean): void {
    const subscription = subscriptions.get(invoice.subscriptionId)! // each invoice is of one
    const charge = [...charges.values()].find(
      ({ status, payment_intent: intent }) =>
        status === 'pending' && invoice.payments.data.some(({ payment }) => payment.payment_intent === intent),
    )
    if (!charge) throw invalidRequest(`Nothing is on its way for the invoice ${invoice.id}.`)
    Object.assign(charge, outcomeOf(invoice.amount_due, isPaid))
    addPayment(store, invoice, charge)
    emit(isPaid ? 'charge.succeeded' : 'charge.failed', charge)
    if (isPaid) {
      markPaid(invoice)
      if (!subscription.ended_at) setStatus(subscription, 'active')
      return
    }
    invoice.attempt_count += 1
    Object.assign(invoice, { attempted: true, next_payment_attempt: clock.now() + retryDays[0]! * daySeconds })
    emit('invoice.payment_failed', invoice)
    if (!subscription.ended_at) setStatus(subscription, 'past_due')
  }

  /** Charges the card for an invoice; the subscription follows. */
  function attempt(invoice: Invoice): boolean {
    const subscription = subscriptions.get(invoice.subscriptionId)! // each invoice is of one
    const isPaid = invoice.amount_due === 0 || !takesDecline(store, invoice.customer)
    if (invoice.amount_due > 0) {
      const charge = buildCharge(store, invoice, isPaid)
      charges.set(charge.id, charge)
      addPayment(store, invoice, charge)
      emit(isPaid ? 'charge.succeeded' : 'charge.failed', charge)
    }
    invoice.attempt_count += 1
    if (isPaid) {
      markPaid(invoice)
      if (subscription.latest_invoice === invoice.id && !subscription.ended_at) setStatus(subscription, 'active')
      return true
    }
    const days = retryDays[invoice.attempt_count - 1]
    const next_payment_attempt = days === undefined ? null : clock.now() + days * daySeconds
    Object.assign(invoice, { attempted: true, next_payment_attempt })
    emit('invoice.payment_failed', invoice)
    if (subscription.ended_at) return false
    if (days === undefined) giveUp(subscription)
    else if (subscription.status !== 'incomplete') setStatus(subscription, 'past_due')
    return false
  }

  function invoiceNow(details: NewInvoice): boolean {
    const pending = store.pendingCents.get(details.subscription.id) ?? 0
    store.pendingCents.delete(details.subscription.id)
    const invoice = buildInvoice(store, { ...details, total: details.total + pending })
    invoices.set(invoice.id, invoice)
    details.subscription.latest_invoice = invoice.id
    emit('invoice.created', invoice)
    return attempt(invoice)
  }

  /** Makes an invoice whose payment takes days. Stripe calls the subscription active meanwhile, or leaves it incomplete. */
  function invoiceDelayed(details: NewInvoice, status: 'active' | 'incomplete'): Invoice {
    const invoice = buildInvoice(store, details)
    invoices.set(invoice.id, invoice)
    details.subscription.latest_invoice = invoice.id
    emit('invoice.created', invoice)
    const charge = buildCharge(store, invoice, undefined)
    charges.set(charge.id, charge)
    addPayment(store, invoice, charge)
    setStatus(details.subscription, status)
    return invoice
  }

  function renew(subscription: Subscription): void {
    if (subscription.cancel_at_period_end) return end(subscription)
    const item = itemOf(subscription)
    const start = item.current_period_end
    item.current_period_start = start
    item.current_period_end = addInterval(start, intervalOf(item.price), dayOf(subscription.billing_cycle_anchor))
    emit('customer.subscription.updated', subscription)
    // Invoices of an unpaid subscription stay drafts.
    if (subscription.status === 'unpaid') return
    invoiceNow({ subscription, reason: 'subscription_cycle', total: item.price.unit_amount ?? 0 })
  }

  /** The part of the running period's price that is not used yet. */
  function unusedCents({ price, current_period_start, current_period_end }: ReturnType<typeof itemOf>): number {
    const share = (current_period_end - clock.now()) / (current_period_end - current_period_start)
    return Math.round((price.unit_amount ?? 0) * Math.min(1, Math.max(0, share)))
  }

  /** What a subscription costs with another price, with the period that it would have. */
  function changed(subscription: Subscription, price: Price, isProrated: boolean) {
    const item = itemOf(subscription)
    if (price.currency !== subscription.currency) throw invalidRequest('The price has another currency.')
    const now = clock.now()
    const isOtherInterval = intervalOf(price) !== intervalOf(item.price)
    const period = isOtherInterval
      ? { current_period_start: now, current_period_end: addInterval(now, intervalOf(price), dayOf(now)) }
      : {}
    const next = { ...item, price, ...period }
    const cents = isProrated ? unusedCents(item) : 0
    const before = { price: item.price, cents, end: item.current_period_end }
    return { next, isOtherInterval, total: unusedCents(next) - cents, before: isProrated ? before : undefined }
  }

  return {
    settings,
    cancel: end,
    settle,
    invoiceDelayed,
    /** The invoice that a change would make now. */
    previewChange(subscription: Subscription, price: Price, isProrated: boolean): Invoice {
      const { total } = changed(subscription, price, isProrated)
      const customer = store.customers.get(subscription.customer)! // it has a subscription
      const { balance } = customer
      const preview = buildInvoice(store, { subscription, reason: 'subscription_update', total })
      customer.balance = balance
      return { ...preview, id: `upcoming_${preview.id}`, status: 'draft' }
    },
    /** Makes an invoice and charges the card for it; whether that was paid. */
    invoice: invoiceNow,
    /** The customer pays an open invoice. */
    payInvoice(invoice: Invoice): void {
      if (invoice.status !== 'open') throw invalidRequest(`Invoice ${invoice.id} is ${String(invoice.status)}.`)
      if (!attempt(invoice)) throw cardDeclined()
    },
    subscribe(customer: string, price: Price): Subscription {
      const id = store.newId('sub')
      const now = clock.now()
      const subscription = {
        id,
        object: 'subscription',
        billing_cycle_anchor: now,
        cancel_at: null,
        cancel_at_period_end: false,
        canceled_at: null,
        collection_method: 'charge_automatically',
        created: now,
        currency: price.currency,
        customer,
        ended_at: null,
        items: listOf(`/v1/subscription_items?subscription=${id}`, [
          {
            id: store.newId('si'),
            object: 'subscription_item',
            created: now,
            current_period_end: addInterval(now, intervalOf(price), dayOf(now)),
            current_period_start: now,
            price,
            quantity: 1,
            subscription: id,
          },
        ]),
        latest_invoice: null,
        livemode: store.isLive,
        metadata: {},
        start_date: now,
        status: 'incomplete',
      } as Subscription
      subscriptions.set(id, subscription)
      emit('customer.subscription.created', subscription)
      return subscription
    },
    changePrice(
      subscription: Subscription,
      price: Price,
      { isInvoicedNow, isProrated, isRefusedUnlessPaid }: PriceChange,
    ): void {
      const { next, isOtherInterval, total, before: line } = changed(subscription, price, isProrated)
      const before = structuredClone(subscription)
      Object.assign(itemOf(subscription), next)
      if (isOtherInterval) subscription.billing_cycle_anchor = clock.now()
      const balance = store.customers.get(subscription.customer)?.balance ?? 0
      if (isRefusedUnlessPaid && total + balance > 0 && takesDecline(store, subscription.customer)) {
        Object.assign(subscription, before)
        throw cardDeclined()
      }
      emit('customer.subscription.updated', subscription)
      if (isOtherInterval || isInvoicedNow)
        invoiceNow({ subscription, reason: 'subscription_update', total, before: line })
      else store.pendingCents.set(subscription.id, (store.pendingCents.get(subscription.id) ?? 0) + total)
    },
    /** The time at which something is due next, and what. */
    nextDue() {
      const due: { at: number; act: () => void }[] = []
      for (const subscription of subscriptions.values()) {
        if (subscription.ended_at !== null) continue
        const { cancel_at } = subscription
        if (cancel_at !== null) due.push({ at: cancel_at, act: () => end(subscription) })
        if (subscription.status !== 'incomplete')
          due.push({ at: itemOf(subscription).current_period_end, act: () => renew(subscription) })
      }
      for (const invoice of invoices.values())
        if (invoice.next_payment_attempt !== null)
          due.push({ at: invoice.next_payment_attempt, act: () => void attempt(invoice) })
      return due.sort((a, b) => a.at - b.at)[0]
    },
  }
}

export type Customer = Stripe.Customer
export type Price = Stripe.Price
export type CheckoutSession = Omit<Stripe.Checkout.Session, 'customer' | 'invoice' | 'subscription'> & {
  customer: string | null
  invoice: string | null
  subscription: string | null
}
export type Subscription = Omit<Stripe.Subscription, 'customer' | 'latest_invoice'> & {
  customer: string
  latest_invoice: string | null
}
type Invoice = Stripe.Invoice & {
  customer: string
  subscriptionId: string
  payments: Stripe.ApiList<InvoicePayment>
}
type InvoicePayment = Omit<Stripe.InvoicePayment, 'payment'> & {
  payment: { type: 'payment_intent'; payment_intent: string }
}
type Charge = Omit<Stripe.Charge, 'customer' | 'payment_intent'> & { customer: string; payment_intent: string }
export type Dispute = Omit<Stripe.Dispute, 'charge'> & { charge: string }
type EventType = Stripe.Event['type']
export type StripeEvent = Stripe.EventBase & {
  type: EventType
  data: { object: { id: string; object: string }; previous_attributes?: Record<string, unknown> }
}

export const listOf = <T>(url: string, data: T[], has_more = false): Stripe.ApiList<T> => ({
  object: 'list',
  url,
  data,
  has_more,
})

/** The version of the API that our side asks for. */
export const apiVersion = '2026-10-28.endive'
export const daySeconds = 24 * 60 * 60

/** A clock in seconds, which a test moves forward. */
function createStripeClock() {
  let offset = 0
  let fixed: number | undefined
  return {
    now: (): number => fixed ?? Math.floor((Date.now() + offset) / 1000),
    /** Runs an action as if it were that time. */
    at(seconds: number, action: () => void): void {
      fixed = seconds
      try {
        action()
      } finally {
        fixed = undefined
      }
    },
    moveTo(seconds: number): void {
      offset = Math.max(offset, seconds * 1000 - Date.now())
    },
    reset(): void {
      offset = 0
    },
  }
}

export type Store = ReturnType<typeof createStore>

/** Everything that the double knows. The maps keep the order of creation. */
export function createStore(isLive: boolean) {
  // Ids of several doubles differ, and sort by creation.
  const tag = randomBytes(4).toString('hex')
  let count = 0
  return {
    clock: createStripeClock(),
    isLive,
    customers: new Map<string, Customer>(),
    taxIds: new Map<string, Stripe.TaxId & { customer: string }>(),
    taxIdsOf(customer: string) {
      return [...this.taxIds.values()].filter((one) => one.customer === customer)
    },
    /** Euros for a unit of the currency, where the account is in euros; null: it is in the currency of its prices. */
    eurRate: null as number | null,
    /** Ids of customers of the other mode, as which Stripe recognizes them. */
    otherMode: new Set<string>(),
    prices: new Map<string, Price>(),
    sessions: new Map<string, CheckoutSession & { priceId: string }>(),
    subscriptions: new Map<string, Subscription>(),
    invoices: new Map<string, Invoice>(),
    charges: new Map<string, Charge>(),
    refunds: new Map<string, Stripe.Refund>(),
    disputes: new Map<string, Dispute>(),
    events: [] as StripeEvent[],
    /** Whether the bank declines payments of a customer: all of them, or the next so many. */
    declines: new Map<string, true | number>(),
    /** Prorations that the next invoice of a subscription will contain. */
    pendingCents: new Map<string, number>(),
    newId(prefix: string): string {
      count += 1
      return `${prefix}_${tag}${String(count).padStart(6, '0')}`
    },
  }
}

/** Forgets everything but the prices. */
export function resetStore(store: Store): void {
  store.clock.reset()
  store.eurRate = null
  const { customers, taxIds, sessions, subscriptions, invoices, charges, refunds, disputes, declines, pendingCents } =
    store
  for (const map of [
    customers,
    taxIds,
    sessions,
    subscriptions,
    invoices,
    charges,
    refunds,
    disputes,
    declines,
    pendingCents,
  ])
    map.clear()
  store.otherMode.clear()
  store.events.length = 0
}

/** An object by its id. */
export function get<T>(map: ReadonlyMap<string, T>, named: StripeObjectReference): T {
  const found = map.get(named.id)
  if (found === undefined) throw noSuch(named)
  return found
}

/** A customer by its id; of one of the other mode, Stripe says so. */
export function getCustomer({ customers, otherMode, isLive }: Store, id: string, param?: string): Customer {
  const [other, own] = isLive ? ['test', 'live'] : ['live', 'test']
  const hint = `; a similar object exists in ${other} mode, but a ${own} mode key was used to make this request.`
  if (otherMode.has(id)) throw noSuch({ kind: 'customer', id, param, hint })
  return get(customers, { kind: 'customer', id, param })
}

/** Whether the bank declines the customer's next payment; counts it. */
function takesDecline({ declines }: Store, customerId: string): boolean {
  const left = declines.get(customerId)
  if (left === undefined) return false
  if (left === 1) declines.delete(customerId)
  else if (left !== true) declines.set(customerId, left - 1)
  return true
}

/** Stores an event with a copy of its object as it is now, and says that there is one more. */
export interface Events {
  emit(type: EventType, object: { id: string; object: string }): void
}

/**
 * Events are created in real time, whatever time the double's clock shows, as with Stripe's test clocks; no two of them in
 * the order of the list have times in the wrong order.
 */
export function createEvents(store: Store, onEvent: (event: StripeEvent) => void): Events {
  return {
    emit(type, object) {
      const event: StripeEvent = {
        id: store.newId('evt'),
        object: 'event',
        api_version: apiVersion,
        created: Math.floor(Date.now() / 1000),
        data: { object: structuredClone(object) },
        livemode: store.isLive,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      }
      store.events.push(event)
      onEvent(event)
    },
  }
}

/** An error that Stripe answers with. */
export class StripeFault extends Error {
  readonly status: number
  readonly error: { type: string; message: string; code?: string; param?: string; decline_code?: string }
  constructor(status: number, error: StripeFault['error']) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

export const invalidRequest = (message: string, more: { code?: string; param?: string } = {}): StripeFault =>
  new StripeFault(400, { type: 'invalid_request_error', message, ...more })

/** An object that a request names; `param` when its id was a parameter, otherwise it was in the path. */
interface StripeObjectReference {
  kind: string
  id: string
  param?: string | undefined
}

/** In a path, an unknown id is answered 404; in a parameter, 400. */
export const noSuch = ({ kind, id, param, hint = '' }: StripeObjectReference & { hint?: string }): StripeFault =>
  new StripeFault(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'${hint}`,
    param: param ?? 'id',
  })

export const cardDeclined = (): StripeFault =>
  new StripeFault(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  })
