import { expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { makeUserWithKey } from '../api-keys.ts'
import { serverForThisTest, type TestRequest } from '../harness.ts'
import { makeUser, upload, validPassword } from '../test-data.ts'

// As with a full disk, or after a failover to a copy that is only read.
test('while the database takes no writes, what changes something is refused with 503, and reading goes on', async () => {
  const server = await serverForThisTest({ LOG_LEVEL: 'silent' })
  const { pool } = server.app.deps
  const { user, key } = await makeUserWithKey(server)
  const { id, qr_code_url: code } = (await upload(server, user, await jpeg())).json<Photo>()
  await server.work()
  const other = await makeUser(server)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const signIn = { method: 'POST', url: '/token', headers: form } as const
  const password = encodeURIComponent(validPassword)
  const writes: TestRequest[] = [
    { ...signIn, body: `username=${encodeURIComponent(user.email)}&password=${password}` },
    { ...signIn, body: `username=nobody%40example.com&password=${password}` },
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
