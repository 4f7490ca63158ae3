/** Device cookies on the wire, and emails about sign-ins with browsers that have none. */
import { deviceCookie } from '@keepsnap/contract/browser-storage.ts'
import { accountLimits } from '@keepsnap/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import { newClientAddress, startServer, useServer } from '../../test/harness.ts'
import { makeOperator } from '../../test/operators.ts'
import { emailsTo } from '../../test/outbox.ts'
import { grantPlan, makeUser, signInRequest, validPassword, type TestUser } from '../../test/test-data.ts'

const server = useServer()

type Answer = Awaited<ReturnType<typeof server.request>>
const cookieOf = ({ headers }: Answer): string => String(headers['set-cookie']).split(';')[0] ?? ''
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'

function signIn(email: string, { cookie, password, from }: { cookie?: string; password?: string; from?: string } = {}) {
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
    const user = { id: '', email: 'third@example.com', token: registered.json<{ access_token: string }>().access_token }
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
