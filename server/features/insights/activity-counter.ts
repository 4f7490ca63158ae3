import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { GuestActivity, GuestActivityCounter } from '../../domain/guest-activity.ts'

const flushIntervalMs = 2_000
/** Counters between two writes. While the database is unavailable for long, counts are lost rather than memory filled. */
const maxCounters = 20_000
const hourMs = 3_600_000

/** The counts of a photo in an hour. */
interface Counter extends Record<GuestActivity, number> {
  photoId: string
  userId: string
  /** Seconds since 1970. */
  hour: number
}

/**
 * Adds counters to the rows of photos that still exist. Locks the owners' rows first, as deleting an account does, which
 * prevents deadlocks.
 */
async function write(db: Db, counters: Counter[]): Promise<void> {
  const column = <K extends keyof Counter>(name: K): Counter[K][] => counters.map((counter) => counter[name])
  await sql`
    insert into photo_activity as h (photo_id, user_id, hour, scans, views, downloads, requests)
    select n.photo_id, n.user_id, to_timestamp(n.hour), n.scans, n.views, n.downloads, n.requests
    from unnest(${column('photoId')}::text[], ${column('userId')}::text[], ${column('hour')}::bigint[], ${column('scans')}::int[],
      ${column('views')}::int[], ${column('downloads')}::int[], ${column('requests')}::int[])
      as n (photo_id, user_id, hour, scans, views, downloads, requests)
    join photos p on p.id = n.photo_id join users u on u.id = n.user_id
    order by n.photo_id, n.hour for key share of u
    on conflict (photo_id, hour) do update set scans = h.scans + excluded.scans, views = h.views + excluded.views,
      downloads = h.downloads + excluded.downloads, requests = h.requests + excluded.requests`.execute(db)
}

const noActivity = { scans: 0, views: 0, downloads: 0, requests: 0 }

export interface ActivityCounter extends GuestActivityCounter {
  close(): Promise<void>
}

/** Counts in memory and writes every two seconds, so that thousands of scans cost a few statements. */
export function createActivityCounter({ db, log }: Pick<Dependencies, 'db' | 'log'>): ActivityCounter {
  let counters = new Map<string, Counter>()
  const add = (added: Counter): void => {
    const key = `${added.photoId} ${added.hour}`
    const counter = counters.get(key)
    if (counter)
      for (const activity of ['scans', 'views', 'downloads', 'requests'] as const) counter[activity] += added[activity]
    else if (counters.size < maxCounters) counters.set(key, added)
  }
  const writeCounters = async (): Promise<void> => {
    if (counters.size === 0) return
    const written = [...counters.values()]
    counters = new Map()
    try {
      await write(db, written)
    } catch (error) {
      log.warn({ err: error }, 'the counts of guest activity could not be written; they are kept for the next attempt')
      for (const counter of written) add(counter)
    }
  }
  let lastFlush = Promise.resolve()
  const flush = (): Promise<void> => (lastFlush = lastFlush.then(writeCounters))
  const timer = setInterval(() => void flush(), flushIntervalMs)
  timer.unref()
  return {
    add({ photoId, userId }, ...activities) {
      const hour = Math.floor(Date.now() / hourMs) * (hourMs / 1000)
      add({ photoId, userId, hour, ...noActivity, ...Object.fromEntries(activities.map((activity) => [activity, 1])) })
    },
    flush,
    close() {
      clearInterval(timer)
      return flush()
    },
  }
}
