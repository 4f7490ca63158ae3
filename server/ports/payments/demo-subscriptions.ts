import type { Selectable } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { DemoSubscriptions } from '../../db/schema.ts'
import { newId } from '../../lib/ids.ts'
import { periodStart, proratedCents } from './demo-periods.ts'
import { demoPriceOf, type DemoPrice } from './demo-prices.ts'
import type { LockedDemoCustomer, Renewals } from './demo-store.ts'
import { PaymentRefused, type ChangePreview, type Subscription } from './payments.ts'

type Row = Selectable<DemoSubscriptions>

/** The limit for one subscription in one transaction; the next transaction continues. */
const renewalsAtOnce = 200
/** A subscription ends when a payment is missing for so long: before its next period would begin. */
export const unpaidDays = 21

/** The price of a subscription, or one that it is to have. */
export function knownPrice(priceId: string): DemoPrice {
  const price = demoPriceOf(priceId)
  if (!price) throw new PaymentRefused(`there is no price ${priceId}`)
  return price
}

/** A subscription as the port returns it. */
export const subscriptionOf = (row: Row): Subscription => ({
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

/** The rows of a customer's subscriptions, the oldest first. */
export const subscriptionRows = (tx: Db, customerId: string): Promise<Row[]> =>
  tx
    .selectFrom('demo_subscriptions')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('started_at')
    .orderBy('id')
    .execute()

/** One subscription of the customer. */
export async function subscriptionRow({ tx, id: customerId }: LockedDemoCustomer, id: string): Promise<Row> {
  const row = await tx
    .selectFrom('demo_subscriptions')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw new PaymentRefused(`there is no subscription ${id}`)
  return row
}

/** Writes some columns of a subscription; the row after it. */
export const updateSubscription = (tx: Db, id: string, columns: Partial<Row>): Promise<Row> =>
  tx.updateTable('demo_subscriptions').set(columns).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Sets a price off against a credit: what is charged, and what is left of the credit. */
const setOff = (cents: number, creditCents: number): ChangePreview => ({
  chargedCents: Math.max(cents - creditCents, 0),
  creditCents: Math.max(creditCents - cents, 0),
})

/**
 * Charges the price of a period, less the credit; resolves with the remaining credit.
 * @throws PaymentRefused when the card is declined
 */
async function pay(
  customer: LockedDemoCustomer,
  row: Row,
  { cents, at }: { cents: number; at: Date },
): Promise<number> {
  const { tx, id, cardPays, record } = customer
  const { chargedCents: amount, creditCents } = setOff(cents, row.credit_cents)
  if (amount > 0) {
    if (!cardPays) throw new PaymentRefused('the card was declined')
    const payment = { id: `demo_pay_${newId()}`, customer_id: id, subscription_id: row.id }
    await tx
      .insertInto('demo_payments')
      .values({ ...payment, paid_at: at, amount_cents: amount })
      .execute()
  }
  await record('invoice.paid')
  return creditCents
}

/** Starts a subscription and receives its first payment. */
export async function startSubscription(customer: LockedDemoCustomer, price: DemoPrice): Promise<Subscription> {
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
  await pay(customer, row, { cents: price.unitAmountCents, at: now })
  return subscriptionOf(row)
}

/** Ends a subscription that goes on. */
export async function endSubscription({ tx, record }: LockedDemoCustomer, row: Row, at: Date): Promise<Row> {
  const ended = await updateSubscription(tx, row.id, { ended_at: at })
  await record('customer.subscription.deleted')
  return ended
}

/** Begins the next period of a subscription, and receives its payment unless that is declined. */
async function renew(customer: LockedDemoCustomer, row: Row): Promise<Row> {
  const price = knownPrice(row.price_id)
  const { period_number: number, current_period_end: start, credit_cents: credit } = row
  const isPaid = customer.cardPays || credit >= price.unitAmountCents
  const payment = isPaid
    ? { credit_cents: await pay(customer, row, { cents: price.unitAmountCents, at: start }) }
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

/** Charges overdue payments. */
export async function payMissing(customer: LockedDemoCustomer): Promise<void> {
  for (const row of await subscriptionRows(customer.tx, customer.id)) {
    if (row.ended_at || !row.unpaid_since) continue
    const credit = await pay(customer, row, { cents: knownPrice(row.price_id).unitAmountCents, at: customer.now })
    await updateSubscription(customer.tx, row.id, { unpaid_since: null, credit_cents: credit })
    await customer.record('customer.subscription.updated')
  }
}

/** When a subscription is next renewed or ended. */
const nextDueAt = ({ unpaid_since: unpaidSince, current_period_end: end }: Row): Date =>
  unpaidSince ? new Date(unpaidSince.getTime() + unpaidDays * 86_400_000) : end

/** Renews or ends what is due, one period after the other; each payment has the time at which its period began. */
export async function renewDue(customer: LockedDemoCustomer): Promise<Renewals> {
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

/** The credit of a subscription together with the unused part of its period. */
function creditWithRest(row: Row, now: Date): number {
  const period = { start: row.current_period_start, end: row.current_period_end }
  return row.credit_cents + proratedCents(knownPrice(row.price_id).unitAmountCents, period, now)
}

/** What `startPrice` would charge, and the credit that would be left. */
export const previewPrice = ({ now }: LockedDemoCustomer, row: Row, price: DemoPrice): ChangePreview =>
  setOff(price.unitAmountCents, creditWithRest(row, now))

/**
 * Changes the price, with proration: a new period starts now. The unused part of the old period is credited against its
 * payment; the remaining credit goes to later payments, and is lost when the subscription ends.
 */
export async function startPrice(customer: LockedDemoCustomer, row: Row, price: DemoPrice): Promise<Row> {
  const { tx, now, record } = customer
  const credited = { ...row, credit_cents: creditWithRest(row, now) }
  const credit = await pay(customer, credited, { cents: price.unitAmountCents, at: now })
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
