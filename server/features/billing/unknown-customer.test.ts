import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStripeServer, type StripeServer } from '../../test/stripe-server.ts'
import { callBilling, checkoutBody, subscriptionStatusOf } from '../../test/subscriptions.ts'
import { makeUser, validPassword, type TestUser } from '../../test/test-data.ts'
import { changeAccount } from '../accounts/operator-changes.ts'
import { compareCustomers } from './compare-customers.ts'
import { reconcilePayments } from './reconcile.ts'

let site: StripeServer
let log = ''
beforeAll(async () => {
  site = await startStripeServer(afterAll, { write: (text) => void (log += text) })
})

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

const call = (user: TestUser, path: string, body?: unknown) => callBilling(site.server, user, path, { body })
const priced = () => ({ ...checkoutBody(), price_id: site.stripe.prices.pro_yearly })
const customersOf = async ({ id }: TestUser): Promise<{ customer_id: string; isCurrent: boolean }[]> =>
  (
    await site.server.app.deps.pool.query(
      'select customer_id, replaced_at is null as "isCurrent" from billing_customers where user_id = $1 order by created_at',
      [id],
    )
  ).rows

test('a customer of the other mode of Stripe is replaced by the next checkout, and counts again with its own keys', async () => {
  const user = await makeUser(site.server)
  const first = await site.pay(user)
  await site.deliver()
  const [before] = site.stripe.subscriptionsOf(first)
  const switchBack = switchMode()
  expect((await call(user, 'change', { price_id: site.stripe.prices.pro_yearly })).statusCode).toBe(409)
  expect((await call(user, 'refund')).statusCode).toBe(409)
  expect((await subscriptionStatusOf(site.server, user)).plan.id).toBe('pro_monthly')

  expect((await call(user, 'checkout', priced())).statusCode).toBe(200)
  // Nothing is lost before something is paid.
  await site.deliver()
  expect((await subscriptionStatusOf(site.server, user)).plan.id).toBe('pro_monthly')
  const second = await site.pay(user, 'pro_yearly')
  await site.deliver()
  expect(second).not.toBe(first)
  expect((await subscriptionStatusOf(site.server, user)).plan.id).toBe('pro_yearly')
  expect(await customersOf(user)).toEqual([
    { customer_id: first, isCurrent: false },
    { customer_id: second, isCurrent: true },
  ])

  const forget = switchMode()
  switchBack()
  await compareCustomers(site.server.app.deps)
  expect((await subscriptionStatusOf(site.server, user)).subscription).toMatchObject({ plan: { id: 'pro_monthly' } })
  expect(await customersOf(user)).toEqual([
    { customer_id: first, isCurrent: true },
    { customer_id: second, isCurrent: false },
  ])
  expect(before?.status).toBe('active')
  expect((await call(user, 'cancel')).json()).toMatchObject({ subscription: { cancel_at_period_end: true } })
  forget()
})

test('a customer whom Stripe does not know does not block the comparison of the others', async () => {
  const users = [await makeUser(site.server), await makeUser(site.server), await makeUser(site.server)]
  const customers: string[] = []
  for (const user of users) customers.push(await site.pay(user))
  await site.deliver()
  const [unknown, ...others] = customers.toSorted()
  for (const id of others) site.stripe.cancelSubscription(site.stripe.subscriptionsOf(id)[0]?.id ?? '')
  site.stripe.webhooks.drop()
  site.stripe.store.customers.delete(unknown ?? '')
  await compareCustomers(site.server.app.deps)
  const plans = new Map<string | undefined, string>()
  for (const [n, user] of users.entries())
    plans.set(customers[n], (await subscriptionStatusOf(site.server, user)).plan.id)
  expect([plans.get(unknown), ...others.map((id) => plans.get(id))]).toEqual(['pro_monthly', 'free', 'free'])
})

test('a user gets the earlier customer again with its keys, not a third one', async () => {
  const user = await makeUser(site.server)
  await site.checkout(user)
  const switchBack = switchMode()
  await site.checkout(user)
  const forget = switchMode()
  switchBack()
  await site.checkout(user)
  const customers = await customersOf(user)
  expect(customers.map(({ isCurrent }) => isCurrent)).toEqual([true, false])
  forget()
})

describe('the end of an account whose customer Stripe does not know', () => {
  const query = (text: string, values: unknown[] = []) => site.server.app.deps.pool.query(text, values)
  const remove = (user: TestUser) =>
    site.server.request({ method: 'DELETE', url: '/user', token: user.token, body: { password: validPassword } })
  const rowOf = async (customer: string) =>
    (
      await query('select user_id, closed_at is not null as "isClosed" from billing_customers where customer_id = $1', [
        customer,
      ])
    ).rows
  const subscriber = async (): Promise<{ user: TestUser; customer: string }> => {
    const user = await makeUser(site.server)
    const customer = await site.pay(user)
    await site.deliver()
    return { user, customer }
  }

  test('is confirmed, and of a deleted account nothing is left', async () => {
    const [deleted, deactivated] = [await subscriber(), await subscriber()]
    await query("insert into refunds (id, customer_id, reason) values ('lost', $1, 'operator')", [deleted.customer])
    for (const { customer } of [deleted, deactivated]) site.stripe.store.customers.delete(customer)
    expect((await remove(deleted.user)).statusCode).toBe(204)
    await changeAccount(site.server.db, deactivated.user.email, { is_active: false })
    await site.server.work()
    expect(await rowOf(deleted.customer)).toEqual([])
    expect(log).toContain('"refunds":["lost"]')
    expect(await rowOf(deactivated.customer)).toEqual([{ user_id: deactivated.user.id, isClosed: true }])
    const { rows } = await query(
      'select status, ended_at is not null as "hasEnded" from subscriptions where customer_id = $1',
      [deactivated.customer],
    )
    expect(rows).toEqual([{ status: 'canceled', hasEnded: true }])
    expect((await query('select 1 from paid_plans where user_id = $1', [deactivated.user.id])).rows).toEqual([])
    expect((await query("select 1 from graphile_worker.jobs where key like 'close:%'")).rows).toEqual([])
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
    const addRefund = (customer: string, ageDays: number) =>
      query(
        "insert into refunds (id, customer_id, reason, requested_at) values ($1, $1, 'operator', now() - $2 * interval '1 day')",
        [customer, ageDays],
      )
    await addRefund(stuck.customer, 2)
    await addRefund(other.customer, 1)
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
      await query('delete from graphile_worker._private_jobs')
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
