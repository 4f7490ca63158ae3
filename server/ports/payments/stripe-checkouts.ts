import type Stripe from 'stripe'
import { PaymentRefused, type Payments } from './payments.ts'
import { isStripeId, isMissing, mostItems, type StripeContext } from './stripe-calls.ts'
import { checkoutView, priceView } from './stripe-views.ts'

/**
 * Stripe calculates taxes in a checkout of a subscription only when asked to, and refuses that until its account is set up
 * for it. So its settings are asked first.
 */
function taxSettings({ stripe, calls }: StripeContext) {
  return async (): Promise<Pick<Stripe.Checkout.SessionCreateParams, 'automatic_tax' | 'customer_update'>> => {
    const { status } = await calls.send(() => stripe.tax.settings.retrieve())
    return status === 'active' ? { automatic_tax: { enabled: true }, customer_update: { address: 'auto' } } : {}
  }
}

/** Stripe says so about an object of live mode when a key of test mode was used; nothing real is charged in test mode. */
const isInLiveMode = /exists in live mode/

/** Customers, without what they pay. */
export function customers({ stripe, calls }: StripeContext): Pick<Payments, 'createCustomer' | 'isCustomerGone'> {
  return {
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
  }
}

type Checkouts = Pick<Payments, 'price' | 'openCheckout' | 'checkout' | 'expireCheckout' | 'openCheckoutsOf'>

/** Prices and Checkout Sessions. */
export function checkouts(context: StripeContext): Checkouts {
  const { stripe, calls } = context
  const taxes = taxSettings(context)
  const find = async (id: string) => (isStripeId(id) ? calls.find(() => stripe.checkout.sessions.retrieve(id)) : null)
  return {
    async price(id) {
      const price = isStripeId(id) ? await calls.find(() => stripe.prices.retrieve(id)) : null
      return price && priceView(price)
    },
    async openCheckout({ customerId, priceId, reference, successUrl, cancelUrl }, idempotencyKey) {
      const session = {
        mode: 'subscription',
        customer: customerId,
        client_reference_id: reference,
        line_items: [{ price: priceId, quantity: 1 }],
        success_url: successUrl,
        cancel_url: cancelUrl,
        ...(await taxes()),
      }
      return checkoutView(await calls.send(() => stripe.checkout.sessions.create(session, { idempotencyKey })))
    },
    async checkout(id) {
      const session = await find(id)
      return session && checkoutView(session)
    },
    async expireCheckout(id) {
      try {
        await calls.send(() => stripe.checkout.sessions.expire(id))
      } catch (error) {
        // Only an open one can be expired.
        if (!(error instanceof PaymentRefused) || (await find(id))?.status === 'open') throw error
      }
    },
    async openCheckoutsOf(customer) {
      const sessions = await calls.list(
        (page) => stripe.checkout.sessions.list({ customer, status: 'open', ...page }),
        mostItems,
      )
      return sessions.map(checkoutView)
    },
  }
}

/** The billing portal. */
export function portal({ stripe, calls }: StripeContext): Pick<Payments, 'portalUrl'> {
  return {
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
  }
}
