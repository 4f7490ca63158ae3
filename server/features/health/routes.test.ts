import { rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { serverForThisTest, startServerBehindProxy, type TestServer } from '../../test/harness.ts'
import { countLockWaits } from '../../test/lock-waits.ts'
import { makeUser, upload } from '../../test/test-data.ts'
import { promisedMs } from '../../test/statistics.ts'

const get = async (server: TestServer, url: string, host = 'photos.test') => {
  const { statusCode, body } = await server.request({ method: 'GET', url, headers: { host } })
  return [statusCode, JSON.parse(body)]
}
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

// Polled, because on a slow machine a check can take more than 2 s, which counts as a failure; the next one is right.
test('a healthy server is ready for requests', async () => {
  const server = await serverForThisTest()
  await expect.poll(() => get(server, '/health')).toEqual([200, { status: 'ok', timestamp }])
  await expect.poll(() => get(server, '/ready')).toEqual([200, { status: 'ready', mail: 'on', timestamp }])
})

test('a server whose store is unavailable is degraded and not ready', async () => {
  const server = await serverForThisTest()
  await rename(join(server.dir, 'files'), join(server.dir, 'moved'))
  expect(await get(server, '/health')).toEqual([200, { status: 'degraded', timestamp }])
  await expect
    .poll(() => get(server, '/ready'))
    .toMatchObject([503, { code: 'unavailable', detail: expect.stringContaining('photos cannot be stored') }])
})

test('a server whose database is down says so until it is back', async () => {
  const { server, proxy } = await startServerBehindProxy({ LOG_LEVEL: 'silent' })
  onTestFinished(() => server.close())
  await proxy.dropConnectionsDuring(async () => {
    expect(await get(server, '/health')).toEqual([200, { status: 'degraded', timestamp }])
    const detail = expect.stringContaining('the database is down')
    expect(await get(server, '/ready')).toMatchObject([503, { code: 'unavailable', detail }])
  })
  await expect.poll(async () => (await get(server, '/ready'))[0]).toBe(200)
})

test('a server on the internet without a mail server says that mail is off', async () => {
  const server = await serverForThisTest({ PUBLIC_URL: 'https://photos.example.com' })
  await expect.poll(() => get(server, '/ready', 'photos.example.com')).toMatchObject([200, { mail: 'off' }])
})

test('a server says that emails to guests wait while the outbox folder is full', async () => {
  const server = await serverForThisTest({ OUTBOX_MAX_MB: '10' })
  const filler = join(server.dir, 'outbox', 'filler')
  await writeFile(filler, '')
  await truncate(filler, 9 * 1024 * 1024)
  const owner = await makeUser(server)
  const { id } = (await upload(server, owner, await jpeg())).json<Photo>()
  await server.work()
  const body = { email: 'guest@example.com' }
  await server.request({ method: 'POST', url: `/photos/${id}/request-email`, body })
  await server.work()
  await expect.poll(() => get(server, '/ready')).toMatchObject([200, { status: 'ready', mail: 'waiting' }])
})

test('a slow query of the email queue does not delay /health, delays /ready only briefly, and runs once', async () => {
  const server = await serverForThisTest()
  const { pool } = server.app.deps
  const locking = await pool.connect()
  onTestFinished(() => locking.release(true))
  await locking.query('begin; lock table emails in access exclusive mode')
  const began = performance.now()
  const paths = ['/ready', '/ready', '/health']
  const statuses = async (): Promise<unknown[]> =>
    (await Promise.all(paths.map((path) => get(server, path)))).map(([status]) => status)
  await expect.poll(statuses).toEqual([200, 200, 200])
  await expect.poll(() => countLockWaits(pool)).toBe(1)
  await expect.poll(() => get(server, '/ready')).toMatchObject([200, { mail: 'on' }])
  expect(performance.now() - began).toBeLessThan(promisedMs(10_000))
})
