import type Stripe from 'stripe'
import type { Checkout, Dispute, Payment, Price, Subscription, SubscriptionState } from './payments.ts'

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
