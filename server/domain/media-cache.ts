import type { Database } from '../db/connect.ts'
import type { Bus } from '../live/bus.ts'
import { createRowCache, tagOf, type CacheTag, type Clock } from '../live/row-cache.ts'
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
  /** Calls a listener when what a tag names may have changed, until the returned function is called. */
  watch(tag: CacheTag, listener: () => void): () => void
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
  const listenersByTag = new Map<CacheTag, Set<() => void>>()
  const notify = (tag: CacheTag): void => {
    for (const listener of listenersByTag.get(tag) ?? []) listener()
  }
  const invalidate = (tag: CacheTag): void => {
    photoCache.invalidate(tag)
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
    find: (column, value) => photoCache.find(`${column} ${value}`, () => findBy[column](value)),
    invalidatePhoto: (photoId) => invalidate(`photo ${photoId}`),
    invalidateUser: (userId) => invalidate(`user ${userId}`),
    watch(tag, listener) {
      const listeners = listenersByTag.get(tag) ?? new Set()
      listenersByTag.set(tag, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && listenersByTag.get(tag) === listeners) listenersByTag.delete(tag)
      }
    },
  }
}
