import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStripeDouble, type StripeDouble } from '../../test/stripe-double/stripe-double.ts'
import { PaymentRefused, type Payments } from './payments.ts'
import { connectStripe } from './test/connect-stripe.ts'
import { testRenewals } from './test/payments-over-time.ts'
import { createPaymentsFixture, type PaymentsUnderTest } from './test/payments-fixture.ts'
import { testPaidCheckouts, testPayments } from './test/payments-suite.ts'

let double: StripeDouble
let payments: Payments
beforeAll(async () => {
  double = await startStripeDouble(afterAll)
  payments = await connectStripe(double)
})

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

test('a dispute is read by its payment; nothing is refunded of that while the bank has it, and all of it when it was won', async () => {
  const { newCustomer, subscribeTo, newKey } = await fixture()
  const customerId = await newCustomer()
  const subscriptionId = await subscribeTo(customerId)
  expect(await payments.disputesOf(customerId)).toEqual([])
  const paymentId = double.chargesOf(customerId)[0]!.id // it was just made
  const { id, created } = double.openDispute(paymentId)
  const dispute = {
    id,
    paymentId,
    subscriptionId,
    reason: 'fraudulent',
    amountCents: 1499,
    openedAt: new Date(created * 1000),
  }
  expect(await payments.disputesOf(customerId)).toEqual([{ ...dispute, state: 'open', respondBy: expect.any(Date) }])
  expect(await payments.paymentsOf(customerId)).toMatchObject([{ isDisputed: true }])
  expect([await payments.payerOf(paymentId), await payments.payerOf('ch_none')]).toEqual([customerId, null])
  expect([await payments.refund(paymentId, newKey()), await payments.refundedCents(paymentId)]).toEqual([0, 0])
  for (const state of ['lost', 'won'] as const) {
    double.closeDispute(id, state)
    expect(await payments.disputesOf(customerId)).toEqual([{ ...dispute, state, respondBy: null }])
  }
  expect([await payments.refund(paymentId, newKey()), await payments.refundedCents(paymentId)]).toEqual([1499, 1499])
})

test('a refund that came to nothing gave nothing back', async () => {
  const { newCustomer, subscribeTo } = await fixture()
  const customerId = await newCustomer()
  await subscribeTo(customerId)
  const { id } = double.chargesOf(customerId)[0]! // it was just made
  Object.assign(double.refundCharge(id, 500), { status: 'failed' })
  double.refundCharge(id, 300)
  expect(await payments.refundedCents(id)).toBe(300)
})

test('a subscription that ends on a date before its period does shows that date', async () => {
  const { newCustomer, subscribeTo } = await fixture()
  const customerId = await newCustomer()
  const id = await subscribeTo(customerId)
  const date = double.store.clock.now() + 5 * 86_400
  double.cancelAt(id, date)
  const ending = { cancelAtPeriodEnd: true, currentPeriodEnd: new Date(date * 1000) }
  expect(await payments.subscriptionsOf(customerId)).toMatchObject([ending])
  double.cancelAt(id, date + 60 * 86_400)
  expect(await payments.subscriptionsOf(customerId)).toMatchObject([{ cancelAtPeriodEnd: false }])
})

describe('the key', () => {
  test('lacks nothing, or the permissions that are named, and the check changes nothing', async () => {
    const strict = await startStripeDouble(afterAll)
    const restricted = await connectStripe(strict)
    expect(await restricted.missingPermissions()).toEqual([])
    const { customers, subscriptions, sessions, refunds, events } = strict.store
    expect([customers, subscriptions, sessions, refunds].map(({ size }) => size)).toEqual([0, 0, 0, 0])
    expect(events).toEqual([])
    for (const endpoint of ['POST /v1/refunds', 'GET /v1/disputes']) strict.denied.add(endpoint)
    expect(await restricted.missingPermissions()).toEqual([
      { name: 'Charges and Refunds: write', isNeededToSell: true },
      { name: 'Disputes: read', isNeededToSell: false },
    ])
  })

  test('that was rotated is refused, which is told apart from an outage', async () => {
    const rotated = await startStripeDouble(afterAll)
    const stale = await connectStripe(rotated)
    rotated.acceptKey('sk_test_new')
    await expect(stale.missingPermissions()).rejects.toMatchObject({ name: 'PaymentsDown', kind: 'refused' })
    rotated.isDown = true
    await expect(stale.missingPermissions()).rejects.toMatchObject({ name: 'PaymentsDown', kind: 'unreachable' })
  })
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
