import { sql } from 'kysely'
import type { GuestActivityCounts } from '@keepsnap/contract/insights.ts'
import { limits } from '@keepsnap/contract/limits.ts'
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

/** What an evening goes on for after midnight. */
const eveningEnds = sql`make_interval(hours => ${sql.lit(limits.eveningEndsHour)})`

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

/** Activity in one hour of the clock. */
export interface HourlyActivity extends GuestActivityCounts {
  /** `yyyy-mm-dd` */
  day: string
  /** 0 to 23. An hour that the clock shows twice, when daylight saving time ends, is one. */
  hour: number
}

/** The counts of every hour with activity, until 6:00 on the day after the range, in any order. */
export async function hourlyActivity(db: Db, { userId, from, to, timeZone }: ActivityRange): Promise<HourlyActivity[]> {
  // The index finds the days that contain the range in every time zone. Sums come first, because times are converted slowly.
  const { rows } = await sql<HourlyActivity>`
    select to_char(local_time, 'yyyy-mm-dd') as day, extract(hour from local_time)::int as hour, ${activitySums}
    from (
      select hour at time zone ${timeZone} as local_time, sum(scans) as scans, sum(views) as views, sum(downloads) as downloads,
        sum(requests) as requests
      from photo_activity
      where user_id = ${userId} and hour >= (${from}::date - 1)::timestamp at time zone 'UTC' and hour < (${to}::date + 3)::timestamp at time zone 'UTC'
      group by photo_activity.hour
    ) as periods
    where local_time >= ${from}::date and local_time < ${to}::date + 1 + ${eveningEnds}
    group by 1, 2`.execute(db)
  return rows
}

/** How many photos were added in each evening of the range and still exist; evenings without photos are left out. */
export async function photosByEvening(db: Db, range: ActivityRange): Promise<{ day: string; photos: number }[]> {
  const { userId, from, to, timeZone } = range
  const { rows } = await sql<{ day: string; photos: number }>`
    select to_char(evening, 'yyyy-mm-dd') as day, count(*)::int as photos
    from (
      select (created_at at time zone ${timeZone} - ${eveningEnds})::date as evening from photos
      where user_id = ${userId} and deleted_at is null and state <> 'receiving'
        and created_at >= (${from}::date - 1)::timestamp at time zone 'UTC' and created_at < (${to}::date + 3)::timestamp at time zone 'UTC'
    ) as added
    where evening between ${from}::date and ${to}::date group by evening`.execute(db)
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
  // Only the photos that can be among them are read: as many more as were deleted and still have counts.
  const { rows } = await sql<TopPhoto>`
    with counts as (
      select photo_id, ${activitySums} from photo_activity where ${isInActivityRange(range)} group by 1
    ), most as (
      select * from counts order by downloads + requests desc, scans desc
      fetch first (${limit} + (select count(*) from photos where user_id = ${range.userId} and deleted_at is not null)) rows with ties
    )
    select photos.id, photos.filename, photos.thumb_key, photos.hidden_at, photos.operator_decision,
      most.scans, most.views, most.downloads, most.requests
    from most join photos on photos.id = most.photo_id and photos.deleted_at is null
    order by most.downloads + most.requests desc, most.scans desc, photos.created_at desc limit ${limit}`.execute(db)
  return rows
}
