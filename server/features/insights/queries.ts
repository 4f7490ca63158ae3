import { sql } from 'kysely'
import type { GuestActivityCounts } from '@keepsnap/contract/insights.ts'
import type { Db } from '../../db/connect.ts'

/** Days of a user's activity, in a time zone that the database knows. */
export interface ActivityRange {
  userId: string
  /** `yyyy-mm-dd`, both included. */
  from: string
  to: string
  timeZone: string
}

const activitySums = sql`coalesce(sum(scans), 0)::int as scans, coalesce(sum(views), 0)::int as views,
  coalesce(sum(downloads), 0)::int as downloads, coalesce(sum(requests), 0)::int as requests`

const isInActivityRange = ({ userId, from, to, timeZone }: ActivityRange) => sql`
  user_id = ${userId} and hour >= (${from}::date)::timestamp at time zone ${timeZone}
  and hour < (${to}::date + 1)::timestamp at time zone ${timeZone}`

export const isTimeZone = async (db: Db, name: string): Promise<boolean> =>
  (await sql`select 1 from pg_timezone_names where name = ${name}`.execute(db)).rows.length > 0

/** Today in a time zone, `yyyy-mm-dd`. */
export async function todayIn(db: Db, timeZone: string): Promise<string> {
  const { rows } = await sql<{ day: string }>`select ((now() at time zone ${timeZone})::date)::text as day`.execute(db)
  const [{ day } = { day: new Date().toISOString().slice(0, 10) }] = rows // the query returns one row
  return day
}

/** The counts of every day, including days without activity. */
export async function dailyCounts(db: Db, range: ActivityRange): Promise<({ day: string } & GuestActivityCounts)[]> {
  const { rows } = await sql<{ day: string } & GuestActivityCounts>`
    select to_char(days.day, 'yyyy-mm-dd') as day, coalesce(counts.scans, 0) as scans, coalesce(counts.views, 0) as views,
      coalesce(counts.downloads, 0) as downloads, coalesce(counts.requests, 0) as requests
    from generate_series(${range.from}::date, ${range.to}::date, interval '1 day') as days (day)
    left join (
      select (hour at time zone ${range.timeZone})::date as day, ${activitySums} from photo_activity where ${isInActivityRange(range)} group by 1
    ) as counts on counts.day = days.day::date
    order by days.day`.execute(db)
  return rows
}

/** The counts of every hour of the day, over all days. */
export async function hourlyCounts(db: Db, range: ActivityRange): Promise<({ hour: number } & GuestActivityCounts)[]> {
  const { rows } = await sql<{ hour: number } & GuestActivityCounts>`
    select hours.hour, coalesce(counts.scans, 0) as scans, coalesce(counts.views, 0) as views, coalesce(counts.downloads, 0) as downloads,
      coalesce(counts.requests, 0) as requests
    from generate_series(0, 23) as hours (hour)
    left join (
      select extract(hour from hour at time zone ${range.timeZone})::int as hour, ${activitySums} from photo_activity
      where ${isInActivityRange(range)} group by 1
    ) as counts on counts.hour = hours.hour
    order by hours.hour`.execute(db)
  return rows
}

export interface TopPhoto extends GuestActivityCounts {
  id: string
  filename: string
  thumb_key: string | null
  hidden_at: Date | null
  operator_decision: string | null
}

/** The photos with the most downloads and requests. */
export async function topPhotos(db: Db, range: ActivityRange, limit: number): Promise<TopPhoto[]> {
  const { rows } = await sql<TopPhoto>`
    select photos.id, photos.filename, photos.thumb_key, photos.hidden_at, photos.operator_decision,
      counts.scans, counts.views, counts.downloads, counts.requests
    from (select photo_id, ${activitySums} from photo_activity where ${isInActivityRange(range)} group by 1) as counts
    join photos on photos.id = counts.photo_id and photos.deleted_at is null
    order by counts.downloads + counts.requests desc, counts.scans desc, photos.created_at desc limit ${limit}`.execute(
    db,
  )
  return rows
}
