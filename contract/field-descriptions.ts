import type { Static } from 'typebox'
import type { User } from './accounts.ts'
import type { AdminStats, AdminUser, AdminUserDetail } from './operators.ts'
import type {
  PhotoDeletedEvent,
  PhotoFailedEvent,
  PhotoPage,
  PhotoReadyEvent,
  RequestCreatedEvent,
  WebhookTestEvent,
} from './integrations.ts'
import type { Reply } from './endpoint.ts'
import type { health } from './site.ts'
import type { Photo } from './photos.ts'

// Kept apart from the schemas: options of schemas are in the bundle of the first page, which needs no descriptions. The
// types make sure that every field has one.

/** Paths of all fields, such as `usage.storage_used_mb`; lists are not entered. */
type FieldPath<T> = {
  [K in keyof T & string]: NonNullable<T[K]> extends readonly unknown[]
    ? K
    : NonNullable<T[K]> extends object
      ? K | `${K}.${FieldPath<NonNullable<T[K]>>}`
      : K
}[keyof T & string]
/** What each field of a reply means, by its path. */
export type FieldDescriptions<T> = Readonly<Record<FieldPath<T>, string>>

const page = {
  total: 'How many there are altogether.',
  skip: 'How many of the newest were left out.',
  limit: 'The most that this page can have.',
}

/** Of `Photo`. */
export const photoFields: FieldDescriptions<Photo> = {
  id: '22 letters and digits.',
  filename: 'The name of the uploaded file.',
  b2_url:
    'The full-size image, at a signed URL; null until it exists, and while the operator of this site hides the photo. The URL is revoked when the account asks guests for their email, changes its password, or signs out everywhere.',
  screen_url:
    'The image for screens, a JPEG of at most 2,048 pixels, at a signed URL that is null and revoked as b2_url is; of animations and of pictures with transparency, the full-size image.',
  thumbnail_url:
    'A WebP, 480 pixels on its long side, at a public URL; null until it exists, and while the operator of this site hides the photo.',
  qr_code_url:
    'The QR code for downloading the photo, as a PNG; with .svg at the end, as an SVG. Works before the photo is ready.',
  email_qr_code_url: 'The QR code for requesting the photo by email, in the same formats.',
  created_at: 'When it was uploaded.',
  processing: 'True while processing is neither complete nor failed.',
  processing_complete: 'True when the image and its thumbnail are ready.',
  processing_failed: 'True when the photo could not be processed.',
  error_message: 'Why processing failed, as a sentence for people; otherwise null.',
  can_retry: 'True when trying again can help; the web app offers it for seven days.',
  width: 'In pixels, after rotation; null until it is known.',
  height: 'In pixels, after rotation; null until it is known.',
  thumbhash: 'A blurred placeholder as ThumbHash in base64; null until it is known.',
  hidden: 'True while it is hidden from guests.',
  operator_decision: 'What the operator of this site decided about it last; null if nothing.',
  'operator_decision.decision': 'hide: guests cannot open it. show: what an operator had hidden was shown again.',
  'operator_decision.message': 'To the owner; null without one.',
  'operator_decision.decided_at': 'When it was decided.',
  size_bytes: 'The size of the full-size image; null until it exists.',
}

/** Of `PhotoPage`. */
export const photoPageFields: FieldDescriptions<PhotoPage> = { photos: 'Newest first.', ...page }

const accountFields = {
  id: 'The id of the account.',
  username: 'Only its owner and admins see it.',
  email: 'The address that the account signs in with.',
  subscription_tier: 'pro for every paid plan.',
  logo_url: 'The logo, at a public URL; null without one.',
  background_image_url: 'The image behind the newest photo on the big screen, at a public URL; null without one.',
  use_logo_as_watermark: 'Whether new photos get the logo as a watermark.',
  ask_email_to_receive_photo: 'Whether guests enter an email address before they get a photo.',
  allow_marketing_emails: 'Whether the owner agreed to marketing emails.',
  allow_promotional_emails: 'Whether the owner agreed to promotional emails.',
  allow_request_removal_emails: 'Whether the owner gets an email before email addresses of guests are removed.',
  is_admin: 'Whether the account may use the page for admins.',
  is_active: 'False for an account that an admin has deactivated.',
  created_at: 'When the account was created.',
  became_subscriber_at: 'When it first got a paid plan; null if never.',
  photo_count: 'Photos that exist now; deleted ones do not count.',
}

/** Of `User`. */
export const userFields: FieldDescriptions<User> = {
  ...accountFields,
  email_verified: 'Whether the address was confirmed with the link sent to it.',
  logo_grounds: 'What is drawn behind the logo so that it can be seen; null without a logo.',
  'logo_grounds.light': 'In the light theme.',
  'logo_grounds.dark': 'In the dark theme.',
  'logo_grounds.stage': 'On the big screen.',
  watermark_size: 'The size of the watermark on a photo.',
  watermark_corner: 'Where the watermark is.',
  watermark_strength: 'How opaque the watermark is.',
  brand_name: 'The name that guests see, once the address is confirmed; null without one.',
  time_zone: 'An IANA time zone, for times in emails and in file names; null for that of the server.',
  language: 'The language of emails to the user: `en`, `nl`, `fr` or `de`; null while unknown, which means English.',
  slow_show_minutes:
    'After how many minutes without a new photo the big screen shows earlier ones in turn; 0 for never.',
  first_visit: 'Always false for a key.',
}

/** Of `AdminUser`. */
export const adminUserFields: FieldDescriptions<AdminUser> = accountFields
/** Of `AdminUserDetail`. */
export const adminUserDetailFields: FieldDescriptions<AdminUserDetail> = {
  ...accountFields,
  subscription: 'What the user pays for; null without a subscription, also with a complimentary plan.',
  'subscription.plan_name': 'The name of the plan, such as Pro Yearly.',
  'subscription.status': 'active, or why it is not.',
  'subscription.current_period_end': 'When the next payment is due, or the subscription ends.',
  usage: 'How much of the plan is used.',
  'usage.photos_this_month': 'Photos uploaded in this calendar month (UTC), deleted ones included.',
  'usage.storage_used_mb': 'Storage in units of 1024² bytes.',
}
/** Of the list of users. */
export const adminUserPageFields: FieldDescriptions<Reply<typeof import('./operators.ts').adminListUsers>> = {
  users: 'Newest first.',
  ...page,
}
/** Of `AdminStats`. */
export const adminStatsFields: FieldDescriptions<AdminStats> = {
  total_users: 'All accounts.',
  active_users: 'Accounts that are not deactivated.',
  total_photos: 'Photos that exist now.',
  subscription_breakdown: 'All accounts by their tier.',
  'subscription_breakdown.free': 'Accounts on the free plan.',
  'subscription_breakdown.pro': 'Accounts on a Pro plan.',
  recent_activity: 'What happened lately.',
  'recent_activity.new_photos_30d': 'Photos uploaded in the last 30 days.',
}

/** Of the reply of `health`. */
export const healthFields: FieldDescriptions<Reply<typeof health>> = {
  status: 'ok, or degraded while the database or the store for photos is down.',
  timestamp: 'The time of this answer.',
}

const eventFields = {
  type: 'The type of the event.',
  timestamp: 'When it happened.',
  data: 'What it is about.',
} as const
const eventPhotoFields = {
  ...eventFields,
  'data.photo_id': 'The id of the photo.',
  'data.filename': 'The name of the uploaded file.',
} as const
/** Of the bodies that webhooks receive, by type of event. */
export const eventDescriptions = {
  'photo.ready': { ...eventPhotoFields, 'data.created_at': 'When the photo was uploaded.' } satisfies FieldDescriptions<
    Static<typeof PhotoReadyEvent>
  >,
  'photo.failed': {
    ...eventPhotoFields,
    'data.created_at': 'When the photo was uploaded.',
    'data.error_message': 'Why, as a sentence for people.',
  } satisfies FieldDescriptions<Static<typeof PhotoFailedEvent>>,
  'photo.deleted': eventPhotoFields satisfies FieldDescriptions<Static<typeof PhotoDeletedEvent>>,
  'request.created': {
    ...eventPhotoFields,
    'data.request_id': 'The id of the request.',
    'data.requested_at': 'When the guest asked.',
  } satisfies FieldDescriptions<Static<typeof RequestCreatedEvent>>,
  'webhook.test': {
    ...eventFields,
    'data.webhook_id': 'The id of the webhook that is tested.',
  } satisfies FieldDescriptions<Static<typeof WebhookTestEvent>>,
} as const
