import { Array, Boolean, Integer, Null, Object, Optional, String, type Static } from 'typebox'
import { ById, endpoint, exact, nullable, oneOf, pathId, text } from './endpoint.ts'
import { eventLimits } from './event-limits.ts'
import { limits } from './limits.ts'
import { EventOrder } from './photos.ts'

/** Codes of an event: what its owner prints, and the guest gallery that they lead to. */

/** A code of an event that works. Those of tables show the same gallery, and tell at which table they were scanned. */
export const EventCode = Object({
  code: String(),
  /** An event has exactly one of kind `event`. */
  kind: oneOf('event', 'table'),
  /** Such as `Table 7`; empty for the event's own. */
  label: String(),
  /** URL of the page that it leads to. */
  url: String(),
  /** URL of its picture as PNG; with `.svg` appended, as SVG. */
  image_url: String(),
  created_at: String(),
})
export type EventCode = Static<typeof EventCode>
const EventCodes = Object({ codes: Array(EventCode) })

/** The event's own code first, then those of tables in the order of their creation. */
export const listEventCodes = endpoint({
  method: 'GET',
  path: '/user/events/:id/codes',
  access: 'user',
  summary: 'List the codes of an event.',
  params: ById,
  reply: EventCodes,
})
/** Kind `event` replaces the event's own code: the one before stops working at once. Kind `table` adds a code for each label. */
export const createEventCodes = endpoint({
  method: 'POST',
  path: '/user/events/:id/codes',
  access: 'user',
  rate: 'events',
  summary: 'Replace the code of an event, or add codes for tables.',
  params: ById,
  body: exact({
    kind: oneOf('event', 'table'),
    labels: Optional(Array(text(1024), { minItems: 1, maxItems: eventLimits.codesMax })),
  }),
  status: 201,
  reply: EventCodes,
})
/** Of a table. The event's own can only be replaced, because pages and prints need one. */
export const revokeEventCode = endpoint({
  method: 'DELETE',
  path: '/user/events/:id/codes/:code',
  access: 'user',
  rate: 'events',
  summary: 'Revoke the code of a table: it stops working at once.',
  params: Object({ id: pathId, code: pathId }),
  reply: EventCodes,
})

const ByCode = Object({ code: pathId })
const ByToken = Object({ code: pathId, token: pathId })
/** `before`: the token of the last photo of the page before. `until`: on the first page, only photos before that moment. `order`: `added` by default. */
const GalleryPlace = Object({
  before: Optional(String({ maxLength: 128 })),
  until: Optional(text(32, 1)),
  order: Optional(EventOrder),
})
const Flag = Optional(String({ maxLength: 8 }))

/** Path of the page of a code, and of a photo below it. */
export const eventPath = (code: string, token?: string): string =>
  `/e/${encodeURIComponent(code)}${token === undefined ? '' : `/p/${token}`}`
/** Path or URL of the picture of the code that leads to a page of an event, as SVG. */
export const eventCodeImage = (url: string): string => `${url.replace(/\/e\/(?=[^/]*$)/, '/qr/e/')}.svg`

export const eventCodeImageFile = endpoint({
  method: 'GET',
  path: '/qr/e/:code',
  access: 'public',
  summary: 'Get the QR code of an event as PNG or SVG.',
  params: ByCode,
  reply: 'bytes',
})
/** The target of an event's codes: its gallery, or why there is none now. */
export const eventPage = endpoint({
  method: 'GET',
  path: '/e/:code',
  access: 'public',
  summary: 'The page of an event for guests.',
  params: ByCode,
  /** `grant`: of an email, so that the page offers all photos as one file. */
  query: Object({ ...GalleryPlace.properties, grant: Optional(String({ maxLength: 128 })) }),
  reply: 'bytes',
})
/** A photo of a guest gallery. It is known by a token that works with this code alone, and only while the gallery is open. */
export const GalleryPhoto = Object({
  token: String(),
  width: nullable(Integer()),
  height: nullable(Integer()),
  /** When guests could first see it, ISO 8601 in UTC. */
  shown_at: String(),
  /** The minute in which it was taken, where the photos are in that order and it is known. */
  taken_at: Optional(String()),
})
export type GalleryPhoto = Static<typeof GalleryPhoto>
/** With an ETag: pages that are open ask again and again. 404 while the gallery is not open. */
export const eventPhotos = endpoint({
  method: 'GET',
  path: '/e/:code/photos',
  access: 'public',
  summary: 'List the photos of a guest gallery, newest first.',
  params: ByCode,
  query: GalleryPlace,
  reply: Object({
    photos: Array(GalleryPhoto),
    /** The value of `before` for the next page; null on the last. */
    next: nullable(String()),
  }),
})
/** The script of the page calls it, so that programs which only read the page are not counted. */
export const countEventVisit = endpoint({
  method: 'POST',
  path: '/e/:code/visits',
  access: 'public',
  summary: 'Count that a guest has scanned the code of an event.',
  params: ByCode,
  ignoreBody: true,
  status: 204,
  reply: Null(),
})
export const eventPhotoPage = endpoint({
  method: 'GET',
  path: '/e/:code/p/:token',
  access: 'public',
  summary: 'The page of a photo in a guest gallery.',
  params: ByToken,
  reply: 'bytes',
})
export const countEventPhotoVisit = endpoint({
  method: 'POST',
  path: '/e/:code/p/:token/visits',
  access: 'public',
  summary: 'Count that a guest has opened the page of a photo in a guest gallery.',
  params: ByToken,
  query: Object({ by: Flag }),
  ignoreBody: true,
  status: 204,
  reply: Null(),
})
export const eventPhotoThumbnail = endpoint({
  method: 'GET',
  path: '/e/:code/p/:token/thumbnail',
  access: 'public',
  summary: 'Get the thumbnail of a photo in a guest gallery.',
  params: ByToken,
  reply: 'bytes',
})
/** Where guests give an email address to get a photo, this and the download lead to the page of the photo. */
export const eventPhotoScreen = endpoint({
  method: 'GET',
  path: '/e/:code/p/:token/screen',
  access: 'public',
  summary: 'Get the image for screens of a photo in a guest gallery.',
  params: ByToken,
  reply: 'bytes',
})
/** With `visit`, the script of the page has not counted the visit. */
export const eventPhotoDownload = endpoint({
  method: 'GET',
  path: '/e/:code/p/:token/download',
  access: 'public',
  summary: 'Download a photo of a guest gallery.',
  params: ByToken,
  query: Object({ inline: Flag, visit: Flag }),
  reply: 'bytes',
})
const FormText = Optional(text(1024))
/** JSON is answered with JSON, a form with a page. `website` is a honeypot. `tell_me` has no effect: this gallery is open. */
export const requestEventPhoto = endpoint({
  method: 'POST',
  path: '/e/:code/p/:token/request-email',
  access: 'public',
  summary: 'Request a photo of a guest gallery by email. The answer is the same for every address.',
  params: ByToken,
  form: 'or JSON',
  body: exact({ email: FormText, website: FormText, language: FormText, tell_me: Optional(Boolean()) }),
  reply: Object({ detail: String() }),
})
export const reportEventPhoto = endpoint({
  method: 'POST',
  path: '/e/:code/p/:token/report',
  access: 'public',
  rate: 'reports',
  summary: 'Report a photo of a guest gallery to its owner.',
  params: ByToken,
  form: 'or JSON',
  body: exact({ reason: Optional(String({ maxLength: 64 })), note: Optional(text(limits.reportNoteChars)) }),
  reply: Object({ detail: String() }),
})
