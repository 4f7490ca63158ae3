import { Array, Boolean, Integer, Literal, Number, Object, Optional, String, type Static } from 'typebox'
import { ById, endpoint, exact, nullable, oneOf } from './endpoint.ts'
import { limits } from './limits.ts'

/** What will be removed because a larger plan has ended: the oldest photos, until the others fit into the storage. */
const PhotosToRemove = Object({
  photos: Integer(),
  bytes: Integer(),
  /** Not before this time, ISO 8601 in UTC. */
  at: String(),
})

/** What was removed for that reason and can be put back. */
const RemovedPhotos = Object({
  photos: Integer(),
  bytes: Integer(),
  /** Until when, ISO 8601 in UTC. */
  until: String(),
})

const limitFields = { max_photos: Integer(), storage_gb: Integer(), max_file_size_mb: Integer() }
const interval = oneOf('month', 'year')
const featureFields = Object({
  ...limitFields,
  custom_branding: Boolean(),
  analytics: Boolean(),
  priority_support: Boolean(),
  api_access: Boolean(),
})
const planFields = { name: String(), price_cents: Integer(), interval_type: interval }

/** A plan as it is sold. */
export const PlanForSale = Object({
  id: String(),
  ...planFields,
  description: String(),
  /** The payment provider's name of the price; null when the plan costs nothing or cannot be bought here. */
  stripe_price_id: nullable(String()),
  /** True while this site sells the plan and cannot take payments: it can be bought again later. */
  is_paused: Optional(Boolean()),
  features: featureFields,
})
export type PlanForSale = Static<typeof PlanForSale>

/**
 * How the subscription stands: `past_due` while a payment is missing (the plan goes on for some days), `canceled` once
 * it has ended, `incomplete` while the first payment is missing.
 */
export const SubscriptionState = oneOf('active', 'past_due', 'canceled', 'incomplete')
export type SubscriptionState = Static<typeof SubscriptionState>

/** The plan of the user and how much of it is used. Times are ISO 8601 in UTC. */
export const SubscriptionStatus = Object({
  /** Whether the user pays for a plan that counts now. */
  has_subscription: Boolean(),
  subscription: nullable(
    Object({
      plan: Object({ id: String(), ...planFields }),
      status: SubscriptionState,
      cancel_at_period_end: Boolean(),
      current_period_end: String(),
      /** While a payment is missing: until when the plan goes on. */
      grace_until: nullable(String()),
      /** Only if something is left of earlier payments: the next ones are paid from it first. */
      credit_cents: Optional(Integer()),
    }),
  ),
  /** The plan that counts: the better one of a paid and a complimentary plan. */
  plan: Object({ id: String(), ...planFields, features: featureFields }),
  /** A plan that the operator granted, also when a better one is paid; null without one. `until` is null if it does not end. */
  complimentary: nullable(Object({ id: String(), name: String(), until: nullable(String()) })),
  /** When a complimentary plan ends that counts; null if it does not end, or another plan counts. */
  until: nullable(String()),
  /** Photos uploaded in this calendar month (UTC), deleted ones included; bytes stored now. */
  current_usage: Object({ photos_uploaded: Integer(), storage_used_bytes: Integer() }),
  plan_limits: Object(limitFields),
  /** From 0; above 100 after a change to a smaller plan. */
  usage_percentage: Object({ photos: Number(), storage: Number() }),
  /** When the count of photos starts again. */
  month_ends_at: String(),
  /** How plans are paid here: `off` when they are not sold. `demo`: no money moves. */
  payments: oneOf('stripe', 'demo', 'off'),
  /** Until when everything that was paid can be refunded on request; null when it cannot. */
  refundable_until: nullable(String()),
  /**
   * Only while a payment that takes days is under way, for instance by bank debit, and for two weeks after it has failed.
   * Its plan starts when it arrives.
   */
  delayed_payment: Optional(
    Object({ state: oneOf('pending', 'failed'), plan: Object({ id: String(), name: String() }) }),
  ),
  /** Only while photos do not fit into the storage after a larger plan has ended. */
  removal: Optional(PhotosToRemove),
  /** Only while photos that were removed then can be put back. */
  removed_photos: Optional(RemovedPhotos),
})
export type SubscriptionStatus = Static<typeof SubscriptionStatus>

export const subscriptionStatus = endpoint({
  method: 'GET',
  path: '/subscriptions/status',
  access: 'user',
  summary: 'Get your plan and how much of it you have used.',
  reply: SubscriptionStatus,
})

export const listPlans = endpoint({
  method: 'GET',
  path: '/subscriptions/plans',
  access: 'public',
  summary: 'List the plans, the cheapest first.',
  reply: Array(PlanForSale),
})

const withoutNul = { minLength: 1, pattern: '^[^\\0]*$' }
const priceId = String({ ...withoutNul, maxLength: 255 })
const returnUrl = String({ ...withoutNul, maxLength: limits.urlChars / 4 })

export const openCheckout = endpoint({
  method: 'POST',
  path: '/subscriptions/checkout',
  access: 'user',
  summary: 'Start to pay for a plan; returns the address of the page where that is done.',
  rate: 'account',
  body: exact({
    price_id: priceId,
    /** Both on an origin of this site; `{CHECKOUT_SESSION_ID}` in the first is replaced. */
    success_url: returnUrl,
    cancel_url: returnUrl,
  }),
  reply: Object({ checkout_url: String() }),
})

export const verifySession = endpoint({
  method: 'POST',
  path: '/subscriptions/verify-session',
  access: 'user',
  summary: 'Ask whether a checkout of yours was paid; if so, its plan counts from now on.',
  rate: 'billing',
  body: exact({ session_id: String({ ...withoutNul, maxLength: 255 }) }),
  reply: Object({ plan: Object(planFields), current_period_end: String() }),
})

export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/subscriptions/cancel',
  access: 'user',
  summary: 'End your subscription with the period that is paid.',
  rate: 'billing',
  ignoreBody: true,
  reply: SubscriptionStatus,
})

export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/subscriptions/resume',
  access: 'user',
  summary: 'Continue a subscription that was cancelled and has not ended.',
  rate: 'billing',
  ignoreBody: true,
  reply: SubscriptionStatus,
})

export const changeSubscription = endpoint({
  method: 'POST',
  path: '/subscriptions/change',
  access: 'user',
  summary: 'Change to another paid plan; what is paid already is set off against it.',
  rate: 'billing',
  body: exact({ price_id: priceId }),
  reply: SubscriptionStatus,
})

export const previewChange = endpoint({
  method: 'POST',
  path: '/subscriptions/change/preview',
  access: 'user',
  summary: 'Ask what a change to another paid plan would charge now; nothing is changed.',
  rate: 'billing',
  body: exact({ price_id: priceId }),
  /** `credit_cents`: what would be left of earlier payments for the next ones. Both are null when the provider does not say. */
  reply: Object({ charged_cents: nullable(Integer()), credit_cents: nullable(Integer()) }),
})

export const refundSubscription = endpoint({
  method: 'POST',
  path: '/subscriptions/refund',
  access: 'user',
  summary: 'Get back everything that you paid, within 30 days of the first payment; the plan ends at once.',
  rate: 'billing',
  ignoreBody: true,
  reply: Object({ refunded_cents: Integer() }),
})

/** A payment of the user. */
export const Invoice = Object({
  id: String(),
  paid_at: String(),
  amount_cents: Integer(),
  refunded_cents: Integer(),
  /** Only when it was disputed at the bank, which has the money or may get it: it cannot be refunded. */
  is_disputed: Optional(Boolean()),
  /** The provider's page with the invoice; null when there is none. */
  url: nullable(String()),
})
export type Invoice = Static<typeof Invoice>

export const listInvoices = endpoint({
  method: 'GET',
  path: '/subscriptions/invoices',
  access: 'user',
  summary: 'List what you paid, newest first, at most 100 payments.',
  rate: 'billing',
  reply: Array(Invoice),
})

export const openBillingPortal = endpoint({
  method: 'POST',
  path: '/subscriptions/portal',
  access: 'user',
  summary: 'Get the address of the payment provider’s page for your card and your invoices.',
  rate: 'billing',
  ignoreBody: true,
  reply: Object({ url: String() }),
})

export const paymentWebhook = endpoint({
  method: 'POST',
  path: '/payments/webhook',
  access: 'public',
  summary: 'Receives the events of the payment provider, with its signature.',
  rawBody: true,
  reply: Object({ received: Literal(true), repeated: Optional(Boolean()) }),
})

export const restoreRemovedPhotos = endpoint({
  method: 'POST',
  path: '/user/removed-photos/restore',
  access: 'user',
  summary:
    'Put back photos that were removed after a larger plan ended, newest first, as many as fit into your storage.',
  rate: 'account',
  ignoreBody: true,
  /** `remaining`: photos that still do not fit. */
  reply: Object({ restored: Integer(), remaining: Integer() }),
})

/** The page on which demo payments are made. */
export const demoCheckoutPage = endpoint({
  method: 'GET',
  path: '/demo-checkout/:id',
  access: 'public',
  summary: 'The page of demo payments, where no money moves.',
  params: ById,
  reply: 'bytes',
})
const businessText = Optional(String({ maxLength: 1_000, pattern: '^[^\\0]*$' }))

/**
 * The form of that page. `succeed` pays and leads to the checkout's `success_url`, `cancel` to its `cancel_url`, both with
 * 303; `decline` shows the page again. With `as_business`, the other fields say which business the invoices name.
 */
export const demoCheckoutForm = endpoint({
  method: 'POST',
  path: '/demo-checkout/:id',
  access: 'public',
  summary: 'Pay, be declined or cancel with demo payments, with a form.',
  params: ById,
  form: true,
  body: Object({
    outcome: oneOf('succeed', 'decline', 'cancel'),
    as_business: Optional(Literal('yes')),
    name: businessText,
    vat_number: businessText,
    street: businessText,
    postal_code: businessText,
    city: businessText,
  }),
  reply: 'bytes',
})
