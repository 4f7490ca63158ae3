import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { seededRandom, repetitions, logWithSeed, promisedMs } from '../statistics.ts'
import type { DatabaseProxy } from '../database-proxy.ts'
import { newClientAddress, startServerBehindProxy, type TestServer } from '../harness.ts'
import { makeUser, upload } from '../test-data.ts'
import { expectConsistent, runOverdueWork } from '../consistency-check.ts'

let server: TestServer
let proxy: DatabaseProxy
const photo = await jpeg()
beforeAll(async () => {
  ;({ server, proxy } = await startServerBehindProxy({ LOG_LEVEL: 'silent' }))
})
afterAll(() => server.close())

test('a database that crashes repeatedly under load causes 503 responses and nothing else', async () => {
  const user = await makeUser(server)
  const allowAll = async (): Promise<void> => {
    await server.app.deps.pool.query("update users set granted_plan = 'pro_yearly' where id = $1", [user.id])
    await server.app.deps.pool.query('delete from rate_hits')
  }
  await allowAll()
  const first = (await upload(server, user, photo)).json<Photo>()
  await server.work()
  const made = (await server.request({ method: 'GET', url: `/photos/${first.id}`, token: user.token })).json<Photo>()
  const path = (address: string): string => new URL(address).pathname + new URL(address).search
  const acknowledged = new Set([first.id])
  const statuses = new Map<number, number>()
  const wrong: string[] = []
  const over = new AbortController()
  const ask = async (url: string): Promise<void> => {
    const form = new URLSearchParams({
      username: `${newClientAddress()}@example.com`,
      password: 'Wrong.Password.1',
    }).toString()
    const signingIn = url === '/token'
    const answer = signingIn
      ? await server.request({
          method: 'POST',
          url,
          body: form,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
      : url === '/photos/upload'
        ? await upload(server, user, photo)
        : await server.request({ method: 'GET', url, token: user.token })
    const { statusCode, headers } = answer
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    const fine = signingIn ? 401 : url === '/photos/upload' ? 201 : 200
    if (statusCode === 201) acknowledged.add(answer.json<Photo>().id)
    if (statusCode !== fine && !(statusCode === 503 && Number(headers['retry-after']) > 0))
      wrong.push(`${url}: ${statusCode} ${answer.body.slice(0, 300)}`)
  }
  const urls = ['/photos', '/photos/latest', `/photos/${first.id}`, path(made.thumbnail_url!), path(made.b2_url!)]
  const lanes = [...urls, '/token', '/photos/upload'].map(async (url) => {
    while (!over.signal.aborted) {
      await ask(url)
      await delay(url === '/photos/upload' ? 100 : 20)
    }
  })
  const cycles = repetitions(3, 200)
  const random = seededRandom('database deaths')
  let slowest = 0
  for (let n = 0; n < cycles; n++) {
    await proxy.dropConnectionsDuring(() => delay(random.integerBelow(300)))
    const began = performance.now()
    await expect
      .poll(
        async () => (await server.request({ method: 'GET', url: '/photos/latest', token: user.token })).statusCode,
        { timeout: promisedMs(30_000), interval: 20 },
      )
      .toBe(200)
    slowest = Math.max(slowest, performance.now() - began)
    await allowAll()
    await delay(random.integerBelow(200))
  }
  over.abort()
  await Promise.all(lanes)
  const seen = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')
  logWithSeed(`${cycles} deaths of the database: ${seen}; back after ${Math.round(slowest)} ms at most`)
  expect(wrong.slice(0, 5)).toEqual([])
  expect(statuses.get(503)).toBeGreaterThan(0)
  expect(slowest).toBeLessThan(promisedMs(20_000))
  await runOverdueWork(server)
  const photos = (await server.request({ method: 'GET', url: '/photos', token: user.token })).json<Photo[]>()
  const there = new Set(photos.filter(({ processing_complete: done }) => done).map(({ id }) => id))
  expect([...acknowledged].filter((id) => !there.has(id))).toEqual([])
  await expectConsistent(server)
}, 600_000)
