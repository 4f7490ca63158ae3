import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStripeServer, type StripeServer } from '../../test/stripe-server.ts'
import { callBilling, checkoutBody, statusOf } from '../../test/subscriptions.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'
import { compareCustomers } from './compare-customers.ts'

let site: StripeServer
beforeAll(async () => {
  site = await startStripeServer(afterAll)
})

/** What Stripe does not know with the keys of its other mode. */
const otherMode = ['customers', 'subscriptions', 'sessions'] as const

/** Forgets everything at Stripe, as with the keys of the other mode; restores what it knew before. */
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
  expect((await statusOf(site.server, user)).plan.id).toBe('pro_monthly')

  expect((await call(user, 'checkout', priced())).statusCode).toBe(200)
  // Nothing is lost before something is paid.
  await site.deliver()
  expect((await statusOf(site.server, user)).plan.id).toBe('pro_monthly')
  const second = await site.pay(user, 'pro_yearly')
  await site.deliver()
  expect(second).not.toBe(first)
  expect((await statusOf(site.server, user)).plan.id).toBe('pro_yearly')
  expect(await customersOf(user)).toEqual([
    { customer_id: first, isCurrent: false },
    { customer_id: second, isCurrent: true },
  ])

  const forget = switchMode()
  switchBack()
  await compareCustomers(site.server.app.deps)
  expect((await statusOf(site.server, user)).subscription).toMatchObject({ plan: { id: 'pro_monthly' } })
  expect(await customersOf(user)).toEqual([
    { customer_id: first, isCurrent: true },
    { customer_id: second, isCurrent: false },
  ])
  expect(before?.status).toBe('active')
  expect((await call(user, 'cancel')).json()).toMatchObject({ subscription: { cancel_at_period_end: true } })
  forget()
})

test('one customer whom Stripe does not know keeps no other from being compared', async () => {
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
  for (const [n, user] of users.entries()) plans.set(customers[n], (await statusOf(site.server, user)).plan.id)
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
