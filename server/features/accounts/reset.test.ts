import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { badResetToken, resetRequested } from '@keepsnap/contract/security.ts'
import { newId } from '../../domain/ids.ts'
import { connectLive } from '../../test/live-client.ts'
import { newClient, startServer, type TestServer } from '../../test/harness.ts'
import { goodPassword, makeUser, type TestUser } from '../../test/makers.ts'
import { lettersTo, newestSecret } from '../../test/outbox.ts'
import { changeAccount } from './operator.ts'

const newPassword = 'Better.Battery.7'
let server: TestServer
let address: string
beforeAll(async () => {
  server = await startServer()
  address = await server.listen()
})
afterAll(() => server.close())

const ask = (email: string) => server.request({ method: 'POST', url: '/request-password-reset', body: { email } })
const use = (token: string, password = newPassword) =>
  server.request({ method: 'POST', url: '/reset-password', body: { token, new_password: password } })
const me = (token: string) => server.request({ method: 'GET', url: '/user/me', token })
const signIn = (user: TestUser, password: string, from = newClient()) =>
  server.request({
    from,
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ username: user.email, password }).toString(),
  })
const linkTo = async (user: TestUser): Promise<string> => {
  await ask(user.email)
  await server.work()
  return newestSecret(server, user.email, '/reset-password?token=')
}
const resetLetters = async (email: string) =>
  (await server.app.deps.pool.query("select 1 from letters where kind = 'reset' and email = $1", [email])).rows.length

describe('a link that resets the password', () => {
  test('sets the new one, ends every session and socket, and a letter tells of it', async () => {
    const user = await makeUser(server)
    const live = await connectLive(address, user.token)
    const secret = await linkTo(user)
    expect((await use(secret)).json()).toEqual({ detail: expect.stringContaining('Please sign in') })
    expect((await me(user.token)).statusCode).toBe(401)
    expect((await live.closed).code).toBe(4401)
    expect((await signIn(user, goodPassword)).statusCode).toBe(401)
    expect((await signIn(user, newPassword)).statusCode).toBe(200)
    await server.work()
    const subjects = (await lettersTo(server, user.email)).map(({ subject }) => subject)
    expect(subjects.at(-1)).toMatch(/password/i)
  })

  test('lets the owner in at once, however many wrong passwords were tried before', async () => {
    const user = await makeUser(server)
    const secret = await linkTo(user)
    const home = newClient()
    expect((await signIn(user, goodPassword, home)).statusCode).toBe(200)
    for (const from of [home, undefined]) {
      for (let n = 0; n < 7; n++) await signIn(user, 'Wrong.Password.1', from)
      expect((await signIn(user, goodPassword, from)).statusCode).toBe(429)
    }
    expect((await use(secret)).statusCode).toBe(200)
    for (const from of [home, undefined]) expect((await signIn(user, newPassword, from)).statusCode).toBe(200)
  })

  test('forgets where the account was signed in before', async () => {
    const user = await makeUser(server)
    const known = async () =>
      (await server.app.deps.pool.query('select 1 from known_clients where user_id = $1', [user.id])).rowCount
    await signIn(user, goodPassword)
    expect(await known()).toBe(2)
    expect((await use(await linkTo(user))).statusCode).toBe(200)
    expect(await known()).toBe(0)
    await signIn(user, newPassword)
    expect(await known()).toBe(1)
  })

  test('makes addresses of full-size images that were handed out before void, and confirms the address', async () => {
    const user = await makeUser(server)
    const facts = async () =>
      (
        await server.app.deps.pool.query(
          'select media_epoch, email_verified_at is not null as ok from users where id = $1',
          [user.id],
        )
      ).rows[0]
    const before = await facts()
    await use(await linkTo(user))
    expect([before.ok, await facts()]).toEqual([false, { media_epoch: before.media_epoch + 1, ok: true }])
  })

  test('works once: of fifty uses at the same moment, one succeeds', async () => {
    const user = await makeUser(server)
    const secret = await linkTo(user)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => use(secret, `Parallel.${n}.Horse`)))
    const codes = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    expect(codes).toEqual([200, ...Array.from({ length: 49 }, () => 400)])
    const winner = answers.findIndex(({ statusCode }) => statusCode === 200)
    expect((await signIn(user, `Parallel.${winner}.Horse`)).statusCode).toBe(200)
    const again = await use(secret)
    expect([again.statusCode, again.json()]).toEqual([400, { code: 'bad_request', detail: badResetToken }])
  })

  test('ends with a newer one, with its half hour, and with the deactivation of its account', async () => {
    const user = await makeUser(server)
    const older = await linkTo(user)
    const newer = await linkTo(user)
    expect(older).not.toBe(newer)
    expect((await use(older)).statusCode).toBe(400)
    const { pool } = server.app.deps
    const inMinutes = async () =>
      Number(
        (
          await pool.query(
            "select extract(epoch from expires_at - now()) / 60 as minutes from links where kind = 'reset' and user_id = $1",
            [user.id],
          )
        ).rows[0].minutes,
      )
    expect(await inMinutes()).toBeGreaterThan(29)
    expect(await inMinutes()).toBeLessThanOrEqual(30)
    await pool.query("update links set expires_at = now() - interval '1 second' where user_id = $1", [user.id])
    expect((await use(newer)).json()).toEqual({ code: 'bad_request', detail: badResetToken })
    const third = await linkTo(user)
    await changeAccount(server.db, user.email, { is_active: false })
    expect((await use(third)).statusCode).toBe(400)
    await changeAccount(server.db, user.email, { is_active: true })
    expect((await use(third)).statusCode).toBe(200)
  })

  test.each(['', 'x', newId(43), 'A'.repeat(43), "' or 1=1 --", 'undefined'])('is not %j', async (token) => {
    const answer = await use(token)
    expect([answer.statusCode, answer.json()]).toEqual([400, { code: 'bad_request', detail: badResetToken }])
  })

  test('of one account opens no other, and one that confirms an address resets nothing', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)]
    await server.work()
    const verify = await newestSecret(server, user.email, '/verify-email?token=')
    expect((await use(verify)).statusCode).toBe(400)
    await use(await linkTo(user))
    expect((await signIn(other, goodPassword)).statusCode).toBe(200)
  })

  test.each([
    ['short', 'Password must be at least 8 characters long'],
    ['nouppercase1!', 'Password must contain at least one uppercase letter'],
    ['NOLOWERCASE1!', 'Password must contain at least one lowercase letter'],
    ['NoNumber!!', 'Password must contain at least one number'],
    ['NoSpecial11', 'Password must contain at least one special character'],
    ['Aa1!'.repeat(33), 'Password must be at most 128 characters long'],
  ])('takes no password such as %j, and is not used up by it', async (password, msg) => {
    const user = await makeUser(server)
    const secret = await linkTo(user)
    const answer = await use(secret, password)
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { code: 'invalid', detail: [{ loc: ['body', 'new_password'], msg }] },
    ])
    expect((await use(secret)).statusCode).toBe(200)
  })

  test('stands nowhere in the database', async () => {
    const user = await makeUser(server)
    const secret = await linkTo(user)
    const { rows } = await server.app.deps.pool.query(
      'select (select json_agg(l)::text from links l) as links, (select json_agg(t)::text from letters t) as letters',
    )
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test('starts with PUBLIC_URL, whatever Host the request came by', async () => {
    const user = await makeUser(server)
    const headers = { host: 'photos.test', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    await server.request({ method: 'POST', url: '/request-password-reset', headers, body: { email: user.email } })
    await server.work()
    // The one that welcomes goes beside it.
    const letters = await lettersTo(server, user.email)
    const texts = letters.map(({ text, html }) => `${text} ${html}`).join(' ')
    expect(texts).toContain(`http://photos.test/reset-password?token=`)
    expect(texts).not.toContain('evil.example')
  })
})

describe('asking for a link', () => {
  test('is answered alike for known, unknown and deactivated addresses', async () => {
    const [known, dead] = [await makeUser(server), await makeUser(server)]
    await changeAccount(server.db, dead.email, { is_active: false })
    const answers = await Promise.all(
      [known.email, known.email.toUpperCase(), dead.email, 'nobody@example.com'].map(ask),
    )
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([200, { detail: resetRequested }])
      expect(Object.keys(answer.headers)).toEqual(Object.keys(answers[0]!.headers))
    }
    await server.work()
    expect(await resetLetters(known.email)).toBe(1)
    expect(await resetLetters(dead.email)).toBe(0)
    expect(await lettersTo(server, 'nobody@example.com')).toEqual([])
  })

  test('does the same work at once whether or not there is an account', async () => {
    const known = await makeUser(server)
    const seen: string[] = []
    // Every statement of the pool, by its text: what takes time is what the database is asked.
    const { pool } = server.app.deps
    const statements = async (email: string): Promise<string[]> => {
      seen.length = 0
      const listen = pool.on('acquire', () => seen.push('acquire'))
      await ask(email)
      listen.removeAllListeners('acquire')
      return [...seen]
    }
    await statements(known.email)
    expect(await statements(known.email)).toEqual(await statements('somebody.else@example.com'))
  })

  test('sends an address three letters an hour, whoever asks', async () => {
    const user = await makeUser(server)
    for (let n = 0; n < 6; n++) {
      expect((await ask(user.email)).statusCode).toBe(200)
      await server.work()
    }
    expect(await resetLetters(user.email)).toBe(3)
    await server.app.deps.pool.query("update letters set created_at = created_at - interval '61 minutes'")
    await ask(user.email)
    await server.work()
    expect(await resetLetters(user.email)).toBe(4)
  })

  test('at fifty at once sends no more than three', async () => {
    const user = await makeUser(server)
    await Promise.all(Array.from({ length: 50 }, () => ask(user.email)))
    await server.work()
    expect(await resetLetters(user.email)).toBeLessThanOrEqual(3)
  })

  test.each(['', 'no address', 'a@b', 'a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com'])(
    'for %j says what is wrong',
    async (email) => {
      const answer = await ask(email)
      expect([answer.statusCode, answer.json().detail]).toEqual([
        422,
        [{ loc: ['body', 'email'], msg: 'Please enter a valid email address' }],
      ])
    },
  )

  test('and using one count towards the ten calls of authentication', async () => {
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

test('a password of a megabyte is refused within a moment, by every call that takes one', async () => {
  const user = await makeUser(server)
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
    const answer = await server.request({ method, url, token: user.token, body })
    expect([url, answer.statusCode]).toEqual([url, 413])
    expect(performance.now() - began).toBeLessThan(5_000)
  }
})
