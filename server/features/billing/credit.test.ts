import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { startStripeServer, type StripeServer } from '../../test/stripe-server.ts'
import { callBilling, subscriptionStatusOf } from '../../test/subscriptions.ts'
import { makeUser } from '../../test/test-data.ts'

let site: StripeServer
beforeAll(async () => {
  site = await startStripeServer(afterAll)
})

test('money that was refunded is not a credit for the next plan', async () => {
  const user = await makeUser(site.server)
  const customer = await site.pay(user, 'pro_yearly')
  await site.deliver()
  const changed = await callBilling(site.server, user, 'change', { body: { price_id: site.stripe.prices.pro_monthly } })
  expect(changed.statusCode).toBe(200)
  // What is left of the year is set off against the next payments, and the status says so.
  const { subscription } = changed.json<SubscriptionStatus>()
  expect(subscription?.credit_cents).toBe(-site.stripe.store.customers.get(customer)!.balance) // it was made above
  expect(site.stripe.store.customers.get(customer)?.balance).toBeLessThan(-10_000)
  const refund = await callBilling(site.server, user, 'refund')
  expect(refund.json()).toEqual({ refunded_cents: 14_999 })
  expect((await subscriptionStatusOf(site.server, user)).subscription).toBeNull()
  await site.pay(user, 'pro_monthly')
  await site.deliver()
  // The refunded year, and the month that is really paid.
  const kept = site.stripe.chargesOf(customer).map((one) => one.amount - one.amount_refunded)
  expect(kept.toSorted((a, b) => a - b)).toEqual([0, 1_499])
})
