import { Array, Boolean, Integer, Object, Optional, String, type Static } from 'typebox'
import { ById, endpoint, exact, nullable, oneOf, text } from './endpoint.ts'
import { eventLimits } from './event-limits.ts'
import { limits } from './limits.ts'
import { BulkOutcome, CalendarDay } from './photos.ts'

/** Whether guests have a gallery of an event: not at all, or with its code. */
export const EventGallery = oneOf('off', 'link')
export type EventGallery = Static<typeof EventGallery>
/** Whether guests add photos to an event: not at all, each waits for its review, or each is shown at once. */
export const GuestPhotos = oneOf('off', 'review', 'direct')
export type GuestPhotos = Static<typeof GuestPhotos>

/** A time, ISO 8601 with its offset, such as `2026-11-28T22:00:00Z`. */
const Time = String({ maxLength: 40 })

/** What the owner sets; each with the value of a new event, if it is not given. */
const settings = {
  /** Trimmed; `form-rules.ts` checks it. */
  name: String({ maxLength: 1024 }),
  /** First and last day of the event; null: not known. `ends_on` alone is refused; with `starts_on` alone the event is of one day. */
  starts_on: nullable(CalendarDay),
  ends_on: nullable(CalendarDay),
  /** Whether guests give an email address to get a photo; null: as the account says. */
  ask_email: nullable(Boolean()),
  gallery: EventGallery,
  /** Until then guests see a page that says when the gallery opens; adding photos does not wait for it. Null: open from the start. */
  gallery_opens_at: nullable(Time),
  /** From then on the gallery is closed and nobody adds photos. Null: the gallery stays open, and adding ends by itself. */
  closes_at: nullable(Time),
  /** Whether guests can download all open photos as one file. */
  guest_archive: Boolean(),
  /** Whether Latest shows the code of the event in a corner. */
  code_on_latest: Boolean(),
  /** Whether the guest page of a photo links to the gallery, while that is open. */
  link_on_photo_pages: Boolean(),
  guest_photos: GuestPhotos,
  /** Nobody adds photos for now, without closing. */
  guest_paused: Boolean(),
  /** How many photos guests may add; null: as many as the plan allows. */
  guest_allowance: nullable(Integer({ minimum: 1, maximum: eventLimits.allowanceMax })),
  /** Whether the owner gets an email when photos of guests wait for long, and when no more fit. */
  review_emails: Boolean(),
}

/** An event of an account. Days are `yyyy-mm-dd`, times ISO 8601 in UTC. */
export const Event = Object({
  id: String(),
  ...settings,
  /** By its dates, in the account's time zone; a day lasts until 6:00. `closed`: after `closes_at`. Null without dates. */
  state: nullable(oneOf('coming', 'on_now', 'past', 'closed')),
  /** Whether new photos go to it and Latest shows it. */
  is_current: Boolean(),
  /** URL of its page for guests, which its code leads to. */
  url: String(),
  /** Out of the list. */
  archived_at: nullable(String()),
  /** With everything in it; until `gone_at` that can be undone. */
  deleted_at: nullable(String()),
  gone_at: nullable(String()),
  created_at: String(),
  /** Photos that are listed; of a deleted event those that an undo brings back. */
  photo_count: Integer(),
  /** Photos of guests that wait for their review; those that are still being processed do not count. */
  waiting_count: Integer(),
  /** Thumbnails of its newest photos that guests can see. */
  thumbnails: Array(Object({ url: String(), width: nullable(Integer()), height: nullable(Integer()) })),
})
export type Event = Static<typeof Event>

/** Those of an account, the newest first, archived and deleted ones too. */
export const listEvents = endpoint({
  method: 'GET',
  path: '/user/events',
  access: 'user',
  summary: 'List your events, newest first.',
  reply: Object({ events: Array(Event) }),
})
const optionalSettings = {
  starts_on: Optional(settings.starts_on),
  ends_on: Optional(settings.ends_on),
  ask_email: Optional(settings.ask_email),
  gallery: Optional(settings.gallery),
  gallery_opens_at: Optional(settings.gallery_opens_at),
  closes_at: Optional(settings.closes_at),
  guest_archive: Optional(settings.guest_archive),
  code_on_latest: Optional(settings.code_on_latest),
  link_on_photo_pages: Optional(settings.link_on_photo_pages),
  guest_photos: Optional(settings.guest_photos),
  guest_paused: Optional(settings.guest_paused),
  guest_allowance: Optional(settings.guest_allowance),
  review_emails: Optional(settings.review_emails),
}
export const createEvent = endpoint({
  method: 'POST',
  path: '/user/events',
  access: 'user',
  rate: 'events',
  summary: 'Create an event. A name is enough.',
  body: exact({ name: settings.name, ...optionalSettings }),
  status: 201,
  reply: Event,
})
export const getEvent = endpoint({
  method: 'GET',
  path: '/user/events/:id',
  access: 'user',
  summary: 'Get one event.',
  params: ById,
  reply: Event,
})
/** Fields that are not given stay as they are. 409 for a deleted event. */
export const changeEvent = endpoint({
  method: 'PUT',
  path: '/user/events/:id',
  access: 'user',
  rate: 'events',
  summary: 'Change the settings of an event, archive it or take it out of the archive.',
  params: ById,
  body: exact({ name: Optional(settings.name), ...optionalSettings, archived: Optional(Boolean()) }),
  reply: Event,
})
/**
 * Closes it with everything in it at once. For `eventLimits.undoDays` that can be undone, and its photos count as before. With
 * `photos=keep`, its photos stay, without an event; then an undo brings back the event alone.
 */
export const deleteEvent = endpoint({
  method: 'DELETE',
  path: '/user/events/:id',
  access: 'user',
  rate: 'events',
  summary: 'Delete an event and its photos, or keep its photos without an event. It can be undone for 7 days.',
  params: ById,
  query: exact({ photos: Optional(oneOf('delete', 'keep')) }),
  reply: Event,
})
export const undoDeleteEvent = endpoint({
  method: 'POST',
  path: '/user/events/:id/undo-delete',
  access: 'user',
  rate: 'events',
  summary: 'Bring back a deleted event with its photos, within 7 days.',
  params: ById,
  ignoreBody: true,
  reply: Event,
})
/** An archived event cannot be the current one. */
export const setCurrentEvent = endpoint({
  method: 'PUT',
  path: '/user/current-event',
  access: 'user',
  rate: 'events',
  summary: 'Choose the event that new photos go to and Latest shows; null: none.',
  body: exact({ event_id: nullable(text(128)) }),
  reply: Object({ event_id: nullable(String()) }),
})
/** Photos that wait for their review, or were rejected, are refused; the others are moved in one transaction. */
export const movePhotos = endpoint({
  method: 'POST',
  path: '/photos/move',
  access: 'user',
  rate: 'events',
  summary: 'Move up to 200 photos to an event, or out of their events.',
  body: exact({
    ids: Array(String({ maxLength: 128 }), { minItems: 1, maxItems: limits.bulkMax }),
    event_id: nullable(text(128)),
  }),
  reply: Object({
    /** One for each id, in the same order; `from`: the event that it was in, to undo it. */
    results: Array(Object({ id: String(), outcome: BulkOutcome, from: nullable(String()) })),
  }),
})

/** The detail of a 409 `event_gone`. */
export const eventGone = 'The event of this API key was deleted. Bring it back, or create a key for another event.'

/** The message of a 422 for an event of a query that is deleted, unknown or of another account. */
export const unknownEvent = 'This event does not exist, or was deleted.'
