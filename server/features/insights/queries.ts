import { sql } from 'kysely'
import type { Counts } from '@keepsnap/contract/insights.ts'
import type { Db } from '../../db/connect.ts'

/** Days of a user's activity, in a time zone that the database knows. */
export interface ActivityRange {
  userId: string
  /** `yyyy-mm-dd`, both included. */
  from: string
  to: string
  timeZone: string
}

const sums = sql`coalesce(sum(scans), 0)::int as scans, coalesce(sum(views), 0)::int as views,
  coalesce(sum(downloads), 0)::int as downloads, coalesce(sum(requests), 0)::int as requests`

const isWithin = ({ userId, from, to, timeZone }: ActivityRange) => sql`
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
export async function dailyCounts(db: Db, range: ActivityRange): Promise<({ day: string } & Counts)[]> {
  const { rows } = await sql<{ day: string } & Counts>`
    select to_char(d.day, 'yyyy-mm-dd') as day, coalesce(c.scans, 0) as scans, coalesce(c.views, 0) as views,
      coalesce(c.downloads, 0) as downloads, coalesce(c.requests, 0) as requests
    from generate_series(${range.from}::date, ${range.to}::date, interval '1 day') as d (day)
    left join (
      select (hour at time zone ${range.timeZone})::date as day, ${sums} from photo_activity where ${isWithin(range)} group by 1
    ) as c on c.day = d.day::date
    order by d.day`.execute(db)
  return rows
}

/** The counts of every hour of the day, over all days. */
export async function hourlyCounts(db: Db, range: ActivityRange): Promise<({ hour: number } & Counts)[]> {
  const { rows } = await sql<{ hour: number } & Counts>`
    select h.hour, coalesce(c.scans, 0) as scans, coalesce(c.views, 0) as views, coalesce(c.downloads, 0) as downloads,
      coalesce(c.requests, 0) as requests
    from generate_series(0, 23) as h (hour)
    left join (
      select extract(hour from hour at time zone ${range.timeZone})::int as hour, ${sums} from photo_activity
      where ${isWithin(range)} group by 1
    ) as c on c.hour = h.hour
    order by h.hour`.execute(db)
  return rows
}

export interface TopPhoto extends Counts {
  id: string
  filename: string
  thumb_key: string | null
  hidden: boolean
}

/** The photos with the most downloads and requests. */
export async function topPhotos(db: Db, range: ActivityRange, limit: number): Promise<TopPhoto[]> {
  const { rows } = await sql<TopPhoto>`
    select p.id, p.filename, p.thumb_key, p.hidden_at is not null as hidden, c.scans, c.views, c.downloads, c.requests
    from (select photo_id, ${sums} from photo_activity where ${isWithin(range)} group by 1) as c
    join photos p on p.id = c.photo_id and p.deleted_at is null
    order by c.downloads + c.requests desc, c.scans desc, p.created_at desc limit ${limit}`.execute(db)
  return rows
}
