import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { startServer, type TestServer } from '../../test/harness.ts'
import {
  createPaymentsFixture,
  dayMs,
  type PaymentsFixture,
  testPaidCheckouts,
  testPayments,
  testRenewals,
} from '../../test/payments-suite.ts'
import {
  demoPayments,
  type DemoPayments,
  maxClockDays,
  moveDemoClock,
  periodStart,
  proratedCents,
  readDemoClock,
} from './demo.ts'
import { demoPrices } from './payment-settings.ts'
import { type PaymentEvent, PaymentRefused } from './payments.ts'

describe('demo periods', () => {
  const day = (text: string): Date => new Date(`${text}T21:30:15.250Z`)

  test.each([
    ['2027-01-31', 'month', 2, '2027-02-28'],
    ['2027-01-31', 'month', 3, '2027-03-31'],
    ['2027-01-31', 'month', 4, '2027-04-30'],
    ['2027-01-31', 'month', 14, '2028-02-29'],
    ['2026-12-31', 'month', 2, '2027-01-31'],
    ['2026-11-30', 'month', 4, '2027-02-28'],
    ['2026-11-15', 'month', 1, '2026-11-15'],
    ['2026-11-15', 'month', 122, '2036-12-15'],
    ['2028-02-29', 'year', 2, '2029-02-28'],
    ['2028-02-29', 'year', 5, '2032-02-29'],
    ['2027-12-31', 'year', 2, '2028-12-31'],
  ] as const)('counted from %s, by the %s, period %i starts on %s', (anchor, interval, number, start) => {
    expect(periodStart(day(anchor), interval, number)).toEqual(day(start))
  })

  test('every period ends where the next one starts, and has the length of its interval', () => {
    for (let first = 0; first < 366; first += 1) {
      const anchor = new Date(Date.UTC(2028, 0, 1 + first, 23, 59))
      for (let number = 1; number <= 26; number += 1) {
        const days =
          (periodStart(anchor, 'month', number + 1).getTime() - periodStart(anchor, 'month', number).getTime()) /
          86_400_000
        expect(days).toBeGreaterThanOrEqual(28)
        expect(days).toBeLessThanOrEqual(31)
      }
    }
  })

  test('the rest of a period is worth its part of the price, in whole cents, and never more than all of it', () => {
    const period = { start: day('2027-06-01'), end: day('2027-07-01') }
    expect(proratedCents(1499, period, day('2027-06-01'))).toBe(1499)
    expect(proratedCents(1499, period, day('2027-06-16'))).toBe(750)
    expect(proratedCents(1499, period, day('2027-07-01'))).toBe(0)
    expect(proratedCents(1499, period, day('2027-05-01'))).toBe(1499)
    expect(proratedCents(1499, period, day('2027-08-01'))).toBe(0)
  })
})

describe('demo', () => {
  let server: TestServer
  let demo: DemoPayments
  const events: PaymentEvent[] = []
  /** Another node on the same database. */
  const openDemo = (onEvent: Parameters<typeof demoPayments>[0]['onEvent']): DemoPayments =>
    demoPayments({ db: server.db, publicUrl: server.publicUrl, onEvent })
  beforeAll(async () => {
    server = await startServer({ PAYMENTS: 'demo' })
    demo = openDemo(async (_, event) => void events.push(event))
  })
  afterAll(() => server.close())
  /** The clock is that of all tests: what they leave is not renewed in later ones. */
  afterEach(async () => {
    const active = await server.db.selectFrom('demo_subscriptions').select('id').where('ended_at', 'is', null).execute()
    await Promise.all(active.map(({ id }) => demo.cancelNow(id)))
  })

  const typesOf = (customerId: string): string[] =>
    events.filter((event) => event.customerId === customerId).map(({ type }) => type)

  const advance = async (days: number): Promise<void> => {
    expect(await moveDemoClock(server.db, days * 86_400)).toBe(true)
    await demo.advance()
  }
  const subject = async () => ({
    payments: demo,
    prices: { month: demoPrices.pro_monthly, year: demoPrices.pro_yearly },
    async pay(id: string) {
      const page = await demo.payCheckout(id)
      if (page?.state !== 'paid') throw new Error(`the checkout is ${page?.state}`)
      return page.successUrl
    },
    advance,
    declinePayments: (id: string, declines: boolean) => demo.setCardPays(id, !declines),
  })
  const fixture = async (): Promise<PaymentsFixture> => createPaymentsFixture(await subject())

  describe('as every provider', () => {
    testPayments(subject)
    testPaidCheckouts(subject)
    testRenewals(subject)
  })

  describe('checkouts', () => {
    test.each([
      ['https://photos.test/done?id={CHECKOUT_SESSION_ID}#{CHECKOUT_SESSION_ID}', 'https://photos.test/done?id=ID#ID'],
      ['https://photos.test/done?id=%7BCHECKOUT_SESSION_ID%7D', 'https://photos.test/done?id=ID'],
      ['https://photos.test/done', 'https://photos.test/done?session_id=ID'],
      ['https://photos.test/done?plan=pro#top', 'https://photos.test/done?plan=pro&session_id=ID#top'],
    ])('%s returns to %s', async (successUrl, expected) => {
      const { newCustomer, newKey } = await fixture()
      const checkout = { customerId: await newCustomer(), priceId: demoPrices.pro_monthly, reference: 'one' }
      const { id } = await demo.openCheckout({ ...checkout, successUrl, cancelUrl: 'https://photos.test/' }, newKey())
      expect((await demo.payCheckout(id))?.successUrl).toBe(expected.replaceAll('ID', id))
    })

    test('paid twenty times at once, on two nodes, are paid once', async () => {
      const { newCustomer, openCheckout } = await fixture()
      const customerId = await newCustomer()
      const { id } = await openCheckout(customerId)
      const nodes = [demo, openDemo(async (_, event) => void events.push(event))]
      const pages = await Promise.all(
        Array.from({ length: 10 }, () => nodes.map((node) => node.payCheckout(id))).flat(),
      )
      expect(pages.map((page) => page?.state)).toEqual(pages.map(() => 'paid'))
      expect(await demo.paymentsOf(customerId)).toHaveLength(1)
      expect(typesOf(customerId)).toEqual([
        'customer.subscription.created',
        'invoice.paid',
        'checkout.session.completed',
      ])
    })

    test('expire after a day of the real clock, not of the billing clock', async () => {
      const { newCustomer, openCheckout } = await fixture()
      const customerId = await newCustomer()
      const { id } = await openCheckout(customerId)
      await advance(3)
      expect((await demo.checkout(id))?.state).toBe('open')
      await sql`update demo_checkouts set expires_at = now() - interval '1 second' where id = ${id}`.execute(server.db)
      expect(await demo.checkout(id)).toMatchObject({ state: 'expired', url: null })
      expect(await demo.openCheckoutsOf(customerId)).toEqual([])
      expect((await demo.payCheckout(id))?.state).toBe('expired')
      await demo.advance()
      await demo.advance()
      expect(typesOf(customerId)).toEqual(['checkout.session.expired'])
    })

    test('the key of another checkout is refused', async () => {
      const { newCustomer, newKey, prices } = await fixture()
      const key = newKey()
      const checkout = {
        customerId: await newCustomer(),
        reference: 'one',
        successUrl: 'https://a.test/',
        cancelUrl: '',
      }
      await demo.openCheckout({ ...checkout, priceId: prices.month }, key)
      await expect(demo.openCheckout({ ...checkout, priceId: prices.year }, key)).rejects.toBeInstanceOf(PaymentRefused)
    })

    test('a payment whose event cannot be stored was not made', async () => {
      const { newCustomer, openCheckout } = await fixture()
      const customerId = await newCustomer()
      const { id } = await openCheckout(customerId)
      const failing = openDemo(async () => {
        throw new Error('the event cannot be stored')
      })
      await expect(failing.payCheckout(id)).rejects.toThrow('the event cannot be stored')
      expect((await demo.checkout(id))?.state).toBe('open')
      expect(await demo.paymentsOf(customerId)).toEqual([])
      expect((await demo.payCheckout(id))?.state).toBe('paid')
    })
  })

  describe('time', () => {
    test('400 days bring 13 renewals of a month, in order, each paid when its period began', async () => {
      const { newCustomer, subscribeTo } = await fixture()
      const customerId = await newCustomer()
      await subscribeTo(customerId)
      const [first] = await demo.subscriptionsOf(customerId)
      await advance(400)
      const made = (await demo.paymentsOf(customerId)).toReversed()
      expect(made).toHaveLength(14)
      const gaps = made.slice(1).map(({ paidAt }, at) => (paidAt.getTime() - made[at]!.paidAt.getTime()) / dayMs) // one less
      expect(gaps.every((days) => days >= 28 && days <= 31)).toBe(true)
      expect(made[1]?.paidAt).toEqual(first?.currentPeriodEnd)
      const [now] = await demo.subscriptionsOf(customerId)
      expect(now?.currentPeriodStart).toEqual(made.at(-1)?.paidAt)
      expect(typesOf(customerId).filter((type) => type === 'invoice.paid')).toHaveLength(14)
    })

    test('what is due is renewed before it is read, and once on many nodes', async () => {
      const { newCustomer, subscribeTo } = await fixture()
      const customerId = await newCustomer()
      await subscribeTo(customerId)
      await moveDemoClock(server.db, 32 * 86_400)
      const nodes = [demo, openDemo(async (_, event) => void events.push(event))]
      const answers = await Promise.all(
        nodes.flatMap((node) => [
          node.subscriptionsOf(customerId),
          node.advance().then(() => node.subscriptionsOf(customerId)),
        ]),
      )
      const { now } = await readDemoClock(server.db)
      for (const [subscription] of answers)
        expect(subscription!.currentPeriodEnd.getTime()).toBeGreaterThan(now.getTime()) // one was made
      expect(await demo.paymentsOf(customerId)).toHaveLength(2)
    })

    test('the clock goes forward only, and not without end', async () => {
      const { aheadSeconds } = await readDemoClock(server.db)
      for (const seconds of [0, -1, maxClockDays * 86_400 - aheadSeconds + 1, Number.NaN])
        expect(await moveDemoClock(server.db, seconds)).toBe(false)
      expect((await readDemoClock(server.db)).aheadSeconds).toBe(aheadSeconds)
      await moveDemoClock(server.db, 90)
      expect((await readDemoClock(server.db)).aheadSeconds).toBe(aheadSeconds + 90)
    })

    test('events and unpaid checkouts are kept for 30 days', async () => {
      const { newCustomer, openCheckout } = await fixture()
      const customerId = await newCustomer()
      const [paid, expired] = [await openCheckout(customerId), await openCheckout(customerId)]
      await demo.payCheckout(paid.id)
      await demo.expireCheckout(expired.id)
      const later = async (days: number): Promise<void> => {
        await sql`update demo_events set created_at = now() - make_interval(days => ${days})`.execute(server.db)
        await sql`update demo_checkouts set expires_at = now() - make_interval(days => ${days})`.execute(server.db)
        await demo.advance()
      }
      await later(29)
      expect(await Array.fromAsync(demo.eventsSince(new Date(0)))).not.toEqual([])
      expect(await demo.checkout(expired.id)).not.toBeNull()
      await later(31)
      expect(await Array.fromAsync(demo.eventsSince(new Date(0)))).toEqual([])
      expect(await demo.checkout(expired.id)).toBeNull()
      expect(await demo.checkout(paid.id)).toMatchObject({ state: 'paid' })
    })
  })

  describe('changes', () => {
    test('half a month is set off against a year; the rest of a year is used up by months, then they cost again', async () => {
      const { newCustomer, subscribeTo, prices, newKey } = await fixture()
      const customerId = await newCustomer()
      const id = await subscribeTo(customerId)
      await advance(15)
      await demo.changePrice(id, prices.year, newKey())
      const [upgrade] = await demo.paymentsOf(customerId)
      const saved = 14_999 - (upgrade?.amountCents ?? 0)
      expect(saved).toBeGreaterThan(1499 * 0.4)
      expect(saved).toBeLessThan(1499 * 0.6)
      await demo.changePrice(id, prices.month, newKey())
      // A year is worth a little over ten months.
      await advance(280)
      expect(await demo.paymentsOf(customerId)).toHaveLength(2)
      await advance(65)
      const made = await demo.paymentsOf(customerId)
      expect(made.length).toBeGreaterThan(2)
      expect(made.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBeLessThanOrEqual(13 * 1499)
    })

    test('a key that comes late does not undo a later change', async () => {
      const { newCustomer, subscribeTo, prices, newKey } = await fixture()
      const id = await subscribeTo(await newCustomer())
      const key = newKey()
      await demo.changePrice(id, prices.year, key)
      await demo.changePrice(id, prices.month, newKey())
      expect(await demo.changePrice(id, prices.year, key)).toMatchObject({ priceId: prices.month })
      await expect(demo.changePrice(id, prices.month, key)).rejects.toBeInstanceOf(PaymentRefused)
    })

    test('a change whose payment is declined changes nothing', async () => {
      const { newCustomer, subscribeTo, prices, newKey } = await fixture()
      const customerId = await newCustomer()
      const id = await subscribeTo(customerId)
      await demo.setCardPays(customerId, false)
      const key = newKey()
      await expect(demo.changePrice(id, prices.year, key)).rejects.toBeInstanceOf(PaymentRefused)
      expect(await demo.subscriptionsOf(customerId)).toMatchObject([{ priceId: prices.month, state: 'active' }])
      await demo.setCardPays(customerId, true)
      expect(await demo.changePrice(id, prices.year, key)).toMatchObject({ priceId: prices.year })
    })

    test('a payment that is declined is tried again when the card changes, and ends the subscription after 21 days', async () => {
      const { newCustomer, subscribeTo } = await fixture()
      const [fixed, ended] = [await newCustomer(), await newCustomer()]
      for (const customerId of [fixed, ended]) {
        await subscribeTo(customerId)
        await demo.setCardPays(customerId, false)
      }
      await advance(32)
      await demo.setCardPays(fixed, true)
      expect(await demo.subscriptionsOf(fixed)).toMatchObject([{ state: 'active' }])
      expect(await demo.paymentsOf(fixed)).toHaveLength(2)
      await advance(22)
      const [subscription] = await demo.subscriptionsOf(ended)
      expect(subscription).toMatchObject({ state: 'canceled' })
      expect(subscription!.endedAt!.getTime() - subscription!.currentPeriodStart.getTime()).toBe(21 * dayMs) // it ended
      expect(typesOf(ended)).toEqual([
        'customer.subscription.created',
        'invoice.paid',
        'checkout.session.completed',
        'invoice.payment_failed',
        'customer.subscription.updated',
        'customer.subscription.deleted',
      ])
    })
  })
})
