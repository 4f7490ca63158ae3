/**
 * The shared tests of the port at Stripe itself, in its test mode: STRIPE_TEST_KEY=sk_test_... npm run record -- stripe
 * Checkouts cannot be paid there without a browser, so subscriptions begin through the API, and time does not pass.
 */
import { beforeAll, describe } from 'vitest'
import { Stripe } from 'stripe'
import { plans } from '@keepsnap/contract/plans.ts'
import type { Payments } from './payments.ts'
import { stripePayments } from './stripe.ts'
import { testPayments } from '../../test/payments-suite.ts'

const secretKey = process.env['STRIPE_TEST_KEY'] ?? ''
if (!/^(sk|rk)_test_/.test(secretKey)) throw new Error('STRIPE_TEST_KEY is not a key of test mode')
const stripe = new Stripe(secretKey, { telemetry: false })

let payments: Payments
let prices: { month: string; year: string }

/** A price of an earlier run, or a new one. */
async function priceOf({ id, name, price_cents, interval_type }: typeof plans.pro_monthly): Promise<string> {
  const lookupKey = `keepsnap_test_${id}_${price_cents}`
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey], active: true })
  if (data[0]) return data[0].id
  const created = await stripe.prices.create({
    currency: 'usd',
    unit_amount: price_cents,
    recurring: { interval: interval_type },
    product_data: { name },
    lookup_key: lookupKey,
  })
  return created.id
}

async function subscribe(customer: string, price: string): Promise<string> {
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  const subscription = await stripe.subscriptions.create({
    customer,
    items: [{ price }],
    default_payment_method: card.id,
    payment_behavior: 'error_if_incomplete',
  })
  return subscription.id
}

beforeAll(async () => {
  prices = { month: await priceOf(plans.pro_monthly), year: await priceOf(plans.pro_yearly) }
  payments = await stripePayments({
    kind: 'stripe',
    secretKey,
    webhookSecret: 'whsec_unused',
    prices: { pro_monthly: prices.month, pro_yearly: prices.year },
    apiBase: undefined,
  })
})

describe('the port, at Stripe', () => {
  testPayments(async () => ({ payments, prices, subscribe }))
})
