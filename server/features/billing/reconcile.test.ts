import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emailsTo } from '../../test/outbox.ts'
import { repetitions, logWithSeed, seededRandom } from '../../test/statistics.ts'
import { startStripeServer, type StripeServer } from '../../test/stripe-server.ts'
import { callBilling, subscriptionStatusOf } from '../../test/subscriptions.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'
import { billingHealth, healthText } from './billing-health.ts'
import { compareCustomers } from './compare-customers.ts'
import { reconcilePayments } from './reconcile.ts'
import { syncCustomer } from './sync-customer.ts'

let site: StripeServer
const log: string[] = []
beforeAll(async () => {
  site = await startStripeServer(afterAll, { write: (text) => void log.push(text) })
})

const reconcile = async (): Promise<void> => {
  await reconcilePayments(site.server.app.deps)
  await site.server.work()
}
const query = (text: string, values: unknown[] = []) => site.server.app.deps.pool.query(text, values)
const planOf = async (user: TestUser): Promise<string> => (await subscriptionStatusOf(site.server, user)).plan.id

test('webhooks that never arrive are read from the list of events', async () => {
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
  const { rows } = await query('select 1 from subscribers where user_id = $1', [user.id])
  expect(rows).toHaveLength(1)
})

test('an event whose job was lost, and a refund that was interrupted, are started again', async () => {
  const user = await makeUser(site.server)
  const customer = await site.pay(user)
  await site.stripe.webhooks.deliver()
  await query('delete from graphile_worker._private_jobs')
  await query("update payment_events set received_at = now() - interval '1 hour'")
  const { unprocessedEvents, oldestUnprocessedAt } = await billingHealth(site.server.db)
  expect([unprocessedEvents > 0, oldestUnprocessedAt instanceof Date]).toEqual([true, true])
  await reconcile()
  expect(await planOf(user)).toBe('pro_monthly')
  await query("insert into refunds (id, customer_id, reason) values ('interrupted', $1, 'operator')", [customer])
  await reconcile()
  expect(site.stripe.chargesOf(customer).map(({ amount_refunded: cents }) => cents)).toEqual([1499])
  expect(await planOf(user)).toBe('free')
  expect(await billingHealth(site.server.db)).toMatchObject({ unprocessedEvents: 0, unfinishedRefunds: 0 })
})

test('what is unfinished is started again also while events cannot be listed', async () => {
  const user = await makeUser(site.server)
  const customer = await site.pay(user)
  await site.deliver()
  await query("insert into refunds (id, customer_id, reason) values ('without events', $1, 'operator')", [customer])
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

test('the end of a plan whose job was lost is still noticed', async () => {
  const user = await makeUser(site.server)
  const customer = await site.pay(user)
  await site.deliver()
  const [subscription] = site.stripe.subscriptionsOf(customer)
  site.stripe.cancelSubscription(subscription?.id ?? '')
  site.stripe.webhooks.drop()
  await query('delete from graphile_worker._private_jobs')
  await query("update payment_settings set events_read_until = now() + interval '1 day'")
  await query("update paid_plans set until = now() - interval '1 second' where user_id = $1", [user.id])
  await reconcile()
  await query('update payment_settings set events_read_until = null')
  const { rows } = await query('select 1 from paid_plans where user_id = $1', [user.id])
  expect([rows, await planOf(user)]).toEqual([[], 'free'])
  await site.server.work()
  const subjects = (await emailsTo(site.server, user.email)).map(({ subject }) => subject)
  expect(subjects).toContain('Pro Monthly has ended')
})

test('an open checkout that is more than a day old is read from the provider', async () => {
  const [paying, leaving] = [await makeUser(site.server), await makeUser(site.server)]
  await site.pay(paying)
  await site.checkout(leaving)
  site.stripe.webhooks.drop()
  await query("update payment_settings set events_read_until = now() + interval '1 day'")
  await query("update checkouts set created_at = now() - interval '25 hours' where user_id = any($1)", [
    [paying.id, leaving.id],
  ])
  for (const session of site.stripe.store.sessions.values())
    if (session.status === 'open') Object.assign(session, { status: 'expired', url: null })
  await reconcile()
  await query('update payment_settings set events_read_until = null')
  expect(await planOf(paying)).toBe('pro_monthly')
  const rows = await site.server.db
    .selectFrom('checkouts')
    .select(['user_id', 'state'])
    .where('user_id', 'in', [paying.id, leaving.id])
    .execute()
  const states = new Map(rows.map(({ user_id: id, state }) => [id, state]))
  expect([states.get(paying.id), states.get(leaving.id)]).toEqual(['paid', 'expired'])
})

test('every customer who pays is compared each night; what differs is corrected and counted', async () => {
  const [same, other] = [await makeUser(site.server), await makeUser(site.server)]
  const customers = [await site.pay(same), await site.pay(other)]
  await site.deliver()
  await compareCustomers(site.server.app.deps)
  expect((await billingHealth(site.server.db)).mismatches).toBe(0)
  const [subscription] = site.stripe.subscriptionsOf(customers[1] ?? '')
  site.stripe.cancelSubscription(subscription?.id ?? '')
  site.stripe.webhooks.drop()
  await compareCustomers(site.server.app.deps)
  const health = await billingHealth(site.server.db)
  expect(health.mismatches).toBe(1)
  expect(healthText(health)).toContain('with 1 mismatches')
  expect([await planOf(same), await planOf(other)]).toEqual(['pro_monthly', 'free'])
})

test('a subscription with an unknown price grants nothing, and is logged for the operator', async () => {
  const user = await makeUser(site.server)
  const customer = await site.pay(user)
  site.stripe.addPrice({ id: 'price_of_another_shop', unit_amount: 100 })
  const [item] = site.stripe.subscriptionsOf(customer)[0]?.items.data ?? []
  const price = site.stripe.store.prices.get('price_of_another_shop')
  Object.assign(item ?? {}, { price })
  await site.deliver()
  expect(await planOf(user)).toBe('free')
  expect(log.join('')).toContain('a subscription has a price that no plan has')
})

test('the answer to an older request never replaces a newer one', async () => {
  const user = await makeUser(site.server)
  const customer = await site.pay(user)
  await site.deliver()
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
  await callBilling(site.server, user, 'cancel')
  answered.resolve()
  expect(await slow).toBe(false)
  expect((await subscriptionStatusOf(site.server, user)).subscription?.cancel_at_period_end).toBe(true)
})

describe('events in any order', () => {
  test('end with the state at the provider, and each email is sent once', async () => {
    const random = seededRandom('orders of events')
    const rounds = repetitions(10, 100)
    for (let round = 0; round < rounds; round++) {
      const user = await makeUser(site.server)
      const customer = await site.pay(user)
      const [subscription] = site.stripe.subscriptionsOf(customer)
      if (!subscription) throw new Error('there is no subscription')
      const { payments } = site.server.app.deps
      await payments?.setCancelAtPeriodEnd(subscription.id, true)
      const isEnded = round % 2 === 0
      if (isEnded) site.stripe.cancelSubscription(subscription.id)
      else await payments?.setCancelAtPeriodEnd(subscription.id, false)
      const held = site.stripe.webhooks.held()
      const order = held.map((event) => ({ event, at: random.next() })).toSorted((a, b) => a.at - b.at)
      for (const { event } of order) {
        // Some twice, some at the end of a job and some before it.
        await site.stripe.webhooks.deliver(random.oneIn(3) ? [event, event] : [event])
        if (random.oneIn(3)) await site.server.work()
      }
      site.stripe.webhooks.drop()
      await site.server.work()
      expect([round, await planOf(user)]).toEqual([round, isEnded ? 'free' : 'pro_monthly'])
      const subjects = (await emailsTo(site.server, user.email)).map(({ subject }) => subject)
      expect(subjects).toEqual(isEnded ? [] : ['Welcome to Pro Monthly'])
    }
    logWithSeed(`${rounds} orders of events ended with the state at the provider`)
  })
})

test('no request had a parameter that Stripe does not know', () => {
  expect(site.stripe.violations).toEqual([])
})
