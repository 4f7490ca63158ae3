import { afterAll, beforeAll, expect, test } from 'vitest'
import type { User } from '@keepsnap/contract/accounts.ts'
import { consentVersions } from '@keepsnap/contract/settings.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const putSettings = (user: TestUser, body: object) =>
  server.request({ method: 'PUT', url: '/user/settings', token: user.token, body })
const consents = async (user: TestUser) =>
  (
    await server.app.deps.pool.query(
      'select kind, given, version, recorded_at as at from consents where user_id = $1 order by id',
      [user.id],
    )
  ).rows as { kind: string; given: boolean; version: string; at: Date }[]

test('every change of consent is stored with its time and the version of the sentence', async () => {
  const user = await makeUser(server)
  await putSettings(user, { allow_marketing_emails: true })
  await putSettings(user, { allow_marketing_emails: true, allow_promotional_emails: true })
  await putSettings(user, { allow_promotional_emails: false, ask_email_to_receive_photo: true })
  const { marketing, promotional } = consentVersions
  const storedConsents = await consents(user)
  expect(storedConsents.map(({ kind, given, version }) => ({ kind, given, version }))).toEqual([
    { kind: 'marketing', given: true, version: marketing },
    { kind: 'promotional', given: true, version: promotional },
    { kind: 'promotional', given: false, version: promotional },
  ])
  for (const { at } of storedConsents) expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000)
})

test('of forty concurrent changes, the last stored consent is the current one', async () => {
  const user = await makeUser(server)
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, n) => putSettings(user, { allow_marketing_emails: n % 2 === 0 })),
  )
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  const storedConsents = await consents(user)
  const { rows } = await server.app.deps.pool.query('select allow_marketing_emails as now from users where id = $1', [
    user.id,
  ])
  expect(storedConsents.at(-1)?.given ?? false).toBe(rows[0].now)
  for (const [at, { given }] of storedConsents.entries()) expect(given).toBe(at % 2 === 0)
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
  [{ username: 'x'.repeat(65) }, 'username', 'Please use at most 64 characters'],
  [{ username: 'Sofie\u202e' }, 'username', expect.stringContaining('invisible characters')],
  [{ brand_name: 'x'.repeat(61) }, 'brand_name', 'Please use at most 60 characters'],
  [{ brand_name: 'sofie.example' }, 'brand_name', expect.stringContaining('cannot contain a link')],
  [{ brand_name: 'Sofie\r\nBcc: a@example.com' }, 'brand_name', expect.stringContaining('line breaks')],
  [{ brand_name: 'Sofie\0' }, 'brand_name', expect.stringContaining('invisible characters')],
  [{ time_zone: '+01:00' }, 'time_zone', 'Please give a time zone such as Europe/Brussels'],
  [{ time_zone: 'Mars/Base', allow_marketing_emails: true }, 'time_zone', expect.stringContaining('time zone')],
])('%j is refused and changes nothing', async (body, field, msg) => {
  const user = await makeUser(server)
  const before = (await putSettings(user, { brand_name: 'Studio Sofie', time_zone: 'Asia/Tokyo' })).json<User>()
  const response = await putSettings(user, body)
  expect([response.statusCode, response.json()]).toEqual([
    422,
    { code: 'invalid', detail: [{ loc: ['body', field], msg }] },
  ])
  const after = await server.request({ method: 'GET', url: '/user/me', token: user.token })
  expect(after.json()).toEqual(before)
})
