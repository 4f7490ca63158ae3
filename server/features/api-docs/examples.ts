import type { User } from '@keepsnap/contract/accounts.ts'
import type { AdminUser } from '@keepsnap/contract/admin-api.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { exampleValues as value } from '@keepsnap/contract/examples.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { PublicCallId, publicCalls } from '@keepsnap/contract/public-api.ts'
import type { WebhookEvent } from '@keepsnap/contract/webhook-events.ts'

type ReplyOf<Id extends PublicCallId> = Reply<Extract<(typeof publicCalls)[number], { id: Id }>['endpoint']>
export type ReplyExamples = { [Id in PublicCallId]: ReplyOf<Id> }

const [takenAt, readyAt] = ['2026-11-14T21:41:07.310Z', '2026-11-14T21:41:08.204Z']

const uploadedPhoto = (origin: string): Photo => ({
  id: value.photo,
  filename: 'IMG_4374.jpg',
  b2_url: null,
  screen_url: null,
  thumbnail_url: null,
  qr_code_url: `${origin}/qr/d/${value.directCode}`,
  email_qr_code_url: `${origin}/qr/r/${value.photo}`,
  created_at: takenAt,
  processing: true,
  processing_complete: false,
  processing_failed: false,
  error_message: null,
  can_retry: false,
  width: 6000,
  height: 4000,
  thumbhash: null,
  hidden: false,
  operator_decision: null,
  size_bytes: null,
})
const readyPhoto = (origin: string): Photo => ({
  ...uploadedPhoto(origin),
  b2_url: `${origin}/media/${value.fullImageCode}?s=${value.signature}`,
  screen_url: `${origin}/screen/${value.fullImageCode}?s=${value.screenSignature}`,
  thumbnail_url: `${origin}/t/${value.thumbnailCode}`,
  processing: false,
  processing_complete: true,
  thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
  size_bytes: 7_340_032,
})

const account = (origin: string): AdminUser => ({
  id: value.user,
  username: 'fotohuis',
  email: value.email,
  subscription_tier: 'pro',
  logo_url: `${origin}/b/${value.logoCode}`,
  background_image_url: null,
  use_logo_as_watermark: true,
  ask_email_to_receive_photo: false,
  allow_marketing_emails: false,
  allow_promotional_emails: false,
  is_admin: false,
  is_active: true,
  created_at: '2026-03-03T09:12:44.000Z',
  became_subscriber_at: '2026-03-03T09:20:10.000Z',
  photo_count: 742,
})
const user = (origin: string): User => ({
  ...account(origin),
  email_verified: true,
  logo_grounds: { light: 'none', dark: 'paper', stage: 'none' },
  watermark_size: 'medium',
  watermark_corner: 'bottom-right',
  watermark_strength: 'medium',
  brand_name: 'Fotohuis',
  time_zone: 'Europe/Brussels',
  language: 'nl',
  slow_show_minutes: 0,
  allow_request_removal_emails: true,
  first_visit: false,
})

/** The reply of each call. */
export const replyExamples = (origin: string): ReplyExamples => ({
  uploadPhoto: uploadedPhoto(origin),
  listPhotos: { photos: [readyPhoto(origin)], total: 248, skip: 0, limit: 50 },
  getLatestPhoto: readyPhoto(origin),
  getUser: user(origin),
  getHealth: { status: 'ok', timestamp: readyAt },
  listUsers: { users: [account(origin)], total: 318, skip: 0, limit: 50 },
  getStats: {
    total_users: 318,
    active_users: 315,
    total_photos: 48_211,
    subscription_breakdown: { free: 240, pro: 78 },
    recent_activity: { new_photos_30d: 6_904 },
  },
  getUserDetail: {
    ...account(origin),
    subscription: { plan_name: 'Pro Yearly', status: 'active', current_period_end: '2027-03-03T09:20:10.000Z' },
    usage: { photos_this_month: 742, storage_used_mb: 44_646.5 },
  },
})

const eventPhoto = { photo_id: value.photo, filename: 'IMG_4374.jpg' }
/** The body of each event. */
export const eventExamples: { [Type in WebhookEvent['type']]: Extract<WebhookEvent, { type: Type }> } = {
  'photo.ready': { type: 'photo.ready', timestamp: readyAt, data: { ...eventPhoto, created_at: takenAt } },
  'photo.failed': {
    type: 'photo.failed',
    timestamp: readyAt,
    data: { ...eventPhoto, created_at: takenAt, error_message: 'This image is damaged. Please upload it again.' },
  },
  'photo.deleted': { type: 'photo.deleted', timestamp: readyAt, data: eventPhoto },
  'request.created': {
    type: 'request.created',
    timestamp: readyAt,
    data: { ...eventPhoto, request_id: value.request, requested_at: readyAt },
  },
  'webhook.test': { type: 'webhook.test', timestamp: readyAt, data: { webhook_id: value.webhook } },
}
