import { afterAll, describe, expect, test } from 'vitest'
import { startStripeDouble } from '../../test/stripe-double/stripe-double.ts'
import { PaymentRefused } from './payments.ts'
import { connectStripe, useStripe } from './test/connect-stripe.ts'
import { testRenewals } from './test/payments-over-time.ts'
import { createPaymentsFixture, type PaymentsUnderTest } from './test/payments-fixture.ts'
import { testPaidCheckouts, testPayments } from './test/payments-suite.ts'

const { double, payments } = useStripe()

const open = async (): Promise<PaymentsUnderTest> => ({
  payments,
  prices: { month: double.prices.pro_monthly, year: double.prices.pro_yearly },
  pay: async (checkoutId) => double.payCheckout(checkoutId),
  advance: async (days) => double.advance(days),
  declinePayments: async (customerId, declines) => double.declinePayments(customerId, declines || 0),
})
const fixture = async () => createPaymentsFixture(await open())

describe('the port', () => {
  testPayments(open)
  testPaidCheckouts(open)
  testRenewals(open)
})

test('a change whose payment is declined changes nothing', async () => {
  const { newCustomer, subscribeTo, prices, newKey } = await fixture()
  const customerId = await newCustomer()
  const id = await subscribeTo(customerId)
  double.declinePayments(customerId)
  await expect(payments.changePrice(id, prices.year, newKey())).rejects.toThrow('Your card was declined')
  expect(await payments.subscriptionsOf(customerId)).toMatchObject([{ priceId: prices.month, state: 'active' }])
  expect(double.subscriptionsOf(customerId)).toMatchObject([{ status: 'active' }])
  expect(await payments.paymentsOf(customerId)).toHaveLength(1)
})

test('another price of the same interval is charged at once for the rest of the period', async () => {
  const { newCustomer, subscribeTo, newKey } = await fixture()
  const { id: dearer } = double.addPrice({ id: 'price_dearer', unit_amount: 2999 })
  const customerId = await newCustomer()
  const id = await subscribeTo(customerId)
  const [before] = await payments.subscriptionsOf(customerId)
  expect(await payments.changePrice(id, dearer, newKey())).toEqual({ ...before, priceId: dearer })
  expect((await payments.paymentsOf(customerId)).map(({ amountCents }) => amountCents)).toEqual([1500, 1499])
})

test('a subscription that ends with its period still does after a change', async () => {
  const { newCustomer, subscribeTo, prices, newKey } = await fixture()
  const id = await subscribeTo(await newCustomer())
  await payments.setCancelAtPeriodEnd(id, true)
  expect(await payments.changePrice(id, prices.year, newKey())).toMatchObject({ cancelAtPeriodEnd: true })
})

test('a subscription that was cancelled with a date can be resumed', async () => {
  const { newCustomer, subscribeTo } = await fixture()
  const customerId = await newCustomer()
  const id = await subscribeTo(customerId)
  const [subscription] = double.subscriptionsOf(customerId)
  subscription!.cancel_at = subscription!.items.data[0]!.current_period_end // as the billing portal does
  expect(await payments.subscriptionsOf(customerId)).toMatchObject([{ cancelAtPeriodEnd: true }])
  expect(await payments.setCancelAtPeriodEnd(id, false)).toMatchObject({ cancelAtPeriodEnd: false })
  expect(subscription?.cancel_at).toBeNull()
})

test('each status has a state; one that is not known to us is an error', async () => {
  const { newCustomer, subscribeTo } = await fixture()
  const customerId = await newCustomer()
  await subscribeTo(customerId)
  const subscription = double.subscriptionsOf(customerId)[0]! // it was just made
  for (const [status, state] of [
    ['unpaid', 'incomplete'],
    ['paused', 'incomplete'],
    ['incomplete', 'incomplete'],
    ['incomplete_expired', 'canceled'],
    ['trialing', 'active'],
  ] as const) {
    subscription.status = status
    expect([status, await payments.subscriptionsOf(customerId)]).toMatchObject([status, [{ state }]])
  }
  subscription.status = 'reversed'
  await expect(payments.subscriptionsOf(customerId)).rejects.toThrow('unknown status reversed')
})

test('an unpaid subscription does not become active by a new period', async () => {
  const { newCustomer, subscribeTo } = await fixture()
  const customerId = await newCustomer()
  await subscribeTo(customerId)
  double.billing.settings.afterRetries = 'unpaid'
  double.declinePayments(customerId, true)
  double.advance(80)
  double.billing.settings.afterRetries = 'canceled'
  expect(await payments.subscriptionsOf(customerId)).toMatchObject([{ state: 'incomplete', endedAt: null }])
  expect(await payments.paymentsOf(customerId)).toHaveLength(1)
})

test('a customer is gone when Stripe deleted or never knew it, and not when live mode knows it', async () => {
  const { newCustomer } = await fixture()
  const [deleted, live] = [await newCustomer(), await newCustomer()]
  Object.assign(double.store.customers.get(deleted) ?? {}, { deleted: true })
  double.store.otherMode.add(live)
  expect(await Promise.all([deleted, live, 'cus_none', '..'].map((id) => payments.isCustomerGone(id)))).toEqual([
    true,
    false,
    true,
    true,
  ])
})

test('a subscription that stays past due is unpaid since the first period that is not paid', async () => {
  const { newCustomer, subscribeTo } = await fixture()
  const customerId = await newCustomer()
  await subscribeTo(customerId)
  const only = async () => (await payments.subscriptionsOf(customerId))[0]! // it was just made
  const { currentPeriodEnd: firstEnd, unpaidSince } = await only()
  expect(unpaidSince).toBeNull()
  double.billing.settings.afterRetries = 'past_due'
  double.declinePayments(customerId, true)
  double.advance(33)
  expect(await only()).toMatchObject({ state: 'past_due', currentPeriodStart: firstEnd, unpaidSince: firstEnd })
  double.advance(60)
  const later = await only()
  expect(later).toMatchObject({ state: 'past_due', unpaidSince: firstEnd })
  expect(later.currentPeriodStart.getTime()).toBeGreaterThan(firstEnd.getTime())
  // Only the newest invoice is paid: what was missing before is given up, and does not count when another payment fails.
  double.declinePayments(customerId, 0)
  const invoices = [...double.store.invoices.values()].filter(({ customer }) => customer === customerId)
  double.billing.payInvoice(invoices.at(-1)!) // there are four
  expect(await only()).toMatchObject({ state: 'active', unpaidSince: null })
  double.declinePayments(customerId, true)
  double.advance(31)
  const { currentPeriodStart, ...again } = await only()
  expect(again).toMatchObject({ state: 'past_due', unpaidSince: currentPeriodStart })
  double.billing.settings.afterRetries = 'canceled'
})

test('a payment of which some was refunded refunds the rest', async () => {
  const { newCustomer, subscribeTo, newKey } = await fixture()
  const customerId = await newCustomer()
  await subscribeTo(customerId)
  const [payment] = await payments.paymentsOf(customerId)
  double.refundCharge(payment!.id, 500)
  expect(await payments.paymentsOf(customerId)).toMatchObject([{ amountCents: 1499, refundedCents: 500 }])
  const key = newKey()
  expect([await payments.refund(payment!.id, key), await payments.refund(payment!.id, key)]).toEqual([999, 999])
})

test('nothing is refunded of a payment that the bank has taken back', async () => {
  const { newCustomer, subscribeTo, newKey } = await fixture()
  const customerId = await newCustomer()
  await subscribeTo(customerId)
  double.chargesOf(customerId)[0]!.disputed = true // it was just made
  expect(await payments.refund(double.chargesOf(customerId)[0]!.id, newKey())).toBe(0)
})

test('only payments that were received are listed, with their invoices', async () => {
  const { newCustomer, subscribeTo } = await fixture()
  const customerId = await newCustomer()
  const id = await subscribeTo(customerId)
  double.declinePayments(customerId)
  double.advance(36)
  const all = [...double.store.charges.values()].filter(({ customer }) => customer === customerId)
  expect(all.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'succeeded'])
  // A charge of something else, made in the dashboard.
  const other = { ...all[0]!, id: double.store.newId('ch'), payment_intent: 'pi_other' }
  double.store.charges.set(other.id, other)
  const invoiceUrl = expect.stringContaining('https://invoice.stripe.test/')
  expect(await payments.paymentsOf(customerId)).toMatchObject([
    { subscriptionId: id, invoiceUrl },
    { id: other.id, subscriptionId: null, invoiceUrl: null },
    { subscriptionId: id, invoiceUrl },
  ])
})

test('lists are read to their end, and of payments the newest 100', async () => {
  const { newCustomer, subscribeTo } = await fixture()
  const customerId = await newCustomer()
  await subscribeTo(customerId)
  double.advance(112 * 31)
  expect(double.chargesOf(customerId).length).toBeGreaterThan(110)
  const listed = await payments.paymentsOf(customerId)
  const newest = double.chargesOf(customerId).slice(-100).toReversed()
  expect(listed.map(({ id }) => id)).toEqual(newest.map(({ id }) => id))
  expect(listed.every(({ subscriptionId }) => subscriptionId !== null)).toBe(true)
  const [subscription] = double.subscriptionsOf(customerId)
  for (let n = 0; n < 205; n += 1) {
    const copy = { ...structuredClone(subscription!), id: double.store.newId('sub'), created: n }
    double.store.subscriptions.set(copy.id, copy)
  }
  const all = await payments.subscriptionsOf(customerId)
  expect(all).toHaveLength(206)
  expect(all.at(-1)?.id).toBe(subscription?.id)
  for (const { id } of all.slice(0, -1)) double.store.subscriptions.delete(id)
})

test('a key that was used for something else is refused', async () => {
  const { newCustomer, newKey } = await fixture()
  const other = await startStripeDouble(afterAll)
  const elsewhere = await connectStripe(other)
  const key = newKey()
  await elsewhere.createCustomer({ reference: 'a', email: 'a@example.com' }, key)
  await expect(elsewhere.createCustomer({ reference: 'b', email: 'b@example.com' }, key)).rejects.toBeInstanceOf(
    PaymentRefused,
  )
  expect(other.violations.splice(0)).toHaveLength(1)
  expect(await newCustomer()).toMatch(/^cus_/)
})
