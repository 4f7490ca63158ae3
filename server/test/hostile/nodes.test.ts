/** Two nodes on one database: this process, and a program that starts when limits are used up here and stops in the middle. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { rates } from '@keepsnap/contract/limits.ts'
import { createAdminKey } from '../../features/operators/admin-keys.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { newApiKey } from '../../lib/api-keys.ts'
import { getByKey, grantPlan, makeUser, makeUserWithKey, type TestUser, upload, validPassword } from '../test-data.ts'
import { newClientAddress, useServer } from '../harness.ts'
import { connectLive, type LiveClient } from '../live-client.ts'
import { rawConnection } from '../raw-connection.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import { repetitions } from '../statistics.ts'

let address: string
let node: ServerProcess
let live: LiveClient
/** A client that had used up its sign-ins before the program started. */
const early = newClientAddress()
let earlyStatuses: number[]

const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const passed = (statuses: readonly number[]): number => statuses.filter((status) => status !== 429).length

/** A wrong password, as one request of a connection. */
function guessBytes(from: string, headers: readonly string[] = [], path = '/token'): string {
  const body = `username=${newClientAddress()}%40example.com&password=Wrong.Password.1`
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: photos.test',
    `X-Forwarded-For: ${from}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
/** A call of the API with these headers. */
const callBytes = (headers: readonly string[], path = '/api/photos?limit=1'): string =>
  `${[`GET ${path} HTTP/1.1`, 'Host: photos.test', ...headers].join('\r\n')}\r\n\r\n`

/** Sends all requests at once over one connection, without waiting for answers; their statuses. */
async function pipelined(to: string, requests: readonly string[]): Promise<number[]> {
  const connection = await rawConnection(to)
  await connection.write(requests.join(''))
  const answers = await connection.next(requests.length)
  connection.close()
  return answers.map(({ status }) => status)
}
/** Pipelined requests over several connections to both nodes at once. */
const atBoth = async (connections: number, requestsOf: (n: number) => string[]): Promise<number[]> =>
  (await Promise.all(times(connections, (n) => pipelined(n % 2 ? address : node.address, requestsOf(n))))).flat()

/** A key that has three of its calls left in this minute. */
async function nearlyUsedUpKey(): Promise<string> {
  const { key, keyId } = await makeUserWithKey(server)
  await query('select count_rate($1, 100) from generate_series(1, 97)', [`photos:${keyId}`])
  return key
}

const server = useServer({ LOG_LEVEL: 'silent' })
beforeAll(async () => {
  address = await server.listen()
  earlyStatuses = (
    await Promise.all(
      times(4, () =>
        pipelined(
          address,
          times(5, () => guessBytes(early)),
        ),
      ),
    )
  ).flat()
  node = await startServerProcess(afterAll, {
    database: server.database,
    dir: server.dir,
    command: ['serve', '--no-work'],
    env: { DRAIN_SECONDS: '8' },
  })
  // As if these calls were made just now: on a slow machine, starting takes longer than their minute.
  await query('update rate_hits set hits = array(select now() from unnest(hits))')
})

describe('limits are those of all nodes together', () => {
  test('a node that starts later knows what was counted before', async () => {
    expect(passed(earlyStatuses)).toBe(10)
    expect(
      passed(
        await pipelined(
          node.address,
          times(3, () => guessBytes(early)),
        ),
      ),
    ).toBe(0)
    // Signing in with the right password is a call as well.
    const { email } = await makeUser(server)
    const right = await fetch(`${node.address}/token`, {
      method: 'POST',
      headers: { 'x-forwarded-for': early },
      body: new URLSearchParams({ username: email, password: validPassword }),
    })
    expect(right.status).toBe(429)
  })

  test('ten sign-ins are ten, fifty calls with an admin key fifty, and a hundred with a key a hundred', async () => {
    const from = newClientAddress()
    expect(passed(await atBoth(8, () => times(5, () => guessBytes(from))))).toBe(10)
    const { key: admin } = (await createAdminKey(server.db, 'reports'))!
    const names = ['api-key', 'X-API-Key']
    const adminCalls = await atBoth(6, (n) =>
      times(10, () => callBytes([`${names[n % 2]}: ${admin}`], '/api/admin/stats')),
    )
    expect([passed(adminCalls), adminCalls.filter((status) => status === 200).length]).toEqual([50, 50])
    const key = await nearlyUsedUpKey()
    const keyCalls = await atBoth(4, (n) => times(3, () => callBytes([`${names[n % 2]}: ${key}`])))
    expect([passed(keyCalls), keyCalls.filter((status) => status === 200).length]).toEqual([3, 3])
  })
})

test('another node announces what happens at this one, and drains before it stops', async () => {
  const ask = (path: string, { token }: TestUser): Promise<Response> =>
    fetch(`${node.address}${path}`, { headers: { authorization: `Bearer ${token}`, host: 'photos.test' } })
  const [owner, leaving] = [await makeUser(server), await makeUser(server)]

  // A socket there, a photo here; a ticket here, a socket there.
  const opened = await server.request({ method: 'POST', url: '/ws/ticket', token: owner.token })
  live = await connectLive(node.address, opened.json<{ ticket: string }>().ticket)
  const { id } = (await upload(server, owner, await jpeg())).json<Photo>()
  expect(await live.next(({ action }) => action === 'new_photo')).toMatchObject({ photo: { id } })
  expect((await ask(`/photos/${id}`, owner)).status).toBe(200)

  // What a node has cached ends when another one says so, not only after 30 s.
  expect((await ask('/user/me', leaving)).status).toBe(200)
  await server.request({ method: 'POST', url: '/logout', token: leaving.token })
  await expect.poll(async () => (await ask('/user/me', leaving)).status, { timeout: 20_000 }).toBe(401)

  node.child.kill('SIGTERM')
  // At once, because on a slow machine the node may drain for hardly longer than these calls take.
  const statuses = () =>
    Promise.all(['/ready', '/health', '/photos'].map(async (path) => (await ask(path, owner)).status))
  await expect.poll(statuses, { interval: 20 }).toEqual([503, 200, 200])
  expect(live.socket.readyState).toBe(live.socket.OPEN)
})

describe('a limit cannot be evaded', () => {
  test('by other names of addresses, hosts, sessions and agents', async () => {
    const from = newClientAddress()
    const headersOf = (n: number): string[] => [
      ...['X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP', 'X-Client-IP', 'X-Cluster-Client-IP'].map(
        (name) => `${name}: 203.0.113.${n}`,
      ),
      `Forwarded: for=203.0.113.${n};proto=https`,
      `X-Forwarded: for=203.0.113.${n}`,
      `X-Forwarded-Host: a${n}.example`,
      'X-Original-URL: /health',
      `Cookie: session=${n}`,
      `User-Agent: agent ${n}`,
      `Authorization: Bearer ${n}`,
    ]
    expect(
      passed(
        await pipelined(
          address,
          times(14, (n) => guessBytes(from, headersOf(n))),
        ),
      ),
    ).toBe(10)
    // The proxy writes the last one.
    const other = newClientAddress()
    const twice = times(14, (n) => guessBytes(`203.0.113.${n}`, [`X-Forwarded-For: ${other}`]))
    expect(passed(await pipelined(address, twice))).toBe(10)
    const paths = '/TOKEN //token /token/ /%74oken /token;x /token?x /./token /register/../token'.split(' ')
    const others = paths.map((path) => guessBytes(from, [], path))
    for (const status of await pipelined(address, others)) expect([404, 429]).toContain(status)
  })

  test('by other forms of a key, or by its other calls', async () => {
    const key = await nearlyUsedUpKey()
    const headersOf = (n: number): string[] => [
      ...(n % 3 ? [] : [`api-key: ${key}`]),
      `${['X-API-Key', 'x-Api-kEy'][n % 2]}: ${key}`,
      `X-Forwarded-For: ${n % 2 ? `203.0.113.${n}` : `2001:db8:${n}::1`}`,
      `Authorization: Bearer ${n}`,
      `X-Client-Id: ${n}`,
    ]
    const paths = '/user/me /api/photos /api/photos/latest /api/photos?skip=1 /user/me?x /api/photos?limit=2'.split(' ')
    const calls = paths.map((path, n) => callBytes(headersOf(n), path))
    const statuses = await pipelined(address, calls)
    expect(passed(statuses)).toBe(3)
    const others = '//api/photos /api/photos/ /API/photos /api/%70hotos /api/photos;x /./api/photos'.split(' ')
    const otherCalls = others.map((path) => callBytes([`api-key: ${key}`], path))
    for (const status of await pipelined(address, otherCalls)) expect([404, 429]).toContain(status)
    const head = await fetch(`${address}/api/photos`, { method: 'HEAD', headers: { 'api-key': key } })
    expect(head.status).toBe(429)
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
  for (let n = 0; n < repetitions(70, 10_000); n++) {
    const status = await call({ [n % 2 ? 'api-key' : 'x-api-key']: guesses[n % guesses.length]!() })
    found.set(status, (found.get(status) ?? 0) + 1)
  }
  expect([...found.keys()].toSorted((a, b) => a - b)).toEqual([401, 429])
  // A long run takes some minutes.
  expect(found.get(401)).toBeLessThanOrEqual(repetitions(rates.unknownKeys.perMinute, 600))
  expect(await call({ 'api-key': key })).toBe(200)
}, 600_000)

test('a downgrade in the middle of many calls lets none through after the first refusal', async () => {
  const { user, key } = await makeUserWithKey(server)
  const calls: { startedAt: number; endedAt: number; status: number }[] = []
  const isRefused = ({ status }: { status: number }): boolean => status === 403
  const call = async (): Promise<void> => {
    const startedAt = performance.now()
    const { statusCode: status } = await getByKey(server, key, '/api/photos?limit=1')
    calls.push({ startedAt, endedAt: performance.now(), status })
    // Far from the limit of calls per minute, however long the change of the plan takes.
    if (calls.length % 50 === 0) await query('delete from rate_hits')
  }
  const loops = Promise.all(
    times(4, async () => {
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

test('the node that stopped has closed its sockets for a restart, and ended in order', async () => {
  expect((await live.closed).code).toBe(1012)
  expect(await node.ended).toBe(0)
})
