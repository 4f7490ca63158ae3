import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import type { WithdrawalMade, WithdrawalOffer } from '@keepsnap/contract/withdrawals.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { actionsReceivedBy, connectLive } from '../../test/live-client.ts'
import { emailsTo } from '../../test/outbox.ts'
import { removeJobs } from '../../test/harness.ts'
import { repetitions } from '../../test/statistics.ts'
import { startStripeServer, type StripeServer } from '../../test/stripe-server.ts'
import { callBilling, callVerifySession, checkoutBody, subscriptionStatusOf } from '../../test/subscriptions.ts'
import { hashTables } from '../../test/consistency-check.ts'
import { makeUser, type TestUser, validPassword } from '../../test/test-data.ts'
import { changeAccount } from '../accounts/operator-changes.ts'
import { billingHealth, healthText } from './billing-health.ts'
import { compareCustomers, reconcilePayments } from './reconcile.ts'
import { storePaymentEvents } from './payment-events.ts'
import { syncCustomer } from './sync-customer.ts'

let site: StripeServer
const log: string[] = []
beforeAll(async () => {
  site = await startStripeServer(afterAll, { write: (text) => void log.push(text) })
})
beforeEach(() => site.stripe.webhooks.drop())

const query = (text: string, values: unknown[] = []) => site.server.app.deps.pool.query(text, values)
const loseJobs = (keyLike?: string) => removeJobs(site.server.app.deps.pool, keyLike)
const reconcile = async (): Promise<void> => {
  await reconcilePayments(site.server.app.deps)
  await site.server.work()
}
const call = (user: TestUser, path: string, body?: unknown) => callBilling(site.server, user, path, { body })
const statusOf = (user: TestUser) => subscriptionStatusOf(site.server, user)
const planOf = async (user: TestUser): Promise<string> => (await statusOf(user)).plan.id
const eventsOf = async (customer: string) =>
  (await query('select id, processed_at from payment_events where customer_id = $1', [customer])).rows
const subjectsTo = async ({ email }: TestUser) => {
  await site.server.work()
  return (await emailsTo(site.server, email)).map(({ subject }) => String(subject)).toSorted()
}
/** Lets Stripe end the subscription of a customer, and no webhook says so. */
function cancelUnheard(customer: string): void {
  site.stripe.cancelSubscription(site.stripe.subscriptionsOf(customer)[0]?.id ?? '')
  site.stripe.webhooks.drop()
}
/** A user whose payment has been announced, and the customer. */
async function subscriber(plan?: 'pro_yearly'): Promise<{ user: TestUser; customer: string }> {
  const user = await makeUser(site.server)
  const customer = await site.pay(user, plan)
  await site.deliver()
  return { user, customer }
}

const addRefund = (id: string, customer: string, ageDays = 0) =>
  query(
    "insert into refunds (id, customer_id, reason, requested_at) values ($1, $2, 'operator', now() - $3 * interval '1 day')",
    [id, customer, ageDays],
  )

describe('a webhook', () => {
  test('is stored once, and its customer is synchronized by a job that tells open pages', async () => {
    const user = await makeUser(site.server)
    const live = await connectLive(await site.server.listen(), user.token)
    const customer = await site.pay(user)
    const [event] = site.stripe.webhooks.held()
    if (!event) throw new Error('nothing happened')
    const send = () => site.send(site.stripe.webhooks.webhook(event))
    expect((await send()).json()).toEqual({ received: true })
    for (let round = 0; round < repetitions(10, 100); round++)
      expect((await send()).json()).toEqual({ received: true, repeated: true })
    await site.deliver()
    expect(await actionsReceivedBy(live, site.server, user)).toEqual(['identified', 'plan_updated'])
    live.socket.close()
    expect(await planOf(user)).toBe('pro_monthly')
    const events = await eventsOf(customer)
    expect(events.filter(({ id }) => id === event.id)).toHaveLength(1)
    expect(events.every(({ processed_at: at }) => at !== null)).toBe(true)
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
    const who = { reference: 'x', email: 'x@example.com' }
    const customer = await site.server.app.deps.payments?.createCustomer(who, 'stranger')
    await site.deliver()
    expect(await eventsOf(customer ?? '')).toMatchObject([{ processed_at: expect.any(Date) }])
  })
})

describe('a webhook is refused and changes nothing:', () => {
  type Sent = Parameters<StripeServer['send']>[0]
  const sign = (body: Buffer | string, how?: object) => site.stripe.webhooks.webhook(Buffer.from(body), how)
  const forgeries: [name: string, make: (valid: Sent) => Sent][] = [
    ['without a signature', ({ body }) => ({ body, headers: { 'content-type': 'application/json' } })],
    ['with a signature of another secret', ({ body }) => sign(body, { secret: 'whsec_other' })],
    ['signed six minutes ago', ({ body }) => sign(body, { signedAt: Math.floor(Date.now() / 1000) - 360 })],
    ['that is empty', () => sign('')],
    ['larger than the limit', () => sign(`{"object":"event","x":"${'x'.repeat(limits.webhookBodyBytes)}"}`)],
  ]
  let valid: Sent
  beforeAll(async () => {
    await site.pay(await makeUser(site.server))
    valid = site.stripe.webhooks.webhook(site.stripe.webhooks.held()[0]!) // a payment is an event
  })

  test.each(forgeries)('%s', async (_, make) => {
    const before = await hashTables(site.server)
    const answer = await site.send(make({ ...valid, headers: { ...valid.headers } }))
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'bad_request'])
    expect(await hashTables(site.server)).toEqual(before)
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
  const setPrice = (id: string) =>
    query("update plan_prices set price_id = $1 where plan = 'pro_monthly' and is_current", [id])
  afterEach(() => setPrice(site.stripe.prices.pro_monthly))
  const refuse = async (id: string): Promise<void> => {
    const user = await makeUser(site.server)
    await setPrice(id)
    const answer = await call(user, 'checkout', { ...checkoutBody(), price_id: id })
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { detail: [{ loc: ['body', 'price_id'] }] }])
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

  test('and a subscription with an unknown price grants nothing, and is logged for the operator', async () => {
    const user = await makeUser(site.server)
    const customer = await site.pay(user)
    site.stripe.addPrice({ id: 'price_of_another_shop', unit_amount: 100 })
    const [item] = site.stripe.subscriptionsOf(customer)[0]?.items.data ?? []
    Object.assign(item ?? {}, { price: site.stripe.store.prices.get('price_of_another_shop') })
    await site.deliver()
    expect(await planOf(user)).toBe('free')
    expect(log.join('')).toContain('a subscription has a price that no plan has')
  })
})

describe('a payment that fails', () => {
  const syncOf = async (customer: string): Promise<void> => {
    await loseJobs(`sync:${customer}`)
    await syncCustomer(site.server.app.deps, customer)
  }

  test('leaves the plan for seven days, tells the user once until when, and ends it then', async () => {
    const { user, customer } = await subscriber()
    site.stripe.declinePayments(customer, true)
    const [subscription] = site.stripe.subscriptionsOf(customer)
    const item = subscription?.items.data[0]
    if (!subscription || !item) throw new Error('there is no subscription')
    // A period that has begun and is not paid; the double's clock stays, because the database's does.
    Object.assign(subscription, { status: 'past_due' })
    await syncOf(customer)
    const graceEnd = new Date((item.current_period_start + 7 * 86_400) * 1000).toISOString()
    expect(await statusOf(user)).toMatchObject({
      plan: { id: 'pro_monthly' },
      subscription: { status: 'past_due', grace_until: graceEnd },
    })
    await syncOf(customer)
    expect(await subjectsTo(user)).toEqual(['Welcome to Pro Monthly', 'Your payment failed'])
    item.current_period_start -= 8 * 86_400
    await syncOf(customer)
    expect(await planOf(user)).toBe('free')
    expect(await subjectsTo(user)).toEqual(['Pro Monthly has ended', 'Welcome to Pro Monthly', 'Your payment failed'])
    // Who comes back is charged once: the subscription that grants nothing any more is ended first.
    site.stripe.declinePayments(customer, 0)
    const id = await site.checkout(user, 'pro_yearly')
    site.stripe.payCheckout(id)
    expect((await callVerifySession(site.server, user, id)).statusCode).toBe(200)
    expect(site.stripe.subscriptionsOf(customer).map(({ status: one }) => one)).toEqual(['canceled', 'active'])
    expect(await planOf(user)).toBe('pro_yearly')
  })

  test('makes a cancellation take effect at once: the missing payment is no longer collected', async () => {
    const { user, customer } = await subscriber()
    Object.assign(site.stripe.subscriptionsOf(customer)[0] ?? {}, { status: 'past_due' })
    await syncOf(customer)
    expect((await call(user, 'change', { price_id: site.stripe.prices.pro_yearly })).statusCode).toBe(409)
    const cancelled = (await call(user, 'cancel')).json()
    expect(cancelled).toMatchObject({ has_subscription: false, plan: { id: 'free' } })
    expect(site.stripe.subscriptionsOf(customer).map(({ status }) => status)).toEqual(['canceled'])
  })
})

test('money that was refunded is not a credit for the next plan', async () => {
  const { user, customer } = await subscriber('pro_yearly')
  const changed = await call(user, 'change', { price_id: site.stripe.prices.pro_monthly })
  expect(changed.statusCode).toBe(200)
  // What is left of the year is set off against the next payments, and the status says so.
  const { balance = 0 } = site.stripe.store.customers.get(customer) ?? {}
  expect(changed.json<SubscriptionStatus>().subscription?.credit_cents).toBe(-balance)
  expect(balance).toBeLessThan(-10_000)
  expect((await call(user, 'refund')).json()).toEqual({ refunded_cents: 14_999 })
  expect((await statusOf(user)).subscription).toBeNull()
  await site.pay(user, 'pro_monthly')
  await site.deliver()
  // The refunded year, and the month that is really paid.
  const kept = site.stripe.chargesOf(customer).map((one) => one.amount - one.amount_refunded)
  expect(kept.toSorted((a, b) => a - b)).toEqual([0, 1_499])
})

describe('reconciliation', () => {
  // Events are not listed again as long as they were read until later.
  const skipEvents = () => query("update payment_settings set events_read_until = now() + interval '1 day'")
  afterEach(() => query('update payment_settings set events_read_until = null'))

  test('reads webhooks that never arrive from the list of events', async () => {
    const user = await makeUser(site.server)
    await site.pay(user)
    site.stripe.webhooks.drop()
    await site.server.work()
    expect(await planOf(user)).toBe('free')
    await reconcile()
    expect(await planOf(user)).toBe('pro_monthly')
    const { eventsReadUntil } = await billingHealth(site.server.db)
    await reconcile()
    expect((await billingHealth(site.server.db)).eventsReadUntil).toEqual(eventsReadUntil)
    expect((await query('select from subscribers where user_id = $1', [user.id])).rowCount).toBe(1)
  })

  test('starts an event whose job was lost, and a refund that was interrupted, again', async () => {
    const user = await makeUser(site.server)
    const customer = await site.pay(user)
    await site.stripe.webhooks.deliver()
    await loseJobs()
    await query("update payment_events set received_at = now() - interval '1 hour'")
    const { unprocessedEvents, oldestUnprocessedAt } = await billingHealth(site.server.db)
    expect([unprocessedEvents > 0, oldestUnprocessedAt instanceof Date]).toEqual([true, true])
    await reconcile()
    expect(await planOf(user)).toBe('pro_monthly')
    await addRefund('interrupted', customer)
    await reconcile()
    expect(site.stripe.chargesOf(customer).map(({ amount_refunded: cents }) => cents)).toEqual([1499])
    expect(await planOf(user)).toBe('free')
    expect(await billingHealth(site.server.db)).toMatchObject({ unprocessedEvents: 0, unfinishedRefunds: 0 })
  })

  test('does so also while events cannot be listed', async () => {
    const { user, customer } = await subscriber()
    await addRefund('without events', customer)
    const { payments } = site.server.app.deps
    if (!payments) throw new Error('plans are not sold')
    const { eventsSince } = payments
    payments.eventsSince = () => {
      throw new Error('Stripe lists too many events of one day')
    }
    await expect(reconcile()).rejects.toThrow('too many events')
    payments.eventsSince = eventsSince
    await site.server.work()
    expect(await planOf(user)).toBe('free')
  })

  test('notices the end of a plan whose job was lost', async () => {
    const { user, customer } = await subscriber()
    cancelUnheard(customer)
    await loseJobs()
    await skipEvents()
    await query("update paid_plans set until = now() - interval '1 second' where user_id = $1", [user.id])
    await reconcile()
    const { rows } = await query('select from paid_plans where user_id = $1', [user.id])
    expect([rows, await planOf(user)]).toEqual([[], 'free'])
    expect(await subjectsTo(user)).toContain('Pro Monthly has ended')
  })

  test('reads an open checkout that is more than a day old from the provider', async () => {
    const [paying, leaving] = [await makeUser(site.server), await makeUser(site.server)]
    await site.pay(paying)
    await site.checkout(leaving)
    site.stripe.webhooks.drop()
    await skipEvents()
    const ids = [paying.id, leaving.id]
    await query("update checkouts set created_at = now() - interval '25 hours' where user_id = any($1)", [ids])
    for (const session of site.stripe.store.sessions.values())
      if (session.status === 'open') Object.assign(session, { status: 'expired', url: null })
    await reconcile()
    expect(await planOf(paying)).toBe('pro_monthly')
    const { rows } = await query('select user_id, state from checkouts where user_id = any($1)', [ids])
    const states = new Map(rows.map(({ user_id: id, state }) => [id, state]))
    expect(ids.map((id) => states.get(id))).toEqual(['paid', 'expired'])
  })

  test('compares every customer who pays each night; what differs is corrected and counted', async () => {
    const [same, other] = [await subscriber(), await subscriber()]
    await compareCustomers(site.server.app.deps)
    expect((await billingHealth(site.server.db)).mismatches).toBe(0)
    cancelUnheard(other.customer)
    await compareCustomers(site.server.app.deps)
    const health = await billingHealth(site.server.db)
    expect(health.mismatches).toBe(1)
    expect(healthText(health)).toContain('with 1 mismatches')
    expect([await planOf(same.user), await planOf(other.user)]).toEqual(['pro_monthly', 'free'])
  })

  test('never replaces a newer answer by that to an older request', async () => {
    const { user, customer } = await subscriber()
    const { payments } = site.server.app.deps
    if (!payments) throw new Error('plans are not sold')
    const { subscriptionsOf } = payments
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    payments.subscriptionsOf = async (id) => {
      const old = await subscriptionsOf(id)
      payments.subscriptionsOf = subscriptionsOf
      asked.resolve()
      await answered.promise
      return old
    }
    const slow = syncCustomer(site.server.app.deps, customer)
    await asked.promise
    await call(user, 'cancel')
    answered.resolve()
    expect(await slow).toBe(false)
    expect((await statusOf(user)).subscription?.cancel_at_period_end).toBe(true)
  })
})

describe('a customer whom Stripe does not know', () => {
  /** What Stripe does not know with the keys of its other mode. */
  const otherMode = ['customers', 'subscriptions', 'sessions'] as const
  /** Makes Stripe forget everything, as with the keys of its other mode; returns a function that restores it. */
  function switchMode(): () => void {
    const { store } = site.stripe
    const before = otherMode.map((name) => [...(store[name] as Map<string, unknown>)])
    for (const name of otherMode) store[name].clear()
    return () => {
      for (const [n, name] of otherMode.entries())
        for (const [id, one] of before[n] ?? []) (store[name] as Map<string, unknown>).set(id, one)
    }
  }
  const priced = () => ({ ...checkoutBody(), price_id: site.stripe.prices.pro_yearly })
  const customersOf = async ({ id }: TestUser): Promise<[id: string, isCurrent: boolean][]> =>
    (
      await query(
        'select customer_id as id, replaced_at is null as current from billing_customers where user_id = $1 order by created_at',
        [id],
      )
    ).rows.map((row) => [row.id, row.current])

  test('because of the other mode of Stripe is replaced by the next checkout, and counts again with its own keys', async () => {
    const { user, customer: first } = await subscriber()
    const [before] = site.stripe.subscriptionsOf(first)
    const switchBack = switchMode()
    expect((await call(user, 'change', { price_id: site.stripe.prices.pro_yearly })).statusCode).toBe(409)
    expect((await call(user, 'refund')).statusCode).toBe(409)
    expect(await planOf(user)).toBe('pro_monthly')

    expect((await call(user, 'checkout', priced())).statusCode).toBe(200)
    // Nothing is lost before something is paid.
    await site.deliver()
    expect(await planOf(user)).toBe('pro_monthly')
    const second = await site.pay(user, 'pro_yearly')
    await site.deliver()
    expect(second).not.toBe(first)
    expect(await planOf(user)).toBe('pro_yearly')
    expect(await customersOf(user)).toEqual([
      [first, false],
      [second, true],
    ])

    const forget = switchMode()
    switchBack()
    await compareCustomers(site.server.app.deps)
    expect((await statusOf(user)).subscription).toMatchObject({ plan: { id: 'pro_monthly' } })
    expect(await customersOf(user)).toEqual([
      [first, true],
      [second, false],
    ])
    expect(before?.status).toBe('active')
    expect((await call(user, 'cancel')).json()).toMatchObject({ subscription: { cancel_at_period_end: true } })
    forget()
  })

  test('is the earlier one again with its keys, not a third one', async () => {
    const user = await makeUser(site.server)
    await site.checkout(user)
    const switchBack = switchMode()
    await site.checkout(user)
    const forget = switchMode()
    switchBack()
    await site.checkout(user)
    expect((await customersOf(user)).map(([, isCurrent]) => isCurrent)).toEqual([true, false])
    forget()
  })

  test('does not block the comparison of the others', async () => {
    const all = [await subscriber(), await subscriber(), await subscriber()]
    const [unknown, ...others] = all.toSorted((a, b) => (a.customer < b.customer ? -1 : 1))
    for (const { customer } of others) cancelUnheard(customer)
    site.stripe.store.customers.delete(unknown?.customer ?? '')
    await compareCustomers(site.server.app.deps)
    const plans = [unknown, ...others].map((one) => planOf(one!.user)) // three were made above
    expect(await Promise.all(plans)).toEqual(['pro_monthly', 'free', 'free'])
  })

  const remove = (user: TestUser) =>
    site.server.request({ method: 'DELETE', url: '/user', token: user.token, body: { password: validPassword } })
  const rowOf = async (customer: string) =>
    (
      await query('select user_id, closed_at is not null as "isClosed" from billing_customers where customer_id = $1', [
        customer,
      ])
    ).rows

  test('is closed at the end of the account, and of a deleted account nothing is left', async () => {
    const [deleted, deactivated] = [await subscriber(), await subscriber()]
    await addRefund('lost', deleted.customer)
    for (const { customer } of [deleted, deactivated]) site.stripe.store.customers.delete(customer)
    expect((await remove(deleted.user)).statusCode).toBe(204)
    await changeAccount(site.server.db, deactivated.user.email, { is_active: false })
    await site.server.work()
    expect(await rowOf(deleted.customer)).toEqual([])
    expect(log.join('')).toContain('"refunds":["lost"]')
    expect(await rowOf(deactivated.customer)).toEqual([{ user_id: deactivated.user.id, isClosed: true }])
    const { rows } = await query('select status, ended_at from subscriptions where customer_id = $1', [
      deactivated.customer,
    ])
    expect(rows).toEqual([{ status: 'canceled', ended_at: expect.any(Date) }])
    expect((await query('select from paid_plans where user_id = $1', [deactivated.user.id])).rows).toEqual([])
    expect((await query("select from graphile_worker.jobs where key like 'close:%'")).rows).toEqual([])
  })

  test('waits while live mode may still charge the customer', async () => {
    const { user, customer } = await subscriber()
    site.stripe.store.otherMode.add(customer)
    expect((await remove(user)).statusCode).toBe(204)
    await site.server.work()
    expect(await rowOf(customer)).toEqual([{ user_id: null, isClosed: false }])
    // With the keys of live mode again.
    site.stripe.store.otherMode.delete(customer)
    await reconcilePayments(site.server.app.deps)
    await site.server.work()
    expect(await rowOf(customer)).toEqual([])
    expect(site.stripe.subscriptionsOf(customer).map(({ status }) => status)).toEqual(['canceled'])
  })

  test('does not keep the rest waiting, nor do refunds, events and ends of plans of such a customer', async () => {
    const [stuck, other, hinted] = [await subscriber(), await subscriber(), await subscriber()]
    const [stuckEnd, otherEnd, ended] = [await subscriber(), await subscriber(), await subscriber()]
    site.stripe.cancelSubscription(site.stripe.subscriptionsOf(ended.customer)[0]?.id ?? '')
    for (const { customer } of [stuck, stuckEnd]) site.stripe.store.otherMode.add(customer)
    for (const { user } of [stuckEnd, otherEnd]) await remove(user)
    await addRefund(stuck.customer, stuck.customer, 2)
    await addRefund(other.customer, other.customer, 1)
    site.stripe.webhooks.drop()
    await query("update payment_settings set events_read_until = now() + interval '1 day'")
    await query(
      "update payment_events set processed_at = null, received_at = now() - interval '1 hour' where customer_id = any($1)",
      [[stuck.customer, hinted.customer]],
    )
    await query(
      'update billing_customers set sync_tried_at = null, close_since = case when customer_id = $1 then now() end',
      [stuckEnd.customer],
    )
    await query(
      "update paid_plans set until = now() - interval '1 hour' * case user_id when $1 then 2 else 1 end where user_id in ($1, $2)",
      [stuck.user.id, ended.user.id],
    )
    const round = async (): Promise<void> => {
      await loseJobs()
      await reconcilePayments(site.server.app.deps, { batchSize: 1 })
      await site.server.work()
    }
    await round()
    await round()
    await query('update payment_settings set events_read_until = null')
    expect((await query('select 1 from paid_plans where user_id = $1', [ended.user.id])).rows).toEqual([])
    expect(await rowOf(otherEnd.customer)).toEqual([])
    expect(site.stripe.chargesOf(other.customer).map(({ amount_refunded: cents }) => cents)).toEqual([1499])
    const { rows } = await query(
      'select customer_id from payment_events where processed_at is null and customer_id = any($1)',
      [[stuck.customer, hinted.customer]],
    )
    expect(new Set(rows.map(({ customer_id: id }) => id))).toEqual(new Set([stuck.customer]))
  })
})

test('no request had a parameter that Stripe does not know', () => {
  expect(site.stripe.violations).toEqual([])
})

describe('a withdrawal at Stripe', () => {
  const withdraw = async (user: TestUser): Promise<WithdrawalMade> => {
    const { contract } = (await callBilling(site.server, user, 'withdrawal', { method: 'GET' })).json<WithdrawalOffer>()
    const body = { name: 'Ada', email: user.email, contract: 'Mine', contract_id: contract?.id }
    return (await site.server.request({ method: 'POST', url: '/withdraw', body, token: user.token })).json()
  }

  test('gives back a change to a smaller plan and its credit, while webhooks come late', async () => {
    const { user, customer } = await subscriber('pro_yearly')
    await call(user, 'change', { price_id: site.stripe.prices.pro_monthly })
    const made = await withdraw(user)
    expect(made).toMatchObject({ outcome: 'accepted', refunded_cents: 14_999 })
    expect(site.stripe.store.customers.get(customer)?.balance).toBe(0)
    await site.deliver()
    expect(site.stripe.chargesOf(customer).map((one) => one.amount_refunded)).toEqual([14_999])
    expect(await statusOf(user)).toMatchObject({ plan: { id: 'free' }, subscription: null, refundable_until: null })
    expect(await subjectsTo(user)).toEqual([
      'Welcome to Pro Yearly',
      'You now have Pro Monthly',
      'Your refund',
      'Your withdrawal from the contract',
    ])
  })

  test.each([
    ['has its link when that has arrived', true, 'waiting'],
    ['finds nothing when that has failed', false, 'unmatched'],
  ])('made while the first payment is under way %s', async (_, isPaid, state) => {
    const user = await makeUser(site.server)
    const session = await site.checkout(user)
    site.stripe.payLater(session)
    await site.deliver()
    expect(await withdraw(user)).toMatchObject({ outcome: 'email' })
    await site.deliver()
    const states = async () => (await query('select state from withdrawals where email = $1', [user.email])).rows
    expect(await states()).toEqual([{ state: 'received' }])
    site.stripe.settleCheckout(session, isPaid)
    await site.deliver()
    // Before the second in which the payment failed.
    const times = "created_at = now() - interval '1 hour', made_at = made_at - interval '2 seconds'"
    await query(`update withdrawals set ${times} where email = $1`, [user.email])
    await reconcile()
    expect(await states()).toEqual([{ state }])
    const receipts = (await emailsTo(site.server, user.email)).filter(({ subject }) => subject?.includes('withdrawal'))
    expect(receipts.map(({ text }) => text?.includes('/withdraw/'))).toEqual([false, isPaid])
  })

  test.each([
    ['won', 1499],
    ['lost', 0],
  ] as const)('of a payment that is disputed gives it back when that was %s', async (end, cents) => {
    const { user, customer } = await subscriber()
    const [charge] = site.stripe.chargesOf(customer)
    const { id } = site.stripe.openDispute(charge!.id) // of the only payment
    await site.deliver()
    expect(await withdraw(user)).toMatchObject({ outcome: 'accepted', refunded_cents: 0 })
    site.stripe.closeDispute(id, end)
    await site.deliver()
    const { rows } = await query('select state, amount_cents from withdrawals where user_id = $1', [user.id])
    expect([rows, charge!.amount_refunded]).toEqual([[{ state: 'done', amount_cents: cents }], cents])
    expect((await subjectsTo(user)).filter((subject) => subject === 'Your refund')).toHaveLength(cents ? 1 : 0)
  })

  test('gives back what is left after a refund in the dashboard, and once when answers are lost for days', async () => {
    const { user, customer } = await subscriber()
    const [charge] = site.stripe.chargesOf(customer)
    await site.server.app.deps.payments?.refund(charge!.id, 'dashboard', 500) // of the only payment
    await site.deliver()
    expect(await withdraw(user)).toMatchObject({ outcome: 'accepted', refunded_cents: 999 })
    // The end of the first attempt was lost, and keys are forgotten after a day.
    await query("update withdrawals set state = 'accepted', done_at = null, amount_cents = null where user_id = $1", [
      user.id,
    ])
    await query("update withdrawals set created_at = now() - interval '2 days' where user_id = $1", [user.id])
    await reconcile()
    const { rows } = await query('select state, amount_cents from withdrawals where user_id = $1', [user.id])
    expect(rows).toEqual([{ state: 'done', amount_cents: 999 }])
    expect(site.stripe.chargesOf(customer).map((one) => one.amount_refunded)).toEqual([1499])
  })
})
