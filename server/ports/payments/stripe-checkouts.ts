import type Stripe from 'stripe'
import { PaymentRefused, type Payments } from './payments.ts'
import { isStripeId, isMissing, mostItems, type StripeContext } from './stripe-calls.ts'
import { checkoutView, delayedPaymentState, idOf, isDelayed, priceView } from './stripe-views.ts'

/**
 * Stripe calculates taxes in a checkout of a subscription only when asked to, and refuses that until its account is set up
 * for it. So its settings are asked first.
 */
function taxes({ stripe, calls }: StripeContext) {
  const settings = () => calls.send(() => stripe.tax.settings.retrieve())
  return {
    async ofCheckout(): Promise<Pick<Stripe.Checkout.SessionCreateParams, 'automatic_tax' | 'customer_update'>> {
      const { status } = await settings()
      return status === 'active' ? { automatic_tax: { enabled: true }, customer_update: { address: 'auto' } } : {}
    },
    /** Whether tax is added to a price. Without a behaviour of its own, the price has that of the account. */
    async addTo({ tax_behavior: own, currency }: Stripe.Price): Promise<boolean> {
      if (own === 'inclusive') return false
      const { status, defaults } = await settings()
      if (status !== 'active') return false
      if (own === 'exclusive') return true
      const { tax_behavior: ofAccount } = defaults
      // Stripe infers `exclusive` for these currencies and `inclusive` for all others.
      if (ofAccount === 'inferred_by_currency') return currency === 'usd' || currency === 'cad'
      return ofAccount !== 'inclusive'
    },
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

/** A session says until the end that it is unpaid, also when its payment has failed: the charges of its invoice say which. */
async function delayedPayment({ stripe, calls }: StripeContext, session: Stripe.Checkout.Session) {
  const [customer, subscription, invoiceId] = [session.customer, session.subscription, session.invoice].map(idOf)
  if (!customer || !subscription) return 'pending'
  const charges = await calls.list((page) => stripe.charges.list({ customer, ...page }), mostItems)
  // Asked after the charges, so that a payment that arrives meanwhile is not missed.
  const expand = ['data.payments']
  const invoices = await calls.list((page) => stripe.invoices.list({ subscription, expand, ...page }), mostItems)
  return delayedPaymentState(
    invoices.find(({ id }) => id === invoiceId),
    charges,
  )
}

type Checkouts = Pick<Payments, 'price' | 'openCheckout' | 'checkout' | 'expireCheckout' | 'openCheckoutsOf'>

/** Prices and Checkout Sessions. */
export function checkouts(context: StripeContext): Checkouts {
  const { stripe, calls } = context
  const tax = taxes(context)
  const find = async (id: string) => (isStripeId(id) ? calls.find(() => stripe.checkout.sessions.retrieve(id)) : null)
  return {
    async price(id) {
      const price = isStripeId(id) ? await calls.find(() => stripe.prices.retrieve(id)) : null
      return price && priceView(price, await tax.addTo(price))
    },
    async openCheckout({ customerId, priceId, reference, successUrl, cancelUrl }, idempotencyKey) {
      const session = {
        mode: 'subscription',
        customer: customerId,
        client_reference_id: reference,
        line_items: [{ price: priceId, quantity: 1 }],
        success_url: successUrl,
        cancel_url: cancelUrl,
        ...(await tax.ofCheckout()),
      }
      return checkoutView(await calls.send(() => stripe.checkout.sessions.create(session, { idempotencyKey })))
    },
    async checkout(id) {
      const session = await find(id)
      return session && checkoutView(session, isDelayed(session) ? await delayedPayment(context, session) : undefined)
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
      return sessions.map((session) => checkoutView(session))
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
