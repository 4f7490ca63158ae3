import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../lib/ids.ts'
import { newClientAddress, startServer, type TestRequest, type TestServer } from '../test/harness.ts'
import { validPassword, makeUser } from '../test/test-data.ts'

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

describe('authentication is rate limited', () => {
  test('to exactly ten requests a minute per client, over sign-ins and registrations, successful ones included', async () => {
    const from = newClientAddress()
    const user = await makeUser(server)
    const good = () =>
      server.request({
        method: 'POST',
        url: '/token',
        from,
        body: new URLSearchParams({ username: user.email, password: validPassword }).toString(),
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

  test('by one counter for all nodes', async () => {
    const from = newClientAddress()
    const rows = async () =>
      (
        await server.app.deps.pool.query('select cardinality(hits) as n from rate_hits where key = $1', [
          `auth:${from}`,
        ])
      ).rows[0].n
    await statuses(Array.from({ length: 6 }, () => () => guess(from)))
    // As another node would: it counts in the same table.
    await server.app.deps.pool.query('select count_rate_hit($1, 10)', [`auth:${from}`])
    expect(
      (await statuses(Array.from({ length: 10 }, () => () => guess(from)))).filter((status) => status !== 429),
    ).toHaveLength(3)
    expect(await rows()).toBe(10)
  })

  test('until a minute has passed', async () => {
    const from = newClientAddress()
    await statuses(Array.from({ length: 12 }, () => () => guess(from)))
    await server.app.deps.pool.query(
      "update rate_hits set hits = array(select h - interval '61 seconds' from unnest(hits) h) where key = $1",
      [`auth:${from}`],
    )
    expect((await guess(from)).statusCode).toBe(401)
  })

  test.each([
    ['a forged X-Forwarded-For chain', (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}, 198.51.100.7` })],
    [
      'other forwarding headers',
      (n: number) => ({
        'x-forwarded-for': '198.51.100.8',
        forwarded: `for=203.0.113.${n}`,
        'x-real-ip': `203.0.113.${n}`,
        'x-client-ip': `203.0.113.${n}`,
      }),
    ],
    ['other addresses of the same IPv6 network', (n: number) => ({ 'x-forwarded-for': `2001:db8:7:7:${n}::1` })],
    [
      'an IPv4 address written as IPv6',
      (n: number) => ({ 'x-forwarded-for': n % 2 ? '198.51.100.9' : '::ffff:198.51.100.9' }),
    ],
  ])('%s does not evade the limit', async (_, headers) => {
    const answers = await statuses(Array.from({ length: 20 }, (_, n) => () => guess('unused', { headers: headers(n) })))
    expect(answers.filter((status) => status !== 429)).toHaveLength(10)
  })

  test.each(['//token', '/token/', '/TOKEN', '/%74oken', '/./token', '/x/../token'])(
    'the path %s does not evade the limit',
    async (url) => {
      const from = newClientAddress()
      const answers = await statuses([
        ...Array.from({ length: 10 }, () => () => guess(from)),
        () => guess(from, { url }),
      ])
      expect(answers.filter((status) => status !== 429 && status !== 404)).toHaveLength(10)
    },
  )

  test('and changes of the account apart from it, per user', async () => {
    const [ann, ben] = [await makeUser(server), await makeUser(server)]
    const from = newClientAddress()
    const change = ({ token }: { token: string }) =>
      server.request({
        method: 'POST',
        url: '/user/password',
        from,
        token,
        body: { current_password: '', new_password: '' },
      })
    const answers = await statuses(Array.from({ length: 12 }, () => () => change(ann)))
    expect(answers.filter((status) => status === 429)).toHaveLength(2)
    expect((await change(ben)).statusCode).not.toBe(429)
    expect((await guess(from)).statusCode).toBe(401)
  })

  test('but requests of guests are not', async () => {
    const from = newClientAddress()
    await statuses(Array.from({ length: 12 }, () => () => guess(from)))
    expect((await server.request({ method: 'GET', url: '/health', from })).statusCode).toBe(200)
    expect((await server.request({ method: 'GET', url: '/d/0000000000000000000000', from })).statusCode).toBe(404)
  })
})

describe('guessing the password of one account', () => {
  test('is slowed down over all clients, whether the account exists or not, and the owner can still sign in', async () => {
    const user = await makeUser(server, 'guessed@example.com')
    const home = newClientAddress()
    const signIn = (password: string, from: string) =>
      server.request({
        method: 'POST',
        url: '/token',
        from,
        body: new URLSearchParams({ username: user.email, password }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await signIn(validPassword, home)).statusCode).toBe(200)

    const variants = ['guessed@example.com', 'GUESSED@example.com', ' guessed@example.com ', 'guessed@EXAMPLE.com']
    const known = await statuses(
      Array.from({ length: 60 }, (_, n) => () => guess(newClientAddress(), {}, variants[n % variants.length])),
    )
    const unknown = await statuses(
      Array.from({ length: 60 }, () => () => guess(newClientAddress(), {}, 'nobody-here@example.com')),
    )
    for (const tries of [known, unknown]) {
      const checked = tries.filter((status) => status === 401).length
      expect(checked).toBeGreaterThanOrEqual(5)
      // On a slow machine another one is allowed after one second, two and four.
      expect(checked).toBeLessThanOrEqual(8)
    }
    await server.app.deps.pool.query('update sign_in_delays set failures = 15, last_failure_at = now()')
    // A new client must wait even with the right password; a client that has signed in before need not.
    expect((await signIn(validPassword, newClientAddress())).statusCode).toBe(429)
    expect((await signIn(validPassword, home)).statusCode).toBe(200)
  })
})

describe('guessing codes', () => {
  test('is answered 429 after sixty unknown codes', async () => {
    const from = newClientAddress()
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

test('a client that goes on after fifty refusals is refused without asking the database, and not for longer than others', async () => {
  const from = newClientAddress()
  const unknownPhotos = (count: number) =>
    Array.from({ length: count }, () => () => server.request({ method: 'GET', url: `/d/${newId()}`, from }))
  expect((await statuses(unknownPhotos(60))).every((status) => status === 404)).toBe(true)
  expect((await statuses(unknownPhotos(60))).every((status) => status === 429)).toBe(true)
  await server.app.deps.pool.query('delete from rate_hits where key = $1', [`unknownCodes:${from}`])
  await expect.poll(() => statuses(unknownPhotos(1)), { timeout: 5_000, interval: 50 }).toEqual([404])
})
