import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StripeEvent } from '../stripe-double/objects.ts'
import { repetitions, logWithSeed, seededRandom, type SeededRandom } from '../statistics.ts'
import { startStripeFixture, type StripeFixture } from '../stripe-fixture.ts'
import { callBilling } from '../subscriptions.ts'
import { makeUser, type TestUser } from '../test-data.ts'

let stripeFixture: StripeFixture
beforeAll(async () => {
  stripeFixture = await startStripeFixture(afterAll)
})

/** The events of a subscription's life, by the step that causes them. */
const steps = {
  'customer.subscription.created': 0,
  'invoice.paid': 0,
  'checkout.session.completed': 0,
  'customer.subscription.updated': 1,
  'invoice.payment_failed': 1,
  'customer.subscription.deleted': 2,
} as const
type LifeEvent = keyof typeof steps
const lifeEvents = Object.keys(steps) as LifeEvent[] // the keys of the object above

/** The order with a number, from 0 to 719. */
function orderOf(number: number): LifeEvent[] {
  const left = [...lifeEvents]
  const order: LifeEvent[] = []
  for (let size = left.length, rest = number; size > 0; size -= 1) {
    order.push(...left.splice(rest % size, 1))
    rest = Math.floor(rest / size)
  }
  return order
}

async function becameSubscriber({ id }: TestUser): Promise<Date | undefined> {
  const row = await stripeFixture.server.db
    .selectFrom('subscribers')
    .select('became_subscriber_at')
    .where('user_id', '=', id)
    .executeTakeFirst()
  return row?.became_subscriber_at
}

/** A user with a checkout that can be paid. */
async function newPayer(): Promise<{ user: TestUser; customerId: string; sessionId: string }> {
  await stripeFixture.reset()
  const user = await makeUser(stripeFixture.server)
  const { sessionId } = await stripeFixture.openCheckout(user)
  return { user, customerId: await stripeFixture.customerOf(user), sessionId }
}

/** What Stripe does in the steps of a subscription's life: it is paid, a renewal is declined, it ends. */
function lifeOf({ customerId, sessionId }: { customerId: string; sessionId: string }) {
  const { double } = stripeFixture
  const actions = [
    () => void double.payCheckout(sessionId),
    () => {
      double.declinePayments(customerId)
      double.advance(32)
    },
    () => double.cancelSubscription(double.subscriptionsOf(customerId)[0]?.id ?? ''),
  ]
  let done = 0
  return {
    /** The event, after the step that causes it. */
    eventOf(type: LifeEvent): StripeEvent {
      for (; done <= steps[type]; done += 1) actions[done]?.()
      const found = double.eventsOf(customerId).find((event) => event.type === type)
      if (!found) throw new Error(`there was no ${type}`)
      return found
    },
  }
}

/** Which emails follow from the plans that were granted one after the other. */
function emailsFor(seen: readonly (string | undefined)[]): string[] {
  return [
    ...(seen.includes('active') ? ['plan-started'] : []),
    ...(seen.includes('past_due') ? ['payment-failed'] : []),
    ...(seen.some((status) => status !== undefined) && seen.at(-1) === undefined ? ['plan-ended'] : []),
  ].toSorted()
}

async function checkOrder(order: readonly LifeEvent[], random: SeededRandom): Promise<void> {
  const { server, double } = stripeFixture
  const payer = await newPayer()
  const { user, customerId } = payer
  const life = lifeOf(payer)
  const seen: (string | undefined)[] = []
  let became: Date | undefined
  const delivered: StripeEvent[] = []
  for (const type of order) {
    const event = life.eventOf(type)
    delivered.push(event)
    const statuses = await double.webhooks.deliver(random.oneIn(3) ? [event, random.pick(delivered)] : [event])
    expect(new Set(statuses)).toEqual(new Set([200]))
    await server.work()
    const granted = await stripeFixture.granted(user)
    expect([order, type, granted]).toEqual([order, type, stripeFixture.expected(customerId)])
    seen.push(granted?.status)
    became ??= await becameSubscriber(user)
  }
  expect(seen.at(-1)).toBeUndefined()
  expect([order, await stripeFixture.emailKinds(user)]).toEqual([order, emailsFor(seen)])
  expect(await becameSubscriber(user)).toEqual(became)
  expect(became !== undefined).toBe(seen.some((status) => status !== undefined))
}

describe('the events of a subscription’s life', () => {
  test('lead to Stripe’s state in any order, with each effect once', async () => {
    const random = seededRandom('orders of events')
    const rounds = repetitions(40, 720)
    const numbers = Array.from({ length: 720 }, (_, number) => number)
    for (let round = 0; round < rounds; round += 1) {
      const [number = 0] = numbers.splice(random.integerBelow(numbers.length), 1)
      await checkOrder(orderOf(number), random)
    }
    logWithSeed(`${rounds} of 720 orders of six events`)
  })

  test('720 numbers are 720 orders', () => {
    expect(new Set(Array.from({ length: 720 }, (_, number) => orderOf(number).join())).size).toBe(720)
  })

  test('ten of each at the same time have one effect', async () => {
    const { server, double } = stripeFixture
    const payer = await newPayer()
    const { user, customerId, sessionId } = payer
    const life = lifeOf(payer)
    const verify = () => callBilling(server, user, 'verify-session', { body: { session_id: sessionId } })
    for (const types of [lifeEvents.slice(0, 3), lifeEvents.slice(3, 5), lifeEvents.slice(5)]) {
      const events = types.flatMap((type) => Array.from({ length: 10 }, () => life.eventOf(type)))
      const [statuses] = await Promise.all([
        double.webhooks.deliverAtOnce(events),
        server.work(),
        verify(),
        server.work(),
      ])
      expect(new Set(statuses)).toEqual(new Set([200]))
      await Promise.all([server.work(), verify(), server.work()])
      expect(await stripeFixture.granted(user)).toEqual(stripeFixture.expected(customerId))
    }
    expect(await stripeFixture.emailKinds(user)).toEqual(['payment-failed', 'plan-ended', 'plan-started'])
    const { rows } = await server.app.deps.pool.query(
      'select count(*)::int as stored, count(processed_at)::int as processed from payment_events where customer_id = $1',
      [customerId],
    )
    expect(rows).toEqual([{ stored: 6, processed: 6 }])
  })

  test('a payment that is declined and succeeds later sends one email about each, and no second welcome', async () => {
    const { server, double } = stripeFixture
    const payer = await newPayer()
    const life = lifeOf(payer)
    life.eventOf('checkout.session.completed')
    const seen = []
    for (const act of [() => {}, () => life.eventOf('invoice.payment_failed'), () => double.advance(8)]) {
      act()
      await double.webhooks.deliver()
      await server.work()
      seen.push((await stripeFixture.granted(payer.user))?.status)
      expect(await stripeFixture.granted(payer.user)).toEqual(stripeFixture.expected(payer.customerId))
    }
    expect(seen).toEqual(['active', 'past_due', 'active'])
    expect(await stripeFixture.emailKinds(payer.user)).toEqual(['payment-failed', 'plan-started'])
  })
})

describe('events that do not arrive', () => {
  test('are read within the hour', async () => {
    const payer = await newPayer()
    const life = lifeOf(payer)
    for (const [type, kinds] of [
      ['invoice.paid', ['plan-started']],
      ['invoice.payment_failed', ['payment-failed', 'plan-started']],
      ['customer.subscription.deleted', ['payment-failed', 'plan-ended', 'plan-started']],
    ] as const) {
      life.eventOf(type)
      stripeFixture.double.webhooks.drop()
      await stripeFixture.reconcile()
      await stripeFixture.server.work()
      expect(await stripeFixture.granted(payer.user)).toEqual(stripeFixture.expected(payer.customerId))
      expect(await stripeFixture.emailKinds(payer.user)).toEqual(kinds)
    }
  })

  test('change nothing when they come days later', async () => {
    const payer = await newPayer()
    const life = lifeOf(payer)
    for (const type of lifeEvents) life.eventOf(type)
    const events = stripeFixture.double.eventsOf(payer.customerId)
    await stripeFixture.reconcile()
    await stripeFixture.server.work()
    const kinds = await stripeFixture.emailKinds(payer.user)
    await stripeFixture.double.webhooks.deliver(events.toReversed())
    await stripeFixture.workAll()
    expect(await stripeFixture.granted(payer.user)).toBeUndefined()
    expect(await stripeFixture.emailKinds(payer.user)).toEqual(kinds)
  })

  test('are applied after an outage of Stripe, during which paying users keep their plan', async () => {
    const { server, double } = stripeFixture
    const payer = await newPayer()
    const life = lifeOf(payer)
    await double.webhooks.deliver([life.eventOf('checkout.session.completed')])
    await server.work()
    const before = await stripeFixture.granted(payer.user)
    const deleted = life.eventOf('customer.subscription.deleted')
    double.failNext(429, { times: 50 })
    expect(await double.webhooks.deliver([deleted])).toEqual([200])
    await server.work()
    expect(await stripeFixture.granted(payer.user)).toEqual(before)
    double.stopFailing()
    await stripeFixture.workAll()
    expect(await stripeFixture.granted(payer.user)).toEqual(stripeFixture.expected(payer.customerId))
    expect(await stripeFixture.emailKinds(payer.user)).toEqual(['plan-ended', 'plan-started'])
  })
})
