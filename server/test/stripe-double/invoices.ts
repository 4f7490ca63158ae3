/** Builds invoices and charges. */
import { listOf, type Charge, type Invoice, type Subscription } from './objects.ts'
import type { Store } from './store.ts'

export type StoredInvoice = Invoice & { subscriptionId: string }

export interface NewInvoice {
  subscription: Subscription
  reason: NonNullable<Invoice['billing_reason']>
  total: number
}

/** Builds an invoice that is not paid yet; the customer's credit is used up first. */
export function buildInvoice(store: Store, { subscription, reason, total }: NewInvoice): StoredInvoice {
  const customer = store.customers.get(subscription.customer)! // it has a subscription
  const id = store.newId('in')
  const created = store.clock.now()
  const { current_period_start, current_period_end } = subscription.items.data[0]! // each has one
  const startingBalance = customer.balance
  const due = Math.max(0, total + startingBalance)
  customer.balance = Math.min(0, total + startingBalance)
  const { currency, livemode } = subscription
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
    hosted_invoice_url: `https://invoice.stripe.test/i/${id}`,
    livemode,
    next_payment_attempt: null,
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata: {}, subscription: subscription.id },
    },
    payments: listOf(`/v1/invoices/${id}/payments`, []),
    period_end: current_period_end,
    period_start: current_period_start,
    starting_balance: startingBalance,
    status: 'open',
    status_transitions: { finalized_at: created, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subscriptionId: subscription.id,
    total,
  }
}

export function buildCharge(store: Store, invoice: StoredInvoice, isPaid: boolean): Charge {
  const { amount_due, currency, customer, livemode, payments } = invoice
  return {
    id: store.newId('ch'),
    object: 'charge',
    amount: amount_due,
    amount_captured: isPaid ? amount_due : 0,
    amount_refunded: 0,
    captured: isPaid,
    created: store.clock.now(),
    currency,
    customer,
    disputed: false,
    failure_code: isPaid ? null : 'card_declined',
    livemode,
    paid: isPaid,
    payment_intent: payments.data[0]?.payment.payment_intent ?? store.newId('pi'),
    refunded: false,
    status: isPaid ? 'succeeded' : 'failed',
  }
}

export function addPayment(store: Store, invoice: StoredInvoice, { payment_intent, paid, created }: Charge): void {
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
    })
}
