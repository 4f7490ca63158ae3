import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlanForSale } from '@keepsnap/contract/billing.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'
import {
  callBilling,
  checkoutBody,
  demoOf,
  openCheckout,
  subscriptionStatusOf,
  subscribe,
} from '../../test/subscriptions.ts'
import { hashTables } from '../../test/table-hashes.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
})
afterAll(() => server.close())

const checkout = (user: TestUser, changes: object = {}) =>
  callBilling(server, user, 'checkout', { body: { ...checkoutBody(), ...changes } })
const customersOf = async ({ id }: TestUser): Promise<string[]> => {
  const rows = await server.db.selectFrom('billing_customers').select('customer_id').where('user_id', '=', id).execute()
  return rows.map(({ customer_id: customer }) => customer)
}

test('the plans have the prices at which they can be bought here', async () => {
  const answer = await server.request({ method: 'GET', url: '/subscriptions/plans' })
  const plans = answer.json<PlanForSale[]>()
  expect(plans.map(({ id, stripe_price_id: price }) => [id, price])).toEqual([
    ['free', null],
    ['pro_monthly', 'demo_pro_monthly'],
    ['pro_yearly', 'demo_pro_yearly'],
  ])
  expect(plans[1]).toMatchObject({
    name: 'Pro Monthly',
    price_cents: 1499,
    interval_type: 'month',
    features: { max_photos: 100, storage_gb: 10, max_file_size_mb: 100 },
  })
})

test('a checkout leads to the provider’s page, and returns to our pages', async () => {
  const user = await makeUser(server)
  const answer = await checkout(user, { success_url: 'http://photos.test/subscription/success' })
  expect(answer.statusCode).toBe(200)
  const id = await openCheckout(server, user, 'pro_yearly')
  expect(await demoOf(server).checkoutPage(id)).toMatchObject({
    state: 'open',
    priceId: 'demo_pro_yearly',
    successUrl: `http://photos.test/subscription/success?session_id=${id}`,
    cancelUrl: 'http://photos.test/subscription/cancel',
  })
})

test.each([
  ['of no plan', { price_id: 'demo_pro_weekly' }, 'price_id'],
  ['of the free plan', { price_id: 'free' }, 'price_id'],
  ['to a foreign page', { success_url: 'https://evil.example/subscription/success' }, 'success_url'],
  ['with a foreign page to cancel to', { cancel_url: '//evil.example' }, 'cancel_url'],
])('a checkout %s is refused and changes nothing', async (_, changes, field) => {
  const user = await makeUser(server)
  const before = await hashTables(server)
  const answer = await checkout(user, changes)
  expect([answer.statusCode, answer.json()]).toMatchObject([
    422,
    { code: 'invalid', detail: [{ loc: ['body', field] }] },
  ])
  expect(await hashTables(server)).toEqual(before)
})

test('a price that is not sold any more is refused', async () => {
  const user = await makeUser(server)
  await server.app.deps.pool.query(
    "insert into plan_prices (provider, price_id, plan, is_current) values ('demo', 'demo_old', 'pro_monthly', false), ('stripe', 'price_x', 'pro_monthly', true)",
  )
  for (const price_id of ['demo_old', 'price_x']) expect((await checkout(user, { price_id })).statusCode).toBe(422)
})

test('a new checkout ends the older open ones at the provider', async () => {
  const user = await makeUser(server)
  const first = await openCheckout(server, user)
  const second = await openCheckout(server, user, 'pro_yearly')
  expect((await demoOf(server).checkout(first))?.state).toBe('expired')
  expect((await demoOf(server).checkout(second))?.state).toBe('open')
  const rows = await server.db
    .selectFrom('checkouts')
    .select('state')
    .where('user_id', '=', user.id)
    .orderBy('created_at')
    .execute()
  expect(rows.map(({ state }) => state)).toEqual(['expired', 'open'])
})

test('checkouts at the same time make one customer and leave one that can be paid', async () => {
  const user = await makeUser(server)
  const answers = await Promise.all(Array.from({ length: 6 }, async () => checkout(user)))
  const codes = answers.map(({ statusCode }) => statusCode)
  expect(codes.filter((code) => code !== 200 && code !== 409)).toEqual([])
  expect(codes).toContain(200)
  const [customer, ...others] = await customersOf(user)
  expect([typeof customer, others]).toEqual(['string', []])
  const open = await demoOf(server).openCheckoutsOf(customer ?? '')
  expect(open).toHaveLength(1)
  // The one that was answered last is the one that is open.
  const urls = answers.flatMap((answer) =>
    answer.statusCode === 200 ? [answer.json<{ checkout_url: string }>().checkout_url] : [],
  )
  expect(urls).toContain(open[0]?.url)
})

test('a user who already pays is told to change the plan, even before the payment’s event has arrived', async () => {
  const user = await makeUser(server)
  await subscribe(server, user)
  const again = await checkout(user)
  expect([again.statusCode, again.json<{ detail: string }>().detail]).toEqual([
    409,
    'You already pay for a plan. Use POST /subscriptions/change to change to another one.',
  ])
  const other = await makeUser(server)
  await demoOf(server).payCheckout(await openCheckout(server, other))
  expect((await checkout(other)).statusCode).toBe(409)
  expect((await subscriptionStatusOf(server, other)).plan.id).toBe('pro_monthly')
})

test('without a session nothing can be bought', async () => {
  const user = await makeUser(server)
  await server.request({ method: 'POST', url: '/logout', token: user.token })
  expect((await checkout(user)).statusCode).toBe(401)
  expect(await customersOf(user)).toEqual([])
})

test('an account that is deleted while its checkout is opened has none that can be paid', async () => {
  const user = await makeUser(server)
  const demo = demoOf(server)
  const { openCheckout: open } = demo
  const opened: string[] = []
  try {
    demo.openCheckout = async (...args) => {
      const made = await open(...args)
      opened.push(made.id)
      await server.db.deleteFrom('users').where('id', '=', user.id).execute()
      return made
    }
    expect((await checkout(user)).statusCode).toBe(401)
  } finally {
    demo.openCheckout = open
  }
  expect(opened).toHaveLength(1)
  for (const id of opened) expect((await demo.checkout(id))?.state).toBe('expired')
})

test('where plans are not sold, there are no prices, and calls say so', async () => {
  const off = await startServer({ PAYMENTS: 'off', LOG_LEVEL: 'silent' })
  try {
    const user = await makeUser(off)
    const plans = (await off.request({ method: 'GET', url: '/subscriptions/plans' })).json<PlanForSale[]>()
    expect(plans.map(({ stripe_price_id: price }) => price)).toEqual([null, null, null])
    const refusal = [409, { code: 'conflict', detail: 'This site does not sell plans.' }]
    const calls: [string, unknown][] = [
      ['checkout', checkoutBody()],
      ['cancel', undefined],
      ['resume', undefined],
      ['change', { price_id: 'demo_pro_yearly' }],
      ['refund', undefined],
      ['portal', undefined],
    ]
    for (const [path, body] of calls) {
      const answer = await callBilling(off, user, path, { body })
      expect([path, answer.statusCode, answer.json()]).toEqual([path, ...refusal])
    }
    expect((await callBilling(off, user, 'verify-session', { body: { session_id: 'x' } })).statusCode).toBe(404)
    expect((await callBilling(off, user, 'invoices', { method: 'GET' })).json()).toEqual([])
    expect((await off.request({ method: 'POST', url: '/payments/webhook', body: '{}' })).statusCode).toBe(400)
    expect(await subscriptionStatusOf(off, user)).toMatchObject({ payments: 'off', plan: { id: 'free' } })
  } finally {
    await off.close()
  }
})
