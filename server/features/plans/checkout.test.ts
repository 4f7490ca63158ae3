import { beforeEach, describe, expect, test } from 'vitest'
import type { PlanForSale } from '@keepsnap/contract/subscriptions.ts'
import type { OperatorUserDetail } from '@keepsnap/contract/operators.ts'
import { addPhotos, callOperator, grantPlan, makeOperator, makeUser, type TestUser } from '../../test/test-data.ts'
import { removeJobs, serverForThisTest, useServer } from '../../test/harness.ts'
import { actionsReceivedBy, connectLive } from '../../test/live-client.ts'
import { emailsTo } from '../../test/outbox.ts'
import {
  callBilling,
  callVerifySession,
  checkoutBody,
  demoOf,
  moveBillingClock,
  openCheckout,
  payTwice,
  subscribe,
  subscriptionStatusOf,
} from '../../test/subscriptions.ts'
import { hashTables } from '../../test/consistency-check.ts'
import { invalidField } from '../../faults.ts'
import { createOrigins } from '../../platform/http/origins.ts'
import { readReturnUrl, withCheckoutId } from './checkout.ts'

describe('checkout', () => {
  const server = useServer({ LOG_LEVEL: 'silent' })

  const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
  const call = (user: TestUser, path: string, body?: unknown) => callBilling(server, user, path, { body })
  const checkout = (user: TestUser, changes: object = {}) => call(user, 'checkout', { ...checkoutBody(), ...changes })
  const statusOf = (user: TestUser) => subscriptionStatusOf(server, user)
  const planOf = async (user: TestUser): Promise<string> => (await statusOf(user)).plan.id
  const customersOf = async ({ id }: TestUser): Promise<string[]> =>
    (await query('select customer_id from billing_customers where user_id = $1', [id])).rows.map(
      (row) => row.customer_id,
    )
  const subjectsTo = async ({ email }: TestUser): Promise<string[]> => {
    await server.work()
    // Emails that are sent at the same time have no order.
    return (await emailsTo(server, email)).map(({ subject }) => String(subject)).toSorted()
  }
  const refusalOf = (answer: Awaited<ReturnType<typeof call>>) => [
    answer.statusCode,
    answer.json<{ detail: string }>().detail,
  ]

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
    const id = await openCheckout(server, user, 'pro_yearly')
    expect(await demoOf(server).checkoutPage(id)).toMatchObject({
      state: 'open',
      priceId: 'demo_pro_yearly',
      successUrl: `http://photos.test/subscription/success?session_id=${id}`,
      cancelUrl: 'http://photos.test/subscription/cancel',
    })
  })

  test('a checkout of no plan that is sold here, or that returns to a foreign page, is refused and changes nothing', async () => {
    const user = await makeUser(server)
    await query(
      "insert into plan_prices (provider, price_id, plan, is_current) values ('demo', 'demo_old', 'pro_monthly', false), ('stripe', 'price_x', 'pro_monthly', true)",
    )
    const before = await hashTables(server)
    for (const [field, value] of [
      ['price_id', 'demo_pro_weekly'],
      ['price_id', 'free'],
      ['price_id', 'demo_old'],
      ['price_id', 'price_x'],
      ['success_url', 'https://evil.example/subscription/success'],
      ['cancel_url', '//evil.example'],
    ] as const) {
      const answer = await checkout(user, { [field]: value })
      expect([answer.statusCode, answer.json()]).toMatchObject([422, { detail: [{ loc: ['body', field] }] }])
    }
    expect(await hashTables(server)).toEqual(before)
  })

  test('a new checkout ends the older open ones at the provider', async () => {
    const user = await makeUser(server)
    const ids = [await openCheckout(server, user), await openCheckout(server, user, 'pro_yearly')]
    const states = await Promise.all(ids.map(async (id) => (await demoOf(server).checkout(id))?.state))
    expect(states).toEqual(['expired', 'open'])
    const { rows } = await query('select state from checkouts where user_id = $1 order by created_at', [user.id])
    expect(rows).toEqual([{ state: 'expired' }, { state: 'open' }])
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
    await demoOf(server).payCheckout(await openCheckout(server, user))
    const refusal = [409, 'You already pay for a plan. Use POST /subscriptions/change to change to another one.']
    for (const again of [await checkout(user), await checkout(user)]) expect(refusalOf(again)).toEqual(refusal)
    expect(await planOf(user)).toBe('pro_monthly')
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

  describe('a checkout that was paid', () => {
    test('grants its plan when it is verified, says until when it is paid, and notifies open pages', async () => {
      const user = await makeUser(server)
      const live = await connectLive(await server.listen(), user.token)
      const id = await openCheckout(server, user)
      await demoOf(server).payCheckout(id)
      const answer = await callVerifySession(server, user, id)
      expect(await actionsReceivedBy(live, server, user)).toEqual(['identified', 'plan_updated'])
      live.socket.close()
      const { subscription, ...status } = await statusOf(user)
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

    test('has one effect, however often and at the same time it is verified', async () => {
      const user = await makeUser(server)
      const id = await openCheckout(server, user)
      await demoOf(server).payCheckout(id)
      const answers = await Promise.all(Array.from({ length: 8 }, async () => callVerifySession(server, user, id)))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 8 }, () => 200))
      expect(await subjectsTo(user)).toEqual(['Welcome to Pro Monthly'])
    })

    test('of another user, or with another customer or reference at the provider, does not exist', async () => {
      const [user, other] = [await makeUser(server), await makeUser(server)]
      const id = await openCheckout(server, user)
      await demoOf(server).payCheckout(id)
      const notFound = [404, 'This checkout does not exist.']
      expect(refusalOf(await callVerifySession(server, other, `demo_cs_${'0'.repeat(22)}`))).toEqual(notFound)
      expect(refusalOf(await callVerifySession(server, other, id))).toEqual(notFound)
      expect(await planOf(other)).toBe('free')
      await query("update demo_checkouts set reference = 'another' where id = $1", [id])
      expect(refusalOf(await callVerifySession(server, user, id))).toEqual(notFound)
    })
  })

  test('a checkout that is open or has expired grants nothing, and says what to do', async () => {
    const user = await makeUser(server)
    const id = await openCheckout(server, user)
    expect(refusalOf(await callVerifySession(server, user, id))).toEqual([
      409,
      expect.stringContaining('has not been paid'),
    ])
    await demoOf(server).expireCheckout(id)
    expect(refusalOf(await callVerifySession(server, user, id))).toEqual([409, expect.stringContaining('has expired')])
    expect((await statusOf(user)).has_subscription).toBe(false)
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
      expect([resumed.statusCode, resumed.json()]).toMatchObject([
        200,
        { subscription: { cancel_at_period_end: false } },
      ])
      expect((await call(user, 'resume')).statusCode).toBe(200)
      expect(await subjectsTo(user)).toEqual([
        'Welcome to Pro Monthly',
        'Your subscription continues',
        'Your subscription is cancelled',
      ])
    })

    test('changes to the other plan and back again, and not to the same', async () => {
      const user = await makeUser(server)
      await subscribe(server, user)
      for (const plan of ['pro_yearly', 'pro_monthly', 'pro_yearly']) {
        const changed = await call(user, 'change', { price_id: `demo_${plan}` })
        expect([changed.statusCode, changed.json()]).toMatchObject([
          200,
          { plan: { id: plan }, subscription: { plan: { id: plan } } },
        ])
      }
      expect(refusalOf(await call(user, 'change', { price_id: 'demo_pro_yearly' }))).toEqual([
        409,
        'You already have Pro Yearly.',
      ])
      expect((await call(user, 'change', { price_id: 'free' })).statusCode).toBe(422)
      expect(await subjectsTo(user)).toEqual(
        expect.arrayContaining(['Welcome to Pro Monthly', 'You now have Pro Yearly']),
      )
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

    test('that was paid a moment ago can be cancelled before its event has arrived, also with an empty body', async () => {
      const user = await makeUser(server)
      await demoOf(server).payCheckout(await openCheckout(server, user))
      const headers = { 'content-type': 'application/json' }
      const cancellation = {
        method: 'POST',
        url: '/subscriptions/cancel',
        token: user.token,
        headers,
        body: '',
      } as const
      expect((await server.request(cancellation)).json()).toMatchObject({
        subscription: { cancel_at_period_end: true },
      })
    })

    test('that is paid a second time is ended, and the second payment refunded automatically, once', async () => {
      const user = await makeUser(server)
      const demo = demoOf(server)
      const second = await payTwice(server, user)
      const told = [409, 'You already had a plan. Your second payment is being refunded.']
      expect(refusalOf(await callVerifySession(server, user, second))).toEqual(told)
      await server.work()
      await server.work()
      const [customer = ''] = await customersOf(user)
      const subscriptions = await demo.subscriptionsOf(customer)
      expect(subscriptions.map(({ state }) => state)).toEqual(['active', 'canceled'])
      const refunded = (await demo.paymentsOf(customer)).map((one) => [one.subscriptionId, one.refundedCents])
      expect(refunded).toEqual(
        expect.arrayContaining([
          [subscriptions[0]?.id, 0],
          [subscriptions[1]?.id, 14_999],
        ]),
      )
      expect(await planOf(user)).toBe('pro_monthly')
      expect((await subjectsTo(user)).filter((subject) => subject === 'Your refund')).toHaveLength(1)
      // Later, too.
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

  describe('the status', () => {
    test('has the plan, its limits and what is used of them; a deleted photo counts for the month only', async () => {
      const user = await makeUser(server)
      const [photo = ''] = await addPhotos(server, user, { count: 2, bytes: 1_000 })
      const status = await statusOf(user)
      expect(status).toMatchObject({
        has_subscription: false,
        subscription: null,
        until: null,
        plan: {
          id: 'free',
          name: 'Free',
          price_cents: 0,
          interval_type: 'month',
          features: { custom_branding: false },
        },
        current_usage: { photos_uploaded: 2, storage_used_bytes: 2_000 },
        plan_limits: { max_photos: 10, storage_gb: 1, max_file_size_mb: 50 },
        usage_percentage: { photos: 20 },
      })
      const [year, month] = [new Date().getUTCFullYear(), new Date().getUTCMonth()]
      expect(status.month_ends_at).toBe(new Date(Date.UTC(year, month + 1, 1)).toISOString())
      await server.request({ method: 'DELETE', url: `/photos/${photo}`, token: user.token })
      expect((await statusOf(user)).current_usage).toEqual({ photos_uploaded: 2, storage_used_bytes: 1_000 })
    })
  })

  describe('by the billing clock', () => {
    // Each move renews all subscriptions of the clock.
    beforeEach(async () => {
      await query('update demo_subscriptions set ended_at = now() where ended_at is null')
      await query('update payment_events set processed_at = now() where processed_at is null')
      await query('delete from paid_plans')
      await removeJobs(server.app.deps.pool)
    })

    test('a plan that ended because of a missing payment starts again, with an email, when the payment arrives', async () => {
      const user = await makeUser(server)
      await subscribe(server, user)
      const [customer = ''] = await customersOf(user)
      await demoOf(server).setCardPays(customer, false)
      await moveBillingClock(server, 33)
      expect((await statusOf(user)).subscription?.status).toBe('past_due')
      // Within the days of grace the plan never ended.
      await demoOf(server).setCardPays(customer, true)
      await demoOf(server).setCardPays(customer, false)
      const subjects = ['Welcome to Pro Monthly', 'Your payment failed']
      expect(await subjectsTo(user)).toEqual(subjects)
      await moveBillingClock(server, 28 + 10)
      expect(await planOf(user)).toBe('free')
      const after = ['Pro Monthly has ended', ...subjects]
      expect(await subjectsTo(user)).toEqual(after)
      await demoOf(server).setCardPays(customer, true)
      expect(await subjectsTo(user)).toEqual([...after, 'Welcome to Pro Monthly'].toSorted())
      expect(await planOf(user)).toBe('pro_monthly')
    })

    test('money is refunded within thirty days of the first payment only, by the user and by the operator', async () => {
      const [user, operator] = [await makeUser(server), await makeOperator(server)]
      await subscribe(server, user, 'pro_yearly')
      const detail = async () => (await callOperator(server, operator, `users/${user.id}`)).json<OperatorUserDetail>()
      const { refundable_until: until, subscription } = await statusOf(user)
      await moveBillingClock(server, 29)
      expect([(await statusOf(user)).refundable_until, (await detail()).refundable_until]).toEqual([until, until])
      await moveBillingClock(server, 2)
      expect([(await statusOf(user)).refundable_until, (await detail()).refundable_until]).toEqual([null, null])
      const late = 'Your first payment was more than 30 days ago. Cancel your subscription instead.'
      expect(refusalOf(await call(user, 'refund'))).toEqual([409, late])
      const byOperator = await callOperator(server, operator, `users/${user.id}/refund`, { reason: 'A complaint' })
      expect(refusalOf(byOperator)).toEqual([409, 'The first payment was more than 30 days ago.'])
      expect(await planOf(user)).toBe('pro_yearly')
      const days = (Date.parse(subscription?.current_period_end ?? '') - Date.parse(until ?? '')) / 86_400_000
      expect(days).toBeGreaterThanOrEqual(335)
    })
  })

  test('where plans are not sold, there are no prices, and calls say so', async () => {
    const off = await serverForThisTest({ PAYMENTS: 'off', LOG_LEVEL: 'silent' })
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
  })
})

describe('return urls', () => {
  const origins = createOrigins('https://photos.example', ['https://app.example:8443'], () => 3000)

  test.each([
    'https://photos.example/',
    'https://photos.example/subscription/success',
    'https://photos.example/subscription/success?session_id={CHECKOUT_SESSION_ID}',
    'https://photos.example/subscription/cancel?from=pricing#plans',
    'https://app.example:8443/pricing',
    'http://localhost:3000/settings',
  ])('%s is a page of ours', (url) => {
    expect(readReturnUrl('success_url', url, origins)).toBe(url)
  })

  const host = 'https://photos.example'
  /** No full URLs, other schemes, other origins, user information, and paths that are no page or could be read as another. */
  const withoutSpaces = String.raw`
  /subscription/success subscription/success //photos.example/pricing ///photos.example/pricing ?session_id=x
  javascript:alert(1) javascript://photos.example/pricing data:text/html,https://photos.example/pricing
  ftp://photos.example/pricing file:///pricing blob:https://photos.example/pricing https:photos.example/pricing
  https:/photos.example/pricing https:\\photos.example\pricing http://photos.example/pricing
  https://photos.example:444/pricing https://photos.example:443/pricing https://photos.example./pricing
  https://PHOTOS.example/pricing HTTPS://photos.example/pricing https://evil.example/pricing https://[::1]/pricing
  https://photos.example.evil.example/pricing https://evilphotos.example/pricing https://phοtos.example/pricing
  https://xn--phtos-jua.example/pricing https://photos。example/pricing https://app.example/pricing
  http://localhost:3001/pricing http://2130706433:3000/pricing https://photos.example@evil.example/pricing
  https://user:password@photos.example/pricing https://@photos.example/pricing https://evil.example#@photos.example/pricing
  https://evil.example?@photos.example/pricing https://evil.example\@photos.example/pricing https://photos.example
  https://photos.example//evil.example https://photos.example/\evil.example https://photos.example/%2f%2fevil.example
  https://photos.example/%09/evil.example https://photos.example/pricing/ https://photos.example/pricing/..
  https://photos.example/x/../pricing https://photos.example/%70ricing https://photos.example/pricing;x
  https://photos.example/stop/secret https://photos.example/media/key https://photos.example/Pricing`
  const hostile = [
    ...withoutSpaces.trim().split(/\s+/),
    // Control characters and spaces, which parsers remove.
    ...['/pricing\n', '/\tpricing', '/pricing?x=\r\nSet-Cookie:a', '/pricing\u0000'].map((path) => host + path),
    '',
    ' ',
    ` ${host}/pricing`,
    'java\nscript:alert(1)',
  ]

  test.each(hostile)('%j is refused, with the name of the field', (url) => {
    const refusal = invalidField('cancel_url', 'Give the full URL of a page of this site')
    expect(() => readReturnUrl('cancel_url', url, origins)).toThrow(expect.objectContaining({ detail: refusal.detail }))
  })

  test('the placeholder for the checkout id is added if it is missing', () => {
    const id = 'session_id={CHECKOUT_SESSION_ID}'
    expect(withCheckoutId('https://a.example/x')).toBe(`https://a.example/x?${id}`)
    expect(withCheckoutId('https://a.example/x?y=1#z')).toBe(`https://a.example/x?y=1&${id}#z`)
    expect(withCheckoutId(`https://a.example/x?id={CHECKOUT_SESSION_ID}`)).toBe(
      'https://a.example/x?id={CHECKOUT_SESSION_ID}',
    )
  })
})
