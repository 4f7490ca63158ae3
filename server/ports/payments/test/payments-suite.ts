import { expect, test } from 'vitest'
import { PaymentRefused } from '../payments.ts'
import { testEvents, testRefunds, testSubscriptions } from './payments-over-time.ts'
import {
  createPaymentsFixture,
  returnUrls,
  type OpenPaymentsUnderTest,
  type PaymentsFixture,
} from './payments-fixture.ts'

function testPrices(open: () => Promise<PaymentsFixture>): void {
  test('a price has its amount, currency and interval', async () => {
    const { payments, prices } = await open()
    const month = await payments.price(prices.month)
    const year = await payments.price(prices.year)
    expect(month).toMatchObject({ id: prices.month, interval: 'month', isActive: true })
    expect(year).toMatchObject({ id: prices.year, interval: 'year', isActive: true, currency: month!.currency })
    expect(month!.currency).toMatch(/^[a-z]{3}$/)
    expect(year!.unitAmountCents).toBeGreaterThan(month!.unitAmountCents!)
  })

  test('there is no price or checkout with another id', async () => {
    const { payments } = await open()
    for (const id of ['price_unknown', 'cs_test_unknown', '..', '../customers', 'a b', '%', 'x'.repeat(255)])
      expect([id, await payments.price(id), await payments.checkout(id)]).toEqual([id, null, null])
  })
}

function testCheckouts(open: () => Promise<PaymentsFixture>): void {
  test('the same key creates a customer once', async () => {
    const { payments, newKey } = await open()
    const [key, customer] = [newKey(), { reference: newKey(), email: 'bo@example.com' }]
    const ids = await Promise.all([1, 2, 3].map(() => payments.createCustomer(customer, key)))
    expect(new Set([...ids, await payments.createCustomer(customer, key)]).size).toBe(1)
    expect(await payments.createCustomer(customer, newKey())).not.toBe(ids[0])
  })

  test('a customer who was created is not gone, one that never existed is', async () => {
    const { payments, newCustomer } = await open()
    const customerId = await newCustomer()
    expect([await payments.isCustomerGone(customerId), await payments.isCustomerGone('cus_unknown')]).toEqual([
      false,
      true,
    ])
  })

  test('a checkout is open, with an address to pay at', async () => {
    const { payments, newCustomer, openCheckout } = await open()
    const customerId = await newCustomer()
    const checkout = await openCheckout(customerId)
    expect(checkout).toMatchObject({ state: 'open', customerId, reference: `user of ${customerId}` })
    expect(checkout.subscriptionId).toBeNull()
    expect(checkout.url).toMatch(/^https?:/)
    expect(await payments.checkout(checkout.id)).toEqual(checkout)
    expect(await payments.subscriptionsOf(customerId)).toEqual([])
    expect(await payments.paymentsOf(customerId)).toEqual([])
  })

  test('the same key opens a checkout once', async () => {
    const { payments, prices, newCustomer, newKey } = await open()
    const [customerId, key] = [await newCustomer(), newKey()]
    const checkout = { customerId, priceId: prices.month, reference: 'ada', ...returnUrls }
    const first = await payments.openCheckout(checkout, key)
    expect((await payments.openCheckout(checkout, key)).id).toBe(first.id)
    expect(await payments.openCheckoutsOf(customerId)).toEqual([first])
    expect((await payments.openCheckout(checkout, newKey())).id).not.toBe(first.id)
  })

  test('a checkout of an unknown price or customer is refused', async () => {
    const { payments, prices, newCustomer, newKey } = await open()
    const checkout = { customerId: await newCustomer(), priceId: prices.month, reference: 'ada', ...returnUrls }
    for (const wrong of [{ priceId: 'price_unknown' }, { customerId: 'cus_unknown' }])
      await expect(payments.openCheckout({ ...checkout, ...wrong }, newKey())).rejects.toBeInstanceOf(PaymentRefused)
  })

  test('only open checkouts are listed; one that is expired stays so, and may be expired again', async () => {
    const { payments, newCustomer, openCheckout } = await open()
    const customerId = await newCustomer()
    const [{ id }, second] = [await openCheckout(customerId), await openCheckout(customerId)]
    await openCheckout(await newCustomer())
    for (const _ of [1, 2]) await payments.expireCheckout(id)
    expect(await payments.openCheckoutsOf(customerId)).toEqual([second])
    expect(await payments.checkout(id)).toMatchObject({ state: 'expired', url: null, subscriptionId: null })
  })
}

/** What a customer does in a checkout; for providers where a test can pay (`pay`). */
export function testPaidCheckouts(openSubject: OpenPaymentsUnderTest): void {
  const open = async (): Promise<PaymentsFixture> => createPaymentsFixture(await openSubject())

  test('a checkout is paid once, which expiring it does not change, and leads to the address of success, with its id', async () => {
    const { pay, payments, prices, newCustomer, openCheckout } = await open()
    const customerId = await newCustomer()
    const { id } = await openCheckout(customerId, prices.year)
    expect(await pay!(id)).toBe(`https://photos.test/done?id=${id}`) // these tests need `pay`
    const checkout = await payments.checkout(id)
    expect(checkout).toMatchObject({ state: 'paid', url: null, customerId, reference: `user of ${customerId}` })
    const subscriptions = await payments.subscriptionsOf(customerId)
    expect(subscriptions).toMatchObject([{ id: checkout!.subscriptionId, priceId: prices.year, state: 'active' }])
    expect(await payments.openCheckoutsOf(customerId)).toEqual([])
    await payments.expireCheckout(id)
    await pay!(id).catch(() => {}) // a second time may be refused, or do nothing
    expect(await payments.checkout(id)).toMatchObject({ state: 'paid' })
    expect(await payments.paymentsOf(customerId)).toHaveLength(1)
    expect(await payments.subscriptionsOf(customerId)).toHaveLength(1)
  })

  test('an expired checkout cannot be paid', async () => {
    const { pay, payments, newCustomer, openCheckout } = await open()
    const customerId = await newCustomer()
    const { id } = await openCheckout(customerId)
    await payments.expireCheckout(id)
    await expect(pay!(id)).rejects.toThrow() // these tests need `pay`
    expect(await payments.subscriptionsOf(customerId)).toEqual([])
    expect(await payments.paymentsOf(customerId)).toEqual([])
  })
}

/** The promises of the port `Payments`; every implementation runs these tests. */
export function testPayments(openSubject: OpenPaymentsUnderTest): void {
  const open = async (): Promise<PaymentsFixture> => createPaymentsFixture(await openSubject())
  testPrices(open)
  testCheckouts(open)
  testSubscriptions(open)
  testRefunds(open)
  testEvents(open)
}
