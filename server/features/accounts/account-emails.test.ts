import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Email, PlanEmail } from '@keepsnap/contract/guest.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import type { StorageEmail } from '@keepsnap/contract/storage-emails.ts'
import { readConfig } from '../../config.ts'
import { loadGuestRenderer } from '../../http/guest-pages.ts'

const config = readConfig({ PUBLIC_URL: 'http://photos.test' }, { lanAddress: undefined, cwd: '/nowhere' })
const guestRenderer = await loadGuestRenderer(join(import.meta.dirname, '../../../web/dist-guest/guest.js'))

const expiresAt = '2026-12-01T10:00:00.000Z'
const url = 'http://photos.test/x'
/** One email of each kind but those about a plan and its limits; the type requires one for every new kind. */
type KindWithoutPlan = Exclude<Email['kind'], PlanEmail['kind'] | StorageEmail['kind']>
const emails: { [Kind in KindWithoutPlan]: Extract<Email, { kind: Kind | string }> } = {
  photo: {
    kind: 'photo',
    logo: null,
    brandName: null,
    thumbnail: null,
    url,
    filename: 'a.jpg',
    expiresAt,
    attached: true,
    stopUrl: url,
  },
  reset: { kind: 'reset', url, expiresAt },
  verify: { kind: 'verify', url, expiresAt, changed: true },
  archive: { kind: 'archive', url, expiresAt },
  report: { kind: 'report', url, photos: 1, photo: { filename: 'a.jpg', reasons: ['me'] } },
  'report-digest': { kind: 'report-digest', url, photos: 2, photo: null },
  'password-changed': { kind: 'password-changed', at: expiresAt },
  'email-changed': { kind: 'email-changed', at: expiresAt, newEmail: 'x…@example.com' },
  'account-deleted': { kind: 'account-deleted', at: expiresAt },
  test: { kind: 'test', at: expiresAt },
  'support-message': {
    kind: 'support-message',
    name: 'Ann',
    address: 'ann@example.com',
    subject: 'The screen',
    message: 'It is dark.',
    priority: false,
    suspected: true,
    url,
  },
  'support-received': { kind: 'support-received', at: expiresAt },
  'photo-hidden': {
    kind: 'photo-hidden',
    filename: 'a.jpg',
    at: expiresAt,
    message: 'A child',
    stillHidden: true,
    url,
  },
  'photo-shown': { kind: 'photo-shown', filename: 'a.jpg', at: expiresAt, message: null, stillHidden: true, url },
  'webhook-disabled': { kind: 'webhook-disabled', host: 'hooks.example.net', failingSince: expiresAt, url },
}

test.each(Object.entries(emails))('the email "%s" contains no promotion', (_, email) => {
  const frame = { publicUrl: config.publicUrl, operator: config.operator, language: 'en' } as const
  const { subject, html, text } = guestRenderer.renderEmail(email, frame)
  const emailContent = `${subject}\n${text}\n${html}`
  expect(emailContent).not.toMatch(
    /\bpro\b|upgrade|pricing|discount|offer|\bplan\b|subscri|newsletter|sale\b|%\s?off|free trial|€|\$\d/i,
  )
  // Every link is the one that the email is about, or leads to the operator.
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
  const forgotPassword = `${config.publicUrl}${pages.forgotPassword}`
  const allowed = [url, forgotPassword, config.publicUrl, `${config.publicUrl}/`, `mailto:${config.operator.email}`]
  for (const href of links) expect(allowed).toContain(href)
})
