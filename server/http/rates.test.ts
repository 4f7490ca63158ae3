import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newClient, startServer, type TestRequest, type TestServer } from '../test/harness.ts'
import { goodPassword, makeUser } from '../test/makers.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const guess = (from: string, more: Partial<TestRequest> = {}, username = `${Math.random()}@example.com`) =>
  server.request({
    method: 'POST',
    url: '/token',
    from,
    body: new URLSearchParams({ username, password: 'Wrong.Password.1' }).toString(),
    ...more,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...more.headers },
  })
const statuses = async (calls: (() => ReturnType<typeof guess>)[]) =>
  (await Promise.all(calls.map((call) => call()))).map(({ statusCode }) => statusCode)

describe('authentication is limited', () => {
  test('to exactly ten calls a minute for one client, over all its calls, successes included', async () => {
    const from = newClient()
    const user = await makeUser(server)
    const good = () =>
      server.request({
        method: 'POST',
        url: '/token',
        from,
        body: new URLSearchParams({ username: user.email, password: goodPassword }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    const registering = () => server.request({ method: 'POST', url: '/register', from, body: {} })
    const answers = await statuses([
      ...Array.from({ length: 5 }, () => good),
      ...Array.from({ length: 30 }, () => () => guess(from)),
      ...Array.from({ length: 5 }, () => registering),
    ])
    expect(answers.filter((status) => status !== 429)).toHaveLength(10)
    const refused = await guess(from)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(refused.json()).toMatchObject({ code: 'rate_limited', detail: expect.stringMatching(/^Too many requests/) })
  })

  test('over two nodes and a restart together', async () => {
    const from = newClient()
    const rows = async () =>
      (
        await server.app.deps.pool.query('select cardinality(hits) as n from rate_hits where key = $1', [
          `auth:${from}`,
        ])
      ).rows[0].n
    await statuses(Array.from({ length: 6 }, () => () => guess(from)))
    // Another node counts in the same table.
    await server.app.deps.pool.query('select take_rate($1, 10)', [`auth:${from}`])
    expect(
      (await statuses(Array.from({ length: 10 }, () => () => guess(from)))).filter((status) => status !== 429),
    ).toHaveLength(3)
    expect(await rows()).toBe(10)
  })

  test('and opens again as the minute passes', async () => {
    const from = newClient()
    await statuses(Array.from({ length: 12 }, () => () => guess(from)))
    await server.app.deps.pool.query(
      "update rate_hits set hits = array(select h - interval '61 seconds' from unnest(hits) h) where key = $1",
      [`auth:${from}`],
    )
    expect((await guess(from)).statusCode).toBe(401)
  })

  test.each([
    ['a forged chain before the proxy', (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}, 198.51.100.7` })],
    [
      'other forwarding headers',
      (n: number) => ({
        'x-forwarded-for': '198.51.100.8',
        forwarded: `for=203.0.113.${n}`,
        'x-real-ip': `203.0.113.${n}`,
        'x-client-ip': `203.0.113.${n}`,
      }),
    ],
    ['addresses of one IPv6 network', (n: number) => ({ 'x-forwarded-for': `2001:db8:7:7:${n}::1` })],
    ['IPv4 written as IPv6', (n: number) => ({ 'x-forwarded-for': n % 2 ? '198.51.100.9' : '::ffff:198.51.100.9' })],
  ])('%s adds no call', async (_, headers) => {
    const answers = await statuses(Array.from({ length: 20 }, (_, n) => () => guess('unused', { headers: headers(n) })))
    expect(answers.filter((status) => status !== 429)).toHaveLength(10)
  })

  test.each(['//token', '/token/', '/TOKEN', '/%74oken', '/./token', '/x/../token'])(
    'the path %s is no way around',
    async (url) => {
      const from = newClient()
      const answers = await statuses([
        ...Array.from({ length: 10 }, () => () => guess(from)),
        () => guess(from, { url }),
      ])
      expect(answers.filter((status) => status !== 429 && status !== 404)).toHaveLength(10)
    },
  )

  test('guests and their pictures are under no such limit', async () => {
    const from = newClient()
    await statuses(Array.from({ length: 12 }, () => () => guess(from)))
    expect((await server.request({ method: 'GET', url: '/health', from })).statusCode).toBe(200)
    expect((await server.request({ method: 'GET', url: '/d/0000000000000000000000', from })).statusCode).toBe(404)
  })
})

describe('guessing the password of one account', () => {
  test('is slowed down whoever guesses, known account or not, and the owner still gets in', async () => {
    const user = await makeUser(server, 'guessed@example.com')
    const home = newClient()
    const signIn = (password: string, from: string) =>
      server.request({
        method: 'POST',
        url: '/token',
        from,
        body: new URLSearchParams({ username: user.email, password }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await signIn(goodPassword, home)).statusCode).toBe(200)

    const variants = ['guessed@example.com', 'GUESSED@example.com', ' guessed@example.com ', 'guessed@EXAMPLE.com']
    const known = await statuses(
      Array.from({ length: 60 }, (_, n) => () => guess(newClient(), {}, variants[n % variants.length])),
    )
    const unknown = await statuses(
      Array.from({ length: 60 }, () => () => guess(newClient(), {}, 'nobody-here@example.com')),
    )
    for (const tries of [known, unknown]) {
      const looked = tries.filter((status) => status === 401).length
      expect(looked).toBeGreaterThanOrEqual(5)
      // One more after a second, after two more and after four more, should the machine be so slow.
      expect(looked).toBeLessThanOrEqual(8)
    }
    await server.app.deps.pool.query('update sign_in_delays set failures = 15, last_failure_at = now()')
    // A stranger with the right password waits like everybody; a client that has signed in before does not.
    expect((await signIn(goodPassword, newClient())).statusCode).toBe(429)
    expect((await signIn(goodPassword, home)).statusCode).toBe(200)
  })
})

describe('guessing codes', () => {
  test('ends in 429, and real codes go on', async () => {
    const from = newClient()
    const answers = await statuses(
      Array.from(
        { length: 70 },
        (_, n) => () => server.request({ method: 'GET', url: `/d/${String(n).padStart(22, '0')}`, from }),
      ),
    )
    expect(answers.filter((status) => status === 404)).toHaveLength(60)
    expect(answers.filter((status) => status === 429)).toHaveLength(10)
  })
})
