import { beforeAll, describe, expect, test } from 'vitest'
import { deviceCookie } from '@keepsnap/contract/site.ts'
import { accountLimits } from '@keepsnap/contract/limits.ts'
import { consentVersions, type User } from '@keepsnap/contract/accounts.ts'
import type { OperatorUserDetail } from '@keepsnap/contract/operators.ts'
import type { TestEmail } from '@keepsnap/contract/guests.ts'
import type { SessionDetails } from '@keepsnap/contract/security.ts'
import { newClientAddress, serverForThisTest, startServer, useServer } from '../../test/harness.ts'
import {
  auditOf,
  callOperator,
  grantPlan,
  lengthenDelay,
  makeOperator,
  makeUser,
  registerUser,
  signInRequest,
  type TestUser,
  upload,
  validPassword,
} from '../../test/test-data.ts'
import { emailsTo } from '../../test/outbox.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { connectLive } from '../../test/live-client.ts'
import { repetitions } from '../../test/statistics.ts'
import { changeAccount } from './operator-changes.ts'

const server = useServer()

/** Device cookies on the wire, and emails about sign-ins with browsers that have none. */
describe('known browsers', () => {
  type Answer = Awaited<ReturnType<typeof server.request>>
  const cookieOf = ({ headers }: Answer): string => String(headers['set-cookie']).split(';')[0] ?? ''
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'

  function signIn(
    email: string,
    { cookie, password, from }: { cookie?: string; password?: string; from?: string } = {},
  ) {
    const request = signInRequest(email, password)
    const headers = { ...request.headers, 'user-agent': firefox, ...(cookie !== undefined && { cookie }) }
    return server.request({ ...request, headers, ...(from !== undefined && { from }) })
  }
  const knownBrowserOf = async ({ email }: TestUser): Promise<string> => cookieOf(await signIn(email))

  describe('the device cookie', () => {
    test('is given at sign-in and registration, to be sent with sign-ins alone, and readable by no script', async () => {
      const registered = await server.request({
        method: 'POST',
        url: '/register',
        body: { email: 'first@example.com', password: validPassword },
      })
      for (const answer of [registered, await signIn('first@example.com')])
        expect(answer.headers['set-cookie']).toMatch(
          new RegExp(`^${deviceCookie}=[\\w.~-]+; Max-Age=31536000; Path=/token; HttpOnly; SameSite=Strict$`),
        )
      expect((await signIn('first@example.com', { password: 'Wrong.Horse.9' })).headers['set-cookie']).toBeUndefined()
    })

    test('is Secure where the site is reached over https', async () => {
      const secure = await startServer({ PUBLIC_URL: 'https://photos.test' })
      try {
        const user = await makeUser(secure)
        const answer = await secure.request(signInRequest(user.email))
        expect(answer.headers['set-cookie']).toMatch(/; Secure$/)
      } finally {
        await secure.close()
      }
    })

    test('gives a browser a count of sign-ins of its own, behind an address that has used up its', async () => {
      const from = newClientAddress()
      const user = await makeUser(server)
      const cookie = await knownBrowserOf(user)
      for (let n = 0; n < 11; n++) await signIn(`nobody-${n}@example.com`, { from })
      expect((await signIn(user.email, { from })).statusCode).toBe(429)
      const answers = []
      for (let n = 0; n < 12; n++) answers.push((await signIn(user.email, { from, cookie })).statusCode)
      expect(answers).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
    })

    test('gives nothing for another account, nor for other calls', async () => {
      const from = newClientAddress()
      const [ann, ben] = [await makeUser(server), await makeUser(server)]
      const cookie = await knownBrowserOf(ann)
      for (let n = 0; n < 10; n++) await signIn(`nobody-${n}@example.com`, { from })
      expect((await signIn(ben.email, { from, cookie })).statusCode).toBe(429)
      const body = { email: 'second@example.com', password: validPassword }
      const registered = await server.request({ method: 'POST', url: '/register', from, headers: { cookie }, body })
      expect(registered.statusCode).toBe(429)
      const forged = cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
      expect((await signIn(ann.email, { from, cookie: forged })).statusCode).toBe(429)
    })

    test('gives an account with many browsers no more than thirty sign-ins a minute with them', async () => {
      const user = await makeUser(server)
      const cookies = []
      for (let n = 0; n < 4; n++) cookies.push(await knownBrowserOf(user))
      const answers = []
      for (const cookie of cookies)
        for (let n = 0; n < 8; n++) answers.push((await signIn(user.email, { cookie })).statusCode)
      expect(answers.filter((status) => status === 200)).toHaveLength(30)
    })

    test('is no credential: without the password it opens nothing', async () => {
      const ann = await makeUser(server)
      const cookie = await knownBrowserOf(ann)
      expect((await signIn(ann.email, { cookie, password: 'Wrong.Horse.9' })).statusCode).toBe(401)
      const asked = await server.request({ method: 'GET', url: '/user/me', headers: { cookie } })
      expect(asked.statusCode).toBe(401)
    })

    test('keeps the owner’s browser from being delayed by guesses of strangers, wherever it is', async () => {
      const user = await makeUser(server)
      const cookie = await knownBrowserOf(user)
      for (let n = 0; n < 6; n++) await signIn(user.email, { password: 'Wrong.Horse.9' })
      await server.app.deps.pool.query('update sign_in_delays set failures = 14, last_failure_at = now()')
      expect((await signIn(user.email)).statusCode).toBe(429)
      expect((await signIn(user.email, { cookie })).statusCode).toBe(200)
    })
  })

  describe('an email about a new browser', () => {
    const emails = async ({ email }: { email: string }) => {
      await server.work()
      return (await emailsTo(server, email)).filter(({ subject }) => subject === 'New sign-in to your account')
    }

    test('goes to a user with a plan, once for each browser', async () => {
      const user = await makeUser(server)
      await grantPlan(server, user, 'pro_monthly')
      const cookie = await knownBrowserOf(user)
      await signIn(user.email, { cookie })
      const [email, ...others] = await emails(user)
      expect(others).toEqual([])
      expect(email?.text).toMatch(/signed in to your account on .* \(Firefox, Linux\)/)
      expect(email?.text).toMatch(/\/settings[\s\S]*\/forgot-password/)
    })

    test('goes to an admin, with a plan or without', async () => {
      const admin = await makeOperator(server)
      await signIn(admin.email)
      expect(await emails(admin)).toHaveLength(1)
    })

    test('goes to no other user, nor after a wrong password', async () => {
      const [free, paying] = [await makeUser(server), await makeUser(server)]
      await grantPlan(server, paying, 'pro_monthly')
      await signIn(free.email)
      await signIn(paying.email, { password: 'Wrong.Horse.9' })
      expect([await emails(free), await emails(paying)]).toEqual([[], []])
    })

    test('does not follow a registration or a reset in the same browser, and follows a new password in others', async () => {
      const registered = await server.request({
        method: 'POST',
        url: '/register',
        body: { email: 'third@example.com', password: validPassword },
      })
      const user = {
        id: '',
        email: 'third@example.com',
        token: registered.json<{ access_token: string }>().access_token,
      }
      await server.app.deps.pool.query('update users set is_admin = true where email_key = $1', [user.email])
      await signIn(user.email, { cookie: cookieOf(registered) })
      expect(await emails(user)).toEqual([])
      const newPassword = 'Better.Battery.7'
      const changed = await server.request({
        method: 'POST',
        url: '/user/password',
        token: user.token,
        body: { current_password: validPassword, new_password: newPassword },
      })
      await signIn(user.email, { cookie: cookieOf(changed), password: newPassword })
      expect(await emails(user)).toEqual([])
      await signIn(user.email, { cookie: cookieOf(registered), password: newPassword })
      expect(await emails(user)).toHaveLength(1)
    })

    test('is sent five times a day at most; signing in goes on', async () => {
      const user = await makeUser(server)
      await grantPlan(server, user, 'pro_monthly')
      const answers = []
      for (let n = 0; n < accountLimits.signInEmailsPerDay + 2; n++) answers.push((await signIn(user.email)).statusCode)
      expect(new Set(answers)).toEqual(new Set([200]))
      expect(await emails(user)).toHaveLength(accountLimits.signInEmailsPerDay)
    })
  })
})

const newPassword = 'Better.Battery.7'
let address: string
beforeAll(async () => {
  address = await server.listen()
})

const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const post = (url: string, body: unknown, token?: string) => server.request({ method: 'POST', url, token, body })
const registerAccount = (body: unknown) => post('/register', body)
const signIn = (email: string, password = validPassword, agent = 'a test') => {
  const request = signInRequest(email, password)
  return server.request({ ...request, headers: { ...request.headers, 'user-agent': agent } })
}
const tokenOf = (answer: Awaited<ReturnType<typeof signIn>>) => answer.json<{ access_token: string }>().access_token
const newSession = async (user: TestUser, agent?: string) => tokenOf(await signIn(user.email, validPassword, agent))
const fetchUser = (token: string) => server.request({ method: 'GET', url: '/user/me', token })
const statusOfSession = async (token: string) => (await fetchUser(token)).statusCode
const statusesOf = (tokens: string[]) => Promise.all(tokens.map(statusOfSession))
const putSettings = (user: TestUser, body: object) =>
  server.request({ method: 'PUT', url: '/user/settings', token: user.token, body })

describe('registration', () => {
  test('creates an account on the free plan and signs it in', async () => {
    const response = await registerAccount({
      email: 'Anna.Berg@example.com',
      password: validPassword,
      time_zone: 'europe/brussels',
    })
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
      time_zone: 'Europe/Brussels',
      language: null,
      slow_show_minutes: 0,
      allow_marketing_emails: false,
      allow_promotional_emails: false,
      allow_request_removal_emails: true,
      first_visit: true,
      is_admin: false,
      is_active: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      became_subscriber_at: null,
      photo_count: 0,
    })
  })

  test('is a first visit for an hour, until somebody signs in', async () => {
    const user = await registerUser(server)
    const isFirst = async (token: string) => (await fetchUser(token)).json().first_visit
    expect(await isFirst(user.token)).toBe(true)
    expect([await isFirst(await newSession(user)), await isFirst(user.token)]).toEqual([false, true])
    await query("update users set created_at = created_at - interval '1 hour' where id = $1", [user.id])
    await query("update sessions set created_at = created_at - interval '1 hour' where user_id = $1", [user.id])
    expect(await isFirst(user.token)).toBe(false)
  })

  test('refuses an address that has an account, in any case', async () => {
    await makeUser(server, 'twice@example.com')
    const response = await registerAccount({ email: 'TWICE@Example.com', password: validPassword })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ code: 'already_registered', detail: 'This email is already registered.' })
  })

  test('creates one account for many concurrent requests with one address', async () => {
    const count = repetitions(10, 50)
    const account = { email: 'race@example.com', password: validPassword }
    const answers = await Promise.all(Array.from({ length: count }, () => registerAccount(account)))
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    expect(statuses).toEqual([201, ...Array.from({ length: count - 1 }, () => 400)])
  })

  test.each([
    [{ email: 'a@example.com', password: 'short' }, 'password', 'Password must be at least 8 characters long'],
    [
      { email: 'a@example.com', password: validPassword, time_zone: 'Europe/Nowhere' },
      'time_zone',
      'Please give a time zone such as Europe/Brussels',
    ],
  ])('refuses %o with the field and the reason', async (body, field, msg) => {
    const answer = await registerAccount(body)
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { code: 'invalid', detail: [{ loc: ['body', field], msg }] },
    ])
  })
})

test('sign-in accepts urlencoded and multipart forms, and the address in any case', async () => {
  await makeUser(server, 'forms@example.com')
  const answer = await signIn('FORMS@example.com')
  expect(answer.json()).toEqual({ access_token: expect.any(String), token_type: 'bearer' })
  const part = (name: string, value: string): string =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const body = `${part('username', 'forms@example.com')}${part('password', validPassword)}--x--\r\n`
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  expect((await server.request({ method: 'POST', url: '/token', headers, body })).statusCode).toBe(200)
})

describe('a session', () => {
  // An event about the user removes the session from the cache, as a restart does.
  const forgetCached = (user: TestUser) => changeAccount(server.db, user.email, { is_admin: false })

  test.each([
    ["last_used_at = now() - interval '31 days'", 401],
    ["last_used_at = now() - interval '29 days'", 200],
    ["created_at = now() - interval '91 days'", 401],
  ])('with %s is answered with %i', async (change, status) => {
    const user = await makeUser(server)
    await query(`update sessions set ${change} where user_id = $1`, [user.id])
    await forgetCached(user)
    await expect.poll(() => statusOfSession(user.token)).toBe(status)
  })

  test('that is used does not become idle', async () => {
    const user = await makeUser(server)
    await query("update sessions set last_used_at = now() - interval '20 days' where user_id = $1", [user.id])
    await forgetCached(user)
    const isFresh = async (): Promise<boolean> => {
      await fetchUser(user.token)
      const recent = "select from sessions where user_id = $1 and last_used_at > now() - interval '1 minute'"
      return (await query(recent, [user.id])).rowCount === 1
    }
    await expect.poll(isFresh, { interval: 10 }).toBe(true)
  })
})

describe('sessions', () => {
  const listSessions = async (token: string) =>
    (await server.request({ method: 'GET', url: '/user/sessions', token })).json<{ sessions: SessionDetails[] }>()
      .sessions

  test('are listed without their tokens', async () => {
    const user = await makeUser(server)
    const token = await newSession(user, 'Firefox on a phone')
    const sessions = await listSessions(token)
    expect(sessions).toHaveLength(2)
    expect(sessions.filter(({ current }) => current)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        user_agent: 'Firefox on a phone',
        created_at: expect.stringMatching(/Z$/),
        last_used_at: expect.stringMatching(/Z$/),
        current: true,
      },
    ])
    expect(JSON.stringify(sessions)).not.toContain(token)
  })

  test('are ended one by one, by signing out or from another one, with their sockets; the others stay', async () => {
    const user = await makeUser(server)
    const [other, third] = [await newSession(user, 'Old laptop'), await newSession(user)]
    const [ended, staying] = [await connectLive(address, other), await connectLive(address, user.token)]
    expect(await statusesOf([other, third, user.token])).toEqual([200, 200, 200])
    const { id } = (await listSessions(user.token)).find(({ user_agent: agent }) => agent === 'Old laptop')!
    const end = () => server.request({ method: 'DELETE', url: `/user/sessions/${id}`, token: user.token })
    expect([(await end()).statusCode, (await end()).statusCode]).toEqual([204, 404])
    expect((await ended.closed).code).toBe(4401)
    const signedOut = await post('/logout', undefined, third)
    expect([signedOut.statusCode, signedOut.headers['clear-site-data']]).toEqual([204, '"cache"'])
    expect(await statusesOf([other, third, user.token])).toEqual([401, 401, 200])
    expect(staying.socket.readyState).toBe(staying.socket.OPEN)
    staying.socket.terminate()
  })

  test('can all be ended at once, on all nodes, which invalidates the URLs of full-size images', async () => {
    const user = await makeUser(server)
    const other = await newSession(user)
    const { id } = (await upload(server, user, await jpeg())).json<{ id: string }>()
    await server.work()
    const photo = await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })
    const { pathname, search } = new URL(photo.json<{ b2_url: string }>().b2_url)
    const statusOfImage = async () => (await server.request({ method: 'GET', url: pathname + search })).statusCode
    const node = await serverForThisTest({}, { database: server.database })
    const onNode = await connectLive(await node.listen(), user.token)
    const statusOnNode = async () =>
      (await node.request({ method: 'GET', url: '/user/me', token: user.token })).statusCode
    expect([await statusOfImage(), await statusOnNode()]).toEqual([200, 200])
    const ended = await server.request({ method: 'DELETE', url: '/user/sessions', token: user.token })
    expect([ended.statusCode, ended.headers['clear-site-data']]).toEqual([204, '"cache"'])
    expect([...(await statusesOf([user.token, other])), await statusOfImage()]).toEqual([401, 401, 404])
    await expect.poll(statusOnNode, { timeout: 20_000, interval: 10 }).toBe(401)
    expect((await onNode.closed).code).toBe(4401)
  })

  test('that were deleted without a bus event also have their sockets closed', async () => {
    const user = await makeUser(server)
    const live = await connectLive(address, user.token)
    await query('delete from sessions where user_id = $1', [user.id])
    expect((await live.closed).code).toBe(4401)
  }, 20_000)
})

describe('a changed password', () => {
  const changePassword = (token: string, current_password = validPassword, new_password = newPassword) =>
    post('/user/password', { current_password, new_password }, token)

  test('ends every session, opens a new one, and is reported by email', async () => {
    const user = await makeUser(server)
    const other = await newSession(user)
    const live = await connectLive(address, user.token)
    const answer = await changePassword(user.token)
    expect(answer.statusCode).toBe(200)
    expect(await statusesOf([user.token, other, tokenOf(answer)])).toEqual([401, 401, 200])
    expect((await live.closed).code).toBe(4401)
    expect((await signIn(user.email)).statusCode).toBe(401)
    expect((await signIn(user.email, newPassword)).statusCode).toBe(200)
    await server.work()
    const subjects = (await emailsTo(server, user.email)).map(({ subject }) => subject)
    expect(subjects).toEqual([expect.stringMatching(/password/i)])
  })

  test('must keep the rules', async () => {
    const answer = await changePassword((await makeUser(server)).token, validPassword, 'weak')
    const msg = 'Password must be at least 8 characters long'
    expect([answer.statusCode, answer.json().detail]).toEqual([422, [{ loc: ['body', 'new_password'], msg }]])
  })

  test('is changed once by concurrent requests', async () => {
    const user = await makeUser(server)
    const nth = (n: number): string => `Parallel.${n}.Horse`
    const answers = await Promise.all(
      Array.from({ length: repetitions(8, 20) }, (_, n) => changePassword(user.token, validPassword, nth(n))),
    )
    const won = answers.flatMap(({ statusCode }, n) => (statusCode === 200 ? [n] : []))
    expect(won).toHaveLength(1)
    // The others may have counted as wrong passwords.
    await query('delete from sign_in_delays')
    expect((await signIn(user.email, nth(won[0]!))).statusCode).toBe(200)
  })
})

test.each([
  ['POST', '/user/password', (password: string) => ({ current_password: password, new_password: newPassword })],
  ['POST', '/user/email', (password: string) => ({ email: 'new@example.com', password })],
  ['DELETE', '/user', (password: string) => ({ password })],
] as const)(
  '%s %s needs the password, with a growing delay after wrong ones as at sign-in',
  async (method, url, body) => {
    const user = await makeUser(server)
    const call = (password: string) => server.request({ method, url, token: user.token, body: body(password) })
    for (let n = 0; n < 5; n++) expect((await call('Wrong.Password.1')).json()).toMatchObject({ code: 'forbidden' })
    await lengthenDelay(server, user.email)
    expect((await call(validPassword)).json()).toMatchObject({ code: 'rate_limited' })
    expect((await fetchUser(user.token)).json()).toMatchObject({ email: user.email })
  },
)

describe('settings', () => {
  test('every change of consent is stored with its time and the version of the sentence', async () => {
    const user = await makeUser(server)
    await putSettings(user, { allow_marketing_emails: true })
    await putSettings(user, { allow_marketing_emails: true, allow_promotional_emails: true })
    await putSettings(user, { allow_promotional_emails: false, ask_email_to_receive_photo: true })
    const { marketing, promotional } = consentVersions
    const { rows } = await query('select * from consents where user_id = $1 order by id', [user.id])
    expect(rows).toMatchObject([
      { kind: 'marketing', given: true, version: marketing },
      { kind: 'promotional', given: true, version: promotional },
      { kind: 'promotional', given: false, version: promotional },
    ])
    for (const { recorded_at: at } of rows) expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000)
  })

  test('of concurrent changes, the last stored consent is the current one', async () => {
    const user = await makeUser(server)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => putSettings(user, { allow_marketing_emails: n % 2 === 0 })),
    )
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    const { rows } = await query('select given from consents where user_id = $1 order by id', [user.id])
    const now = (await fetchUser(user.token)).json<User>().allow_marketing_emails
    expect(rows.at(-1)?.given ?? false).toBe(now)
    for (const [at, { given }] of rows.entries()) expect(given).toBe(at % 2 === 0)
  })

  test('brand name and time zone are normalized, kept by other changes, and removed with null or an empty text', async () => {
    const user = await makeUser(server)
    const saved = async (body: object) => {
      const { brand_name, time_zone } = (await putSettings(user, body)).json<User>()
      return [brand_name, time_zone]
    }
    expect(await saved({ brand_name: '  Studio   Sofie ', time_zone: 'europe/brussels' })).toEqual([
      'Studio Sofie',
      'Europe/Brussels',
    ])
    expect(await saved({ allow_marketing_emails: true })).toEqual(['Studio Sofie', 'Europe/Brussels'])
    expect(await saved({ brand_name: null })).toEqual([null, 'Europe/Brussels'])
    expect(await saved({ brand_name: ' ', time_zone: null })).toEqual([null, null])
  })

  test('the username can be changed, to any text that can be read', async () => {
    const user = await makeUser(server)
    const response = await putSettings(user, { username: '  Sofie & Co, sofie@night.example ' })
    expect(response.json()).toMatchObject({ username: 'Sofie & Co, sofie@night.example', brand_name: null })
  })

  test.each([
    [{ username: ' ' }, 'username', 'Please enter a name'],
    [{ brand_name: 'sofie.example' }, 'brand_name', expect.stringContaining('cannot contain a link')],
    [{ time_zone: 'Mars/Base', allow_marketing_emails: true }, 'time_zone', expect.stringContaining('time zone')],
  ])('%j is refused and changes nothing', async (body, field, msg) => {
    const user = await makeUser(server)
    const before = (await putSettings(user, { brand_name: 'Studio Sofie', time_zone: 'Asia/Tokyo' })).json<User>()
    const answer = await putSettings(user, body)
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { code: 'invalid', detail: [{ loc: ['body', field], msg }] },
    ])
    expect((await fetchUser(user.token)).json()).toEqual(before)
  })
})

describe('a test email', () => {
  const call = (method: 'GET' | 'POST', { token }: TestUser) =>
    server.request({ method, url: '/user/test-email', token })

  test('goes to the user’s own address, and its state says when it was sent', async () => {
    const user = await makeUser(server)
    expect((await call('GET', user)).json<TestEmail>()).toEqual({
      state: 'none',
      asked_at: null,
      sent_at: null,
      reason: null,
      mail: 'outbox',
    })
    const queued = await call('POST', user)
    expect([queued.statusCode, queued.json<TestEmail>()]).toEqual([
      200,
      { state: 'queued', asked_at: expect.any(String), sent_at: null, reason: null, mail: 'outbox' },
    ])
    await server.work()
    expect((await call('GET', user)).json<TestEmail>()).toMatchObject({ state: 'sent', sent_at: expect.any(String) })
    const { rows } = await server.app.deps.pool.query<{ recipient: string }>(
      "select recipient from emails where kind = 'test' and user_id = $1",
      [user.id],
    )
    expect(rows).toEqual([{ recipient: user.email }])
  })

  test('that failed says why', async () => {
    const user = await makeUser(server)
    await call('POST', user)
    await server.app.deps.pool.query(
      "update emails set state = 'failed', failure = 'The mail server requires authentication.' where kind = 'test' and user_id = $1",
      [user.id],
    )
    expect((await call('GET', user)).json<TestEmail>()).toMatchObject({
      state: 'failed',
      sent_at: null,
      reason: 'The mail server requires authentication.',
    })
  })

  test('is sent three times an hour, also when they are asked for at once', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)]
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST', user)))
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2)
    expect((await call('POST', user)).json()).toMatchObject({ code: 'rate_limited' })
    expect((await call('POST', other)).statusCode).toBe(200)
  })
})

describe('changes by the operator', () => {
  const reason = 'A complaint by email'
  let operator: TestUser
  beforeAll(async () => void (operator = await makeOperator(server)))
  const act = (user: { id: string }, action: string, body: Record<string, unknown> = { reason }) =>
    callOperator(server, operator, `users/${user.id}/${action}`, body)

  test('a command deactivates an account and activates it again, and gives admin rights and plans', async () => {
    const user = await makeUser(server)
    const change = (changes: Parameters<typeof changeAccount>[2]) =>
      changeAccount(server.db, user.email.toUpperCase(), changes)
    expect(await statusOfSession(user.token)).toBe(200)
    expect(await change({ is_active: false })).toEqual({ endsPayments: false })
    await expect.poll(() => statusOfSession(user.token), { timeout: 20_000, interval: 10 }).toBe(401)
    expect((await signIn(user.email)).statusCode).toBe(401)
    await change({ is_active: true })
    const token = await newSession(user)
    await change({ is_admin: true })
    await change({ granted_plan: 'pro_yearly', granted_until: null })
    expect((await fetchUser(token)).json()).toMatchObject({ is_admin: true, subscription_tier: 'pro' })
    await change({ granted_plan: 'pro_monthly', granted_until: new Date(Date.now() - 1000) })
    expect((await fetchUser(token)).json()).toMatchObject({ subscription_tier: 'free' })
    expect(await changeAccount(server.db, 'nobody@example.com', { is_admin: true })).toBeUndefined()
  })

  test('a wrong password allows nothing, and is delayed as at sign-in', async () => {
    const other = await makeOperator(server, { isConfirmed: false })
    const enter = async () =>
      (await callOperator(server, other, 'confirmation', { password: 'Wrong.Horse.9' })).statusCode
    for (let at = 0; at < 5; at += 1) expect(await enter()).toBe(403)
    await lengthenDelay(server, other.email)
    expect(await enter()).toBe(429)
    const user = await makeUser(server)
    expect((await callOperator(server, other, `users/${user.id}/deactivate`, { reason })).statusCode).toBe(403)
  })

  test('a wrong password of an operator is logged wherever it is entered, because a right one allows actions', async () => {
    const other = await makeOperator(server, { isConfirmed: false })
    const user = await makeUser(server)
    const confirm = (token: string, password: string) =>
      server.request({ method: 'POST', url: '/user/confirmation', token, body: { password } })
    for (const { token } of [other, user]) expect((await confirm(token, 'Wrong.Horse.9')).statusCode).toBe(403)
    const { rows } = await query('select actor_id, action, outcome, detail from audit_log where actor_id = any($1)', [
      [other.id, user.id],
    ])
    const detail = 'This is not your current password.'
    expect(rows).toEqual([{ actor_id: other.id, action: 'enter password', outcome: 'refused', detail }])
    expect((await confirm(other.token, validPassword)).statusCode).toBe(200)
    expect((await callOperator(server, other, `users/${user.id}/deactivate`, { reason })).statusCode).toBe(200)
  })

  test('a deactivated account is signed out at once, and can be activated again', async () => {
    const user = await makeUser(server)
    expect(await statusOfSession(user.token)).toBe(200)
    const answer = await act(user, 'deactivate')
    expect(answer.json<OperatorUserDetail>()).toMatchObject({
      user: { id: user.id, is_active: false },
      sessions: { count: 0, last_used_at: null },
    })
    expect(await statusOfSession(user.token)).toBe(401)
    expect((await act(user, 'deactivate')).statusCode).toBe(200)
    expect((await act(user, 'activate')).json<OperatorUserDetail>().user.is_active).toBe(true)
    const done = { actor_kind: 'operator', reason, outcome: 'done', detail: null }
    expect(await auditOf(server, user.id)).toEqual([
      { ...done, action: 'deactivate account' },
      { ...done, action: 'deactivate account' },
      { ...done, action: 'activate account' },
    ])
  })

  test('operators cannot deactivate themselves, and the log says that they tried', async () => {
    const answer = await act(operator, 'deactivate')
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([409, 'conflict'])
    expect(await statusOfSession(operator.token)).toBe(200)
    expect(await auditOf(server, operator.id)).toMatchObject([
      { action: 'deactivate account', outcome: 'refused', detail: expect.stringContaining('your own account') },
    ])
  })

  test('a plan is given until the end of a day, or without an end, and is taken back', async () => {
    const user = await makeUser(server)
    const give = async (plan: string, until: string | null) =>
      (await act(user, 'plan', { plan, until, reason })).json<OperatorUserDetail>().user
    expect(await give('pro_yearly', '2099-01-31')).toMatchObject({
      plan: 'pro_yearly',
      is_complimentary: true,
      plan_until: '2099-01-31T23:59:59.999Z',
    })
    expect(await give('pro_monthly', null)).toMatchObject({ plan: 'pro_monthly', plan_until: null })
    expect(await give('free', '2099-01-31')).toMatchObject({
      plan: 'free',
      is_complimentary: false,
      plan_until: null,
    })
    const done = { actor_kind: 'operator', reason, outcome: 'done' }
    expect(await auditOf(server, user.id)).toMatchObject([
      { ...done, action: 'give plan pro_yearly until 2099-01-31' },
      { ...done, action: 'give plan pro_monthly' },
      { ...done, action: 'take given plan back' },
    ])
  })

  test.each(['2020-01-31', '2099-02-30'])('no plan is given until %s', async (until) => {
    const user = await makeUser(server)
    expect((await act(user, 'plan', { plan: 'pro_yearly', until, reason })).statusCode).toBe(422)
    expect((await fetchUser(user.token)).json()).toMatchObject({ subscription_tier: 'free' })
  })

  test('an account that does not exist is not found; the log says what was tried, without the id', async () => {
    const id = '0'.repeat(22)
    for (const action of ['deactivate', 'refund']) expect((await act({ id }, action)).statusCode).toBe(404)
    expect(await auditOf(server, id)).toEqual([])
    const { rows } = await server.app.deps.pool.query<object>(
      `select action, detail from audit_log where subject_id is null and outcome = 'refused' and actor_id = $1 order by at`,
      [operator.id],
    )
    const detail = 'There is no such account.'
    expect(rows).toEqual(['deactivate account', 'refund'].map((action) => ({ action, detail })))
  })
})
