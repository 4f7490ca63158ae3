import { sql } from 'kysely'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { newId } from '../../lib/ids.ts'
import {
  checkoutOf,
  checkoutRow,
  expireCheckout,
  openCheckout,
  openCheckoutRows,
  payCheckout,
  successUrlOf,
} from './demo-checkouts.ts'
import { advanceDemo } from './demo-clock.ts'
import { lockCustomer } from './demo-customer.ts'
import { demoPriceOf } from './demo-prices.ts'
import type { DemoStore, LockedCustomer, Renewals } from './demo-store.ts'
import {
  endSubscription,
  knownPrice,
  startPrice,
  subscriptionOf,
  subscriptionRow,
  subscriptionRows,
  updateSubscription,
} from './demo-subscriptions.ts'
import {
  InvalidWebhook,
  PaymentRefused,
  type Payment,
  type PaymentEvent,
  type Payments,
  type Subscription,
} from './payments.ts'

/** Demo payments, and what their page and their clock need besides. */
export interface DemoPayments extends Payments {
  readonly kind: 'demo'
  /** Where the page of a checkout returns to, and what it sells; null when there is none with this id. */
  checkoutPage(checkoutId: string): Promise<DemoCheckoutPage | null>
  /** Pays a checkout if it is open, once; the page after it. */
  payCheckout(checkoutId: string): Promise<DemoCheckoutPage | null>
  /** Renews and ends every subscription that is due by the billing clock; may run twice. */
  advance(): Promise<Renewals>
}

/** A checkout as its page shows it. */
export interface DemoCheckoutPage {
  state: 'open' | 'paid' | 'expired'
  priceId: string
  /** With the id of the checkout. */
  successUrl: string
  cancelUrl: string
}

/** How many events are read at once. */
const eventsPage = 200

/** Runs a transaction with a subscription and its customer's row locked. */
async function lockSubscription<T>(
  store: DemoStore,
  id: string,
  work: (customer: LockedCustomer, row: Awaited<ReturnType<typeof subscriptionRow>>) => Promise<T>,
): Promise<T> {
  const found = await store.db
    .selectFrom('demo_subscriptions')
    .select('customer_id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw new PaymentRefused(`there is no subscription ${id}`)
  return lockCustomer(store, found.customer_id, async (customer) => work(customer, await subscriptionRow(customer, id)))
}

/** The same change again has no effect, also when the price has changed back since. */
const changePrice = (
  store: DemoStore,
  change: { subscriptionId: string; priceId: string },
  idempotencyKey: string,
): Promise<Subscription> =>
  lockSubscription(store, change.subscriptionId, async (customer, row) => {
    const price = knownPrice(change.priceId)
    const values = { subscription_id: row.id, price_id: price.id }
    const { numInsertedOrUpdatedRows: inserted = 0n } = await customer.tx
      .insertInto('demo_price_changes')
      .values({ idempotency_key: idempotencyKey, ...values })
      .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
      .executeTakeFirstOrThrow()
    if (inserted === 0n) {
      const earlier = await customer.tx
        .selectFrom('demo_price_changes')
        .select(['subscription_id', 'price_id'])
        .where('idempotency_key', '=', idempotencyKey)
        .executeTakeFirstOrThrow()
      if (earlier.subscription_id !== row.id || earlier.price_id !== price.id)
        throw new PaymentRefused('the idempotency key was used for another change')
      return subscriptionOf(row)
    }
    if (row.ended_at) throw new PaymentRefused('the subscription has ended')
    return subscriptionOf(row.price_id === price.id ? row : await startPrice(customer, row, price))
  })

const setCancelAtPeriodEnd = (store: DemoStore, id: string, cancels: boolean): Promise<Subscription> =>
  lockSubscription(store, id, async (customer, row) => {
    if (row.ended_at) throw new PaymentRefused('the subscription has ended')
    if (row.cancel_at_period_end === cancels) return subscriptionOf(row)
    const changed = await updateSubscription(customer.tx, id, { cancel_at_period_end: cancels })
    await customer.record('customer.subscription.updated')
    return subscriptionOf(changed)
  })

/** Gives the rest of a payment back; the same key again returns the same cents. */
async function refund(store: DemoStore, paymentId: string, idempotencyKey: string): Promise<number> {
  const select = (db: Db) => db.selectFrom('demo_payments').selectAll().where('id', '=', paymentId)
  const found = await select(store.db).executeTakeFirst()
  if (!found) throw new PaymentRefused(`there is no payment ${paymentId}`)
  return lockCustomer(store, found.customer_id, async ({ tx, record }) => {
    const {
      refund_key: key,
      refunded_cents: refunded,
      amount_cents: amount,
    } = await select(tx).executeTakeFirstOrThrow()
    if (key !== null) return key === idempotencyKey ? refunded : 0
    await tx
      .updateTable('demo_payments')
      .set({ refunded_cents: amount, refund_key: idempotencyKey })
      .where('id', '=', paymentId)
      .execute()
    await record('charge.refunded')
    return amount
  })
}

async function paymentsOf(store: DemoStore, customerId: string): Promise<Payment[]> {
  const rows = await lockCustomer(store, customerId, ({ tx }) =>
    tx
      .selectFrom('demo_payments')
      .selectAll()
      .where('customer_id', '=', customerId)
      .orderBy('paid_at', 'desc')
      .orderBy('id')
      .limit(billingLimits.invoicesMax)
      .execute(),
  )
  return rows.map((row) => ({
    id: row.id,
    subscriptionId: row.subscription_id,
    paidAt: row.paid_at,
    amountCents: row.amount_cents,
    refundedCents: row.refunded_cents,
    currency: 'usd',
    invoiceUrl: null,
  }))
}

async function* eventsSince({ db }: DemoStore, time: Date): AsyncIterable<PaymentEvent> {
  let lastNumber = 0
  for (;;) {
    const rows = await db
      .selectFrom('demo_events')
      .selectAll()
      .where('created_at', '>', time)
      .where('created_at', '>', sql<Date>`now() - interval '30 days'`)
      .where('number', '>', lastNumber)
      .orderBy('number')
      .limit(eventsPage)
      .execute()
    for (const { id, type, created_at: createdAt, customer_id: customerId } of rows)
      yield { id, type, createdAt, customerId }
    if (rows.length < eventsPage) return
    lastNumber = rows.at(-1)?.number ?? lastNumber
  }
}

async function createCustomer({ db }: DemoStore, idempotencyKey: string): Promise<string> {
  await db
    .insertInto('demo_customers')
    .values({ id: `demo_cus_${newId()}`, idempotency_key: idempotencyKey })
    .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
    .execute()
  const { id } = await db
    .selectFrom('demo_customers')
    .select('id')
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirstOrThrow()
  return id
}

const pageOf = (row: Awaited<ReturnType<typeof checkoutRow>>): DemoCheckoutPage | null =>
  row
    ? {
        state: checkoutOf(row, '').state,
        priceId: row.price_id,
        successUrl: successUrlOf(row),
        cancelUrl: row.cancel_url,
      }
    : null

/**
 * Payments without money, stored in the database. They follow the billing clock: periods are calendar months or years,
 * counted from the first one, and every call first renews or ends what is due. A change of price starts a new period at
 * once; what is left of the old one is set off against its payment, and what is left of that against the next ones.
 * Customers never fail to pay, so `past_due` and `incomplete` do not occur. Checkouts expire after a day. `onEvent` is
 * called in the transaction that makes an event, with what a webhook would have said.
 */
export function demoPayments(options: DemoStore & { publicUrl: string }): DemoPayments {
  const { publicUrl, ...store } = options
  return {
    kind: 'demo',
    price: async (priceId) => demoPriceOf(priceId) ?? null,
    createCustomer: (_, idempotencyKey) => createCustomer(store, idempotencyKey),
    openCheckout: async (checkout, idempotencyKey) =>
      checkoutOf(await openCheckout(store, checkout, idempotencyKey), publicUrl),
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
      lockCustomer(store, customerId, async ({ tx }) => (await subscriptionRows(tx, customerId)).map(subscriptionOf)),
    changePrice: (subscriptionId, priceId, idempotencyKey) =>
      changePrice(store, { subscriptionId, priceId }, idempotencyKey),
    setCancelAtPeriodEnd: (subscriptionId, cancels) => setCancelAtPeriodEnd(store, subscriptionId, cancels),
    cancelNow: (subscriptionId) =>
      lockSubscription(store, subscriptionId, async (customer, row) => {
        if (!row.ended_at) await endSubscription(customer, row, customer.now)
      }),
    paymentsOf: (customerId) => paymentsOf(store, customerId),
    refund: (paymentId, idempotencyKey) => refund(store, paymentId, idempotencyKey),
    portalUrl: async () => null,
    readWebhook() {
      throw new InvalidWebhook('demo payments have no webhooks')
    },
    eventsSince: (time) => eventsSince(store, time),
    checkoutPage: async (checkoutId) => pageOf(await checkoutRow(store, checkoutId)),
    payCheckout: async (checkoutId) => pageOf(await payCheckout(store, checkoutId)),
    advance: () => advanceDemo(store),
  }
}
