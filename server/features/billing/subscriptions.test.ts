import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../test/harness.ts'
import { actionsReceivedBy, connectLive } from '../../test/live-client.ts'
import { emailsTo } from '../../test/outbox.ts'
import { grantPlan, makeUser, type TestUser } from '../../test/test-data.ts'
import {
  callBilling,
  checkoutBody,
  demoOf,
  moveBillingClock,
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

const { success_url: successUrl, cancel_url: cancelUrl } = checkoutBody()
const returnUrls = { successUrl, cancelUrl }
const call = (user: TestUser, path: string, body?: unknown) => callBilling(server, user, path, { body })
const subjectsTo = async ({ email }: TestUser): Promise<string[]> => {
  await server.work()
  // Emails that are sent at the same time have no order.
  return (await emailsTo(server, email)).map(({ subject }) => String(subject)).toSorted()
}
const daysFrom = (iso: string, days: number): string =>
  new Date(new Date(iso).getTime() + days * 86_400_000).toISOString()

describe('a checkout that was paid', () => {
  test('grants its plan when it is verified, says until when it is paid, and notifies open pages', async () => {
    const user = await makeUser(server)
    const live = await connectLive(await server.listen(), user.token)
    const id = await openCheckout(server, user)
    await demoOf(server).payCheckout(id)
    const answer = await callVerifySession(server, user, id)
    expect(await actionsReceivedBy(live, server, user)).toEqual(['identified', 'plan_updated'])
    live.socket.close()
    const { subscription, ...status } = await subscriptionStatusOf(server, user)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        plan: { name: 'Pro Monthly', price_cents: 1499, interval_type: 'month' },
        current_period_end: subscription?.current_period_end,
      },
    ])
    expect(status).toMatchObject({ has_subscription: true, plan: { id: 'pro_monthly' }, payments: 'demo' })
    expect(subscription).toMatchObject({ status: 'active', cancel_at_period_end: false, grace_until: null })
    const { rows } = await server.app.deps.pool.query('select 1 from subscribers where user_id = $1', [user.id])
    expect(rows).toHaveLength(1)
  })

  test('grants its plan through its event if the user does not return from the checkout', async () => {
    const user = await makeUser(server)
    await demoOf(server).payCheckout(await openCheckout(server, user, 'pro_yearly'))
    await server.work()
    expect((await subscriptionStatusOf(server, user)).plan.id).toBe('pro_yearly')
  })

  test('has one effect, however often and at the same time it is verified', async () => {
    const user = await makeUser(server)
    const id = await openCheckout(server, user)
    await demoOf(server).payCheckout(id)
    const answers = await Promise.all(Array.from({ length: 8 }, async () => callVerifySession(server, user, id)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(await subjectsTo(user)).toEqual(['Welcome to Pro Monthly'])
  })

  test('of another user does not exist, as an unknown one', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)]
    const id = await openCheckout(server, user)
    await demoOf(server).payCheckout(id)
    const unknown = await callVerifySession(server, other, `demo_cs_${'0'.repeat(22)}`)
    const foreign = await callVerifySession(server, other, id)
    expect([unknown.statusCode, unknown.json()]).toEqual([
      404,
      { code: 'not_found', detail: 'This checkout does not exist.' },
    ])
    expect([foreign.statusCode, foreign.body]).toEqual([404, unknown.body])
    expect((await subscriptionStatusOf(server, other)).plan.id).toBe('free')
  })

  test('with another customer or reference at the provider does not exist', async () => {
    const user = await makeUser(server)
    const id = await openCheckout(server, user)
    await demoOf(server).payCheckout(id)
    await server.db.updateTable('demo_checkouts').set({ reference: 'another' }).where('id', '=', id).execute()
    expect((await callVerifySession(server, user, id)).statusCode).toBe(404)
  })
})

test('a checkout that is open or has expired grants nothing, and says what to do', async () => {
  const user = await makeUser(server)
  const id = await openCheckout(server, user)
  const open = await callVerifySession(server, user, id)
  await demoOf(server).expireCheckout(id)
  const expired = await callVerifySession(server, user, id)
  expect([open.statusCode, expired.statusCode]).toEqual([409, 409])
  expect(open.json<{ detail: string }>().detail).toContain('has not been paid')
  expect(expired.json<{ detail: string }>().detail).toContain('has expired')
  expect((await subscriptionStatusOf(server, user)).has_subscription).toBe(false)
})

describe('a subscription', () => {
  test('is cancelled with the end of its period, once, and can be resumed', async () => {
    const user = await makeUser(server)
    await subscribe(server, user)
    const answers = await Promise.all([call(user, 'cancel'), call(user, 'cancel'), call(user, 'cancel')])
    for (const answer of answers) expect(answer.statusCode).toBe(200)
    expect(answers[0]?.json()).toMatchObject({ has_subscription: true, subscription: { cancel_at_period_end: true } })
    expect((await call(user, 'cancel')).statusCode).toBe(200)
    const resumed = await call(user, 'resume')
    expect([resumed.statusCode, resumed.json()]).toMatchObject([200, { subscription: { cancel_at_period_end: false } }])
    expect((await call(user, 'resume')).statusCode).toBe(200)
    expect(await subjectsTo(user)).toEqual([
      'Welcome to Pro Monthly',
      'Your subscription continues',
      'Your subscription is cancelled',
    ])
  })

  test('is cancelled with an empty body of the JSON type, too', async () => {
    const user = await makeUser(server)
    await subscribe(server, user)
    const headers = { 'content-type': 'application/json' }
    const answer = await server.request({
      method: 'POST',
      url: '/subscriptions/cancel',
      token: user.token,
      headers,
      body: '',
    })
    expect(answer.statusCode).toBe(200)
  })

  test('changes to the other plan, and not to the same', async () => {
    const user = await makeUser(server)
    await subscribe(server, user)
    const changed = await call(user, 'change', { price_id: 'demo_pro_yearly' })
    expect([changed.statusCode, changed.json()]).toMatchObject([
      200,
      { plan: { id: 'pro_yearly' }, subscription: { plan: { id: 'pro_yearly', interval_type: 'year' } } },
    ])
    const same = await call(user, 'change', { price_id: 'demo_pro_yearly' })
    expect([same.statusCode, same.json<{ detail: string }>().detail]).toEqual([409, 'You already have Pro Yearly.'])
    expect((await call(user, 'change', { price_id: 'free' })).statusCode).toBe(422)
    expect(await subjectsTo(user)).toEqual(['Welcome to Pro Monthly', 'You now have Pro Yearly'])
  })

  test('that was cancelled continues with another plan, but not with the same', async () => {
    const user = await makeUser(server)
    await subscribe(server, user, 'pro_yearly')
    await call(user, 'cancel')
    const same = await call(user, 'change', { price_id: 'demo_pro_yearly' })
    expect(same.json<{ detail: string }>().detail).toBe('You already have Pro Yearly. Resume it to keep it.')
    const changed = await call(user, 'change', { price_id: 'demo_pro_monthly' })
    expect(changed.json()).toMatchObject({
      plan: { id: 'pro_monthly' },
      // The year less the month.
      subscription: { cancel_at_period_end: false, credit_cents: 13_500 },
    })
  })

  test('changes there and back again, each time', async () => {
    const user = await makeUser(server)
    await subscribe(server, user)
    for (const plan of ['pro_yearly', 'pro_monthly', 'pro_yearly', 'pro_monthly'])
      expect((await call(user, 'change', { price_id: `demo_${plan}` })).json()).toMatchObject({ plan: { id: plan } })
  })

  test('is needed to cancel, change or resume; a complimentary plan is none', async () => {
    const [user, given] = [await makeUser(server), await makeUser(server)]
    await grantPlan(server, given, 'pro_monthly')
    for (const path of ['cancel', 'change', 'resume']) {
      const body = path === 'change' ? { price_id: 'demo_pro_yearly' } : undefined
      const [without, complimentary] = [await call(user, path, body), await call(given, path, body)]
      expect([without.statusCode, complimentary.statusCode]).toEqual([409, 409])
      expect(without.json<{ detail: string }>().detail).toContain('You have no subscription')
      expect(complimentary.json<{ detail: string }>().detail).toContain('Your plan is complimentary')
    }
  })

  test('that was paid a moment ago can be cancelled before its event has arrived', async () => {
    const user = await makeUser(server)
    await demoOf(server).payCheckout(await openCheckout(server, user))
    expect((await call(user, 'cancel')).json()).toMatchObject({ subscription: { cancel_at_period_end: true } })
  })

  test('that is paid a second time is ended, and the second payment refunded automatically, once', async () => {
    const user = await makeUser(server)
    const demo = demoOf(server)
    const first = await openCheckout(server, user)
    const customer = (await demo.checkout(first))?.customerId ?? ''
    await demo.payCheckout(first)
    // A checkout that was opened before the first was paid, on another device.
    const other = await demo.openCheckout(
      { customerId: customer, priceId: 'demo_pro_yearly', reference: 'late', ...returnUrls },
      `late ${user.id}`,
    )
    await demo.payCheckout(other.id)
    await server.work()
    await server.work()
    const subscriptions = await demo.subscriptionsOf(customer)
    expect(subscriptions.map(({ state }) => state)).toEqual(['active', 'canceled'])
    const payments = await demo.paymentsOf(customer)
    const back = payments.map(({ subscriptionId, refundedCents }) => [subscriptionId, refundedCents])
    expect(back).toContainEqual([subscriptions[0]?.id, 0])
    expect(back).toContainEqual([subscriptions[1]?.id, 14_999])
    expect((await subscriptionStatusOf(server, user)).plan.id).toBe('pro_monthly')
    const subjects = await subjectsTo(user)
    expect(subjects.filter((subject) => subject === 'Your refund')).toHaveLength(1)
  })

  test('of a second checkout that was paid as well grants nothing, and its user is told', async () => {
    const user = await makeUser(server)
    const second = await payTwice(server, user)
    const answer = await callVerifySession(server, user, second)
    expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([
      409,
      'You already had a plan. Your second payment is being refunded.',
    ])
    await server.work()
    expect((await subscriptionStatusOf(server, user)).plan.id).toBe('pro_monthly')
    // Later, too, and when the payment of the first comes to its end.
    expect((await callVerifySession(server, user, second)).statusCode).toBe(409)
  })

  test('shows its payments, newest first', async () => {
    const user = await makeUser(server)
    expect((await callBilling(server, user, 'invoices', { method: 'GET' })).json()).toEqual([])
    await subscribe(server, user)
    const invoices = (await callBilling(server, user, 'invoices', { method: 'GET' })).json()
    expect(invoices).toMatchObject([{ amount_cents: 1499, refunded_cents: 0, url: null }])
    expect((await call(user, 'portal')).statusCode).toBe(409)
  })
})

describe('by the billing clock', () => {
  test('a plan is renewed, a cancelled one ends with its period, and the owner is told once', async () => {
    const [renewing, ending] = [await makeUser(server), await makeUser(server)]
    await subscribe(server, renewing)
    await subscribe(server, ending)
    await call(ending, 'cancel')
    const { subscription } = await subscriptionStatusOf(server, ending)
    await moveBillingClock(server, 32)
    expect((await subscriptionStatusOf(server, renewing)).plan.id).toBe('pro_monthly')
    const renewed = (await subscriptionStatusOf(server, renewing)).subscription?.current_period_end ?? ''
    expect(renewed > (subscription?.current_period_end ?? '')).toBe(true)
    expect(await subscriptionStatusOf(server, ending)).toMatchObject({ has_subscription: false, plan: { id: 'free' } })
    const subjects = ['Pro Monthly has ended', 'Welcome to Pro Monthly', 'Your subscription is cancelled']
    expect(await subjectsTo(ending)).toEqual(subjects)
    expect(await subjectsTo(renewing)).toEqual(['Welcome to Pro Monthly'])
    // Who comes back pays and is welcomed as at the first time.
    await subscribe(server, ending)
    expect((await subscriptionStatusOf(server, ending)).plan.id).toBe('pro_monthly')
    expect(await subjectsTo(ending)).toEqual([...subjects, 'Welcome to Pro Monthly'].toSorted())
  })

  test('a plan that ended because of a missing payment starts again, with an email, when the payment arrives', async () => {
    const user = await makeUser(server)
    await subscribe(server, user)
    const { customer_id: customer } = await server.db
      .selectFrom('billing_customers')
      .select('customer_id')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    await demoOf(server).setCardPays(customer, false)
    await moveBillingClock(server, 33)
    expect((await subscriptionStatusOf(server, user)).subscription?.status).toBe('past_due')
    // Within the days of grace the plan never ended.
    await demoOf(server).setCardPays(customer, true)
    await demoOf(server).setCardPays(customer, false)
    const subjects = ['Welcome to Pro Monthly', 'Your payment failed']
    expect(await subjectsTo(user)).toEqual(subjects)
    await moveBillingClock(server, 28 + 10)
    expect((await subscriptionStatusOf(server, user)).plan.id).toBe('free')
    const after = ['Pro Monthly has ended', ...subjects]
    expect(await subjectsTo(user)).toEqual(after)
    await demoOf(server).setCardPays(customer, true)
    expect(await subjectsTo(user)).toEqual([...after, 'Welcome to Pro Monthly'].toSorted())
    expect((await subscriptionStatusOf(server, user)).plan.id).toBe('pro_monthly')
  })

  test('money is refunded within thirty days of the first payment only', async () => {
    const user = await makeUser(server)
    await subscribe(server, user, 'pro_yearly')
    const { refundable_until: until, subscription } = await subscriptionStatusOf(server, user)
    await moveBillingClock(server, 29)
    expect((await subscriptionStatusOf(server, user)).refundable_until).toBe(until)
    await moveBillingClock(server, 2)
    expect((await subscriptionStatusOf(server, user)).refundable_until).toBeNull()
    const late = await call(user, 'refund')
    expect([late.statusCode, late.json<{ detail: string }>().detail]).toEqual([
      409,
      'Your first payment was more than 30 days ago. Cancel your subscription instead.',
    ])
    expect(daysFrom(until ?? '', 335) <= (subscription?.current_period_end ?? '')).toBe(true)
  })
})
