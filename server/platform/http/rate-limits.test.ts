import { describe, expect, test } from 'vitest'
import { accessOf } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { type Rate, type RateName, rates, windowOf } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { newApiKey } from '../../lib/api-keys.ts'
import { newId } from '../../lib/ids.ts'
import {
  grantPlan,
  makeUser,
  makeUserWithKey,
  multipartForm,
  upload,
  uploadByKey,
  validPassword,
} from '../../test/test-data.ts'
import { newClientAddress, publicUrl, type TestRequest, useServer } from '../../test/harness.ts'
import { promisedMs } from '../../test/statistics.ts'
import { clientKey } from './client-address.ts'
import { countRateHit, createRefusedClients, deleteOldRateHits } from './rate-limits.ts'

describe('rate limits', () => {
  const server = useServer()

  const guess = (from: string, more: Partial<TestRequest> = {}, username = `${Math.random()}@example.com`) =>
    server.request({
      method: 'POST',
      url: '/token',
      from,
      body: new URLSearchParams({ username, password: 'Wrong.Password.1' }).toString(),
      ...more,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...more.headers },
    })
  const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)

  /** The last limit in the field RateLimit of an answer. */
  function limitIn({ headers }: Awaited<ReturnType<typeof guess>>): {
    name: string
    remaining: number
    seconds: number
  } {
    const limit = String(headers['ratelimit']).split(', ').at(-1)
    const [, name, remaining, seconds] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(limit ?? '') ?? []
    if (name === undefined) throw new Error(`the field RateLimit is ${limit}`)
    return { name, remaining: Number(remaining), seconds: Number(seconds) }
  }
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
      const { seconds } = limitIn(refused)
      expect(refused.headers['retry-after']).toBe(String(seconds))
      expect(seconds).toBeLessThanOrEqual(60)
      expect(refused.json()).toEqual({ code: 'rate_limited', detail: 'Rate limit exceeded' })
    })

    test('and each answer says how many are left, and when there will be more', async () => {
      const from = newClientAddress()
      for (let left = 9; left >= 0; left -= 1) {
        const answer = await guess(from)
        expect(answer.statusCode).toBe(401)
        expect(limitIn(answer)).toEqual({ name: 'auth', remaining: left, seconds: expect.any(Number) })
        expect(answer.headers['ratelimit-policy']).toBe('"auth";q=10;w=60')
      }
      expect(limitIn(await guess(from))).toMatchObject({ remaining: 0 })
      // Six of the calls become older than a minute, the oldest of the others 40 seconds old.
      await query(
        `update rate_hits set hits = array(select hit - case when place <= 6 then interval '61 seconds' else interval '40 seconds' end
         from unnest(hits) with ordinality as one (hit, place) order by place) where key = $1`,
        [`auth:${from}`],
      )
      const { remaining, seconds } = limitIn(await guess(from))
      expect(remaining).toBe(5)
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(20)
    })

    test('for no longer than a minute, also after the clock was set back', async () => {
      const from = newClientAddress()
      await statuses(Array.from({ length: 10 }, () => () => guess(from)))
      await query(
        `update rate_hits set hits = array(select hit + interval '1 hour' from unnest(hits) as hit) where key = $1`,
        [`auth:${from}`],
      )
      expect(limitIn(await guess(from))).toEqual({ name: 'auth', remaining: 0, seconds: 60 })
      await query(
        `update rate_hits set hits = array(select hit - interval '1 minute' from unnest(hits) as hit) where key = $1`,
        [`auth:${from}`],
      )
      expect(limitIn(await guess(from)).remaining).toBe(9)
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
      const answers = await statuses(
        Array.from({ length: 20 }, (_, n) => () => guess('unused', { headers: headers(n) })),
      )
      expect(answers.filter((status) => status !== 429)).toHaveLength(10)
    })

    test('other spellings of the path do not evade the limit', async () => {
      for (const url of ['//token', '/token/', '/TOKEN', '/%74oken', '/./token', '/x/../token']) {
        const from = newClientAddress()
        // As after ten calls, one of them by a node of the earlier version.
        await query('select count_rate_hit($1, 10)', [`auth:${from}`])
        for (let n = 0; n < 9; n += 1) await query('select count_rate($1, 10)', [`auth:${from}`])
        expect([404, 429]).toContain((await guess(from, { url })).statusCode)
      }
    })

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
  })

  describe('one subscriber with many networks', () => {
    const called = async (rate: RateName, network: (n: number) => string, count: number): Promise<number> => {
      const calls = Array.from({ length: count }, (_, n) =>
        countRateHit(server.db, rate, clientKey(network(n))).then(
          () => 1,
          () => 0,
        ),
      )
      return (await Promise.all(calls)).reduce((sum: number, one) => sum + one, 0)
    }
    const hex = (n: number): string => n.toString(16)
    const inFirst56 = (n: number): string => `2001:db8:5:${hex(n % 200)}::1`
    const inOther56 = (n: number): string => `2001:db8:5:${hex(0x100 * (1 + (n % 16)) + n)}::1`

    test.each([
      ['auth', [10, 40, 100]],
      ['support', [5, 20, 50]],
      ['reports', [10, 40, 100]],
    ] as const)('has %s limits of %j calls for a /64, a /56 and a /48', async (rate, [of64, of56, of48]) => {
      expect(await called(rate, () => inFirst56(0), 15)).toBe(of64)
      expect(await called(rate, inFirst56, 70)).toBe(of56 - of64)
      expect(await called(rate, inOther56, 120)).toBe(of48 - of56)
      expect(await called(rate, () => '2001:db8:6:1::1', 1)).toBe(1)
    })

    test('has no other limit over them: those of guests count each network alone', async () => {
      for (const rate of ['unknownCodes', 'linkChecks'] as const) expect(await called(rate, inFirst56, 150)).toBe(150)
      const counted = Object.entries<Rate>(rates).filter(([, { countsNetworks }]) => countsNetworks)
      expect(counted.map(([name]) => name)).toEqual(['auth', 'reports', 'support', 'withdrawals'])
    })
  })

  describe('the limits that are documented', () => {
    const pathsOf = (...names: RateName[]): string[] =>
      endpoints.filter(({ rate }) => rate && names.includes(rate)).map(({ method, path }) => `${method} ${path}`)

    test('are 10, 100 and 50 a minute, on these calls', () => {
      expect(rates).toMatchObject({
        auth: { perMinute: 10, per: 'client' },
        photos: { perMinute: 100, per: 'key' },
        admin: { perMinute: 50, per: 'key' },
      })
      expect(pathsOf('auth')).toEqual([
        'POST /register',
        'POST /token',
        'POST /request-password-reset',
        'POST /reset-password',
      ])
      expect(endpoints.filter((one) => one.rate === 'photos')).toEqual(
        endpoints.filter((one) => accessOf(one).includes('key')),
      )
      expect(endpoints.filter((one) => one.rate === 'admin')).toEqual(
        endpoints.filter((one) => accessOf(one).includes('admin')),
      )
    })

    test('count photo access per key over all of its calls, and tell web pages of other origins what is left', async () => {
      const { user, key } = await makeUserWithKey(server)
      const headers = { 'x-api-key': key, origin: publicUrl }
      const calls = ['/api/photos', '/api/photos/latest', '/user/me', '/api/photos?limit=0']
      const answers = await Promise.all(calls.map((url) => server.request({ method: 'GET', url, headers })))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 404, 200, 422])
      expect(answers.map((answer) => limitIn(answer).remaining).toSorted((a, b) => b - a)).toEqual([99, 98, 97, 96])
      expect(answers[0]!.headers).toMatchObject({
        'ratelimit-policy': '"photos";q=100;w=60',
        'access-control-allow-origin': publicUrl,
        'access-control-expose-headers': expect.stringMatching(/retry-after, ratelimit, ratelimit-policy/),
      })
      const bySession = await server.request({ method: 'GET', url: '/user/me', token: user.token })
      expect([bySession.statusCode, bySession.headers['ratelimit']]).toEqual([200, undefined])
    })

    test('do not count a call whose key is refused', async () => {
      const { user, key } = await makeUserWithKey(server)
      const call = () => server.request({ method: 'GET', url: '/api/photos', headers: { 'x-api-key': key } })
      await grantPlan(server, user, 'free')
      expect((await call()).statusCode).toBe(403)
      await grantPlan(server, user, 'pro_yearly')
      await expect
        .poll(async () => (await call()).headers['ratelimit'], { timeout: promisedMs(2_000) })
        .toContain('r=99;')
    })

    test('and uploads of an account, by page and key alike: 600 in any 10 minutes; a refusal names the limit that it is for', async () => {
      const { user, key } = await makeUserWithKey(server)
      const age = (seconds: number) =>
        query(
          'update rate_hits set hits = array(select hit - make_interval(secs => $2) from unnest(hits) as hit) where key = $1',
          [`uploads:${user.id}`, seconds],
        )
      await query('select count_rate($1, 600, 600) from generate_series(1, 599)', [`uploads:${user.id}`])
      await age(540)
      await deleteOldRateHits(server.db)
      const noImage = Buffer.from('no image')
      expect((await upload(server, user, noImage)).statusCode).toBe(415)
      const refused = await uploadByKey(server, key, noImage)
      expect([refused.statusCode, refused.json()]).toEqual([
        429,
        { code: 'rate_limited', detail: 'Rate limit exceeded' },
      ])
      expect(refused.headers['ratelimit-policy']).toBe('"photos";q=100;w=60, "uploads";q=600;w=600')
      expect(refused.headers['ratelimit']).toMatch(/^"photos";r=99;t=60, "uploads";r=0;t=[345]\d$|60$/)
      expect(refused.headers['retry-after']).toBe(String(limitIn(refused).seconds))
      // Logos have a limit of their own: this one is refused for its content.
      const logo = await server.request({
        method: 'POST',
        url: '/upload-logo',
        token: user.token,
        ...multipartForm(noImage),
      })
      expect(logo.statusCode).toBe(415)
      await age(60)
      expect((await upload(server, user, noImage)).statusCode).toBe(415)
      await age(660)
      await deleteOldRateHits(server.db)
      expect((await query('select from rate_hits where key = $1', [`uploads:${user.id}`])).rowCount).toBe(0)
    })
  })

  test('guests behind one address are blocked by no limit, whatever others behind it have used up', async () => {
    const owner = await makeUser(server)
    const { id, qr_code_url: code } = (await upload(server, owner, await jpeg())).json<Photo>()
    await server.work()
    const from = newClientAddress()
    const direct = new URL(code).pathname.replace('/qr', '').replace('.png', '')
    const get = (url: string) => server.request({ method: 'GET', url, from })
    const others: [rate: RateName, call: () => ReturnType<typeof guess>][] = [
      ['auth', () => guess(from)],
      ['unknownCodes', () => get(`/d/${newId()}`)],
      [
        'unknownKeys',
        () =>
          server.request({ method: 'GET', url: '/api/photos', from, headers: { 'api-key': newApiKey('customer') } }),
      ],
    ]
    for (const [rate, call] of others) {
      const { calls } = windowOf(rates[rate])
      await query('select count_rate($1, $2) from generate_series(2, $2)', [`${rate}:${from}`, calls])
      expect([rate, (await call()).statusCode, (await call()).statusCode]).toEqual([rate, expect.not.closeTo(429), 429])
    }
    const urls = [direct, `/qr${direct}`, `/request-photo/${id}`, `/photos/${id}/public`, '/health']
    const answers = await statuses(Array.from({ length: 70 }, (_, n) => () => get(urls[n % urls.length]!)))
    expect(new Set(answers)).toEqual(new Set([200]))
    const body = { email: 'guest@example.com' }
    const request = await server.request({ method: 'POST', url: `/photos/${id}/request-email`, from, body })
    expect(request.statusCode).toBe(200)
  })

  test('after sixty unknown codes a client is refused, after fifty refusals without asking the database, and not for longer than others', async () => {
    const from = newClientAddress()
    const unknownCode = () => server.request({ method: 'GET', url: `/d/${newId()}`, from })
    const unknownCodes = (count: number) => statuses(Array.from({ length: count }, () => unknownCode))
    expect((await unknownCodes(60)).every((status) => status === 404)).toBe(true)
    expect((await unknownCodes(60)).every((status) => status === 429)).toBe(true)
    expect((await unknownCode()).json<{ detail: string }>().detail).toMatch(
      /^Too many requests\. Please wait \d+ seconds? and try again\.$/,
    )
    await server.app.deps.pool.query('delete from rate_hits where key = $1', [`unknownCodes:${from}`])
    await expect.poll(() => unknownCodes(1), { timeout: promisedMs(5_000), interval: 50 }).toEqual([404])
  })
})

describe('refused clients', () => {
  const refuse = (refusedClients: ReturnType<typeof createRefusedClients>, times: number): void => {
    for (let refusal = 0; refusal < times; refusal++) refusedClients.record('auth:client', 40)
  }

  test('a client with fifty refusals in a row waits for a second without asking the database', () => {
    let now = 5_000
    const refusedClients = createRefusedClients(() => now)
    refuse(refusedClients, 49)
    expect(refusedClients.waitSecondsOf('auth:client')).toBe(0)
    refuse(refusedClients, 1)
    expect(refusedClients.waitSecondsOf('auth:client')).toBe(40)
    expect(refusedClients.waitSecondsOf('auth:other')).toBe(0)
    now += 999
    expect(refusedClients.waitSecondsOf('auth:client')).toBe(40)
    now += 1
    expect(refusedClients.waitSecondsOf('auth:client')).toBe(0)
    refuse(refusedClients, 1)
    expect(refusedClients.waitSecondsOf('auth:client')).toBe(40)
    // An allowed request forgets them.
    refusedClients.record('auth:client', 0)
    refuse(refusedClients, 49)
    expect(refusedClients.waitSecondsOf('auth:client')).toBe(0)
  })

  test('such a client is answered a second later', async () => {
    const refusedClients = createRefusedClients()
    const startedAt = performance.now()
    await refusedClients.delayAnswer()
    expect(performance.now() - startedAt).toBeGreaterThan(990)
  })
})
