import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { invalidResetTokenDetail, invalidVerifyTokenDetail, resetRequested } from '@keepsnap/contract/security.ts'
import type { PhotoRequest } from '@keepsnap/contract/guests.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { newId } from '../../lib/ids.ts'
import { newClientAddress, serverForThisTest, useServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { emailsTo, newestSecret } from '../../test/outbox.ts'
import { parseEmail, startMailServer } from '../../test/smtp-server.ts'
import { repetitions } from '../../test/statistics.ts'
import { makeUser, registerUser, signInRequest, type TestUser, upload, validPassword } from '../../test/test-data.ts'
import {
  deleteObsoleteLinks,
  deleteOldLinks,
  isLinkValid,
  type LinkKind,
  sendLink,
  startLinkLifetime,
} from './email-links.ts'
import { maskEmail } from './email-address.ts'
import { changeAccount } from './operator-changes.ts'
import { addUser } from './users.ts'

const newPassword = 'Better.Battery.7'
let address: string
const server = useServer()
beforeAll(async () => {
  address = await server.listen()
})

const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const post = (
  url: string,
  body?: object,
  more: { token?: string; from?: string; headers?: Record<string, string> } = {},
) => server.request({ method: 'POST', url, body, ...more })
const requestReset = (email: string) => post('/request-password-reset', { email })
const useResetLink = (token: string, password = newPassword) =>
  post('/reset-password', { token, new_password: password })
const confirmEmail = (token: string) => post('/verify-email', { token })
const signIn = (email: string, password: string, from = newClientAddress()) =>
  server.request({ ...signInRequest(email, password), from })
const fetchUser = ({ token }: TestUser) => server.request({ method: 'GET', url: '/user/me', token })
const linkTo = async (email: string, path: '/reset-password?token=' | '/verify-email?token='): Promise<string> => {
  await server.work()
  return newestSecret(server, email, path)
}
const resetLinkTo = async ({ email }: TestUser): Promise<string> => {
  await requestReset(email)
  return linkTo(email, '/reset-password?token=')
}
const verificationLinkTo = (email: string) => linkTo(email, '/verify-email?token=')
const invalidResetLink = [400, { code: 'bad_request', detail: invalidResetTokenDetail }]
const invalidVerifyLink = [400, { code: 'bad_request', detail: invalidVerifyTokenDetail }]
const answerOf = async (call: ReturnType<typeof post>) => {
  const answer = await call
  return [answer.statusCode, answer.json<unknown>()]
}

describe('a link in an email', () => {
  let user: string
  beforeEach(async () => {
    user = newId()
    await addUser(server.db, {
      id: user,
      email: `${user.toLowerCase()}@example.com`,
      username: 'ann',
      passwordHash: 'x',
    })
  })
  /** Creates a link; its id and token. */
  async function createLink(kind: LinkKind, email = `${user.toLowerCase()}@example.com`) {
    const { db } = server
    const { tokens } = server.app.deps
    expect(await sendLink(db, tokens, { kind, userId: user, email })).toBe(true)
    const link = db.selectFrom('email_links').select('id').where('kind', '=', kind).where('user_id', '=', user)
    const { id } = await link.executeTakeFirstOrThrow()
    return { id, token: tokens.account(kind, id) }
  }
  const isValid = (kind: LinkKind, token: string) => isLinkValid(server.db, kind, token)
  const ageBy = (interval: string) =>
    query(
      'update email_links set created_at = created_at - $1::interval, expires_at = expires_at - $1::interval where user_id = $2',
      [interval, user],
    )
  const idsLeft = async () => (await query('select id from email_links where user_id = $1', [user])).rows

  test('has a lifetime that starts when its email is sent; two hours later it is no longer sent', async () => {
    const { id, token } = await createLink('reset')
    await ageBy('1 hour')
    expect(await isValid('reset', token)).toBe(false)
    const { expiresAt } = (await startLinkLifetime(server.db, 'reset', id)) ?? {}
    expect(((expiresAt?.getTime() ?? 0) - Date.now()) / 60_000).toBeCloseTo(30, 0)
    expect(await isValid('reset', token)).toBe(true)
    await ageBy('61 minutes')
    expect(await startLinkLifetime(server.db, 'reset', id)).toBeUndefined()
  })

  test('becomes obsolete when it resets a password or is for another address than the current one', async () => {
    await createLink('reset')
    const current = await createLink('verify')
    await deleteObsoleteLinks(server.db, user)
    expect(await idsLeft()).toEqual([{ id: current.id }])
    await createLink('verify', 'new@example.com')
    await deleteObsoleteLinks(server.db, user)
    expect(await idsLeft()).toEqual([])
  })

  test('is deleted a week after it expired', async () => {
    await createLink('reset')
    await ageBy('7 days')
    await deleteOldLinks(server.db)
    expect(await idsLeft()).toHaveLength(1)
    await ageBy('1 hour')
    await deleteOldLinks(server.db)
    expect(await idsLeft()).toEqual([])
  })
})

describe('the link of a password reset', () => {
  test('sets a new password, ends sessions and sockets, confirms the address, and is reported by email', async () => {
    const user = await makeUser(server)
    const account = async () =>
      (
        await query(
          'select media_epoch as epoch, email_verified_at is not null as "isConfirmed" from users where id = $1',
          [user.id],
        )
      ).rows[0]
    const { epoch } = await account()
    const live = await connectLive(address, user.token)
    const resetToken = await resetLinkTo(user)
    expect((await useResetLink(resetToken)).json()).toEqual({
      detail: expect.stringContaining('Please sign in'),
      has_integrations: false,
    })
    expect((await fetchUser(user)).statusCode).toBe(401)
    expect((await live.closed).code).toBe(4401)
    // Older URLs of full-size images end with the media epoch.
    expect(await account()).toEqual({ epoch: epoch + 1, isConfirmed: true })
    expect((await signIn(user.email, validPassword)).statusCode).toBe(401)
    expect((await signIn(user.email, newPassword)).statusCode).toBe(200)
    await server.work()
    expect((await emailsTo(server, user.email)).at(-1)?.subject).toMatch(/password/i)
  })

  test('resets the delay after wrong passwords, and makes the account forget its known clients', async () => {
    const user = await makeUser(server)
    const resetToken = await resetLinkTo(user)
    const known = async () => (await query('select from known_clients where user_id = $1', [user.id])).rowCount
    const home = newClientAddress()
    expect((await signIn(user.email, validPassword, home)).statusCode).toBe(200)
    expect(await known()).toBe(1)
    for (const from of [home, undefined]) {
      for (let n = 0; n < 7; n++) await signIn(user.email, 'Wrong.Password.1', from)
      expect((await signIn(user.email, validPassword, from)).statusCode).toBe(429)
    }
    expect((await useResetLink(resetToken)).statusCode).toBe(200)
    expect(await known()).toBe(0)
    for (const from of [home, undefined]) expect((await signIn(user.email, newPassword, from)).statusCode).toBe(200)
  })

  test('works once: of concurrent uses, one succeeds', async () => {
    const user = await makeUser(server)
    const resetToken = await resetLinkTo(user)
    const count = repetitions(10, 50)
    const answers = await Promise.all(
      Array.from({ length: count }, (_, n) => useResetLink(resetToken, `Parallel.${n}.Horse`)),
    )
    const codes = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    expect(codes).toEqual([200, ...Array.from({ length: count - 1 }, () => 400)])
    const winner = answers.findIndex(({ statusCode }) => statusCode === 200)
    expect((await signIn(user.email, `Parallel.${winner}.Horse`)).statusCode).toBe(200)
    expect(await answerOf(useResetLink(resetToken))).toEqual(invalidResetLink)
  })

  test('stops working after a newer link, after half an hour, and while the account is deactivated', async () => {
    const user = await makeUser(server)
    const [older, newer] = [await resetLinkTo(user), await resetLinkTo(user)]
    expect(await answerOf(useResetLink(older))).toEqual(invalidResetLink)
    await query("update email_links set expires_at = now() - interval '1 second' where user_id = $1", [user.id])
    expect(await answerOf(useResetLink(newer))).toEqual(invalidResetLink)
    const third = await resetLinkTo(user)
    await changeAccount(server.db, user.email, { is_active: false })
    expect((await useResetLink(third)).statusCode).toBe(400)
    await changeAccount(server.db, user.email, { is_active: true })
    expect((await useResetLink(third)).statusCode).toBe(200)
  })

  test('is one that resets passwords, of this account, and not any text', async () => {
    const [user, other] = [await registerUser(server), await makeUser(server)]
    const verify = await verificationLinkTo(user.email)
    for (const token of [verify, '', 'x', newId(43), 'A'.repeat(43), "' or 1=1 --"])
      expect(await answerOf(useResetLink(token))).toEqual(invalidResetLink)
    await useResetLink(await resetLinkTo(user))
    expect((await signIn(other.email, validPassword)).statusCode).toBe(200)
  })

  test('keeps working after a password that breaks a rule', async () => {
    const resetToken = await resetLinkTo(await makeUser(server))
    const detail = [{ loc: ['body', 'new_password'], msg: 'Password must contain at least one uppercase letter' }]
    expect(await answerOf(useResetLink(resetToken, 'nouppercase1!'))).toEqual([422, { code: 'invalid', detail }])
    expect((await useResetLink(resetToken)).statusCode).toBe(200)
  })

  test.each(['', 'a@b', 'a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com'])(
    'is not sent to %j, which is no address',
    async (email) => {
      const detail = [{ loc: ['body', 'email'], msg: 'Please enter a valid email address' }]
      expect(await answerOf(requestReset(email))).toEqual([422, { code: 'invalid', detail }])
    },
  )

  test('starts with PUBLIC_URL, whatever the Host header of the request', async () => {
    const user = await makeUser(server)
    const headers = { host: 'photos.test', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    await post('/request-password-reset', { email: user.email }, { headers })
    await server.work()
    const texts = (await emailsTo(server, user.email)).map(({ text, html }) => `${text} ${html}`).join(' ')
    expect(texts).toContain('http://photos.test/reset-password?token=')
    expect(texts).not.toContain('evil.example')
  })

  test('can be checked without being used up, within a limit of its own', async () => {
    const user = await makeUser(server)
    const [older, resetToken] = [await resetLinkTo(user), await resetLinkTo(user)]
    const check = (token: string, from?: string) =>
      post('/reset-password/check', { token }, from === undefined ? {} : { from })
    for (let n = 0; n < 3; n++) expect((await check(resetToken)).statusCode).toBe(200)
    expect((await useResetLink(resetToken)).statusCode).toBe(200)
    for (const token of [resetToken, older, '', newId(43)])
      expect(await answerOf(check(token))).toEqual(invalidResetLink)
    const from = newClientAddress()
    const checks = await Promise.all(Array.from({ length: 32 }, () => check(newId(43), from)))
    expect(checks.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2)
    expect((await signIn(user.email, newPassword, from)).statusCode).toBe(200)
  })
})

describe('requesting a password reset', () => {
  const resetEmails = async (email: string) =>
    (await query("select from emails where kind = 'reset' and recipient = $1", [email])).rowCount

  test('has the same response for known, unknown and deactivated accounts', async () => {
    const [known, inactive] = [await makeUser(server), await makeUser(server)]
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
    const known = await makeUser(server)
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
      const { email } = await makeUser(server)
      return (await databaseCalls(email)) === (await databaseCalls('somebody.else@example.com'))
    }
    expect(await databaseCalls(known.email)).toBeGreaterThan(0)
    // Every ten seconds the server itself makes a call; if that was during the first comparison, the second one tells.
    expect((await isSame()) || (await isSame())).toBe(true)
  })

  test('sends three emails an hour to an address, also when it is asked for at once', async () => {
    const user = await makeUser(server)
    const answers = await Promise.all(Array.from({ length: 8 }, () => requestReset(user.email)))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    for (let n = 0; n < 3; n++) {
      await server.work()
      await requestReset(user.email)
    }
    await server.work()
    expect(await resetEmails(user.email)).toBe(3)
    await query("update emails set created_at = created_at - interval '61 minutes' where user_id = $1", [user.id])
    await requestReset(user.email)
    await server.work()
    expect(await resetEmails(user.email)).toBe(4)
  })
})

describe('the email address of an account', () => {
  const resendVerification = ({ token }: TestUser) => post('/user/verification', undefined, { token })

  test('is confirmed with the link of the registration email, which works once', async () => {
    const user = await registerUser(server)
    expect((await fetchUser(user)).json()).toMatchObject({ email_verified: false })
    const secret = await verificationLinkTo(user.email)
    expect(await answerOf(confirmEmail(secret))).toEqual([200, { detail: expect.any(String), email: user.email }])
    expect((await fetchUser(user)).json()).toMatchObject({ email_verified: true })
    for (const token of [secret, '', 'x', newId(43)])
      expect(await answerOf(confirmEmail(token))).toEqual(invalidVerifyLink)
    expect((await resendVerification(user)).statusCode).toBe(409)
  })

  test('can get the email again, three times an hour; only the newest link works, until it expires', async () => {
    const user = await registerUser(server)
    const first = await verificationLinkTo(user.email)
    expect((await resendVerification(user)).statusCode).toBe(200)
    const second = await verificationLinkTo(user.email)
    expect(await answerOf(confirmEmail(first))).toEqual(invalidVerifyLink)
    expect((await resendVerification(user)).statusCode).toBe(200)
    const refused = await resendVerification(user)
    expect([refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([429, 3600])
    expect((await confirmEmail(second)).statusCode).toBe(400)
    const third = await verificationLinkTo(user.email)
    const setExpiry = (at: string) => query(`update email_links set expires_at = ${at} where user_id = $1`, [user.id])
    await setExpiry("now() - interval '1 second'")
    expect((await confirmEmail(third)).statusCode).toBe(400)
    await setExpiry("now() + interval '1 minute'")
    expect((await confirmEmail(third)).statusCode).toBe(200)
  })
})

describe('a new email address', () => {
  const newAddress = (): string => `new-${newId(8).toLowerCase()}@example.com`
  const changeEmail = ({ token }: TestUser, email: string, password = validPassword) =>
    post('/user/email', { email, password }, { token })
  const emailOf = async (user: TestUser) => (await fetchUser(user)).json<{ email: string }>().email
  const taken = [400, { code: 'already_registered', detail: 'This email is already registered.' }]

  test('replaces the old one when it is confirmed; the old one gets an email with the new one masked', async () => {
    const user = await makeUser(server)
    const reset = await resetLinkTo(user)
    const email = newAddress()
    expect((await changeEmail(user, email)).statusCode).toBe(200)
    // Counted for the old address, and no longer when it is replaced.
    await changeEmail(user, email, 'Wrong.Password.1')
    const attempts = async () => (await query('select from sign_in_delays where account = $1', [user.email])).rowCount
    expect([await emailOf(user), await attempts()]).toEqual([user.email, 1])
    const secret = await verificationLinkTo(email)
    expect((await confirmEmail(secret)).json()).toMatchObject({ email })
    expect((await fetchUser(user)).json()).toMatchObject({ email, email_verified: true })
    expect(await attempts()).toBe(0)
    await server.work()
    const notice = (await emailsTo(server, user.email)).at(-1)!
    expect(notice.text).toContain(maskEmail(email))
    expect(notice.text).not.toContain(email)
    expect((await signIn(email, validPassword)).statusCode).toBe(200)
    expect((await confirmEmail(secret)).statusCode).toBe(400)
    // Nor do links work that were sent to the old one.
    expect((await useResetLink(reset)).statusCode).toBe(400)
  })

  test('is refused if it is no address, the current one, or that of another account, also when it was registered meanwhile', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)]
    const detail = [{ loc: ['body', 'email'], msg: 'Please enter a valid email address' }]
    expect(await answerOf(changeEmail(user, 'a@example.com, b@example.com'))).toMatchObject([422, { detail }])
    expect(await answerOf(changeEmail(user, user.email.toUpperCase()))).toMatchObject([
      422,
      { detail: [{ msg: 'This is already your address' }] },
    ])
    expect(await answerOf(changeEmail(user, other.email.toUpperCase()))).toEqual(taken)
    const email = newAddress()
    await changeEmail(user, email)
    const secret = await verificationLinkTo(email)
    await registerUser(server, email)
    expect(await answerOf(confirmEmail(secret))).toEqual(taken)
    expect(await emailOf(user)).toBe(user.email)
  })

  test('goes to one of two accounts that confirm it at the same moment', async () => {
    const [one, two] = [await makeUser(server), await makeUser(server)]
    const email = newAddress()
    for (const user of [one, two]) await changeEmail(user, email)
    await server.work()
    const secrets = (await emailsTo(server, email)).map(({ text = '' }) => /token=([\w-]{43})/.exec(text)![1]!)
    const answers = await Promise.all(secrets.map(confirmEmail))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 400])
    const emails = await Promise.all([one, two].map(emailOf))
    expect(emails.filter((of) => of === email)).toHaveLength(1)
  })
})

test('an unconfirmed account sends twenty emails a day to guests, and the others when it is confirmed', async () => {
  const { port, received } = await startMailServer(onTestFinished)
  const own = await serverForThisTest({ SMTP_URL: `smtp://127.0.0.1:${port}` })
  const user = await registerUser(own)
  const { id } = (await upload(own, user, await jpeg())).json<{ id: string }>()
  await own.work()
  for (let n = 0; n < 22; n++) {
    const body = { email: `guest-${n}@example.com` }
    await own.request({ method: 'POST', url: `/photos/${id}/request-email`, body })
  }
  await own.work()
  const requests = async (state: string) =>
    (await own.request({ method: 'GET', url: '/user/photo-requests', token: user.token }))
      .json<{ requests: PhotoRequest[] }>()
      .requests.filter((one) => one.state === state)
  expect(await requests('sent')).toHaveLength(20)
  const waiting = { due_at: null, failure: expect.stringContaining('confirm your email address') }
  expect(await requests('waiting')).toMatchObject([waiting, waiting])
  const { text = '' } = await parseEmail(received.find(({ to }) => to[0] === user.email)!.bytes)
  const token = /\/verify-email\?token=([\w-]{43})/.exec(text)?.[1]
  expect((await own.request({ method: 'POST', url: '/verify-email', body: { token } })).statusCode).toBe(200)
  await own.work()
  expect([(await requests('sent')).length, await requests('waiting')]).toEqual([22, []])
})
