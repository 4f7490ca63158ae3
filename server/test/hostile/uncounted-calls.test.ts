import { expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { createAdminKey } from '../../features/admin/admin-keys.ts'
import { newApiKey } from '../../lib/api-keys.ts'
import { makeUserWithKey } from '../api-keys.ts'
import { serverForThisTest, type TestRequest } from '../harness.ts'
import { makeOperator } from '../operators.ts'
import { makeUser, upload, validPassword } from '../test-data.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const signInBody = (email: string): string =>
  new URLSearchParams({ username: email, password: validPassword }).toString()

test('when calls cannot be counted, nobody is let in, nothing is sent or changed, and reading goes on', async () => {
  const log: string[] = []
  const server = await serverForThisTest({}, { out: { write: (line) => log.push(line) } })
  const { pool } = server.app.deps
  const { user, key } = await makeUserWithKey(server)
  const [operator, admin] = [await makeOperator(server), await createAdminKey(server.db, 'reports')]
  await pool.query('alter function count_rate(text, integer) rename to count_rate_gone')
  const email = { email: user.email }
  const refused: TestRequest[] = [
    { method: 'POST', url: '/token', headers: form, body: signInBody(user.email) },
    { method: 'POST', url: '/register', body: { email: 'new@example.com', password: validPassword } },
    { method: 'POST', url: '/request-password-reset', body: email },
    { method: 'POST', url: '/reset-password', body: { token: 'x'.repeat(43), new_password: validPassword } },
    { method: 'POST', url: '/user/test-email', token: user.token },
    { method: 'POST', url: '/user/email', token: user.token, body: { ...email, password: validPassword } },
    { method: 'POST', url: '/api/keys', token: user.token, body: { name: 'x' } },
    { method: 'POST', url: '/api/upload', headers: { 'api-key': key } },
    { method: 'GET', url: '/api/photos', headers: { 'api-key': newApiKey('customer') } },
    { method: 'GET', url: '/api/admin/users', headers: { 'api-key': admin!.key } },
    { method: 'GET', url: `/d/${'0'.repeat(22)}` },
  ]
  for (const call of refused) {
    const answer = await server.request(call)
    expect([call.url, answer.statusCode, answer.headers['retry-after']]).toEqual([call.url, 503, '2'])
    expect(answer.json()).toMatchObject({ code: 'unavailable' })
  }
  const byKey = { method: 'GET', headers: { 'x-api-key': key } } as const
  for (const url of ['/api/photos', '/user/me']) {
    const answer = await server.request({ ...byKey, url })
    expect([answer.statusCode, answer.headers['ratelimit']]).toEqual([200, undefined])
  }
  for (const [url, { token }] of [
    ['/photos', user],
    ['/api/operator/overview', operator],
  ] as const)
    expect((await server.request({ method: 'GET', url, token })).statusCode).toBe(200)
  const health = async () => (await server.request({ method: 'GET', url: '/health' })).json<unknown>()
  await expect.poll(health).toMatchObject({ status: 'ok' })
  expect(log.filter((line) => line.includes('calls cannot be counted'))).toHaveLength(1)
})

// As with a full disk, or after a failover to a copy that is only read.
test('while the database takes no writes, what changes something is refused with 503, and reading goes on', async () => {
  const server = await serverForThisTest({ LOG_LEVEL: 'silent' })
  const { pool } = server.app.deps
  const { user, key } = await makeUserWithKey(server)
  const { id, qr_code_url: code } = (await upload(server, user, await jpeg())).json<Photo>()
  await server.work()
  const other = await makeUser(server)
  const signIn = { method: 'POST', url: '/token', headers: form } as const
  const writes: TestRequest[] = [
    { ...signIn, body: signInBody(user.email) },
    { ...signIn, body: signInBody('nobody@example.com') },
    { method: 'POST', url: '/register', body: { email: 'new@example.com', password: validPassword } },
    { method: 'POST', url: '/request-password-reset', body: { email: user.email } },
    { method: 'POST', url: `/photos/${id}/request-email`, body: { email: 'guest@example.com' } },
    { method: 'PUT', url: '/user/settings', token: user.token, body: { username: 'Sofie' } },
    { method: 'POST', url: '/user/test-email', token: other.token },
  ]
  const direct = new URL(code).pathname.replace('.png', '')
  const reads: TestRequest[] = [
    { method: 'GET', url: '/photos', token: user.token },
    { method: 'GET', url: '/user/me', token: user.token },
    { method: 'GET', url: '/api/photos', headers: { 'api-key': key } },
    { method: 'GET', url: '/user/me', headers: { 'x-api-key': key } },
    { method: 'GET', url: direct },
    { method: 'GET', url: direct.replace('/qr', '') },
    { method: 'GET', url: `/request-photo/${id}` },
  ]
  const statuses = async (calls: TestRequest[]): Promise<number[]> =>
    (await Promise.all(calls.map((call) => server.request(call)))).map(({ statusCode }) => statusCode)
  // Sessions and keys write the time of their last use.
  await pool.query("update sessions set last_used_at = now() - interval '2 hours'")
  await pool.query("update api_keys set last_used_at = now() - interval '2 hours'")
  const name = server.database.database!
  const setReadOnly = async (isReadOnly: boolean): Promise<void> => {
    await pool.query(
      `begin; set transaction read write; alter database ${name} set default_transaction_read_only = ${isReadOnly}; commit`,
    )
    await pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    )
    await pool.query(`set default_transaction_read_only = ${isReadOnly}`)
  }
  await setReadOnly(true)
  await expect.poll(() => statuses(writes)).toEqual(writes.map(() => 503))
  await expect.poll(() => statuses(reads)).toEqual(reads.map(() => 200))
  const refused = await server.request(writes[0]!)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
  await setReadOnly(false)
  await expect.poll(async () => (await statuses(writes)).filter((status) => status >= 500)).toEqual([])
})
