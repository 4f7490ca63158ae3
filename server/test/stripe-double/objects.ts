/** What the double stores and answers: Stripe's objects, of which it fills in what our side can read. */
import type Stripe from 'stripe'

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
export type Invoice = Stripe.Invoice & {
  customer: string
  subscriptionId: string
  payments: Stripe.ApiList<InvoicePayment>
}
export type InvoicePayment = Omit<Stripe.InvoicePayment, 'payment'> & {
  payment: { type: 'payment_intent'; payment_intent: string }
}
export type Charge = Omit<Stripe.Charge, 'customer' | 'payment_intent'> & { customer: string; payment_intent: string }
export type Dispute = Omit<Stripe.Dispute, 'charge'> & { charge: string }
export type EventType = Stripe.Event['type']
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
