/** What the double stores and answers: parts of Stripe's objects, by the types of its package. */
import type Stripe from 'stripe'

type List<T> = Pick<Stripe.ApiList<never>, 'object' | 'has_more' | 'url'> & { data: T[] }

export type Customer = Pick<
  Stripe.Customer,
  'id' | 'object' | 'balance' | 'created' | 'currency' | 'delinquent' | 'email' | 'livemode' | 'metadata'
>
export type Price = Pick<
  Stripe.Price,
  | 'id'
  | 'object'
  | 'active'
  | 'billing_scheme'
  | 'created'
  | 'currency'
  | 'livemode'
  | 'recurring'
  | 'type'
  | 'unit_amount'
>
export type CheckoutSession = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'amount_total'
  | 'cancel_url'
  | 'client_reference_id'
  | 'created'
  | 'currency'
  | 'expires_at'
  | 'livemode'
  | 'mode'
  | 'payment_status'
  | 'status'
  | 'success_url'
  | 'url'
> & { customer: string | null; invoice: string | null; subscription: string | null }
export type SubscriptionItem = Pick<
  Stripe.SubscriptionItem,
  'id' | 'object' | 'created' | 'current_period_end' | 'current_period_start' | 'quantity' | 'subscription'
> & { price: Price }
export type Subscription = Pick<
  Stripe.Subscription,
  | 'id'
  | 'object'
  | 'billing_cycle_anchor'
  | 'cancel_at'
  | 'cancel_at_period_end'
  | 'canceled_at'
  | 'collection_method'
  | 'created'
  | 'currency'
  | 'ended_at'
  | 'livemode'
  | 'metadata'
  | 'start_date'
  | 'status'
> & { customer: string; items: List<SubscriptionItem>; latest_invoice: string | null }
export type InvoicePayment = Pick<
  Stripe.InvoicePayment,
  'id' | 'object' | 'amount_paid' | 'amount_requested' | 'created' | 'currency' | 'livemode' | 'status'
> & { invoice: string; payment: { type: 'payment_intent'; payment_intent: string } }
export type Invoice = Pick<
  Stripe.Invoice,
  | 'id'
  | 'object'
  | 'amount_due'
  | 'amount_paid'
  | 'amount_remaining'
  | 'attempt_count'
  | 'attempted'
  | 'auto_advance'
  | 'billing_reason'
  | 'created'
  | 'currency'
  | 'hosted_invoice_url'
  | 'livemode'
  | 'next_payment_attempt'
  | 'parent'
  | 'period_end'
  | 'period_start'
  | 'starting_balance'
  | 'status'
  | 'status_transitions'
  | 'total'
> & { customer: string; payments: List<InvoicePayment> }
export type Charge = Pick<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_captured'
  | 'amount_refunded'
  | 'captured'
  | 'created'
  | 'currency'
  | 'disputed'
  | 'failure_code'
  | 'livemode'
  | 'paid'
  | 'refunded'
  | 'status'
> & { customer: string; payment_intent: string }
export type Refund = Pick<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'charge' | 'created' | 'currency' | 'payment_intent' | 'reason' | 'status'
>
export type PortalSession = Pick<
  Stripe.BillingPortal.Session,
  'id' | 'object' | 'configuration' | 'created' | 'customer' | 'livemode' | 'return_url' | 'url'
>
/** The types of events that the double causes. */
export type EventType =
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'checkout.session.async_payment_succeeded'
  | 'customer.created'
  | 'customer.deleted'
  | 'customer.subscription.created'
  | 'customer.subscription.updated'
  | 'customer.subscription.deleted'
  | 'invoice.created'
  | 'invoice.paid'
  | 'invoice.payment_failed'
  | 'charge.succeeded'
  | 'charge.failed'
  | 'charge.refunded'
  | 'price.updated'
export type StripeEvent = Pick<
  Stripe.EventBase,
  'id' | 'object' | 'api_version' | 'created' | 'livemode' | 'pending_webhooks' | 'request'
> & {
  type: Extract<Stripe.Event['type'], EventType>
  data: { object: { id: string; object: string }; previous_attributes?: Record<string, unknown> }
}

export const listOf = <T>(url: string, data: T[], has_more = false): List<T> => ({
  object: 'list',
  url,
  data,
  has_more,
})
