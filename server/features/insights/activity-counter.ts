import { sql } from 'kysely'
import PQueue from 'p-queue'
import type { Db } from '../../db/connect.ts'
import type { Dependencies, GuestActivity, GuestActivityCounter } from '../../dependencies.ts'

const flushIntervalMs = 2_000
/** Counters between two writes. While the database is unavailable for long, counts are lost rather than memory filled. */
const maxCounters = 20_000
/** Counts are cut at quarters of an hour, as time zones are. Rows of versions before 1.1 have whole hours. */
const periodMs = 15 * 60_000

/** The counts of a photo in a quarter of an hour. */
interface PhotoCounter extends Record<GuestActivity, number> {
  photoId: string
  userId: string
  /** When it begins, in seconds since 1970; the column is older and called `hour`. */
  startsAt: number
}

/**
 * Adds counters to the rows of photos that still exist. Locks the owners' rows first, as deleting an account does, which
 * prevents deadlocks.
 */
async function writeActivityCounters(db: Db, counters: PhotoCounter[]): Promise<void> {
  const counterColumn = <K extends keyof PhotoCounter>(name: K): PhotoCounter[K][] =>
    counters.map((counter) => counter[name])
  await sql`
    insert into photo_activity (photo_id, user_id, hour, scans, views, downloads, requests)
    select counted.photo_id, counted.user_id, to_timestamp(counted.starts_at), counted.scans, counted.views, counted.downloads, counted.requests
    from unnest(${counterColumn('photoId')}::text[], ${counterColumn('userId')}::text[], ${counterColumn('startsAt')}::bigint[], ${counterColumn('scans')}::int[],
      ${counterColumn('views')}::int[], ${counterColumn('downloads')}::int[], ${counterColumn('requests')}::int[])
      as counted (photo_id, user_id, starts_at, scans, views, downloads, requests)
    join photos on photos.id = counted.photo_id join users on users.id = counted.user_id
    order by counted.photo_id, counted.starts_at for key share of users
    on conflict (photo_id, hour) do update set scans = photo_activity.scans + excluded.scans,
      views = photo_activity.views + excluded.views, downloads = photo_activity.downloads + excluded.downloads,
      requests = photo_activity.requests + excluded.requests`.execute(db)
}

const noActivity = { scans: 0, views: 0, downloads: 0, requests: 0 }

export interface ActivityCounter extends GuestActivityCounter {
  close(): Promise<void>
}

/** Counts in memory and writes every two seconds, so that thousands of scans cost a few statements. */
export function createActivityCounter({ db, log }: Pick<Dependencies, 'db' | 'log'>): ActivityCounter {
  let counters = new Map<string, PhotoCounter>()
  const addCounts = (added: PhotoCounter): void => {
    const key = `${added.photoId} ${added.startsAt}`
    const counter = counters.get(key)
    if (counter)
      for (const activity of ['scans', 'views', 'downloads', 'requests'] as const) counter[activity] += added[activity]
    else if (counters.size < maxCounters) counters.set(key, added)
  }
  const writeCounters = async (): Promise<void> => {
    if (counters.size === 0) return
    const countersToWrite = [...counters.values()]
    counters = new Map()
    try {
      await writeActivityCounters(db, countersToWrite)
    } catch (error) {
      log.warn({ err: error }, 'the counts of guest activity could not be written; they are kept for the next attempt')
      for (const counter of countersToWrite) addCounts(counter)
    }
  }
  const writes = new PQueue({ concurrency: 1 })
  const flush = (): Promise<void> => writes.add(writeCounters)
  const flushTimer = setInterval(() => void flush(), flushIntervalMs)
  flushTimer.unref()
  return {
    add({ photoId, userId }, ...activities) {
      const startsAt = Math.floor(Date.now() / periodMs) * (periodMs / 1000)
      addCounts({
        photoId,
        userId,
        startsAt,
        ...noActivity,
        ...Object.fromEntries(activities.map((activity) => [activity, 1])),
      })
    },
    flush,
    close() {
      clearInterval(flushTimer)
      return flush()
    },
  }
}
