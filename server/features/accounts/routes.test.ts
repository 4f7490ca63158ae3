import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newClientAddress, startServer, type TestServer } from '../../test/harness.ts'
import { validPassword, makeUser } from '../../test/test-data.ts'
import { changeAccount } from './operator-changes.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const registerAccount = (body: unknown, from = newClientAddress(), headers: Record<string, string> = {}) =>
  server.request({ method: 'POST', url: '/register', from, body, headers })
const signInForm = (fields: Record<string, string>) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
const signIn = (username: string, password: string, from = newClientAddress()) =>
  server.request({ method: 'POST', url: '/token', from, ...signInForm({ username, password }) })
const fetchUser = (token: string) => server.request({ method: 'GET', url: '/user/me', token })

describe('registration', () => {
  test('creates an account on the free plan and signs it in', async () => {
    const response = await registerAccount({ email: 'Anna.Berg@example.com', password: validPassword })
    expect(response.statusCode).toBe(201)
    expect(response.headers['cache-control']).toBe('no-store')
    const { access_token: token, ...rest } = response.json()
    expect(rest).toEqual({ token_type: 'bearer' })
    expect((await fetchUser(token)).json()).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      username: 'Anna.Berg',
      email: 'Anna.Berg@example.com',
      email_verified: false,
      subscription_tier: 'free',
      logo_url: null,
      logo_grounds: null,
      background_image_url: null,
      use_logo_as_watermark: false,
      watermark_size: 'medium',
      watermark_corner: 'bottom-right',
      watermark_strength: 'medium',
      ask_email_to_receive_photo: false,
      brand_name: null,
      time_zone: null,
      language: null,
      slow_show_minutes: 0,
      allow_marketing_emails: false,
      allow_promotional_emails: false,
      first_visit: true,
      is_admin: false,
      is_active: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      became_subscriber_at: null,
      photo_count: 0,
    })
  })

  test('is a first visit for an hour, until somebody signs in', async () => {
    const account = { email: 'first-visit@example.com', password: validPassword }
    const { access_token: token } = (await registerAccount(account)).json()
    const isFirst = async (session: string) => (await fetchUser(session)).json().first_visit
    expect(await isFirst(token)).toBe(true)
    const { pool } = server.app.deps
    const byName = "where email = 'first-visit@example.com'"
    const again = await server.request({
      method: 'POST',
      url: '/token',
      from: newClientAddress(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ username: account.email, password: validPassword }).toString(),
    })
    expect(await isFirst(again.json().access_token)).toBe(false)
    expect(await isFirst(token)).toBe(true)
    await pool.query(`update users set created_at = created_at - interval '1 hour' ${byName}`)
    await pool.query("update sessions set created_at = created_at - interval '1 hour'")
    expect(await isFirst(token)).toBe(false)
  })

  test('stores the time zone, and refuses one that does not exist', async () => {
    const time = { email: 'clock@example.com', password: validPassword, time_zone: 'Europe/Nowhere' }
    const refused = await registerAccount(time)
    expect([refused.statusCode, refused.json().detail]).toEqual([
      422,
      [{ loc: ['body', 'time_zone'], msg: 'Please give a time zone such as Europe/Brussels' }],
    ])
    const response = await registerAccount({ ...time, time_zone: 'europe/brussels' })
    expect((await fetchUser(response.json().access_token)).json()).toMatchObject({ time_zone: 'Europe/Brussels' })
  })

  test('refuses an address that has an account, in any case', async () => {
    await makeUser(server, 'twice@example.com')
    const response = await registerAccount({ email: 'TWICE@Example.com', password: validPassword })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ code: 'already_registered', detail: 'This email is already registered.' })
  })

  test('creates one account for fifty concurrent requests with one address', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => registerAccount({ email: 'race@example.com', password: validPassword })),
    )
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 49 }, () => 400),
    ])
  })

  test.each([
    [{ password: validPassword }, 'email', 'Field required'],
    [{ email: 'a@example.com' }, 'password', 'Field required'],
    [{ email: 'no address', password: validPassword }, 'email', 'Please enter a valid email address'],
    [{ email: 'a@example.com', password: 'short' }, 'password', 'Password must be at least 8 characters long'],
    [
      { email: 'a@example.com', password: 'nouppercase1!' },
      'password',
      'Password must contain at least one uppercase letter',
    ],
    [
      { email: 'a@example.com', password: 'Aa1!'.repeat(40) },
      'password',
      'Password must be at most 128 characters long',
    ],
    [{ email: ['a@example.com'], password: validPassword }, 'email', 'must be string'],
    [{ email: 'a@example.com', password: validPassword, is_admin: true }, 'is_admin', 'Unknown field'],
    [
      { email: 'a@example.com', password: validPassword, subscription_tier: 'pro' },
      'subscription_tier',
      'Unknown field',
    ],
    [{ email: 'a@example.com', password: validPassword, id: 'x', photo_count: 5 }, 'id', 'Unknown field'],
  ])('refuses %o with the field and the reason', async (body, field, msg) => {
    const response = await registerAccount(body)
    expect(response.statusCode).toBe(422)
    expect(response.json()).toEqual({ code: 'invalid', detail: [{ loc: ['body', field], msg }] })
  })

  test.each([
    '{"email":"a@b.cc","password":"Aa1!aaaa","__proto__":{"is_admin":true}}',
    '{"email":"a@b.cc","password":"Aa1!aaaa","constructor":{"prototype":{"is_admin":true}}}',
  ])('refuses prototype keys: %s', async (body) => {
    const response = await registerAccount(body, newClientAddress(), { 'content-type': 'application/json' })
    expect(response.statusCode).toBeGreaterThanOrEqual(400)
    expect(response.statusCode).toBeLessThan(500)
  })

  test.each([
    ['{"email":', 'application/json', 400],
    ['', 'application/json', 422],
    ['email=a@b.cc&password=Aa1!aaaa', 'application/x-www-form-urlencoded', 415],
    ['<xml/>', 'application/xml', 415],
    ['[]', 'application/json', 422],
    ['null', 'application/json', 422],
  ])('answers the body %j as %s with %i', async (body, type, status) => {
    expect((await registerAccount(body, newClientAddress(), { 'content-type': type })).statusCode).toBe(status)
  })
})

describe('sign-in', () => {
  test('accepts urlencoded and multipart forms, and the address in any case', async () => {
    await makeUser(server, 'forms@example.com')
    expect((await signIn('FORMS@example.com', validPassword)).json()).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
    })
    const boundary = 'xxBOUNDARYxx'
    const part = (name: string, value: string): string =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const response = await server.request({
      method: 'POST',
      url: '/token',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: `${part('grant_type', 'password')}${part('username', 'forms@example.com')}${part('password', validPassword)}--${boundary}--\r\n`,
    })
    expect(response.statusCode).toBe(200)
  })

  test('answers a wrong password and an unknown address alike', async () => {
    await makeUser(server, 'known@example.com')
    const responses = [
      await signIn('known@example.com', 'Wrong.Password.1'),
      await signIn('unknown@example.com', 'Wrong.Password.1'),
    ]
    for (const response of responses) {
      expect(response.statusCode).toBe(401)
      expect(response.json()).toEqual({ code: 'unauthorized', detail: 'Invalid email or password.' })
    }
    expect(Object.keys(responses[0]!.headers)).toEqual(Object.keys(responses[1]!.headers))
  })

  test('refuses JSON', async () => {
    const response = await server.request({
      method: 'POST',
      url: '/token',
      body: { username: 'a@b.cc', password: validPassword },
    })
    expect(response.statusCode).toBe(415)
  })

  test('stores only the hashes of tokens', async () => {
    const user = await makeUser(server)
    const { rows } = await server.app.deps.pool.query(
      "select encode(token_hash, 'escape') as hash, s::text as row from sessions s",
    )
    for (const { hash, row } of rows) expect(`${hash} ${row}`).not.toContain(user.token)
  })
})

describe('sign-out', () => {
  test('ends the session and no other', async () => {
    const user = await makeUser(server)
    const other = (await signIn(user.email, validPassword)).json<{ access_token: string }>().access_token
    expect((await fetchUser(user.token)).statusCode).toBe(200)
    expect((await server.request({ method: 'POST', url: '/logout', token: user.token })).statusCode).toBe(204)
    expect((await fetchUser(user.token)).statusCode).toBe(401)
    expect((await fetchUser(other)).statusCode).toBe(200)
  })
})

describe('a session', () => {
  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic abc',
    'Bearer a b',
    `Bearer ${'x'.repeat(10_000)}`,
    'Bearer null',
    'bearer undefined',
  ])('is not accepted with the header %j', async (authorization) => {
    const response = await server.request({ method: 'GET', url: '/user/me', headers: { authorization } })
    expect(response.statusCode).toBe(401)
    expect(response.headers['www-authenticate']).toBe('Bearer')
  })

  test.each([
    ["last_used_at = now() - interval '31 days'", 401],
    ["last_used_at = now() - interval '29 days'", 200],
    ["created_at = now() - interval '91 days'", 401],
  ])('with %s is answered with %i', async (change, status) => {
    const user = await makeUser(server)
    await server.app.deps.pool.query(`update sessions set ${change} where user_id = $1`, [user.id])
    // Clears the cache of sessions, as after a restart.
    const again = await signIn(user.email, validPassword)
    expect(again.statusCode).toBe(200)
    await changeAccount(server.db, user.email, { is_admin: false })
    await expect.poll(async () => (await fetchUser(user.token)).statusCode).toBe(status)
  })

  test('that is used does not become idle', async () => {
    const user = await makeUser(server)
    await server.app.deps.pool.query(
      "update sessions set last_used_at = now() - interval '20 days' where user_id = $1",
      [user.id],
    )
    await changeAccount(server.db, user.email, { is_admin: false })
    await expect
      .poll(async () => {
        await fetchUser(user.token)
        const { rows } = await server.app.deps.pool.query(
          "select last_used_at > now() - interval '1 minute' as fresh from sessions where user_id = $1",
          [user.id],
        )
        return rows[0].fresh
      })
      .toBe(true)
  })
})
