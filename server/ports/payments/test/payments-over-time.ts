import { expect, test } from 'vitest'
import { InvalidWebhook, PaymentRefused, type PaymentEvent, type Subscription } from '../payments.ts'
import { createPaymentsFixture, dayMs, type OpenPaymentsUnderTest, type PaymentsFixture } from './payments-fixture.ts'

const daysOf = ({ currentPeriodStart, currentPeriodEnd }: Subscription): number =>
  (currentPeriodEnd.getTime() - currentPeriodStart.getTime()) / dayMs

async function onlySubscription({ payments }: PaymentsFixture, customerId: string): Promise<Subscription> {
  const subscriptions = await payments.subscriptionsOf(customerId)
  expect(subscriptions).toHaveLength(1)
  return subscriptions[0]! // the line before
}

export function testSubscriptions(open: () => Promise<PaymentsFixture>): void {
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

export function testRefunds(open: () => Promise<PaymentsFixture>): void {
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

  test('the page for card and invoices has an address, or does not exist', async () => {
    const { payments, newCustomer } = await open()
    const url = await payments.portalUrl(await newCustomer(), 'https://photos.test/settings')
    expect(url ?? 'https:').toMatch(/^https?:/)
  })
}

export function testEvents(open: () => Promise<PaymentsFixture>): void {
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
