import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { Fault } from '../../faults.ts'
import { logoColumns, shownBrandName, withLogo } from '../branding/brands.ts'

/** What a code of an event leads to. Codes of deleted events and inactive accounts, and revoked ones, lead nowhere. */
export async function findGallery(db: Db, code: string) {
  const row = await db
    .selectFrom('event_codes')
    .innerJoin('events', 'events.id', 'event_codes.event_id')
    .innerJoin('users', 'users.id', 'events.user_id')
    .leftJoin('brand_images', (join) =>
      join.onRef('brand_images.user_id', '=', 'users.id').on('brand_images.kind', '=', 'logo'),
    )
    .select([
      ...logoColumns,
      'event_codes.code',
      'event_codes.kind',
      'event_codes.label',
      'events.id as eventId',
      'events.user_id as userId',
      'events.name',
      'events.gallery',
      'events.guest_photos as guestPhotos',
      'events.guest_archive as guestArchive',
      'events.gallery_opens_at as galleryOpensAt',
      'events.closes_at as galleryClosesAt',
      sql<boolean>`coalesce(events.ask_email, users.ask_email_to_receive_photo)`.as('emailRequired'),
      shownBrandName.as('brandName'),
      'users.language',
      // Null for the server's.
      'users.time_zone as timeZone',
    ])
    .where('event_codes.code', '=', code)
    .where('event_codes.revoked_at', 'is', null)
    .where('events.deleted_at', 'is', null)
    .where('users.is_active', '=', sql.lit(true))
    .executeTakeFirst()
  return row && withLogo(row)
}

export type GuestGallery = NonNullable<Awaited<ReturnType<typeof findGallery>>>

/** The answer to whoever asks for photos of a gallery that is not open. */
export const galleryClosed = (): Fault => new Fault('not_found', 'The photos of this event are not open.')

export type GalleryState = 'open' | 'coming' | 'ended' | 'off'

/**
 * Whether guests see photos now: `open`; `coming` until the gallery opens; `ended` after the end of an event that had something for
 * guests; `off` without a gallery.
 */
export function galleryStateOf({
  gallery,
  guestPhotos,
  galleryOpensAt,
  galleryClosesAt,
}: Pick<GuestGallery, 'gallery' | 'guestPhotos' | 'galleryOpensAt' | 'galleryClosesAt'>): GalleryState {
  const now = Date.now()
  if (gallery === 'off' && guestPhotos === 'off') return 'off'
  if (galleryClosesAt && galleryClosesAt.getTime() <= now) return 'ended'
  if (gallery === 'off') return 'off'
  return galleryOpensAt && galleryOpensAt.getTime() > now ? 'coming' : 'open'
}

/** The entity tag of an image that is reached by a code or link. The key of a thumbnail would open it after that has ended. */
export const imageTag = (reachedBy: string, key: string): string =>
  `"${createHash('sha256').update(`${reachedBy} ${key}`).digest('base64url').slice(0, 22)}"`
