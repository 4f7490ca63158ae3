/**
 * A payment provider: recurring card payments, in cents of one currency. Ids are the provider's own. Nothing here knows
 * users or plans. Every call has a timeout; one that fails for a reason outside of the call rejects with `PaymentsDown`,
 * and may then have taken effect. Calls with an `idempotencyKey` can be repeated with the same key: they take effect once.
 */
export interface Payments {
  readonly kind: 'stripe' | 'demo'
  /**
   * Names the permissions that the key lacks. Rejects with a refused `PaymentsDown` when the key itself is not accepted.
   * Changes nothing at the provider.
   */
  missingPermissions(): Promise<MissingPermission[]>
  /** A price; null when the provider does not know it. */
  price(priceId: string): Promise<Price | null>
  /** Creates a customer; its id. */
  createCustomer(customer: { reference: string; email: string }, idempotencyKey: string): Promise<string>
  /**
   * Whether nothing can be charged to a customer any more, because it was deleted or does not exist. False for one that the
   * keys of the provider's other mode may still charge.
   */
  isCustomerGone(customerId: string): Promise<boolean>
  /** Opens a checkout of a subscription. */
  openCheckout(checkout: NewCheckout, idempotencyKey: string): Promise<Checkout>
  /** A checkout; null when there is none with this id. */
  checkout(checkoutId: string): Promise<Checkout | null>
  /** Ends an open checkout, so that it cannot be paid any more; no error when it was paid or has expired. */
  expireCheckout(checkoutId: string): Promise<void>
  /** The open checkouts of a customer. */
  openCheckoutsOf(customerId: string): Promise<Checkout[]>
  /** Every subscription of a customer, also those that have ended; the oldest first. */
  subscriptionsOf(customerId: string): Promise<Subscription[]>
  /**
   * Changes the price, with proration: the unused part of the paid period is credited. Another interval begins now, and
   * the difference is charged at once. Rejects with `PaymentRefused`, and changes nothing, when that payment is
   * declined or the subscription is not active. Whether it ends with its period stays as it was.
   */
  changePrice(subscriptionId: string, priceId: string, idempotencyKey: string): Promise<Subscription>
  /** What `changePrice` would charge now, and the credit that would be left; rejects as it does. */
  previewChange(subscriptionId: string, priceId: string): Promise<ChangePreview>
  /** Whether the subscription ends with its period; rejects with `PaymentRefused` when it has ended already. */
  setCancelAtPeriodEnd(subscriptionId: string, cancels: boolean): Promise<Subscription>
  /** Ends a subscription now; no error when it has ended. Gives nothing back. */
  cancelNow(subscriptionId: string): Promise<void>
  /** Payments that were made, newest first, at most 100. */
  paymentsOf(customerId: string): Promise<Payment[]>
  /**
   * Refunds some cents of a payment, at most what is left of it; without `cents`, all that is left. Resolves to the cents
   * that were refunded: 0 when nothing was left, or when the bank has taken the payment back.
   */
  refund(paymentId: string, idempotencyKey: string, cents?: number): Promise<number>
  /** The cents of a payment that were refunded or are on their way back; not those that the bank took or that failed. */
  refundedCents(paymentId: string): Promise<number>
  /** The customer of a payment; null when there is no such payment, or it has none. */
  payerOf(paymentId: string): Promise<string | null>
  /** Payments of a customer that were disputed at the bank, the newest dispute first. */
  disputesOf(customerId: string): Promise<Dispute[]>
  /** Discards the credit that is left from price changes, so that it does not reduce later payments. */
  dropCredit(customerId: string): Promise<void>
  /**
   * Euros for one unit of a payment's currency, by its id, as the provider exchanged it. Without those that it did not exchange, and empty
   * when the key may not read them.
   */
  eurRatesOf(customerId: string): Promise<ReadonlyMap<string, number>>
  /** Invoices that were issued, newest first, at most 100; with those that credit has paid. */
  invoicesOf(customerId: string): Promise<Invoice[]>
  /** The business that a customer buys for; null for a private person. */
  businessOf(customerId: string): Promise<Business | null>
  /**
   * Sets it for the invoices that follow; those that were issued stay as they are. Rejects with `PaymentRefused`, and changes
   * nothing, when the provider does not take the VAT number.
   */
  setBusiness(customerId: string, business: Business | null): Promise<void>
  /** The provider's page for the customer's card and invoices; null when it has none. */
  portalUrl(customerId: string, returnUrl: string): Promise<string | null>
  /** Reads a webhook: throws `InvalidWebhook` unless its signature is valid for exactly these bytes and recent. */
  readWebhook(body: Buffer, signature: string | undefined): PaymentEvent
  /** Events after a time, oldest first, at most 30 days back; those of the last second before it may be repeated. */
  eventsSince(time: Date): AsyncIterable<PaymentEvent>
}

/** The provider cannot be reached, or fails; the call may be repeated. */
export class PaymentsDown extends Error {
  override readonly name = 'PaymentsDown'
  /** Why. `refused`: the key is wrong or lacks a permission, so nothing works until an operator corrects it. */
  readonly kind: 'refused' | 'unreachable'
  constructor(message: string, { isRefused = false, ...options }: ErrorOptions & { isRefused?: boolean } = {}) {
    super(message, options)
    this.kind = isRefused ? 'refused' : 'unreachable'
  }
}

/** Something that the key may not do. */
export interface MissingPermission {
  /** As the provider's page of keys calls it, such as `Checkout Sessions: write`. */
  name: string
  /** Whether plans cannot be sold without it. */
  isNeededToSell: boolean
}

/** The provider refuses the call; a retry would be refused, too. `message` is for the log. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused'
  /** The customer does not exist there: it was deleted, or is one of the provider's other mode. */
  readonly isCustomerUnknown: boolean
  constructor(
    message: string,
    { isCustomerUnknown = false, ...options }: ErrorOptions & { isCustomerUnknown?: boolean } = {},
  ) {
    super(message, options)
    this.isCustomerUnknown = isCustomerUnknown
  }
}

/** Whether a call failed because the provider does not know the customer. */
export const isUnknownCustomer = (error: unknown): boolean => error instanceof PaymentRefused && error.isCustomerUnknown

/** A webhook whose signature, time or content is not valid. */
export class InvalidWebhook extends Error {
  override readonly name = 'InvalidWebhook'
  /** Only its time is wrong: the clock of this machine may be. */
  readonly isTimeOff: boolean
  constructor(message: string, { isTimeOff = false } = {}) {
    super(message)
    this.isTimeOff = isTimeOff
  }
}

/** What a subscription costs. */
export interface Price {
  id: string
  /** ISO 4217, in lower case. */
  currency: string
  /** Null when the price is not one fixed amount. */
  unitAmountCents: number | null
  /** Null when it is paid once, or in another interval. */
  interval: 'month' | 'year' | null
  isActive: boolean
  /** Whether tax comes on top of the amount. */
  addsTax: boolean
}

/** What a checkout is for, and where it returns to. */
export interface NewCheckout {
  customerId: string
  priceId: string
  /** Comes back with the checkout. */
  reference: string
  /** `{CHECKOUT_SESSION_ID}` in it is replaced by the checkout's id. */
  successUrl: string
  cancelUrl: string
}

/** A page of the provider on which a subscription is paid. */
export interface Checkout {
  id: string
  /**
   * `open`: not paid, but may still be. `pending`: the payment is under way, for days with a bank debit. `failed`: it was
   * under way and did not arrive.
   */
  state: 'open' | 'pending' | 'paid' | 'failed' | 'expired'
  customerId: string | null
  reference: string | null
  /** Null when nothing can be done there any more. */
  url: string | null
  /** Null until it is paid or pending. */
  subscriptionId: string | null
}

/** What a change of the price would cost. */
export interface ChangePreview {
  /** What would be charged at once. */
  chargedCents: number
  /** What would be left of earlier payments. */
  creditCents: number
}

/**
 * `past_due`: a payment after the first is missing, and the provider tries again. `canceled`: ended, for whatever reason.
 * `incomplete`: nothing is paid, because the first payment is missing or under way, or the provider has given up a later one.
 */
export type SubscriptionState = 'active' | 'past_due' | 'canceled' | 'incomplete'

/** A recurring payment. A period that is not paid has begun nevertheless. */
export interface Subscription {
  id: string
  customerId: string
  priceId: string
  state: SubscriptionState
  cancelAtPeriodEnd: boolean
  currentPeriodStart: Date
  currentPeriodEnd: Date
  startedAt: Date
  /** Null while it goes on. */
  endedAt: Date | null
  /** While it is `past_due`: since when every payment has been missing, also over several periods; otherwise null. */
  unpaidSince: Date | null
  /** What is left of earlier payments: the next ones are paid from it first. 0 when it has ended. */
  creditCents: number
}

/** Money that was received. */
export interface Payment {
  id: string
  /** Null when it was not for a subscription. */
  subscriptionId: string | null
  paidAt: Date
  amountCents: number
  refundedCents: number
  /** Whether its holder has disputed it at the bank, however that ended. */
  isDisputed: boolean
  currency: string
  /** The provider's page with the invoice. */
  invoiceUrl: string | null
  /** The invoice that it paid; null when there is none. */
  invoiceId: string | null
}

/** A business, as it stands on its invoices. Parts of the address that are not known are empty. */
export interface Business {
  name: string
  /** With the country's prefix, such as `BE0123456749`. */
  vatNumber: string
  street: string
  postalCode: string
  city: string
  /** ISO 3166-1, two letters. */
  country: string
}

/** What an invoice says about one thing that is sold, or that is given back when it is below zero. */
export interface InvoiceLine {
  /** Null for a part that has no price of its own, such as a correction. */
  priceId: string | null
  /** With the tax that it includes. */
  cents: number
  from: Date
  to: Date
}

/** A request for payment, which does not change any more. */
export interface Invoice {
  id: string
  /** As the customer reads it. */
  number: string
  /** Null when it is not for a subscription. */
  subscriptionId: string | null
  /** `first`: a new subscription; `change`: another price; `renewal`: the next period. */
  reason: 'first' | 'change' | 'renewal' | 'other'
  issuedAt: Date
  /** ISO 4217, in lower case. */
  currency: string
  /** One is above zero, for what is sold; others below zero for the unused time of the price before. */
  lines: InvoiceLine[]
  /** The sum of the lines; below zero when more was given back than sold, which became credit. */
  totalCents: number
  /** What is charged: the total less the credit that was set off against it. */
  dueCents: number
  isPaid: boolean
  /** As it was then; null for a private person. */
  business: Business | null
}

/** A payment that its holder disputes at the bank, which then takes the money back at least for a time. */
export interface Dispute {
  id: string
  paymentId: string
  /** Null when the payment was not for a subscription. */
  subscriptionId: string | null
  /** `won`: closed, and the money stays here. */
  state: 'open' | 'won' | 'lost'
  /** The provider's word for it, such as `fraudulent`. */
  reason: string
  amountCents: number
  openedAt: Date
  /** Until when the provider takes evidence; null when it wants none. */
  respondBy: Date | null
}

/** Something that happened at the provider: a hint to ask for the customer's state. */
export interface PaymentEvent {
  id: string
  /** The provider's name for it, such as `customer.subscription.updated`. */
  type: string
  createdAt: Date
  /** Null when it concerns no customer, or names a payment instead. */
  customerId: string | null
  /** The payment that it names instead of a customer, as a dispute does. */
  paymentId?: string
}
