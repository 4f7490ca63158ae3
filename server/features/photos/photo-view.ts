import { type RawBuilder, type Selection, sql } from 'kysely'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { DB } from '../../platform/db/schema.ts'
import { Fault } from '../../faults.ts'
import type { Urls } from './urls.ts'

/** Whether an operator hid a photo. */
export const isHiddenByOperator = sql<boolean>`(photos.operator_decision is not distinct from 'hide')`

/** Since when a photo is hidden from guests; null while it is not. */
export const hiddenAt = sql<Date | null>`case when ${isHiddenByOperator} then coalesce(photos.hidden_at, photos.operator_decided_at)
  else photos.hidden_at end`

/** The columns of a photo's thumbnail and of who hid it. */
interface ThumbnailColumns {
  thumb_key: string | null
  hidden_at: Date | null
  operator_decision: string | null
}

/** A thumbnail's URL for the photo's owner, who gets none while an operator hides it. */
export function ownerThumbnailUrl(
  urls: Urls,
  { thumb_key: thumbKey, hidden_at, operator_decision }: ThumbnailColumns,
): string | null {
  if (thumbKey === null || operator_decision === 'hide') return null
  return hidden_at ? urls.hiddenThumbnail({ thumbKey, hiddenAt: hidden_at, reader: 'owner' }) : urls.thumbnail(thumbKey)
}

/** A thumbnail's URL for an operator, who looks at what was reported also while it is hidden. */
export const operatorThumbnailUrl = (urls: Urls, { thumb_key: thumbKey, hidden_at }: ThumbnailColumns): string | null =>
  thumbKey &&
  (hidden_at ? urls.hiddenThumbnail({ thumbKey, hiddenAt: hidden_at, reader: 'operator' }) : urls.thumbnail(thumbKey))

export const photoRowColumns = [
  'photos.id',
  'photos.user_id',
  'photos.code',
  'photos.filename',
  'photos.state',
  'photos.created_at',
  'photos.error_message',
  'photos.retry_helps',
  'photos.original_key',
  'photos.full_key',
  'photos.full_bytes',
  'photos.full_type',
  'photos.thumb_key',
  'photos.width',
  'photos.height',
  'photos.thumbhash',
  'photos.hidden_at',
  'photos.operator_decision',
  'photos.operator_decided_at',
  'photos.operator_message',
  'photos.event_id',
  'users.media_epoch',
] as const

/** The columns that the owner's view of a photo needs. */
export type PhotoRow = Selection<DB, 'photos' | 'users', (typeof photoRowColumns)[number]> & {
  has_events: boolean
  taken_at: Date | null
}

/** Whether the account of a row has events, deleted ones too: then its photos say to which they belong. */
export const accountHasEvents = sql<boolean>`exists (select from events where events.user_id = users.id)`

/** Since when guests can see a photo: lists are in this order. */
export const shownAt = sql<Date>`coalesce(photos.shown_at, photos.created_at)`

/**
 * When a photo of an event was taken; null where that is not known. A clock that was set wrong must not put a photo days or years away:
 * the time of the camera counts from the day before the event to the day after it, by any clock on earth, and for an event without a date
 * in the 30 days before the upload. Decided at each read, because the dates of an event and the event of a photo change.
 */
export const takenAt = sql<Date | null>`case when photos.captured_at is not null and photos.event_id is not null then (
  select photos.captured_at from events where events.id = photos.event_id
    and photos.captured_at >= coalesce((starts_on - 1)::timestamp at time zone interval '14 hours', photos.created_at - interval '30 days')
    and photos.captured_at < coalesce((coalesce(ends_on, starts_on) + 2)::timestamp at time zone interval '-12 hours', 'infinity')) end`

/** Whether a photo is of the event that a filter names, or of none for `none`. All are without a filter. */
export const isOfEvent = (event: string | undefined): RawBuilder<boolean> => {
  if (event === undefined) return sql`true`
  return event === 'none' ? sql`photos.event_id is null` : sql`photos.event_id = ${event}`
}

/** Selects photos that exist for their owner: accepted and not deleted. Add conditions before executing it. */
export const selectExistingPhotos = (db: Db) =>
  db
    .selectFrom('photos')
    .innerJoin('users', 'users.id', 'photos.user_id')
    .select(photoRowColumns)
    .select([accountHasEvents.as('has_events'), takenAt.as('taken_at')])
    .where('photos.deleted_at', 'is', null)
    .where('photos.state', '!=', sql.lit('receiving'))
    .where('photos.is_listed', '=', sql.lit(true))

/** Whether a full image has a smaller one for screens: neither animations, nor pictures with transparency, nor small ones. */
export const hasScreenImage = ({
  type,
  width,
  height,
}: {
  type: string | null
  width: number | null
  height: number | null
}): boolean => type === 'image/jpeg' && Math.max(width ?? 0, height ?? 0) > limits.screenSidePx

function imageUrls(urls: Urls, row: PhotoRow): Pick<Photo, 'b2_url' | 'screen_url'> {
  if (row.full_key === null || row.state !== 'ready' || row.operator_decision === 'hide')
    return { b2_url: null, screen_url: null }
  const image = { photoId: row.id, fullKey: row.full_key, mediaEpoch: row.media_epoch, hiddenAt: row.hidden_at }
  const fullUrl = urls.fullImage(image)
  return {
    b2_url: fullUrl,
    screen_url: hasScreenImage({ ...row, type: row.full_type }) ? urls.screenImage(image) : fullUrl,
  }
}

/** A photo as the API returns it to its owner. */
export function photoView(urls: Urls): (row: PhotoRow) => Photo {
  return (row) => ({
    id: row.id,
    filename: row.filename,
    ...imageUrls(urls, row),
    thumbnail_url: ownerThumbnailUrl(urls, row),
    qr_code_url: urls.directQr(row.code),
    email_qr_code_url: urls.requestQr(row.id),
    created_at: row.created_at.toISOString(),
    processing: row.state === 'queued',
    processing_complete: row.state === 'ready',
    processing_failed: row.state === 'failed',
    error_message: row.error_message,
    can_retry: row.state === 'failed' && row.retry_helps && row.original_key !== null,
    width: row.width,
    height: row.height,
    thumbhash: row.thumbhash,
    hidden: row.hidden_at !== null,
    operator_decision: row.operator_decided_at && {
      decision: row.operator_decision === 'hide' ? 'hide' : 'show',
      message: row.operator_message,
      decided_at: row.operator_decided_at.toISOString(),
    },
    size_bytes: row.full_bytes,
    ...(row.has_events && { event_id: row.event_id, taken_at: row.taken_at?.toISOString() ?? null }),
  })
}

/** A 404: there is no such photo, or it belongs to somebody else. */
export const photoNotFound = (): Fault => new Fault('not_found', 'This photo does not exist.')

/** The photo on the wire; 404 when there is none. */
export function photoOrNotFound(urls: Urls, row: PhotoRow | undefined): Photo {
  if (!row) throw photoNotFound()
  return photoView(urls)(row)
}

/** The newest photo on the wire; 404 when there is none. */
export function latestOrNotFound(urls: Urls, row: PhotoRow | undefined): Photo {
  if (!row) throw new Fault('not_found', 'No photos found. Upload your first photo!')
  return photoView(urls)(row)
}

/** A 403: the owner cannot show what an operator has hidden. */
export const hiddenByOperator = (): Fault =>
  new Fault(
    'forbidden',
    'This photo was hidden from guests by the operator of this site. Please write to support if you think that this is a mistake.',
  )
