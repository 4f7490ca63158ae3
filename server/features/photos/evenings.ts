import { sql, type RawBuilder } from 'kysely'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { invalidField } from '../../faults.ts'
import { isCalendarDay } from '../../lib/calendar-day.ts'

const nightHours = sql`make_interval(hours => ${sql.lit(limits.eveningEndsHour)})`

/** The moment at which an evening begins: by the clock on the wall, also on days when the clocks change. */
export const eveningStart = (day: RawBuilder<unknown>, timeZone: string): RawBuilder<Date> =>
  sql`((${day}::date + ${nightHours}) at time zone ${timeZone}::text)`

/** The day of the evening that a time belongs to. */
export const eveningOf = (time: RawBuilder<unknown>, timeZone: string): RawBuilder<string> =>
  sql`((${time} at time zone ${timeZone}::text) - ${nightHours})::date`

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

/** Evenings that have photos, the newest first, and how many. Jumps from evening to evening in the index of a user's photos. */
export async function photoDaysOf(
  db: Db,
  userId: string,
  { timeZone, limit, before }: { timeZone: string; limit: number; before?: string | undefined },
): Promise<{ day: string; count: number }[]> {
  const isPhoto = sql`photos.user_id = ${userId} and photos.deleted_at is null and photos.state <> 'receiving'`
  const newestBefore = (moment: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select ${eveningOf(sql`photos.created_at`, timeZone)} as day, photos.created_at from photos
    where ${isPhoto} and photos.created_at < ${moment} order by photos.created_at desc, photos.id desc limit 1`
  const start = (day: RawBuilder<unknown>) => eveningStart(day, timeZone)
  // `least`: goes on to earlier photos even where the clocks leave out the hour at which evenings begin.
  const { rows } = await sql<{ day: string; count: number }>`
    with recursive evenings as (
      (${newestBefore(before === undefined ? sql`'infinity'` : start(sql`${before}`))})
      union all
      select earlier.* from evenings cross join lateral (
        ${newestBefore(sql`least(evenings.created_at, ${start(sql`evenings.day`)})`)}
      ) as earlier
    )
    select day::text, (
      select count(*) from photos where ${isPhoto}
        and photos.created_at >= ${start(sql`evenings.day`)} and photos.created_at < ${start(sql`(evenings.day + 1)`)}
    ) as count
    from evenings limit ${limit}`.execute(db)
  return rows
}
