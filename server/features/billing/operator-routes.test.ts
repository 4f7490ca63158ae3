import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OperatorUserDetail } from '@keepsnap/contract/operator-users.ts'
import { failCall } from '../../test/fail-once.ts'
import { PaymentsDown } from '../../ports/payments/payments.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { auditOf, callOperator, makeOperator } from '../../test/operators.ts'
import { demoOf, moveBillingClock, subscriptionStatusOf, subscribe } from '../../test/subscriptions.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'

let server: TestServer
let operator: TestUser
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
  operator = await makeOperator(server)
})
afterAll(() => server.close())

const nothingPaid = 'This account has no payments to refund.'
const reason = 'The printer at the venue broke'
const refund = (user: TestUser) => callOperator(server, operator, `users/${user.id}/refund`, { reason })
const refundableUntil = async (user: TestUser): Promise<string | null> =>
  (await callOperator(server, operator, `users/${user.id}`)).json<OperatorUserDetail>().refundable_until

test('everything is refunded, the plan ends, and a second time there is nothing', async () => {
  const user = await makeUser(server)
  await subscribe(server, user, 'pro_yearly')
  expect(Date.parse((await refundableUntil(user)) ?? '')).toBeGreaterThan(Date.now() + 29 * 86_400_000)
  expect((await refund(user)).json()).toEqual({ refunded_cents: 14_999 })
  expect((await subscriptionStatusOf(server, user)).plan.id).toBe('free')
  expect(await refundableUntil(user)).toBeNull()
  expect((await refund(user)).json()).toEqual({
    code: 'conflict',
    detail: 'This account has already had a refund. Each account can have one.',
  })
  expect(await auditOf(server, user.id)).toMatchObject([
    { action: 'refund', reason, outcome: 'done' },
    {
      action: 'refund',
      reason,
      outcome: 'refused',
      detail: 'This account has already had a refund. Each account can have one.',
    },
  ])
})

test('a refund that fails at the provider is stored, and finished by a job', async () => {
  const user = await makeUser(server)
  await subscribe(server, user)
  const { payments } = server.app.deps
  if (!payments) throw new Error('plans are not sold here')
  // The first three calls find out what has been paid, what of it is left, and what must end.
  const { result: answer } = await failCall(payments, { before: 3, error: new PaymentsDown('down') }, () =>
    refund(user),
  )
  expect(answer.statusCode).toBe(503)
  expect((await subscriptionStatusOf(server, user)).plan.id).toBe('pro_monthly')
  expect(await auditOf(server, user.id)).toMatchObject([{ action: 'refund', outcome: 'done' }])
  await server.app.deps.pool.query('update graphile_worker._private_jobs set run_at = now()')
  await server.work()
  expect((await subscriptionStatusOf(server, user)).plan.id).toBe('free')
})

test('a user who has paid nothing gets no refund', async () => {
  const user = await makeUser(server)
  expect(await refundableUntil(user)).toBeNull()
  const answer = await refund(user)
  expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([409, nothingPaid])
  expect(await auditOf(server, user.id)).toMatchObject([{ action: 'refund', outcome: 'refused' }])
})

test('nothing is stored when everything was refunded at the provider', async () => {
  const user = await makeUser(server)
  await subscribe(server, user)
  const { db } = server.app.deps
  const { customer_id: customer } = await db
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  for (const { id } of await demoOf(server).paymentsOf(customer)) await demoOf(server).refund(id, `by hand ${id}`)
  expect((await refund(user)).json<{ detail: string }>().detail).toBe(nothingPaid)
  expect(await db.selectFrom('refunds').select('id').where('customer_id', '=', customer).execute()).toEqual([])
  expect(await auditOf(server, user.id)).toMatchObject([{ action: 'refund', outcome: 'refused', detail: nothingPaid }])
})

test('more than 30 days after the first payment, nothing is refunded', async () => {
  const user = await makeUser(server)
  await subscribe(server, user)
  await moveBillingClock(server, 31)
  expect(await refundableUntil(user)).toBeNull()
  expect((await refund(user)).json<{ detail: string }>().detail).toBe('The first payment was more than 30 days ago.')
  expect((await subscriptionStatusOf(server, user)).plan.id).toBe('pro_monthly')
})
