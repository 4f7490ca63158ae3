import { Array, Boolean, Integer, Null, Object, Optional, String, type Static } from 'typebox'
import { ById, endpoint, exact, nullable, oneOf, pathId, text } from './endpoint.ts'
import { limits } from './limits.ts'

/** A photo as its owner sees it. */
export const Photo = Object({
  id: String(),
  filename: String(),
  /** Signed URL of the full-size image; null until it exists, and while an operator hides the photo. */
  b2_url: nullable(String()),
  /** Signed URL of a JPEG of at most 2,048 px, or of the full-size image where that is small, animated or transparent; null as `b2_url`. */
  screen_url: nullable(String()),
  /** Public URL of a WebP, 480 px on the long side; null until it exists, and while an operator hides the photo. */
  thumbnail_url: nullable(String()),
  /** URL of the direct-download QR code as PNG; with `.svg` appended, as SVG. */
  qr_code_url: String(),
  /** URL of the QR code for the request page as PNG; with `.svg` appended, as SVG. */
  email_qr_code_url: String(),
  /** When the upload began, ISO 8601 in UTC; files that are chosen together have times in the chosen order. */
  created_at: String(),
  /** True while processing is neither complete nor failed. */
  processing: Boolean(),
  processing_complete: Boolean(),
  processing_failed: Boolean(),
  /** Why processing failed, as a sentence for the owner. */
  error_message: nullable(String()),
  /** Processing failed, and trying it again can help: the file itself is not at fault and still stored. */
  can_retry: Boolean(),
  /** In pixels, after rotation; null until known. */
  width: nullable(Integer()),
  height: nullable(Integer()),
  /** ThumbHash in base64; null until known. */
  thumbhash: nullable(String()),
  /** Whether it is hidden from guests. */
  hidden: Boolean(),
  /**
   * What an operator decided about it last; null if nothing. What an operator hides, only an operator shows again; null
   * too for what operators hid before decisions were recorded, which the owner can show.
   */
  operator_decision: nullable(
    Object({
      decision: oneOf('hide', 'show'),
      /** To the owner; null without one. */
      message: nullable(String()),
      /** ISO 8601 in UTC. */
      decided_at: String(),
    }),
  ),
  /** Size of the full-size image in bytes; null until it exists. */
  size_bytes: nullable(Integer()),
  /** The event that it belongs to, or null; only in accounts that have events. */
  event_id: Optional(nullable(String())),
  /**
   * When the camera says that a photo of an event was taken, ISO 8601 in UTC; only in accounts that have events. Null where that is not
   * known, or cannot be right: on a day that is neither of the event nor next to it; of an event without dates, not in the 30 days
   * before the upload.
   */
  taken_at: Optional(nullable(String())),
})
export type Photo = Static<typeof Photo>

/** Of a query or a body: the id of an event, or `none` for photos without one. Without it, all of the account. */
export const EventFilter = text(128, 1)

/** How the photos of an event are ordered: by when they were added, or taken, and where that is not known, added. */
export const EventOrder = oneOf('added', 'taken')
export type EventOrder = Static<typeof EventOrder>
/** Only of an event: a list of more has no other order than `added`. */
export const orderNeedsEvent = 'Give the event whose photos are to be ordered by when they were taken.'

/** A header of the answer to an upload with an Idempotency-Key that an earlier upload of the same file had. */
export const repeatedHeader = 'idempotent-replayed'

export const uploadPhoto = endpoint({
  method: 'POST',
  path: '/photos/upload',
  access: 'user',
  summary: 'Upload one photo. Responds once the photo is stored durably; processing follows.',
  upload: 'image',
  idempotent: true,
  /**
   * Of files that were chosen together: an id of the selection, and the place in it. Their times follow that order. `event`: without it,
   * the current event when the request begins. A photo whose event is deleted meanwhile is stored without one.
   */
  query: Object({
    selection: Optional(text(limits.idempotencyKeyChars, 1)),
    position: Optional(Integer({ minimum: 0, maximum: limits.selectionMax - 1 })),
    event: Optional(EventFilter),
  }),
  status: 201,
  reply: Photo,
})
/** A calendar day, `yyyy-mm-dd`. */
export const CalendarDay = String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

/**
 * A page of photos, newest first. Without a place, the newest. `before` and `after`, the id of a photo, which may be hidden or deleted:
 * the page of those next to it that are older or newer. `from`, an evening: the page that begins with the newest photo of it, or of the
 * evening before it that has any. At most one of the three. `on`: only the photos of that evening. `name`: only photos whose file names
 * contain it, whatever its case. An evening lasts until 6:00 in the account's time zone. `until`, without `before` and the like: only photos before that moment. `order`:
 * `added` unless it is given; by it, all of these are meant.
 */
export const listPhotos = endpoint({
  method: 'GET',
  path: '/photos',
  access: 'user',
  summary:
    'List your photos, newest first. If there are older ones, x-next-before has the next value of before; if there are newer ones, x-next-after that of after.',
  query: exact({
    limit: Optional(Integer({ minimum: 1, maximum: limits.listMax })),
    before: Optional(String({ maxLength: 128 })),
    after: Optional(String({ maxLength: 128 })),
    from: Optional(CalendarDay),
    on: Optional(CalendarDay),
    until: Optional(text(32, 1)),
    order: Optional(EventOrder),
    name: Optional(text(limits.filenameBytes, 1)),
    event: Optional(EventFilter),
  }),
  reply: Array(Photo),
})

/** How many photos each evening has, newest first; evenings without photos are left out. */
export const photoDays = endpoint({
  method: 'GET',
  path: '/user/photo-days',
  access: 'user',
  summary: 'List the evenings that have photos, newest first. An evening lasts until 6:00 in your time zone.',
  query: exact({
    limit: Optional(Integer({ minimum: 1, maximum: limits.listMax })),
    before: Optional(CalendarDay),
    order: Optional(EventOrder),
    event: Optional(EventFilter),
  }),
  reply: Object({
    days: Array(Object({ day: String(), count: Integer() })),
    /** The next value of `before`; null on the last page. */
    next: nullable(String()),
    /** Of the account, `Europe/Brussels`; UTC where it has none. */
    time_zone: String(),
  }),
})

/** An hour of the clock in which photos were added or taken. */
export const PhotoHour = Object({
  /** When it begins, ISO 8601 in UTC. */
  at: String(),
  /** The evening that it belongs to, `yyyy-mm-dd`: until 6:00 that of the day before. */
  evening: String(),
  count: Integer(),
})
export type PhotoHour = Static<typeof PhotoHour>

/** When an hour of `photoHours` ends: the value of `until` for its photos. */
export const endOfHour = ({ at }: Pick<PhotoHour, 'at'>): string => new Date(Date.parse(at) + 3_600_000).toISOString()

/** The newest first, at most those of four days and nights. Each leads to its photos: `until` its end. */
export const photoHours = endpoint({
  method: 'GET',
  path: '/user/photo-hours',
  access: 'user',
  summary: 'List the hours in which photos of an event were added, or taken, in your time zone.',
  query: exact({ event: text(128, 1), order: Optional(EventOrder) }),
  reply: Object({ hours: Array(PhotoHour), time_zone: String() }),
})

/**
 * What changed since an earlier answer. Photos that changed in any way, new ones too, as they are now, and the ids of those that were
 * deleted. A photo can be in several answers. Without `since`, nothing but `next`.
 */
export const photoChanges = endpoint({
  method: 'GET',
  path: '/photos/changes',
  access: 'user',
  summary: 'List the photos that changed since an earlier call.',
  query: exact({ since: Optional(text(128)) }),
  reply: Object({
    photos: Array(Photo),
    deleted: Array(String()),
    /** The value of `since` for the next call. */
    next: String(),
    /** `since` is too old, of another database, or too much has changed: what was read before is to be read again. */
    reset: Boolean(),
  }),
})

/** What became of one photo. `not found`: no such photo, for example deleted meanwhile. `refused`: an operator hides it. */
export const BulkOutcome = oneOf('done', 'unchanged', 'not found', 'refused', 'failed')
export type BulkOutcome = Static<typeof BulkOutcome>

/** Changes many photos, each in a transaction of its own, in the order of `ids`: when the call is cut, those before are changed. */
export const changePhotos = endpoint({
  method: 'POST',
  path: '/photos/bulk',
  access: 'user',
  summary: 'Delete, hide or show up to 200 photos.',
  body: exact({
    action: oneOf('delete', 'hide', 'show'),
    ids: Array(String({ maxLength: 128 }), { minItems: 1, maxItems: limits.bulkMax }),
  }),
  reply: Object({
    /** One for each id, in the same order; an id that is given again is `unchanged`. */
    results: Array(Object({ id: String(), outcome: BulkOutcome })),
    /** The photos that the account has now. */
    photo_count: Integer(),
  }),
})

/** A link that downloads photos as one ZIP file for ten minutes, without signing in. `event` only with `on`. */
export const archivePhotos = endpoint({
  method: 'POST',
  path: '/photos/archive',
  access: 'user',
  rate: 'archives',
  summary: 'Get a link that downloads up to 2,000 photos, or those of an evening or an event, as one ZIP file.',
  body: exact({
    ids: Optional(Array(String({ maxLength: 128 }), { minItems: 1, maxItems: limits.archiveMax })),
    on: Optional(CalendarDay),
    /**
     * With `on`: only those of this event, or of none. Alone, the id of an event: all of it, however many, as they are when they are
     * downloaded.
     */
    event: Optional(EventFilter),
  }),
  status: 201,
  reply: Object({ url: String(), size_bytes: Integer() }),
})
/** A 503 of `archivePhotos`: photos of earlier versions are read first, which goes on with the next call. */
export const archiveInPreparation = 'These photos are being prepared for the download. Please try again in a moment.'
export const downloadPhotoArchive = endpoint({
  method: 'GET',
  path: '/archive/:secret',
  access: 'public',
  summary: 'Download photos as one ZIP file, with a link that lives ten minutes.',
  params: Object({ secret: pathId }),
  reply: 'bytes',
})
export const latestPhoto = endpoint({
  method: 'GET',
  path: '/photos/latest',
  access: 'user',
  summary: 'Get the newest photo, of the current event if there is one; 404 if there is none.',
  query: Object({ event: Optional(EventFilter) }),
  reply: Photo,
})
export const getPhoto = endpoint({
  method: 'GET',
  path: '/photos/:id',
  access: 'user',
  summary: 'Get one photo.',
  params: ById,
  reply: Photo,
})
/**
 * Setting the value that a photo has already changes nothing. Reports about the photo stay as they are. 403 to show what an
 * operator has hidden.
 */
export const changePhoto = endpoint({
  method: 'PUT',
  path: '/photos/:id',
  access: 'user',
  summary: 'Hide a photo from guests, or show it again.',
  params: ById,
  body: exact({ hidden: Boolean() }),
  reply: Photo,
})
export const deletePhoto = endpoint({
  method: 'DELETE',
  path: '/photos/:id',
  access: 'user',
  summary: 'Delete a photo. It disappears from every page immediately.',
  params: ById,
  status: 204,
  reply: Null(),
})
export const retryPhoto = endpoint({
  method: 'POST',
  path: '/photos/:id/retry',
  access: 'user',
  summary: 'Retry a failed photo within seven days of its upload.',
  params: ById,
  reply: Photo,
})
