import { sql } from 'kysely'
import { rates, type RateName } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import { Fault } from '../faults.ts'

/**
 * Counts one call against a rate, exactly, over all nodes and restarts: never more than the rate's number in any 60
 * seconds. Throws `rate_limited` with the seconds to wait. When the database cannot count, the call is refused.
 */
export async function countCall(db: Db, rate: RateName, who: string): Promise<void> {
  const { rows } = await sql<{
    wait: number
  }>`select take_rate(${`${rate}:${who}`}, ${rates[rate].perMinute}) as wait`.execute(db)
  const wait = rows[0]?.wait ?? 60
  if (wait > 0)
    throw new Fault(
      'rate_limited',
      `Too many requests. Please wait ${wait} ${wait === 1 ? 'second' : 'seconds'} and try again.`,
      wait,
    )
}

/** Forgets clients that have not called for a while. */
export async function forgetOldCalls(db: Db): Promise<void> {
  await sql`delete from rate_hits where hits[cardinality(hits)] < now() - interval '2 minutes'`.execute(db)
}
