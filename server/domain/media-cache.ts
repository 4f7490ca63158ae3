import type { Database } from '../db/connect.ts'
import type { Bus } from '../live/bus.ts'
import { createRowCache, type Clock } from '../live/row-cache.ts'
import { prepareFindSharedPhoto, type PhotoColumn, type SharedPhoto } from './photo-access.ts'

/** What the access policy reads about a photo, cached for a second. */
export interface MediaCache {
  /**
   * Finds a photo by its id, its code, or the key of one of its images. Results are at most a second old; a bus event
   * invalidates them earlier.
   */
  find(column: PhotoColumn, value: string): Promise<SharedPhoto | undefined>
  /** Invalidates one photo without waiting for its bus event. Call it after changing a photo and before responding. */
  invalidatePhoto(photoId: string): void
  /** Invalidates all photos of an owner whose settings, logo or sessions changed. */
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
    maxWaitMs: pool.options.connectionTimeoutMillis,
    tagsOf: ({ photoId, userId }) => [`photo ${photoId}`, `user ${userId}`],
    ...(clock && { clock }),
  })
  return {
    find: (column, value) => photoCache.find(`${column} ${value}`, () => findBy[column](value)),
    invalidatePhoto: (photoId) => photoCache.invalidate(`photo ${photoId}`),
    invalidateUser: (userId) => photoCache.invalidate(`user ${userId}`),
  }
}
