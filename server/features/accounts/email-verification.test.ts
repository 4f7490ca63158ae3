import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invalidVerifyTokenDetail } from '@keepsnap/contract/email-links.ts'
import { newId } from '../../lib/ids.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { validPassword, registerUser, upload, type TestUser } from '../../test/test-data.ts'
import { emailsTo, newestSecret } from '../../test/outbox.ts'
import { lengthenDelay } from '../../test/sign-in-delays.ts'
import { parseEmail, startMailServer } from '../../test/smtp-server.ts'
import { maskEmail } from './email-verification.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const confirmEmail = (token: string) => server.request({ method: 'POST', url: '/verify-email', body: { token } })
const fetchUser = async (user: TestUser) =>
  (await server.request({ method: 'GET', url: '/user/me', token: user.token })).json<{
    email: string
    email_verified: boolean
  }>()
const resendVerification = (user: TestUser) =>
  server.request({ method: 'POST', url: '/user/verification', token: user.token })
const changeEmail = (user: TestUser, email: string, password = validPassword) =>
  server.request({ method: 'POST', url: '/user/email', token: user.token, body: { email, password } })
const verificationLinkTo = async (email: string): Promise<string> => {
  await server.work()
  return newestSecret(server, email, '/verify-email?token=')
}
const newAddress = (): string => `new-${newId(8).toLowerCase()}@example.com`
const invalidLinkAnswer = [400, { code: 'bad_request', detail: invalidVerifyTokenDetail }]

describe('the email address of an account', () => {
  test('is confirmed with the link of the registration email, which works once', async () => {
    const user = await registerUser(server)
    expect(await fetchUser(user)).toMatchObject({ email_verified: false })
    const secret = await verificationLinkTo(user.email)
    const response = await confirmEmail(secret)
    expect([response.statusCode, response.json()]).toEqual([200, { detail: expect.any(String), email: user.email }])
    expect(await fetchUser(user)).toMatchObject({ email_verified: true })
    const second = await confirmEmail(secret)
    expect([second.statusCode, second.json()]).toEqual(invalidLinkAnswer)
    expect((await resendVerification(user)).statusCode).toBe(409)
  })

  test('can get the email again, three times an hour; only the newest link works', async () => {
    const user = await registerUser(server)
    const first = await verificationLinkTo(user.email)
    expect((await resendVerification(user)).statusCode).toBe(200)
    const second = await verificationLinkTo(user.email)
    expect([await confirmEmail(first)].map((response) => [response.statusCode, response.json()])).toEqual([
      invalidLinkAnswer,
    ])
    expect((await resendVerification(user)).statusCode).toBe(200)
    const third = await resendVerification(user)
    expect([third.statusCode, Number(third.headers['retry-after'])]).toEqual([429, 3600])
    expect((await confirmEmail(second)).statusCode).toBe(400)
    expect((await confirmEmail(await verificationLinkTo(user.email))).statusCode).toBe(200)
  })

  test.each(['', 'x', newId(43)])('is not confirmed with the token %j', async (token) => {
    const response = await confirmEmail(token)
    expect([response.statusCode, response.json()]).toEqual(invalidLinkAnswer)
  })

  test('is not confirmed with an expired link', async () => {
    const user = await registerUser(server)
    const secret = await verificationLinkTo(user.email)
    await server.app.deps.pool.query("update email_links set expires_at = now() - interval '1 second'")
    expect((await confirmEmail(secret)).statusCode).toBe(400)
  })
})

describe('a new email address', () => {
  test('replaces the old one when it is confirmed; the old one gets an email with the new one masked', async () => {
    const user = await registerUser(server)
    const email = newAddress()
    expect((await changeEmail(user, email)).statusCode).toBe(200)
    expect(await fetchUser(user)).toMatchObject({ email: user.email })
    const secret = await verificationLinkTo(email)
    expect(await emailsTo(server, user.email)).toEqual([])
    expect((await confirmEmail(secret)).json()).toMatchObject({ email })
    expect(await fetchUser(user)).toMatchObject({ email, email_verified: true })
    await server.work()
    const notice = (await emailsTo(server, user.email)).at(-1)!
    expect(notice.text).toContain(maskEmail(email))
    expect(notice.text).not.toContain(email)
    const form = new URLSearchParams({ username: email, password: validPassword }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await server.request({ method: 'POST', url: '/token', headers, body: form })).statusCode).toBe(200)
    expect((await confirmEmail(secret)).statusCode).toBe(400)
  })

  test('resets the counters of wrong passwords of the old one', async () => {
    const user = await registerUser(server)
    const email = newAddress()
    await changeEmail(user, email)
    await changeEmail(user, email, 'Wrong.Password.1')
    const counts = async () =>
      (await server.app.deps.pool.query('select 1 from sign_in_delays where account = $1', [user.email])).rowCount
    expect(await counts()).toBe(1)
    expect((await confirmEmail(await verificationLinkTo(email))).statusCode).toBe(200)
    expect(await counts()).toBe(0)
  })

  test('requires the password, and counts wrong ones as sign-in does', async () => {
    const user = await registerUser(server)
    const codes: number[] = []
    const enterWrongPassword = async () =>
      void codes.push((await changeEmail(user, newAddress(), 'Wrong.Password.1')).statusCode)
    for (let n = 0; n < 5; n++) await enterWrongPassword()
    await lengthenDelay(server, user.email)
    await enterWrongPassword()
    expect(codes).toEqual([403, 403, 403, 403, 403, 429])
  })

  test.each([
    ['no address', 'Please enter a valid email address'],
    ['a@example.com, b@example.com', 'Please enter a valid email address'],
  ])('is refused if it is invalid: %j', async (email, msg) => {
    const response = await changeEmail(await registerUser(server), email)
    expect([response.statusCode, response.json().detail]).toEqual([422, [{ loc: ['body', 'email'], msg }]])
  })

  test('that another account has is refused, also when it was registered meanwhile', async () => {
    const [user, other] = [await registerUser(server), await registerUser(server)]
    const taken = { code: 'already_registered', detail: 'This email is already registered.' }
    const response = await changeEmail(user, other.email.toUpperCase())
    expect([response.statusCode, response.json()]).toEqual([400, taken])
    const email = newAddress()
    await changeEmail(user, email)
    const secret = await verificationLinkTo(email)
    await registerUser(server, email)
    const late = await confirmEmail(secret)
    expect([late.statusCode, late.json()]).toEqual([400, taken])
    expect(await fetchUser(user)).toMatchObject({ email: user.email })
  })

  test('goes to one of two accounts that confirm it at the same moment', async () => {
    const [one, two] = [await registerUser(server), await registerUser(server)]
    const email = newAddress()
    await changeEmail(one, email)
    const first = await verificationLinkTo(email)
    await changeEmail(two, email)
    await server.work()
    const secrets = (await emailsTo(server, email)).map((email) => /token=([\w-]{43})/.exec(email.text ?? '')![1]!)
    expect(secrets).toContain(first)
    const responses = await Promise.all(secrets.map(confirmEmail))
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect([(await fetchUser(one)).email, (await fetchUser(two)).email].filter((one) => one === email)).toHaveLength(1)
  })

  test('invalidates password reset links that were sent to the old one', async () => {
    const user = await registerUser(server)
    await server.request({ method: 'POST', url: '/request-password-reset', body: { email: user.email } })
    await server.work()
    const reset = await newestSecret(server, user.email, '/reset-password?token=')
    const email = newAddress()
    await changeEmail(user, email)
    await confirmEmail(await verificationLinkTo(email))
    const body = { token: reset, new_password: 'Better.Battery.7' }
    expect((await server.request({ method: 'POST', url: '/reset-password', body })).statusCode).toBe(400)
  })
})

test('an unconfirmed account sends twenty emails a day to guests, and the others when it is confirmed', async () => {
  const cleaning: (() => unknown)[] = []
  const mail = await startMailServer((work) => void cleaning.push(work))
  const own = await startServer({ SMTP_URL: `smtp://127.0.0.1:${mail.port}` })
  try {
    const user = await registerUser(own)
    const { id } = (await upload(own, user, await jpeg({ width: 640, height: 480 }))).json<{ id: string }>()
    await own.work()
    for (let n = 0; n < 23; n++) {
      const body = { email: `guest-${n}@example.com` }
      await own.request({ method: 'POST', url: `/photos/${id}/request-email`, body })
    }
    await own.work()
    const guests = () => mail.received.filter(({ to }) => to[0]!.startsWith('guest-')).length
    const waiting = async () =>
      (await own.request({ method: 'GET', url: '/user/photo-requests', token: user.token }))
        .json<{ requests: { state: string; failure: string | null; due_at: string | null }[] }>()
        .requests.filter(({ state }) => state === 'waiting')
    expect(guests()).toBe(20)
    expect(await waiting()).toEqual(
      Array.from({ length: 3 }, () =>
        expect.objectContaining({ due_at: null, failure: expect.stringContaining('confirm your email address') }),
      ),
    )
    const emails = await Promise.all(
      mail.received.filter(({ to }) => to[0] === user.email).map(({ bytes }) => parseEmail(bytes)),
    )
    const token = /\/verify-email\?token=([\w-]{43})/.exec(emails[0]!.text ?? '')![1]!
    expect((await own.request({ method: 'POST', url: '/verify-email', body: { token } })).statusCode).toBe(200)
    await own.work()
    expect([guests(), await waiting()]).toEqual([23, []])
  } finally {
    await own.close()
    for (const clean of cleaning) await clean()
  }
})
