import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '@keepsnap/contract/limits.ts'
import { storePaymentEvents } from './payment-events.ts'
import { syncCustomer } from './sync-customer.ts'
import { actionsReceivedBy, connectLive } from '../../test/live-client.ts'
import { emailsTo } from '../../test/outbox.ts'
import { startStripeServer, type StripeServer } from '../../test/stripe-server.ts'
import { callBilling, checkoutBody, subscriptionStatusOf, callVerifySession } from '../../test/subscriptions.ts'
import { hashTables } from '../../test/table-hashes.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'

let site: StripeServer
const log: string[] = []
beforeAll(async () => {
  site = await startStripeServer(afterAll, { write: (text) => void log.push(text) })
})

const eventsOf = async (customer: string) =>
  site.server.db.selectFrom('payment_events').selectAll().where('customer_id', '=', customer).execute()
const subjectsTo = async ({ email }: TestUser) => {
  await site.server.work()
  return (await emailsTo(site.server, email)).map(({ subject }) => String(subject)).toSorted()
}

describe('a webhook', () => {
  test('is stored once, and its customer is synchronized by a job that tells open pages', async () => {
    const user = await makeUser(site.server)
    const live = await connectLive(await site.server.listen(), user.token)
    const customer = await site.pay(user)
    const [event] = site.stripe.webhooks.held()
    if (!event) throw new Error('nothing happened')
    const webhook = { ...site.stripe.webhooks.webhook(event) }
    const first = await site.send({ ...webhook, headers: { ...webhook.headers } })
    expect([first.statusCode, first.json()]).toEqual([200, { received: true }])
    for (let round = 0; round < 100; round++) {
      const again = await site.send({ ...webhook, headers: { ...webhook.headers } })
      expect([again.statusCode, again.json()]).toEqual([200, { received: true, repeated: true }])
    }
    await site.deliver()
    expect(await actionsReceivedBy(live, site.server, user)).toEqual(['identified', 'plan_updated'])
    live.socket.close()
    expect((await subscriptionStatusOf(site.server, user)).plan.id).toBe('pro_monthly')
    const events = await eventsOf(customer)
    expect(events.filter(({ id }) => id === event.id)).toHaveLength(1)
    expect(events.every(({ processed_at: at }) => at !== null)).toBe(true)
    expect(await subjectsTo(user)).toEqual(['Welcome to Pro Monthly'])
  })

  test('that ten of the same arrive at once has one effect', async () => {
    const user = await makeUser(site.server)
    await site.pay(user)
    const held = site.stripe.webhooks.held()
    const statuses = await site.stripe.webhooks.deliverAtOnce(
      held.flatMap((event) => Array.from({ length: 10 }, () => event)),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await subjectsTo(user)).toEqual(['Welcome to Pro Monthly'])
  })

  test('in a backlog of ten or more delays the synchronization of its customer until no more arrive', async () => {
    const user = await makeUser(site.server)
    const customerId = await site.pay(user)
    const { db } = site.server
    const store = (count: number, from: string) => {
      const eventOf = (index: number) => ({ id: `evt_${from}_${index}`, type: 'invoice.paid', createdAt: new Date() })
      const events = Array.from({ length: count }, (_, index) => ({ ...eventOf(index), customerId }))
      return db.transaction().execute((tx) => storePaymentEvents(tx, 'stripe', events))
    }
    const delays = async (): Promise<number[]> => {
      const { rows } = await sql<{ seconds: number }>`
        select round(extract(epoch from run_at - updated_at))::int as seconds from graphile_worker.jobs
        where key = ${`sync:${customerId}`}`.execute(db)
      return rows.map(({ seconds }) => seconds)
    }
    await store(9, 'few')
    expect(await delays()).toEqual([0])
    await store(10, 'many')
    expect(await delays()).toEqual([10])
    // What is stored again changes nothing.
    await store(10, 'many')
    expect(await delays()).toEqual([10])
    await site.deliver()
    await subjectsTo(user)
  })

  test('of a customer who is not ours is stored and has no effect', async () => {
    const customer = await site.server.app.deps.payments?.createCustomer(
      { reference: 'x', email: 'x@example.com' },
      'stranger',
    )
    await site.deliver()
    const events = await eventsOf(customer ?? '')
    expect(events.map(({ processed_at: at }) => at instanceof Date)).toEqual([true])
  })
})

describe('a webhook is refused and changes nothing:', () => {
  const forgeries: [name: string, make: (valid: { body: Buffer; headers: Record<string, string> }) => object][] = [
    ['without a signature', ({ body }) => ({ body, headers: { 'content-type': 'application/json' } })],
    ['with an empty one', ({ body, headers }) => ({ body, headers: { ...headers, 'stripe-signature': '' } })],
    ['with a signature of another secret', ({ body }) => site.stripe.webhooks.webhook(body, { secret: 'whsec_other' })],
    ['with a byte added', ({ body, headers }) => ({ body: Buffer.concat([body, Buffer.from(' ')]), headers })],
    [
      'with a byte altered',
      ({ body, headers }) => ({ body: Buffer.from(body.map((byte, at) => (at === 40 ? byte ^ 1 : byte))), headers }),
    ],
    [
      'signed six minutes ago',
      ({ body }) => site.stripe.webhooks.webhook(body, { signedAt: Math.floor(Date.now() / 1000) - 360 }),
    ],
    [
      'of live mode',
      ({ body }) => {
        const event = { ...JSON.parse(body.toString()), livemode: true }
        return site.stripe.webhooks.webhook(Buffer.from(JSON.stringify(event)))
      },
    ],
    ['of another object', () => site.stripe.webhooks.webhook(Buffer.from('{"object":"charge"}'))],
    ['that is no JSON', () => site.stripe.webhooks.webhook(Buffer.from('not JSON'))],
    ['that is empty', () => site.stripe.webhooks.webhook(Buffer.alloc(0))],
    [
      'larger than the limit',
      () =>
        site.stripe.webhooks.webhook(Buffer.from(`{"object":"event","x":"${'x'.repeat(limits.webhookBodyBytes)}"}`)),
    ],
    ['of a megabyte', () => site.stripe.webhooks.webhook(Buffer.alloc(1024 * 1024, 0x20))],
  ]
  test.each(forgeries)('%s', async (_, make) => {
    const user = await makeUser(site.server)
    await site.pay(user)
    const [event] = site.stripe.webhooks.held()
    if (!event) throw new Error('nothing happened')
    const valid = site.stripe.webhooks.webhook(event)
    const before = await hashTables(site.server)
    const forged = make({ ...valid, headers: { ...valid.headers } }) as Parameters<StripeServer['send']>[0] // each has both
    const answer = await site.send({ ...forged, headers: { ...forged.headers } })
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'bad_request'])
    expect(await hashTables(site.server)).toEqual(before)
    site.stripe.webhooks.drop()
  })

  test('and the log tells the operator that a clock may be wrong', () => {
    expect(log.filter((line) => line.includes('the clock of this machine may be wrong'))).toHaveLength(1)
  })
})

describe('the price at Stripe must be what the plan says:', () => {
  const wrongs: [string, Parameters<StripeServer['stripe']['addPrice']>[0], string][] = [
    ['of another currency', { id: 'price_eur', unit_amount: 1499, currency: 'eur' }, 'its currency is eur'],
    ['of another amount', { id: 'price_cheap', unit_amount: 14 }, 'it is 14 cents'],
    ['paid once', { id: 'price_once', unit_amount: 1499, interval: null }, 'it is not charged each month'],
    ['of another interval', { id: 'price_year', unit_amount: 1499, interval: 'year' }, 'it is not charged each month'],
  ]
  const refuse = async (id: string): Promise<void> => {
    const user = await makeUser(site.server)
    await site.server.app.deps.pool.query(
      "update plan_prices set price_id = $1 where plan = 'pro_monthly' and is_current",
      [id],
    )
    try {
      const answer = await callBilling(site.server, user, 'checkout', { body: { ...checkoutBody(), price_id: id } })
      expect([answer.statusCode, answer.json()]).toMatchObject([422, { detail: [{ loc: ['body', 'price_id'] }] }])
    } finally {
      const { pro_monthly: right } = site.stripe.prices
      await site.server.app.deps.pool.query(
        "update plan_prices set price_id = $1 where plan = 'pro_monthly' and is_current",
        [right],
      )
    }
  }
  test.each(wrongs)('one %s is refused, and the operator reads what to fix', async (_, price, problem) => {
    site.stripe.addPrice(price)
    await refuse(price.id)
    expect(log.join('')).toContain(problem)
  })
  test('one that does not exist or is archived is refused', async () => {
    await refuse('price_gone')
    site.stripe.addPrice({ id: 'price_old', unit_amount: 1499 })
    site.stripe.archivePrice('price_old')
    await refuse('price_old')
    expect(log.join('')).toContain('it does not exist')
    expect(log.join('')).toContain('it is archived')
  })
})

describe('a payment that fails', () => {
  test('leaves the plan for seven days, tells the user once until when, and ends it then', async () => {
    const user = await makeUser(site.server)
    const customer = await site.pay(user)
    await site.deliver()
    site.stripe.declinePayments(customer, true)
    const [subscription] = site.stripe.subscriptionsOf(customer)
    const item = subscription?.items.data[0]
    if (!subscription || !item) throw new Error('there is no subscription')
    // A period that has begun and is not paid; the double's clock stays, because the database's does.
    Object.assign(subscription, { status: 'past_due' })
    await syncOf(customer)
    const status = await subscriptionStatusOf(site.server, user)
    const graceEnd = new Date((item.current_period_start + 7 * 86_400) * 1000).toISOString()
    expect(status).toMatchObject({
      plan: { id: 'pro_monthly' },
      subscription: { status: 'past_due', grace_until: graceEnd },
    })
    await syncOf(customer)
    expect(await subjectsTo(user)).toEqual(['Welcome to Pro Monthly', 'Your payment failed'])
    item.current_period_start -= 8 * 86_400
    await syncOf(customer)
    expect((await subscriptionStatusOf(site.server, user)).plan.id).toBe('free')
    expect(await subjectsTo(user)).toEqual(['Pro Monthly has ended', 'Welcome to Pro Monthly', 'Your payment failed'])
    // Who comes back is charged once: the subscription that grants nothing any more is ended first.
    site.stripe.declinePayments(customer, 0)
    const id = await site.checkout(user, 'pro_yearly')
    site.stripe.payCheckout(id)
    expect((await callVerifySession(site.server, user, id)).statusCode).toBe(200)
    expect(site.stripe.subscriptionsOf(customer).map(({ status: one }) => one)).toEqual(['canceled', 'active'])
    expect((await subscriptionStatusOf(site.server, user)).plan.id).toBe('pro_yearly')
  })

  test('makes a cancellation take effect at once: the missing payment is no longer collected', async () => {
    const user = await makeUser(site.server)
    const customer = await site.pay(user)
    await site.deliver()
    const [subscription] = site.stripe.subscriptionsOf(customer)
    Object.assign(subscription ?? {}, { status: 'past_due' })
    await syncOf(customer)
    const change = await callBilling(site.server, user, 'change', { body: { price_id: site.stripe.prices.pro_yearly } })
    expect(change.statusCode).toBe(409)
    const cancelled = await callBilling(site.server, user, 'cancel')
    expect([cancelled.statusCode, cancelled.json()]).toMatchObject([
      200,
      { has_subscription: false, plan: { id: 'free' } },
    ])
    expect(site.stripe.subscriptionsOf(customer).map(({ status }) => status)).toEqual(['canceled'])
  })
})

async function syncOf(customer: string): Promise<void> {
  await site.server.app.deps.pool.query('delete from graphile_worker._private_jobs where key = $1', [
    `sync:${customer}`,
  ])
  await syncCustomer(site.server.app.deps, customer)
}

test('no request had a parameter that Stripe does not know', () => {
  expect(site.stripe.violations).toEqual([])
})
