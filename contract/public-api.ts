import type { Static, TSchema } from 'typebox'
import { currentUser, User } from './accounts.ts'
import { adminGetUser, adminListUsers, adminStats, AdminStats, AdminUser, AdminUserDetail } from './operators.ts'
import {
  latestPhotoByKey,
  listPhotosByKey,
  PhotoDeletedEvent,
  PhotoFailedEvent,
  PhotoPage,
  PhotoReadyEvent,
  RequestCreatedEvent,
  uploadPhotoByKey,
  type WebhookTestEvent,
} from './integrations.ts'
import type { Endpoint } from './endpoint.ts'
import type { FaultCode, FieldError } from './errors.ts'
import { health } from './site.ts'
import { customerApiLimits } from './limits.ts'
import { Photo } from './photos.ts'

/** A call of the public API, as the documentation shows it. */
export interface PublicCall {
  /** Its name in generated clients. */
  id: string
  group: 'Photos' | 'Account' | 'Health' | 'Admin'
  endpoint: Endpoint
  /** What the summary leaves out, in sentences. */
  description?: string
  /** What `params` and `query` of the endpoint mean, with the value that counts when it is left out. `examples.ts` has their examples. */
  parameters?: Readonly<Record<string, { description: string; default?: number }>>
  /** Refusals besides those that follow from the endpoint: credentials, rate limit, input, and a service that is down. */
  faults: readonly FaultCode[]
  /** The detail of a refusal, where it is another than usual. */
  details?: Partial<Record<FaultCode, string | FieldError[]>>
}

/** The sentence of the refusal of a repeated upload with another file. */
export const idempotencyKeyOfOtherFile =
  'This Idempotency-Key was used for another file before. This file was not stored: send it with a key of its own.'

const page = {
  skip: { description: 'How many of the newest to leave out.', default: 0 },
  limit: { description: 'How many to return at most.', default: customerApiLimits.pageMax },
}

/** The calls for other programs, in the order of the documentation. */
export const publicCalls = [
  {
    id: 'uploadPhoto',
    group: 'Photos',
    endpoint: uploadPhotoByKey,
    description:
      'Answers as soon as the photo is stored; both QR codes work from then on, and the image is ready about a second later. With wait, the answer comes when processing has ended, or after that many seconds. HDR photos are stored in standard range: a gain map is not kept. Counts as photo access, and as one of the 600 uploads of the account in any 10 minutes.',
    parameters: {
      wait: { description: 'Seconds to wait for the end of processing before the answer.', default: 0 },
      event: {
        description:
          'The id of the event that the photo belongs to, or none. If it is left out: the event of the key, or the current event when the request begins. A photo whose event is deleted meanwhile is stored without one.',
      },
    },
    faults: [
      'bad_request',
      'quota_photos',
      'quota_storage',
      'conflict',
      'event_gone',
      'too_large',
      'not_an_image',
      'processing_limit',
    ],
    details: { invalid: [{ loc: ['header', 'Idempotency-Key'], msg: idempotencyKeyOfOtherFile }] },
  },
  {
    id: 'listPhotos',
    group: 'Photos',
    endpoint: listPhotosByKey,
    description:
      'To read all photos, begin without before, and send the header X-Next-Before of each page as before of the next; the last page has none. No photo is repeated or left out while others are added, hidden or deleted. With skip, each photo that is added or deleted between two pages moves the others by one place.',
    parameters: {
      ...page,
      before: {
        description:
          'Only photos older than the one with this id. The id of a deleted photo works for a day. Not together with skip.',
      },
      event: {
        description:
          'The id of an event, or none for photos without one. If it is left out: the event of the key, or all photos.',
      },
    },
    faults: ['event_gone'],
  },
  {
    id: 'getLatestPhoto',
    group: 'Photos',
    endpoint: latestPhotoByKey,
    parameters: {
      event: {
        description:
          'The id of an event, or none for photos without one. If it is left out: the event of the key, or the current event if there is one.',
      },
    },
    faults: ['not_found', 'event_gone'],
  },
  {
    id: 'getUser',
    group: 'Account',
    endpoint: currentUser,
    description: 'The account that the key belongs to.',
    faults: [],
  },
  {
    id: 'getHealth',
    group: 'Health',
    endpoint: health,
    description: 'Needs no key. “degraded”: the database or the store for photos is down.',
    faults: [],
  },
  { id: 'listUsers', group: 'Admin', endpoint: adminListUsers, parameters: page, faults: [] },
  { id: 'getStats', group: 'Admin', endpoint: adminStats, faults: [] },
  {
    id: 'getUserDetail',
    group: 'Admin',
    endpoint: adminGetUser,
    parameters: { user_id: { description: 'The id of the account, from the list.' } },
    faults: ['not_found'],
    details: { not_found: 'This user does not exist.' },
  },
] as const satisfies readonly PublicCall[]

/** The name of a call in generated clients. */
export type PublicCallId = (typeof publicCalls)[number]['id']

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
type FieldDescriptions<T> = Readonly<Record<FieldPath<T>, string>>

const described = <Schema extends TSchema>(schema: Schema, fields: FieldDescriptions<Static<Schema>>) => ({
  schema: schema as TSchema,
  fields: fields as Readonly<Record<string, string>>,
})

const pageFields = {
  total: 'How many there are altogether.',
  skip: 'How many of the newest were left out.',
  limit: 'The most that this page can have.',
}

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

/** What other programs get as types of their own, by name, with the descriptions of the fields. */
export const publicSchemas: Record<string, { schema: TSchema; fields: Readonly<Record<string, string>> }> = {
  Photo: described(Photo, {
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
    event_id: 'The event that it belongs to, or null. Only in accounts that have events.',
    taken_at:
      'When the camera says that a photo of an event was taken, or null where that is not known. Only in accounts that have events.',
  }),
  PhotoPage: described(PhotoPage, { photos: 'Newest first.', ...pageFields }),
  User: described(User, {
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
    current_event_id: 'The event that new photos go to, or null. Only in accounts that have events.',
  }),
  Health: described(health.reply, {
    status: 'ok, or degraded while the database or the store for photos is down.',
    timestamp: 'The time of this answer.',
  }),
  AdminUser: described(AdminUser, accountFields),
  AdminUserPage: described(adminListUsers.reply, {
    users: 'Newest first.',
    ...pageFields,
  }),
  AdminUserDetail: described(AdminUserDetail, {
    ...accountFields,
    subscription: 'What the user pays for; null without a subscription, also with a complimentary plan.',
    'subscription.plan_name': 'The name of the plan, such as Pro Yearly.',
    'subscription.status': 'active, or why it is not.',
    'subscription.current_period_end': 'When the next payment is due, or the subscription ends.',
    usage: 'How much of the plan is used.',
    'usage.photos_this_month': 'Photos uploaded in this calendar month (UTC), deleted ones included.',
    'usage.storage_used_mb': 'Storage in units of 1024² bytes.',
  }),
  AdminStats: described(AdminStats, {
    total_users: 'All accounts.',
    active_users: 'Accounts that are not deactivated.',
    total_photos: 'Photos that exist now.',
    subscription_breakdown: 'All accounts by their tier.',
    'subscription_breakdown.free': 'Accounts on the free plan.',
    'subscription_breakdown.pro': 'Accounts on a Pro plan.',
    recent_activity: 'What happened lately.',
    'recent_activity.new_photos_30d': 'Photos uploaded in the last 30 days.',
  }),
  PhotoReadyEvent: described(PhotoReadyEvent, eventDescriptions['photo.ready']),
  PhotoFailedEvent: described(PhotoFailedEvent, eventDescriptions['photo.failed']),
  PhotoDeletedEvent: described(PhotoDeletedEvent, eventDescriptions['photo.deleted']),
  RequestCreatedEvent: described(RequestCreatedEvent, eventDescriptions['request.created']),
}
