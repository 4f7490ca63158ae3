import { afterAll, beforeAll, expect, test } from 'vitest'
import { consentVersions } from '@keepsnap/contract/settings.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import type { Letter } from '@keepsnap/contract/guest.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, type TestUser } from '../../test/makers.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const put = (user: TestUser, body: object) =>
  server.request({ method: 'PUT', url: '/user/settings', token: user.token, body })
const consents = async (user: TestUser) =>
  (
    await server.app.deps.pool.query('select kind, given, version, at from consents where user_id = $1 order by id', [
      user.id,
    ])
  ).rows as { kind: string; given: boolean; version: string; at: Date }[]

test('every change of mind about letters is kept with its time and the version of the words', async () => {
  const user = await makeUser(server)
  await put(user, { allow_marketing_emails: true })
  await put(user, { allow_marketing_emails: true, allow_promotional_emails: true })
  await put(user, { allow_promotional_emails: false, ask_email_to_receive_photo: true })
  const { marketing, promotional } = consentVersions
  const kept = await consents(user)
  expect(kept.map(({ kind, given, version }) => ({ kind, given, version }))).toEqual([
    { kind: 'marketing', given: true, version: marketing },
    { kind: 'promotional', given: true, version: promotional },
    { kind: 'promotional', given: false, version: promotional },
  ])
  for (const { at } of kept) expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000)
})

test('what was said last is what holds, also when forty changes come at once', async () => {
  const user = await makeUser(server)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => put(user, { allow_marketing_emails: n % 2 === 0 })),
  )
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  const kept = await consents(user)
  const { rows } = await server.app.deps.pool.query('select allow_marketing_emails as now from users where id = $1', [
    user.id,
  ])
  expect(kept.at(-1)?.given ?? false).toBe(rows[0].now)
  for (const [at, { given }] of kept.entries()) expect(given).toBe(at % 2 === 0)
})

const expiresAt = '2026-12-01T10:00:00.000Z'
const url = 'http://photos.test/x'
/** One of each kind; the type makes a new kind need its own. */
const letters: { [Kind in Letter['kind']]: Extract<Letter, { kind: Kind | string }> } = {
  photo: { kind: 'photo', logo: null, url, filename: 'a.jpg', expiresAt, attached: true, stopUrl: url },
  reset: { kind: 'reset', url, expiresAt },
  verify: { kind: 'verify', url, expiresAt, changed: true },
  archive: { kind: 'archive', url, expiresAt },
  'password-changed': { kind: 'password-changed', at: expiresAt },
  'email-changed': { kind: 'email-changed', at: expiresAt, newEmail: 'x…@example.com' },
  'account-deleted': { kind: 'account-deleted', at: expiresAt },
}

test.each(Object.entries(letters))('the letter "%s" holds no promotion', (_, letter) => {
  const { guest, config } = server.app.deps
  const frame = { publicUrl: config.publicUrl, operator: config.operator }
  const { subject, html, text } = guest.renderLetter(letter, frame)
  const words = `${subject}\n${text}\n${html}`
  expect(words).not.toMatch(
    /\bpro\b|upgrade|pricing|discount|offer|\bplan\b|subscri|newsletter|sale\b|%\s?off|free trial|€|\$\d/i,
  )
  // Every link is the letter's own, or leads to whoever runs this Keepsnap.
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
  const forgotten = `${config.publicUrl}${pages.forgotPassword}`
  const ours = [url, forgotten, config.publicUrl, `${config.publicUrl}/`, `mailto:${config.operator.email}`]
  for (const href of links) expect(ours).toContain(href)
})
