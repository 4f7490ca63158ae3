import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type Checkout,
  InvalidWebhook,
  type PaymentEvent,
  PaymentRefused,
  type Payments,
  type Subscription,
} from '../ports/payments/payments.ts'

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
  testInvoices(open)
  testEvents(open)
}

/** An implementation of the port, and what only the customer, the bank or time can do. */
export interface PaymentsUnderTest {
  payments: Payments
  /** Two active prices in one currency, per month and per year; the amounts are read through the port. */
  prices: { month: string; year: string }
  /**
   * The customer pays in an open checkout; resolves with the address to which the provider's page then leads. Undefined
   * where nobody can.
   */
  pay?: (checkoutId: string) => Promise<string>
  /** Lets a subscription begin without a checkout, where `pay` is undefined; resolves with its id. */
  subscribe?: (customerId: string, priceId: string) => Promise<string>
  /** Moves the provider's clock, and lets it do what is due until then. Undefined where nobody can. */
  advance?: (days: number) => Promise<void>
  /** From now on, payments of the customer are declined, or not any more. */
  declinePayments?: (customerId: string, declines: boolean) => Promise<void>
}

/** Opens the implementation for a test; all tests may share one. */
type OpenPaymentsUnderTest = () => Promise<PaymentsUnderTest>

/** The provider that a test uses, with what several tests do. */
export interface PaymentsFixture extends PaymentsUnderTest {
  newKey(): string
  newCustomer(): Promise<string>
  openCheckout(customerId: string, priceId?: string): Promise<Checkout>
  /** Pays for a new subscription; its id. */
  subscribeTo(customerId: string, priceId?: string): Promise<string>
}

export const dayMs = 24 * 60 * 60 * 1000
const returnUrls = {
  successUrl: 'https://photos.test/done?id={CHECKOUT_SESSION_ID}',
  cancelUrl: 'https://photos.test/no',
}

export function createPaymentsFixture(subject: PaymentsUnderTest): PaymentsFixture {
  const { payments, prices } = subject
  const newKey = (): string => randomUUID()
  const openCheckout: PaymentsFixture['openCheckout'] = (customerId, priceId = prices.month) =>
    payments.openCheckout({ customerId, priceId, reference: `user of ${customerId}`, ...returnUrls }, newKey())
  return {
    ...subject,
    newKey,
    newCustomer: () => payments.createCustomer({ reference: newKey(), email: 'ada@example.com' }, newKey()),
    openCheckout,
    async subscribeTo(customerId, priceId = prices.month) {
      if (!subject.pay) return (await subject.subscribe?.(customerId, priceId)) ?? ''
      const { id } = await openCheckout(customerId, priceId)
      await subject.pay(id)
      return (await payments.checkout(id))?.subscriptionId ?? ''
    },
  }
}

const daysOf = ({ currentPeriodStart, currentPeriodEnd }: Subscription): number =>
  (currentPeriodEnd.getTime() - currentPeriodStart.getTime()) / dayMs

async function onlySubscription({ payments }: PaymentsFixture, customerId: string): Promise<Subscription> {
  const subscriptions = await payments.subscriptionsOf(customerId)
  expect(subscriptions).toHaveLength(1)
  return subscriptions[0]! // the line before
}

function testSubscriptions(open: () => Promise<PaymentsFixture>): void {
  test('a new subscription is active for one interval, and one payment was made', async () => {
    const fixture = await open()
    const { payments, prices, newCustomer, subscribeTo } = fixture
    for (const [priceId, shortest, longest] of [
      [prices.month, 27, 32],
      [prices.year, 364, 367],
    ] as const) {
      const customerId = await newCustomer()
      const id = await subscribeTo(customerId, priceId)
      const subscription = await onlySubscription(fixture, customerId)
      expect(subscription).toMatchObject({ id, customerId, priceId, state: 'active', cancelAtPeriodEnd: false })
      expect(subscription.endedAt).toBeNull()
      expect(daysOf(subscription)).toBeGreaterThan(shortest)
      expect(daysOf(subscription)).toBeLessThan(longest)
      expect(Math.abs(subscription.startedAt.getTime() - subscription.currentPeriodStart.getTime())).toBeLessThan(
        60_000,
      )
      const price = await payments.price(priceId)
      const made = { subscriptionId: id, amountCents: price!.unitAmountCents, refundedCents: 0 }
      expect(await payments.paymentsOf(customerId)).toMatchObject([{ ...made, currency: price!.currency }])
    }
  })

  test('the other interval is charged at once, less the rest of the period that is paid, as its preview says', async () => {
    const fixture = await open()
    const { payments, prices, newCustomer, subscribeTo, newKey } = fixture
    const customerId = await newCustomer()
    const id = await subscribeTo(customerId, prices.month)
    const key = newKey()
    const preview = await payments.previewChange(id, prices.year)
    const changed = await payments.changePrice(id, prices.year, key)
    expect(changed).toMatchObject({ id, customerId, priceId: prices.year, state: 'active' })
    expect(daysOf(changed)).toBeGreaterThan(364)
    expect(await onlySubscription(fixture, customerId)).toEqual(changed)
    const [month, year] = await Promise.all([payments.price(prices.month), payments.price(prices.year)])
    const made = await payments.paymentsOf(customerId)
    const rest = year!.unitAmountCents! - month!.unitAmountCents!
    expect(made.map(({ amountCents }) => amountCents)).toEqual([expect.closeTo(rest, -1), month!.unitAmountCents])
    // The time between the two is worth less than a cent.
    expect(Math.abs(preview.chargedCents - made[0]!.amountCents)).toBeLessThanOrEqual(1)
    expect(preview.creditCents).toBe(0)

    await payments.changePrice(id, prices.year, key)
    await payments.changePrice(id, prices.year, newKey())
    expect(await payments.paymentsOf(customerId)).toEqual(made)
  })

  test('a smaller price than the rest of the period costs nothing now', async () => {
    const { payments, prices, newCustomer, subscribeTo, newKey } = await open()
    const customerId = await newCustomer()
    const id = await subscribeTo(customerId, prices.year)
    const preview = await payments.previewChange(id, prices.month)
    const changed = await payments.changePrice(id, prices.month, newKey())
    expect(preview.chargedCents).toBe(0)
    expect(Math.abs(preview.creditCents - changed.creditCents)).toBeLessThanOrEqual(1)
    expect(changed).toMatchObject({ priceId: prices.month, state: 'active' })
    expect(await payments.paymentsOf(customerId)).toHaveLength(1)
    const [month, year] = await Promise.all([payments.price(prices.month), payments.price(prices.year)])
    const credit = year!.unitAmountCents! - month!.unitAmountCents!
    expect(changed.creditCents).toBeCloseTo(credit, -1)
    expect(await payments.subscriptionsOf(customerId)).toEqual([changed])
  })

  test('an unknown price, an unknown or an ended subscription is not changed', async () => {
    const { payments, prices, newCustomer, subscribeTo, newKey } = await open()
    const customerId = await newCustomer()
    const id = await subscribeTo(customerId)
    await expect(payments.changePrice(id, 'price_unknown', newKey())).rejects.toBeInstanceOf(PaymentRefused)
    await expect(payments.changePrice('sub_unknown', prices.year, newKey())).rejects.toBeInstanceOf(PaymentRefused)
    await payments.cancelNow(id)
    await expect(payments.changePrice(id, prices.year, newKey())).rejects.toBeInstanceOf(PaymentRefused)
    await expect(payments.previewChange(id, prices.year)).rejects.toBeInstanceOf(PaymentRefused)
    expect(await payments.paymentsOf(customerId)).toHaveLength(1)
  })

  test('a subscription can be set to end with its period, and to go on', async () => {
    const fixture = await open()
    const { payments, newCustomer, subscribeTo } = fixture
    const customerId = await newCustomer()
    const id = await subscribeTo(customerId)
    for (const cancelAtPeriodEnd of [true, true, false, false, true]) {
      const changed = await payments.setCancelAtPeriodEnd(id, cancelAtPeriodEnd)
      expect(changed).toMatchObject({ id, state: 'active', cancelAtPeriodEnd, endedAt: null })
      expect(await onlySubscription(fixture, customerId)).toEqual(changed)
    }
  })

  test('a subscription that is ended now gives nothing back, and may be ended again', async () => {
    const fixture = await open()
    const { payments, newCustomer, subscribeTo } = fixture
    const customerId = await newCustomer()
    const id = await subscribeTo(customerId)
    await payments.cancelNow(id)
    await payments.cancelNow(id)
    const ended = await onlySubscription(fixture, customerId)
    expect(ended).toMatchObject({ id, state: 'canceled' })
    expect(Math.abs(ended.endedAt!.getTime() - ended.startedAt.getTime())).toBeLessThan(60_000)
    expect(await payments.paymentsOf(customerId)).toMatchObject([{ refundedCents: 0 }])
    await expect(payments.setCancelAtPeriodEnd(id, false)).rejects.toBeInstanceOf(PaymentRefused)
  })

  test('every subscription of a customer is listed, the oldest first', async () => {
    const { payments, prices, newCustomer, subscribeTo } = await open()
    const customerId = await newCustomer()
    const first = await subscribeTo(customerId)
    await payments.cancelNow(first)
    const second = await subscribeTo(customerId, prices.year)
    const listed = await payments.subscriptionsOf(customerId)
    expect(listed).toMatchObject([
      { id: first, state: 'canceled' },
      { id: second, state: 'active' },
    ])
  })
}

function testRefunds(open: () => Promise<PaymentsFixture>): void {
  test('a payment is refunded once, an unknown one is refused', async () => {
    const { payments, newCustomer, subscribeTo, newKey } = await open()
    const customerId = await newCustomer()
    const id = await subscribeTo(customerId)
    const [payment] = await payments.paymentsOf(customerId)
    const key = newKey()
    expect(await payments.refund(payment!.id, key)).toBe(payment!.amountCents)
    expect(await payments.refund(payment!.id, key)).toBe(payment!.amountCents)
    expect(await payments.refund(payment!.id, newKey())).toBe(0)
    expect(await payments.refundedCents(payment!.id)).toBe(payment!.amountCents)
    const refunded = { ...payment, refundedCents: payment!.amountCents }
    expect(await payments.paymentsOf(customerId)).toEqual([refunded])
    expect(await payments.subscriptionsOf(customerId)).toMatchObject([{ id, state: 'active' }])
    await expect(payments.refund('ch_unknown', newKey())).rejects.toBeInstanceOf(PaymentRefused)
  })

  test('a payment is refunded in parts, never more than was paid', async () => {
    const { payments, newCustomer, subscribeTo, newKey } = await open()
    const customerId = await newCustomer()
    await subscribeTo(customerId)
    const [payment] = await payments.paymentsOf(customerId)
    const { id, amountCents } = payment!
    const key = newKey()
    expect(await payments.refund(id, key, 300)).toBe(300)
    expect(await payments.refund(id, key, 300)).toBe(300)
    expect(await payments.refundedCents(id)).toBe(300)
    expect(await payments.refund(id, newKey())).toBe(amountCents - 300)
    expect(await payments.refund(id, newKey(), 1)).toBe(0)
    expect(await payments.paymentsOf(customerId)).toMatchObject([{ refundedCents: amountCents }])
  })

  test('the page for card and invoices has an address, or does not exist', async () => {
    const { payments, newCustomer } = await open()
    const url = await payments.portalUrl(await newCustomer(), 'https://photos.test/settings')
    expect(url ?? 'https:').toMatch(/^https?:/)
  })
}

function testInvoices(open: () => Promise<PaymentsFixture>): void {
  test('each period and each change of price has an invoice, which says what is sold and given back', async () => {
    const { payments, prices, newCustomer, subscribeTo, newKey } = await open()
    const customerId = await newCustomer()
    const id = await subscribeTo(customerId, prices.year)
    await payments.changePrice(id, prices.month, newKey())
    const [month, year] = await Promise.all([payments.price(prices.month), payments.price(prices.year)])
    const [yearCents, monthCents] = [year!.unitAmountCents!, month!.unitAmountCents!]
    const [change, first] = await payments.invoicesOf(customerId)
    const of = { subscriptionId: id, currency: year!.currency, isPaid: true, business: null }
    const sold = { priceId: prices.year, cents: yearCents }
    expect(first).toMatchObject({ ...of, reason: 'first', totalCents: yearCents, dueCents: yearCents, lines: [sold] })
    expect(change).toMatchObject({ ...of, reason: 'change', dueCents: 0 })
    expect(change!.lines.toSorted((a, b) => b.cents - a.cents)).toMatchObject([
      { priceId: prices.month, cents: monthCents },
      { priceId: prices.year, cents: expect.closeTo(-yearCents, -1) },
    ])
    expect(change!.totalCents).toBe(change!.lines.reduce((sum, { cents }) => sum + cents, 0))
    expect(change!.number).not.toBe(first!.number)
    expect(change!.issuedAt.getTime()).toBeGreaterThanOrEqual(first!.issuedAt.getTime())
    expect(await payments.paymentsOf(customerId)).toMatchObject([{ invoiceId: first!.id, amountCents: yearCents }])
  })

  test('invoices name the business that a customer buys for, as it was when they were issued', async () => {
    const { payments, prices, newCustomer, subscribeTo, newKey } = await open()
    const customerId = await newCustomer()
    const business = {
      name: 'Fête & Fils SRL',
      vatNumber: 'BE0123456749',
      street: 'Rue Haute 1',
      postalCode: '1000',
      city: 'Bruxelles',
      country: 'BE',
    }
    expect(await payments.businessOf(customerId)).toBeNull()
    await payments.setBusiness(customerId, { ...business, vatNumber: 'BE0202239951' })
    await payments.setBusiness(customerId, business)
    expect(await payments.businessOf(customerId)).toEqual(business)
    const id = await subscribeTo(customerId)
    await payments.setBusiness(customerId, null)
    expect(await payments.businessOf(customerId)).toBeNull()
    await payments.changePrice(id, prices.year, newKey())
    expect(await payments.invoicesOf(customerId)).toMatchObject([{ business: null }, { business }])
  })
}

function testEvents(open: () => Promise<PaymentsFixture>): void {
  const readEvents = async ({ payments }: PaymentsFixture, since: Date): Promise<PaymentEvent[]> =>
    Array.fromAsync(payments.eventsSince(since))

  test('what happens to a customer is in the list of events, oldest first', async () => {
    const fixture = await open()
    const { payments, newCustomer, subscribeTo } = fixture
    const before = (await readEvents(fixture, new Date(Date.now() - 10 * dayMs))).length
    const customerId = await newCustomer()
    const id = await subscribeTo(customerId)
    await payments.cancelNow(id)
    const events = await readEvents(fixture, new Date(Date.now() - 10 * dayMs))
    expect(events.length).toBeGreaterThan(before)
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length)
    const times = events.map(({ createdAt }) => createdAt.getTime())
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    const types = events.filter((event) => event.customerId === customerId).map(({ type }) => type)
    const created = types.indexOf('customer.subscription.created')
    expect(created).toBeGreaterThanOrEqual(0)
    expect(types.indexOf('customer.subscription.deleted')).toBeGreaterThan(created)
    const last = times.at(-1)!
    expect(await readEvents(fixture, new Date(last + 60_000))).toEqual([])
  })

  test('a webhook without a valid signature is refused', async () => {
    const { payments } = await open()
    const body = Buffer.from('{"id":"evt_1","object":"event","type":"invoice.paid","livemode":false}')
    for (const signature of [undefined, '', 't=1,v1=00', 'x'.repeat(10_000)])
      expect(() => payments.readWebhook(body, signature)).toThrow(InvalidWebhook)
  })
}

/** What happens with time; for providers whose clock a test can move (`advance` and `declinePayments`). */
export function testRenewals(openSubject: OpenPaymentsUnderTest): void {
  const open = async (): Promise<PaymentsFixture> => createPaymentsFixture(await openSubject())

  test('a subscription renews: a new period, and one more payment, the newest first', async () => {
    const fixture = await open()
    const { payments, newCustomer, subscribeTo, advance } = fixture
    const customerId = await newCustomer()
    await subscribeTo(customerId)
    const first = await onlySubscription(fixture, customerId)
    await advance!(32) // these tests need `advance`
    const renewed = await onlySubscription(fixture, customerId)
    expect(renewed).toMatchObject({
      ...first,
      currentPeriodStart: first.currentPeriodEnd,
      currentPeriodEnd: expect.any(Date),
    })
    expect(daysOf(renewed)).toBeGreaterThan(27)
    const made = await payments.paymentsOf(customerId)
    expect(made).toHaveLength(2)
    expect(made[0]!.paidAt.getTime()).toBeGreaterThan(made[1]!.paidAt.getTime())
  })

  test('a subscription that was set to end does, with its period, and is not paid again', async () => {
    const fixture = await open()
    const { payments, newCustomer, subscribeTo, advance } = fixture
    const customerId = await newCustomer()
    const id = await subscribeTo(customerId)
    const { currentPeriodEnd } = await payments.setCancelAtPeriodEnd(id, true)
    await advance!(32) // these tests need `advance`
    const ended = await onlySubscription(fixture, customerId)
    expect(ended).toMatchObject({ state: 'canceled', endedAt: currentPeriodEnd })
    expect(await payments.paymentsOf(customerId)).toHaveLength(1)
  })

  test('what is left of a year is set off against the months that follow', async () => {
    const { payments, prices, newCustomer, subscribeTo, advance, newKey } = await open()
    const customerId = await newCustomer()
    const id = await subscribeTo(customerId, prices.year)
    await payments.changePrice(id, prices.month, newKey())
    const [changed] = await payments.subscriptionsOf(customerId)
    await advance!(70) // these tests need `advance`
    const [later] = await payments.subscriptionsOf(customerId)
    expect(later).toMatchObject({ state: 'active', priceId: prices.month })
    const { unitAmountCents } = (await payments.price(prices.month))!
    expect(later!.creditCents).toBe(changed!.creditCents - 2 * unitAmountCents!)
    expect(await payments.paymentsOf(customerId)).toHaveLength(1)
    await payments.cancelNow(id)
    expect(await payments.subscriptionsOf(customerId)).toMatchObject([{ state: 'canceled', creditCents: 0 }])
  })

  test('a payment that is declined leaves the subscription past due in its new period, until it is paid', async () => {
    const fixture = await open()
    const { payments, prices, newCustomer, subscribeTo, advance, declinePayments, newKey } = fixture
    const customerId = await newCustomer()
    const id = await subscribeTo(customerId)
    const { currentPeriodEnd } = await onlySubscription(fixture, customerId)
    await declinePayments!(customerId, true) // these tests need `advance` and this
    await advance!(32)
    const pastDue = await onlySubscription(fixture, customerId)
    expect(pastDue).toMatchObject({ state: 'past_due', currentPeriodStart: currentPeriodEnd, endedAt: null })
    expect(await payments.paymentsOf(customerId)).toHaveLength(1)
    // Nothing is paid of this period that could be set off.
    await expect(payments.changePrice(id, prices.year, newKey())).rejects.toBeInstanceOf(PaymentRefused)
    await declinePayments!(customerId, false)
    await advance!(6)
    const { currentPeriodStart } = await onlySubscription(fixture, customerId)
    expect(await onlySubscription(fixture, customerId)).toMatchObject({ state: 'active', currentPeriodStart })
    expect(currentPeriodStart).toEqual(currentPeriodEnd)
    expect(await payments.paymentsOf(customerId)).toHaveLength(2)
  })

  test('a subscription that is not paid for long ends', async () => {
    const fixture = await open()
    const { payments, newCustomer, subscribeTo, advance, declinePayments } = fixture
    const customerId = await newCustomer()
    await subscribeTo(customerId)
    await declinePayments!(customerId, true) // these tests need `advance` and this
    await advance!(90)
    expect(await onlySubscription(fixture, customerId)).toMatchObject({ state: 'canceled', endedAt: expect.any(Date) })
    expect(await payments.paymentsOf(customerId)).toHaveLength(1)
  })
}
