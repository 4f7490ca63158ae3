import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Stripe } from 'stripe'
import { startStripeDouble, type StripeDouble } from '../../test/stripe-double.ts'
import { connectStripe } from '../../test/connect-stripe.ts'
import {
  createPaymentsFixture,
  type PaymentsUnderTest,
  testPaidCheckouts,
  testPayments,
  testRenewals,
} from '../../test/payments-suite.ts'
import type { StripeEvent } from '../../test/stripe-billing.ts'
import { InvalidWebhook, type PaymentEvent, PaymentRefused, type Payments, PaymentsDown } from './payments.ts'
import { createStripeCalls, stripeTimes } from './stripe-objects.ts'
import { stripeEventTypes } from './stripe.ts'

let double: StripeDouble
let payments: Payments
beforeAll(async () => {
  double = await startStripeDouble(afterAll)
  payments = await connectStripe(double)
})

describe('stripe calls', () => {
  const customer = { reference: 'ada', email: 'ada@example.com' }
  const countCustomers = (): number => double.store.customers.size
  let keys = 0
  const newKey = (): string => `key ${(keys += 1)}`

  describe('what fails at Stripe', () => {
    test('too many requests mean that the call may be repeated', async () => {
      double.failNext(429)
      await expect(payments.createCustomer(customer, newKey())).rejects.toBeInstanceOf(PaymentsDown)
    })

    test('after an error of Stripe, or a broken connection, the call is retried', async () => {
      const failures = [500, 503, 'reset before', 'reset after'] as const
      for (const failure of failures) double.failNext(failure)
      const before = countCustomers()
      await Promise.all(failures.map(() => payments.createCustomer(customer, newKey())))
      expect(countCustomers()).toBe(before + failures.length)
    })

    test('a connection that breaks each time means that it is down; what was done then is not done again', async () => {
      const key = newKey()
      const before = countCustomers()
      double.failNext('reset after', { times: stripeTimes.retries + 1 })
      await expect(payments.createCustomer(customer, key)).rejects.toBeInstanceOf(PaymentsDown)
      expect(countCustomers()).toBe(before + 1)
      const id = await payments.createCustomer(customer, key)
      expect(double.store.customers.has(id)).toBe(true)
      expect(countCustomers()).toBe(before + 1)
    })

    test('nothing listens there', async () => {
      const elsewhere = await connectStripe(double, { STRIPE_API_BASE: 'http://127.0.0.1:1' })
      await expect(elsewhere.price('price_1')).rejects.toBeInstanceOf(PaymentsDown)
    })

    test('a key that Stripe does not accept is the fault of the settings, not of the call', async () => {
      const stranger = await connectStripe(double, { STRIPE_SECRET_KEY: 'sk_test_other' })
      await expect(stranger.price('price_1')).rejects.toBeInstanceOf(PaymentsDown)
      await expect(stranger.checkout('cs_test_1')).rejects.toBeInstanceOf(PaymentsDown)
    })

    test('a refusal names Stripe’s reason', async () => {
      const refused = payments.refund('ch_unknown', newKey())
      await expect(refused).rejects.toBeInstanceOf(PaymentRefused)
      await expect(refused).rejects.toThrow("No such charge: 'ch_unknown'")
    })
  })

  describe('time', () => {
    test('a request without an answer ends after ten seconds; no timer is left behind', async () => {
      vi.useFakeTimers()
      onTestFinished(() => void vi.useRealTimers())
      const { send } = createStripeCalls(Stripe.errors)
      const sent = send(() => new Promise(() => {}))
      const failure = sent.catch((error: unknown) => error)
      vi.advanceTimersByTime(stripeTimes.requestMs)
      expect(await failure).toBeInstanceOf(PaymentsDown)
      expect(await send(async () => 1)).toBe(1)
      expect(vi.getTimerCount()).toBe(0)
    })

    test('what is not an error of Stripe stays as it is', async () => {
      const bug = new TypeError('x is not a function')
      await expect(createStripeCalls(Stripe.errors).send(() => Promise.reject(bug))).rejects.toBe(bug)
    })
  })
})

describe('stripe checkouts', () => {
  const fixture = () =>
    createPaymentsFixture({ payments, prices: { month: double.prices.pro_monthly, year: double.prices.pro_yearly } })
  const lastSession = () =>
    double.requests.findLast(({ endpoint, status }) => endpoint === 'POST /v1/checkout/sessions' && status === 200)
      ?.params

  test('the address of success goes to Stripe with its placeholder; taxes are calculated when its account is set up for them', async () => {
    const { newCustomer, openCheckout } = fixture()
    const customerId = await newCustomer()
    await openCheckout(customerId)
    expect(lastSession()).toMatchObject({ success_url: 'https://photos.test/done?id={CHECKOUT_SESSION_ID}' })
    expect(lastSession()).not.toHaveProperty('automatic_tax')
    double.account.hasTax = true
    await openCheckout(customerId)
    double.account.hasTax = false
    expect(lastSession()).toMatchObject({ automatic_tax: { enabled: 'true' }, customer_update: { address: 'auto' } })
  })

  test.each([
    ['has another interval', { interval: 'week' as const }, { interval: null, unitAmountCents: 100 }],
    ['is paid once', { interval: null }, { interval: null, unitAmountCents: null }],
    ['has another currency', { currency: 'eur' }, { currency: 'eur', interval: 'month' }],
    ['has no fixed amount', { unit_amount: null }, { unitAmountCents: null }],
  ])('a price that %s is reported as such', async (name, changes, told) => {
    const id = `price_${name.replaceAll(' ', '_')}`
    double.addPrice({ id, unit_amount: 100, ...changes })
    expect(await payments.price(id)).toMatchObject({ id, isActive: true, ...told })
  })

  test.each([
    [true, 'exclusive', null, true],
    [true, 'inclusive', null, false],
    [true, 'unspecified', 'inclusive', false],
    [true, 'unspecified', 'inferred_by_currency', true],
    [false, 'exclusive', 'exclusive', false],
  ] as const)(
    'with taxes %s, a price that is %s of tax, in an account of prices that are %s: tax is added %s',
    async (hasTax, tax_behavior, taxBehavior, addsTax) => {
      const id = `price_${String(hasTax)}_${tax_behavior}_${taxBehavior}`
      double.addPrice({ id, unit_amount: 100, tax_behavior })
      Object.assign(double.account, { hasTax, taxBehavior })
      onTestFinished(() => void Object.assign(double.account, { hasTax: false, taxBehavior: null }))
      expect(await payments.price(id)).toMatchObject({ addsTax })
    },
  )

  test('a price of every second month is not one of a month, and a metered one has no amount', async () => {
    const { recurring } = double.addPrice({ id: 'price_second', unit_amount: 100 })
    Object.assign(recurring!, { interval_count: 2, usage_type: 'metered' })
    expect(await payments.price('price_second')).toMatchObject({ interval: null, unitAmountCents: null })
  })

  test('an archived price is reported as such, and cannot be bought', async () => {
    const { newCustomer, openCheckout } = fixture()
    double.addPrice({ id: 'price_old', unit_amount: 100 })
    double.archivePrice('price_old')
    expect(await payments.price('price_old')).toMatchObject({ isActive: false })
    await expect(openCheckout(await newCustomer(), 'price_old')).rejects.toBeInstanceOf(PaymentRefused)
  })

  /** A checkout that was completed with a payment that takes days. */
  async function delayedCheckout(status?: 'active' | 'incomplete') {
    const { newCustomer, openCheckout } = fixture()
    const customerId = await newCustomer()
    const { id } = await openCheckout(customerId)
    double.payLater(id, status)
    return { customerId, id }
  }

  test.each(['active', 'incomplete'] as const)(
    'a payment that takes days is pending while Stripe calls its subscription %s, and pays for nothing before it arrives',
    async (status) => {
      const { customerId, id } = await delayedCheckout(status)
      const [subscription] = await payments.subscriptionsOf(customerId)
      expect(subscription).toMatchObject({ state: 'incomplete' })
      expect(await payments.checkout(id)).toMatchObject({
        state: 'pending',
        url: null,
        subscriptionId: subscription!.id,
      })
      await payments.expireCheckout(id)
      double.settleCheckout(id, true)
      expect(await payments.checkout(id)).toMatchObject({ state: 'paid' })
      expect(await payments.subscriptionsOf(customerId)).toMatchObject([{ state: 'active' }])
    },
  )

  test('its invoice decides: it may be paid before the session says so', async () => {
    const { id } = await delayedCheckout()
    double.settleCheckout(id, true)
    double.store.sessions.get(id)!.payment_status = 'unpaid' // it was just made
    expect(await payments.checkout(id)).toMatchObject({ state: 'paid' })
  })

  test('its failure is told, although its session stays complete and unpaid; its subscription was never paid', async () => {
    const { customerId, id } = await delayedCheckout()
    double.settleCheckout(id, false)
    expect(double.store.sessions.get(id)).toMatchObject({ status: 'complete', payment_status: 'unpaid' })
    expect(await payments.checkout(id)).toMatchObject({ state: 'failed' })
    expect(double.subscriptionsOf(customerId)).toMatchObject([{ status: 'past_due' }])
    expect(await payments.subscriptionsOf(customerId)).toMatchObject([{ state: 'incomplete' }])
  })

  test('a checkout that needs no payment is paid', async () => {
    const { newCustomer, openCheckout } = fixture()
    const { id } = await openCheckout(await newCustomer())
    double.payCheckout(id)
    double.store.sessions.get(id)!.payment_status = 'no_payment_required' // it was just made
    expect(await payments.checkout(id)).toMatchObject({ state: 'paid' })
  })

  test('a checkout that Stripe fails to expire is reported', async () => {
    const { newCustomer, openCheckout } = fixture()
    const { id } = await openCheckout(await newCustomer())
    double.failNext(429, { endpoint: 'POST /v1/checkout/sessions/{id}/expire' })
    await expect(payments.expireCheckout(id)).rejects.toThrow('Too many requests')
    expect(await payments.checkout(id)).toMatchObject({ state: 'open' })
    await payments.expireCheckout('cs_test_unknown')
  })

  test('there is no portal until it has been set up; other refusals are reported', async () => {
    const { newCustomer } = fixture()
    const customerId = await newCustomer()
    expect(await payments.portalUrl(customerId, 'https://photos.test/')).toMatch(/^https:/)
    double.account.hasPortal = false
    expect(await payments.portalUrl(customerId, 'https://photos.test/')).toBeNull()
    double.account.hasPortal = true
    await expect(payments.portalUrl('cus_unknown', 'https://photos.test/')).rejects.toBeInstanceOf(PaymentRefused)
  })
})

describe('stripe events', () => {
  const daySeconds = 86_400
  const now = (): number => Math.floor(Date.now() / 1000)

  async function someEvent(): Promise<StripeEvent> {
    const checkout = { priceId: double.prices.pro_monthly, successUrl: 'https://a.test', cancelUrl: 'https://a.test' }
    const customerId = await payments.createCustomer(
      { reference: 'ada', email: 'a@example.com' },
      double.store.newId('key'),
    )
    const { id } = await payments.openCheckout({ ...checkout, customerId, reference: 'ada' }, double.store.newId('key'))
    double.payCheckout(id)
    const event = double.eventsOf(customerId).find(({ type }) => type === 'invoice.paid')
    if (!event) throw new Error('nothing was paid')
    return event
  }

  describe('webhooks', () => {
    let event: StripeEvent
    let signed: (options?: { secret?: string; signedAt?: number }) => { body: Buffer; signature: string }
    beforeEach(async () => {
      event = await someEvent()
      signed = (options) => {
        const { body, headers } = double.webhooks.webhook(event, options)
        return { body, signature: headers['stripe-signature'] }
      }
    })
    const read = ({ body, signature }: { body: Buffer; signature: string }) => payments.readWebhook(body, signature)
    const error = (action: () => unknown): unknown => {
      try {
        return action()
      } catch (thrown) {
        return thrown
      }
    }

    test('a signed event is read', () => {
      const customerId = 'customer' in event.data.object ? event.data.object.customer : undefined
      expect(read(signed())).toEqual({
        id: event.id,
        type: 'invoice.paid',
        createdAt: new Date(event.created * 1000),
        customerId,
      })
    })

    test('the double signs as the package does', () => {
      const { body, signature } = signed({ signedAt: 1_700_000_000 })
      const options = { payload: body.toString(), secret: double.webhookSecret, timestamp: 1_700_000_000 }
      expect(signature).toBe(Stripe.webhooks.generateTestHeaderString(options))
    })

    test('one of several signatures is enough, as while the secret is replaced', () => {
      const { body, signature } = signed()
      expect(payments.readWebhook(body, `${signature},v1=${'0'.repeat(64)},v0=x`).id).toBe(event.id)
    })

    test('every altered byte is noticed', () => {
      const { body, signature } = signed()
      for (let at = 0; at < body.length; at += 7) {
        const altered = Buffer.from(body)
        altered[at]! ^= 1 // it is within the body
        expect(() => payments.readWebhook(altered, signature)).toThrow(InvalidWebhook)
      }
      for (const altered of [
        body.subarray(1),
        body.subarray(0, -1),
        Buffer.concat([body, Buffer.from(' ')]),
        Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
        Buffer.concat([body, Buffer.from([0xff])]),
        Buffer.alloc(0),
      ])
        expect(() => payments.readWebhook(altered, signature)).toThrow(InvalidWebhook)
    })

    test('bytes that are not UTF-8 are not taken for what replaces them', () => {
      const replaced = Buffer.from(JSON.stringify({ ...event, type: '\uFFFD' }))
      const { headers } = double.webhooks.webhook(replaced)
      const at = replaced.indexOf('\uFFFD')
      const raw = Buffer.concat([replaced.subarray(0, at), Buffer.from([0xff]), replaced.subarray(at + 3)])
      expect(() => payments.readWebhook(raw, headers['stripe-signature'])).toThrow(InvalidWebhook)
    })

    test('another secret, and the signature of another event, are refused', async () => {
      expect(() => read(signed({ secret: 'whsec_other' }))).toThrow(InvalidWebhook)
      const other = double.webhooks.webhook(await someEvent())
      expect(() => payments.readWebhook(signed().body, other.headers['stripe-signature'])).toThrow(InvalidWebhook)
    })

    // The limit is 300; until a time ahead is checked, a busy machine comes closer to it.
    test.each([-301, -86_400, 310, 86_400])('signed %i s from now: only the time is off', (seconds) => {
      const thrown = error(() => read(signed({ signedAt: now() + seconds })))
      expect(thrown).toBeInstanceOf(InvalidWebhook)
      expect(thrown).toMatchObject({ isTimeOff: true })
    })

    test.each([-290, 290])('signed %i s from now is in time', (seconds) => {
      expect(read(signed({ signedAt: now() + seconds })).id).toBe(event.id)
    })

    test('an old one with a wrong signature is not the fault of a clock', () => {
      const thrown = error(() => read(signed({ secret: 'whsec_other', signedAt: now() - 1000 })))
      expect(thrown).toMatchObject({ name: 'InvalidWebhook', isTimeOff: false })
    })

    test('an event of the other mode is refused', async () => {
      const live = await startStripeDouble(afterAll, { isLive: true })
      const livePayments = await connectStripe(live)
      const fromTest = double.webhooks.webhook(event)
      expect(() => livePayments.readWebhook(fromTest.body, fromTest.headers['stripe-signature'])).toThrow('test mode')
      const fromLive = double.webhooks.webhook({ ...event, livemode: true })
      expect(() => payments.readWebhook(fromLive.body, fromLive.headers['stripe-signature'])).toThrow('live mode')
      expect(livePayments.readWebhook(fromLive.body, fromLive.headers['stripe-signature']).id).toBe(event.id)
    })

    test.each([
      ['not JSON', 'hello'],
      ['no object', '[]'],
      ['null', 'null'],
      ['a thin event', '{"id":"evt_1","object":"v2.core.event","type":"v1.x","livemode":false}'],
      ['without an id', '{"object":"event","type":"a","created":1,"data":{"object":{}},"livemode":false}'],
      ['without a time', '{"id":"evt_1","object":"event","type":"a","data":{"object":{}},"livemode":false}'],
      ['without data', '{"id":"evt_1","object":"event","type":"a","created":1,"livemode":false}'],
    ])('what is signed but %s is refused', (_, text) => {
      const { body, headers } = double.webhooks.webhook(Buffer.from(text))
      expect(() => payments.readWebhook(body, headers['stripe-signature'])).toThrow(InvalidWebhook)
    })

    test('the customer of an event is read from its object, also when that is the customer', () => {
      const readObject = (object: object): string | null => {
        const { body, headers } = double.webhooks.webhook(Buffer.from(JSON.stringify({ ...event, data: { object } })))
        return payments.readWebhook(body, headers['stripe-signature']).customerId
      }
      expect(readObject({ object: 'customer', id: 'cus_1' })).toBe('cus_1')
      expect(readObject({ object: 'invoice', id: 'in_1', customer: { id: 'cus_2' } })).toBe('cus_2')
      expect(readObject({ object: 'price', id: 'price_1' })).toBeNull()
      expect(readObject({ object: 'invoice', customer: null })).toBeNull()
    })

    test('an event about a dispute names its payment instead', () => {
      const object = { object: 'dispute', id: 'du_1', charge: 'ch_1' }
      const { body, headers } = double.webhooks.webhook(Buffer.from(JSON.stringify({ ...event, data: { object } })))
      expect(payments.readWebhook(body, headers['stripe-signature'])).toMatchObject({
        customerId: null,
        paymentId: 'ch_1',
      })
    })
  })

  describe('the list of events', () => {
    const readSince = (seconds: number): Promise<PaymentEvent[]> =>
      Array.fromAsync(payments.eventsSince(new Date(seconds * 1000)))

    test('thousands of many days come once each, oldest first', async () => {
      const list = await startStripeDouble(afterAll)
      const [template] = [await someEvent()]
      const count = 2_345
      const first = now() - 10 * daySeconds
      for (let n = 0; n < count; n += 1) {
        const created = first + Math.floor((n * 10 * daySeconds) / count)
        list.store.events.push({ ...template, id: `evt_${n}`, created })
      }
      const source = await connectStripe(list)
      const ids = []
      for await (const { id } of source.eventsSince(new Date(first * 1000))) ids.push(id)
      expect(ids).toEqual(list.store.events.map(({ id }) => id))
      expect(list.requests.length).toBeLessThan(50)
      const later = []
      for await (const { id } of source.eventsSince(new Date((first + 5 * daySeconds) * 1000))) later.push(id)
      expect(later).toEqual(ids.slice(-later.length))
      expect(later.length).toBeCloseTo(count / 2, -1)
    })

    test('a time long ago, or in the future, takes few requests', async () => {
      const before = double.requests.length
      await someEvent()
      expect((await readSince(0)).length).toBeGreaterThan(0)
      expect(double.requests.length - before).toBeLessThan(40)
      expect(await readSince(now() + 1000)).toEqual([])
    })

    test('only types that matter are asked for, no more than Stripe allows', async () => {
      await readSince(now())
      const { params } = double.requests.findLast(({ endpoint }) => endpoint === 'GET /v1/events')! // it was just sent
      expect(Object.values(params['types'] ?? {})).toEqual([...stripeEventTypes])
      expect(stripeEventTypes.length).toBeLessThanOrEqual(20)
      expect(params).not.toHaveProperty('delivery_success')
    })

    test('an outage ends the list with an error, and nothing is left out unnoticed', async () => {
      await someEvent()
      double.failNext(429, { endpoint: 'GET /v1/events' })
      await expect(readSince(now() - 100)).rejects.toThrow('Too many requests')
    })
  })
})

describe('stripe', () => {
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

    test('that may not read balance transactions reads payments all the same, without rates', async () => {
      const strict = await startStripeDouble(afterAll)
      strict.store.eurRate = 0.85
      const [restricted, customer] = [await connectStripe(strict), { reference: 'ada', email: 'ada@example.com' }]
      const customerId = await restricted.createCustomer(customer, 'key 1')
      const checkout = { customerId, priceId: strict.prices.pro_monthly, reference: 'ada' }
      const urls = { successUrl: 'https://photos.test/done', cancelUrl: 'https://photos.test/no' }
      strict.payCheckout((await restricted.openCheckout({ ...checkout, ...urls }, 'key 2')).id)
      const [payment] = await restricted.paymentsOf(customerId)
      expect(await restricted.eurRatesOf(customerId)).toEqual(new Map([[payment!.id, 0.85]]))
      strict.denied.add('expand data.balance_transaction')
      expect(await restricted.eurRatesOf(customerId)).toEqual(new Map())
      expect(await restricted.paymentsOf(customerId)).toEqual([payment])
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
})
