/** Every kind of email with sample values, for previews and for the stage `screens`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Email, EmailContext, EmailKind, PlanEmail } from '../contract/emails.ts'
import { defaultLanguage, type Language } from '../contract/languages.ts'
import { readConfig } from '../server/config.ts'
import { loadGuestRenderer } from '../server/platform/http/pages.ts'
import { root } from './source-files.ts'

const dayMs = 24 * 60 * 60 * 1000
const config = readConfig({ PUBLIC_URL: 'https://photos.example.com' }, { lanAddress: undefined, cwd: root })
const { operator, publicUrl } = config
export const { mailFrom } = config
export const contextIn = (language: Language): EmailContext => ({ publicUrl, operator, language })
export const sampleRenderer = () => loadGuestRenderer(join(root, 'web/dist-guest/guest.js'))

const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString()
const linkTo = (path: string): string => `${publicUrl}${path}?token=${'SampleToken'.repeat(4)}`
const photo = {
  kind: 'photo',
  logo: { cid: 'logo', width: 720, height: 720, ground: 'none' },
  brandName: 'Studio Sofie',
  thumbnail: { cid: 'photo', width: 1500, height: 1000 },
  url: `${publicUrl}/g/${'SampleGrant'.repeat(4)}`,
  filename: 'photo-2026-05-01-a1b2.jpg',
  expiresAt: inDays(3),
  attached: true,
  stopUrl: `${publicUrl}/stop/${'SampleStop'.repeat(4)}`,
} satisfies Email
const photos = {
  ...photo,
  kind: 'photos',
  photos: Array.from({ length: 5 }, (_, at) => ({
    url: `${photo.url.slice(0, -1)}${at}`,
    thumbnail: at === 2 ? { cid: 'photo', width: 1000, height: 1500 } : photo.thumbnail,
  })),
} satisfies Email

const plan = {
  planName: 'Pro Monthly',
  priceCents: 1499,
  interval: 'month',
  amountCents: null,
  coveredBy: null,
  isDemo: false,
} as const
const planSample = (kind: PlanEmail['kind'], more: Partial<PlanEmail> = {}): Record<string, Email> => ({
  plan: { kind, ...plan, at: inDays(30), url: `${publicUrl}/settings`, ...more },
})
const guestPhotos = { url: `${publicUrl}/events/sample/review`, settingsUrl: `${publicUrl}/events/sample` }
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
  subject: 'Het scherm in zaal 4 maakt geen verbinding',
  message: 'Onze stand opent om negen uur en het scherm in zaal 4 is offline.\n\nWat vragen we best aan de zaal?',
  priority: true,
  suspected: false,
  url: `${publicUrl}/admin#support`,
} as const

const eventGrant = {
  kind: 'event-grant',
  eventName: 'Lotte & Bram',
  brandName: 'Studio Sofie',
  photos: 1_042,
  url: `${publicUrl}/a/${'SampleGrant'.repeat(4)}`,
  expiresAt: inDays(90),
  stopUrl: `${publicUrl}/stop/${'SampleStop'.repeat(4)}`,
} as const

const withdrawal = {
  kind: 'withdrawal-received',
  name: 'Ada Peeters',
  address: 'ada@example.com',
  contract: 'Pro Monthly, made on 29 November 2026, invoice DEMO-000012',
  at: inDays(0),
  planName: 'Pro Monthly',
  concludedAt: inDays(-3),
  until: inDays(11),
  decideBy: inDays(14),
  url: `${publicUrl}/support`,
  isDemo: false,
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
  photo: {
    attached: photo,
    upright: { ...photo, logo: null, thumbnail: { cid: 'upright', width: 1000, height: 1500 } },
    link: { ...photo, logo: null, thumbnail: null, brandName: null, attached: false },
  },
  'support-message': {
    visitor: { ...supportMessage, priority: false },
    priority: supportMessage,
  },
  'support-received': { received: { kind: 'support-received', at: inDays(0) } },
  'withdrawal-received': {
    accepted: { ...withdrawal, found: 'accepted' },
    link: { ...withdrawal, found: 'link', url: `${publicUrl}/withdraw/${'SampleToken'.repeat(4)}` },
    unmatched: { ...withdrawal, found: 'unmatched', planName: null, concludedAt: null, until: null },
    late: { ...withdrawal, found: 'late', concludedAt: inDays(-20), until: inDays(-6), url: `${publicUrl}/settings` },
    closed: { ...withdrawal, found: 'closed' },
    looking: { ...withdrawal, found: 'looking', planName: null, concludedAt: null, until: null },
  },
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
  'new-sign-in': { notice: { kind: 'new-sign-in', at: inDays(0), device: 'Firefox, Windows' } },
  'email-changed': { notice: { kind: 'email-changed', at: inDays(0), newEmail: 'l…e@example.com' } },
  'api-key-created': { notice: { kind: 'api-key-created', at: inDays(0), name: 'Booth in the hall' } },
  'event-grant-created': { notice: { kind: 'event-grant-created', at: inDays(0), name: 'lotte@example.com' } },
  photos: {
    several: photos,
    plain: {
      ...photos,
      logo: null,
      brandName: null,
      photos: photos.photos.map((one) => ({ ...one, thumbnail: null })),
    },
  },
  'event-archive': { link: { ...eventGrant, kind: 'event-archive', bytes: 3.2 * gigabyte, expiresAt: inDays(3) } },
  'gallery-open': { notice: { ...eventGrant, kind: 'gallery-open' } },
  'event-grant': { grant: eventGrant, first: { ...eventGrant, photos: 0, brandName: null } },
  'helper-created': { notice: { kind: 'helper-created', at: inDays(0), name: 'Anna' } },
  'webhook-created': { notice: { kind: 'webhook-created', at: inDays(0), name: 'hooks.example.com' } },
  'plan-started': planSample('plan-started', { coveredBy: 'Pro Yearly' }),
  'payment-failed': planSample('payment-failed', { at: inDays(7) }),
  'first-payment-failed': planSample('first-payment-failed', { at: null, url: `${publicUrl}/pricing` }),
  'plan-changed': planSample('plan-changed'),
  'plan-cancelled': planSample('plan-cancelled'),
  'plan-resumed': planSample('plan-resumed'),
  'plan-ended': planSample('plan-ended', { at: null, url: `${publicUrl}/pricing` }),
  'payment-refunded': planSample('payment-refunded', { at: null, amountCents: 1499, isDemo: true }),
  'account-deleted': { notice: { kind: 'account-deleted', at: inDays(0) } },
  test: { notice: { kind: 'test', at: inDays(0) } },
  'payment-disputed': {
    evidence: {
      kind: 'payment-disputed',
      account: 'ada@example.com',
      amountCents: 14_999,
      reason: 'product_not_received',
      at: inDays(0),
      respondBy: inDays(7),
      url: `${publicUrl}/admin?user=sample`,
    },
  },
  'photo-hidden': {
    message: { ...decision, message: 'De ouders van het kind hebben gevraagd om de foto te verbergen.' },
    'no-message': decision,
  },
  'photo-shown': {
    notice: { ...shown, stillHidden: false },
    'still-hidden': { ...shown, stillHidden: true, message: 'We hebben de persoon gesproken die de foto meldde.' },
  },
  'webhook-disabled': {
    failing: {
      kind: 'webhook-disabled',
      host: 'hooks.example.net',
      failingSince: inDays(-1),
      url: `${publicUrl}/settings#api`,
    },
  },
  'review-waiting': { waiting: { kind: 'review-waiting', event: 'Lotte & Bram', photos: 12, ...guestPhotos } },
  'guests-full': { full: { kind: 'guests-full', event: 'Lotte & Bram', photos: 0, ...guestPhotos } },
  'request-removal': {
    many: {
      kind: 'request-removal',
      addresses: 1312,
      firstAt: inDays(5),
      url: `${publicUrl}/photo-requests`,
      settingsUrl: `${publicUrl}/settings#mail`,
    },
  },
}

/** Operators read English. */
const forOperators: readonly EmailKind[] = ['support-message']

interface SampleEmail {
  name: string
  email: Email
}

/** All samples that exist in this language. */
export const samplesIn = (language: Language): SampleEmail[] =>
  Object.entries(samples)
    .filter(([kind]) => language === defaultLanguage || !forOperators.some((each) => each === kind))
    .flatMap(([kind, variants]) =>
      Object.entries(variants).map(([variant, email]) => ({ name: `${kind}-${variant}`, email })),
    )

const readPicture = (name: string): Promise<Buffer> => readFile(join(root, 'server/operations/pictures', name))

/** The pictures that the samples show, by the name after `cid:`. */
export const samplePictures = async (): Promise<ReadonlyMap<string, { bytes: Buffer; type: string }>> =>
  new Map([
    ['photo', { bytes: await readPicture('amber-selfie.jpg'), type: 'image/jpeg' }],
    ['upright', { bytes: await readPicture('amber-couple.jpg'), type: 'image/jpeg' }],
    ['logo', { bytes: await readPicture('logo.png'), type: 'image/png' }],
  ])

/** The HTML of an email as a browser shows it: with the attached pictures inside. */
export const withPictures = (html: string, pictures: Awaited<ReturnType<typeof samplePictures>>): string =>
  html.replaceAll(/"cid:([a-z]+)"/g, (whole, cid: string) => {
    const picture = pictures.get(cid)
    return picture ? `"data:${picture.type};base64,${picture.bytes.toString('base64')}"` : whole
  })
