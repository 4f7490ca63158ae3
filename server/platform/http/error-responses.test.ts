import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { signOut } from '@keepsnap/contract/accounts.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { useServer } from '../../test/harness.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'
import { RateLimitExceeded } from './rate-limits.ts'
import { bareHeaders, createBareServer } from '../../test/bare-server.ts'

const fill = (path: string): string => path.replace(/:\w+/g, '0123456789012345678901')

let user: TestUser
const server = useServer({ LOG_LEVEL: 'silent' })
beforeAll(async () => {
  user = await makeUser(server)
})

test('a bug in any endpoint is answered 500 with a fixed sentence and no details', async () => {
  // Every statement on these tables now fails unexpectedly.
  await server.app.deps.pool.query('alter table photos rename to photos_gone')
  await server.app.deps.pool.query('alter table ws_tickets rename to tickets_gone')
  let bugs = 0
  for (const { method, path } of endpoints.filter(({ path }) => path !== signOut.path)) {
    const answer = await server.request({ method, url: fill(path), token: user.token })
    // The inline style and script of guest pages may contain these words.
    const text = answer.body.replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    // With a line number after ".ts": random codes and signatures may begin with "ts".
    expect(text).not.toMatch(/photos_gone|relation|select|\.ts:\d|\/server\/|pg-protocol/i)
    if (answer.statusCode !== 500) continue
    bugs += 1
    expect(answer.json()).toEqual({
      code: 'internal',
      detail: expect.stringMatching(
        /^Something went wrong on our side\. Please try again; if the problem persists, quote this reference: \w{12}$/,
      ),
    })
  }
  expect(bugs).toBeGreaterThan(8)
  await server.app.deps.pool.query('alter table photos_gone rename to photos')
  await server.app.deps.pool.query('alter table tickets_gone rename to ws_tickets')
})

test('without a database, requests are soon answered 503 with Retry-After', async () => {
  const { host, user: name } = inject('cluster')
  const admin = new Client({ host, user: name, database: 'postgres' })
  await admin.connect()
  server.app.deps.pool.options.host = '/nowhere'
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    server.database.database,
  ])
  await admin.end()
  const began = performance.now()
  for (const [method, url] of [
    ['GET', '/photos'],
    ['GET', '/photos/latest'],
    ['POST', '/ws/ticket'],
    ['GET', '/d/0123456789012345678901'],
  ] as const) {
    const answer = await server.request({ method, url, token: user.token })
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2'])
  }
  // Somebody who scans a code gets a page that loads again.
  const headers = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'nl' }
  const page = await server.request({ method: 'GET', url: '/d/0123456789012345678901', headers })
  expect([page.statusCode, page.headers['retry-after'], page.headers['cache-control']]).toEqual([503, '2', 'no-store'])
  expect(page.body).toContain('<meta http-equiv="refresh" content="5"/>')
  expect(page.body).toContain('<h1>Een ogenblik</h1>')
  const guess = await server.request({
    method: 'POST',
    url: '/token',
    body: 'username=a%40b.cc&password=x',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(guess.statusCode).toBe(503)
  // What it found just before counts for a second.
  const health = async () => (await server.request({ method: 'GET', url: '/health' })).json<{ status: string }>().status
  await expect.poll(health).toBe('degraded')
  expect((await server.request({ method: 'GET', url: '/ready' })).statusCode).toBe(503)
  expect(performance.now() - began).toBeLessThan(20_000)
  server.app.deps.pool.options.host = server.database.host!
})

describe('a browser gets a page', () => {
  const app = createBareServer()
  const rateLimit = () => {
    throw new RateLimitExceeded({ rate: 'unknownCodes', remaining: 0, seconds: 17 })
  }
  const databaseDown = () => {
    throw Object.assign(new Error('the database system is starting up'), { code: '57P03', severity: 'FATAL' })
  }
  app.get('/d/:code', rateLimit)
  app.post('/report-photo/:id', rateLimit)
  app.post('/stop/:secret', databaseDown)
  app.post('/photos/:id/report', rateLimit)
  afterAll(() => app.close())
  const send = (method: 'GET' | 'POST', url: string, headers: Record<string, string>) =>
    app.inject({ method, url, headers: { ...bareHeaders, 'accept-language': 'en', ...headers } })
  const asPage = { accept: 'text/html,*/*;q=0.8' }

  test.each([
    ['that opens a code over a rate limit', 'GET', '/d/abc', 429, '17'],
    ['that sends a form over a rate limit', 'POST', '/report-photo/abc', 429, '17'],
    ['that sends a form while the database is down', 'POST', '/stop/abc', 503, '2'],
  ] as const)('%s', async (_, method, url, status, retryAfter) => {
    const page = await send(method, url, asPage)
    expect([page.statusCode, page.headers['retry-after']]).toEqual([status, retryAfter])
    expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    expect(page.headers['ratelimit']).toBe(status === 429 ? '"unknownCodes";r=0;t=17' : undefined)
    expect(page.body).toContain('<h1>One moment, please</h1>')
  })

  test.each<[string, 'GET' | 'POST', string, Record<string, string>]>([
    ['a page that fetches a code', 'GET', '/d/abc', { ...asPage, 'sec-fetch-dest': 'empty' }],
    ['a program with a key', 'GET', '/d/abc', { ...asPage, 'x-api-key': 'key' }],
    ['a program with a session', 'GET', '/d/abc', { ...asPage, authorization: 'Bearer token' }],
    ['a mail program that unsubscribes', 'POST', '/stop/abc', { accept: '*/*' }],
    ['a call that is not a form', 'POST', '/photos/abc/report', asPage],
  ])('but %s gets JSON', async (_, method, url, headers) => {
    expect((await send(method, url, headers)).json()).toMatchObject({ code: expect.any(String) })
  })
})
