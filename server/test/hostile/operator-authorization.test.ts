import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { createAdminKey } from '../../features/admin/admin-keys.ts'
import { addPhotos } from '../add-photos.ts'
import { newApiKey } from '../../lib/api-keys.ts'
import { startServer, type TestServer } from '../harness.ts'
import { refusalOf } from '../refusals.ts'
import { subscribe } from '../subscriptions.ts'
import { addSupportMessage } from '../support-messages.ts'
import { hashTables } from '../table-hashes.ts'
import { makeUser, validPassword, type TestUser } from '../test-data.ts'

let server: TestServer
let operator: TestUser
let owner: TestUser
let adminKey: string
let names: { account: string; failed: string; reported: string; message: string }

interface Row {
  /** What the address names. */
  name?: keyof typeof names
  /** What is sent, of calls that have a body. */
  body?: object
  /** The entry in the audit log. */
  action?: string
}
const reason = 'A complaint by email'

/** One row for each endpoint that is for operators or admin keys. A new one needs one here. */
const rows: Record<string, Row> = {
  'GET /api/admin/users': {},
  'GET /api/admin/stats': {},
  'GET /api/admin/users/:user_id': { name: 'account' },
  'GET /api/operator/overview': {},
  'GET /api/operator/health': {},
  'GET /api/operator/integrity': {},
  'POST /api/operator/integrity': {},
  'GET /api/operator/audit': {},
  'GET /api/operator/users': {},
  'GET /api/operator/users/:user_id': { name: 'account' },
  'GET /api/operator/failed-photos': {},
  'GET /api/operator/reports': {},
  'GET /api/operator/support': {},
  'GET /api/operator/support/:id': { name: 'message' },
  // In the log too, without a reason; server/features/support/operator-routes.test.ts.
  'PUT /api/operator/support/:id': { name: 'message', body: { state: 'answered' } },
  'POST /api/operator/support/:id/delete': { name: 'message', body: { reason }, action: 'delete support message' },
  'POST /api/operator/confirmation': { body: { password: validPassword } },
  'POST /api/operator/photos/:id/retry': { name: 'failed', body: { reason }, action: 'retry photo' },
  'POST /api/operator/photos/:id/hide': { name: 'reported', body: { reason }, action: 'hide reported photo' },
  'POST /api/operator/photos/:id/show': { name: 'reported', body: { reason }, action: 'show reported photo' },
  'POST /api/operator/users/:user_id/plan': {
    name: 'account',
    body: { plan: 'pro_yearly', until: null, reason },
    action: 'give plan pro_yearly',
  },
  'POST /api/operator/users/:user_id/refund': { name: 'account', body: { reason }, action: 'refund' },
  'POST /api/operator/users/:user_id/deactivate': { name: 'account', body: { reason }, action: 'deactivate account' },
  'POST /api/operator/users/:user_id/activate': { name: 'account', body: { reason }, action: 'activate account' },
}
const called = ({ method, path }: Endpoint): string => `${method} ${path}`
const rowOf = (shape: Endpoint): Row => rows[called(shape)] ?? {}
const addressOf = (shape: Endpoint): string => {
  const { name } = rowOf(shape)
  return name === undefined ? shape.path : shape.path.replace(/:\w+/, names[name])
}
const call = (shape: Endpoint, headers: Record<string, string>) => {
  const { body } = rowOf(shape)
  return server.request({ method: shape.method, url: addressOf(shape), headers, ...(body && { body }) })
}
const bearer = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })

const isFor = (kind: 'admin' | 'operator') => (shape: Endpoint) => accessOf(shape).includes(kind)
const shown = (shapes: readonly Endpoint[]): [string, Endpoint][] => shapes.map((shape) => [called(shape), shape])
const closed = endpoints.filter((shape) => isFor('admin')(shape) || isFor('operator')(shape))
const actions = closed.filter((shape) => rowOf(shape).action !== undefined)

beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
  ;[operator, owner] = [await makeUser(server), await makeUser(server)]
  const { pool } = server.app.deps
  await pool.query('update users set is_admin = true where id = $1', [operator.id])
  await subscribe(server, owner)
  const [failed = ''] = await addPhotos(server, owner, { count: 1, state: 'failed' })
  const [reported = ''] = await addPhotos(server, owner, { count: 1 })
  await pool.query(`insert into photo_reports (id, photo_id, user_id, reason) values ('r1', $1, $2, 'me')`, [
    reported,
    owner.id,
  ])
  names = { account: owner.id, failed, reported, message: await addSupportMessage(server, { owner: owner.id }) }
  adminKey = (await createAdminKey(server.db, 'reports'))?.key ?? ''
})
afterAll(() => server.close())

test('every endpoint for operators or admin keys has its row here, and no other has', () => {
  expect(Object.keys(rows).toSorted()).toEqual(closed.map(called).toSorted())
  for (const shape of closed) expect(accessOf(shape)).toHaveLength(1)
})

describe('nobody else gets in, and nothing changes', () => {
  test.each(shown(closed))('%s', async (_, shape) => {
    const { pool } = server.app.deps
    const [demoted, deactivated] = [await makeUser(server), await makeUser(server)]
    await pool.query('update users set is_admin = true, is_active = false where id = $1', [deactivated.id])
    const strangers: Record<string, string>[] = [
      {},
      bearer(owner),
      bearer(demoted),
      bearer(deactivated),
      { 'api-key': newApiKey('customer') },
      { 'x-api-key': newApiKey('admin') },
      { 'api-key': operator.token },
      { authorization: `Bearer ${adminKey}` },
      { cookie: `token=${operator.token}; api-key=${adminKey}` },
      isFor('admin')(shape) ? bearer(operator) : { 'api-key': adminKey },
    ]
    const before = await hashTables(server)
    for (const headers of strangers) {
      const answer = await call(shape, headers)
      expect([headers, answer.statusCode, answer.json()]).toEqual([headers, ...refusalOf(shape)])
    }
    expect(await hashTables(server)).toEqual(before)
  })
})

describe('an operator who has not entered the password', () => {
  test.each(shown(actions))('%s is refused, and changes nothing', async (_, shape) => {
    const before = await hashTables(server)
    const answer = await call(shape, bearer(operator))
    expect([answer.statusCode, answer.json()]).toEqual([
      403,
      { code: 'password_required', detail: 'Please enter your password to go on.' },
    ])
    expect(await hashTables(server)).toEqual(before)
  })
})

const headersFor = (shape: Endpoint) => (isFor('admin')(shape) ? { 'api-key': adminKey } : bearer(operator))

test('with the admin key, or with the password entered, every action succeeds', async () => {
  for (const shape of closed) {
    const answer = await call(shape, headersFor(shape))
    expect([called(shape), answer.statusCode, answer.body]).toEqual([called(shape), 200, answer.body])
  }
})

test.each(shown(actions))('%s is in the log, and needs a reason', async (_, shape) => {
  const { body, action } = rowOf(shape)
  const { rows: logged } = await server.app.deps.pool.query<object>(
    `select actor_name, reason, outcome, user_id from audit_log where action = $1`,
    [action],
  )
  expect(logged).toEqual([{ actor_name: operator.email, reason, outcome: 'done', user_id: owner.id }])
  // The one of before is deleted.
  names.message = await addSupportMessage(server, { owner: owner.id })
  const unexplained = { method: shape.method, url: addressOf(shape), headers: bearer(operator) } as const
  for (const empty of ['', ' \n '])
    expect((await server.request({ ...unexplained, body: { ...body, reason: empty } })).statusCode).toBe(422)
})
