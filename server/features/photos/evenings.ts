import { sql, type RawBuilder } from 'kysely'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { invalidField } from '../../faults.ts'
import { isCalendarDay } from '../../lib/calendar-day.ts'

const nightHours = sql`make_interval(hours => ${sql.lit(limits.eveningEndsHour)})`

/** The moment at which an evening begins: by the clock on the wall, also on days when the clocks change. */
export const eveningStart = (day: RawBuilder<unknown>, timeZone: string): RawBuilder<Date> =>
  sql`((${day}::date + ${nightHours}) at time zone ${timeZone}::text)`

/** Whether a photo is of an evening. An index finds such photos. */
export const isOfEvening = (day: string, timeZone: string): RawBuilder<boolean> =>
  sql`(photos.created_at >= ${eveningStart(sql`${day}`, timeZone)} and photos.created_at < ${eveningStart(sql`(${day}::date + 1)`, timeZone)})`

/** Throws `invalid` for a day that does not exist. */
export function checkDays(days: Record<string, string | undefined>, part: 'body' | 'query' = 'query'): void {
  for (const [name, day] of Object.entries(days))
    if (day !== undefined && !isCalendarDay(day)) throw invalidField(name, 'Please give a day as yyyy-mm-dd', part)
}

/** Of an account; UTC where it has none, or one that this database does not know: servers have lists of different years. */
export async function timeZoneOf(db: Db, userId: string): Promise<string> {
  try {
    const { rows } = await sql<{ zone: string }>`
      select time_zone as zone, now() at time zone time_zone as "localTime" from users
      where id = ${userId} and time_zone is not null`.execute(db)
    return rows[0]?.zone ?? 'UTC'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === invalidParameter) return 'UTC'
    throw error
  }
}
const invalidParameter = '22023'
