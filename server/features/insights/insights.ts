import { type RawBuilder, sql } from 'kysely'
import PQueue from 'p-queue'
import {
  type Evening,
  type EventHour,
  exportInsights,
  type GuestActivityCounts,
  insights,
  type Insights,
  insightsFilename,
  shareOfScans,
} from '@keepsnap/contract/insights.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Input } from '@keepsnap/contract/endpoint.ts'
import { unknownEvent } from '@keepsnap/contract/events.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { ApiDependencies, Dependencies } from '../../dependencies.ts'
import { createCsvWriter } from '../../lib/csv.ts'
import { contentDisposition } from '../../lib/headers.ts'
import type { SessionActor } from '../../platform/http/authenticator.ts'
import { languageOfUser } from '../emails/compose.ts'
import { planOfUser } from '../plans/plans.ts'
import { Fault, invalidField } from '../../faults.ts'
import { chosenEvent, liveEvent } from '../events/chosen-event.ts'
import { nightHours } from '../photos/event-order.ts'
import { cleanFilename } from '../photos/filenames.ts'
import { checkDays, eveningOf } from '../photos/gallery.ts'
import { isOfEvent, ownerThumbnailUrl, shownAt } from '../photos/photo-view.ts'
import type { Serve } from '../../platform/http/serve.ts'

const topPhotosMax = 10

/** What guests did with a user's photos, for plans with usage analytics. */
export function insightsRoutes(serve: Serve, deps: ApiDependencies): void {
  // The database reads its files of time zones for each question.
  const timeZones = new Set<string>()
  const readRange = async (query: Input<typeof insights>['query'], actor: SessionActor): Promise<ActivityRange> => {
    const { userId } = actor
    const { db, guestActivity } = deps
    const plan = await planOfUser(db, userId)
    if (!plan.features.analytics)
      throw new Fault('forbidden', 'Usage analytics come with the Pro plans. Upgrade to see scans and downloads.')
    const timeZone = query.tz ?? 'UTC'
    const zone = sql`select 1 from pg_timezone_names where name = ${timeZone}`
    if (!timeZones.has(timeZone) && (await zone.execute(db)).rows.length === 0)
      throw invalidField('tz', 'Please give a time zone such as Europe/Brussels', 'query')
    timeZones.add(timeZone)
    const event = await chosenEvent(db, actor, query.event)
    const range = { userId, timeZone, event, ...parseDateRange(await todayIn(db, timeZone), query) }
    await guestActivity.flush()
    return range
  }
  serve(insights, async ({ query }, { actor }) => readInsights(deps, await readRange(query, actor)))
  serve(exportInsights, async ({ query }, { actor, reply }) => {
    const { event, ...range } = await readRange(query, actor)
    if (event === undefined || event === 'none') throw invalidField('event', unknownEvent, 'query')
    const { name } = await liveEvent(deps.db, actor.userId, event)
    const csv = createCsvWriter(await languageOfUser(deps.db, actor.userId), deps.guestRenderer.translateCsv)
    const lines = (await eventHours(deps.db, { ...range, event })).map(({ at, evening, hour, ...counts }) =>
      csv.line([
        evening,
        `${hour}:00`,
        new Date(at),
        ...eventCountNames.map((name) => counts[name]),
        shareOfScans(counts),
      ]),
    )
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': contentDisposition('attachment', cleanFilename(insightsFilename({ name, ...range }))),
      'cache-control': 'no-store',
    })
    await reply.send(
      [csv.heading(['Evening', 'Hour', 'Hour (UTC)', ...eventCountHeadings, 'Per 100 scans']), ...lines].join(''),
    )
  })
}

const maxInsightsDays = 366
const defaultInsightsDays = 30
const dayMs = 24 * 3_600_000
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** The days of a request, `yyyy-mm-dd`: the last thirty by default, at most a year. Throws `invalid` for others. */
function parseDateRange(today: string, { from, to }: { from?: string | undefined; to?: string | undefined }) {
  checkDays({ from, to })
  const lastDay = to ?? today
  const firstDay = from ?? addDays(lastDay, 1 - defaultInsightsDays)
  if (firstDay > lastDay) throw invalidField('from', 'The first day must not be after the last', 'query')
  if (addDays(lastDay, 1 - maxInsightsDays) > firstDay)
    throw invalidField('from', `At most ${maxInsightsDays} days can be shown at once`, 'query')
  return { from: firstDay, to: lastDay }
}

/** Days of a user's activity, in a time zone that the database knows. */
interface ActivityRange {
  userId: string
  /** `yyyy-mm-dd`, both included. */
  from: string
  to: string
  timeZone: string
  /** See `isOfEvent`. */
  event: string | undefined
}

async function readInsights({ db, urls }: Dependencies, range: ActivityRange): Promise<Insights> {
  const { event } = range
  const [activity, photoCounts, photos, hoursOfEvent] = await Promise.all([
    hourlyActivity(db, range),
    photosByEvening(db, range),
    topPhotos(db, range, topPhotosMax),
    event === undefined || event === 'none' ? undefined : eventHours(db, { ...range, event }),
  ])
  const totals = noActivity()
  const days = new Map<string, Insights['days'][number]>()
  for (let day = range.from; day <= range.to; day = addDays(day, 1)) days.set(day, { day, ...noActivity() })
  const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, ...noActivity() }))
  for (const counted of activity) {
    // The last evening goes on after the last day.
    if (!days.has(counted.day)) continue
    for (const sum of [totals, days.get(counted.day), hours[counted.hour]]) addActivity(sum, counted)
  }
  const [busiestHour] = hours.toSorted((a, b) => b.scans - a.scans)
  const conversionPercent = (100 * (totals.downloads + totals.requests)) / totals.scans
  return {
    from: range.from,
    to: range.to,
    time_zone: range.timeZone,
    totals,
    days: [...days.values()],
    hours,
    peak_hour: busiestHour && busiestHour.scans > 0 ? busiestHour.hour : null,
    conversion_percent: totals.scans > 0 ? Math.min(100, Math.round(conversionPercent)) : null,
    evenings: eveningsOf(range, activity, photoCounts),
    best_photos: photos.map(({ thumb_key, hidden_at, operator_decision, ...photo }) => ({
      ...photo,
      thumbnail_url: ownerThumbnailUrl(urls, { thumb_key, hidden_at, operator_decision }),
    })),
    ...(hoursOfEvent && { event_hours: hoursOfEvent }),
  }
}

/** The evenings that begin in the range, newest first. */
function eveningsOf(
  { from, to }: ActivityRange,
  activity: readonly HourlyActivity[],
  photoCounts: readonly { day: string; photos: number }[],
): Evening[] {
  const evenings = new Map<string, { photos: number; hours: GuestActivityCounts[] }>()
  const eveningOn = (day: string) => {
    // The hours in the order of an evening, from 6:00.
    const evening = evenings.get(day) ?? { photos: 0, hours: Array.from({ length: 24 }, noActivity) }
    evenings.set(day, evening)
    return evening
  }
  for (const { day, photos } of photoCounts) eveningOn(day).photos = photos
  for (const { day, hour, ...counted } of activity) {
    const evening = hour < limits.eveningEndsHour ? addDays(day, -1) : day
    if (evening >= from && evening <= to)
      addActivity(eveningOn(evening).hours[(hour - limits.eveningEndsHour + 24) % 24], counted)
  }
  return [...evenings.entries()]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, { photos, hours }]) => {
      const isActive = (hour: GuestActivityCounts): boolean => activities.some((name) => hour[name] > 0)
      const first = hours.findIndex(isActive)
      const active = first === -1 ? [] : hours.slice(first, hours.findLastIndex(isActive) + 1)
      const of = (name: keyof GuestActivityCounts): number[] => active.map((hour) => hour[name])
      const sum = noActivity()
      for (const hour of active) addActivity(sum, hour)
      return {
        day,
        photos,
        ...sum,
        first_hour: first === -1 ? null : (first + limits.eveningEndsHour) % 24,
        hours: { scans: of('scans'), views: of('views'), downloads: of('downloads'), requests: of('requests') },
      }
    })
}

const activities = ['scans', 'views', 'downloads', 'requests'] as const
const noActivity = (): GuestActivityCounts => ({ scans: 0, views: 0, downloads: 0, requests: 0 })

function addActivity(sum: GuestActivityCounts | undefined, added: GuestActivityCounts): void {
  if (sum) for (const activity of activities) sum[activity] += added[activity]
}

const activitySums = sql`coalesce(sum(scans), 0)::int as scans, coalesce(sum(views), 0)::int as views,
  coalesce(sum(downloads), 0)::int as downloads, coalesce(sum(requests), 0)::int as requests`

/** A condition on rows of `photo_activity`, whose photos may be gone. */
const isActivityOfEvent = ({ userId, event }: ActivityRange) =>
  event === undefined
    ? sql`true`
    : sql`photo_id in (select id from photos where user_id = ${userId} and is_listed and ${isOfEvent(event)})`

const isInActivityRange = ({ userId, from, to, timeZone }: ActivityRange) => sql`
  user_id = ${userId} and hour >= (${from}::date)::timestamp at time zone ${timeZone}
  and hour < (${to}::date + 1)::timestamp at time zone ${timeZone}`

/** Today in a time zone, `yyyy-mm-dd`. */
async function todayIn(db: Db, timeZone: string): Promise<string> {
  const { rows } = await sql<{ day: string }>`select ((now() at time zone ${timeZone})::date)::text as day`.execute(db)
  const [{ day } = { day: new Date().toISOString().slice(0, 10) }] = rows // the query returns one row
  return day
}

/** Activity in one hour of the clock. */
interface HourlyActivity extends GuestActivityCounts {
  /** `yyyy-mm-dd` */
  day: string
  /** 0 to 23. An hour that the clock shows twice, when daylight saving time ends, is one. */
  hour: number
}

/** The counts of every hour with activity, until 6:00 on the day after the range, in any order. */
async function hourlyActivity(db: Db, range: ActivityRange): Promise<HourlyActivity[]> {
  const { userId, from, to, timeZone } = range
  // The index finds the days that contain the range in every time zone. Sums come first, because times are converted slowly.
  const { rows } = await sql<HourlyActivity>`
    select to_char(local_time, 'yyyy-mm-dd') as day, extract(hour from local_time)::int as hour, ${activitySums}
    from (
      select hour at time zone ${timeZone} as local_time, sum(scans) as scans, sum(views) as views, sum(downloads) as downloads,
        sum(requests) as requests
      from photo_activity
      where user_id = ${userId} and hour >= (${from}::date - 1)::timestamp at time zone 'UTC' and hour < (${to}::date + 3)::timestamp at time zone 'UTC'
        and ${isActivityOfEvent(range)}
      group by photo_activity.hour
    ) as periods
    where local_time >= ${from}::date and local_time < ${to}::date + 1 + ${nightHours}
    group by 1, 2`.execute(db)
  return rows
}

/** How many photos were added in each evening of the range and still exist; evenings without photos are left out. */
async function photosByEvening(db: Db, range: ActivityRange): Promise<{ day: string; photos: number }[]> {
  const { userId, from, to, timeZone } = range
  const { rows } = await sql<{ day: string; photos: number }>`
    select to_char(evening, 'yyyy-mm-dd') as day, count(*)::int as photos
    from (
      select ${eveningOf(shownAt, timeZone)} as evening from photos
      where user_id = ${userId} and deleted_at is null and state <> 'receiving' and is_listed and ${isOfEvent(range.event)}
        and ${shownAt} >= (${from}::date - 1)::timestamp at time zone 'UTC' and ${shownAt} < (${to}::date + 3)::timestamp at time zone 'UTC'
    ) as added
    where evening between ${from}::date and ${to}::date group by evening`.execute(db)
  return rows
}

const eventCountNames = ['photo_scans', 'event_scans', 'views', 'downloads', 'requests', 'joins', 'photos'] as const
const eventCountHeadings = [
  'Scans of photos',
  'Scans of the event',
  'Views',
  'Downloads',
  'Requests',
  'Guests who joined',
  'Photos added',
] as const

/**
 * The hours of an event in which something was counted. What is counted for a photo in the gallery is counted for the photo alone; all
 * photos as one file are one download.
 */
async function eventHours(db: Db, range: ActivityRange & { event: string }): Promise<EventHour[]> {
  const { userId, event, from, to, timeZone } = range
  const isNear = (time: RawBuilder<unknown>) =>
    sql`${time} >= (${from}::date - 1)::timestamp at time zone 'UTC' and ${time} < (${to}::date + 3)::timestamp at time zone 'UTC'`
  const local = sql`(time at time zone ${timeZone}::text)`
  const { rows } = await sql<Omit<EventHour, 'at'> & { at: Date }>`
    with counted as (
      select hour as time, scans as photo_scans, 0 as event_scans, views, downloads, requests, 0 as joins, 0 as photos
      from photo_activity where user_id = ${userId} and ${isNear(sql`hour`)} and ${isActivityOfEvent(range)}
      union all
      select hour, 0, scans, 0, archives, 0, joins, 0
      from event_activity where user_id = ${userId} and event_id = ${event} and ${isNear(sql`hour`)}
      union all
      select date_trunc('minute', ${shownAt}), 0, 0, 0, 0, 0, 0, count(*)
      from photos where user_id = ${userId} and deleted_at is null and state <> 'receiving' and is_listed and ${isOfEvent(event)}
        and ${isNear(shownAt)} group by 1
    ), hours as (
      select time - (${local} - date_trunc('hour', ${local})) as at, min(to_char(${local} - ${nightHours}, 'yyyy-mm-dd')) as evening,
        min(extract(hour from ${local}))::int as hour, ${sql.join(eventCountNames.map((name) => sql`sum(${sql.ref(name)})::int as ${sql.ref(name)}`))}
      from counted group by 1
    )
    select * from hours
    where evening between ${from} and ${to} and ${sql.join(
      eventCountNames.map((name) => sql.ref(name)),
      sql` + `,
    )} > 0 order by at`.execute(db)
  return rows.map(({ at, ...hour }) => ({ ...hour, at: at.toISOString() }))
}

interface TopPhoto extends GuestActivityCounts {
  id: string
  filename: string
  thumb_key: string | null
  hidden_at: Date | null
  operator_decision: string | null
}

/** The photos with the most downloads and requests. */
async function topPhotos(db: Db, range: ActivityRange, limit: number): Promise<TopPhoto[]> {
  // Only the photos that can be among them are read: as many more as were deleted or are not listed, and still have counts.
  const { rows } = await sql<TopPhoto>`
    with counts as (
      select photo_id, ${activitySums} from photo_activity where ${isInActivityRange(range)} and ${isActivityOfEvent(range)} group by 1
    ), most as (
      select * from counts order by downloads + requests desc, scans desc
      fetch first (${limit} + (select count(*) from photos where user_id = ${range.userId} and (deleted_at is not null or not is_listed))) rows with ties
    )
    select photos.id, photos.filename, photos.thumb_key, photos.hidden_at, photos.operator_decision,
      most.scans, most.views, most.downloads, most.requests
    from most join photos on photos.id = most.photo_id and photos.deleted_at is null and photos.is_listed
    order by most.downloads + most.requests desc, most.scans desc, photos.created_at desc limit ${limit}`.execute(db)
  return rows
}

const flushIntervalMs = 2_000
/** Counters between two writes. While the database is unavailable for long, counts are lost rather than memory filled. */
const maxCounters = 20_000
/** Counts are cut at quarters of an hour, as time zones are. Rows of versions before 1.1 have whole hours. */
const periodMs = 15 * 60_000

export type ActivityCounter = ReturnType<typeof createActivityCounter>

/**
 * Counts what guests do, in memory, and writes every two seconds, so that thousands of scans cost a few statements. Counting is
 * synchronous and never fails the guest's request.
 */
export function createActivityCounter({ db, log }: Pick<Dependencies, 'db' | 'log'>) {
  const photos = createCounters<PhotoActivity>()
  const events = createCounters<EventActivity>()
  const write = async <Activity extends string>(
    counters: Counters<Activity>,
    writeCounters: (db: Db, counters: Counter<Activity>[]) => Promise<void>,
  ): Promise<void> => {
    const taken = counters.take()
    if (taken.length === 0) return
    try {
      await writeCounters(db, taken)
    } catch (error) {
      log.warn({ err: error }, 'the counts of guest activity could not be written; they are kept for the next attempt')
      counters.giveBack(taken)
    }
  }
  const writeAll = async (): Promise<void> => {
    await write(photos, writePhotoActivity)
    await write(events, writeEventActivity)
  }
  const writes = new PQueue({ concurrency: 1 })
  const flush = (): Promise<void> => writes.add(writeAll)
  const flushTimer = setInterval(() => void flush(), flushIntervalMs)
  flushTimer.unref()
  return {
    add: ({ photoId, userId }: { photoId: string; userId: string }, ...activities: PhotoActivity[]): void =>
      photos.add(photoId, userId, activities),
    /** Counts what guests do with a code of an event. */
    addToEvent: ({ eventId, userId }: { eventId: string; userId: string }, ...activities: EventActivity[]): void =>
      events.add(eventId, userId, activities),
    /** Writes the counts of this node to the database, for a caller that reads them next. Never rejects. */
    flush,
    close() {
      clearInterval(flushTimer)
      return flush()
    },
  }
}

type PhotoActivity = keyof GuestActivityCounts
type EventActivity = 'scans' | 'views' | 'saves' | 'requests' | 'joins' | 'adds' | 'archives'

/** The counts of a photo, or of an event, in a quarter of an hour. */
interface Counter<Activity extends string> {
  id: string
  userId: string
  /** When it begins, in seconds since 1970; the column is older and called `hour`. */
  startsAt: number
  counts: Partial<Record<Activity, number>>
}

type Counters<Activity extends string> = ReturnType<typeof createCounters<Activity>>

function createCounters<Activity extends string>() {
  let counters = new Map<string, Counter<Activity>>()
  const counterOf = ({ id, userId, startsAt }: Omit<Counter<Activity>, 'counts'>): Counter<Activity> | undefined => {
    const key = `${id} ${startsAt}`
    const counter = counters.get(key) ?? { id, userId, startsAt, counts: {} }
    if (!counters.has(key) && counters.size >= maxCounters) return undefined
    counters.set(key, counter)
    return counter
  }
  const increase = (counter: Counter<Activity> | undefined, activity: Activity, by: number): void => {
    if (counter) counter.counts[activity] = (counter.counts[activity] ?? 0) + by
  }
  return {
    add(id: string, userId: string, activities: Activity[]): void {
      const counter = counterOf({ id, userId, startsAt: Math.floor(Date.now() / periodMs) * (periodMs / 1000) })
      for (const activity of activities) increase(counter, activity, 1)
    },
    take(): Counter<Activity>[] {
      const taken = [...counters.values()]
      counters = new Map()
      return taken
    },
    giveBack(taken: Counter<Activity>[]): void {
      for (const { counts, ...period } of taken) {
        const counter = counterOf(period)
        for (const [activity, count] of Object.entries(counts)) increase(counter, activity as Activity, Number(count))
      }
    },
  }
}

/** The columns of counters, for `unnest`. */
const columnsOf = <Activity extends string>(counters: Counter<Activity>[], activities: readonly Activity[]) =>
  sql.join([
    sql`${counters.map(({ id }) => id)}::text[]`,
    sql`${counters.map(({ userId }) => userId)}::text[]`,
    sql`${counters.map(({ startsAt }) => startsAt)}::bigint[]`,
    ...activities.map((activity) => sql`${counters.map(({ counts }) => counts[activity] ?? 0)}::int[]`),
  ])

/**
 * Adds counters to the rows of photos that still exist. Locks the owners' rows first, as deleting an account does, which
 * prevents deadlocks.
 */
async function writePhotoActivity(db: Db, counters: Counter<PhotoActivity>[]): Promise<void> {
  await sql`
    insert into photo_activity (photo_id, user_id, hour, scans, views, downloads, requests)
    select counted.photo_id, counted.user_id, to_timestamp(counted.starts_at), counted.scans, counted.views, counted.downloads, counted.requests
    from unnest(${columnsOf(counters, activities)}) as counted (photo_id, user_id, starts_at, scans, views, downloads, requests)
    join photos on photos.id = counted.photo_id join users on users.id = counted.user_id
    order by counted.photo_id, counted.starts_at for key share of users
    on conflict (photo_id, hour) do update set scans = photo_activity.scans + excluded.scans,
      views = photo_activity.views + excluded.views, downloads = photo_activity.downloads + excluded.downloads,
      requests = photo_activity.requests + excluded.requests`.execute(db)
}

const eventActivities = ['scans', 'views', 'saves', 'requests', 'joins', 'adds', 'archives'] as const

/** As above, of events. */
async function writeEventActivity(db: Db, counters: Counter<EventActivity>[]): Promise<void> {
  const names = sql.join(eventActivities.map((name) => sql.ref(name)))
  await sql`
    insert into event_activity (event_id, user_id, hour, ${names})
    select counted.event_id, counted.user_id, to_timestamp(counted.starts_at), ${sql.join(eventActivities.map((name) => sql.ref(`counted.${name}`)))}
    from unnest(${columnsOf(counters, eventActivities)}) as counted (event_id, user_id, starts_at, ${names})
    join events on events.id = counted.event_id join users on users.id = counted.user_id
    order by counted.event_id, counted.starts_at for key share of users
    on conflict (event_id, hour) do update set
      ${sql.join(eventActivities.map((name) => sql`${sql.ref(name)} = event_activity.${sql.ref(name)} + ${sql.ref(`excluded.${name}`)}`))}`.execute(
    db,
  )
}
