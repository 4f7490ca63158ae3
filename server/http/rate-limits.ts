import { sql } from 'kysely'
import { rates, type RateName } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import { Fault } from '../faults.ts'
import { createRefusedClients, type RefusedClients } from './refused-clients.ts'

/** What this node knows about the counters of a database. */
interface NodeCounters {
  refusedClients: RefusedClients
  /** The last count under way of each key: the seconds to wait. */
  countsUnderWay: Map<string, Promise<number>>
}
const countersByDb = new WeakMap<Db, NodeCounters>()

function countersOf(db: Db): NodeCounters {
  const counters = countersByDb.get(db) ?? { refusedClients: createRefusedClients(), countsUnderWay: new Map() }
  countersByDb.set(db, counters)
  return counters
}

const tooManyRequests = (waitSeconds: number): Fault =>
  new Fault(
    'rate_limited',
    `Too many requests. Please wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'} and try again.`,
    waitSeconds,
  )

/**
 * Counts one request against a rate limit: exact over all nodes and restarts, a sliding window of 60 seconds. Throws
 * `rate_limited` with the seconds to wait. When the database cannot count, the request is refused. One client's requests
 * are counted one after the other, so that they never occupy more than one database connection.
 */
export async function countRateHit(db: Db, rate: RateName, client: string): Promise<void> {
  const key = `${rate}:${client}`
  const { refusedClients, countsUnderWay } = countersOf(db)
  const count = async (): Promise<number> => {
    const knownWaitSeconds = refusedClients.waitSecondsOf(key)
    if (knownWaitSeconds > 0) return knownWaitSeconds
    const { rows } = await sql<{
      wait: number
    }>`select count_rate_hit(${key}, ${rates[rate].perMinute}) as wait`.execute(db)
    const waitSeconds = rows[0]?.wait ?? 60
    refusedClients.note(key, waitSeconds)
    return waitSeconds
  }
  // When a count fails, those that wait for it fail too: the database is down, and each would wait for it once more.
  const counted = countsUnderWay.get(key)?.then(count) ?? count()
  countsUnderWay.set(key, counted)
  try {
    const waitSeconds = await counted
    if (waitSeconds > 0) throw tooManyRequests(waitSeconds)
  } finally {
    if (countsUnderWay.get(key) === counted) countsUnderWay.delete(key)
  }
}

/** Deletes the counters of clients without recent requests. */
export async function deleteOldRateHits(db: Db): Promise<void> {
  await sql`delete from rate_hits where hits[cardinality(hits)] < now() - interval '2 minutes'`.execute(db)
}
