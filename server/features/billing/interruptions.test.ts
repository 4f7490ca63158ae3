import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashOf, newSecret } from '../../lib/ids.ts'
import { PaymentsDown } from '../../ports/payments/payments.ts'
import { failCall } from '../../test/fail-once.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { emailsTo } from '../../test/outbox.ts'
import { isRecord } from '../../test/statistics.ts'
import { changeAccount } from '../accounts/operator-changes.ts'
import { addSession } from '../accounts/queries.ts'
import { refundAsOperator, runRefund } from './refunds.ts'
import { syncCustomer } from './sync-customer.ts'
import { makeUser, validPassword, type TestUser } from '../../test/test-data.ts'
import {
  callBilling,
  checkoutBody,
  demoOf,
  openCheckout,
  payTwice,
  subscriptionStatusOf,
  subscribe,
  callVerifySession,
} from '../../test/subscriptions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
})
afterAll(() => server.close())

const error = new PaymentsDown('the provider is not there')
const call = (user: TestUser, path: string, body?: unknown) => callBilling(server, user, path, { body })
const customerOf = async ({ id }: TestUser): Promise<string> => {
  const row = await server.db
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('user_id', '=', id)
    .executeTakeFirst()
  return row?.customer_id ?? ''
}
/** Runs all jobs, including those that wait for a retry. */
async function workAll(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await server.app.deps.pool.query(
      'update graphile_worker._private_jobs set run_at = now() where run_at > now() and attempts > 0',
    )
    await server.app.deps.pool.query(
      "update graphile_worker._private_jobs set run_at = now() where key like 'refund:%' or key like 'close:%'",
    )
    await server.work()
  }
}

/** Reasons and cents of the refunds of a customer. */
async function refundsOf(customer: string): Promise<[string, number | null][]> {
  const rows = await server.db
    .selectFrom('refunds')
    .select(['reason', 'amount_cents'])
    .where('customer_id', '=', customer)
    .orderBy('reason')
    .execute()
  return rows.map(({ reason, amount_cents }) => [reason, amount_cents])
}
/** The amounts in the emails about refunds. */
async function amountsToldTo({ email }: TestUser): Promise<string[]> {
  const texts = (await emailsTo(server, email)).filter(({ subject }) => subject === 'Your refund')
  return texts.map(({ text }) => String(/\$\d+\.\d\d/.exec(text ?? '')?.[0])).toSorted()
}

interface Action {
  /** Prepares the user; resolves to the action, which resolves to the status of its response. */
  prepare(user: TestUser): Promise<() => Promise<number>>
  /** Reads the final state, which must equal `expected` whichever call failed. */
  read(user: TestUser, customer: string): Promise<unknown>
  expected: unknown
}

const readPlan = async (user: TestUser): Promise<unknown> => {
  const { plan, subscription } = await subscriptionStatusOf(server, user)
  return [plan.id, subscription?.cancel_at_period_end ?? null]
}
const subjectsTo = async ({ email }: TestUser) =>
  (await emailsTo(server, email)).map(({ subject }) => String(subject)).toSorted()

const actions: Record<string, Action> = {
  'a checkout': {
    prepare: async (user) => async () => (await call(user, 'checkout', checkoutBody())).statusCode,
    read: async (user, customer) => [(await demoOf(server).openCheckoutsOf(customer)).length, await readPlan(user)],
    expected: [1, ['free', null]],
  },
  'a verification': {
    async prepare(user) {
      const id = await openCheckout(server, user)
      await demoOf(server).payCheckout(id)
      return async () => (await callVerifySession(server, user, id)).statusCode
    },
    read: async (user) => [await readPlan(user), await subjectsTo(user)],
    expected: [['pro_monthly', false], ['Welcome to Pro Monthly']],
  },
  'a cancellation': {
    async prepare(user) {
      await subscribe(server, user)
      return async () => (await call(user, 'cancel')).statusCode
    },
    read: readPlan,
    expected: ['pro_monthly', true],
  },
  'a resumption': {
    async prepare(user) {
      await subscribe(server, user)
      await call(user, 'cancel')
      return async () => (await call(user, 'resume')).statusCode
    },
    read: readPlan,
    expected: ['pro_monthly', false],
  },
  'a change': {
    async prepare(user) {
      await subscribe(server, user)
      return async () => (await call(user, 'change', { price_id: 'demo_pro_yearly' })).statusCode
    },
    read: async (user, customer) => [await readPlan(user), (await demoOf(server).paymentsOf(customer)).length],
    expected: [['pro_yearly', false], 2],
  },
  'a refund': {
    async prepare(user) {
      await subscribe(server, user)
      await call(user, 'change', { price_id: 'demo_pro_yearly' })
      return async () => (await call(user, 'refund')).statusCode
    },
    async read(user, customer) {
      const payments = await demoOf(server).paymentsOf(customer)
      const subscriptions = await demoOf(server).subscriptionsOf(customer)
      const left = payments.map(({ amountCents, refundedCents }) => amountCents - refundedCents)
      const amounts = await refundsOf(customer)
      return [left, amounts, subscriptions.map(({ state }) => state), await readPlan(user), await subjectsTo(user)]
    },
    expected: [
      [0, 0],
      [['customer', 14_999]],
      ['canceled'],
      ['free', null],
      ['Welcome to Pro Monthly', 'You now have Pro Yearly', 'Your refund'],
    ],
  },
}

/** The largest number of calls that an action makes. */
const maxCalls = 12

describe.each(Object.entries(actions))('%s', (name, { prepare, read, expected }) => {
  test.each([
    ['fails', false],
    ['takes effect and its answer is lost', true],
  ])('is answered with 503 when a call to the provider %s, and can be repeated', async (_, isLost) => {
    let failures = 0
    // Of two neighbouring calls one fails and the answer of the other is lost; the long run tries both.
    for (let before = isRecord ? 0 : Number(isLost); before < maxCalls; before += isRecord ? 1 : 2) {
      const user = await makeUser(server)
      const act = await prepare(user)
      const { result, calls } = await failCall(demoOf(server), { before, error, isLost }, act)
      if (calls <= before) break
      failures += 1
      expect([name, before, result]).toEqual([name, before, 503])
      // Repeated, or done already by the call whose answer was lost.
      expect([name, before, [200, 409].includes(await act())]).toEqual([name, before, true])
      await workAll()
      expect([name, before, await read(user, await customerOf(user))]).toEqual([name, before, expected])
    }
    expect(failures).toBeGreaterThan(0)
  })
})

test('a refund reports what was refunded, and is made once', async () => {
  const user = await makeUser(server)
  await subscribe(server, user)
  await call(user, 'change', { price_id: 'demo_pro_yearly' })
  const paid = (await demoOf(server).paymentsOf(await customerOf(user))).reduce((sum, one) => sum + one.amountCents, 0)
  const answers = await Promise.all([call(user, 'refund'), call(user, 'refund'), call(user, 'refund')])
  const codes = answers.map(({ statusCode }) => statusCode)
  expect([codes.includes(200), codes.filter((code) => code !== 200 && code !== 409)]).toEqual([true, []])
  const done = answers.find(({ statusCode }) => statusCode === 200)
  expect(done?.json()).toEqual({ refunded_cents: paid })
  const again = await call(user, 'refund')
  expect([again.statusCode, again.json<{ detail: string }>().detail]).toEqual([
    409,
    'You have already had a refund. Each account can have one.',
  ])
  expect((await subscriptionStatusOf(server, user)).plan.id).toBe('free')
})

test('a refund reports, also by email, only what it refunded itself', async () => {
  const user = await makeUser(server)
  await payTwice(server, user)
  // The second is refunded automatically.
  await workAll()
  expect((await call(user, 'refund')).json()).toEqual({ refunded_cents: 1_499 })
  await workAll()
  expect(await refundsOf(await customerOf(user))).toEqual([
    ['customer', 1_499],
    ['second subscription', 14_999],
  ])
  expect(await amountsToldTo(user)).toEqual(['$14.99', '$149.99'])
})

/** Pays twice, and stores the refund of the second payment without doing it. */
async function prepareSecondRefund(user: TestUser) {
  await payTwice(server, user)
  const customer = await customerOf(user)
  const deps = { ...server.app.deps, payments: demoOf(server) }
  await syncCustomer(deps, customer)
  const { id } = await server.db
    .selectFrom('refunds')
    .select('id')
    .where('customer_id', '=', customer)
    .executeTakeFirstOrThrow()
  return { customer, deps, ofSecond: id }
}

test.each(['whole', 'second'])('of two concurrent refunds, the %s first, each reports its own part', async (first) => {
  const user = await makeUser(server)
  const demo = demoOf(server)
  const { customer, deps, ofSecond } = await prepareSecondRefund(user)
  const { refund } = demo
  // The other one begins when this one has claimed its payments and given nothing back.
  demo.refund = async (...args) => {
    demo.refund = refund
    if (first === 'whole') await runRefund(deps, ofSecond)
    else await call(user, 'refund')
    return refund(...args)
  }
  if (first === 'whole') await call(user, 'refund')
  else await runRefund(deps, ofSecond)
  await workAll()
  const amounts = await refundsOf(customer)
  expect(amounts).toEqual(
    first === 'whole'
      ? [
          ['customer', 16_498],
          ['second subscription', 0],
        ]
      : [
          ['customer', 1_499],
          ['second subscription', 14_999],
        ],
  )
  expect(await amountsToldTo(user)).toEqual(first === 'whole' ? ['$164.98'] : ['$14.99', '$149.99'])
  expect((await demo.paymentsOf(customer)).map((one) => one.amountCents - one.refundedCents)).toEqual([0, 0])
})

test('a refund does not report a payment that another one refunded after it had read the payments', async () => {
  const user = await makeUser(server)
  const { customer, deps, ofSecond } = await prepareSecondRefund(user)
  const { paymentsOf } = deps.payments
  deps.payments.paymentsOf = async (...args) => {
    deps.payments.paymentsOf = paymentsOf
    const before = await paymentsOf(...args)
    expect((await call(user, 'refund')).json()).toEqual({ refunded_cents: 16_498 })
    return before
  }
  expect(await runRefund(deps, ofSecond)).toBe(0)
  await workAll()
  expect(await refundsOf(customer)).toEqual([
    ['customer', 16_498],
    ['second subscription', 0],
  ])
  expect(await amountsToldTo(user)).toEqual(['$164.98'])
})

test('nothing is stored when everything was refunded at the provider', async () => {
  const user = await makeUser(server)
  await subscribe(server, user)
  const customer = await customerOf(user)
  for (const { id } of await demoOf(server).paymentsOf(customer)) await demoOf(server).refund(id, `by hand ${id}`)
  const answer = await call(user, 'refund')
  expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([
    409,
    'You have not paid anything that could be refunded.',
  ])
  expect([await refundsOf(customer), await amountsToldTo(user)]).toEqual([[], []])
})

test('a user whom the operator has refunded gets no other refund', async () => {
  const user = await makeUser(server)
  await subscribe(server, user)
  const deps = { ...server.app.deps, payments: demoOf(server) }
  expect(await refundAsOperator(deps, await customerOf(user))).toBe(1_499)
  await subscribe(server, user)
  expect((await subscriptionStatusOf(server, user)).refundable_until).toBeNull()
  const answer = await call(user, 'refund')
  expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([
    409,
    'You have already had a refund. Each account can have one.',
  ])
  expect((await subscriptionStatusOf(server, user)).plan.id).toBe('pro_monthly')
  // The operator may, and is told what the second gave back.
  expect(await refundAsOperator(deps, await customerOf(user))).toBe(1_499)
})

test('payments can be refunded within the refund period even if the plan has ended', async () => {
  const user = await makeUser(server)
  await subscribe(server, user)
  const customer = await customerOf(user)
  const { refundable_until: until } = await subscriptionStatusOf(server, user)
  for (const { id } of await demoOf(server).subscriptionsOf(customer)) await demoOf(server).cancelNow(id)
  await workAll()
  expect(await subscriptionStatusOf(server, user)).toMatchObject({
    subscription: null,
    plan: { id: 'free' },
    refundable_until: until,
  })
  expect((await call(user, 'refund')).json()).toEqual({ refunded_cents: 1_499 })
  expect((await subscriptionStatusOf(server, user)).refundable_until).toBeNull()
})

test('a user who has paid nothing gets no refund', async () => {
  const [user, open] = [await makeUser(server), await makeUser(server)]
  await openCheckout(server, open)
  for (const one of [user, open]) expect((await call(one, 'refund')).statusCode).toBe(409)
})

describe('an account that pays', () => {
  const endings: Record<string, (user: TestUser) => Promise<unknown>> = {
    deleted: (user) =>
      server.request({ method: 'DELETE', url: '/user', token: user.token, body: { password: validPassword } }),
    deactivated: async (user) => {
      expect(await changeAccount(server.db, user.email, { is_active: false })).toEqual({ endsPayments: true })
    },
  }
  test.each(Object.entries(endings))('and is %s is charged nothing more, whichever call fails', async (name, end) => {
    for (let before = 0; before < maxCalls; before++) {
      const user = await makeUser(server)
      await subscribe(server, user)
      const customer = await customerOf(user)
      const demo = demoOf(server)
      const late = await demo.openCheckout(
        {
          customerId: customer,
          priceId: 'demo_pro_yearly',
          reference: 'late',
          successUrl: checkoutBody().success_url,
          cancelUrl: checkoutBody().cancel_url,
        },
        `late ${user.id}`,
      )
      await end(user)
      const { calls } = await failCall(demo, { before, error }, () => server.work())
      await workAll()
      expect((await demo.subscriptionsOf(customer)).map(({ state }) => state)).toEqual(['canceled'])
      expect((await demo.checkout(late.id))?.state).toBe('expired')
      const row = await server.db
        .selectFrom('billing_customers')
        .select(['user_id', 'closed_at'])
        .where('customer_id', '=', customer)
        .executeTakeFirst()
      expect([name, row?.closed_at instanceof Date]).toEqual([name, name === 'deactivated'])
      if (calls <= before) return
    }
    throw new Error('there were more calls than expected')
  })

  test('and is deactivated gets back what is paid after that', async () => {
    const user = await makeUser(server)
    await subscribe(server, user)
    const customer = await customerOf(user)
    await changeAccount(server.db, user.email, { is_active: false })
    await workAll()
    const demo = demoOf(server)
    const { success_url: successUrl, cancel_url: cancelUrl } = checkoutBody()
    const late = { customerId: customer, priceId: 'demo_pro_yearly', reference: 'late', successUrl, cancelUrl }
    await demo.payCheckout((await demo.openCheckout(late, `after the end of ${user.id}`)).id)
    await workAll()
    expect((await demo.subscriptionsOf(customer)).map(({ state }) => state)).toEqual(['canceled', 'canceled'])
    const payments = await demo.paymentsOf(customer)
    expect(payments.map(({ refundedCents }) => refundedCents).toSorted((a, b) => a - b)).toEqual([0, 14_999])
  })

  test('and is active again can pay again', async () => {
    const user = await makeUser(server)
    await subscribe(server, user)
    await changeAccount(server.db, user.email, { is_active: false })
    await workAll()
    await changeAccount(server.db, user.email, { is_active: true })
    const token = newSecret()
    await addSession(server.db, { tokenHash: hashOf(token), userId: user.id, userAgent: undefined })
    await subscribe(server, { ...user, token }, 'pro_yearly')
    await workAll()
    expect((await subscriptionStatusOf(server, { ...user, token })).plan.id).toBe('pro_yearly')
  })
})

test('while the provider cannot be reached, a plan that is paid goes on', async () => {
  const user = await makeUser(server)
  await subscribe(server, user)
  const demo = demoOf(server)
  const { subscriptionsOf } = demo
  try {
    demo.subscriptionsOf = () => Promise.reject(error)
    expect((await call(user, 'cancel')).statusCode).toBe(503)
    expect((await subscriptionStatusOf(server, user)).plan.id).toBe('pro_monthly')
    await server.app.deps.pool.query(
      "update paid_plans set until = billing_now() - interval '1 second' where user_id = $1",
      [user.id],
    )
    expect((await subscriptionStatusOf(server, user)).plan.id).toBe('free')
  } finally {
    demo.subscriptionsOf = subscriptionsOf
  }
  await workAll()
  await syncCustomer(server.app.deps, await customerOf(user))
  expect(await subscriptionStatusOf(server, user)).toMatchObject({
    plan: { id: 'pro_monthly' },
    subscription: { cancel_at_period_end: true },
  })
})
