import { sql } from 'kysely'
import type { Database, Db } from '../../platform/db/connect.ts'
import { prepareQuery } from '../../platform/db/prepared-query.ts'
import { Fault } from '../../faults.ts'
import { logoColumns, shownBrandName, withLogo } from '../branding/brands.ts'
import { findGallery, galleryStateOf, type GuestGallery } from '../events/guest-gallery.ts'
import type { Bus } from '../../platform/live/bus.ts'
import { type CacheTag, createRowCache, type RowCache, tagOf } from '../../platform/live/row-cache.ts'
import { hiddenAt, isHiddenByOperator } from './photo-view.ts'

/** How somebody asks for a photo. */
export type AccessPath =
  /** The direct QR code on a print or a screen. Anybody can scan it. */
  | { via: 'direct code' }
  /**
   * A full-size URL from the owner's own lists. `isValid`: the signature matches photo, key, media epoch and, while the photo is
   * hidden, since when.
   */
  | { via: 'signed URL'; isValid: boolean }
  /** A thumbnail's unguessable URL. `signedFor`: whose signature it carries, which only a hidden photo needs. */
  | { via: 'thumbnail'; signedFor: 'owner' | 'operator' | null }
  /** A page for guests: the photo's public details, and requesting it by email. */
  | { via: 'guest page' }
  /** The link of an email. `isValid`: it is for this photo and has not expired. */
  | { via: 'grant'; isValid: boolean }
  /** A signed address from the review of an event's guests' photos: of what waits, and of what was decided. */
  | { via: 'review'; isValid: boolean }
  /** A guest looks at the thumbnail of a photo that was added from this device. */
  | { via: 'contributor'; isOwn: boolean }
  /** The guest gallery of an event, by one of its codes. `file`: the full image or that for screens, which the gate keeps. */
  | { via: 'event gallery'; gallery: GuestGallery; wants: 'preview' | 'file' }
  /** A link to everything of an event. `eventId`: of one that works; otherwise null. */
  | { via: 'event grant'; eventId: string | null }
  /** The picture of a QR code. It never shows more than a code. */
  | { via: 'QR code image' }

export type AccessDecision = 'allow' | 'email required' | 'processing' | 'not found'

/** The error for a guest without access to a photo: the same whether or not the photo exists. */
export const sharedPhotoNotFound = (): Fault =>
  new Fault('not_found', 'This photo does not exist or is no longer shared.')

/**
 * The only access policy for a photo's bytes. Every path to bytes calls it, with a photo and settings that were read now: a
 * cached one is at most a second old, and never older than an event about it.
 */
export function decideAccess(photo: SharedPhoto | undefined, path: AccessPath): AccessDecision {
  if (!photo || !photo.ownerActive || photo.state === 'failed') return 'not found'
  if (path.via === 'review' || path.via === 'contributor') {
    const isAllowed = path.via === 'review' ? path.isValid : path.isOwn
    const isGuests = photo.source === 'guest' && !photo.isEventDeleted && !photo.hiddenByOperator
    return isAllowed && isGuests && photo.thumbKey !== null ? 'allow' : 'not found'
  }
  if (!photo.isListed) return 'not found'
  const whenReady = photo.state === 'ready' ? 'allow' : 'processing'
  switch (path.via) {
    case 'QR code image':
      return 'allow'
    case 'thumbnail':
      return photo.thumbKey === null || !isThumbnailOpen(photo, path.signedFor) ? 'not found' : 'allow'
    case 'signed URL':
      return path.isValid && photo.state === 'ready' && !photo.hiddenByOperator ? 'allow' : 'not found'
    case 'guest page':
      return photo.hiddenAt ? 'not found' : whenReady
    case 'grant':
      return photo.hiddenAt || !path.isValid ? 'not found' : whenReady
    case 'event gallery': {
      const { gallery } = path
      if (photo.hiddenAt || photo.state !== 'ready' || photo.thumbKey === null) return 'not found'
      if (photo.eventId !== gallery.eventId || galleryStateOf(gallery) !== 'open') return 'not found'
      return path.wants === 'file' && photo.emailRequired ? 'email required' : 'allow'
    }
    case 'event grant':
      return photo.hiddenAt || photo.eventId === null || photo.eventId !== path.eventId ? 'not found' : whenReady
    case 'direct code':
      if (photo.hiddenAt) return 'not found'
      return photo.emailRequired ? 'email required' : whenReady
  }
}

const isThumbnailOpen = (
  { hiddenAt, hiddenByOperator }: SharedPhoto,
  signedFor: 'owner' | 'operator' | null,
): boolean => hiddenAt === null || signedFor === 'operator' || (signedFor === 'owner' && !hiddenByOperator)

/**
 * Whether bytes that are being sent may go on: the photo, as it is now, is neither deleted nor hidden since they were allowed.
 * Other changes, such as that of the email setting, let an answer under way end.
 */
export const mayGoOn = (allowed: SharedPhoto, now: SharedPhoto | undefined): boolean =>
  now !== undefined &&
  (now.isListed || !allowed.isListed) &&
  !now.isEventDeleted &&
  (now.hiddenAt === null ||
    (now.hiddenAt.getTime() === allowed.hiddenAt?.getTime() && now.hiddenByOperator === allowed.hiddenByOperator))

/** What identifies a photo in a URL: its id, its code, or the key of one of its images. */
export type PhotoColumn = 'id' | 'code' | 'full_key' | 'thumb_key'

/** Selects a photo by what identifies it in a URL. Deleted photos are not found. */
const selectSharedPhoto = (db: Db, column: PhotoColumn, value: string) =>
  db
    .selectFrom('photos')
    .innerJoin('users', 'users.id', 'photos.user_id')
    .leftJoin('events', 'events.id', 'photos.event_id')
    .leftJoin('brand_images', (join) =>
      join.onRef('brand_images.user_id', '=', 'users.id').on('brand_images.kind', '=', 'logo'),
    )
    .select([
      ...logoColumns,
      'photos.id as photoId',
      'photos.user_id as userId',
      'users.is_active as ownerActive',
      // Guests give an email address to get a photo.
      sql<boolean>`coalesce(events.ask_email, users.ask_email_to_receive_photo)`.as('emailRequired'),
      'photos.event_id as eventId',
      sql<boolean>`coalesce(events.deleted_at is not null, false)`.as('isEventDeleted'),
      'photos.source',
      'photos.contributor_id as contributorId',
      // Of the gallery that the photo's own pages link to; null for none.
      sql<
        string | null
      >`(select code from event_codes where event_id = events.id and kind = 'event' and revoked_at is null
        and events.gallery = 'link' and events.link_on_photo_pages)`.as('galleryCode'),
      'events.gallery_opens_at as galleryOpensAt',
      'events.closes_at as galleryClosesAt',
      // False while it waits for its review, after it was rejected, and while its event is deleted.
      'photos.is_listed as isListed',
      // See `SignedImage`.
      'users.media_epoch as mediaEpoch',
      shownBrandName.as('brandName'),
      // Null for the server's.
      'users.time_zone as timeZone',
      hiddenAt.as('hiddenAt'),
      // Then it is closed to its owner as well.
      isHiddenByOperator.as('hiddenByOperator'),
      'photos.state',
      'photos.width',
      'photos.height',
      'photos.thumbhash',
      'photos.filename',
      'photos.created_at as createdAt',
      'photos.code',
      'photos.full_key as fullKey',
      'photos.full_type as fullType',
      'photos.full_bytes as fullBytes',
      // Null until somebody asked for it.
      sql<string | null>`case when photos.screen_of = photos.full_key then photos.screen_key end`.as('screenKey'),
      'photos.screen_bytes as screenBytes',
      'photos.thumb_key as thumbKey',
      'photos.thumb_bytes as thumbBytes',
    ])
    .where(`photos.${column}`, '=', value)
    .where('photos.deleted_at', 'is', null)
    .where('photos.state', '!=', 'receiving')

/** Finds a photo by what identifies it in a URL. */
export async function findSharedPhoto(db: Db, column: PhotoColumn, value: string) {
  const row = await selectSharedPhoto(db, column, value).executeTakeFirst()
  return row && withLogo(row)
}

/** A photo with everything that the access policy looks at, and what is needed to send its bytes. */
export type SharedPhoto = NonNullable<Awaited<ReturnType<typeof findSharedPhoto>>>

/** `findSharedPhoto` as a prepared statement, for the frequent reads by guests. */
function prepareFindSharedPhoto(
  db: Db,
  pool: Database['pool'],
  column: PhotoColumn,
): (value: string) => Promise<SharedPhoto | undefined> {
  const placeholder = 'the public name'
  const compiledQuery = selectSharedPhoto(db, column, placeholder).compile()
  const query = prepareQuery(pool, `shared photo by ${column}`, compiledQuery)
  return async (value) => {
    const [row] = await query(compiledQuery.parameters.map((one) => (one === placeholder ? value : one)))
    return row && withLogo(row)
  }
}

const mediaCacheLimits = { maxRows: 4_096, ttlMs: 1_000 }

export type MediaCache = ReturnType<typeof createMediaCache>

/**
 * What the access policy reads about a photo, cached for a second. Many screens request the same photo at the same moment: one
 * query serves them all.
 */
export function createMediaCache({ db, pool, bus }: Pick<Database, 'db' | 'pool'> & { bus: Bus }) {
  const findBy = {
    id: prepareFindSharedPhoto(db, pool, 'id'),
    code: prepareFindSharedPhoto(db, pool, 'code'),
    full_key: prepareFindSharedPhoto(db, pool, 'full_key'),
    thumb_key: prepareFindSharedPhoto(db, pool, 'thumb_key'),
  }
  const photoCache = createRowCache<SharedPhoto>({
    bus,
    ...mediaCacheLimits,
    maxWaitMs: pool.options.connectionTimeoutMillis,
    tagsOf: ({ photoId, userId }) => [`photo ${photoId}`, `user ${userId}`],
  })
  const galleryCache = createRowCache<GuestGallery>({
    bus,
    ...mediaCacheLimits,
    maxWaitMs: pool.options.connectionTimeoutMillis,
    tagsOf: ({ userId }) => [`user ${userId}`],
  })
  const otherCaches = new Set<Pick<RowCache<object>, 'invalidate'>>()
  const listenersByTag = new Map<CacheTag, Set<() => void>>()
  const notify = (tag: CacheTag): void => {
    for (const listener of listenersByTag.get(tag) ?? []) listener()
  }
  const invalidate = (tag: CacheTag): void => {
    photoCache.invalidate(tag)
    galleryCache.invalidate(tag)
    for (const cache of otherCaches) cache.invalidate(tag)
    notify(tag)
  }
  // After the cache itself, which has then forgotten the rows.
  bus.onEvent((event) => {
    const tag = tagOf(event)
    if (tag) notify(tag)
  })
  bus.onMissedEvents(() => {
    for (const tag of listenersByTag.keys()) notify(tag)
  })
  return {
    /**
     * Finds a photo by its id, its code, or the key of one of its images. Results are at most a second old; a bus event
     * invalidates them earlier.
     */
    find: (column: PhotoColumn, value: string) => photoCache.find(`${column} ${value}`, () => findBy[column](value)),
    /** Finds what a code of an event leads to, cached in the same way. Undefined for one that does not work, or no longer. */
    findGallery: (code: string) => galleryCache.find(code, () => findGallery(db, code)),
    /** Invalidates one photo without waiting for its bus event. Call it after changing a photo and before responding. */
    invalidatePhoto: (photoId: string) => invalidate(`photo ${photoId}`),
    /** Invalidates all photos of an owner whose settings, logo or sessions changed. */
    invalidateUser: (userId: string) => invalidate(`user ${userId}`),
    /** Has another cache forget what this one is told to forget. */
    join: (cache: Pick<RowCache<object>, 'invalidate'>) => void otherCaches.add(cache),
    /** Calls a listener when what a tag names may have changed, until the returned function is called. */
    watch(tag: CacheTag, listener: () => void) {
      const listeners = listenersByTag.get(tag) ?? new Set()
      listenersByTag.set(tag, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && listenersByTag.get(tag) === listeners) listenersByTag.delete(tag)
      }
    },
  }
}
