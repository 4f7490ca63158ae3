import type { Helper, HelperPhoto, helperReview } from '@keepsnap/contract/event-helpers.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import type { CurrentContract } from '@keepsnap/contract/withdrawals.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { PlanForSale, SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { type PlanId, planIds, plans } from '@keepsnap/contract/plans.ts'
import type { listReview, ReviewPhoto } from '@keepsnap/contract/event-photos.ts'
import type { Insights } from '@keepsnap/contract/insights.ts'
import type { listPhotoRequests, PhotoReport, PhotoRequest } from '@keepsnap/contract/guests.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import type { SiteInfo } from '@keepsnap/contract/site.ts'

const first = Date.parse('2026-11-14T20:00:00.000Z')

/** A photo taken in minute `number`, processed unless `fields` say otherwise: `photo3` is newer than `photo2`. */
export function samplePhoto(number: number, fields: Partial<Photo> = {}): Photo {
  const id = `photo${number}`
  return {
    id,
    filename: `IMG_${4000 + number}.jpg`,
    b2_url: `http://photos.example/media/${id}?s=signed`,
    screen_url: `http://photos.example/screen/${id}?s=signed`,
    thumbnail_url: `http://photos.example/t/${id}`,
    qr_code_url: `http://photos.example/qr/d/${id}`,
    email_qr_code_url: `http://photos.example/qr/r/${id}`,
    created_at: new Date(first + number * 60_000).toISOString(),
    processing: false,
    processing_complete: true,
    processing_failed: false,
    error_message: null,
    can_retry: false,
    width: 1500,
    height: 1000,
    thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
    hidden: false,
    operator_decision: null,
    size_bytes: 2_400_000,
    ...fields,
  }
}

/** A photo right after its upload. */
export const processingPhoto = (number: number, fields: Partial<Photo> = {}): Photo =>
  samplePhoto(number, {
    b2_url: null,
    screen_url: null,
    thumbnail_url: null,
    processing: true,
    processing_complete: false,
    width: null,
    height: null,
    thumbhash: null,
    size_bytes: null,
    ...fields,
  })

/** A photo that could not be processed. */
export const failedPhoto = (number: number, fields: Partial<Photo> = {}): Photo =>
  processingPhoto(number, { processing: false, processing_failed: true, can_retry: true, ...fields })

/** A complimentary plan, or the free one, with this much used of it. */
export function planStatusOf(planId: PlanId, used = { photos: 0, storageBytes: 0 }): SubscriptionStatus {
  const { id, name, price_cents, interval_type, features } = plans[planId]
  const { max_photos, storage_gb, max_file_size_mb } = features
  return {
    has_subscription: false,
    subscription: null,
    plan: { id, name, price_cents, interval_type, features },
    complimentary: id === 'free' ? null : { id, name, until: null },
    until: null,
    payments: 'demo',
    refundable_until: null,
    current_usage: { photos_uploaded: used.photos, storage_used_bytes: used.storageBytes },
    plan_limits: { max_photos, storage_gb, max_file_size_mb },
    usage_percentage: {
      photos: (100 * used.photos) / max_photos,
      storage: (100 * used.storageBytes) / (storage_gb * 1024 ** 3),
    },
    month_ends_at: '2026-12-01T12:00:00.000Z',
  }
}

/** The free plan with this many photos uploaded this month and half of the storage used. */
export const samplePlanStatus = (photos: number): SubscriptionStatus =>
  planStatusOf('free', { photos, storageBytes: 512 * 1024 ** 2 })

type Subscription = NonNullable<SubscriptionStatus['subscription']>

/** A paid plan with nothing used. */
export function subscribed(planId: PlanId, fields: Partial<Subscription> = {}): SubscriptionStatus {
  const { id, name, price_cents, interval_type, features } = plans[planId]
  const { max_photos, storage_gb, max_file_size_mb } = features
  return {
    ...samplePlanStatus(0),
    has_subscription: true,
    subscription: {
      plan: { id, name, price_cents, interval_type },
      status: 'active',
      cancel_at_period_end: false,
      current_period_end: '2026-12-22T12:00:00.000Z',
      grace_until: null,
      ...fields,
    },
    plan: { id, name, price_cents, interval_type, features },
    plan_limits: { max_photos, storage_gb, max_file_size_mb },
    usage_percentage: { photos: 0, storage: 5 },
  }
}

/** The same with a complimentary plan that counts. */
export const complimentary = (
  planId: PlanId,
  until: string | null,
  base: SubscriptionStatus = samplePlanStatus(1),
): SubscriptionStatus => ({
  ...base,
  plan: plans[planId],
  complimentary: { id: planId, name: plans[planId].name, until },
  until,
})

/** The plans as listed by a server that sells them. */
export const plansForSale: PlanForSale[] = planIds.map((id) => ({
  ...plans[id],
  stripe_price_id: id === 'free' ? null : `price_${id}`,
}))

/** A request made in minute `number`, with its email sent unless `fields` say otherwise: `request3` is newer than `request2`. */
export const sampleRequest = (number: number, fields: Partial<PhotoRequest> = {}): PhotoRequest => ({
  id: `request${number}`,
  requester_email: `guest${number}@example.com`,
  requested_at: new Date(first + number * 60_000).toISOString(),
  photo: { id: `photo${number}`, filename: `IMG_${4000 + number}.jpg`, thumbnail_url: null },
  state: 'sent',
  due_at: null,
  sent_at: null,
  failure: null,
  ...fields,
})

/** A reported photo that needs a review. */
export const sampleReport = (number: number, fields: Partial<PhotoReport> = {}): PhotoReport => ({
  photo: { id: `photo${number}`, filename: `IMG_${4000 + number}.jpg`, thumbnail_url: null },
  hidden: false,
  hidden_by_operator: false,
  open: true,
  reports: [{ reason: 'me', note: null, reported_at: new Date(first).toISOString() }],
  decision: null,
  decided_at: null,
  ...fields,
})

const none = { scans: 0, views: 0, downloads: 0, requests: 0 }

/** Three days; most scans are on the second one. */
export const sampleInsights = (fields: Partial<Insights> = {}): Insights => ({
  from: '2026-11-12',
  to: '2026-11-14',
  time_zone: 'Europe/Brussels',
  totals: { scans: 1234, views: 80, downloads: 60, requests: 14 },
  days: [
    { day: '2026-11-12', ...none, scans: 34 },
    { day: '2026-11-13', scans: 1200, views: 80, downloads: 60, requests: 14 },
    { day: '2026-11-14', ...none },
  ],
  hours: Array.from({ length: 24 }, (_, hour) => ({ hour, ...none })),
  peak_hour: 22,
  evenings: [
    {
      day: '2026-11-13',
      photos: 40,
      scans: 1200,
      views: 80,
      downloads: 60,
      requests: 14,
      first_hour: 22,
      hours: { scans: [900, 200, 100], views: [50, 20, 10], downloads: [40, 20, 0], requests: [10, 4, 0] },
    },
    {
      day: '2026-11-12',
      photos: 9,
      ...none,
      scans: 34,
      first_hour: 20,
      hours: { scans: [4, 30], views: [0, 0], downloads: [0, 0], requests: [0, 0] },
    },
  ],
  conversion_percent: 6,
  best_photos: [
    { id: 'photo1', filename: 'IMG_4001.jpg', thumbnail_url: null, scans: 900, views: 70, downloads: 55, requests: 9 },
  ],
  ...fields,
})

/** The reply of a list that has all of an account's requests. */
export function sampleRequestList(requests: readonly PhotoRequest[]): Reply<typeof listPhotoRequests> {
  const counts = {
    total: requests.length,
    sent: requests.filter(({ state }) => state === 'sent').length,
    failed: requests.filter(({ state }) => state === 'failed').length,
  }
  return { requests: [...requests], ...counts, all: counts, next_removal: null }
}

/** An installation whose settings are complete. */
export const sampleSiteInfo: SiteInfo = {
  operator: {
    name: 'Fotolicht BV',
    address: 'Kouter 1, 9000 Gent, Belgium',
    vat: 'BE 0123.456.749',
    email: 'info@fotolicht.example',
    is_sample: false,
  },
  team: [],
  support_email: 'help@fotolicht.example',
  emails: 'smtp',
  payments: 'stripe',
  storage_host: null,
  analytics: null,
}

/** The contract of an account that pays monthly, as of November 22, 2026. */
export const sampleContract: CurrentContract = {
  id: 'in_1',
  plan: { id: 'pro_monthly', name: 'Pro Monthly', price_cents: 1499, interval_type: 'month' },
  invoice_number: 'KS-0007',
  concluded_at: '2026-11-20T23:30:00.000Z',
  until: '2026-12-07T22:59:59.000Z',
  is_over: false,
}

/** A photo that a guest added in minute `number`, which waits unless `fields` say otherwise. */
export const reviewPhoto = (number: number, fields: Partial<ReviewPhoto> = {}): ReviewPhoto => ({
  id: `photo${number}`,
  review: 'waiting',
  added_at: new Date(first + number * 60_000).toISOString(),
  contributor: { id: 'lien', name: 'Lien', blocked: false, photo_count: 7 },
  table: 'Table 7',
  thumbnail_url: `http://photos.example/t/photo${number}?s=review`,
  screen_url: `http://photos.example/screen/photo${number}?s=review`,
  width: 1500,
  height: 1000,
  thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
  hidden: false,
  reviewed_at: null,
  reviewed_by: null,
  helper_name: null,
  gone_at: null,
  ...fields,
})

/** A page with these photos, the only one. */
export const reviewList = (photos: readonly ReviewPhoto[]): Reply<typeof listReview> => ({
  photos: [...photos],
  next: null,
  waiting_count: photos.filter(({ review }) => review === 'waiting').length,
  adding: { state: 'open', sentence: null, left: 30, reviewed: true, file_bytes_max: 50_000_000, ends_at: null },
})

/** An event without photos that is not the current one: `event3` is newer than `event2`. */
export const sampleEvent = (number: number, fields: Partial<Event> = {}): Event => ({
  id: `event${number}`,
  name: `Event ${number}`,
  starts_on: null,
  ends_on: null,
  ask_email: null,
  gallery: 'off',
  gallery_opens_at: null,
  closes_at: null,
  guest_archive: false,
  code_on_latest: false,
  link_on_photo_pages: true,
  guest_photos: 'off',
  guest_paused: false,
  guest_allowance: null,
  review_emails: true,
  state: null,
  is_current: false,
  url: `http://keepsnap.test/e/event${number}`,
  archived_at: null,
  deleted_at: null,
  gone_at: null,
  created_at: new Date(Date.parse('2026-11-01T10:00:00.000Z') + number * 60_000).toISOString(),
  photo_count: 0,
  waiting_count: 0,
  thumbnails: [],
  ...fields,
})

/** A helper of `event1` who has not begun. */
export const sampleHelper = (fields: Partial<Helper> = {}): Helper => ({
  id: 'helper1',
  event_id: 'event1',
  event_name: 'Lotte & Bram',
  name: 'Anna',
  state: 'new',
  created_at: '2026-11-14T19:00:00.000Z',
  expires_at: '2199-11-16T05:00:00.000Z',
  begun_at: null,
  asked_at: null,
  last_seen_at: null,
  approved: 0,
  rejected: 0,
  hidden: 0,
  ...fields,
})

/** The photo of `reviewPhoto` as a helper sees it. */
export function helperPhoto(number: number, fields: Partial<HelperPhoto> = {}): HelperPhoto {
  const { id, added_at, table, thumbnail_url, screen_url, width, height, thumbhash } = reviewPhoto(number)
  const picture = { thumbnail_url, screen_url, width, height, thumbhash }
  return { id, review: 'waiting', added_at, contributor_name: 'Lien', table, ...picture, hidden: false, ...fields }
}

/** A page with these photos, the only one, of an event that screens show. */
export const helperList = (photos: readonly HelperPhoto[], held: string | null = null): Reply<typeof helperReview> => ({
  ...reviewList([]),
  event_name: 'Lotte & Bram',
  helper_name: 'Anna',
  expires_at: '2199-11-16T05:00:00.000Z',
  photos: [...photos],
  waiting_count: photos.filter(({ review }) => review === 'waiting').length,
  on_screens: true,
  hold: held === null ? null : { photo_id: held, until: '2199-01-01T00:00:00Z', remaining_ms: 600_000 },
})
