import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'

/** Several times a minute, so that none is missed. */
const checkEveryMs = 20_000
const keepDays = 400

/** Counts the current minute as available, once across all nodes. */
export async function recordMinute(db: Db): Promise<void> {
  await sql`
    insert into availability_days as days (day, first_minute, last_minute, minutes)
    select (minute at time zone 'utc')::date, minute, minute, 1 from (select date_trunc('minute', now()) as minute) as now
    on conflict (day) do update set last_minute = excluded.last_minute, minutes = days.minutes + 1
      where days.last_minute < excluded.last_minute`.execute(db)
}

/** Records the minutes in which this node serves requests while the database and the store respond. */
export function createAvailabilityMeter({ db, storage, log }: Pick<Dependencies, 'db' | 'storage' | 'log'>) {
  let timer: NodeJS.Timeout | undefined
  const check = async (): Promise<void> => {
    try {
      await storage.check()
      await recordMinute(db)
    } catch (error) {
      log.debug({ err: error }, 'this minute does not count as available')
    }
  }
  return {
    /** Call it when requests are accepted. */
    start(): void {
      void check()
      timer ??= setInterval(() => void check(), checkEveryMs).unref()
    },
    close(): void {
      clearInterval(timer)
    },
  }
}

export async function deleteOldAvailability(db: Db): Promise<void> {
  await sql`delete from availability_days where day < (now() at time zone 'utc')::date - ${keepDays}::int`.execute(db)
}
