import { Client } from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { signOut } from '@keepsnap/contract/accounts.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { isDatabaseDown } from '../db/connect.ts'
import { serverForThisTest } from '../test/harness.ts'
import { makeUser, type TestUser } from '../test/test-data.ts'
import { RateLimitExceeded } from './rate-limits.ts'
import { bareHeaders, createBareServer } from './test/bare-server.ts'

const fill = (path: string): string => path.replace(/:\w+/g, '0123456789012345678901')

test('a bug in any endpoint is answered 500 with a fixed sentence and no details', async () => {
  const server = await serverForThisTest({ LOG_LEVEL: 'silent' })
  const user = await makeUser(server)
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
})

test('without a database, requests are soon answered 503 with Retry-After', async () => {
  const server = await serverForThisTest({ LOG_LEVEL: 'silent' })
  const user = await makeUser(server)
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
  expect((await server.request({ method: 'GET', url: '/health' })).json()).toMatchObject({ status: 'degraded' })
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

test('a foreign-key error on the session is answered 401 only when the session has ended; otherwise it is a bug, or 503', async () => {
  const lines: string[] = []
  const server = await serverForThisTest({}, { out: { write: (text) => lines.push(text) } })
  const { pool } = server.app.deps
  const [user, other] = [await makeUser(server), await makeUser(server)]
  const ticket = ({ token }: TestUser) => server.request({ method: 'POST', url: '/ws/ticket', token })
  for (const one of [user, other]) expect((await ticket(one)).statusCode).toBe(201)
  await pool.query(`
    delete from ws_tickets;
    create table elsewhere (token_hash bytea primary key);
    alter table ws_tickets drop constraint ws_tickets_session_hash_fkey,
      add constraint ws_tickets_session_hash_fkey foreign key (session_hash) references elsewhere`)
  const bug = await ticket(user)
  expect([bug.statusCode, bug.json<{ code: string }>().code]).toEqual([500, 'internal'])
  expect(lines.filter((line) => line.includes('a request failed with an unexpected error'))).toHaveLength(1)

  // Without an event of the bus the session is still cached.
  await pool.query('delete from sessions where user_id = $1', [other.id])
  expect((await ticket(other)).statusCode).toBe(401)

  await pool.query(`
    alter table sessions rename to sessions_kept;
    create function fail() returns boolean language plpgsql as
      $$ begin raise exception 'the database system is starting up' using errcode = '57P03'; end $$;
    create view sessions as select * from sessions_kept where fail()`)
  const down = await ticket(user)
  expect([down.statusCode, down.headers['retry-after']]).toEqual([503, '2'])
  expect(lines.filter((line) => line.includes('a request failed with an unexpected error'))).toHaveLength(1)
})

test('no secret of a request is logged', async () => {
  const lines: string[] = []
  const server = await serverForThisTest({ LOG_LEVEL: 'debug' })
  const canaries = {
    password: 'Canary.Password.1',
    token: 'canary-token-0123456789',
    ticket: 'canary-ticket-0123456789',
    key: 'canary-key',
  }
  const original = process.stdout.write.bind(process.stdout)
  process.stdout.write = (text: string) => lines.push(text) > 0
  try {
    await server.request({
      method: 'POST',
      url: '/register',
      body: { email: 'canary@example.com', password: canaries.password },
    })
    await server.request({
      method: 'POST',
      url: '/token',
      body: `username=canary%40example.com&password=${canaries.password}x`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    await server.request({ method: 'GET', url: `/ws?token=${canaries.ticket}`, token: canaries.token })
    await server.request({ method: 'GET', url: '/user/me', token: canaries.token })
    await server.app.deps.pool.query('alter table photos rename to photos_gone')
    const user = (
      await server.request({
        method: 'POST',
        url: '/register',
        body: { email: 'canary2@example.com', password: canaries.password },
      })
    ).json<{ access_token: string }>()
    await server.request({
      method: 'GET',
      url: '/photos',
      token: user.access_token,
      headers: { 'idempotency-key': canaries.key },
    })
    expect(lines.join('')).toContain('a request failed with an unexpected error')
    for (const secret of [...Object.values(canaries), user.access_token]) expect(lines.join('')).not.toContain(secret)
  } finally {
    process.stdout.write = original
  }
})

test('PostgreSQL’s deadlock error is answered 503, to be retried', async () => {
  const server = await serverForThisTest({ LOG_LEVEL: 'silent' })
  const { pool } = server.app.deps
  const [one, other] = await Promise.all([pool.connect(), pool.connect()])
  const lock = (client: typeof one, n: number) => client.query('select pg_advisory_xact_lock($1)', [n])
  try {
    for (const client of [one, other]) await client.query('begin')
    await Promise.all([lock(one, 1), lock(other, 2)])
    const outcomes = await Promise.allSettled([lock(one, 2), lock(other, 1)])
    const errors = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as unknown)
    expect(errors.map(isDatabaseDown)).toEqual([true])
  } finally {
    one.release(true)
    other.release(true)
  }
})
