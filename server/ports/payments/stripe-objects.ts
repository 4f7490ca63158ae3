import type Stripe from 'stripe'
import {
  type Business,
  type Checkout,
  type Dispute,
  type Invoice,
  type Payment,
  PaymentRefused,
  PaymentsDown,
  type Price,
  type Subscription,
  type SubscriptionState,
} from './payments.ts'

const dateOf = (seconds: number): Date => new Date(seconds * 1000)

/** The id of an object that may be expanded. */
export const idOf = (object: string | { id: string } | null | undefined): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null)

/** Our view of a price; `addsTax`: whether tax comes on top of it. */
export function priceView(price: Stripe.Price, addsTax: boolean): Price {
  const { id, currency, active, unit_amount, recurring, billing_scheme } = price
  const isFixed = billing_scheme === 'per_unit' && recurring?.usage_type === 'licensed'
  const interval: string | undefined = recurring?.interval_count === 1 ? recurring.interval : undefined
  return {
    id,
    currency,
    unitAmountCents: isFixed ? unit_amount : null,
    interval: interval === 'month' || interval === 'year' ? interval : null,
    isActive: active,
    addsTax,
  }
}

/** Whether a checkout was completed and its payment is under way, as by bank debit, or has failed since. */
export const isDelayed = ({ status, payment_status }: Stripe.Checkout.Session): boolean =>
  status === 'complete' && payment_status === 'unpaid'

/** What became of the delayed payment of an invoice, by the charges of its customer, newest first. */
export function delayedPaymentState(
  invoice: Stripe.Invoice | undefined,
  charges: readonly Stripe.Charge[],
): 'pending' | 'paid' | 'failed' {
  if (invoice?.status === 'paid') return 'paid'
  if (invoice?.status === 'void' || invoice?.status === 'uncollectible') return 'failed'
  const intents = invoice ? invoicesByIntent([invoice]) : new Map<string, Stripe.Invoice>()
  const newest = charges.find(({ payment_intent: intent }) => intents.has(idOf(intent) ?? ''))
  return newest?.status === 'failed' ? 'failed' : 'pending'
}

/** Our view of a Checkout Session; `delayed`: what became of its payment, if that is delayed. */
export function checkoutView(
  session: Stripe.Checkout.Session,
  delayed: ReturnType<typeof delayedPaymentState> = 'pending',
): Checkout {
  const { status } = session
  const state = isDelayed(session)
    ? delayed
    : status === 'expired'
      ? 'expired'
      : status === 'complete'
        ? 'paid'
        : 'open'
  return {
    id: session.id,
    state,
    customerId: idOf(session.customer),
    reference: session.client_reference_id,
    url: session.status === 'open' ? session.url : null,
    subscriptionId: status === 'complete' ? idOf(session.subscription) : null,
  }
}

const states: Record<string, SubscriptionState> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  incomplete: 'incomplete',
  // Nothing is collected any more until the customer or the operator does something.
  unpaid: 'incomplete',
  paused: 'incomplete',
  canceled: 'canceled',
  incomplete_expired: 'canceled',
}

/** The item with the price; our subscriptions have one. */
export function itemOf({ id, items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = items.data
  if (!item) throw new Error(`subscription ${id} has no item`)
  return item
}

/** Whether it ends with its period; the billing portal may set a date instead of the flag. */
function endsWithPeriod({ cancel_at_period_end, cancel_at }: Stripe.Subscription, periodEnd: number): boolean {
  return cancel_at_period_end || (cancel_at !== null && cancel_at <= periodEnd)
}

/** Whether an invoice asks for money that has not come, also when the operator has given it up. */
const isUnpaid = ({ status, amount_remaining }: Stripe.Invoice): boolean =>
  (status === 'open' || status === 'uncollectible') && amount_remaining > 0

/**
 * Whether the first payment has not arrived: with a delayed payment method, Stripe calls a subscription active, or past due,
 * before it was ever paid.
 */
const isNeverPaid = ({ latest_invoice: invoice }: Stripe.Subscription): boolean =>
  typeof invoice === 'object' && invoice?.billing_reason === 'subscription_create' && isUnpaid(invoice)

/** Since when every invoice of a list is unpaid; it is newest first. Null when the newest is paid. */
export function unpaidSince(invoices: readonly Stripe.Invoice[]): Date | null {
  const paid = invoices.findIndex(({ status }) => status === 'paid')
  const first = (paid < 0 ? invoices : invoices.slice(0, paid)).findLast(isUnpaid)
  return first ? dateOf(first.created) : null
}

/** A credit is a balance below zero. */
const creditOf = (customer: Stripe.Subscription['customer']): number =>
  typeof customer === 'object' && !customer.deleted ? Math.max(0, -customer.balance) : 0

/**
 * Our view of a subscription with its customer; throws when we do not know its status. `missingSince`: since when its
 * invoices are unpaid, if that is before the current period.
 */
export function subscriptionView(subscription: Stripe.Subscription, missingSince: Date | null = null): Subscription {
  const { id, customer, status, start_date, ended_at, cancel_at } = subscription
  const { price, current_period_start, current_period_end } = itemOf(subscription)
  const known = states[status]
  if (!known) throw new Error(`subscription ${id} has the unknown status ${status}`)
  const state = known !== 'canceled' && isNeverPaid(subscription) ? 'incomplete' : known
  const start = dateOf(current_period_start)
  return {
    id,
    customerId: idOf(customer) ?? '',
    priceId: price.id,
    state,
    cancelAtPeriodEnd: endsWithPeriod(subscription, current_period_end),
    currentPeriodStart: start,
    // It may end before its period does, on a date that was set in the billing portal or the dashboard.
    currentPeriodEnd: dateOf(Math.min(current_period_end, cancel_at ?? Infinity)),
    startedAt: dateOf(start_date),
    endedAt: ended_at === null ? null : dateOf(ended_at),
    creditCents: ended_at === null ? creditOf(customer) : 0,
    // The invoice of a period is made some time after its start.
    unpaidSince: state !== 'past_due' ? null : missingSince && missingSince < start ? missingSince : start,
  }
}

/** The invoice that each payment intent has paid. */
export function invoicesByIntent(invoices: readonly Stripe.Invoice[]): Map<string, Stripe.Invoice> {
  const found = new Map<string, Stripe.Invoice>()
  for (const invoice of invoices)
    for (const { payment } of invoice.payments?.data ?? []) {
      const intentId = idOf(payment.payment_intent)
      if (intentId) found.set(intentId, invoice)
    }
  return found
}

/** Our view of a charge that succeeded, with its invoice. */
export function paymentView(charge: Stripe.Charge, invoice: Stripe.Invoice | undefined): Payment {
  return {
    id: charge.id,
    subscriptionId: idOf(invoice?.parent?.subscription_details?.subscription),
    paidAt: dateOf(charge.created),
    amountCents: charge.amount_captured,
    refundedCents: charge.amount_refunded,
    isDisputed: charge.disputed,
    currency: charge.currency,
    invoiceUrl: invoice?.hosted_invoice_url ?? null,
    invoiceId: invoice?.id ?? null,
  }
}

/** The rate of exchange into the account's currency, if that is the euro. */
export const eurRateOf = (transaction: Stripe.Charge['balance_transaction']): number | null =>
  typeof transaction === 'object' && transaction?.currency === 'eur' ? transaction.exchange_rate : null

/** Our view of the business that a customer or an invoice names: it has a European VAT number. */
export function businessView(
  name: string | null | undefined,
  address: Stripe.Address | null | undefined,
  taxIds: readonly { type: string; value: string | null }[],
): Business | null {
  const vatNumber = taxIds.find(({ type }) => type === 'eu_vat')?.value
  if (!vatNumber) return null
  return {
    name: name ?? '',
    vatNumber,
    street: [address?.line1, address?.line2].filter(Boolean).join(', '),
    postalCode: address?.postal_code ?? '',
    city: address?.city ?? '',
    // Greek VAT numbers begin with EL.
    country: address?.country ?? vatNumber.slice(0, 2).replace('EL', 'GR'),
  }
}

const invoiceReasons: Record<string, Invoice['reason']> = {
  subscription_create: 'first',
  subscription_update: 'change',
  subscription_cycle: 'renewal',
}

/** Our view of an invoice that is not a draft any more. */
export function invoiceView(invoice: Stripe.Invoice): Invoice {
  const { customer_name: name, customer_address: address, customer_tax_ids: taxIds } = invoice
  return {
    id: invoice.id,
    number: invoice.number ?? invoice.id,
    subscriptionId: idOf(invoice.parent?.subscription_details?.subscription),
    reason: invoiceReasons[invoice.billing_reason ?? ''] ?? 'other',
    issuedAt: dateOf(invoice.status_transitions.finalized_at ?? invoice.created),
    currency: invoice.currency,
    lines: invoice.lines.data.map(({ amount, period, pricing }) => ({
      priceId: idOf(pricing?.price_details?.price),
      cents: amount,
      from: dateOf(period.start),
      to: dateOf(period.end),
    })),
    totalCents: invoice.total,
    dueCents: invoice.amount_due,
    isPaid: invoice.status === 'paid',
    business: businessView(name, address, taxIds ?? []),
  }
}

/** Stripe's states of a dispute that has ended; every other one is open. */
const disputeEnds: Record<string, 'won' | 'lost'> = {
  lost: 'lost',
  won: 'won',
  warning_closed: 'won',
}

/** One that was prevented before the bank decided: with a resolution, Stripe has refunded the payment; otherwise it stays here. */
const preventedState = ({ payment_method_details: details }: Stripe.Dispute): 'won' | 'lost' =>
  details?.card?.case_type === 'resolution' ? 'lost' : 'won'

/** Our view of a dispute about the payment of a subscription. */
export function disputeView(dispute: Stripe.Dispute, subscriptionId: string | null): Dispute {
  const { id, charge, status, reason, amount, created, evidence_details } = dispute
  const state = status === 'prevented' ? preventedState(dispute) : (disputeEnds[status] ?? 'open')
  const dueBy = state === 'open' ? evidence_details.due_by : null
  return {
    id,
    paymentId: idOf(charge) ?? '',
    subscriptionId,
    state,
    reason,
    amountCents: amount,
    openedAt: dateOf(created),
    respondBy: dueBy === null ? null : dateOf(dueBy),
  }
}

/** Times of calls to Stripe. */
export const stripeTimes = {
  /** One attempt; a slower one is repeated with the same idempotency key. */
  attemptMs: 8_000,
  /** All attempts of one request together. */
  requestMs: 10_000,
  retries: 2,
} as const

/** In one page of a list; Stripe allows no more. */
const pageItems = 100
/** Of a list about one customer; more are not read. */
export const mostItems = 1_000

/** Whether an id can be a part of a path; `..` and the like are not ids. */
export const isStripeId = (id: string): boolean => /^\w[\w.-]*$/.test(id)

/** Sends requests to Stripe: they end in time, and fail with the errors of the port. */
interface StripeCalls {
  send<T>(request: () => Promise<T>): Promise<T>
  /** Null when Stripe knows nothing under the id. */
  find<T>(request: () => Promise<T>): Promise<T | null>
  /** The items of a list, newest first, as far as `mostItems`; each page is a request of its own. */
  list<T extends { id: string }>(readPage: ReadPage<T>, mostItems: number): Promise<T[]>
}

/** Reads a page of a list, after an item. */
type ReadPage<T> = (page: { limit: number; starting_after?: string }) => Promise<{ data: T[]; has_more: boolean }>

/** Whether Stripe answered that something does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof PaymentRefused && stripeErrorCode(error) === 'resource_missing'

/** Stripe's code of a refusal, such as `charge_already_refunded`. */
export const stripeErrorCode = ({ cause }: PaymentRefused): string | undefined =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined

/** The HTTP status of Stripe's answer; undefined without one. */
export const stripeStatus = ({ cause }: PaymentsDown): number | undefined =>
  cause instanceof Error && 'statusCode' in cause && typeof cause.statusCode === 'number' ? cause.statusCode : undefined

async function withDeadline<T>(request: Promise<T>): Promise<T> {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => deadline.reject(new PaymentsDown(`Stripe did not answer in ${stripeTimes.requestMs / 1000} s`)),
    stripeTimes.requestMs,
  )
  try {
    return await Promise.race([request, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Translates an error of the package `stripe`; other errors are bugs and stay as they are. */
function translate(errors: typeof Stripe.errors, error: unknown): unknown {
  if (!(error instanceof errors.StripeError)) return error
  const { statusCode = 0, type, message } = error
  const text = `${type}: ${message}`
  // A key that is wrong or lacks a permission must be fixed by the operator; the call itself is not wrong.
  const isRefused = statusCode === 401 || statusCode === 403
  const isDown = isRefused || statusCode >= 500 || [0, 409, 429].includes(statusCode)
  if (isDown) return new PaymentsDown(text, { cause: error, isRefused })
  const isCustomerUnknown = error.code === 'resource_missing' && error.param === 'customer'
  return new PaymentRefused(text, { cause: error, isCustomerUnknown })
}

/** Creates the sender of requests; `errors` are the classes of the package. */
export function createStripeCalls(errors: typeof Stripe.errors): StripeCalls {
  const send: StripeCalls['send'] = async (request) => {
    try {
      return await withDeadline(request())
    } catch (error) {
      throw translate(errors, error)
    }
  }
  return {
    send,
    async find(request) {
      try {
        return await send(request)
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async list<T extends { id: string }>(readPage: ReadPage<T>, mostItems: number) {
      const items: T[] = []
      for (;;) {
        const last = items.at(-1)
        const after = last ? { starting_after: last.id } : {}
        const page = await send(() => readPage({ limit: pageItems, ...after }))
        items.push(...page.data)
        if (!page.has_more || !page.data.length || items.length >= mostItems) return items
      }
    },
  }
}
