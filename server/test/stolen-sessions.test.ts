import { expect, test } from 'vitest'
import { callWebhooks, createWebhook, fetchWebhooks } from '../features/integrations/test/webhook-actions.ts'
import { hashOf } from '../lib/ids.ts'
import {
  createKey,
  getByKey,
  grantPlan,
  makeApiUser,
  makeUser,
  registerUser,
  signInRequest,
  type TestUser,
  validPassword,
} from './test-data.ts'
import { newClientAddress, useServer } from './harness.ts'
import { emailsTo, newestSecret } from './outbox.ts'
import { requireRecentPassword } from '../features/accounts/passwords.ts'

const server = useServer({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' })
const query = (text: string, values: unknown[]) => server.app.deps.pool.query(text, values)
const post = (user: TestUser, url: string, body: object) =>
  server.request({ method: 'POST', url, token: user.token, body })
const signIn = async (user: TestUser, password = validPassword): Promise<TestUser> => ({
  ...user,
  token: (await server.request(signInRequest(user.email, password))).json<{ access_token: string }>().access_token,
})
/** Moves the sign-in and the confirmations of a session into the past, as for one from before an upgrade. */
const age = async ({ token }: TestUser, minutes: number): Promise<void> => {
  const values = [hashOf(token), minutes]
  await query('update sessions set created_at = created_at - make_interval(mins => $2) where token_hash = $1', values)
  await query(
    'update operator_confirmations set confirmed_at = confirmed_at - make_interval(mins => $2) where session_hash = $1',
    values,
  )
}
const askedForPassword = [403, { code: 'confirm_password', detail: 'Please enter your password to go on.' }]
const target = 'http://127.0.0.1:9/'

test('a session that is 10 minutes old creates keys and webhooks, moves these, and reads a new secret, only with the password', async () => {
  const user = await makeApiUser(server)
  const webhook = await createWebhook(server, user, target)
  await age(user, 11)
  const other = await signIn(user)
  await age(other, 11)
  const { url, events } = webhook
  const attempts = (by: TestUser) => [
    () => post(by, '/api/keys', { name: 'Booth' }),
    () => post(by, '/api/webhooks', { url: `${target}thief`, events }),
    () => callWebhooks(server, by, ['PUT', `/${webhook.id}`, { url: `${target}thief`, events, enabled: true }]),
    () => callWebhooks(server, by, ['POST', `/${webhook.id}/secret`]),
  ]
  const refused = async (by: TestUser): Promise<void> => {
    for (const attempt of attempts(by)) {
      const answer = await attempt()
      expect([answer.statusCode, answer.json()]).toEqual(askedForPassword)
    }
  }
  await refused(user)
  expect((await post(user, '/user/confirmation', { password: 'Wrong.Horse.9' })).json()).toMatchObject({
    code: 'forbidden',
  })
  await refused(user)
  // What opens nothing new needs none.
  for (const enabled of [false, true])
    expect((await callWebhooks(server, user, ['PUT', `/${webhook.id}`, { url, events, enabled }])).statusCode).toBe(200)

  expect((await post(user, '/user/confirmation', { password: validPassword })).statusCode).toBe(200)
  // Only in the session that gave it.
  await refused(other)
  for (const attempt of attempts(user)) expect((await attempt()).statusCode).toBeLessThan(300)
  await age(user, 11)
  expect((await post(user, '/api/keys', { name: 'Booth' })).statusCode).toBe(403)
  // Signing in counts.
  expect((await createKey(server, await signIn(user))).name).toBe('Booth')
})

test('guesses of strangers do not keep a signed-in owner from giving the password in a new network', async () => {
  const user = await makeUser(server)
  const stolen = await signIn(user)
  for (let n = 0; n < 6; n++) await server.request(signInRequest(user.email, 'Wrong.Horse.9'))
  await query('update sign_in_delays set failures = 14, last_failure_at = now() where account = $1', [user.email])
  const confirm = (by: TestUser, password: string) =>
    server.request({
      method: 'POST',
      url: '/user/confirmation',
      token: by.token,
      from: newClientAddress(),
      body: { password },
    })
  expect((await confirm(user, validPassword)).statusCode).toBe(200)
  // Guesses in a stolen session are delayed, and delay no other session.
  const statuses = []
  for (let n = 0; n < 6; n++) statuses.push((await confirm(stolen, 'Wrong.Horse.9')).statusCode)
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
  expect((await confirm(user, validPassword)).statusCode).toBe(200)
})

test('the owner hears of a new key and of a new receiver of events by email, in the language of the account', async () => {
  const user = await makeApiUser(server)
  await createKey(server, user, { name: 'Stand 7' })
  await query("update users set language = 'nl' where id = $1", [user.id])
  const webhook = await createWebhook(server, user, target)
  const move = (url: string) =>
    callWebhooks(server, user, ['PUT', `/${webhook.id}`, { url, events: webhook.events, enabled: true }])
  await move(target)
  await server.work()
  expect(
    (await emailsTo(server, user.email)).map(({ subject = '' }) => subject).toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(['Een nieuwe API-sleutel voor je account', 'Een nieuwe webhook voor je account'])
  await move('http://127.0.0.1:10/')
  await server.work()
  const emails = (await emailsTo(server, user.email)).map(({ text }) => text ?? '')
  expect(emails).toHaveLength(3)
  for (const named of ['Stand 7', '127.0.0.1:9', '127.0.0.1:10'])
    expect(emails.filter((text) => text.includes(named)).length).toBeGreaterThan(0)
})

test('where emails are sent by SMTP, the address must be confirmed', async () => {
  const user = await makeUser(server)
  const actor = { userId: user.id, sessionHash: hashOf(user.token) }
  const require = (kind: 'smtp' | 'outbox') => requireRecentPassword(server.db, actor, { mail: { kind } })
  await require('outbox')
  await expect(require('smtp')).rejects.toThrow('Please confirm your email address first.')
  await query('update users set email_verified_at = now() where id = $1', [user.id])
  await require('smtp')
})

test('several keys and webhooks are deleted together, and only those of the caller', async () => {
  const [user, other] = [await makeApiUser(server), await makeApiUser(server)]
  const keys = [await createKey(server, user), await createKey(server, user), await createKey(server, other)]
  const webhooks = [await createWebhook(server, user, target), await createWebhook(server, other, target)]
  const ids = [keys[0]!.id, keys[2]!.id, 'deleted-long-ago']
  expect((await post(user, '/api/keys/revocation', { ids })).statusCode).toBe(204)
  const statuses = await Promise.all(
    keys.map(async ({ key }) => (await getByKey(server, key, '/api/photos')).statusCode),
  )
  expect(statuses).toEqual([401, 200, 200])
  const webhookIds = webhooks.map(({ id }) => id)
  expect((await post(user, '/api/webhooks/revocation', { ids: webhookIds })).statusCode).toBe(204)
  expect([await fetchWebhooks(server, user), await fetchWebhooks(server, other)]).toMatchObject([
    [],
    [{ id: webhookIds[1], url_set_at: webhooks[1]!.created_at, last_used_at: null }],
  ])
})

test('the list of sessions says when the password was set and when the one before it, also one set by an older version', async () => {
  const user = await makeUser(server)
  await query("update users set created_at = now() - interval '1 day' where id = $1", [user.id])
  const times = async ({ token }: TestUser): Promise<number[]> => {
    const answer = await server.request({ method: 'GET', url: '/user/sessions', token })
    const { password_set_at: set, previous_password_set_at: before } = answer.json<Record<string, string>>()
    return [Date.parse(set!), Date.parse(before!)]
  }
  const [registered] = await times(user)
  expect(await times(user)).toEqual([registered, registered])
  const change = async (by: TestUser, current_password: string, new_password: string): Promise<TestUser> => {
    const answer = await post(by, '/user/password', { current_password, new_password })
    return { ...by, token: answer.json<{ access_token: string }>().access_token }
  }
  const changed = await change(user, validPassword, 'Another.Horse.7')
  const [first, before] = await times(changed)
  expect([first! > registered!, before]).toEqual([true, registered])
  // An older version knows nothing of these columns.
  await query("update users set password_hash = password_hash || ' ' where id = $1", [user.id])
  const [second, previous] = await times(changed)
  expect([second! > first!, previous]).toEqual([true, first])
  await query("update users set username = 'other' where id = $1", [user.id])
  expect(await times(changed)).toEqual([second, previous])
})

const commonRefused = [
  422,
  {
    detail: [
      { loc: ['body', 'new_password'], msg: 'Many people use this password. Choose one that others do not use.' },
    ],
  },
]
test.each([
  ['an operator cannot choose a password that many people use', true, commonRefused, commonRefused],
  ['others can', false, [200, {}], [200, { has_integrations: true }]],
])('by a change or a reset: %s', async (_, isAdmin, changed, wasReset) => {
  const user = await registerUser(server)
  await query('update users set is_admin = $2 where id = $1', [user.id, isAdmin])
  await grantPlan(server, user, 'pro_yearly')
  await createKey(server, user)
  const change = await post(user, '/user/password', { current_password: validPassword, new_password: 'Password123!' })
  expect([change.statusCode, change.json()]).toMatchObject(changed)
  const reset = async (password: string) => {
    const body = { token: await newestSecret(server, user.email, '/reset-password?token='), new_password: password }
    const answer = await server.request({ method: 'POST', url: '/reset-password', from: newClientAddress(), body })
    return [answer.statusCode, answer.json<object>()]
  }
  const body = { email: user.email }
  await server.request({ method: 'POST', url: '/request-password-reset', from: newClientAddress(), body })
  await server.work()
  expect(await reset('Qwerty12!')).toMatchObject(wasReset)
  // A link whose password was refused still works.
  expect((await reset('Another.Horse.7'))[0]).toBe(isAdmin ? 200 : 400)
})
