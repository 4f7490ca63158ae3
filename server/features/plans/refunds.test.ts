import { beforeAll, describe, expect, test } from 'vitest'
import type { OperatorUserDetail } from '@keepsnap/contract/operators.ts'
import { hashOf, newSecret } from '../../lib/ids.ts'
import { PaymentsDown } from '../../ports/payments/payments.ts'
import { makeJobsDue, useServer } from '../../test/harness.ts'
import { emailsTo } from '../../test/outbox.ts'
import { isRecord } from '../../test/statistics.ts'
import {
  callBilling,
  callVerifySession,
  checkoutBody,
  demoOf,
  failCall,
  openCheckout,
  payTwice,
  subscribe,
  subscriptionStatusOf,
} from '../../test/subscriptions.ts'
import { auditOf, callOperator, makeOperator, makeUser, type TestUser, validPassword } from '../../test/test-data.ts'
import { changeAccount } from '../accounts/operator-changes.ts'
import { refundAsOperator, runRefund } from './refunds.ts'
import { syncCustomer } from './sync-customer.ts'
import { addSession } from '../accounts/sessions.ts'

let operator: TestUser
const server = useServer({ LOG_LEVEL: 'silent' })
beforeAll(async () => void (operator = await makeOperator(server)))

const error = new PaymentsDown('the provider is not there')
const call = (user: TestUser, path: string, body?: unknown) => callBilling(server, user, path, { body })
const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const customerOf = async ({ id }: TestUser): Promise<string> =>
  (await query('select customer_id as id from billing_customers where user_id = $1', [id])).rows[0]?.id ?? ''
const planOf = async (user: TestUser): Promise<string> => (await subscriptionStatusOf(server, user)).plan.id
/** Runs all jobs, including those that wait for a retry, and those that they add. */
async function workAll(): Promise<void> {
  const waiting = () => query("select from graphile_worker.jobs where key ~ '^(refund|close|sync):'")
  do {
    for (const keyLike of ['refund:%', 'close:%', 'sync:%']) await makeJobsDue(server.app.deps.pool, keyLike)
    await server.work()
  } while ((await waiting()).rowCount)
}

/** The cents of the refunds of a customer, by their reasons. */
const refundsOf = async (customer: string): Promise<Record<string, number | null>> => {
  const { rows } = await query('select reason, amount_cents as cents from refunds where customer_id = $1', [customer])
  return Object.fromEntries(rows.map(({ reason, cents }) => [reason, cents]))
}
/** The amounts in the emails about refunds. */
async function amountsToldTo({ email }: TestUser): Promise<string[]> {
  const texts = (await emailsTo(server, email)).filter(({ subject }) => subject === 'Your refund')
  return texts.map(({ text }) => String(/\$\d+\.\d\d/.exec(text ?? '')?.[0])).toSorted()
}
/** The kinds of the emails that were sent. */
const emailsSentTo = async ({ id }: TestUser): Promise<string[]> =>
  (await query("select kind from emails where user_id = $1 and state = 'sent' order by created_at", [id])).rows.map(
    ({ kind }) => kind,
  )

interface Action {
  /** What happens before the action, which resolves to what the action needs. */
  prepare?: (user: TestUser) => Promise<unknown>
  act: (user: TestUser, prepared: unknown) => ReturnType<typeof call>
  /** Reads the final state, which must equal `expected` whichever call failed. */
  read: (user: TestUser, customer: string) => Promise<unknown>
  expected: unknown
}

const readPlan = async (user: TestUser): Promise<unknown> => {
  const { plan, subscription } = await subscriptionStatusOf(server, user)
  return [plan.id, subscription?.cancel_at_period_end ?? null]
}
const pay = (user: TestUser) => subscribe(server, user)
const actions: Record<string, Action> = {
  'a checkout': {
    act: (user) => call(user, 'checkout', checkoutBody()),
    read: async (user, customer) => [(await demoOf(server).openCheckoutsOf(customer)).length, await readPlan(user)],
    expected: [1, ['free', null]],
  },
  'a verification': {
    async prepare(user) {
      const id = await openCheckout(server, user)
      await demoOf(server).payCheckout(id)
      return id
    },
    act: (user, id) => callVerifySession(server, user, String(id)),
    read: async (user) => [await readPlan(user), await emailsSentTo(user)],
    expected: [['pro_monthly', false], ['plan-started']],
  },
  'a cancellation': {
    prepare: pay,
    act: (user) => call(user, 'cancel'),
    read: readPlan,
    expected: ['pro_monthly', true],
  },
  'a resumption': {
    prepare: (user) => pay(user).then(() => call(user, 'cancel')),
    act: (user) => call(user, 'resume'),
    read: readPlan,
    expected: ['pro_monthly', false],
  },
  'a change': {
    prepare: pay,
    act: (user) => call(user, 'change', { price_id: 'demo_pro_yearly' }),
    read: async (user, customer) => [await readPlan(user), (await demoOf(server).paymentsOf(customer)).length],
    expected: [['pro_yearly', false], 2],
  },
  'a refund': {
    prepare: (user) => pay(user).then(() => call(user, 'change', { price_id: 'demo_pro_yearly' })),
    act: (user) => call(user, 'refund'),
    async read(user, customer) {
      const payments = await demoOf(server).paymentsOf(customer)
      const subscriptions = await demoOf(server).subscriptionsOf(customer)
      return {
        left: payments.map(({ amountCents, refundedCents }) => amountCents - refundedCents),
        refunds: await refundsOf(customer),
        states: subscriptions.map(({ state }) => state),
        plan: await readPlan(user),
        emails: await emailsSentTo(user),
      }
    },
    expected: {
      left: [0, 0],
      refunds: { customer: 14_999 },
      states: ['canceled'],
      plan: ['free', null],
      emails: ['plan-started', 'plan-changed', 'payment-refunded'],
    },
  },
}

/** The largest number of calls that an action makes. */
const maxCalls = 24

describe.each(Object.entries(actions))('%s', (name, { prepare, act, read, expected }) => {
  /** How many calls the action makes. */
  let callCount = maxCalls
  test.each([
    ['fails', false],
    ['takes effect and its answer is lost', true],
  ])('is answered with 503 when a call to the provider %s, and can be repeated', async (_, isLost) => {
    let failures = 0
    // Of three calls in a row, one fails and the answer of another is lost; the long run tries both for each.
    for (let before = isRecord ? 0 : Number(isLost); before < callCount; before += isRecord ? 1 : 3) {
      const user = await makeUser(server)
      const prepared = await prepare?.(user)
      const statusOf = async () => (await act(user, prepared)).statusCode
      const { result, calls } = await failCall(demoOf(server), { before, error, isLost }, statusOf)
      if (calls <= before) {
        callCount = calls
        break
      }
      failures += 1
      expect([name, before, result]).toEqual([name, before, 503])
      // Repeated, or done already by the call whose answer was lost.
      expect([name, before, [200, 409].includes(await statusOf())]).toEqual([name, before, true])
      await workAll()
      expect([name, before, await read(user, await customerOf(user))]).toEqual([name, before, expected])
    }
    expect(failures).toBeGreaterThan(0)
  })
})

describe('a refund', () => {
  const secondRefund = 'You have already had a refund. Each account can have one.'
  const nothingPaid = 'You have not paid anything that could be refunded.'
  const nothingToRefund = 'This account has no payments to refund.'
  const hadRefund = 'This account has already had a refund. Each account can have one.'
  const reason = 'The printer at the venue broke'
  const byOperator = ({ id }: TestUser) => callOperator(server, operator, `users/${id}/refund`, { reason })
  const refundableUntil = async ({ id }: TestUser): Promise<string | null> =>
    (await callOperator(server, operator, `users/${id}`)).json<OperatorUserDetail>().refundable_until
  const refusalOf = (answer: Awaited<ReturnType<typeof call>>) => [
    answer.statusCode,
    answer.json<{ detail: string }>().detail,
  ]

  test('reports what was refunded, and is made once', async () => {
    const user = await makeUser(server)
    await subscribe(server, user)
    await call(user, 'change', { price_id: 'demo_pro_yearly' })
    const paid = (await demoOf(server).paymentsOf(await customerOf(user))).reduce(
      (sum, one) => sum + one.amountCents,
      0,
    )
    const answers = await Promise.all([call(user, 'refund'), call(user, 'refund'), call(user, 'refund')])
    expect(answers.filter(({ statusCode }) => statusCode !== 200 && statusCode !== 409)).toEqual([])
    expect(answers.find(({ statusCode }) => statusCode === 200)?.json()).toEqual({ refunded_cents: paid })
    expect(refusalOf(await call(user, 'refund'))).toEqual([409, secondRefund])
    expect(await planOf(user)).toBe('free')
  })

  test('reports, also by email, only what it refunded itself', async () => {
    const user = await makeUser(server)
    await payTwice(server, user)
    // The second is refunded automatically.
    await workAll()
    expect((await call(user, 'refund')).json()).toEqual({ refunded_cents: 1_499 })
    await workAll()
    expect(await refundsOf(await customerOf(user))).toEqual({ customer: 1_499, 'second subscription': 14_999 })
    expect(await amountsToldTo(user)).toEqual(['$14.99', '$149.99'])
  })

  /** Pays twice, and stores the refund of the second payment without doing it. */
  async function prepareSecondRefund(user: TestUser) {
    await payTwice(server, user)
    const customer = await customerOf(user)
    const deps = { ...server.app.deps, payments: demoOf(server) }
    await syncCustomer(deps, customer)
    const { rows } = await query('select id from refunds where customer_id = $1', [customer])
    return { customer, deps, ofSecond: String(rows[0]?.id) }
  }

  test.each(['whole', 'second'])('of two at once, the %s first, reports its own part', async (first) => {
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
    const [byUser, automatic] = first === 'whole' ? [16_498, 0] : [1_499, 14_999]
    expect(amounts).toEqual({ customer: byUser, 'second subscription': automatic })
    expect(await amountsToldTo(user)).toEqual(first === 'whole' ? ['$164.98'] : ['$14.99', '$149.99'])
    expect((await demo.paymentsOf(customer)).map((one) => one.amountCents - one.refundedCents)).toEqual([0, 0])
  })

  test('does not report a payment that another one refunded after it had read the payments', async () => {
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
    expect(await refundsOf(customer)).toEqual({ customer: 16_498, 'second subscription': 0 })
    expect(await amountsToldTo(user)).toEqual(['$164.98'])
  })

  test('stores nothing when everything was refunded at the provider, or nothing was paid', async () => {
    const [user, open] = [await makeUser(server), await makeUser(server)]
    await subscribe(server, user)
    await openCheckout(server, open)
    const customer = await customerOf(user)
    for (const { id } of await demoOf(server).paymentsOf(customer)) await demoOf(server).refund(id, `by hand ${id}`)
    expect(refusalOf(await call(user, 'refund'))).toEqual([409, nothingPaid])
    for (const one of [user, open, await makeUser(server)]) {
      expect((await call(one, 'refund')).statusCode).toBe(409)
      expect(refusalOf(await byOperator(one))).toEqual([409, nothingToRefund])
      expect(await auditOf(server, one.id)).toMatchObject([
        { action: 'refund', outcome: 'refused', detail: nothingToRefund },
      ])
    }
    expect([await refundsOf(customer), await amountsToldTo(user)]).toEqual([{}, []])
  })

  test('by an operator refunds everything and ends the plan, once; its user gets no other one', async () => {
    const user = await makeUser(server)
    await subscribe(server, user, 'pro_yearly')
    expect(Date.parse((await refundableUntil(user)) ?? '')).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    expect((await byOperator(user)).json()).toEqual({ refunded_cents: 14_999 })
    expect([await planOf(user), await refundableUntil(user)]).toEqual(['free', null])
    expect((await byOperator(user)).json()).toEqual({ code: 'conflict', detail: hadRefund })
    expect(await auditOf(server, user.id)).toMatchObject([
      { action: 'read account' },
      { action: 'refund', reason, outcome: 'done' },
      { action: 'refund', reason, outcome: 'refused', detail: hadRefund },
    ])
    await subscribe(server, user)
    expect((await subscriptionStatusOf(server, user)).refundable_until).toBeNull()
    expect(refusalOf(await call(user, 'refund'))).toEqual([409, secondRefund])
    expect(await planOf(user)).toBe('pro_monthly')
    // By a command, the operator may, and is told what the second gave back.
    const deps = { ...server.app.deps, payments: demoOf(server) }
    expect(await refundAsOperator(deps, await customerOf(user))).toBe(1_499)
  })

  test('by an operator that fails at the provider is stored, and finished by a job', async () => {
    const user = await makeUser(server)
    await subscribe(server, user)
    // The first three calls find out what has been paid, what of it is left, and what must end.
    const { result: answer } = await failCall(demoOf(server), { before: 3, error }, () => byOperator(user))
    expect(answer.statusCode).toBe(503)
    expect(await planOf(user)).toBe('pro_monthly')
    expect(await auditOf(server, user.id)).toMatchObject([{ action: 'refund', outcome: 'done' }])
    await workAll()
    expect(await planOf(user)).toBe('free')
  })

  test('is possible within its period even if the plan has ended', async () => {
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
    // A deleted account tries every other call, a deactivated one those between; the long run tries all.
    for (let before = isRecord ? 0 : Number(name === 'deleted'); before < maxCalls; before += isRecord ? 1 : 2) {
      const user = await makeUser(server)
      await subscribe(server, user)
      const customer = await customerOf(user)
      const demo = demoOf(server)
      const { success_url: successUrl, cancel_url: cancelUrl } = checkoutBody()
      const values = { customerId: customer, priceId: 'demo_pro_yearly', reference: 'late', successUrl, cancelUrl }
      const late = await demo.openCheckout(values, `late ${user.id}`)
      await end(user)
      const { calls } = await failCall(demo, { before, error }, () => server.work())
      await workAll()
      expect((await demo.subscriptionsOf(customer)).map(({ state }) => state)).toEqual(['canceled'])
      expect((await demo.checkout(late.id))?.state).toBe('expired')
      const { rows } = await query('select closed_at from billing_customers where customer_id = $1', [customer])
      expect([name, rows[0]?.closed_at instanceof Date]).toEqual([name, name === 'deactivated'])
      if (calls <= before) return
    }
    throw new Error('there were more calls than expected')
  })

  test('and is deactivated gets back what is paid after that, and can pay again when it is active', async () => {
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
    const refunded = (await demo.paymentsOf(customer)).map(({ refundedCents }) => refundedCents)
    expect(refunded.toSorted((a, b) => a - b)).toEqual([0, 14_999])
    await changeAccount(server.db, user.email, { is_active: true })
    const token = newSecret()
    await addSession(server.db, { tokenHash: hashOf(token), userId: user.id, userAgent: undefined })
    await subscribe(server, { ...user, token }, 'pro_yearly')
    await workAll()
    expect(await planOf({ ...user, token })).toBe('pro_yearly')
  })
})
