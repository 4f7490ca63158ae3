import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createAdminKey } from '../../features/admin/admin-keys.ts'
import { makeUserWithKey } from '../api-keys.ts'
import { newClientAddress, startServer, type TestServer } from '../harness.ts'
import { makeUser, validPassword } from '../test-data.ts'
import { startServerProcess, type ServerProcess } from '../server-process.ts'
import { rawConnection } from '../raw-connection.ts'

let server: TestServer
let address: string
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
  address = await server.listen()
})
afterAll(() => server.close())

const node = (): Promise<ServerProcess> =>
  startServerProcess(onTestFinished, { database: server.database, dir: server.dir, command: ['serve', '--no-work'] })

/** A wrong password, as one request of a connection. */
function guessBytes(from: string, headers: readonly string[] = []): string {
  const body = `username=${newClientAddress()}%40example.com&password=Wrong.Password.1`
  const lines = [
    'POST /token HTTP/1.1',
    'Host: photos.test',
    `X-Forwarded-For: ${from}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Sends all guesses at once over one connection, without waiting for answers; their statuses. */
async function pipelined(address: string, guesses: readonly string[]): Promise<number[]> {
  const connection = await rawConnection(address)
  await connection.write(guesses.join(''))
  const answers = await connection.next(guesses.length)
  connection.close()
  return answers.map(({ status }) => status)
}
const passed = (statuses: readonly number[]): number => statuses.filter((status) => status !== 429).length
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

/** As if all counted calls were made just now: on a slow machine, a test takes longer than their minute. */
const renewHits = () => server.app.deps.pool.query('update rate_hits set hits = array(select now() from unnest(hits))')

describe('ten calls a minute are ten, and fifty with an admin key fifty', () => {
  test('over two processes at once, and over the restart of one of them', async () => {
    const [one, two] = await Promise.all([node(), node()])
    const from = newClientAddress()
    const answers = await Promise.all([
      ...times(20, () => pipelined(one.address, [guessBytes(from)])),
      ...times(20, () => pipelined(two.address, [guessBytes(from)])),
    ])
    expect(passed(answers.flat())).toBe(10)
    const admin = await createAdminKey(server.db, 'reports')
    await renewHits()
    const adminCalls = await Promise.all(
      times(60, (n) => {
        const { address: of } = n % 2 ? one : two
        return fetch(`${of}/api/admin/users?limit=1`, {
          headers: { [n % 4 < 2 ? 'api-key' : 'x-api-key']: admin!.key },
        })
      }),
    )
    expect(adminCalls.filter(({ status }) => status === 200)).toHaveLength(50)
    expect(passed(adminCalls.map(({ status }) => status))).toBe(50)
    const { key } = await makeUserWithKey(server)
    const left = async ({ address: of }: { address: string }): Promise<string | null> =>
      (await fetch(`${of}/user/me`, { headers: { 'x-api-key': key } })).headers.get('ratelimit')
    expect(await left(one)).toMatch(/^"photos";r=99;/)
    expect(await left(two)).toMatch(/^"photos";r=98;/)
    one.child.kill('SIGTERM')
    await one.ended
    const again = await node()
    await renewHits()
    expect(await left(again)).toMatch(/^"photos";r=97;/)
    const adminAgain = await fetch(`${again.address}/api/admin/stats`, { headers: { 'api-key': admin!.key } })
    expect(adminAgain.status).toBe(429)
    expect(
      passed(
        await pipelined(
          again.address,
          times(5, () => guessBytes(from)),
        ),
      ),
    ).toBe(0)
    // Signing in rightly, and registering, are calls as well.
    const user = await makeUser(server)
    await renewHits()
    const right = await fetch(`${again.address}/token`, {
      method: 'POST',
      headers: { 'x-forwarded-for': from },
      body: new URLSearchParams({ username: user.email, password: validPassword }),
    })
    expect(right.status).toBe(429)
    await server.app.deps.pool.query('delete from rate_hits where key = $1', [`auth:${from}`])
    expect(
      passed(
        await pipelined(
          two.address,
          times(12, () => guessBytes(from)),
        ),
      ),
    ).toBe(10)
  })

  test('when requests are pipelined over one connection, or sent over many', async () => {
    const from = newClientAddress()
    const statuses = await Promise.all(
      times(4, () =>
        pipelined(
          address,
          times(8, () => guessBytes(from)),
        ),
      ),
    )
    expect(passed(statuses.flat())).toBe(10)
  })

  test.each([
    ['other names for it', (n: number) => [`X-Real-IP: 203.0.113.${n}`, `X-Forwarded: for=203.0.113.${n}`]],
    ['the standard one', (n: number) => [`Forwarded: for=203.0.113.${n};proto=https`]],
    ['those of clouds', (n: number) => [`CF-Connecting-IP: 203.0.113.${n}`, `True-Client-IP: 203.0.113.${n}`]],
    ['those of proxies', (n: number) => [`X-Client-IP: 203.0.113.${n}`, `X-Cluster-Client-IP: 203.0.113.${n}`]],
    ['another host', (n: number) => [`X-Forwarded-Host: a${n}.example`, `X-Original-URL: /health`]],
    [
      'another session',
      (n: number) => [`Cookie: session=${n}`, `User-Agent: agent ${n}`, `Authorization: Bearer ${n}`],
    ],
  ])('whatever %s say', async (_, headers) => {
    const from = newClientAddress()
    const guesses = times(14, (n) => guessBytes(from, headers(n)))
    expect(passed(await pipelined(address, guesses))).toBe(10)
  })

  test('when the header comes twice: the proxy writes the last one', async () => {
    const from = newClientAddress()
    const guesses = times(14, (n) => guessBytes(`203.0.113.${n}`, [`X-Forwarded-For: ${from}`]))
    expect(passed(await pipelined(address, guesses))).toBe(10)
  })

  test.each(['/TOKEN', '//token', '/token/', '/%74oken', '/token;x', '/token?x', '/./token', '/register/../token'])(
    'at %s too, or nothing is there',
    async (path) => {
      const from = newClientAddress()
      expect(
        passed(
          await pipelined(
            address,
            times(10, () => guessBytes(from)),
          ),
        ),
      ).toBe(10)
      const [status] = await pipelined(address, [guessBytes(from).replace('/token', path)])
      expect([404, 429]).toContain(status)
    },
  )
})

/** A key that has three of its calls left in this minute. */
async function nearlyUsedUpKey(): Promise<string> {
  const { key, keyId } = await makeUserWithKey(server)
  await server.app.deps.pool.query('select count_rate($1, 100) from generate_series(1, 97)', [`photos:${keyId}`])
  return key
}
/** A call of the API with these headers. */
const callBytes = (headers: readonly string[], target = 'GET /api/photos?limit=1'): string =>
  `${[`${target} HTTP/1.1`, 'Host: photos.test', ...headers].join('\r\n')}\r\n\r\n`

describe('a hundred calls a minute with one key are a hundred', () => {
  test.each([
    [
      'however its header is written',
      (key: string, n: number) => [`${['api-key', 'X-API-Key', 'API-KEY', 'x-Api-kEy'][n % 4]}: ${key}`],
    ],
    ['in both headers', (key: string) => [`api-key: ${key}`, `X-API-Key: ${key}`]],
    ['from different addresses', (key: string, n: number) => [`X-API-Key: ${key}`, `X-Forwarded-For: 203.0.113.${n}`]],
    [
      'from different IPv6 networks',
      (key: string, n: number) => [`api-key: ${key}`, `X-Forwarded-For: 2001:db8:${n}::1`],
    ],
    ['with a session beside it', (key: string, n: number) => [`api-key: ${key}`, `Authorization: Bearer ${n}`]],
    [
      'with another client named',
      (key: string, n: number) => [`api-key: ${key}`, `Forwarded: for=203.0.113.${n}`, `X-Client-Id: ${n}`],
    ],
  ])('%s', async (_, headers) => {
    const key = await nearlyUsedUpKey()
    const calls = times(6, (n) => callBytes(headers(key, n)))
    expect((await pipelined(address, calls)).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429, 429])
  })

  test('whichever of its calls they are', async () => {
    const header = [`api-key: ${await nearlyUsedUpKey()}`]
    const targets = [
      'GET /user/me',
      'GET /api/photos',
      'GET /api/photos/latest',
      'GET /api/photos?skip=1',
      'GET /user/me?x',
    ]
    const sent = (list: readonly string[]): Promise<number[]> => {
      const calls = list.map((target) => callBytes(header, target))
      return pipelined(address, calls)
    }
    expect(passed(await sent(targets))).toBe(3)
    const others = ['//api/photos', '/api/photos/', '/API/photos', '/api/%70hotos', '/api/photos;x', '/./api/photos']
    for (const status of await sent(others.map((path) => `GET ${path}`))) expect([404, 429]).toContain(status)
    const head = await fetch(`${address}/api/photos`, { method: 'HEAD', headers: { 'api-key': header[0]!.slice(9) } })
    expect(head.status).toBe(429)
  })
})
