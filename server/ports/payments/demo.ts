import { hashOf, newId } from '../../lib/ids.ts'
import { cancelNow, changePrice, previewChange, setCancelAtPeriodEnd, setCardPays } from './demo-changes.ts'
import {
  checkoutOf,
  checkoutRow,
  checkoutState,
  expireCheckout,
  createDemoCheckout,
  openCheckoutRows,
  payCheckout,
  successUrlOf,
} from './demo-checkouts.ts'
import { advanceDemo } from './demo-clock.ts'
import { lockDemoCustomer } from './demo-customer.ts'
import { demoEventsSince } from './demo-events.ts'
import { demoPriceOf } from './demo-prices.ts'
import { paymentsOf, refund, refundedCents } from './demo-received-payments.ts'
import type { DemoStore, Renewals } from './demo-store.ts'
import { subscriptionOf, subscriptionRows } from './demo-subscriptions.ts'
import { InvalidWebhook, PaymentRefused, type Payments } from './payments.ts'

/** Demo payments, and what their page and their clock need besides. */
export interface DemoPayments extends Payments {
  readonly kind: 'demo'
  /** Where the page of a checkout returns to, and what it sells; null when there is none with this id. */
  checkoutPage(checkoutId: string): Promise<DemoCheckoutDetails | null>
  /** Pays a checkout if it is open, once; the page after it. */
  payCheckout(checkoutId: string): Promise<DemoCheckoutDetails | null>
  /** From now on, payments of the customer succeed or are declined; when they succeed, those that are missing are received. */
  setCardPays(customerId: string, pays: boolean): Promise<void>
  /** Renews and ends every subscription that is due by the billing clock; may run twice. */
  advance(): Promise<Renewals>
}

/** A checkout as its page shows it. */
export interface DemoCheckoutDetails {
  state: 'open' | 'paid' | 'expired'
  priceId: string
  /** With the id of the checkout. */
  successUrl: string
  cancelUrl: string
}

/** The key is stored as a hash, because it can contain the id of a user, who may be deleted. */
async function createCustomer({ db }: DemoStore, idempotencyKey: string): Promise<string> {
  const key = hashOf(idempotencyKey).toString('hex')
  await db
    .insertInto('demo_customers')
    .values({ id: `demo_cus_${newId()}`, idempotency_key: key })
    .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
    .execute()
  const { id } = await db
    .selectFrom('demo_customers')
    .select('id')
    .where('idempotency_key', '=', key)
    .executeTakeFirstOrThrow()
  return id
}

async function isCustomerGone({ db }: DemoStore, id: string): Promise<boolean> {
  return !(await db.selectFrom('demo_customers').select('id').where('id', '=', id).executeTakeFirst())
}

const pageOf = (row: Awaited<ReturnType<typeof checkoutRow>>): DemoCheckoutDetails | null =>
  row
    ? {
        state: checkoutState(row),
        priceId: row.price_id,
        successUrl: successUrlOf(row),
        cancelUrl: row.cancel_url,
      }
    : null

/**
 * Payments without money, stored in the database. They follow the billing clock: periods are calendar months or years,
 * counted from the first one, and every call first renews or ends what is due. A change of price starts a new period at
 * once; what is left of the old one is set off against its payment, and what is left of that against the next ones.
 * A subscription with a declined payment ends after three weeks; a first payment is never declined, so `incomplete` does
 * not occur. Checkouts expire after a day. `onEvent` is called in the transaction that makes an event, with what a webhook
 * would have said.
 */
export function demoPayments(options: DemoStore & { publicUrl: string }): DemoPayments {
  const { publicUrl, ...store } = options
  return {
    kind: 'demo',
    missingPermissions: async () => [],
    price: async (priceId) => demoPriceOf(priceId) ?? null,
    createCustomer: (_, idempotencyKey) => createCustomer(store, idempotencyKey),
    isCustomerGone: (customerId) => isCustomerGone(store, customerId),
    openCheckout: async (checkout, idempotencyKey) =>
      checkoutOf(await createDemoCheckout(store, checkout, idempotencyKey), publicUrl),
    async checkout(checkoutId) {
      const row = await checkoutRow(store, checkoutId)
      return row ? checkoutOf(row, publicUrl) : null
    },
    async expireCheckout(checkoutId) {
      if (!(await expireCheckout(store, checkoutId))) throw new PaymentRefused(`there is no checkout ${checkoutId}`)
    },
    openCheckoutsOf: async (customerId) =>
      (await openCheckoutRows(store, customerId)).map((row) => checkoutOf(row, publicUrl)),
    subscriptionsOf: (customerId) =>
      lockDemoCustomer(store, customerId, async ({ tx }) =>
        (await subscriptionRows(tx, customerId)).map(subscriptionOf),
      ),
    changePrice: (subscriptionId, priceId, idempotencyKey) =>
      changePrice(store, { subscriptionId, priceId }, idempotencyKey),
    previewChange: (subscriptionId, priceId) => previewChange(store, subscriptionId, priceId),
    setCancelAtPeriodEnd: (subscriptionId, cancels) => setCancelAtPeriodEnd(store, subscriptionId, cancels),
    cancelNow: (subscriptionId) => cancelNow(store, subscriptionId),
    paymentsOf: (customerId) => paymentsOf(store, customerId),
    refund: (paymentId, idempotencyKey) => refund(store, paymentId, idempotencyKey),
    refundedCents: (paymentId) => refundedCents(store, paymentId),
    // There is no bank.
    payerOf: async () => null,
    disputesOf: async () => [],
    // It belongs to a subscription here, and ends with it.
    async dropCredit() {},
    portalUrl: async () => null,
    readWebhook() {
      throw new InvalidWebhook('demo payments have no webhooks')
    },
    eventsSince: (time) => demoEventsSince(store, time),
    checkoutPage: async (checkoutId) => pageOf(await checkoutRow(store, checkoutId)),
    payCheckout: async (checkoutId) => pageOf(await payCheckout(store, checkoutId)),
    setCardPays: (customerId, pays) => setCardPays(store, customerId, pays),
    advance: () => advanceDemo(store),
  }
}
