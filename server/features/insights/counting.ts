import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../db/connect.ts'
import type { Counted, Counts } from '../../domain/counts.ts'

const flushMs = 2_000
/** Photos counted between two writes; a database that is away for long costs numbers, never memory. */
const heldMost = 20_000
const hourMs = 3_600_000

interface Held extends Record<Counted, number> {
  photoId: string
  userId: string
  hour: number
}

/** Adds what was held to the hours of photos that still exist. Owners are held first, as deleting an account does. */
async function write(db: Db, held: Held[]): Promise<void> {
  const column = <K extends keyof Held>(name: K): Held[K][] => held.map((one) => one[name])
  await sql`
    insert into photo_hours as h (photo_id, user_id, hour, scans, views, downloads, requests)
    select n.photo_id, n.user_id, to_timestamp(n.hour), n.scans, n.views, n.downloads, n.requests
    from unnest(${column('photoId')}::text[], ${column('userId')}::text[], ${column('hour')}::bigint[], ${column('scans')}::int[],
      ${column('views')}::int[], ${column('downloads')}::int[], ${column('requests')}::int[])
      as n (photo_id, user_id, hour, scans, views, downloads, requests)
    join photos p on p.id = n.photo_id join users u on u.id = n.user_id
    order by n.photo_id, n.hour for key share of u
    on conflict (photo_id, hour) do update set scans = h.scans + excluded.scans, views = h.views + excluded.views,
      downloads = h.downloads + excluded.downloads, requests = h.requests + excluded.requests`.execute(db)
}

export interface Counting extends Counts {
  close(): Promise<void>
}

/** Holds numbers for two seconds and writes them in one statement, so that two thousand scans cost a handful of writes. */
export function createCounting({ db, log }: Pick<Deps, 'db' | 'log'>): Counting {
  let held = new Map<string, Held>()
  const add = (one: Held): void => {
    const key = `${one.photoId} ${one.hour}`
    const there = held.get(key)
    if (!there) {
      if (held.size < heldMost) held.set(key, one)
      return
    }
    for (const what of ['scans', 'views', 'downloads', 'requests'] as const) there[what] += one[what]
  }
  let writing: Promise<void> | undefined
  const flushNow = async (): Promise<void> => {
    if (held.size === 0) return
    const taken = held
    held = new Map()
    try {
      await write(db, [...taken.values()])
    } catch (error) {
      log.warn({ err: error }, 'numbers of guests could not be written yet')
      for (const one of taken.values()) add(one)
    }
  }
  const flush = (): Promise<void> => (writing = (writing ?? Promise.resolve()).then(flushNow))
  const timer = setInterval(() => void flush(), flushMs)
  timer.unref()
  return {
    add({ photoId, userId }, ...what) {
      const hour = Math.floor(Date.now() / hourMs) * (hourMs / 1000)
      const none = { scans: 0, views: 0, downloads: 0, requests: 0 }
      add({ photoId, userId, hour, ...none, ...Object.fromEntries(what.map((name) => [name, 1])) })
    },
    flush,
    close() {
      clearInterval(timer)
      return flush()
    },
  }
}
