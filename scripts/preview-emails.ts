/**
 * Writes every kind of email with sample values as HTML, plain text and .eml files: `npm run emails [-- FOLDER]`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Email, EmailContext, EmailKind, PlanEmail } from '@keepsnap/contract/guest.ts'
import { defaultLanguage, languages, type Language } from '@keepsnap/contract/languages.ts'
import { readConfig } from '../server/config.ts'
import { unsubscribeHeaders } from '../server/features/requests/photo-email.ts'
import { loadGuestRenderer } from '../server/http/guest-pages.ts'
import { outboxMail } from '../server/ports/mail/outbox.ts'
import { root } from './source-files.ts'

const dayMs = 24 * 60 * 60 * 1000
const config = readConfig({ PUBLIC_URL: 'https://photos.example.com' }, { lanAddress: undefined, cwd: root })
const { operator, mailFrom, publicUrl } = config
const contextIn = (language: Language): EmailContext => ({ publicUrl, operator, language })
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString()
const linkTo = (path: string): string => `${publicUrl}${path}?token=${'SampleToken'.repeat(4)}`
const photo = {
  kind: 'photo',
  logo: null,
  brandName: 'Studio Sofie',
  thumbnail: null,
  url: `${publicUrl}/g/${'SampleGrant'.repeat(4)}`,
  filename: 'photo-2026-05-01-a1b2.jpg',
  expiresAt: inDays(3),
  attached: true,
  stopUrl: `${publicUrl}/stop/${'SampleStop'.repeat(4)}`,
} satisfies Email

const plan = { planName: 'Pro Monthly', priceCents: 1499, interval: 'month', amountCents: null, isDemo: false } as const
const planSample = (kind: PlanEmail['kind'], more: Partial<PlanEmail> = {}): Record<string, Email> => ({
  plan: { kind, ...plan, at: inDays(30), url: `${publicUrl}/settings`, ...more },
})
const reportsUrl = `${publicUrl}/photo-requests`
const gigabyte = 1024 ** 3
const usage = { kind: 'usage', planName: 'Free', isLargestPlan: false, monthEndsAt: null } as const
const removal = {
  kind: 'removal',
  photos: 204,
  bytes: 2.2 * gigabyte,
  storedBytes: 3.2 * gigabyte,
  planName: 'Free',
  planBytes: gigabyte,
  removeAt: inDays(30),
} as const

const supportMessage = {
  kind: 'support-message',
  name: 'Marjolein Vandenbroucke',
  address: 'marjolein@fotohuis.example',
  subject: 'The screen in hall 4 does not connect',
  message: 'Our stand opens at nine and the screen in hall 4 is offline.\n\nWhat should we ask the venue?',
  priority: true,
  suspected: false,
  url: `${publicUrl}/admin#support`,
} as const

const decision = {
  kind: 'photo-hidden',
  filename: 'dance.jpg',
  at: inDays(0),
  message: null,
  stillHidden: true,
  url: `${publicUrl}/support`,
} as const
const shown = { ...decision, kind: 'photo-shown', url: `${publicUrl}/gallery?photo=sample` } as const

/** Each kind in all its variants. */
const samples: Record<EmailKind, Record<string, Email>> = {
  photo: { attached: photo, link: { ...photo, brandName: null, attached: false } },
  'support-message': {
    visitor: { ...supportMessage, priority: false },
    priority: supportMessage,
  },
  'support-received': { received: { kind: 'support-received', at: inDays(0) } },
  reset: { link: { kind: 'reset', url: linkTo('/reset-password'), expiresAt: inDays(1 / 48) } },
  verify: {
    link: { kind: 'verify', url: linkTo('/verify-email'), expiresAt: inDays(7) },
    change: { kind: 'verify', url: linkTo('/verify-email'), expiresAt: inDays(7), changed: true },
  },
  archive: { link: { kind: 'archive', url: `${publicUrl}/export/${'SampleSecret'.repeat(3)}`, expiresAt: inDays(7) } },
  report: {
    photo: { kind: 'report', url: reportsUrl, photos: 1, photo: { filename: 'dance.jpg', reasons: ['hurtful'] } },
  },
  'report-digest': { several: { kind: 'report-digest', url: reportsUrl, photos: 3, photo: null } },
  usage: {
    photos: { ...usage, subject: 'photos', used: 8, limit: 10, isFull: false, monthEndsAt: inDays(9) },
    'photos-full': { ...usage, subject: 'photos', used: 10, limit: 10, isFull: true, monthEndsAt: inDays(9) },
    storage: { ...usage, subject: 'storage', used: 0.83 * gigabyte, limit: gigabyte, isFull: false },
    'storage-full': {
      ...usage,
      subject: 'storage',
      used: 50 * gigabyte,
      limit: 50 * gigabyte,
      isFull: true,
      isLargestPlan: true,
    },
  },
  removal: {
    archive: {
      ...removal,
      archive: { url: `${publicUrl}/export/${'SampleSecret'.repeat(3)}`, expiresAt: inDays(7) },
    },
    'no-archive': { ...removal, photos: 1, archive: null },
  },
  removed: {
    photos: {
      kind: 'removed',
      photos: 204,
      bytes: 2.2 * gigabyte,
      planName: 'Free',
      planBytes: gigabyte,
      restorableUntil: inDays(7),
    },
  },
  'password-changed': { notice: { kind: 'password-changed', at: inDays(0) } },
  'email-changed': { notice: { kind: 'email-changed', at: inDays(0), newEmail: 'l…e@example.com' } },
  'plan-started': planSample('plan-started'),
  'payment-failed': planSample('payment-failed', { at: inDays(7) }),
  'plan-changed': planSample('plan-changed'),
  'plan-cancelled': planSample('plan-cancelled'),
  'plan-resumed': planSample('plan-resumed'),
  'plan-ended': planSample('plan-ended', { at: null, url: `${publicUrl}/pricing` }),
  'payment-refunded': planSample('payment-refunded', { at: null, amountCents: 1499, isDemo: true }),
  'account-deleted': { notice: { kind: 'account-deleted', at: inDays(0) } },
  test: { notice: { kind: 'test', at: inDays(0) } },
  'photo-hidden': {
    message: { ...decision, message: 'The parents of the child asked us to hide it.' },
    'no-message': decision,
  },
  'photo-shown': {
    notice: { ...shown, stillHidden: false },
    'still-hidden': { ...shown, stillHidden: true, message: 'We have spoken to the person who reported it.' },
  },
  'webhook-disabled': {
    failing: {
      kind: 'webhook-disabled',
      host: 'hooks.example.net',
      failingSince: inDays(-1),
      url: `${publicUrl}/settings#api`,
    },
  },
}

const folder = resolve(process.argv[2] ?? join(tmpdir(), 'keepsnap-emails'))
await mkdir(folder, { recursive: true })
const renderer = await loadGuestRenderer(join(root, 'web/dist-guest/guest.js'))
const outbox = await outboxMail(folder, { maxBytes: Infinity })
const lines: string[] = []
for (const [kind, variants] of Object.entries(samples)) {
  for (const [variant, email] of Object.entries(variants)) {
    const name = `${kind}-${variant}`
    const rendered = renderer.renderEmail(email, contextIn(defaultLanguage))
    for (const language of languages) {
      const { html, text } = renderer.renderEmail(email, contextIn(language))
      const ending = language === defaultLanguage ? '' : `.${language}`
      await writeFile(join(folder, `${name}${ending}.html`), html)
      await writeFile(join(folder, `${name}${ending}.txt`), text)
    }
    const headers = email.kind === 'photo' ? unsubscribeHeaders(email.stopUrl) : {}
    const id = name.replaceAll('-', '').padEnd(22, '0').slice(0, 22)
    await outbox.send({ id, from: mailFrom, to: { address: 'guest@example.com' }, ...rendered, headers })
    lines.push(`  ${name.padEnd(24)} ${rendered.subject}   (${name}.html, ${name}.txt, ${id}.eml)`)
  }
}
process.stdout.write(
  `Emails with sample values, in ${folder}, and in the other languages beside them (${languages.slice(1).join(', ')}):\n${lines.join('\n')}\n`,
)
