import { sql } from 'kysely'
import { rates, type RateName } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import { Fault } from '../faults.ts'

/**
 * Counts one request against a rate limit: exact over all nodes and restarts, a sliding window of 60 seconds. Throws
 * `rate_limited` with the seconds to wait. When the database cannot count, the request is refused.
 */
export async function countRateHit(db: Db, rate: RateName, client: string): Promise<void> {
  const { rows } = await sql<{
    wait: number
  }>`select count_rate_hit(${`${rate}:${client}`}, ${rates[rate].perMinute}) as wait`.execute(db)
  const waitSeconds = rows[0]?.wait ?? 60
  if (waitSeconds > 0)
    throw new Fault(
      'rate_limited',
      `Too many requests. Please wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'} and try again.`,
      waitSeconds,
    )
}

/** Deletes the counters of clients without recent requests. */
export async function deleteOldRateHits(db: Db): Promise<void> {
  await sql`delete from rate_hits where hits[cardinality(hits)] < now() - interval '2 minutes'`.execute(db)
}
