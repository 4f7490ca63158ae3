import type { Database } from '../db/connect.ts'
import type { Bus } from '../live/bus.ts'
import { createRowCache, type Clock } from '../live/row-cache.ts'
import { prepareFindSharedPhoto, type PhotoColumn, type SharedPhoto } from './photo-access.ts'

/** What the access policy reads about a photo, cached for a second. */
export interface MediaCache {
  /** By the photo's id or code, or the key of one of its images. At most a second old, and never older than an event of the bus. */
  find(column: PhotoColumn, value: string): Promise<SharedPhoto | undefined>
  /** Removes one photo before the event of its change arrives. Call it after changing a photo and before answering. */
  invalidatePhoto(photoId: string): void
  /** Removes all photos of an owner whose settings, logo or sessions changed. */
  invalidateUser(userId: string): void
}

const mediaCacheLimits = { maxRows: 4_096, ttlMs: 1_000 }

/** Many screens request the same photo at the same moment: one query serves them all. */
export function createMediaCache({
  db,
  pool,
  bus,
  clock,
}: Pick<Database, 'db' | 'pool'> & { bus: Bus; clock?: Clock }): MediaCache {
  const findBy = {
    id: prepareFindSharedPhoto(db, pool, 'id'),
    code: prepareFindSharedPhoto(db, pool, 'code'),
    full_key: prepareFindSharedPhoto(db, pool, 'full_key'),
    thumb_key: prepareFindSharedPhoto(db, pool, 'thumb_key'),
  }
  const photoCache = createRowCache<SharedPhoto>({
    bus,
    ...mediaCacheLimits,
    tagsOf: ({ photoId, userId }) => [`photo ${photoId}`, `user ${userId}`],
    ...(clock && { clock }),
  })
  return {
    find: (column, value) => photoCache.find(`${column} ${value}`, () => findBy[column](value)),
    invalidatePhoto: (photoId) => photoCache.invalidate(`photo ${photoId}`),
    invalidateUser: (userId) => photoCache.invalidate(`user ${userId}`),
  }
}
