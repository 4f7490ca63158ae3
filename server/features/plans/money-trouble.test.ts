/** What goes wrong with money at Stripe: disputes, payments that take days, a key or a price that is refused. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Invoice, PlanForSale, SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import type { WithdrawalOffer } from '@keepsnap/contract/withdrawals.ts'
import type { OperatorHealth, OperatorUserDetail } from '@keepsnap/contract/operators.ts'
import { metricsToken, readMetrics } from '../../test/prometheus.ts'
import { grantPlan, makeOperator, makeUser, type TestUser } from '../../test/test-data.ts'
import { emailsTo } from '../../test/outbox.ts'
import { startStripeServer, type StripeServer } from '../../test/stripe-server.ts'
import { callBilling, callVerifySession, checkoutBody, subscriptionStatusOf } from '../../test/subscriptions.ts'
import { billingHealth, healthText } from './billing-health.ts'
import { checkPayments } from './prices.ts'
import { reconcilePayments } from './reconcile.ts'

let site: StripeServer
let operator: TestUser
const log: string[] = []
beforeAll(async () => {
  site = await startStripeServer(afterAll, { write: (text) => void log.push(text) }, { METRICS_TOKEN: metricsToken })
  operator = await makeOperator(site.server)
  await site.server.app.deps.pool.query("update users set language = 'nl' where id = $1", [operator.id])
  await site.server.work()
})
beforeEach(() => site.stripe.webhooks.drop())

const query = (text: string, values: unknown[] = []) => site.server.app.deps.pool.query(text, values)
const call = (user: TestUser, path: string, body?: unknown) => callBilling(site.server, user, path, { body })
const statusOf = (user: TestUser) => subscriptionStatusOf(site.server, user)
const subjectsTo = async (email: string) => {
  await site.server.work()
  return (await emailsTo(site.server, email)).map(({ subject }) => String(subject)).toSorted()
}
const get = async <T>(url: string, token?: string): Promise<T> =>
  (await site.server.request({ method: 'GET', url, ...(token !== undefined && { token }) })).json<T>()

/** A subscriber, the customer and the payment. */
async function subscriber() {
  const user = await makeUser(site.server)
  const customer = await site.pay(user, 'pro_yearly')
  await site.deliver()
  const charge = site.stripe.chargesOf(customer)[0]! // it was just made
  return { user, customer, charge: charge.id }
}

describe('a dispute', () => {
  const disputesOf = async ({ id }: TestUser) =>
    (await get<OperatorUserDetail>(`/api/operator/users/${id}`, operator.token)).disputes

  test('is found by its charge; operators get an email in their language and see it; lost, it ends the plan without a refund', async () => {
    const { user, customer, charge } = await subscriber()
    const { id } = site.stripe.openDispute(charge, 'product_not_received')
    await site.deliver()
    await site.deliver()
    expect(await disputesOf(user)).toMatchObject([
      { id, state: 'open', amount_cents: 14_999, reason: 'product_not_received', respond_by: expect.any(String) },
    ])
    await site.server.work()
    const [email, ...more] = (await emailsTo(site.server, operator.email)).filter(({ text }) =>
      text?.includes(user.email),
    )
    expect([email?.subject, more]).toEqual(['Een betaling van $149.99 wordt betwist', []])
    expect(email?.text).toContain(`/admin?user=${user.id}`)
    // Until it is decided, the plan goes on; nothing is refunded that the bank has.
    const status = await statusOf(user)
    expect([status.plan.id, status.refundable_until]).toEqual(['pro_yearly', null])
    expect((await call(user, 'refund')).json()).toMatchObject({
      detail: 'Your payment was disputed at the bank, so it cannot be refunded here.',
    })
    const invoices = await callBilling(site.server, user, 'invoices', { method: 'GET' })
    expect(invoices.json<Invoice[]>()).toMatchObject([{ amount_cents: 14_999, refunded_cents: 0, is_disputed: true }])

    site.stripe.closeDispute(id, 'lost')
    await site.deliver()
    expect(await disputesOf(user)).toMatchObject([{ id, state: 'lost', respond_by: null }])
    expect(site.stripe.subscriptionsOf(customer)).toMatchObject([{ status: 'canceled' }])
    expect(await statusOf(user)).toMatchObject({ plan: { id: 'free' }, subscription: null })
    expect(await subjectsTo(user.email)).toEqual(['Pro Yearly has ended', 'Welcome to Pro Yearly'])
    const kept = site.stripe.chargesOf(customer).map((one) => one.amount_refunded)
    expect(kept).toEqual([0])
    // Who pays again keeps that plan: only the subscription of the disputed payment ends.
    await site.pay(user, 'pro_monthly')
    await site.deliver()
    expect((await statusOf(user)).plan.id).toBe('pro_monthly')
  })

  test('keeps its money out of a withdrawal from the contract, which ends the plan', async () => {
    const user = await makeUser(site.server)
    const customer = await site.pay(user)
    await site.deliver()
    await call(user, 'change', { price_id: site.stripe.prices.pro_yearly })
    await site.deliver()
    const [year, month] = site.stripe.chargesOf(customer).toSorted((a, b) => b.amount - a.amount)
    site.stripe.openDispute(year!.id) // the change was paid
    await site.deliver()
    const { contract } = (await callBilling(site.server, user, 'withdrawal', { method: 'GET' })).json<WithdrawalOffer>()
    const body = { name: 'Ada', email: user.email, contract: 'Pro Yearly', contract_id: contract?.id ?? '' }
    const answer = await site.server.request({ method: 'POST', url: '/withdraw', body, token: user.token })
    // What the month was worth, which the change had set off.
    const left = 14_999 - year!.amount
    expect(answer.json()).toMatchObject({ outcome: 'accepted', refunded_cents: left })
    const refunded = site.stripe.chargesOf(customer).map((one) => [one.id, one.amount_refunded])
    expect(Object.fromEntries(refunded)).toEqual({ [year!.id]: 0, [month!.id]: left })
    expect((await statusOf(user)).plan.id).toBe('free')
  })

  test('that is won is over: the plan goes on, and the payment can be refunded again', async () => {
    const { user, charge } = await subscriber()
    const { id } = site.stripe.openDispute(charge)
    await site.deliver()
    expect((await statusOf(user)).refundable_until).toBeNull()
    site.stripe.closeDispute(id, 'won')
    await site.deliver()
    expect(await disputesOf(user)).toMatchObject([{ id, state: 'won' }])
    const status = await statusOf(user)
    expect([status.plan.id, status.refundable_until]).toEqual(['pro_yearly', expect.any(String)])
    expect((await call(user, 'refund')).json()).toEqual({ refunded_cents: 14_999 })
  })

  test.each([
    { caseType: 'resolution', why: 'Stripe has refunded the payment', state: 'lost', plan: 'free' },
    { caseType: 'block', why: 'the money stays here', state: 'won', plan: 'pro_yearly' },
  ])('that was prevented by a $caseType counts as $state: $why', async ({ caseType, state, plan }) => {
    const { user, charge } = await subscriber()
    const { id } = site.stripe.openDispute(charge)
    site.stripe.closeDispute(id, 'prevented', caseType)
    await site.deliver()
    expect(await disputesOf(user)).toMatchObject([{ id, state }])
    expect((await statusOf(user)).plan.id).toBe(plan)
  })

  test('that is opened while a refund is on its way leaves nothing to tell: 0 cents, and no email about a refund', async () => {
    const { user, customer, charge } = await subscriber()
    // The refund is stored before the bank takes the money.
    await query("insert into refunds (id, customer_id, reason) values ($1, $2, 'operator')", [
      `refund of ${charge}`,
      customer,
    ])
    site.stripe.openDispute(charge)
    await reconcilePayments(site.server.app.deps)
    await site.server.work()
    const { rows } = await query('select amount_cents, done_at from refunds where customer_id = $1', [customer])
    expect(rows).toEqual([{ amount_cents: 0, done_at: expect.any(Date) }])
    expect(await subjectsTo(user.email)).not.toContain('Your refund')
  })

  test('whose permission the key lacks waits; everything else about the customer is applied', async () => {
    const { user, customer, charge } = await subscriber()
    site.stripe.denied.add('GET /v1/disputes')
    site.stripe.openDispute(charge)
    site.stripe.cancelSubscription(site.stripe.subscriptionsOf(customer)[0]!.id, { atPeriodEnd: true })
    await site.deliver()
    expect((await statusOf(user)).subscription?.cancel_at_period_end).toBe(true)
    expect(await disputesOf(user)).toEqual([])
    expect((await billingHealth(site.server.db)).unprocessedEvents).toBe(1)
    await checkPayments(site.server.app.deps)
    expect(await billingHealth(site.server.db)).toMatchObject({
      refusedBecause: null,
      checkWarning: expect.stringContaining('Disputes: read'),
    })
    site.stripe.denied.clear()
    await query("update payment_events set received_at = now() - interval '1 hour' where processed_at is null")
    await reconcilePayments(site.server.app.deps)
    await site.server.work()
    expect(await disputesOf(user)).toHaveLength(1)
    await checkPayments(site.server.app.deps)
  })

  test('of somebody who is not ours, or of a payment that is gone, has no effect', async () => {
    const { user, charge } = await subscriber()
    const dispute = site.stripe.openDispute(charge)
    dispute.charge = 'ch_unknown'
    await site.deliver()
    await site.server.work()
    expect(await disputesOf(user)).toEqual([])
    const { rows } = await query('select 1 from payment_events where processed_at is null')
    expect(rows).toEqual([])
  })
})

test('after a refund at Stripe, nothing is offered any more, until something is paid again', async () => {
  const { user, customer, charge } = await subscriber()
  expect((await statusOf(user)).refundable_until).not.toBeNull()
  site.stripe.refundCharge(charge)
  await site.deliver()
  expect((await statusOf(user)).refundable_until).toBeNull()
  const detail = await get<OperatorUserDetail>(`/api/operator/users/${user.id}`, operator.token)
  expect(detail.refundable_until).toBeNull()
  site.stripe.cancelSubscription(site.stripe.subscriptionsOf(customer)[0]!.id)
  await site.deliver()
  await site.pay(user)
  await site.deliver()
  expect((await statusOf(user)).refundable_until).not.toBeNull()
})

describe('a payment that takes days', () => {
  const pendingSentence =
    'Your payment is on its way, which can take some days with this payment method. Your plan starts when it arrives; you need not pay again.'
  /** A user who has completed a checkout and come back, and the checkout. */
  async function pendingUser(): Promise<{ user: TestUser; id: string }> {
    const user = await makeUser(site.server)
    const id = await site.checkout(user)
    site.stripe.payLater(id)
    return { user, id }
  }
  const delayedOf = (state: string): Partial<SubscriptionStatus> =>
    ({ plan: { id: 'free' }, delayed_payment: { state, plan: { id: 'pro_monthly', name: 'Pro Monthly' } } }) as never

  test('is pending: no plan and no second checkout; its plan starts when it arrives, without anybody coming back', async () => {
    const { user, id } = await pendingUser()
    const refusal = { code: 'payment_pending', detail: pendingSentence }
    // Also before any webhook.
    const second = await call(user, 'checkout', { ...checkoutBody(), price_id: site.stripe.prices.pro_yearly })
    expect([second.statusCode, second.json()]).toEqual([409, refusal])
    const verified = await callVerifySession(site.server, user, id)
    expect([verified.statusCode, verified.json()]).toEqual([409, refusal])
    await site.deliver()
    expect(await statusOf(user)).toMatchObject(delayedOf('pending'))
    expect(await subjectsTo(user.email)).toEqual([])
    site.stripe.settleCheckout(id, true)
    await site.deliver()
    const status = await statusOf(user)
    expect([status.plan.id, status.delayed_payment]).toEqual(['pro_monthly', undefined])
    expect(await subjectsTo(user.email)).toEqual(['Welcome to Pro Monthly'])
    expect((await callVerifySession(site.server, user, id)).statusCode).toBe(200)
  })

  test('that fails is told by email and page, its subscription is not tried again, and a plan can be chosen again', async () => {
    const { user, id } = await pendingUser()
    await site.deliver()
    expect(await statusOf(user)).toMatchObject(delayedOf('pending'))
    site.stripe.settleCheckout(id, false)
    await site.deliver()
    await site.deliver()
    const customer = site.stripe.store.sessions.get(id)?.customer ?? ''
    expect(site.stripe.subscriptionsOf(customer)).toMatchObject([{ status: 'canceled' }])
    expect(await statusOf(user)).toMatchObject(delayedOf('failed'))
    expect(await subjectsTo(user.email)).toEqual(['Your payment failed'])
    const verified = await callVerifySession(site.server, user, id)
    expect([verified.statusCode, verified.json()]).toEqual([
      409,
      { code: 'conflict', detail: 'Your payment has failed and nothing was charged. Please choose a plan again.' },
    ])
    await site.pay(user)
    await site.deliver()
    expect((await statusOf(user)).delayed_payment).toBeUndefined()
    expect((await statusOf(user)).plan.id).toBe('pro_monthly')
    // Nor after the later payment was given back.
    expect((await call(user, 'refund')).statusCode).toBe(200)
    await site.deliver()
    const status = await statusOf(user)
    expect([status.plan.id, status.delayed_payment]).toEqual(['free', undefined])
  })

  test('that arrives, or is begun, between two requests to Stripe counts', async () => {
    const { user, id } = await pendingUser()
    const payments = site.server.app.deps.payments!
    const { checkout, openCheckoutsOf } = payments
    try {
      payments.checkout = async (asked) => {
        const found = await checkout(asked)
        payments.checkout = checkout
        site.stripe.settleCheckout(id, true)
        return found
      }
      expect((await callVerifySession(site.server, user, id)).statusCode).toBe(200)
      const other = await makeUser(site.server)
      const older = await site.checkout(other)
      payments.openCheckoutsOf = (customer) => {
        payments.openCheckoutsOf = openCheckoutsOf
        site.stripe.payLater(older)
        return openCheckoutsOf(customer)
      }
      const second = await call(other, 'checkout', { ...checkoutBody(), price_id: site.stripe.prices.pro_yearly })
      expect([second.statusCode, second.json()]).toMatchObject([409, { code: 'payment_pending' }])
      const customer = site.stripe.store.sessions.get(older)?.customer ?? ''
      expect(await openCheckoutsOf(customer)).toEqual([])
    } finally {
      Object.assign(payments, { checkout, openCheckoutsOf })
    }
  })

  test('whose events are all lost is found by the hourly job', async () => {
    const { user, id } = await pendingUser()
    site.stripe.webhooks.drop()
    await query("update checkouts set created_at = now() - interval '2 days' where session_id = $1", [id])
    await query("update payment_settings set events_read_until = now() + interval '1 day'")
    const reconcile = async () => {
      await reconcilePayments(site.server.app.deps)
      await site.server.work()
    }
    await reconcile()
    expect(await statusOf(user)).toMatchObject(delayedOf('pending'))
    site.stripe.settleCheckout(id, false)
    site.stripe.webhooks.drop()
    await reconcile()
    expect(await statusOf(user)).toMatchObject(delayedOf('failed'))
    // One that Stripe says nothing more about is given up at last.
    const other = await pendingUser()
    await site.deliver()
    expect(await statusOf(other.user)).toMatchObject(delayedOf('pending'))
    await query("update checkouts set created_at = now() - interval '61 days' where session_id = $1", [other.id])
    await reconcile()
    expect((await statusOf(other.user)).delayed_payment).toBeUndefined()
    await query('update payment_settings set events_read_until = null')
  })
})

test('a subscription that ends on a date before its period does is shown, and granted, until that date', async () => {
  const { user, customer } = await subscriber()
  const date = site.stripe.store.clock.now() + 5 * 86_400
  site.stripe.cancelAt(site.stripe.subscriptionsOf(customer)[0]!.id, date)
  await site.deliver()
  const end = new Date(date * 1000)
  expect((await statusOf(user)).subscription).toMatchObject({
    cancel_at_period_end: true,
    current_period_end: end.toISOString(),
  })
  const { rows } = await query('select until from paid_plans where user_id = $1', [user.id])
  expect(rows).toEqual([{ until: end }])
})

test('a change shows what Stripe will charge', async () => {
  const user = await makeUser(site.server)
  const customer = await site.pay(user)
  await site.deliver()
  const body = { price_id: site.stripe.prices.pro_yearly }
  const preview = (await call(user, 'change/preview', body)).json<{ charged_cents: number; credit_cents: number }>()
  expect((await call(user, 'change', body)).statusCode).toBe(200)
  const charged = site.stripe.chargesOf(customer).at(-1)!.amount // it was just made
  expect(Math.abs(preview.charged_cents - charged)).toBeLessThanOrEqual(1)
  expect(preview.charged_cents).toBeLessThan(13_600)
  const back = { price_id: site.stripe.prices.pro_monthly }
  expect((await call(user, 'change/preview', back)).json()).toMatchObject({
    charged_cents: 0,
    credit_cents: expect.any(Number),
  })
  site.stripe.denied.add('POST /v1/invoices/create_preview')
  expect((await call(user, 'change/preview', back)).json()).toEqual({ charged_cents: null, credit_cents: null })
  site.stripe.denied.clear()
})

test('the email about a paid plan promises no limits while a better complimentary plan counts', async () => {
  const user = await makeUser(site.server)
  await grantPlan(site.server, user, 'pro_yearly')
  await site.pay(user)
  await site.deliver()
  const [email] = await emailsTo(site.server, user.email)
  expect(email?.text).toContain('Your complimentary plan, Pro Yearly, includes more and continues')
  expect(email?.text).not.toContain('Your new limits apply now')
})

describe('a key or a price that is refused', () => {
  const check = () => checkPayments(site.server.app.deps)
  const plansOf = async () =>
    (await get<PlanForSale[]>('/subscriptions/plans')).map((plan) => [plan.stripe_price_id, plan.is_paused])
  const sold = [
    [null, undefined],
    ['price_pro_monthly', undefined],
    ['price_pro_yearly', undefined],
  ]
  const stopped = [
    [null, undefined],
    [null, true],
    [null, true],
  ]
  const sentence = 'This site cannot take payments at the moment. Please try again later.'
  afterEach(async () => {
    site.stripe.acceptKey(site.stripe.secretKey)
    site.stripe.denied.clear()
    site.stripe.isDown = false
    await check()
  })
  const expectStopped = async (because: string): Promise<void> => {
    log.length = 0
    await check()
    expect(await plansOf()).toEqual(stopped)
    const text = healthText(await billingHealth(site.server.db))
    expect(text).toContain('PLANS ARE NOT SOLD')
    expect(text).toContain(because)
    expect(log.join('')).toContain('"kind":"refused"')
  }

  test('stops sales: a key that was rotated, with the reason for the operator and a sentence for customers', async () => {
    const user = await makeUser(site.server)
    const counted = async () => (await readMetrics(site.server)).value('keepsnap_checkouts_total{outcome="refused"}')
    site.stripe.acceptKey('sk_test_new')
    // Before the check, the call itself is refused, counted and logged by its kind.
    const before = await call(user, 'checkout', { ...checkoutBody(), price_id: site.stripe.prices.pro_monthly })
    expect([before.statusCode, before.json()]).toEqual([503, { code: 'unavailable', detail: sentence }])
    expect(log.join('')).toContain('the payment provider refused the key or a permission')
    await expectStopped('Invalid API Key')
    const { billing } = await get<OperatorHealth>('/api/operator/health', operator.token)
    expect(billing.refused_because).toContain('Invalid API Key')
    const after = await call(user, 'checkout', { ...checkoutBody(), price_id: site.stripe.prices.pro_monthly })
    expect([after.statusCode, after.json()]).toEqual([503, { code: 'unavailable', detail: sentence }])
    expect(await counted()).toBe(2)
    site.stripe.acceptKey(site.stripe.secretKey)
    await check()
    expect(await plansOf()).toEqual(sold)
  })

  test('stops sales: a permission that is missing', async () => {
    site.stripe.denied.add('POST /v1/refunds')
    await expectStopped('lacks permissions: Charges and Refunds: write')
  })

  test('stops sales: a price that is not what the plan says', async () => {
    const price = site.stripe.store.prices.get('price_pro_yearly')!
    price.active = false
    await expectStopped('the price of Pro Yearly (price_pro_yearly) is wrong: it is archived')
    price.active = true
    Object.assign(site.stripe.account, { hasTax: true })
    price.tax_behavior = 'exclusive'
    site.stripe.store.prices.get('price_pro_monthly')!.tax_behavior = 'inclusive'
    await expectStopped('the price of Pro Yearly (price_pro_yearly) is wrong: tax is added to it')
    Object.assign(site.stripe.account, { hasTax: false })
  })

  test('leaves sales as they are when Stripe cannot be reached, and tells the operator', async () => {
    site.stripe.isDown = true
    await check()
    expect(await plansOf()).toEqual(sold)
    expect(await billingHealth(site.server.db)).toMatchObject({
      refusedBecause: null,
      unreachableBecause: expect.any(String),
    })
    expect(log.join('')).toContain('"kind":"unreachable"')
    site.stripe.isDown = false
    site.stripe.acceptKey('sk_test_new')
    await expectStopped('Invalid API Key')
    site.stripe.isDown = true
    await check()
    expect(await plansOf()).toEqual(stopped)
  })
})
