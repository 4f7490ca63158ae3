import { Array, Boolean, Integer, Null, Object, Optional, String, type Static } from 'typebox'
import { ById, endpoint, exact, nullable, oneOf, pathId, text } from './endpoint.ts'
import { eventLimits } from './event-limits.ts'
import { Adding, ReviewState } from './event-photos.ts'
import { limits } from './limits.ts'
import { PhotoHold } from './screen.ts'

/** Somebody without an account who reviews the photos of one event for its owner, on one device. Times are ISO 8601 in UTC. */
export const Helper = Object({
  id: String(),
  event_id: String(),
  event_name: String(),
  name: String(),
  /** `new`: the link has not been used; `begun`; `asks`: begun, and another device asks to be used instead; `ended`. */
  state: oneOf('new', 'begun', 'asks', 'ended'),
  created_at: String(),
  expires_at: String(),
  begun_at: nullable(String()),
  /** When the device that asks has asked. */
  asked_at: nullable(String()),
  last_seen_at: nullable(String()),
  /** Photos that nobody has decided about since this helper, and those that are hidden by this helper. */
  approved: Integer(),
  rejected: Integer(),
  hidden: Integer(),
})
export type Helper = Static<typeof Helper>

/** A helper with a new link. It is in no other answer: whoever has it can begin. */
const HelperWithLink = Object({
  helper: Helper,
  /** The secret is behind `#`, so that it is sent to no server when the page is opened. */
  link: String(),
  /** Its QR code, as SVG. */
  qr_svg: String(),
})
export type HelperWithLink = Static<typeof HelperWithLink>

const ByHelper = Object({ id: pathId, helper_id: pathId })

/** Newest first, with those that have ended, until they are removed. */
export const listHelpers = endpoint({
  method: 'GET',
  path: '/user/events/:id/helpers',
  access: 'user',
  summary: 'List the helpers of an event.',
  params: ById,
  reply: Object({ helpers: Array(Helper) }),
})
/**
 * 403 `confirm_password` unless the password was given in this session within the last 10 minutes. The link works until the day after
 * the event, or for `eventLimits.helperHours` when that is not known or over.
 */
export const createHelper = endpoint({
  method: 'POST',
  path: '/user/events/:id/helpers',
  access: 'user',
  rate: 'integrations',
  summary: 'Create a helper, who reviews the photos of an event on one device, without an account.',
  params: ById,
  // `contributorNameProblem` in form-rules.ts checks it.
  body: exact({ name: text(1024) }),
  status: 201,
  reply: HelperWithLink,
})
/** Needs the password as `createHelper` does. The link before works no longer, and neither does the device that used it. */
export const renewHelperLink = endpoint({
  method: 'POST',
  path: '/user/events/:id/helpers/:helper_id/link',
  access: 'user',
  rate: 'integrations',
  summary: 'Replace the link of a helper.',
  params: ByHelper,
  ignoreBody: true,
  reply: HelperWithLink,
})
/** `asked_at`: of the helper as listed. 409 when no device asks, and when another one has asked since. */
export const allowHelperDevice = endpoint({
  method: 'POST',
  path: '/user/events/:id/helpers/:helper_id/allow-device',
  access: 'user',
  rate: 'events',
  summary: 'Let a helper use the device that asked last, instead of the one before.',
  params: ByHelper,
  body: exact({ asked_at: text(64) }),
  reply: Helper,
})
/** In one transaction. What the owner, or another helper, has decided since stays, and so do photos of contributors who are blocked. */
export const undoHelper = endpoint({
  method: 'POST',
  path: '/user/events/:id/helpers/:helper_id/undo',
  access: 'user',
  rate: 'events',
  summary: 'Undo everything that a helper decided or hid last.',
  params: ByHelper,
  ignoreBody: true,
  reply: Object({
    /** Photos that were approved or rejected, and wait again. */
    waiting: Integer(),
    /** Photos that were hidden, and are shown again. */
    shown: Integer(),
    waiting_count: Integer(),
  }),
})
export const endHelper = endpoint({
  method: 'POST',
  path: '/user/events/:id/helpers/:helper_id/end',
  access: 'user',
  rate: 'events',
  summary: 'End a helper’s access at once.',
  params: ByHelper,
  ignoreBody: true,
  reply: Helper,
})
/** Ends the access, too. What the helper did stays, and can be undone together no longer. */
export const removeHelper = endpoint({
  method: 'DELETE',
  path: '/user/events/:id/helpers/:helper_id',
  access: 'user',
  rate: 'events',
  summary: 'Remove a helper with the name.',
  params: ByHelper,
  status: 204,
  reply: Null(),
})
/** Of all events, those whose link works, the newest `eventLimits.helpersListed`: for the review after a password reset. */
export const listAllHelpers = endpoint({
  method: 'GET',
  path: '/user/event-helpers',
  access: 'user',
  summary: 'List the helpers of all your events whose link works now.',
  reply: Object({ helpers: Array(Helper) }),
})
/** Those that do not exist are ignored. */
export const endHelpers = endpoint({
  method: 'POST',
  path: '/user/event-helpers/revocation',
  access: 'user',
  rate: 'integrations',
  summary: 'End the access of several helpers.',
  body: exact({ ids: Array(String({ minLength: 8, maxLength: 128 }), { maxItems: eventLimits.helpersListed }) }),
  status: 204,
  reply: Null(),
})

// What a helper calls. The cookie of the device says who it is; without one that counts now, 404.

/**
 * Binds this device to the link, by a cookie that scripts cannot read, unless another one is bound: then 403 with the sentence that
 * the host can allow this device, whose calls are answered with 403 until then. 404 for a link that does not exist or works no longer.
 */
export const beginHelping = endpoint({
  method: 'POST',
  path: '/helper/session',
  access: 'public',
  rate: 'linkChecks',
  helperCookie: true,
  summary: 'Begin to help with the review of an event on this device.',
  body: exact({ secret: text(128) }),
  status: 204,
  reply: Null(),
})

/** A photo as a helper sees it. */
export const HelperPhoto = Object({
  /** A token, for this helper alone: the photo's own id would open its page, where guests get the file in full. */
  id: String(),
  /** `none` for a photo that no guest has added. */
  review: oneOf('none', 'waiting', 'approved', 'rejected'),
  added_at: String(),
  /** The name of who added it; null for a guest without one, and for the hosts. */
  contributor_name: nullable(String()),
  table: nullable(String()),
  /** At most 480 px, and at most as large as a screen; null while an operator hides the photo. Neither opens the original. */
  thumbnail_url: nullable(String()),
  screen_url: nullable(String()),
  width: nullable(Integer()),
  height: nullable(Integer()),
  thumbhash: nullable(String()),
  /** By a helper. What others have hidden is not listed. */
  hidden: Boolean(),
})
export type HelperPhoto = Static<typeof HelperPhoto>

/**
 * `waiting`: as in the owner's review. `shown`: what guests can see of the event and what a helper has hidden, the newest first. `after`:
 * the token of the last photo of the page before. Wherever a helper's calls name a photo, they do so by its token.
 */
export const helperReview = endpoint({
  method: 'GET',
  path: '/helper/review',
  access: 'public',
  helperCookie: true,
  summary: 'List the photos of the event that this device helps with.',
  query: exact({
    list: Optional(oneOf('waiting', 'shown')),
    after: Optional(String({ maxLength: 128 })),
    limit: Optional(Integer({ minimum: 1, maximum: eventLimits.reviewPageMax })),
  }),
  reply: Object({
    event_name: String(),
    helper_name: String(),
    expires_at: String(),
    photos: Array(HelperPhoto),
    /** The next value of `after`; null on the last page. */
    next: nullable(String()),
    waiting_count: Integer(),
    adding: Adding,
    /** Whether big screens show this event now, so that a photo can be held there. */
    on_screens: Boolean(),
    /** The photo of the event that they hold. */
    hold: nullable(PhotoHold),
  }),
})
/** As `decideReview`. What the owner decided or a contributor who is blocked added is a `conflict`, as is what was shown at once. */
export const helperDecide = endpoint({
  method: 'POST',
  path: '/helper/review',
  access: 'public',
  rate: 'helpers',
  helperCookie: true,
  summary: 'Approve or reject up to 200 photos as a helper, or undo what a helper decided.',
  body: exact({
    ids: Array(String({ maxLength: 128 }), { minItems: 1, maxItems: limits.bulkMax }),
    from: ReviewState,
    to: ReviewState,
  }),
  reply: Object({
    results: Array(
      Object({ id: String(), outcome: oneOf('done', 'conflict', 'not found'), review: nullable(ReviewState) }),
    ),
    waiting_count: Integer(),
  }),
})
export const helperHide = endpoint({
  method: 'POST',
  path: '/helper/hide',
  access: 'public',
  rate: 'helpers',
  helperCookie: true,
  summary: 'Hide photos of the event from guests, or show those that a helper has hidden.',
  body: exact({
    ids: Array(String({ maxLength: 128 }), { minItems: 1, maxItems: limits.bulkMax }),
    hidden: Boolean(),
  }),
  /** Those that were changed; all others are as they were. */
  reply: Object({ ids: Array(String()) }),
})
/** Null releases it. 409 while big screens show another event. */
export const helperHold = endpoint({
  method: 'POST',
  path: '/helper/hold',
  access: 'public',
  rate: 'helpers',
  helperCookie: true,
  summary: 'Hold a photo of the event on all big screens for ten minutes, or release it.',
  body: exact({ photo_id: nullable(text(128)) }),
  reply: Object({ hold: nullable(PhotoHold) }),
})
