import { type RawBuilder, sql } from 'kysely'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type { EventOrder, PhotoHour } from '@keepsnap/contract/photos.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import { invalidField } from '../../faults.ts'
import { shownAt, takenAt } from './photo-view.ts'

/** An evening goes on after midnight; until then a photo is of the evening before. */
export const nightHours = sql`make_interval(hours => ${sql.lit(limits.eveningEndsHour)})`

/** The time of a photo by which a list in this order is sorted. */
export const timeInOrder = (order: EventOrder): RawBuilder<Date> =>
  order === 'taken' ? sql<Date>`coalesce(${takenAt}, ${shownAt})` : shownAt

const [firstMoment, lastMoment] = [Date.UTC(1970, 0), Date.UTC(2200, 0)]

/** The moment that a query gives as `until`. Throws for a text that is none. */
export function parseUntil(until: string | undefined): Date | undefined {
  if (until === undefined) return undefined
  const moment = Date.parse(until)
  // Not NaN either.
  if (!(moment >= firstMoment && moment < lastMoment))
    throw invalidField('until', 'Please give a moment such as 2026-11-14T20:00:00Z', 'query')
  return new Date(moment)
}

/**
 * The hours of the clock that have photos among those of a condition, the newest first. An hour that the clock shows twice, when
 * daylight saving time ends, is two.
 */
export async function hoursOfPhotos(
  db: Db,
  { order, timeZone, photos }: { order: EventOrder; timeZone: string; photos: RawBuilder<unknown> },
): Promise<PhotoHour[]> {
  const local = sql`(time at time zone ${timeZone}::text)`
  const { rows } = await sql<{ at: Date; evening: string; count: number }>`
    select time - (${local} - date_trunc('hour', ${local})) as at, min(to_char(${local} - ${nightHours}, 'yyyy-mm-dd')) as evening,
      sum(count)::int as count
    from (
      select date_trunc('minute', ${timeInOrder(order)}) as time, count(*) as count from photos where ${photos} group by 1
    ) as minutes
    group by 1 order by 1 desc limit ${eventLimits.hoursListed}`.execute(db)
  return rows.map(({ at, ...hour }) => ({ ...hour, at: at.toISOString() }))
}
