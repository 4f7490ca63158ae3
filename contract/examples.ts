import type { Endpoint, Input } from './endpoint.ts'
import type { DeclaredEndpoint } from './endpoints.ts'
import type { WebhookEventType } from './integrations.ts'

/**
 * What examples name that has to exist: ids, codes and secrets, each with a value of its own, so that a caller can replace it
 * by that of a thing that does.
 */
export const exampleValues = {
  origin: 'https://photos.example',
  user: 'u7Hq2rTn5WcKd8ZsXbV3Pm',
  /** The address of that user. */
  email: 'studio@fotohuis.example',
  photo: 'aP7yLr5DkS2jNw8QvT3mZc',
  failedPhoto: 'fW4mTz9BcR6hXq1KsN8pLd',
  /** Codes of the photo: in its direct QR code, in the signed URL of the full image, in the URL of its thumbnail. */
  directCode: 'Jn4vFq8OdB2lTz7XsWc5Ga',
  fullImageCode: 'Zc6tGb1UwR9eXy3KhMp7Vd',
  signature: 'q0L8xN2vTf4aYc6J',
  screenSignature: 'w3M9yP5rUg7bZd1K',
  thumbnailCode: 'Hq9XsW4eBn7CuLf2KdRy6Z',
  logoCode: 'Ks8mYt2QfW5xCh1LpVn4Rd',
  /** Secrets of links in emails. */
  grant: 'gR5wKx2MdT8vBn4QzL7cHs1YpF6jWq9XtV3rNk0SaEu',
  unsubscribeSecret: 'sT8kVn3XqB6wLd1RzF5mHc9YpJ2tWx7GsN4vKq0DaEu',
  exportSecret: 'xP3nRz7LwK5vTd9QbG1mHs6YcF8jXq2WtN4rVk0SaEu',
  photoArchiveSecret: 'aR4mXw8LqT2vKd6QbG9nHs3YcF5jXz1WtN7rVk0SaEu',
  resetToken: 'rT6pWm1ZxN9vKd4QbL7cHs3YgF5jXq8StR2nVk0WaEu',
  verifyToken: 'vT2kLx8QdM5wBn7RzF3pHc6YgJ9tXq1WsN4rVk0SaEu',
  testCode: 'tC4nVx9LwK2vRd7QbG5mHs1YcF8jXq3WtN6rPk0SaEu',
  session: 'sE7kPx3NdT5vBn9QzL2cHs',
  apiKey: 'kE5vXn8LwT2rQd7ZbG4mHs',
  request: 'Yc3nVt8RkQ5wLx1ZbHs6Jd',
  webhook: 'Mb7pXq2TnD4vKs9WcFz5Lr',
  delivery: 'dL4wKz8XnR2vTq6PbM9cHs',
  /** An email to a guest. */
  guestEmail: 'eM3nQz7KxW9tRd5VbH2pLc',
  supportMessage: 'mS9vXk4LnW7tQd2ZbR5pHc',
  businessInvoice: 'iN5nXk8LwT2rQd7ZvG4mHs',
  /** Withdrawals from contracts: one that waits, and one whose contract was not found. */
  withdrawal: 'wD5kXn2RvT8qLc4ZbG7mHs',
  unmatchedWithdrawal: 'wU3nXk8TvR6qLd1ZbG4mHs',
  /** The token of the link of one that is closed. */
  withdrawalToken: 'wT4pXm9LnQ7vKd2RbG6cHs',
  /** Checkouts of demo payments: one that is open, and one that the user has paid. */
  event: 'eV5nXk8LwT2rQd7ZvG4mHs',
  deletedEvent: 'eD3nXk8LwT2rQd7ZvG4mHs',
  /** Somebody who adds photos to the one below, and the token and the id of a photo of theirs. */
  contributor: 'cT2nXk8LwT5rQd7ZvG4mHs',
  ownPhotoToken: 'oP6nXk8LwT2rQd7ZvG4mHs',
  guestPhoto: 'gP4nXk8LwT2rQd7ZvG4mHs',
  /** An event with a guest gallery, its codes, and the token of a photo in the gallery of the first. */
  galleryEvent: 'eG5nXk8LwT2rQd7ZvG4mHs',
  eventCode: 'eC5nXk8LwT2rQd7ZvG4mHs',
  tableCode: 'eT5nXk8LwT2rQd7ZvG4mHs',
  galleryToken: 'gT5wKx2MdT8vBn4QzL7cHs1YpF6jWq9XtV3rNk0SaEuPz4Lr8Vx',
  /** A link to all photos of the event, its secret, and the token of a photo that it opens. */
  eventGrant: 'eG6nXk8LwT2rQd7ZvG4mHs',
  eventGrantSecret: 'eS5wKx2MdT8vBn4QzL7cHs1YpF6jWq9XtV3rNk0SaEu',
  eventGrantToken: 'eT7nXk8LwT2rQd7ZvG4mHs1YpF6jWq9XtV3rNk0SaEu7bZd1Kx',
  /** A helper of the event with a guest gallery, the secret of the link, and what `guestPhoto` is called for the helper. */
  helper: 'hE6nXk8LwT2rQd7ZvG4mHs',
  helperSecret: 'hS5wKx2MdT8vBn4QzL7cHs1YpF6jWq9XtV3rNk0SaEu',
  helperToken: 'hT5wKx2MdT8vBn4QzL7cHs1YpF6jWq9XtV3rNk0SaEuPz4Lr8Vx',
  /** The code of an event whose guests may download all photos. */
  archiveCode: 'eC4nXk8LwT2rQd7ZvG4mHs',
  checkout: 'cK8pXn3VwT6rLd1ZbG9mHs',
  paidCheckout: 'cP2vXm7LnT4wQd9ZbR6kHs',
  price: 'price_pro_monthly',
} as const

/** The password of the examples; it fulfils the rules. */
export const examplePassword = 'Correct.Horse.9'

/** What a valid call of an endpoint brings, besides who calls. */
export interface Example {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number>>
  /** JSON or the fields of a form; of an endpoint with `rawBody`, the bytes as text. */
  body?: unknown
  /** The name of the file of an upload. */
  file?: string
  idempotencyKey?: string
}

type ExampleOf<E extends Endpoint> = Input<E> &
  (E extends { upload: 'image' } ? { file: string } : unknown) &
  (E extends { idempotent: true } ? { idempotencyKey: string } : unknown) &
  (E extends { rawBody: true } ? { body: string } : unknown)

const value = exampleValues
const photo = { params: { id: value.photo } }
const user = { params: { user_id: value.user } }
const webhook = { params: { id: value.webhook } }
const supportMessage = { params: { id: value.supportMessage } }
const business = {
  name: 'Fotohuis BV',
  vat_number: 'BE0123456749',
  street: 'Korenmarkt 1',
  postal_code: '9000',
  city: 'Gent',
}
const event = { params: { id: value.event } }
const eventGrant = { params: { id: value.event, grant_id: value.eventGrant } }
const helper = { params: { id: value.galleryEvent, helper_id: value.helper } }
const grantedPhoto = { params: { grant: value.eventGrantSecret, token: value.eventGrantToken } }
const eventSettings = {
  name: 'Lotte & Bram',
  starts_on: '2026-11-14',
  ends_on: '2026-11-15',
  ask_email: true,
  gallery: 'link',
  gallery_opens_at: '2026-11-14T22:00:00Z',
  closes_at: '2026-12-14T23:00:00Z',
  guest_archive: true,
  code_on_latest: true,
  link_on_photo_pages: true,
  guest_photos: 'review',
  guest_paused: false,
  guest_allowance: 500,
  review_emails: true,
} as const
const galleryEvent = { params: { id: value.galleryEvent } }
const contributor = { params: { id: value.galleryEvent, contributor_id: value.contributor } }
const eventCode = { params: { code: value.eventCode } }
const galleryPlace = { before: value.galleryToken, until: '2026-11-14T21:00:00Z', order: 'taken' } as const
const galleryPhoto = { params: { code: value.eventCode, token: value.galleryToken } }
const withdrawal = { params: { id: value.withdrawal } }
const checkout = { params: { id: value.checkout } }
const grant = { params: { grant: value.grant } }
const unsubscribe = { params: { secret: value.unsubscribeSecret } }
const testCode = { params: { token: value.testCode } }
const page = { query: { skip: 0, limit: 50 } }
const reason = 'A complaint by email'
const guest = { email: 'guest@example.com', website: '', language: 'nl' } as const
const webhookSettings: { url: string; events: WebhookEventType[]; event_id: string } = {
  url: 'https://hooks.example.com/keepsnap',
  events: ['photo.ready', 'request.created'],
  event_id: value.event,
}
const picture = { file: 'IMG_4374.jpg' }

/** A valid input for every endpoint, with all of its fields; an endpoint without one does not compile. */
const examples: { readonly [E in DeclaredEndpoint as `${E['method']} ${E['path']}`]: ExampleOf<E> } = {
  'GET /health': {},
  'GET /ready': {},
  'GET /openapi.json': {},
  'GET /site': {},

  'POST /register': {
    body: { email: 'ada@example.com', password: examplePassword, time_zone: 'Europe/Brussels', language: 'nl' },
  },
  'POST /token': { body: { username: value.email, password: examplePassword } },
  'POST /logout': {},
  'GET /user/me': {},
  'PUT /user/settings': {
    body: {
      use_logo_as_watermark: true,
      ask_email_to_receive_photo: true,
      username: 'fotohuis',
      brand_name: 'Fotohuis',
      time_zone: 'Europe/Brussels',
      language: 'nl',
      allow_marketing_emails: false,
      allow_promotional_emails: false,
      allow_request_removal_emails: false,
      watermark_size: 'medium',
      watermark_corner: 'bottom-right',
      watermark_strength: 'medium',
      slow_show_minutes: 3,
    },
  },
  'POST /request-password-reset': { body: { email: value.email } },
  'POST /reset-password': { body: { token: value.resetToken, new_password: examplePassword } },
  'POST /reset-password/check': { body: { token: value.resetToken } },
  'POST /verify-email': { body: { token: value.verifyToken } },
  'POST /user/verification': {},
  'POST /user/email': { body: { email: 'new@fotohuis.example', password: examplePassword } },
  'POST /user/password': { body: { current_password: examplePassword, new_password: 'Another.Horse.7' } },
  'POST /user/confirmation': { body: { password: examplePassword } },
  'GET /user/sessions': {},
  'DELETE /user/sessions': {},
  'DELETE /user/sessions/:id': { params: { id: value.session } },
  'POST /user/export': {},
  'GET /user/export': {},
  'GET /export/:secret': { params: { secret: value.exportSecret } },
  'DELETE /user': { body: { password: examplePassword } },
  'POST /ws/ticket': {},
  'GET /user/test-email': {},
  'POST /user/test-email': {},
  'POST /user/test-code': {},
  'GET /qr/t/:token': testCode,
  'GET /test-code/:token': testCode,

  'POST /photos/upload': {
    ...picture,
    query: { selection: 'evening', position: 0, event: value.event },
    idempotencyKey: 'IMG_4374',
  },
  'GET /photos': {
    query: {
      limit: 50,
      before: value.photo,
      on: '2026-11-14',
      until: '2026-11-14T21:00:00Z',
      order: 'taken',
      name: 'IMG_4374',
      event: value.event,
    },
  },
  'GET /user/photo-days': { query: { limit: 50, before: '2026-11-14', order: 'taken', event: value.event } },
  'GET /user/photo-hours': { query: { event: value.event, order: 'taken' } },
  'GET /photos/changes': { query: { since: '0f3a5c7e9b1d2f4a6c8e0b2d4f6a8c0e.4711.1795940848' } },
  'GET /photos/latest': { query: { event: 'none' } },
  'GET /photos/:id': photo,
  'PUT /photos/:id': { ...photo, body: { hidden: true } },
  'DELETE /photos/:id': photo,
  'POST /photos/bulk': { body: { action: 'show', ids: [value.photo] } },
  'POST /photos/move': { body: { event_id: value.event, ids: [value.photo] } },
  'GET /user/events': {},
  'POST /user/events': { body: eventSettings },
  'GET /user/events/:id': event,
  'PUT /user/events/:id': { ...event, body: { ...eventSettings, archived: false } },
  'DELETE /user/events/:id': { ...event, query: { photos: 'keep' } },
  'POST /user/events/:id/undo-delete': { params: { id: value.deletedEvent } },
  'GET /user/events/:id/codes': galleryEvent,
  'POST /user/events/:id/codes': { ...galleryEvent, body: { kind: 'table', labels: ['Table 7', 'Table 8'] } },
  'DELETE /user/events/:id/codes/:code': { params: { id: value.galleryEvent, code: value.tableCode } },
  'GET /qr/e/:code': eventCode,
  'GET /e/:code': { ...eventCode, query: { ...galleryPlace, grant: 'none' } },
  'GET /e/:code/photos': { ...eventCode, query: galleryPlace },
  'POST /e/:code/visits': eventCode,
  'GET /e/:code/p/:token': galleryPhoto,
  'POST /e/:code/p/:token/visits': { ...galleryPhoto, query: { by: 'gallery' } },
  'GET /e/:code/p/:token/thumbnail': galleryPhoto,
  'GET /e/:code/p/:token/screen': galleryPhoto,
  'GET /e/:code/p/:token/download': { ...galleryPhoto, query: { inline: '1', visit: '1' } },
  'POST /e/:code/p/:token/request-email': {
    ...galleryPhoto,
    body: { ...guest, email: 'bram@example.com', tell_me: true },
  },
  'POST /e/:code/p/:token/report': { ...galleryPhoto, body: { reason: 'me', note: 'Please do not show it' } },
  'PUT /user/current-event': { body: { event_id: value.event } },
  'POST /e/:code/join': {
    params: { code: value.eventCode },
    body: { name: 'Aunt Ann', consent_version: '2026-11', language: 'en' },
  },
  'GET /e/:code/mine': { params: { code: value.eventCode } },
  'POST /e/:code/mine': { params: { code: value.eventCode }, ...picture, idempotencyKey: 'IMG_4374' },
  'DELETE /e/:code/mine/:token': { params: { code: value.eventCode, token: value.ownPhotoToken } },
  'GET /e/:code/mine/:token/thumbnail': { params: { code: value.eventCode, token: value.ownPhotoToken } },
  'GET /user/events/:id/review': { ...galleryEvent, query: { list: 'decided', limit: 50, after: value.guestPhoto } },
  'POST /user/events/:id/review': {
    ...galleryEvent,
    body: { from: 'waiting', to: 'approved', ids: [value.guestPhoto] },
  },
  'POST /user/events/:id/contributors/:contributor_id/block': contributor,
  'POST /user/events/:id/contributors/:contributor_id/unblock': contributor,
  'GET /user/events/:id/archive': event,
  'GET /user/events/:id/grants': event,
  'POST /user/events/:id/grants': { ...event, body: { email: 'lotte@example.com' } },
  'POST /user/events/:id/grants/:grant_id/resend': eventGrant,
  'DELETE /user/events/:id/grants/:grant_id': eventGrant,
  'GET /user/event-grants': {},
  'POST /user/event-grants/revocation': { body: { ids: [value.eventGrant] } },
  'GET /user/events/:id/helpers': galleryEvent,
  'POST /user/events/:id/helpers': { ...galleryEvent, body: { name: 'Anna' } },
  'POST /user/events/:id/helpers/:helper_id/link': helper,
  'POST /user/events/:id/helpers/:helper_id/allow-device': { ...helper, body: { asked_at: '2026-11-14T22:00:00Z' } },
  'POST /user/events/:id/helpers/:helper_id/undo': helper,
  'POST /user/events/:id/helpers/:helper_id/end': helper,
  'DELETE /user/events/:id/helpers/:helper_id': helper,
  'GET /user/event-helpers': {},
  'POST /user/event-helpers/revocation': { body: { ids: [value.helper] } },
  'POST /helper/session': { body: { secret: value.helperSecret } },
  'GET /helper/review': { query: { list: 'waiting', after: value.helperToken, limit: 50 } },
  'POST /helper/review': { body: { from: 'waiting', to: 'approved', ids: [value.helperToken] } },
  'POST /helper/hide': { body: { hidden: true, ids: [value.helperToken] } },
  'POST /helper/hold': { body: { photo_id: null } },
  'GET /a/:grant': { params: { grant: value.eventGrantSecret }, query: { before: 'first' } },
  'GET /a/:grant/archive': { params: { grant: value.eventGrantSecret } },
  'GET /a/:grant/p/:token': { ...grantedPhoto, query: { download: '1' } },
  'GET /a/:grant/p/:token/thumbnail': grantedPhoto,
  'GET /e/:code/archive': { params: { code: value.archiveCode }, query: { grant: 'none' } },
  'POST /d/request-email': { body: { ...guest, email: 'lise@example.com', codes: [value.directCode], tell_me: true } },
  'POST /e/:code/request-email': {
    ...eventCode,
    body: { ...guest, email: 'mila@example.com', tokens: [value.galleryToken], tell_me: true },
  },
  'POST /photos/:id/retry': { params: { id: value.failedPhoto } },
  'POST /photos/archive': { body: { ids: [value.photo] } },
  'GET /archive/:secret': { params: { secret: value.photoArchiveSecret } },
  'POST /user/removed-photos/restore': {},
  'GET /user/hold': {},
  'PUT /user/hold': { body: { photo_id: value.photo } },
  'DELETE /user/hold': {},

  'GET /d/:code': {
    params: { code: value.directCode },
    query: { download: '1', inline: '1', screen: '1', visit: '1' },
  },
  'GET /media/:code': {
    params: { code: value.fullImageCode },
    query: { s: value.signature, download: '1', inline: '1' },
  },
  'GET /screen/:code': { params: { code: value.fullImageCode }, query: { s: value.screenSignature } },
  'GET /t/:code': { params: { code: value.thumbnailCode }, query: { s: value.signature } },
  'GET /qr/d/:code': { params: { code: value.directCode } },
  'GET /qr/r/:code': { params: { code: value.photo } },
  'GET /sample/:name': { params: { name: 'dance' } },
  'GET /qr/s/:name': { params: { name: 'dance' } },
  'GET /photos/:id/public': photo,
  'POST /photos/:id/visits': { ...photo, query: { by: 'code' } },
  'POST /photos/:id/request-email': { ...photo, body: { ...guest, tell_me: true } },
  'GET /request-photo/:id': photo,
  'POST /request-photo/:id': { ...photo, body: { ...guest, email: 'ann@example.com', tell_me: 'on' } },
  'GET /g/:grant': grant,
  'GET /g/:grant/download': { ...grant, query: { inline: '1', screen: '1', visit: '1' } },
  'GET /stop/:secret': unsubscribe,
  'POST /stop/:secret': unsubscribe,
  'GET /stop/:secret/undo': unsubscribe,
  'POST /stop/:secret/undo': unsubscribe,
  'GET /stop/*': {},
  'GET /user/photo-requests': {
    query: { limit: 50, before: value.request, email: 'guest', state: 'failed', event: value.event },
  },
  'GET /user/photo-requests/export': { query: { event: value.event } },
  'POST /user/photo-requests/:id/resend': { params: { id: value.request } },
  'POST /user/photo-requests/resend': {},
  'POST /photos/:id/report': { ...photo, body: { reason: 'me', note: 'I am in this photo.' } },
  'POST /report-photo/:id': { ...photo, body: { reason: 'me', note: 'I am in this photo.' } },
  'GET /user/reports': { query: { event: value.event } },
  'POST /photos/:id/decision': { ...photo, body: { decision: 'keep' } },
  'DELETE /photos/:id/decision': { ...photo, query: { decided_at: '2026-11-14T21:41:07.310Z' } },
  'GET /user/insights/export': {
    query: { from: '2026-11-01', to: '2026-11-14', tz: 'Europe/Brussels', event: value.event },
  },
  'GET /user/insights': { query: { from: '2026-11-01', to: '2026-11-14', tz: 'Europe/Brussels', event: value.event } },

  'POST /upload-logo': picture,
  'POST /upload-background': picture,
  'DELETE /user/logo': {},
  'DELETE /user/background': {},
  'GET /b/:code': { params: { code: value.logoCode } },
  'GET /user/watermark/preview': {},
  'GET /user/watermark': {},
  'POST /user/watermark': { body: { what: 'undo' } },
  'DELETE /user/watermark': {},

  'GET /subscriptions/status': {},
  'GET /subscriptions/plans': {},
  'POST /subscriptions/checkout': {
    body: {
      price_id: value.price,
      success_url: `${value.origin}/subscription/success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${value.origin}/pricing`,
    },
  },
  'POST /subscriptions/verify-session': { body: { session_id: value.paidCheckout } },
  'POST /subscriptions/cancel': {},
  'POST /subscriptions/resume': {},
  'POST /subscriptions/change': { body: { price_id: value.price } },
  'POST /subscriptions/change/preview': { body: { price_id: value.price } },
  'POST /subscriptions/refund': {},
  'GET /subscriptions/invoices': {},
  'POST /subscriptions/portal': {},
  'GET /subscriptions/business': {},
  'PUT /subscriptions/business': { body: business },
  'DELETE /subscriptions/business': {},
  'POST /payments/webhook': { body: '{"id":"evt_1","object":"event","type":"invoice.paid"}' },
  'GET /demo-checkout/:id': checkout,
  'POST /demo-checkout/:id': { ...checkout, body: { outcome: 'decline', as_business: 'yes', ...business } },

  'GET /api/keys': {},
  'POST /api/keys': { body: { name: 'Booth 7', expires_in_days: 30, event_id: value.event } },
  'DELETE /api/keys/:id': { params: { id: value.apiKey } },
  'POST /api/keys/revocation': { body: { ids: [value.apiKey] } },
  'POST /api/upload': { ...picture, query: { wait: 0, event: value.event }, idempotencyKey: 'booth-7-IMG_4374' },
  'GET /api/photos': { query: { ...page.query, before: value.photo, event: value.event } },
  'GET /api/photos/latest': { query: { event: 'none' } },
  'GET /api/webhooks': {},
  'POST /api/webhooks': { body: webhookSettings },
  'PUT /api/webhooks/:id': { ...webhook, body: { ...webhookSettings, enabled: true } },
  'DELETE /api/webhooks/:id': webhook,
  'POST /api/webhooks/revocation': { body: { ids: [value.webhook] } },
  'POST /api/webhooks/:id/secret': webhook,
  'GET /api/webhooks/:id/deliveries': { ...webhook, query: { limit: 50, before: value.delivery, state: 'waiting' } },
  'POST /api/webhooks/:id/deliveries/:delivery_id/replay': {
    params: { id: value.webhook, delivery_id: value.delivery },
  },
  'POST /api/webhooks/:id/test': webhook,

  'GET /subscriptions/withdrawal': {},
  'POST /withdraw': {
    query: { lang: 'nl' },
    body: {
      name: 'Ada Peeters',
      email: 'ada@example.com',
      contract: 'Pro Monthly of 29 November 2026',
      contract_id: 'demo_in_Wc8nXk3LqT5vRd9ZbG2mHs',
      confirmed: 'yes',
    },
  },
  'GET /withdraw/:token': { params: { token: value.withdrawalToken } },
  'POST /withdraw/:token': { params: { token: value.withdrawalToken } },
  'POST /support': {
    query: { lang: 'nl' },
    body: {
      name: 'Ada Peeters',
      email: 'ada@example.com',
      subject: 'The screen is dark',
      message: 'It was light before.',
      website: '',
    },
  },
  'GET /preview/:name': { params: { name: 'home.en.jpg' } },
  'GET /robots.txt': {},
  'GET /sitemap.xml': {},
  'GET /manifest/:name': { params: { name: 'en.webmanifest' } },

  'GET /api/admin/users': page,
  'GET /api/admin/stats': {},
  'GET /api/admin/users/:user_id': user,
  'GET /api/operator/overview': {},
  'GET /api/operator/health': {},
  'GET /api/operator/integrity': {},
  'POST /api/operator/integrity': {},
  'GET /api/operator/audit': { query: { limit: 50, before: value.request, user_id: value.user, by: 'operator' } },
  'POST /api/operator/confirmation': { body: { password: examplePassword } },
  'GET /api/operator/users': { query: { search: 'fotohuis', filter: 'all', skip: 0, limit: 50 } },
  'GET /api/operator/users/:user_id': user,
  'POST /api/operator/users/:user_id/deactivate': { ...user, body: { reason } },
  'POST /api/operator/users/:user_id/activate': { ...user, body: { reason } },
  'POST /api/operator/users/:user_id/plan': { ...user, body: { plan: 'pro_yearly', until: '2099-12-31', reason } },
  'POST /api/operator/users/:user_id/refund': { ...user, body: { reason } },
  'POST /api/operator/users/:user_id/export': { ...user, body: { reason } },
  'POST /api/operator/users/:user_id/delete': { ...user, body: { email: value.email, reason } },
  'GET /api/operator/emails': { query: { address: 'guest@example.com' } },
  'POST /api/operator/emails/:id/send': { params: { id: value.guestEmail }, body: { reason } },
  'POST /api/operator/guests/erase': { body: { address: 'guest@example.com', reason } },
  'GET /api/operator/photos': { query: { text: `${value.origin}/d/${value.directCode}` } },
  'POST /api/operator/photos/:id/delete': { ...photo, body: { reason } },
  'GET /api/operator/failed-photos': page,
  'GET /api/operator/reports': page,
  'POST /api/operator/photos/:id/retry': { params: { id: value.failedPhoto }, body: { reason } },
  'POST /api/operator/photos/:id/hide': { ...photo, body: { reason, message: 'A guest asked us to hide it.' } },
  'POST /api/operator/photos/:id/show': { ...photo, body: { reason, message: 'The guest agrees now.' } },
  'GET /api/operator/invoices': page,
  'GET /api/operator/invoices/:id': { params: { id: value.businessInvoice } },
  'POST /api/operator/invoices/:id/rate': { params: { id: value.businessInvoice }, body: { eur_rate: 0.8642, reason } },
  'GET /api/operator/support': { query: { state: 'open', skip: 0, limit: 50 } },
  'GET /api/operator/support/:id': supportMessage,
  'PUT /api/operator/support/:id': { ...supportMessage, body: { state: 'answered' } },
  'GET /api/operator/withdrawals': { query: { state: 'open', skip: 0, limit: 50 } },
  'POST /api/operator/withdrawals/:id/accept': { ...withdrawal, body: { reason } },
  'POST /api/operator/withdrawals/:id/dismiss': { ...withdrawal, body: { reason } },
  'POST /api/operator/withdrawals/:id/link': {
    params: { id: value.unmatchedWithdrawal },
    body: { email: value.email, reason },
  },
  'POST /api/operator/support/:id/delete': { ...supportMessage, body: { reason } },
}

/** The example of an endpoint of the contract. */
export const exampleOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): Example => {
  const found = (examples as Readonly<Record<string, Example>>)[`${method} ${path}`]
  if (!found) throw new Error(`${method} ${path} is not an endpoint of the contract`)
  return found
}
