import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestEmail } from '@keepsnap/contract/readiness.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const call = (method: 'GET' | 'POST', { token }: TestUser) => server.request({ method, url: '/user/test-email', token })

test('a test email goes to the user’s own address, and its state says when it was sent', async () => {
  const user = await makeUser(server)
  expect((await call('GET', user)).json<TestEmail>()).toEqual({
    state: 'none',
    asked_at: null,
    sent_at: null,
    reason: null,
    mail: 'outbox',
  })
  const queued = await call('POST', user)
  expect([queued.statusCode, queued.json<TestEmail>()]).toEqual([
    200,
    { state: 'queued', asked_at: expect.any(String), sent_at: null, reason: null, mail: 'outbox' },
  ])
  await server.work()
  expect((await call('GET', user)).json<TestEmail>()).toMatchObject({ state: 'sent', sent_at: expect.any(String) })
  const { rows } = await server.app.deps.pool.query<{ recipient: string }>(
    "select recipient from emails where kind = 'test' and user_id = $1",
    [user.id],
  )
  expect(rows).toEqual([{ recipient: user.email }])
})

test('a test email that failed says why', async () => {
  const user = await makeUser(server)
  await call('POST', user)
  await server.app.deps.pool.query(
    "update emails set state = 'failed', failure = 'The mail server requires authentication.' where kind = 'test' and user_id = $1",
    [user.id],
  )
  expect((await call('GET', user)).json<TestEmail>()).toMatchObject({
    state: 'failed',
    sent_at: null,
    reason: 'The mail server requires authentication.',
  })
})

test('three test emails an hour are sent, also when they are asked for at once', async () => {
  const [user, other] = [await makeUser(server), await makeUser(server)]
  const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST', user)))
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2)
  expect((await call('POST', user)).json()).toMatchObject({ code: 'rate_limited' })
  expect((await call('POST', other)).statusCode).toBe(200)
})
