import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
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

describe('ten calls a minute are ten', () => {
  test('over two processes at once, and over the restart of one of them', async () => {
    const [one, two] = await Promise.all([node(), node()])
    const from = newClientAddress()
    const answers = await Promise.all([
      ...times(20, () => pipelined(one.address, [guessBytes(from)])),
      ...times(20, () => pipelined(two.address, [guessBytes(from)])),
    ])
    expect(passed(answers.flat())).toBe(10)
    one.child.kill('SIGTERM')
    await one.ended
    const again = await node()
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
  }, 120_000)

  test('when requests come one behind the other over one connection, or over many', async () => {
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

  test('and when they cannot be counted, nobody is let in, while pictures and pages go on', async () => {
    const { pool } = server.app.deps
    await pool.query('alter function count_rate_hit(text, integer) rename to take_rate_gone')
    onTestFinished(
      async () => void (await pool.query('alter function take_rate_gone(text, integer) rename to count_rate_hit')),
    )
    const statuses = await pipelined(
      address,
      times(3, () => guessBytes(newClientAddress())),
    )
    expect(statuses).toEqual([500, 500, 500])
    expect((await server.request({ method: 'GET', url: '/health' })).statusCode).toBe(200)
  })
})
