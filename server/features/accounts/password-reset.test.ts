import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invalidResetTokenDetail, resetRequested } from '@keepsnap/contract/email-links.ts'
import { newId } from '../../lib/ids.ts'
import { connectLive } from '../../test/live-client.ts'
import { newClientAddress, startServer, type TestServer } from '../../test/harness.ts'
import { validPassword, registerUser, type TestUser } from '../../test/test-data.ts'
import { emailsTo, newestSecret } from '../../test/outbox.ts'
import { changeAccount } from './operator-changes.ts'
import { promisedMs } from '../../test/statistics.ts'

const newPassword = 'Better.Battery.7'
let server: TestServer
let address: string
beforeAll(async () => {
  server = await startServer()
  address = await server.listen()
})
afterAll(() => server.close())

const requestReset = (email: string) =>
  server.request({ method: 'POST', url: '/request-password-reset', body: { email } })
const useResetLink = (token: string, password = newPassword) =>
  server.request({ method: 'POST', url: '/reset-password', body: { token, new_password: password } })
const checkLink = (token: string, from?: string) =>
  server.request({ method: 'POST', url: '/reset-password/check', body: { token }, ...(from && { from }) })
const fetchUser = (token: string) => server.request({ method: 'GET', url: '/user/me', token })
const signIn = (user: TestUser, password: string, from = newClientAddress()) =>
  server.request({
    from,
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ username: user.email, password }).toString(),
  })
const resetLinkTo = async (user: TestUser): Promise<string> => {
  await requestReset(user.email)
  await server.work()
  return newestSecret(server, user.email, '/reset-password?token=')
}
const resetEmails = async (email: string) =>
  (await server.app.deps.pool.query("select 1 from emails where kind = 'reset' and recipient = $1", [email])).rows
    .length

describe('the link of a password reset', () => {
  test('sets a new password, ends every session and socket, and is reported by email', async () => {
    const user = await registerUser(server)
    const live = await connectLive(address, user.token)
    const resetToken = await resetLinkTo(user)
    expect((await useResetLink(resetToken)).json()).toEqual({ detail: expect.stringContaining('Please sign in') })
    expect((await fetchUser(user.token)).statusCode).toBe(401)
    expect((await live.closed).code).toBe(4401)
    expect((await signIn(user, validPassword)).statusCode).toBe(401)
    expect((await signIn(user, newPassword)).statusCode).toBe(200)
    await server.work()
    const subjects = (await emailsTo(server, user.email)).map(({ subject }) => subject)
    expect(subjects.at(-1)).toMatch(/password/i)
  })

  test('resets the delay after wrong passwords', async () => {
    const user = await registerUser(server)
    const resetToken = await resetLinkTo(user)
    const home = newClientAddress()
    expect((await signIn(user, validPassword, home)).statusCode).toBe(200)
    for (const from of [home, undefined]) {
      for (let n = 0; n < 7; n++) await signIn(user, 'Wrong.Password.1', from)
      expect((await signIn(user, validPassword, from)).statusCode).toBe(429)
    }
    expect((await useResetLink(resetToken)).statusCode).toBe(200)
    for (const from of [home, undefined]) expect((await signIn(user, newPassword, from)).statusCode).toBe(200)
  })

  test('makes the account forget its known clients', async () => {
    const user = await registerUser(server)
    const known = async () =>
      (await server.app.deps.pool.query('select 1 from known_clients where user_id = $1', [user.id])).rowCount
    await signIn(user, validPassword)
    expect(await known()).toBe(2)
    expect((await useResetLink(await resetLinkTo(user))).statusCode).toBe(200)
    expect(await known()).toBe(0)
    await signIn(user, newPassword)
    expect(await known()).toBe(1)
  })

  test('invalidates older URLs of full-size images, and confirms the email address', async () => {
    const user = await registerUser(server)
    const account = async () =>
      (
        await server.app.deps.pool.query(
          'select media_epoch, email_verified_at is not null as ok from users where id = $1',
          [user.id],
        )
      ).rows[0]
    const before = await account()
    await useResetLink(await resetLinkTo(user))
    expect([before.ok, await account()]).toEqual([false, { media_epoch: before.media_epoch + 1, ok: true }])
  })

  test('works once: of fifty concurrent uses, one succeeds', async () => {
    const user = await registerUser(server)
    const resetToken = await resetLinkTo(user)
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => useResetLink(resetToken, `Parallel.${n}.Horse`)),
    )
    const codes = responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    expect(codes).toEqual([200, ...Array.from({ length: 49 }, () => 400)])
    const winner = responses.findIndex(({ statusCode }) => statusCode === 200)
    expect((await signIn(user, `Parallel.${winner}.Horse`)).statusCode).toBe(200)
    const again = await useResetLink(resetToken)
    expect([again.statusCode, again.json()]).toEqual([400, { code: 'bad_request', detail: invalidResetTokenDetail }])
  })

  test('stops working after a newer link, after half an hour, and while the account is deactivated', async () => {
    const user = await registerUser(server)
    const older = await resetLinkTo(user)
    const newer = await resetLinkTo(user)
    expect(older).not.toBe(newer)
    expect((await useResetLink(older)).statusCode).toBe(400)
    const { pool } = server.app.deps
    const inMinutes = async () =>
      Number(
        (
          await pool.query(
            "select extract(epoch from expires_at - now()) / 60 as minutes from email_links where kind = 'reset' and user_id = $1",
            [user.id],
          )
        ).rows[0].minutes,
      )
    expect(await inMinutes()).toBeGreaterThan(29)
    expect(await inMinutes()).toBeLessThanOrEqual(30)
    await pool.query("update email_links set expires_at = now() - interval '1 second' where user_id = $1", [user.id])
    expect((await useResetLink(newer)).json()).toEqual({ code: 'bad_request', detail: invalidResetTokenDetail })
    const third = await resetLinkTo(user)
    await changeAccount(server.db, user.email, { is_active: false })
    expect((await useResetLink(third)).statusCode).toBe(400)
    await changeAccount(server.db, user.email, { is_active: true })
    expect((await useResetLink(third)).statusCode).toBe(200)
  })

  test.each(['', 'x', newId(43), 'A'.repeat(43), "' or 1=1 --", 'undefined'])(
    'does not work with the token %j',
    async (token) => {
      const response = await useResetLink(token)
      expect([response.statusCode, response.json()]).toEqual([
        400,
        { code: 'bad_request', detail: invalidResetTokenDetail },
      ])
    },
  )

  test('does not affect other accounts, and a link that confirms an address does not reset a password', async () => {
    const [user, other] = [await registerUser(server), await registerUser(server)]
    await server.work()
    const verify = await newestSecret(server, user.email, '/verify-email?token=')
    expect((await useResetLink(verify)).statusCode).toBe(400)
    await useResetLink(await resetLinkTo(user))
    expect((await signIn(other, validPassword)).statusCode).toBe(200)
  })

  test.each([
    ['short', 'Password must be at least 8 characters long'],
    ['nouppercase1!', 'Password must contain at least one uppercase letter'],
    ['NOLOWERCASE1!', 'Password must contain at least one lowercase letter'],
    ['NoNumber!!', 'Password must contain at least one number'],
    ['NoSpecial11', 'Password must contain at least one special character'],
    ['Aa1!'.repeat(33), 'Password must be at most 128 characters long'],
  ])('refuses the password %j and keeps working', async (password, msg) => {
    const user = await registerUser(server)
    const resetToken = await resetLinkTo(user)
    const response = await useResetLink(resetToken, password)
    expect([response.statusCode, response.json()]).toEqual([
      422,
      { code: 'invalid', detail: [{ loc: ['body', 'new_password'], msg }] },
    ])
    expect((await useResetLink(resetToken)).statusCode).toBe(200)
  })

  test('is not stored in the database', async () => {
    const user = await registerUser(server)
    const resetToken = await resetLinkTo(user)
    const { rows } = await server.app.deps.pool.query(
      'select (select json_agg(l)::text from email_links l) as links, (select json_agg(t)::text from emails t) as emails',
    )
    expect(JSON.stringify(rows)).not.toContain(resetToken)
  })

  test('starts with PUBLIC_URL, whatever the Host header of the request', async () => {
    const user = await registerUser(server)
    const headers = { host: 'photos.test', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    await server.request({ method: 'POST', url: '/request-password-reset', headers, body: { email: user.email } })
    await server.work()
    // The email that confirms the address may arrive before or after it.
    const emails = await emailsTo(server, user.email)
    const texts = emails.map(({ text, html }) => `${text} ${html}`).join(' ')
    expect(texts).toContain(`http://photos.test/reset-password?token=`)
    expect(texts).not.toContain('evil.example')
  })
})

describe('checking the link of a password reset', () => {
  test('says whether it works, without using it up', async () => {
    const user = await registerUser(server)
    const older = await resetLinkTo(user)
    const resetToken = await resetLinkTo(user)
    for (let n = 0; n < 3; n++) expect((await checkLink(resetToken)).statusCode).toBe(200)
    expect((await useResetLink(resetToken)).statusCode).toBe(200)
    for (const token of [resetToken, older, '', newId(43)]) {
      const response = await checkLink(token)
      expect([response.statusCode, response.json()]).toEqual([
        400,
        { code: 'bad_request', detail: invalidResetTokenDetail },
      ])
    }
  })

  test('has a limit of its own', async () => {
    const from = newClientAddress()
    const checks = await Promise.all(Array.from({ length: 32 }, () => checkLink(newId(43), from)))
    expect(checks.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2)
    const user = await registerUser(server)
    expect((await signIn(user, validPassword, from)).statusCode).toBe(200)
  })
})

describe('requesting a password reset', () => {
  test('has the same response for known, unknown and deactivated accounts', async () => {
    const [known, inactive] = [await registerUser(server), await registerUser(server)]
    await changeAccount(server.db, inactive.email, { is_active: false })
    const responses = await Promise.all(
      [known.email, known.email.toUpperCase(), inactive.email, 'nobody@example.com'].map(requestReset),
    )
    for (const response of responses) {
      expect([response.statusCode, response.json()]).toEqual([200, { detail: resetRequested }])
      expect(Object.keys(response.headers)).toEqual(Object.keys(responses[0]!.headers))
    }
    await server.work()
    expect(await resetEmails(known.email)).toBe(1)
    expect(await resetEmails(inactive.email)).toBe(0)
    expect(await emailsTo(server, 'nobody@example.com')).toEqual([])
  })

  test('makes the same database calls for known and unknown addresses', async () => {
    const known = await registerUser(server)
    // The time of an answer depends on how often it uses the database.
    const { pool } = server.app.deps
    const databaseCalls = async (email: string): Promise<number> => {
      let calls = 0
      const listener = pool.on('acquire', () => (calls += 1))
      await requestReset(email)
      listener.removeAllListeners('acquire')
      return calls
    }
    const isSame = async (): Promise<boolean> => {
      const { email } = await registerUser(server)
      return (await databaseCalls(email)) === (await databaseCalls('somebody.else@example.com'))
    }
    expect(await databaseCalls(known.email)).toBeGreaterThan(0)
    // Every ten seconds the server itself makes a call; if that was during the first comparison, the second one tells.
    expect((await isSame()) || (await isSame())).toBe(true)
  })

  test('sends three emails an hour to an address', async () => {
    const user = await registerUser(server)
    for (let n = 0; n < 6; n++) {
      expect((await requestReset(user.email)).statusCode).toBe(200)
      await server.work()
    }
    expect(await resetEmails(user.email)).toBe(3)
    await server.app.deps.pool.query("update emails set created_at = created_at - interval '61 minutes'")
    await requestReset(user.email)
    await server.work()
    expect(await resetEmails(user.email)).toBe(4)
  })

  test('fifty times at once sends at most three emails', async () => {
    const user = await registerUser(server)
    await Promise.all(Array.from({ length: 50 }, () => requestReset(user.email)))
    await server.work()
    expect(await resetEmails(user.email)).toBeLessThanOrEqual(3)
  })

  test.each(['', 'no address', 'a@b', 'a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com'])(
    'for the address %j is refused',
    async (email) => {
      const response = await requestReset(email)
      expect([response.statusCode, response.json().detail]).toEqual([
        422,
        [{ loc: ['body', 'email'], msg: 'Please enter a valid email address' }],
      ])
    },
  )

  test('counts, like using the link, towards the limit of ten authentication calls', async () => {
    const from = '203.0.113.77'
    const codes: number[] = []
    for (let n = 0; n < 12; n++) {
      const [url, body]: [string, object] =
        n % 2
          ? ['/reset-password', { token: 'x', new_password: newPassword }]
          : ['/request-password-reset', { email: 'q@example.com' }]
      codes.push((await server.request({ method: 'POST', url, from, body })).statusCode)
    }
    expect(codes.filter((code) => code === 429).length).toBe(2)
  })
})

test('a password of a megabyte is refused quickly by every call', async () => {
  const user = await registerUser(server)
  const password = 'Aa1!'.repeat(250_000)
  const calls: [url: string, body: object, method?: 'POST' | 'DELETE'][] = [
    ['/register', { email: 'large@example.com', password }],
    ['/reset-password', { token: newId(43), new_password: password }],
    ['/user/password', { current_password: password, new_password: newPassword }],
    ['/user/email', { email: 'large@example.com', password }],
    ['/user', { password }, 'DELETE'],
  ]
  for (const [url, body, method = 'POST'] of calls) {
    const began = performance.now()
    const response = await server.request({ method, url, token: user.token, body })
    expect([url, response.statusCode]).toEqual([url, 413])
    expect(performance.now() - began).toBeLessThan(promisedMs(5_000))
  }
})
