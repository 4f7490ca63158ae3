import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OperatorOverview } from '@keepsnap/contract/operator.ts'
import type { SupportMessage, SupportSummary } from '@keepsnap/contract/operator-support.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { callOperator, makeOperator } from '../../test/operators.ts'
import { addSupportMessage } from '../../test/support-messages.ts'
import { makeUser, validPassword, type TestUser } from '../../test/test-data.ts'

let server: TestServer
let operator: TestUser
beforeAll(async () => {
  server = await startServer()
  operator = await makeOperator(server)
})
beforeEach(async () => {
  await server.app.deps.pool.query('delete from support_messages')
  await server.app.deps.pool.query('delete from audit_log')
})
afterAll(() => server.close())

const list = async (query = '') =>
  (await callOperator(server, operator, `support${query}`)).json<{
    messages: SupportSummary[]
    counts: object
    total: number
  }>()
const read = (id: string) => callOperator(server, operator, `support/${id}`)
const change = (id: string, state: string) =>
  server.request({ method: 'PUT', url: `/api/operator/support/${id}`, token: operator.token, body: { state } })
const remove = (id: string) => callOperator(server, operator, `support/${id}/delete`, { reason: 'They asked for it' })
const log = async () =>
  (
    await server.app.deps.pool.query<object>(
      'select actor_name, action, reason, outcome, user_id from audit_log order by at, id',
    )
  ).rows

test('the inbox shows those with priority first, then the newest, in pages', async () => {
  const ids = {
    old: await addSupportMessage(server, { days: 3 }),
    priority: await addSupportMessage(server, { days: 2, priority: true }),
    newest: await addSupportMessage(server),
    answered: await addSupportMessage(server, { state: 'answered', days: 1 }),
    suspected: await addSupportMessage(server, { state: 'suspected' }),
  }
  const { messages, counts, total } = await list()
  expect(messages.map(({ id }) => id)).toEqual([ids.priority, ids.newest, ids.old])
  expect([counts, total]).toEqual([{ open: 3, priority: 1, answered: 1, suspected: 1 }, 3])
  expect(messages[0]).toEqual({
    id: ids.priority,
    name: 'Ann',
    email: 'ann@example.com',
    subject: 'The screen is dark',
    excerpt: 'It was light before.',
    priority: true,
    state: 'open',
    sent_at: expect.stringMatching(/Z$/),
    answered_at: null,
  })
  expect((await list('?skip=1&limit=1')).messages.map(({ id }) => id)).toEqual([ids.newest])
  expect((await list('?state=answered')).messages).toMatchObject([
    { id: ids.answered, answered_at: expect.any(String) },
  ])
  expect((await list('?state=suspected')).messages).toMatchObject([{ id: ids.suspected }])
  expect((await callOperator(server, operator, 'support?limit=101')).statusCode).toBe(422)
  const overview = (await callOperator(server, operator, 'overview')).json<OperatorOverview>()
  expect(overview.support).toEqual({ open: 3, priority: 1 })
})

test('a message is shown whole, with the account that sent it', async () => {
  const user = await makeUser(server)
  const [own, visitors] = [await addSupportMessage(server, { owner: user.id }), await addSupportMessage(server)]
  expect((await read(own)).json<SupportMessage>()).toMatchObject({
    message: 'It was light before.',
    account: { id: user.id, email: user.email },
  })
  expect((await read(visitors)).json<SupportMessage>().account).toBeNull()
  for (const id of ['x', 'A'.repeat(22)]) expect((await read(id)).statusCode).toBe(404)
})

test('a message is answered, reopened and suspected, and each of it is in the log once', async () => {
  const user = await makeUser(server)
  const id = await addSupportMessage(server, { owner: user.id })
  const answered = (await change(id, 'answered')).json<SupportMessage>()
  expect([answered.state, answered.answered_at]).toEqual(['answered', expect.any(String)])
  // Again has no further effect.
  expect((await change(id, 'answered')).json<SupportMessage>()).toEqual(answered)
  expect((await change(id, 'open')).json<SupportMessage>()).toMatchObject({ state: 'open', answered_at: null })
  expect((await change(id, 'suspected')).json<SupportMessage>()).toMatchObject({ state: 'suspected' })
  const done = { actor_name: operator.email, reason: null, outcome: 'done', user_id: user.id }
  expect(await log()).toEqual([
    { ...done, action: 'mark support message as answered' },
    { ...done, action: 'reopen support message' },
    { ...done, action: 'mark support message as suspected' },
  ])
  expect((await change(id, 'gone')).statusCode).toBe(422)
  expect((await change('A'.repeat(22), 'open')).statusCode).toBe(404)
})

const outboxFiles = () => readdir(join(server.dir, 'outbox')).catch(() => [])

test('deleting needs the password and a reason, and deletes the email about the message', async () => {
  const body = { name: 'Ann', email: 'ann@example.com', subject: 'Delete me', message: 'Please' }
  await server.request({ method: 'POST', url: '/support', body })
  await server.work()
  const id = (await list()).messages[0]!.id
  expect(await outboxFiles()).toContain(`${id}.eml`)
  const unconfirmed = await makeOperator(server, { isConfirmed: false })
  const refused = await callOperator(server, unconfirmed, `support/${id}/delete`, { reason: 'x' })
  expect([refused.statusCode, refused.json()]).toMatchObject([403, { code: 'password_required' }])
  expect((await callOperator(server, operator, `support/${id}/delete`, { reason: ' ' })).statusCode).toBe(422)
  expect((await remove(id)).json()).toEqual({ deleted: true })
  await server.work()
  expect(await outboxFiles()).not.toContain(`${id}.eml`)
  expect((await read(id)).statusCode).toBe(404)
  expect((await remove(id)).statusCode).toBe(404)
  expect(await log()).toMatchObject([
    { action: 'delete support message', reason: 'They asked for it', outcome: 'done', user_id: null },
  ])
})

test('messages of an account are deleted with it, with their emails and what the log says about them', async () => {
  const user = await makeUser(server)
  const body = { name: 'Ann', email: 'own@example.com', subject: 'Mine', message: 'Secret words' }
  await server.request({ method: 'POST', url: '/support', body, token: user.token })
  const visitors = await addSupportMessage(server)
  await server.work()
  const { id } = (await list()).messages.find(({ subject }) => subject === 'Mine')!
  await change(id, 'suspected')
  const before = await outboxFiles()
  expect(before).toContain(`${id}.eml`)
  const deleted = await server.request({
    method: 'DELETE',
    url: '/user',
    token: user.token,
    body: { password: validPassword },
  })
  expect(deleted.statusCode).toBe(204)
  await server.work()
  expect((await list()).messages.map((message) => message.id)).toEqual([visitors])
  expect((await list('?state=suspected')).messages).toEqual([])
  expect(await outboxFiles()).not.toContain(`${id}.eml`)
  expect(await log()).toMatchObject([{ action: 'mark support message as suspected', user_id: null }])
})
