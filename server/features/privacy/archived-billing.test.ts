import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../test/harness.ts'
import { callBilling, subscribe } from '../../test/subscriptions.ts'
import { makeUser, validPassword } from '../../test/test-data.ts'
import { archivedBillingOf } from './archived-billing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
})
afterAll(() => server.close())

test('an archive has what an account paid, and nothing of others', async () => {
  const [user, other] = [await makeUser(server), await makeUser(server)]
  await subscribe(server, other)
  expect(await archivedBillingOf(server.db, user.id)).toEqual({
    customers: [],
    subscriptions: [],
    checkouts: [],
    refunds: [],
    emails: [],
  })
  await subscribe(server, user, 'pro_yearly')
  await callBilling(server, user, 'refund')
  expect(await archivedBillingOf(server.db, user.id)).toMatchObject({
    customers: [{ provider: 'demo' }],
    subscriptions: [{ plan: 'pro_yearly', status: 'canceled' }],
    checkouts: [{ state: 'paid', price_id: 'demo_pro_yearly' }],
    refunds: [{ reason: 'customer', amount_cents: 14_999 }],
    emails: [{ kind: 'plan-started' }, { kind: 'payment-refunded' }],
  })
})

test('nothing of a deleted account is left once the provider has confirmed that nothing more is charged', async () => {
  const user = await makeUser(server)
  await subscribe(server, user)
  const { rows } = await server.app.deps.pool.query<{ customer_id: string }>(
    'select customer_id from billing_customers where user_id = $1',
    [user.id],
  )
  await server.request({ method: 'DELETE', url: '/user', token: user.token, body: { password: validPassword } })
  await server.work()
  for (const table of ['billing_customers', 'subscriptions', 'checkouts', 'refunds', 'payment_events']) {
    const { rowCount } = await server.app.deps.pool.query(`select 1 from ${table} where customer_id = $1`, [
      rows[0]?.customer_id,
    ])
    expect([table, rowCount]).toEqual([table, 0])
  }
  for (const table of ['paid_plans', 'subscribers', 'billing_effects']) {
    const { rowCount } = await server.app.deps.pool.query(`select 1 from ${table} where user_id = $1`, [user.id])
    expect([table, rowCount]).toEqual([table, 0])
  }
})
