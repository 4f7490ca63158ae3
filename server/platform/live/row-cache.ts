import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import { maxEntries } from '../../lib/max-entries.ts'
import type { Bus, BusEvent } from './bus.ts'

/** Time in milliseconds; tests pass their own. */
export interface Clock {
  now(): number
}

/** Database rows cached by key, coherent with the events of the bus. */
export interface RowCache<Row extends object> {
  /** The cached row, or what `loadRow` reads. Rows that do not exist are not cached. */
  find(key: string, loadRow: () => Promise<Row | undefined>): Promise<Row | undefined>
  /** Removes every row with this tag, for changes that must be visible before their event arrives. */
  invalidate(tag: CacheTag): void
}

/** What a row depends on: an event about it removes the row from the cache. */
export type CacheTag = `${'photo' | 'session' | 'user' | 'key'} ${string}`

interface RowCacheOptions<Row> {
  bus: Bus
  maxRows: number
  ttlMs: number
  tagsOf(row: Row): readonly CacheTag[]
  /** What an event removes; `tagOf` when left out. */
  tagOf?: (event: BusEvent) => CacheTag | undefined
  clock?: Clock
  /** The longest wait for the start of a read: that of the pool for a free connection. Otherwise 5 s. */
  maxWaitMs?: number | undefined
}

/** What an event is about, for caches of rows that depend on it. */
export function tagOf(event: BusEvent): CacheTag | undefined {
  if (event.kind === 'photo') return `photo ${event.photo}`
  if (event.kind === 'session') return `session ${event.session}`
  if (event.kind === 'key') return `key ${event.key}`
  return event.kind === 'user' || event.kind === 'plan' || event.kind === 'events' ? `user ${event.user}` : undefined
}

/** The keys of the cached rows by their tags. */
function createTagIndex<Row>(tagsOf: (row: Row) => readonly CacheTag[]) {
  const keysByTag = new Map<CacheTag, Set<string>>()
  return {
    keys: (tag: CacheTag): string[] => [...(keysByTag.get(tag) ?? [])],
    add(row: Row, key: string): void {
      for (const tag of tagsOf(row)) {
        const keys = keysByTag.get(tag) ?? new Set()
        keysByTag.set(tag, keys.add(key))
      }
    },
    remove(row: Row, key: string): void {
      for (const tag of tagsOf(row)) {
        const keys = keysByTag.get(tag)
        keys?.delete(key)
        if (keys?.size === 0) keysByTag.delete(tag)
      }
    },
  }
}

/** Per cache: keeps most database connections free even if strangers keep requesting rows that do not exist. */
const readsAtOnce = 4
const defaultMaxWaitMs = 5_000

const waitedTooLong = (): Error =>
  new Error('timeout exceeded when trying to connect: too many reads are waiting for the database')

/** Bounds how many reads run at once. One that waits too long fails like a connection that is not free in time. */
function createReadQueue(maxWaitMs: number) {
  const readQueue = new PQueue({ concurrency: readsAtOnce })
  return async <Row>(loadRow: () => Promise<Row>): Promise<Row> => {
    const waitAbort = new AbortController()
    const waitTimeout = setTimeout(() => waitAbort.abort(waitedTooLong()), maxWaitMs)
    const startRead = (): Promise<Row> => {
      clearTimeout(waitTimeout)
      return loadRow()
    }
    return readQueue.add(startRead, { signal: waitAbort.signal }).finally(() => clearTimeout(waitTimeout))
  }
}

/**
 * An LRU cache that relies on the bus: an event removes the rows it concerns, missed events remove all rows, and while
 * the bus is disconnected every call reads the database. A row that changed while it was read is not cached.
 */
export function createRowCache<Row extends object>(options: RowCacheOptions<Row>): RowCache<Row> {
  const { bus, maxRows, ttlMs, tagsOf, clock, maxWaitMs = defaultMaxWaitMs } = options
  const tagIndex = createTagIndex(tagsOf)
  const read = createReadQueue(maxWaitMs)
  const rowCache = new LRUCache<string, Row>({
    ...maxEntries(maxRows),
    ttl: ttlMs,
    dispose: (row, key) => tagIndex.remove(row, key),
    ...(clock && { perf: clock, ttlResolution: 0 }),
  })
  /** For each read under way, the tags that were invalidated since it began. */
  const readsUnderWay = new Set<Set<CacheTag | 'all'>>()
  const invalidate = (tag: CacheTag): void => {
    for (const invalidatedTags of readsUnderWay) invalidatedTags.add(tag)
    for (const key of tagIndex.keys(tag)) rowCache.delete(key)
  }
  bus.onMissedEvents(() => {
    for (const invalidatedTags of readsUnderWay) invalidatedTags.add('all')
    rowCache.clear()
  })
  bus.onEvent((event) => {
    const tag = (options.tagOf ?? tagOf)(event)
    if (tag) invalidate(tag)
  })

  return {
    invalidate,
    async find(key, loadRow) {
      const cachedRow = bus.isListening() ? rowCache.get(key) : undefined
      if (cachedRow) return cachedRow
      const invalidatedTags = new Set<CacheTag | 'all'>()
      readsUnderWay.add(invalidatedTags)
      try {
        const row = await read(loadRow)
        if (
          !row ||
          !bus.isListening() ||
          invalidatedTags.has('all') ||
          tagsOf(row).some((tag) => invalidatedTags.has(tag))
        )
          return row
        rowCache.set(key, row)
        tagIndex.add(row, key)
        return row
      } finally {
        readsUnderWay.delete(invalidatedTags)
      }
    },
  }
}
