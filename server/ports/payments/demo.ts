import { type Selectable, sql } from 'kysely'
import { planIds, plans } from '@keepsnap/contract/plans.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import { hashOf, newId } from '../../lib/ids.ts'
import type { DemoCheckouts, DemoInvoices, DemoSubscriptions } from '../../platform/db/schema.ts'
import {
  type Business,
  type ChangePreview,
  type Checkout,
  InvalidWebhook,
  type Invoice,
  type PaymentEvent,
  PaymentRefused,
  type Payments,
  type Price,
  type Subscription,
} from './payments.ts'
import { demoPrices } from './payment-settings.ts'

/** Demo payments, and what their page and their clock need besides. */
export interface DemoPayments extends Payments {
  readonly kind: 'demo'
  /** Where the page of a checkout returns to, and what it sells; null when there is none with this id. */
  checkoutPage(checkoutId: string): Promise<DemoCheckoutDetails | null>
  /** Pays a checkout if it is open, once; the page after it. `business`: what its invoice names; by default what is known. */
  payCheckout(checkoutId: string, business?: Business | null): Promise<DemoCheckoutDetails | null>
  /** From now on, payments of the customer succeed or are declined; when they succeed, those that are missing are received. */
  setCardPays(customerId: string, pays: boolean): Promise<void>
  /** Renews and ends every subscription that is due by the billing clock; may run twice. */
  advance(): Promise<Renewals>
}

/** A checkout as its page shows it. */
export interface DemoCheckoutDetails {
  state: 'open' | 'paid' | 'expired'
  customerId: string
  priceId: string
  /** With the id of the checkout. */
  successUrl: string
  cancelUrl: string
}

/**
 * Payments without money, stored in the database. They follow the billing clock: periods are calendar months or years,
 * counted from the first one, and every call first renews or ends what is due. A change of price starts a new period at
 * once; what is left of the old one is set off against its payment, and what is left of that against the next ones.
 * A subscription with a declined payment ends after three weeks; a first payment is never declined, so `incomplete` does
 * not occur. Checkouts expire after a day. `onEvent` is called in the transaction that makes an event, with what a webhook
 * would have said.
 */
export function demoPayments({ db, publicUrl, onEvent }: DemoOptions): DemoPayments {
  /**
   * Runs a transaction of one customer; transactions of the same customer run one after the other, on every node. What is due
   * by the billing clock is renewed or ended first.
   * @throws PaymentRefused when there is no such customer
   */
  const lockCustomer = <T>(
    id: string,
    work: (customer: LockedCustomer, renewals: Renewals) => Promise<T>,
  ): Promise<T> =>
    db.transaction().execute(async (tx) => {
      const row = await tx
        .selectFrom('demo_customers')
        .select('card_pays')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      if (!row) throw new PaymentRefused(`there is no customer ${id}`, { isCustomerUnknown: true })
      // `now()` is when the transaction began, before it waited for the lock.
      const { rows } = await sql<{ now: Date }>`select billing_now() + (clock_timestamp() - now()) as now`.execute(tx)
      const record = async (type: string): Promise<void> => {
        const event = await tx
          .insertInto('demo_events')
          .values({
            id: `demo_evt_${newId()}`,
            customer_id: id,
            type,
            // Of a whole millisecond, so that the time is the same after it was read.
            created_at: sql`date_trunc('milliseconds', clock_timestamp())`,
          })
          .returning(['id', 'created_at'])
          .executeTakeFirstOrThrow()
        await onEvent(tx, { id: event.id, type, createdAt: event.created_at, customerId: id })
      }
      const customer = { tx, id, now: rows[0]?.now ?? new Date(), cardPays: row.card_pays, record }
      return work(customer, await renewDue(customer))
    })

  /** Runs a transaction with a subscription and its customer's row locked. */
  async function lockSubscription<T>(
    id: string,
    work: (customer: LockedCustomer, row: SubscriptionRow) => Promise<T>,
  ): Promise<T> {
    const select = (from: Db) => from.selectFrom('demo_subscriptions').selectAll().where('id', '=', id)
    const found = await select(db).executeTakeFirst()
    if (!found) throw new PaymentRefused(`there is no subscription ${id}`)
    return lockCustomer(found.customer_id, async (customer) =>
      work(customer, await select(customer.tx).executeTakeFirstOrThrow()),
    )
  }

  /** Runs a transaction with a checkout and its customer's row locked; undefined when there is no such checkout. */
  async function lockCheckout<T>(
    id: string,
    work: (row: CheckoutRow, customer: LockedCustomer) => Promise<T>,
  ): Promise<T | undefined> {
    const found = await checkoutRow(db, id)
    if (!found) return undefined
    return lockCustomer(found.customer_id, async (customer) => {
      const row = await checkoutRow(customer.tx, id)
      return row && work(row, customer)
    })
  }

  /** Ends a checkout unless it was paid or has ended; false when there is no such checkout. */
  async function expireCheckout(id: string): Promise<boolean> {
    const isKnown = await lockCheckout(id, async ({ state }, { tx, record }) => {
      if (state === 'open') {
        await tx.updateTable('demo_checkouts').set({ state: 'expired' }).where('id', '=', id).execute()
        await record('checkout.session.expired')
      }
      return true
    })
    return isKnown ?? false
  }

  function checkoutOf(row: CheckoutRow): Checkout {
    const state = checkoutState(row)
    return {
      id: row.id,
      state,
      customerId: row.customer_id,
      reference: row.reference,
      url: state === 'open' ? `${publicUrl}/demo-checkout/${row.id}` : null,
      subscriptionId: row.subscription_id,
    }
  }

  return {
    kind: 'demo',
    missingPermissions: async () => [],
    price: async (priceId) => prices.get(priceId) ?? null,
    async createCustomer(_, idempotencyKey) {
      // Stored as a hash, because it can contain the id of a user, who may be deleted.
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
    },
    isCustomerGone: async (id) =>
      !(await db.selectFrom('demo_customers').select('id').where('id', '=', id).executeTakeFirst()),
    async openCheckout({ customerId, priceId, reference, successUrl, cancelUrl }, idempotencyKey) {
      const { id: price_id } = knownPrice(priceId)
      const values = { customer_id: customerId, price_id, reference, success_url: successUrl, cancel_url: cancelUrl }
      return lockCustomer(customerId, async ({ tx }) => {
        await tx
          .insertInto('demo_checkouts')
          .values({
            id: `demo_cs_${newId()}`,
            idempotency_key: idempotencyKey,
            ...values,
            expires_at: sql`now() + make_interval(hours => ${checkoutHours})`,
          })
          .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
          .execute()
        const row = await selectCheckouts(tx).where('idempotency_key', '=', idempotencyKey).executeTakeFirstOrThrow()
        const isSame = Object.entries(values).every(([name, value]) => row[name as keyof typeof values] === value) // the keys of `values`
        if (!isSame) throw new PaymentRefused('the idempotency key was used for another checkout')
        return checkoutOf(row)
      })
    },
    async checkout(id) {
      const row = await checkoutRow(db, id)
      return row ? checkoutOf(row) : null
    },
    async expireCheckout(id) {
      if (!(await expireCheckout(id))) throw new PaymentRefused(`there is no checkout ${id}`)
    },
    async openCheckoutsOf(customerId) {
      const rows = await selectCheckouts(db)
        .where('customer_id', '=', customerId)
        .where('state', '=', 'open')
        .where('expires_at', '>', sql<Date>`now()`)
        .orderBy('expires_at')
        .execute()
      return rows.map(checkoutOf)
    },
    subscriptionsOf: (customerId) =>
      lockCustomer(customerId, async ({ tx }) => (await subscriptionRows(tx, customerId)).map(subscriptionOf)),
    // The same key has no effect a second time, even if the price has changed back since.
    changePrice: (id, priceId, idempotencyKey) =>
      lockSubscription(id, async (customer, row) => {
        const price = knownPrice(priceId)
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
        refuseUnpaid(row)
        return subscriptionOf(row.price_id === price.id ? row : await startPrice(customer, row, price))
      }),
    previewChange: (id, priceId) =>
      lockSubscription(id, async ({ now }, row) => {
        refuseUnpaid(row)
        return setOff(knownPrice(priceId).unitAmountCents, row.credit_cents + restCents(row, now))
      }),
    setCancelAtPeriodEnd: (id, cancels) =>
      lockSubscription(id, async (customer, row) => {
        if (row.ended_at) throw new PaymentRefused('the subscription has ended')
        if (row.cancel_at_period_end === cancels) return subscriptionOf(row)
        const changed = await updateSubscription(customer.tx, id, { cancel_at_period_end: cancels })
        await customer.record('customer.subscription.updated')
        return subscriptionOf(changed)
      }),
    cancelNow: (id) =>
      lockSubscription(id, async (customer, row) => {
        if (!row.ended_at) await endSubscription(customer, row, customer.now)
      }),
    async paymentsOf(customerId) {
      const rows = await lockCustomer(customerId, ({ tx }) =>
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
        isDisputed: false,
        currency: 'usd',
        invoiceUrl: null,
        invoiceId: row.invoice_id,
      }))
    },
    // The same key again returns the same cents.
    async refund(id, idempotencyKey, cents) {
      const select = (from: Db) => from.selectFrom('demo_payments').selectAll().where('id', '=', id)
      const found = await select(db).executeTakeFirst()
      if (!found) throw new PaymentRefused(`there is no payment ${id}`)
      return lockCustomer(found.customer_id, async ({ tx, record }) => {
        const payment = await select(tx).executeTakeFirstOrThrow()
        if (payment.refund_key === idempotencyKey) return payment.refunded_cents
        const made = await tx
          .selectFrom('demo_refunds')
          .select('cents')
          .where('idempotency_key', '=', idempotencyKey)
          .executeTakeFirst()
        if (made) return made.cents
        const left = payment.amount_cents - payment.refunded_cents
        const given = Math.min(cents ?? left, left)
        if (given <= 0) return 0
        await tx
          .insertInto('demo_refunds')
          .values({ idempotency_key: idempotencyKey, payment_id: id, cents: given })
          .execute()
        await tx
          .updateTable('demo_payments')
          .set({ refunded_cents: payment.refunded_cents + given })
          .where('id', '=', id)
          .execute()
        await record('charge.refunded')
        return given
      })
    },
    eurRatesOf: async () => new Map(),
    async invoicesOf(customerId) {
      const rows = await lockCustomer(customerId, ({ tx }) =>
        tx
          .selectFrom('demo_invoices')
          .selectAll()
          .where('customer_id', '=', customerId)
          .orderBy('issued_at', 'desc')
          .orderBy('number', 'desc')
          .limit(billingLimits.invoicesMax)
          .execute(),
      )
      return rows.map(invoiceOf)
    },
    businessOf: (customerId) => businessOf(db, customerId),
    setBusiness: (customerId, business) =>
      lockCustomer(customerId, async ({ tx }) => storeBusiness(tx, customerId, business)),
    async refundedCents(id) {
      const row = await db.selectFrom('demo_payments').select('refunded_cents').where('id', '=', id).executeTakeFirst()
      return row?.refunded_cents ?? 0
    },
    // There is no bank.
    payerOf: async () => null,
    disputesOf: async () => [],
    // It belongs to a subscription here, and ends with it.
    async dropCredit() {},
    portalUrl: async () => null,
    readWebhook() {
      throw new InvalidWebhook('demo payments have no webhooks')
    },
    async *eventsSince(time) {
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
    },
    checkoutPage: async (id) => pageOf(await checkoutRow(db, id)),
    payCheckout: async (id, business) =>
      pageOf(
        await lockCheckout(id, async (row, customer) => {
          if (checkoutState(row) !== 'open') return row
          // With a card that pays, from now on.
          const { tx } = customer
          await tx.updateTable('demo_customers').set({ card_pays: true }).where('id', '=', customer.id).execute()
          if (business !== undefined) await storeBusiness(tx, customer.id, business)
          const subscription = await startSubscription({ ...customer, cardPays: true }, knownPrice(row.price_id))
          const paid = { state: 'paid', subscription_id: subscription.id }
          await tx.updateTable('demo_checkouts').set(paid).where('id', '=', id).execute()
          await customer.record('checkout.session.completed')
          return { ...row, ...paid }
        }),
      ),
    setCardPays: (customerId, pays) =>
      lockCustomer(customerId, async (customer) => {
        await customer.tx.updateTable('demo_customers').set({ card_pays: pays }).where('id', '=', customerId).execute()
        if (pays) await payMissing({ ...customer, cardPays: true })
      }),
    async advance() {
      const customers = await db
        .selectFrom('demo_subscriptions')
        .select('customer_id')
        .distinct()
        .where('ended_at', 'is', null)
        .where(
          sql<boolean>`(current_period_end <= billing_now() or unpaid_since <= billing_now() - make_interval(days => ${unpaidDays}))`,
        )
        .limit(batchSize)
        .execute()
      const renewals = { renewed: 0, ended: 0 }
      for (const { customer_id: id } of customers) {
        const { renewed, ended } = await lockCustomer(id, async (_, ofCustomer) => ofCustomer)
        renewals.renewed += renewed
        renewals.ended += ended
      }
      const checkouts = await db
        .selectFrom('demo_checkouts')
        .select('id')
        .where('state', '=', 'open')
        .where('expires_at', '<=', sql<Date>`now()`)
        .limit(batchSize)
        .execute()
      for (const { id } of checkouts) await expireCheckout(id)
      const keptSince = sql<Date>`now() - make_interval(days => ${keepDays})`
      await db.deleteFrom('demo_events').where('created_at', '<', keptSince).execute()
      await db.deleteFrom('demo_checkouts').where('state', '=', 'expired').where('expires_at', '<', keptSince).execute()
      return renewals
    },
  }
}

/** How many events are read at once. */
const eventsPage = 200
/** How many customers and checkouts are looked at in one run of `advance`; the next one continues. */
const batchSize = 1_000
/** How long events and unpaid checkouts are kept. */
const keepDays = 30

/** Where demo payments are stored, and a callback for their events, called in the transaction of each. */
interface DemoOptions {
  db: Db
  publicUrl: string
  onEvent: (tx: Db, event: PaymentEvent) => Promise<void>
}

const monthsOf = { month: 1, year: 12 } as const

/**
 * The start of a period, in UTC: the same day of the month as the first one, or the last day of a month that has no such
 * day. Counted from the first period, so that 31 January leads to 28 February and then to 31 March. Period 1 starts at
 * `anchor`.
 */
export function periodStart(anchor: Date, interval: NonNullable<Price['interval']>, number: number): Date {
  const start = new Date(anchor)
  const months = monthsOf[interval] * (number - 1)
  start.setUTCMonth(start.getUTCMonth() + months)
  // The day does not exist in that month: the date overflowed into the next one.
  if (start.getUTCDate() !== anchor.getUTCDate()) start.setUTCDate(0)
  return start
}

/** Prorates a price: the share of it for the rest of the period, rounded to cents. */
export function proratedCents(cents: number, period: { start: Date; end: Date }, now: Date): number {
  const length = period.end.getTime() - period.start.getTime()
  const rest = Math.min(Math.max(period.end.getTime() - now.getTime(), 0), length)
  return Math.round((cents * rest) / length)
}

/** A price of demo payments: one fixed amount per interval. */
type DemoPrice = Price & { unitAmountCents: number; interval: 'month' | 'year' }

const prices = new Map(
  planIds.flatMap((plan): [string, DemoPrice][] => {
    if (plan === 'free') return []
    const { price_cents, interval_type } = plans[plan]
    const id = demoPrices[plan]
    return [
      [
        id,
        { id, currency: 'usd', unitAmountCents: price_cents, interval: interval_type, isActive: true, addsTax: false },
      ],
    ]
  }),
)

type SubscriptionRow = Selectable<DemoSubscriptions>

/** The limit for one subscription in one transaction; the next transaction continues. */
const renewalsAtOnce = 200
/** A subscription ends when a payment is missing for so long: before its next period would begin. */
const unpaidDays = 21

function knownPrice(priceId: string): DemoPrice {
  const price = prices.get(priceId)
  if (!price) throw new PaymentRefused(`there is no price ${priceId}`)
  return price
}

const subscriptionOf = (row: SubscriptionRow): Subscription => ({
  id: row.id,
  customerId: row.customer_id,
  priceId: row.price_id,
  state: row.ended_at ? 'canceled' : row.unpaid_since ? 'past_due' : 'active',
  cancelAtPeriodEnd: row.cancel_at_period_end,
  currentPeriodStart: row.current_period_start,
  currentPeriodEnd: row.current_period_end,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  unpaidSince: row.ended_at ? null : row.unpaid_since,
  creditCents: row.ended_at ? 0 : row.credit_cents,
})

const subscriptionRows = (tx: Db, customerId: string): Promise<SubscriptionRow[]> =>
  tx
    .selectFrom('demo_subscriptions')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('started_at')
    .orderBy('id')
    .execute()

/** Writes some columns of a subscription; the row after it. */
const updateSubscription = (tx: Db, id: string, columns: Partial<SubscriptionRow>): Promise<SubscriptionRow> =>
  tx.updateTable('demo_subscriptions').set(columns).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Sets a price off against a credit: what is charged, and what is left of the credit. */
const setOff = (cents: number, creditCents: number): ChangePreview => ({
  chargedCents: Math.max(cents - creditCents, 0),
  creditCents: Math.max(creditCents - cents, 0),
})

/**
 * Issues the invoice of a period and charges it, less the credit; resolves with the remaining credit. `before`: what is given
 * back of the price before.
 * @throws PaymentRefused when the card is declined
 */
async function pay(
  customer: LockedCustomer,
  row: SubscriptionRow,
  {
    price,
    reason,
    at,
    before,
  }: { price: DemoPrice; reason: Invoice['reason']; at: Date; before?: { priceId: string; cents: number; to: Date } },
): Promise<number> {
  const { tx, id, cardPays, record } = customer
  const credit = row.credit_cents + (before?.cents ?? 0)
  const { chargedCents: amount, creditCents } = setOff(price.unitAmountCents, credit)
  if (amount > 0 && !cardPays) throw new PaymentRefused('the card was declined')
  const of = { customer_id: id, subscription_id: row.id }
  const from = at.toISOString()
  const lines: DemoInvoiceLine[] = [
    { priceId: price.id, cents: price.unitAmountCents, from, to: periodStart(at, price.interval, 2).toISOString() },
    ...(before?.cents ? [{ priceId: before.priceId, cents: -before.cents, from, to: before.to.toISOString() }] : []),
  ]
  const invoice = { id: `demo_in_${newId()}`, ...of, reason, issued_at: at, due_cents: amount }
  const business = await businessOf(tx, id)
  await tx
    .insertInto('demo_invoices')
    .values({ ...invoice, lines: JSON.stringify(lines), business: business && JSON.stringify(business) })
    .execute()
  if (amount > 0)
    await tx
      .insertInto('demo_payments')
      .values({ id: `demo_pay_${newId()}`, ...of, paid_at: at, amount_cents: amount, invoice_id: invoice.id })
      .execute()
  await record('invoice.paid')
  return creditCents
}

/** A line of an invoice as it is stored, with times in ISO 8601. */
type DemoInvoiceLine = Omit<Invoice['lines'][number], 'from' | 'to'> & { from: string; to: string }

function invoiceOf(row: Selectable<DemoInvoices>): Invoice {
  const lines = (row.lines as DemoInvoiceLine[]) // written by `pay`
    .map(({ from, to, ...line }) => ({ ...line, from: new Date(from), to: new Date(to) }))
  return {
    id: row.id,
    number: `DEMO-${String(row.number).padStart(6, '0')}`,
    subscriptionId: row.subscription_id,
    reason: row.reason as Invoice['reason'], // by the check of its column
    issuedAt: row.issued_at,
    currency: 'usd',
    lines,
    totalCents: lines.reduce((sum, { cents }) => sum + cents, 0),
    dueCents: row.due_cents,
    isPaid: true,
    business: row.business as Business | null, // written by `storeBusiness`
  }
}

async function storeBusiness(tx: Db, customerId: string, business: Business | null): Promise<void> {
  await tx
    .updateTable('demo_customers')
    .set({ business: business && JSON.stringify(business) })
    .where('id', '=', customerId)
    .execute()
}

async function businessOf(db: Db, customerId: string): Promise<Business | null> {
  const row = await db.selectFrom('demo_customers').select('business').where('id', '=', customerId).executeTakeFirst()
  return (row?.business ?? null) as Business | null // written by `storeBusiness`
}

async function startSubscription(customer: LockedCustomer, price: DemoPrice): Promise<Subscription> {
  const { tx, id, now, record } = customer
  const row = await tx
    .insertInto('demo_subscriptions')
    .values({
      id: `demo_sub_${newId()}`,
      customer_id: id,
      price_id: price.id,
      started_at: now,
      anchored_at: now,
      current_period_start: now,
      current_period_end: periodStart(now, price.interval, 2),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await record('customer.subscription.created')
  await pay(customer, row, { price, reason: 'first', at: now })
  return subscriptionOf(row)
}

async function endSubscription(
  { tx, record }: LockedCustomer,
  row: SubscriptionRow,
  at: Date,
): Promise<SubscriptionRow> {
  const ended = await updateSubscription(tx, row.id, { ended_at: at })
  await record('customer.subscription.deleted')
  return ended
}

/** Begins the next period of a subscription, and receives its payment unless that is declined. */
async function renew(customer: LockedCustomer, row: SubscriptionRow): Promise<SubscriptionRow> {
  const price = knownPrice(row.price_id)
  const { period_number: number, current_period_end: start, credit_cents: credit } = row
  const isPaid = customer.cardPays || credit >= price.unitAmountCents
  const payment = isPaid
    ? { credit_cents: await pay(customer, row, { price, reason: 'renewal', at: start }) }
    : { unpaid_since: start }
  const renewed = await updateSubscription(customer.tx, row.id, {
    period_number: number + 1,
    current_period_start: start,
    current_period_end: periodStart(row.anchored_at, price.interval, number + 2),
    ...payment,
  })
  if (!isPaid) await customer.record('invoice.payment_failed')
  await customer.record('customer.subscription.updated')
  return renewed
}

async function payMissing(customer: LockedCustomer): Promise<void> {
  for (const row of await subscriptionRows(customer.tx, customer.id)) {
    if (row.ended_at || !row.unpaid_since) continue
    const credit = await pay(customer, row, { price: knownPrice(row.price_id), reason: 'renewal', at: customer.now })
    await updateSubscription(customer.tx, row.id, { unpaid_since: null, credit_cents: credit })
    await customer.record('customer.subscription.updated')
  }
}

/** When a subscription is next renewed or ended. */
const nextDueAt = ({ unpaid_since: unpaidSince, current_period_end: end }: SubscriptionRow): Date =>
  unpaidSince ? new Date(unpaidSince.getTime() + unpaidDays * 86_400_000) : end

/** Renews or ends what is due, one period after the other; each payment has the time at which its period began. */
async function renewDue(customer: LockedCustomer): Promise<Renewals> {
  const renewals = { renewed: 0, ended: 0 }
  for (let row of await subscriptionRows(customer.tx, customer.id)) {
    for (let count = 0; count < renewalsAtOnce && !row.ended_at && nextDueAt(row) <= customer.now; count += 1) {
      const isEnding = row.cancel_at_period_end || row.unpaid_since !== null
      row = isEnding ? await endSubscription(customer, row, nextDueAt(row)) : await renew(customer, row)
      renewals[isEnding ? 'ended' : 'renewed'] += 1
    }
  }
  return renewals
}

/** The unused part of a subscription's period. */
function restCents(row: SubscriptionRow, now: Date): number {
  const period = { start: row.current_period_start, end: row.current_period_end }
  return proratedCents(knownPrice(row.price_id).unitAmountCents, period, now)
}

/**
 * Changes the price, with proration: a new period starts now. The unused part of the old period is credited against its
 * payment; the remaining credit goes to later payments, and is lost when the subscription ends.
 */
async function startPrice(customer: LockedCustomer, row: SubscriptionRow, price: DemoPrice): Promise<SubscriptionRow> {
  const { tx, now, record } = customer
  const before = { priceId: row.price_id, cents: restCents(row, now), to: row.current_period_end }
  const credit = await pay(customer, row, { price, reason: 'change', at: now, before })
  const changed = await updateSubscription(tx, row.id, {
    price_id: price.id,
    anchored_at: now,
    period_number: 1,
    current_period_start: now,
    current_period_end: periodStart(now, price.interval, 2),
    credit_cents: credit,
  })
  await record('customer.subscription.updated')
  return changed
}

function refuseUnpaid({ ended_at: endedAt, unpaid_since: unpaidSince }: SubscriptionRow): void {
  if (endedAt || unpaidSince) throw new PaymentRefused('the subscription has ended, or is not paid')
}

type CheckoutRow = Selectable<DemoCheckouts> & { is_over: boolean }

/** How long a checkout can be paid, as at Stripe, by the database's clock. */
const checkoutHours = 24
/** What a return URL has in the place of the checkout's id. */
const idPlaceholder = /\{CHECKOUT_SESSION_ID\}|%7BCHECKOUT_SESSION_ID%7D/gi

/** Whether a text has the form of a checkout's id; saves a query for any other text. */
const isCheckoutId = (text: string): boolean => /^demo_cs_[0-9A-Za-z]{22}$/.test(text)

/** The URL to return to after payment, with the id of the checkout. */
function successUrlOf({ id, success_url: url }: CheckoutRow): string {
  const filled = url.replace(idPlaceholder, id)
  if (filled !== url) return filled
  const withId = new URL(url)
  withId.searchParams.set('session_id', id)
  return withId.href
}

/** The state of a checkout; a demonstration has no payments that take days. */
const checkoutState = ({ state, is_over: isOver }: CheckoutRow): DemoCheckoutDetails['state'] =>
  state === 'paid' ? 'paid' : state === 'expired' || isOver ? 'expired' : 'open'

const pageOf = (row: CheckoutRow | undefined): DemoCheckoutDetails | null =>
  row
    ? {
        state: checkoutState(row),
        customerId: row.customer_id,
        priceId: row.price_id,
        successUrl: successUrlOf(row),
        cancelUrl: row.cancel_url,
      }
    : null

const selectCheckouts = (db: Db) =>
  db
    .selectFrom('demo_checkouts')
    .selectAll()
    .select(sql<boolean>`expires_at <= now()`.as('is_over'))

const checkoutRow = async (db: Db, id: string): Promise<CheckoutRow | undefined> =>
  isCheckoutId(id) ? selectCheckouts(db).where('id', '=', id).executeTakeFirst() : undefined

/** How far the clock can be moved, over all moves together. */
export const maxClockDays = 3_660
/**
 * The billing clock: its time, and how far it is ahead of the database's clock, in seconds. Periods, grace and refunds follow
 * it; sessions, monthly counts, links and limits stay on the database's clock.
 */
export interface DemoClock {
  now: Date
  aheadSeconds: number
}

export async function readDemoClock(db: Db): Promise<DemoClock> {
  const { rows } = await sql<DemoClock>`
    select now() + moved_by as now, extract(epoch from moved_by)::float8 as "aheadSeconds" from demo_clock`.execute(db)
  const [clock] = rows
  if (!clock) throw new Error('the table demo_clock is empty')
  return clock
}

/** Moves the clock forward; false, without effect, when it would be too far ahead. */
export async function moveDemoClock(db: Db, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    update demo_clock set moved_by = make_interval(secs => extract(epoch from moved_by)::float8 + ${seconds}::float8)
    where ${seconds}::float8 > 0
      and extract(epoch from moved_by)::float8 + ${seconds}::float8 <= ${maxClockDays * 86_400}::float8
    returning 1`.execute(db)
  return rows.length > 0
}

/** A customer whose row is locked until the end of the transaction. */
interface LockedCustomer {
  tx: Db
  id: string
  /** By the billing clock. */
  now: Date
  /** Whether payments succeed. */
  cardPays: boolean
  record(type: string): Promise<void>
}

/** How many periods began, and how many subscriptions ended. */
export interface Renewals {
  renewed: number
  ended: number
}
