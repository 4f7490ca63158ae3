import { Array, Boolean, Integer, Null, Object, Optional, String, type Static } from 'typebox'
import { ById, endpoint, exact, nullable, oneOf, pathId, text } from './endpoint.ts'
import { LanguageTag } from './accounts.ts'
import { eventLimits } from './event-limits.ts'
import { limits } from './limits.ts'

/**
 * What a guest agrees to beside "Add photos". Each photo keeps the version, the time and the language: a new sentence needs a new
 * version.
 */
export const contributorConsent = {
  version: '2026-11',
  sentence:
    'I may share these photos. The hosts may show them here, keep them and pass them on. I have asked the people in them, for children their parents.',
} as const

/**
 * Whether a guest can add photos now. `open`; `waiting`: as many of this guest's as there may be wait for their review; `full`: no more
 * photos of guests fit this month, into this event or into the storage; `paused`; `ended`: by the end of the event; `off`: never on, or
 * off again; `blocked`: this guest cannot add photos.
 */
export const AddingState = oneOf('open', 'waiting', 'full', 'paused', 'ended', 'off', 'blocked')
export type AddingState = Static<typeof AddingState>

/** What a guest may add to an event, for the page to say it before a file is chosen. */
export const Adding = Object({
  state: AddingState,
  /** Why it is not open, as a sentence for the guest, as an upload would be refused; null while it is open. */
  sentence: nullable(String()),
  /** How many photos this guest can add now; 0 unless it is open. */
  left: Integer(),
  /** Whether photos wait until the hosts have looked at them; otherwise they are shown at once. */
  reviewed: Boolean(),
  /** The largest file that is accepted. */
  file_bytes_max: Integer(),
  /** When adding ends, ISO 8601 in UTC; null while that is not known. */
  ends_at: nullable(String()),
})
export type Adding = Static<typeof Adding>

/** A photo of a guest as that guest sees it. It has neither the photo's id nor its code. */
export const OwnPhoto = Object({
  /** Its name in these calls. */
  token: String(),
  /** `processing`: stored, but not looked at yet; `waiting`: for the hosts; `shown`; `not_taken`: the hosts do not show it; `failed`. */
  state: oneOf('processing', 'waiting', 'shown', 'not_taken', 'failed'),
  /** Why it failed, as a sentence for the guest; otherwise null. */
  error_message: nullable(String()),
  /** Path of a WebP that only this guest's browser can open; null until it exists. */
  thumbnail_path: nullable(String()),
  added_at: String(),
  /** Until when the guest can take it back; null when that is over. */
  take_back_until: nullable(String()),
})
export type OwnPhoto = Static<typeof OwnPhoto>

const ByCode = Object({ code: pathId })
const ByToken = Object({ code: pathId, token: pathId })

/** What a guest's page shows about adding photos. */
export const OwnPhotos = Object({
  /** Who adds, on this device; null before `POST /e/{code}/join`. */
  contributor: nullable(Object({ name: nullable(String()) })),
  adding: Adding,
  /** Newest first. */
  photos: Array(OwnPhoto),
})
export type OwnPhotos = Static<typeof OwnPhotos>

/**
 * Makes this device a contributor, whose secret is in a cookie for the pages of events, or changes its name. The cookie works on plain
 * http too, and scripts cannot read it. 409 while nobody can add photos; 422 for a name, or for consent to another sentence than that
 * of `contributorConsent`.
 */
export const joinEvent = endpoint({
  method: 'POST',
  path: '/e/:code/join',
  access: 'public',
  summary: 'Begin to add photos to an event as a guest.',
  params: ByCode,
  body: exact({
    /** Shown to the hosts; `contributorNameProblem` in form-rules.ts checks it. */
    name: Optional(text(1024)),
    consent_version: text(32),
    /** Of the sentence that was agreed to; without it, the one that the request's headers prefer. */
    language: Optional(LanguageTag),
  }),
  reply: OwnPhotos,
})
/** Works without having joined. At most `eventLimits.ownPhotosMax` photos. */
export const ownPhotos = endpoint({
  method: 'GET',
  path: '/e/:code/mine',
  access: 'public',
  summary: 'List the photos that this guest has added, and say what can still be added.',
  params: ByCode,
  reply: OwnPhotos,
})
/**
 * Adds one photo of a guest who has joined. Repeating it with the same Idempotency-Key has no further effect. 401 without having joined, or
 * after the sentence of consent has changed: join again. 409 while nobody can add photos, with the sentence of `Adding`; 403 when no
 * more fit.
 */
export const addOwnPhoto = endpoint({
  method: 'POST',
  path: '/e/:code/mine',
  access: 'public',
  summary: 'Add one photo to an event as a guest. Responds once the photo is stored durably; processing follows.',
  params: ByCode,
  upload: 'image',
  idempotent: true,
  status: 201,
  reply: OwnPhoto,
})
/** Within `eventLimits.takeBackMinutes`; 409 later. It is deleted, and another one can be added instead. */
export const takeBackOwnPhoto = endpoint({
  method: 'DELETE',
  path: '/e/:code/mine/:token',
  access: 'public',
  summary: 'Take back a photo that this guest has added within the last hour.',
  params: ByToken,
  status: 204,
  reply: Null(),
})
export const ownThumbnail = endpoint({
  method: 'GET',
  path: '/e/:code/mine/:token/thumbnail',
  access: 'public',
  summary: 'Get the thumbnail of a photo that this guest has added.',
  params: ByToken,
  reply: 'bytes',
})

/** The review of a guest's photo: waiting for it, shown to guests, or not. */
export const ReviewState = oneOf('waiting', 'approved', 'rejected')
export type ReviewState = Static<typeof ReviewState>

/** A photo of a guest as who reviews it sees it. */
export const ReviewPhoto = Object({
  id: String(),
  review: ReviewState,
  added_at: String(),
  /** Who added it; null some time after the end of the event. */
  contributor: nullable(
    Object({
      id: String(),
      name: nullable(String()),
      blocked: Boolean(),
      /** Photos that this contributor has added and that still exist, with this one. */
      photo_count: Integer(),
    }),
  ),
  /** The label of the code at which the guest had scanned in; null for the code of the event. */
  table: nullable(String()),
  /** URL of a WebP, 480 px on the long side, signed for reviews; null while an operator hides the photo. */
  thumbnail_url: nullable(String()),
  /** URL of the picture for screens, signed for reviews; null as `thumbnail_url`. */
  screen_url: nullable(String()),
  width: nullable(Integer()),
  height: nullable(Integer()),
  thumbhash: nullable(String()),
  /** Whether an approved one is hidden from guests, by its owner or an operator. */
  hidden: Boolean(),
  reviewed_at: nullable(String()),
  /** Null when nobody decided: while it waits, and when it was shown at once. */
  reviewed_by: nullable(oneOf('owner', 'helper')),
  /** The name of the helper who decided; null for the owner, and when the helper was removed. */
  helper_name: nullable(String()),
  /** When a rejected one is deleted. */
  gone_at: nullable(String()),
})
export type ReviewPhoto = Static<typeof ReviewPhoto>

/**
 * A page of an event's photos of guests: those that wait, in the order of adding, or those that were decided, the last one first. Photos
 * that are still being processed, and those that failed, are in neither. `after`: the id of the last photo of the page before.
 */
export const listReview = endpoint({
  method: 'GET',
  path: '/user/events/:id/review',
  access: 'user',
  summary: 'List photos of guests that wait for their review, oldest first, or those that were decided, newest first.',
  params: ById,
  query: exact({
    list: Optional(oneOf('waiting', 'decided')),
    after: Optional(String({ maxLength: 128 })),
    limit: Optional(Integer({ minimum: 1, maximum: eventLimits.reviewPageMax })),
  }),
  reply: Object({
    photos: Array(ReviewPhoto),
    /** The next value of `after`; null on the last page. */
    next: nullable(String()),
    waiting_count: Integer(),
    /** What guests can add now, as a guest without photos sees it. */
    adding: Adding,
  }),
})
/**
 * Decides about photos, or undoes that: `from` is what the caller saw. Photos in another state are left as they are. All others are
 * changed in one transaction. An approved photo is shown at once; a rejected one is closed to guests at once, and deleted after
 * `eventLimits.rejectedDays`.
 */
export const decideReview = endpoint({
  method: 'POST',
  path: '/user/events/:id/review',
  access: 'user',
  rate: 'events',
  summary: 'Approve or reject up to 200 photos of guests, or undo that.',
  params: ById,
  body: exact({
    ids: Array(String({ maxLength: 128 }), { minItems: 1, maxItems: limits.bulkMax }),
    from: ReviewState,
    to: ReviewState,
  }),
  reply: Object({
    /** One for each id, in the same order. `conflict` stands for 409: it is in another state than `from`, which `review` says. */
    results: Array(
      Object({ id: String(), outcome: oneOf('done', 'conflict', 'not found'), review: nullable(ReviewState) }),
    ),
    waiting_count: Integer(),
  }),
})
const ByContributor = Object({ id: pathId, contributor_id: pathId })
const Blocked = Object({
  /** Photos that waited and are rejected now; after `unblock`, those that wait again. */
  rejected: Integer(),
  /** Photos that guests could see and that are hidden now; after `unblock`, those that are shown again. */
  hidden: Integer(),
  waiting_count: Integer(),
  /** Whether photos of guests were shown at once, and from now on wait for their review. */
  review_on: Boolean(),
})
/** A new device would be another contributor, so photos of guests are reviewed from then on. Blocking again changes nothing. */
export const blockContributor = endpoint({
  method: 'POST',
  path: '/user/events/:id/contributors/:contributor_id/block',
  access: 'user',
  rate: 'events',
  summary: 'Block a contributor: reject what waits of theirs and hide what is shown, in one action.',
  params: ByContributor,
  ignoreBody: true,
  reply: Blocked,
})
/** Undoes exactly what blocking did, save for photos that were decided since. The review stays on. */
export const unblockContributor = endpoint({
  method: 'POST',
  path: '/user/events/:id/contributors/:contributor_id/unblock',
  access: 'user',
  rate: 'events',
  summary: 'Unblock a contributor, and undo what blocking did to their photos.',
  params: ByContributor,
  ignoreBody: true,
  reply: Blocked,
})
