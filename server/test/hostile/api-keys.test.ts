import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { rates } from '@keepsnap/contract/limits.ts'
import { newApiKey } from '../../lib/api-keys.ts'
import { createKey, getByKey, makeApiUser, makeUserWithKey } from '../api-keys.ts'
import { newClientAddress, startServer, type TestServer } from '../harness.ts'
import { refusalOf } from '../refusals.ts'
import { startServerProcess } from '../server-process.ts'
import { promisedMs, repetitions } from '../statistics.ts'
import { hashTables } from '../table-hashes.ts'
import { grantPlan } from '../test-data.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
})
afterAll(() => server.close())

describe('a key gives access only to reading photos and uploading', () => {
  const opensByKey = (shape: Endpoint): boolean => accessOf(shape).includes('key')

  test('that is, to these calls', () => {
    expect(endpoints.filter(opensByKey).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /user/me',
      'POST /api/upload',
      'GET /api/photos',
      'GET /api/photos/latest',
    ])
  })

  test('every other call refuses the key of an admin as it refuses strangers, and changes nothing', async () => {
    const { user, key } = await makeUserWithKey(server)
    await server.app.deps.pool.query('update users set is_admin = true where id = $1', [user.id])
    expect((await getByKey(server, key, '/api/photos')).statusCode).toBe(200)
    const before = await hashTables(server)
    const others = endpoints.filter((shape) => !opensByKey(shape) && !accessOf(shape).includes('public'))
    for (const shape of others) {
      const answers = await Promise.all(
        [{ 'x-api-key': key }, { 'api-key': key }, { authorization: `Bearer ${key}` }].map((headers) =>
          server.request({ method: shape.method, url: shape.path.replace(/:\w+/g, user.id), headers }),
        ),
      )
      for (const answer of answers)
        expect([shape.path, answer.statusCode, answer.json()]).toEqual([shape.path, ...refusalOf(shape)])
    }
    expect(await hashTables(server)).toEqual(before)
  })
})

test('keys cannot be found by trying: 60 wrong ones a minute are counted, and good keys still work', async () => {
  const { key } = await makeUserWithKey(server)
  const from = newClientAddress()
  const call = async (headers: Record<string, string>) =>
    (await server.request({ method: 'GET', url: '/api/photos?limit=1', headers, from })).statusCode
  // With a right checksum, of another kind, with one wrong character, and of any form.
  const guesses = [
    () => newApiKey('customer'),
    () => newApiKey('admin'),
    () => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
    () => 'x',
  ]
  const found = new Map<number, number>()
  for (let n = 0; n < repetitions(80, 10_000); n++) {
    const status = await call({ [n % 2 ? 'api-key' : 'x-api-key']: guesses[n % guesses.length]!() })
    found.set(status, (found.get(status) ?? 0) + 1)
  }
  expect([...found.keys()].toSorted((a, b) => a - b)).toEqual([401, 429])
  // A long run takes some minutes.
  expect(found.get(401)).toBeLessThanOrEqual(repetitions(rates.unknownKeys.perMinute, 600))
  expect(await call({ 'api-key': key })).toBe(200)
}, 600_000)

describe('over two processes', () => {
  test('100 calls a minute with one key are 100, and nothing is answered a second after the key was deleted', async () => {
    const user = await makeApiUser(server)
    const [counted, deleted] = [await createKey(server, user), await createKey(server, user)]
    const other = await startServerProcess(onTestFinished, {
      database: server.database,
      dir: server.dir,
      command: ['serve', '--no-work'],
    })
    const addresses = [await server.listen(), other.address]
    const status = async (address: string, key: string, header: string): Promise<number> =>
      (await fetch(`${address}/api/photos?limit=1`, { headers: { [header]: key } })).status

    // Both names of the header, both processes, at once.
    const statuses = await Promise.all(
      Array.from({ length: rates.photos.perMinute + 20 }, (_, n) =>
        status(addresses[n % 2]!, counted.key, n % 4 < 2 ? 'api-key' : 'x-api-key'),
      ),
    )
    expect(statuses.filter((one) => one === 200)).toHaveLength(rates.photos.perMinute)
    expect(statuses.filter((one) => one === 429)).toHaveLength(20)

    // Calls go on while the key is deleted.
    expect(await status(other.address, deleted.key, 'api-key')).toBe(200)
    await server.request({ method: 'DELETE', url: `/api/keys/${deleted.id}`, token: user.token })
    const deletedAt = performance.now()
    const answers: { startedMs: number; statuses: number[] }[] = []
    const isRefusedByBoth = ({ statuses: both }: { statuses: number[] }): boolean => both.every((one) => one === 401)
    while (answers.filter(isRefusedByBoth).length < 5 && performance.now() - deletedAt < 3 * promisedMs(1_000)) {
      const startedMs = performance.now() - deletedAt
      const both = await Promise.all(addresses.map((address) => status(address, deleted.key, 'api-key')))
      answers.push({ startedMs, statuses: both })
    }
    const firstRefused = answers.findIndex(isRefusedByBoth)
    expect(answers[firstRefused]!.startedMs).toBeLessThan(promisedMs(1_000))
    expect(answers.slice(firstRefused)).toHaveLength(5)
  })

  test('a downgrade in the middle of many calls lets none through after the first refusal', async () => {
    const { user, key } = await makeUserWithKey(server)
    const calls: { startedAt: number; endedAt: number; status: number }[] = []
    const isRefused = ({ status }: { status: number }): boolean => status === 403
    const call = async (): Promise<void> => {
      const startedAt = performance.now()
      const { statusCode: status } = await getByKey(server, key, '/api/photos?limit=1')
      calls.push({ startedAt, endedAt: performance.now(), status })
      // Far from the limit of calls per minute, however long the change of the plan takes.
      if (calls.length % 50 === 0) await server.app.deps.pool.query('delete from rate_hits')
    }
    const loops = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (calls.length < 5_000 && calls.filter(isRefused).length < 8) await call()
      }),
    )
    await expect.poll(() => calls.length, { interval: 1 }).toBeGreaterThan(4)
    await grantPlan(server, user, 'pro_monthly')
    await loops
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200, 403]))
    const firstRefusal = calls.find(isRefused)!
    expect(calls.filter(({ startedAt }) => startedAt > firstRefusal.endedAt).every(isRefused)).toBe(true)
  })
})
