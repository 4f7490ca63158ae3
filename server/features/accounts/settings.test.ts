import { afterAll, beforeAll, expect, test } from 'vitest'
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
