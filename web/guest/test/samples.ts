import { noBusiness } from '@keepsnap/contract/businesses.ts'
import type { Email, EmailContext, PlanEmail, ReportEmail } from '@keepsnap/contract/emails.ts'
import type { GalleryPhoto } from '@keepsnap/contract/event-guests.ts'
import type {
  EventGuestPage,
  GuestLogo,
  GuestPage,
  GuestPageContext,
  GuestPhoto,
  GuestRenderer,
  GuestReport,
  KeptPhoto,
} from '@keepsnap/contract/rendering.ts'
import { reportReasons } from '@keepsnap/contract/guests.ts'
import { createFormat } from '../../lib/format.ts'
import type { LocaleData } from '../../lib/i18n.tsx'
import { createGuestRenderer } from '../renderer.tsx'

export const english: LocaleData = { tag: 'en', text: null, format: createFormat('en') }
export const style = 'body{color:red}'
export const checkoutStyle = 'body{color:blue}'
export const script = 'console.log("hello")'
export const galleryScript = 'console.log("gallery")'
export const addScript = 'console.log("add")'
export const scannedScript = 'console.log("scanned")'
/** A renderer that uses one language for every page. */
export const rendererIn = (shown: LocaleData): GuestRenderer =>
  createGuestRenderer({
    style,
    checkoutStyle,
    addStyle: '',
    script,
    galleryScript,
    addScript,
    scannedScript,
    fontPath: '/assets/font.woff2',
    localeDataOf: () => shown,
  })
export const renderer = rendererIn(english)

export const photoId = 'Jx0Qz8vN3mWq5tRb7yKc1a'
export const photo: GuestPhoto = {
  callsPath: `/photos/${photoId}`,
  pagePath: `/request-photo/${photoId}`,
  formPath: `/request-photo/${photoId}`,
  filename: 'keepsnap-2026-11-17-2251.jpg',
  thumbnailUrl: 'https://fotos.example/t/abc',
  width: 1500,
  height: 1000,
  thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
}
export const report: GuestReport = { action: `/report-photo/${photoId}`, reasons: reportReasons }
export const frame: GuestPageContext = {
  publicUrl: 'https://fotos.example',
  path: '/request-photo/abc',
  previewUrl: null,
  language: 'en',
  hasLanguageLinks: true,
}
export const file = {
  downloadUrl: '/g/secret/download?visit=1',
  screenUrl: '/g/secret/download?screen=1',
  inlineUrl: '/g/secret/download?inline=1',
  bytes: 2_516_582,
  type: 'image/jpeg',
}

type Request = Extract<GuestPage, { page: 'request' }>
export const request = (more: Partial<Request> = {}): Request => ({
  page: 'request',
  state: 'form',
  photo,
  processing: false,
  email: '',
  problem: null,
  report,
  ...more,
})
type PhotoOnly = Extract<GuestPage, { page: 'photo' }>
export const photoOnly = (more: Partial<PhotoOnly> = {}): PhotoOnly => ({
  page: 'photo',
  by: 'grant',
  photo,
  file,
  expiresAt: '2026-11-17T22:51:00Z',
  ios: false,
  timeZone: 'Europe/Brussels',
  report,
  ...more,
})
const waiting = { ...photo, thumbnailUrl: null }

/** A white logo on a transparent background. */
const lightLogo: GuestLogo = {
  url: 'https://fotos.example/b/logo',
  width: 800,
  height: 300,
  grounds: { light: 'ink', dark: 'none' },
}

/** Tokens look like this. */
const galleryPhoto = (at: number): GalleryPhoto => ({
  token: `token${at}`,
  width: at % 2 === 0 ? 1500 : 1000,
  height: at % 2 === 0 ? 1000 : 1500,
  shown_at: new Date(Date.UTC(2026, 10, 14, 21, 59 - at)).toISOString(),
})
/** The mark of the event, and what its photos carry. */
export const eventMark = 'mark-of-the-event'
export const kept: KeptPhoto = { code: 'Cx0Qz8vN3mWq5tRb7yKc1c', event: eventMark, canEmail: true }
export const eventPage = (more: Partial<EventGuestPage> = {}): EventGuestPage => ({
  page: 'event',
  state: 'open',
  path: '/e/Jx0Qz8vN3mWq5tRb7yKc1b',
  name: 'Lotte & Bram',
  owner: 'Studio Sofie',
  photos: [0, 1, 2].map(galleryPhoto),
  next: 'token2',
  isNewest: true,
  order: 'added',
  hours: [],
  until: null,
  opensAt: null,
  timeZone: 'Europe/Brussels',
  archive: null,
  adding: null,
  mark: eventMark,
  ...more,
})

type Checkout = Extract<GuestPage, { page: 'demo-checkout' }>
export const checkout = (more: Partial<Checkout> = {}): Checkout => ({
  page: 'demo-checkout',
  state: 'open',
  plan: 'pro_monthly',
  action: '/demo-checkout/demo_cs_1',
  business: { isChosen: false, fields: noBusiness, problems: {} },
  ...more,
})

/** Every guest page in each of its states. */
export const samplePages: Record<string, GuestPage> = {
  form: request(),
  bad: request({ state: 'bad', email: 'lotte@example', problem: null }),
  failed: request({ state: 'failed', email: 'lotte@example.com' }),
  sent: request({ state: 'sent', email: 'lotte@example.com' }),
  off: request({ state: 'off' }),
  'form while processing': request({ photo: waiting, processing: true }),
  'sent while processing': request({ state: 'sent', email: 'lotte@example.com', photo: waiting, processing: true }),
  'photo by email': photoOnly(),
  'photo with a brand': photoOnly({ logo: lightLogo }),
  'form with a brand': request({ logo: lightLogo }),
  'photo by code on iOS': photoOnly({ by: 'code', expiresAt: null, ios: true }),
  'photo while processing': photoOnly({ photo: waiting, file: null }),
  'photo of unknown size while processing': photoOnly({
    by: 'code',
    expiresAt: null,
    file: null,
    photo: { ...waiting, width: null, height: null, thumbhash: null },
  }),
  sample: { page: 'sample', name: 'dance', ios: false },
  'sample on iOS': { page: 'sample', name: 'balloons', ios: true },
  reported: { page: 'reported', ok: true, note: '', photo, report },
  'reported without a reason': { page: 'reported', ok: false, note: 'The girl in the middle', photo, report },
  'photo in a gallery': photoOnly({ by: 'gallery', expiresAt: null, galleryPath: '/e/Jx0Qz8vN3mWq5tRb7yKc1b' }),
  gallery: eventPage(),
  'older photos of a gallery': eventPage({ isNewest: false, next: null }),
  'an hour of a gallery': eventPage({
    isNewest: false,
    order: 'taken',
    hours: [
      { at: '2026-11-15T19:00:00.000Z', evening: '2026-11-15', count: 1 },
      { at: '2026-11-14T23:00:00.000Z', evening: '2026-11-14', count: 1200 },
      { at: '2026-11-14T21:00:00.000Z', evening: '2026-11-14', count: 12 },
    ],
    until: '2026-11-14T22:00:00.000Z',
  }),
  'empty gallery': eventPage({ photos: [], next: null, owner: null }),
  'gallery with a brand': eventPage({ logo: lightLogo }),
  'gallery before it opens': eventPage({ state: 'coming', photos: [], next: null, opensAt: '2026-11-14T21:00:00Z' }),
  'gallery after its end': eventPage({ state: 'ended', photos: [], next: null, name: null, owner: null }),
  'event without a gallery': eventPage({ state: 'off', photos: [], next: null, name: null, owner: null }),
  'gallery to which guests add photos': eventPage({ adding: { reviewed: true } }),
  'photo of an event': photoOnly({ by: 'code', expiresAt: null, kept }),
  'form of a photo of an event': request({ kept, opensAt: '2026-11-14T21:00:00Z' }),
  'gallery whose photos come by email': eventPage({
    archive: { photos: 3, bytes: 9_000_000, url: null },
    emails: { required: true, answer: null },
  }),
  'gallery whose photos were sent': eventPage({
    archive: { photos: 3, bytes: 9_000_000, url: null },
    emails: { required: true, answer: { to: 'archive', state: 'sent', email: 'lotte@example.com', problem: null } },
  }),
  'gallery of whose opening guests are told': eventPage({
    state: 'coming',
    photos: [],
    next: null,
    opensAt: '2026-11-14T21:00:00Z',
    emails: { required: false, answer: { to: 'tell_me', state: 'bad', email: 'lotte@example', problem: null } },
  }),
  'event to which guests add photos': eventPage({ state: 'off', photos: [], next: null, adding: { reviewed: false } }),
  'unknown code of an event': { page: 'gone', why: 'event' },
  gone: { page: 'gone', why: 'photo' },
  expired: { page: 'gone', why: 'expired' },
  unsubscribe: { page: 'unsubscribe', state: 'ask', action: '/stop/secret' },
  unsubscribed: { page: 'unsubscribe', state: 'stopped', action: '/stop/secret/undo' },
  'subscribed again': { page: 'unsubscribe', state: 'allowed', action: null },
  'event grant': {
    page: 'event-grant',
    eventName: 'Lotte & Bram',
    brandName: 'Studio Sofie',
    photos: 1_042,
    bytes: 3_100_000_000,
    processing: 2,
    archiveUrl: '/a/secret/archive',
    tiles: [{ url: '/a/secret/p/one', thumbnailUrl: '/a/secret/p/one/thumbnail', width: 1500, height: 1000 }],
    olderUrl: '/a/secret?before=one',
    newestUrl: '/a/secret',
    expiresAt: '2027-02-18T22:51:00.000Z',
    timeZone: 'Europe/Brussels',
    logo: null,
  },
  'event grant without photos': {
    page: 'event-grant',
    eventName: 'Lotte & Bram',
    brandName: null,
    photos: 0,
    bytes: 0,
    processing: 1,
    archiveUrl: null,
    tiles: [],
    olderUrl: null,
    newestUrl: null,
    expiresAt: '2027-02-18T22:51:00.000Z',
    timeZone: null,
    logo: null,
  },
  'event grant that does not work': { page: 'gone', why: 'event-grant' },
  'invalid unsubscribe link': { page: 'gone', why: 'unsubscribe' },
  'demo checkout': checkout(),
  'demo checkout of a year, declined': checkout({ state: 'declined', plan: 'pro_yearly' }),
  'demo checkout of a business with refused fields': checkout({
    state: 'bad',
    business: {
      isChosen: true,
      fields: { ...noBusiness, name: 'Fotohuis BV', vat_number: 'BE0123456748', city: 'Gent' },
      problems: { vat_number: 'digits', street: 'missing', postal_code: 'missing' },
    },
  }),
  'paid demo checkout': { page: 'demo-checkout-ended', why: 'paid' },
  'expired demo checkout': { page: 'demo-checkout-ended', why: 'expired' },
  'unknown demo checkout': { page: 'demo-checkout-ended', why: 'unknown' },
}

export const photoEmail = {
  kind: 'photo',
  logo: null,
  brandName: 'Studio Sofie',
  thumbnail: { cid: 'photo', width: 1500, height: 1000 },
  url: 'https://fotos.example/g/Jx0Qz8vN3mWq5tRb7yKc1a',
  filename: photo.filename,
  expiresAt: '2026-11-20T22:51:00Z',
  attached: true,
  stopUrl: 'https://fotos.example/stop/Jx0Qz8vN3mWq5tRb7yKc1aJx0Qz8vN3mWq5tRb7yKc1a',
} satisfies Email
const token = 'token=Jx0Qz8vN3mWq5tRb7yKc1aJx0Qz8vN3mWq5tRb7yKc1a'
const soon = '2026-11-20T22:51:00Z'

/** The emails to users about their accounts. */
export const accountEmails: Record<string, Email> = {
  'support-received': { kind: 'support-received', at: '2026-11-20T22:51:00Z' },
  reset: { kind: 'reset', url: `https://fotos.example/reset-password?${token}`, expiresAt: soon },
  verify: { kind: 'verify', url: `https://fotos.example/verify-email?${token}`, expiresAt: soon },
  change: { kind: 'verify', url: `https://fotos.example/verify-email?${token}`, expiresAt: soon, changed: true },
  archive: { kind: 'archive', url: 'https://fotos.example/export/Jx0Qz8vN3mWq5tRb7yKc1a', expiresAt: soon },
  'password-changed': { kind: 'password-changed', at: soon },
  'new-sign-in': { kind: 'new-sign-in', at: soon, device: 'Firefox, Windows' },
  'email-changed': { kind: 'email-changed', at: soon, newEmail: 'l…e@example.com' },
  'api-key-created': { kind: 'api-key-created', at: soon, name: 'Booth in the hall' },
  'event-grant-created': { kind: 'event-grant-created', at: soon, name: 'lotte@example.com' },
  'helper-created': { kind: 'helper-created', at: soon, name: 'Anna' },
  'webhook-created': { kind: 'webhook-created', at: soon, name: 'hooks.example.com' },
  'account-deleted': { kind: 'account-deleted', at: soon },
  test: { kind: 'test', at: soon },
  'photo-hidden': {
    kind: 'photo-hidden',
    filename: 'IMG_4312.jpg',
    at: soon,
    message: null,
    stillHidden: true,
    url: 'https://fotos.example/support',
  },
  'photo-shown': {
    kind: 'photo-shown',
    filename: 'IMG_4312.jpg',
    at: soon,
    message: null,
    stillHidden: false,
    url: 'https://fotos.example/gallery?photo=x',
  },
  'webhook-disabled': {
    kind: 'webhook-disabled',
    host: 'hooks.example.net',
    failingSince: soon,
    url: 'https://fotos.example/settings#api',
  },
  'review-waiting': {
    kind: 'review-waiting',
    event: 'Lotte & Bram',
    photos: 12,
    url: 'https://fotos.example/events/x/review',
    settingsUrl: 'https://fotos.example/events/x',
  },
  'guests-full': {
    kind: 'guests-full',
    event: 'Lotte & Bram',
    photos: 0,
    url: 'https://fotos.example/events/x/review',
    settingsUrl: 'https://fotos.example/events/x',
  },
  'request-removal': {
    kind: 'request-removal',
    addresses: 1312,
    firstAt: soon,
    url: 'https://fotos.example/photo-requests',
    settingsUrl: 'https://fotos.example/settings#mail',
  },
}
export const emailFrame: EmailContext = {
  publicUrl: 'https://fotos.example',
  operator: { name: 'Sample Company', address: 'Samplestreet 1, Brussels', email: 'hello@example.com' },
  timeZone: 'Europe/Brussels',
  language: 'en',
}

/** Puts a page into the document without running its script; returns its main element. */
export function show(page: GuestPage, using = renderer): HTMLElement {
  const parsed = new DOMParser().parseFromString(using.renderGuestPage(page, frame), 'text/html')
  document.documentElement.lang = parsed.documentElement.lang
  document.title = parsed.title
  document.body.innerHTML = parsed.body.innerHTML
  return document.querySelector('main')!
}
const gigabyte = 1024 ** 3
const usage = { kind: 'usage', planName: 'Free', isLargestPlan: false, monthEndsAt: null } as const
const removal = {
  kind: 'removal',
  photos: 1204,
  bytes: 2.2 * gigabyte,
  storedBytes: 3.2 * gigabyte,
  planName: 'Free',
  planBytes: gigabyte,
  removeAt: soon,
} as const

/** The emails about limits of plans, and about photos over them. */
export const storageEmails: Record<string, Email> = {
  'photos nearly used': { ...usage, subject: 'photos', used: 8, limit: 10, isFull: false, monthEndsAt: soon },
  'photos used': { ...usage, subject: 'photos', used: 10, limit: 10, isFull: true, monthEndsAt: soon },
  'photos of the largest plan': {
    ...usage,
    subject: 'photos',
    used: 1000,
    limit: 1000,
    isFull: true,
    isLargestPlan: true,
    monthEndsAt: soon,
  },
  'storage nearly full': { ...usage, subject: 'storage', used: 0.8 * gigabyte, limit: gigabyte, isFull: false },
  'storage full': { ...usage, subject: 'storage', used: gigabyte, limit: gigabyte, isFull: true },
  'storage of the largest plan': {
    ...usage,
    subject: 'storage',
    used: 50 * gigabyte,
    limit: 50 * gigabyte,
    isFull: true,
    isLargestPlan: true,
  },
  removal: {
    ...removal,
    archive: { url: 'https://fotos.example/export/Jx0Qz8vN3mWq5tRb7yKc1a', expiresAt: soon },
  },
  'removal without an archive': { ...removal, photos: 1, archive: null },
  removed: {
    kind: 'removed',
    photos: 1204,
    bytes: 2.2 * gigabyte,
    planName: 'Free',
    planBytes: gigabyte,
    restorableUntil: soon,
  },
}
const reportsUrl = 'https://fotos.example/photo-requests'

/** The emails to owners of reported photos. */
export const reportEmails: Record<string, ReportEmail> = {
  report: {
    kind: 'report',
    url: reportsUrl,
    photos: 1,
    photo: { filename: 'IMG_4002.jpg', reasons: ['me', 'child'] },
  },
  'report digest': { kind: 'report-digest', url: reportsUrl, photos: 3, photo: null },
}

const planEmail = {
  planName: 'Pro Monthly',
  priceCents: 1499,
  interval: 'month',
  at: soon,
  coveredBy: null,
  amountCents: null,
  url: 'https://fotos.example/settings',
  isDemo: false,
} as const

/** The emails about plans. */
export const planEmails: Record<PlanEmail['kind'], PlanEmail> = {
  'plan-started': { ...planEmail, kind: 'plan-started' },
  'payment-failed': { ...planEmail, kind: 'payment-failed' },
  'first-payment-failed': { ...planEmail, kind: 'first-payment-failed', at: null },
  'plan-changed': { ...planEmail, kind: 'plan-changed', planName: 'Pro Yearly', priceCents: 14_999, interval: 'year' },
  'plan-cancelled': { ...planEmail, kind: 'plan-cancelled' },
  'plan-resumed': { ...planEmail, kind: 'plan-resumed' },
  'plan-ended': { ...planEmail, kind: 'plan-ended', at: null, url: 'https://fotos.example/pricing' },
  'payment-refunded': { ...planEmail, kind: 'payment-refunded', at: null, amountCents: 1499, isDemo: true },
}
