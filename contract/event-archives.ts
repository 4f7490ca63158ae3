import { Array, Integer, Null, Object, Optional, String, type Static } from 'typebox'
import { ById, endpoint, exact, nullable, oneOf, pathId, text } from './endpoint.ts'
import { eventLimits } from './event-limits.ts'

/** How many photos the ZIP file of an event has now, and how large they are together. */
export const eventArchiveSize = endpoint({
  method: 'GET',
  path: '/user/events/:id/archive',
  access: 'user',
  summary:
    'Get the number and size of the photos of an event. POST /photos/archive gives the link that downloads them.',
  params: ById,
  reply: Object({ photos: Integer(), size_bytes: Integer() }),
})

/** A link to everything that guests may see of an event, which its owner sent to an address. Times are ISO 8601 in UTC. */
export const EventGrant = Object({
  id: String(),
  event_id: String(),
  event_name: String(),
  email: String(),
  created_at: String(),
  expires_at: String(),
  revoked_at: nullable(String()),
  /** What became of the email with the link. */
  state: oneOf('queued', 'sent', 'failed'),
  /** Why it failed, as a sentence. */
  failure: nullable(String()),
})
export type EventGrant = Static<typeof EventGrant>

const ByGrantOfEvent = Object({ id: pathId, grant_id: pathId })

/** Newest first. Expired and revoked ones are removed after a week. */
export const listEventGrants = endpoint({
  method: 'GET',
  path: '/user/events/:id/grants',
  access: 'user',
  summary: 'List the links to all photos of an event that you sent.',
  params: ById,
  reply: Object({ grants: Array(EventGrant) }),
})
/** 403 `confirm_password` unless the password was given in this session within the last 10 minutes. */
export const createEventGrant = endpoint({
  method: 'POST',
  path: '/user/events/:id/grants',
  access: 'user',
  rate: 'integrations',
  summary: 'Send a link to all photos of an event to an email address. It works for 90 days.',
  params: ById,
  // form-rules.ts checks it.
  body: exact({ email: text(1024) }),
  status: 201,
  reply: EventGrant,
})
/** The same link, in another email. */
export const resendEventGrant = endpoint({
  method: 'POST',
  path: '/user/events/:id/grants/:grant_id/resend',
  access: 'user',
  rate: 'integrations',
  summary: 'Send the email with such a link again.',
  params: ByGrantOfEvent,
  ignoreBody: true,
  reply: EventGrant,
})
export const revokeEventGrant = endpoint({
  method: 'DELETE',
  path: '/user/events/:id/grants/:grant_id',
  access: 'user',
  rate: 'integrations',
  summary: 'Revoke such a link. Downloads under way end.',
  params: ByGrantOfEvent,
  status: 204,
  reply: Null(),
})
/** Of all events, those that work, the newest `eventLimits.grantsListed`: for the review after a password reset. */
export const listAllEventGrants = endpoint({
  method: 'GET',
  path: '/user/event-grants',
  access: 'user',
  summary: 'List the links to photos of all your events that work now.',
  reply: Object({ grants: Array(EventGrant) }),
})
/** Those that do not exist are ignored. */
export const revokeEventGrants = endpoint({
  method: 'POST',
  path: '/user/event-grants/revocation',
  access: 'user',
  rate: 'integrations',
  summary: 'Revoke several such links.',
  body: exact({ ids: Array(String({ minLength: 8, maxLength: 128 }), { maxItems: eventLimits.grantsListed }) }),
  status: 204,
  reply: Null(),
})

const ByEventGrant = Object({ grant: pathId })
const ByPhotoOfGrant = Object({ grant: pathId, token: pathId })

/** The link of the email: a page with all photos, the newest first. */
export const eventGrantPage = endpoint({
  method: 'GET',
  path: '/a/:grant',
  access: 'public',
  summary: 'The page with all photos of an event that an event grant opens.',
  params: ByEventGrant,
  /** `before`: the token of the last photo of the page before. */
  query: Object({ before: Optional(String({ maxLength: 128 })) }),
  reply: 'bytes',
})
export const eventGrantArchive = endpoint({
  method: 'GET',
  path: '/a/:grant/archive',
  access: 'public',
  summary: 'Download all photos of an event grant as one ZIP file.',
  params: ByEventGrant,
  reply: 'bytes',
})
/** With `download`, an attachment. */
export const eventGrantPhoto = endpoint({
  method: 'GET',
  path: '/a/:grant/p/:token',
  access: 'public',
  summary: 'Get a photo of an event grant.',
  params: ByPhotoOfGrant,
  query: Object({ download: Optional(String({ maxLength: 8 })) }),
  reply: 'bytes',
})
export const eventGrantThumbnail = endpoint({
  method: 'GET',
  path: '/a/:grant/p/:token/thumbnail',
  access: 'public',
  summary: 'Get the thumbnail of a photo of an event grant.',
  params: ByPhotoOfGrant,
  reply: 'bytes',
})
/** For guests of an event whose owner allows it, while its gallery is open. Where an email address is asked for, `grant` is that of an email. */
export const guestEventArchive = endpoint({
  method: 'GET',
  path: '/e/:code/archive',
  access: 'public',
  summary: 'Download all photos of an event gallery as one ZIP file.',
  params: Object({ code: pathId }),
  query: Object({ grant: Optional(String({ maxLength: 128 })) }),
  reply: 'bytes',
})
