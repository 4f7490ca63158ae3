import { rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import type { DatabaseProxy } from '../../test/database-proxy.ts'
import { startServerBehindProxy, type TestServer } from '../../test/harness.ts'
import { countLockWaits } from '../../test/cloned-database.ts'
import { promisedMs } from '../../test/statistics.ts'
import { makeUser, upload } from '../../test/test-data.ts'

let server: TestServer
let proxy: DatabaseProxy
beforeAll(async () => {
  ;({ server, proxy } = await startServerBehindProxy({ LOG_LEVEL: 'silent', OUTBOX_MAX_MB: '10' }))
})
afterAll(() => server.close())

const get = async (url: string) => {
  const { statusCode, body } = await server.request({ method: 'GET', url })
  return [statusCode, JSON.parse(body)]
}
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

// It is the first, because the state of the email queue is read every ten seconds only.
test('a slow query of the email queue does not delay /health, delays /ready only briefly, and runs once; then it tells what waits', async () => {
  const filler = join(server.dir, 'outbox', 'filler')
  await writeFile(filler, '')
  await truncate(filler, 9 * 1024 * 1024)
  const { id } = (await upload(server, await makeUser(server), await jpeg())).json<Photo>()
  await server.work()
  const body = { email: 'guest@example.com' }
  await server.request({ method: 'POST', url: `/photos/${id}/request-email`, body })
  await server.work()

  const { pool } = server.app.deps
  const locking = await pool.connect()
  onTestFinished(() => locking.release(true))
  await locking.query('begin; lock table emails in access exclusive mode')
  const began = performance.now()
  const paths = ['/ready', '/ready', '/health']
  const statuses = async (): Promise<unknown[]> => (await Promise.all(paths.map(get))).map(([status]) => status)
  await expect.poll(statuses).toEqual([200, 200, 200])
  await expect.poll(() => countLockWaits(pool)).toBe(1)
  await expect.poll(() => get('/ready')).toMatchObject([200, { mail: 'on' }])
  expect(performance.now() - began).toBeLessThan(promisedMs(10_000))
  await locking.query('rollback')
  // While the outbox folder is full, emails to guests wait.
  await expect.poll(() => get('/ready')).toMatchObject([200, { status: 'ready', mail: 'waiting' }])
})

// Polled, because on a slow machine a check can take more than 2 s, which counts as a failure; the next one is right.
test('a healthy server is ready for requests', async () => {
  await expect.poll(() => get('/health')).toEqual([200, { status: 'ok', timestamp }])
  await expect.poll(() => get('/ready')).toMatchObject([200, { status: 'ready', timestamp }])
})

test('a server whose store is unavailable is degraded and not ready', async () => {
  const [files, moved] = [join(server.dir, 'files'), join(server.dir, 'moved')]
  await rename(files, moved)
  await expect.poll(() => get('/health')).toEqual([200, { status: 'degraded', timestamp }])
  const detail = expect.stringContaining('photos cannot be stored')
  await expect.poll(() => get('/ready')).toMatchObject([503, { code: 'unavailable', detail }])
  await rename(moved, files)
  await expect.poll(async () => (await get('/ready'))[0]).toBe(200)
})

test('a server whose database is down says so until it is back', async () => {
  await proxy.dropConnectionsDuring(async () => {
    await expect.poll(() => get('/health')).toEqual([200, { status: 'degraded', timestamp }])
    const detail = expect.stringContaining('the database is down')
    expect(await get('/ready')).toMatchObject([503, { code: 'unavailable', detail }])
  })
  await expect.poll(async () => (await get('/ready'))[0]).toBe(200)
})
