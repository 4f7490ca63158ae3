import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OperatorUserDetail } from '@keepsnap/contract/operator-users.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { auditOf, callOperator, makeOperator } from '../../test/operators.ts'
import { lengthenDelay } from '../../test/sign-in-delays.ts'
import { makeUser, validPassword, type TestUser } from '../../test/test-data.ts'

let server: TestServer
let operator: TestUser
beforeAll(async () => {
  server = await startServer()
  operator = await makeOperator(server)
})
afterAll(() => server.close())

const reason = 'A complaint by email'
const act = (user: { id: string }, action: string, body: Record<string, unknown> = { reason }) =>
  callOperator(server, operator, `users/${user.id}/${action}`, body)
const statusOfMe = async ({ token }: TestUser): Promise<number> =>
  (await server.request({ method: 'GET', url: '/user/me', token })).statusCode

test('the password allows actions for 10 minutes, of the session that entered it', async () => {
  const [other, user] = [await makeOperator(server, { isConfirmed: false }), await makeUser(server)]
  const deactivate = () => callOperator(server, other, `users/${user.id}/deactivate`, { reason })
  expect((await deactivate()).json()).toMatchObject({ code: 'password_required' })
  const answer = await callOperator(server, other, 'confirmation', { password: validPassword })
  const minutes = (Date.parse(answer.json<{ confirmed_until: string }>().confirmed_until) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(9)
  expect(minutes).toBeLessThanOrEqual(10.1)
  expect((await deactivate()).statusCode).toBe(200)
  await server.app.deps.pool.query(`update operator_confirmations set confirmed_at = now() - interval '10 minutes'
    where session_hash in (select token_hash from sessions where user_id = '${other.id}')`)
  expect((await deactivate()).statusCode).toBe(403)
  await callOperator(server, other, 'confirmation', { password: validPassword })
  expect((await deactivate()).statusCode).toBe(200)
})

test('a wrong password allows nothing, is delayed as at sign-in, and is logged', async () => {
  const other = await makeOperator(server, { isConfirmed: false })
  const enter = () => callOperator(server, other, 'confirmation', { password: 'Wrong.Horse.9' })
  const answers: number[] = []
  for (let at = 0; at < 5; at += 1) answers.push((await enter()).statusCode)
  await lengthenDelay(server, other.email)
  answers.push((await enter()).statusCode)
  expect(answers).toEqual([403, 403, 403, 403, 403, 429])
  const user = await makeUser(server)
  expect((await callOperator(server, other, `users/${user.id}/deactivate`, { reason })).statusCode).toBe(403)
  const { rows } = await server.app.deps.pool.query<object>(
    `select action, outcome, detail from audit_log where actor_id = $1 order by at limit 1`,
    [other.id],
  )
  expect(rows).toEqual([{ action: 'enter password', outcome: 'refused', detail: 'This is not your current password.' }])
})

test('a deactivated account is signed out at once, and can be activated again', async () => {
  const user = await makeUser(server)
  expect(await statusOfMe(user)).toBe(200)
  const answer = await act(user, 'deactivate')
  expect(answer.json<OperatorUserDetail>()).toMatchObject({
    user: { id: user.id, is_active: false },
    sessions: { count: 0, last_used_at: null },
  })
  expect(await statusOfMe(user)).toBe(401)
  expect((await act(user, 'deactivate')).statusCode).toBe(200)
  expect((await act(user, 'activate')).json<OperatorUserDetail>().user.is_active).toBe(true)
  const done = { actor_kind: 'operator', reason, outcome: 'done', detail: null }
  expect(await auditOf(server, user.id)).toEqual([
    { ...done, action: 'deactivate account' },
    { ...done, action: 'deactivate account' },
    { ...done, action: 'activate account' },
  ])
})

test('operators cannot deactivate themselves, and the log says that they tried', async () => {
  const answer = await act(operator, 'deactivate')
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([409, 'conflict'])
  expect(await statusOfMe(operator)).toBe(200)
  expect(await auditOf(server, operator.id)).toMatchObject([
    { action: 'deactivate account', outcome: 'refused', detail: expect.stringContaining('your own account') },
  ])
})

test('a plan is given until the end of a day, or without an end, and is taken back', async () => {
  const user = await makeUser(server)
  const give = async (plan: string, until: string | null) =>
    (await act(user, 'plan', { plan, until, reason })).json<OperatorUserDetail>().user
  expect(await give('pro_yearly', '2099-01-31')).toMatchObject({
    plan: 'pro_yearly',
    is_complimentary: true,
    plan_until: '2099-01-31T23:59:59.999Z',
  })
  expect(await give('pro_monthly', null)).toMatchObject({ plan: 'pro_monthly', plan_until: null })
  expect(await give('free', '2099-01-31')).toMatchObject({ plan: 'free', is_complimentary: false, plan_until: null })
  const done = { actor_kind: 'operator', reason, outcome: 'done' }
  expect(await auditOf(server, user.id)).toMatchObject([
    { ...done, action: 'give plan pro_yearly until 2099-01-31' },
    { ...done, action: 'give plan pro_monthly' },
    { ...done, action: 'take given plan back' },
  ])
})

test.each([
  ['a day that is over', { plan: 'pro_yearly', until: '2020-01-31', reason }],
  ['a day that does not exist', { plan: 'pro_yearly', until: '2099-02-30', reason }],
  ['a plan that does not exist', { plan: 'gold', until: null, reason }],
  ['no reason', { plan: 'pro_yearly', until: null, reason: ' ' }],
  ['a reason that is too long', { plan: 'pro_yearly', until: null, reason: 'x'.repeat(501) }],
  ['more than is asked for', { plan: 'pro_yearly', until: null, reason, is_admin: true }],
])('%s is refused, and the plan stays', async (_, body) => {
  const user = await makeUser(server)
  expect((await act(user, 'plan', body)).statusCode).toBe(422)
  const detail = await callOperator(server, operator, `users/${user.id}`)
  expect(detail.json<OperatorUserDetail>().user.plan).toBe('free')
})

test('an account that does not exist is not found; the log says what was tried, without the id', async () => {
  const id = '0'.repeat(22)
  for (const action of ['deactivate', 'activate', 'refund']) expect((await act({ id }, action)).statusCode).toBe(404)
  expect((await act({ id }, 'plan', { plan: 'pro_yearly', until: null, reason })).statusCode).toBe(404)
  expect(await auditOf(server, id)).toEqual([])
  const { rows } = await server.app.deps.pool.query<object>(
    `select action, detail from audit_log where subject_id is null and outcome = 'refused' and actor_id = $1 order by at`,
    [operator.id],
  )
  expect(rows).toMatchObject([
    { action: 'deactivate account', detail: 'There is no such account.' },
    { action: 'activate account' },
    { action: 'refund' },
    { action: 'give plan pro_yearly' },
  ])
  expect((await act({ id: "'--" }, 'deactivate')).statusCode).toBe(404)
})
