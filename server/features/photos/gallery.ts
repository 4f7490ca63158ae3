import { sql, type RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import { limits, retention } from '@keepsnap/contract/limits.ts'
import {
  type EventOrder,
  getPhoto,
  latestPhoto,
  listPhotos,
  orderNeedsEvent,
  photoChanges,
  photoDays,
  photoHours,
} from '@keepsnap/contract/photos.ts'
import { coalesceKeys, coalesce, preparedLimit, prepareQuery } from '../../platform/db/prepared-query.ts'
import type { Database, Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { invalidField } from '../../faults.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { isCalendarDay } from '../../lib/days.ts'
import { chosenEvent } from '../events/chosen-event.ts'
import { hoursOfPhotos, nightHours, parseUntil, timeInOrder } from './event-order.ts'
import {
  latestOrNotFound,
  accountHasEvents,
  isOfEvent,
  photoOrNotFound,
  photoRowColumns,
  photoView,
  selectExistingPhotos,
  shownAt,
  takenAt,
  type PhotoRow,
} from './photo-view.ts'

/**
 * What the pages of an owner read: photos, evenings, and what has changed. Changes of the account that change the URLs of its
 * images, such as of its logo or who may see photos, are not among the changes: live messages say so, and the web app then reads
 * everything again.
 */
export function galleryRoutes(serve: Serve, deps: Dependencies): void {
  const { db, photoReads, urls } = deps
  serve(listPhotos, async ({ query }, { actor, reply }) => {
    const { limit = limits.listDefault, before, after, from, on } = query
    checkDays({ from, on })
    if ([before, after, from].filter((place) => place !== undefined).length > 1)
      throw invalidField('before', 'Give only one of before, after and from.', 'query')
    const event = await eventInOrder(deps, actor, query)
    const until = parseUntil(query.until)
    const { rows, hasOlder, hasNewer } = await photoReads.page(actor.userId, { ...query, event, until, limit })
    const [first, last] = [rows[0], rows.at(-1)]
    if (last && hasOlder) reply.header('x-next-before', last.id)
    if (first && hasNewer) reply.header('x-next-after', first.id)
    return rows.map(photoView(urls))
  })

  serve(photoDays, async ({ query }, { actor }) => {
    const { userId } = actor
    const { limit = limits.listDefault, before } = query
    checkDays({ before })
    const event = await eventInOrder(deps, actor, query)
    const timeZone = await timeZoneOf(db, userId)
    const read = query.order === 'taken' ? photoDaysTaken : photoDaysOf
    const found = await read(db, userId, { timeZone, limit: limit + 1, before, event })
    const days = found.slice(0, limit)
    return { days, next: found.length > limit ? (days.at(-1)?.day ?? null) : null, time_zone: timeZone }
  })

  serve(photoHours, async ({ query: { event, order = 'added' } }, { actor }) => {
    const { userId } = actor
    await eventInOrder(deps, actor, { event, order: 'taken' })
    const timeZone = await timeZoneOf(db, userId)
    const photos = sql`photos.user_id = ${userId} and photos.event_id = ${event} and photos.deleted_at is null
      and photos.state <> 'receiving' and photos.is_listed`
    return { hours: await hoursOfPhotos(db, { order, timeZone, photos }), time_zone: timeZone }
  })

  serve(latestPhoto, async ({ query }, { actor }) =>
    latestOrNotFound(urls, await photoReads.latest(actor.userId, await chosenEvent(db, actor, query.event))),
  )

  serve(getPhoto, async ({ params }, { actor }) => photoOrNotFound(urls, await photoReads.one(actor.userId, params.id)))

  serve(photoChanges, async ({ query: { since } }, { actor: { userId } }) => {
    const { rows, next, isKnown } = await changesSince(db, userId, since === undefined ? undefined : parsePlace(since))
    const reset = since !== undefined && (!isKnown || rows.length > maxChanges)
    const changed = reset ? [] : rows
    return {
      photos: changed.filter(({ isDeleted }) => !isDeleted).map(photoView(urls)),
      deleted: changed.filter(({ isDeleted }) => isDeleted).map(({ id }) => id),
      next: `${next.epoch}.${next.transaction}.${next.seconds}`,
      reset,
    }
  })
}

/** The event that a call asks for. Throws when it orders photos of more than one by when they were taken. */
async function eventInOrder(
  { db }: Dependencies,
  actor: Parameters<typeof chosenEvent>[1],
  { event: given, order }: { event?: string | undefined; order?: EventOrder | undefined },
): Promise<string | undefined> {
  const event = await chosenEvent(db, actor, given)
  if (order === 'taken' && (event === undefined || event === 'none'))
    throw invalidField('order', orderNeedsEvent, 'query')
  return event
}

/** Which photos a page has, as the contract of `listPhotos` says: at most one of `before`, `after` and `from`. */
interface PageOfPhotos {
  limit: number
  before?: string | undefined
  after?: string | undefined
  from?: string | undefined
  on?: string | undefined
  until?: Date | undefined
  order?: EventOrder | undefined
  name?: string | undefined
  event?: string | undefined
}

const ownColumns = photoRowColumns.flatMap((name) =>
  name.startsWith('photos.') && name !== 'photos.user_id' ? [name.slice('photos.'.length)] : [],
)

/** The columns of a photo itself, in the order of the arrays that the query of first pages returns. */
const firstPageColumns = [...ownColumns, 'taken_at']

function rowOf(values: readonly unknown[], owner: Pick<PhotoRow, 'user_id' | 'media_epoch' | 'has_events'>): PhotoRow {
  const row: Record<string, unknown> = { ...owner }
  for (const [index, name] of firstPageColumns.entries()) {
    const value = values[index]
    row[name] = typeof value === 'string' && name.endsWith('_at') ? new Date(value) : value
  }
  return row as unknown as PhotoRow // has all of its columns
}

/**
 * The newest photos of a user. Every screen of every user asks for them: one query reads them for several users, and their rows
 * arrive as JSON, which is parsed in a third of the time.
 */
function prepareFirstPage(db: Db, pool: Database['pool']): (userId: string, limit: number) => Promise<PhotoRow[]> {
  const newest = db
    .selectFrom('photos')
    .selectAll()
    .where(sql<boolean>`photos.user_id = users.id`)
    .where('photos.deleted_at', 'is', null)
    .where('photos.state', '!=', sql.lit('receiving'))
    .where('photos.is_listed', '=', sql.lit(true))
    .orderBy(shownAt, 'desc')
    .orderBy('photos.id', 'desc')
    .limit(preparedLimit)
  const columns = sql.join(ownColumns.map((name) => sql.ref(`photos.${name}`)))
  const query = prepareQuery(
    pool,
    'photos first',
    sql<{ userId: string; mediaEpoch: number; hasEvents: boolean; photos: unknown[][] | null }>`
      select id as "userId", media_epoch as "mediaEpoch", ${accountHasEvents} as "hasEvents",
        (select json_agg(json_build_array(${columns}, ${takenAt})) from ${newest.as('photos')}) as photos
      from users where id = any(${''}::text[])`.compile(db),
  )
  const readsByLimit = new LRUCache<number, (userId: string) => Promise<PhotoRow[] | undefined>>({ max: 100 })
  return async (userId, limit) => {
    const read =
      readsByLimit.get(limit) ??
      coalesceKeys(async (userIds) => {
        const owners = await query([limit, userIds])
        return new Map(
          owners.map(({ userId: user_id, mediaEpoch: media_epoch, hasEvents: has_events, photos }) => [
            user_id,
            (photos ?? []).map((values) => rowOf(values, { user_id, media_epoch, has_events })),
          ]),
        )
      })
    readsByLimit.set(limit, read)
    return (await read(userId)) ?? []
  }
}

/** Whether there is one of these photos. For `exists`, PostgreSQL would read the table in its own order, past all other accounts' photos. */
const anyOf = (photos: ReturnType<typeof selectExistingPhotos>) =>
  photos
    .clearSelect()
    .select(sql<boolean>`true`.as('any'))
    .orderBy(shownAt, 'desc')
    .orderBy('photos.id', 'desc')
    .limit(sql<number>`1`)

/** A page beside a place, or of some photos only. In the order of its reading: from the place. */
async function findPage(
  db: Db,
  userId: string,
  { limit, before, after, from, on, until, order = 'added', name, event }: PageOfPhotos,
): Promise<(PhotoRow & { hasMore: unknown })[]> {
  const timeZone = (from ?? on) === undefined ? 'UTC' : await timeZoneOf(db, userId)
  let photos = selectExistingPhotos(db).where('photos.user_id', '=', userId).where(isOfEvent(event))
  const time = timeInOrder(order)
  if (on !== undefined) photos = photos.where(isOfEvening(on, timeZone, time))
  if (name !== undefined) {
    const text = name.normalize('NFC').replace(/[\\%_]/g, '\\$&') // as names are stored, and no wildcards
    photos = photos.where('photos.filename', 'ilike', `%${text}%`)
  }
  const anchor = sql`(select ${time}, photos.id from photos where photos.id = ${before ?? after} and photos.user_id = ${userId})`
  /** The photos of the page, and those on the other side of the place. */
  const sides = (row: RawBuilder<unknown>, page: '<' | '>', others: '<=' | '>=', place: RawBuilder<unknown>) => ({
    isOfPage: sql<boolean>`${row} ${sql.raw(page)} ${place}`,
    isOther: sql<boolean>`${row} ${sql.raw(others)} ${place}`,
  })
  const id = sql`(${time}, photos.id)`
  const side =
    before !== undefined
      ? sides(id, '<', '>=', anchor)
      : after !== undefined
        ? sides(id, '>', '<=', anchor)
        : from !== undefined
          ? sides(time, '<', '>=', eveningStart(sql`(${from}::date + 1)`, timeZone))
          : until !== undefined
            ? sides(time, '<', '>=', sql`${until}`)
            : { isOfPage: sql<boolean>`true`, isOther: sql<boolean>`false` }
  const direction = after === undefined ? 'desc' : 'asc'
  return photos
    .select(anyOf(photos.where(side.isOther)).as('hasMore'))
    .where(side.isOfPage)
    .orderBy(time, direction)
    .orderBy('photos.id', direction)
    .limit(limit)
    .execute()
}

const newestPhotosOf = (db: Db, userId: string, event: string | undefined) =>
  selectExistingPhotos(db)
    .where('photos.user_id', '=', userId)
    .where(isOfEvent(event))
    .orderBy(shownAt, 'desc')
    .orderBy('photos.id', 'desc')

/** As `countedPage` of `createPhotoReads`, of the photos of one event, or of none; each row has the total. */
function countedPageOfEvent(
  db: Db,
  userId: string,
  {
    skip,
    limit,
    before,
    event,
  }: { skip: number; limit: number; before?: string | undefined; event: string | undefined },
) {
  const photos = newestPhotosOf(db, userId, event).where(
    'photos.operator_decision',
    'is distinct from',
    sql.lit('hide'),
  )
  const place = sql<boolean>`(${shownAt}, photos.id) < (select coalesce(earlier.shown_at, earlier.created_at), earlier.id
    from photos earlier where earlier.id = ${before} and earlier.user_id = ${userId})`
  const page = before === undefined ? photos : photos.where(place)
  const total = photos
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('total'))
  return page.select(total.as('total')).limit(limit).offset(skip).execute()
}

/** The newest photo of a user's current event, if there is one, else of all, that is not hidden from guests. */
function prepareLatest(db: Db, pool: Database['pool']): (userId: string) => Promise<PhotoRow | undefined> {
  const newest = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
    select photos.* from photos where photos.user_id = users.id and photos.deleted_at is null and photos.state <> 'receiving'
      and photos.is_listed and photos.hidden_at is null and ${condition}
    order by ${shownAt} desc, photos.id desc limit 1)`
  const columns = sql.join(photoRowColumns.map((name) => sql.ref(name)))
  // One of both finds nothing at once. A condition with "or" would look at all photos in the order of the account.
  const query = sql<PhotoRow>`
    select ${columns}, ${accountHasEvents} as has_events, ${takenAt} as taken_at from users cross join lateral (
      ${newest(sql`users.current_event_id is null`)} union all ${newest(sql`users.current_event_id is not null and photos.event_id = users.current_event_id`)}
    ) as photos where users.id = ${''}`.compile(db)
  const read = coalesce(prepareQuery(pool, 'photos latest', query))
  return async (userId) => (await read([userId]))[0]
}

export type PhotoReads = ReturnType<typeof createPhotoReads>

/**
 * A user's photos as they are now, newest first. Every open page repeats these queries: prepared statements, with identical
 * concurrent queries coalesced.
 */
export function createPhotoReads(db: Db, pool: Database['pool']) {
  const photosOfUser = selectExistingPhotos(db).where('photos.user_id', '=', '')
  const newestPhotos = photosOfUser.orderBy(shownAt, 'desc').orderBy('photos.id', 'desc')
  const comparedTo = (comparison: '<' | '>=') =>
    sql<boolean>`(${shownAt}, photos.id) ${sql.raw(comparison)} (select coalesce(earlier.shown_at, earlier.created_at), earlier.id from photos earlier where earlier.id = ${''} and earlier.user_id = ${''})`
  const isOlderPhoto = comparedTo('<')
  const firstPage = prepareFirstPage(db, pool)
  const hasNewer = anyOf(photosOfUser.where(comparedTo('>=')))
  const olderPage = coalesce(
    prepareQuery(
      pool,
      'photos older',
      newestPhotos.select(hasNewer.as('hasMore')).where(isOlderPhoto).limit(preparedLimit).compile(),
    ),
  )
  const latest = prepareLatest(db, pool)
  // Two counts that indexes answer: what operators hid is next to nothing.
  const hiddenByOperators = photosOfUser.where('photos.operator_decision', '=', sql.lit('hide')).clearSelect()
  const countOfUser = photosOfUser
    .clearSelect()
    .select((eb) =>
      sql<number>`${eb.fn.countAll()} - (${hiddenByOperators.select(eb.fn.countAll().as('hidden'))})`.as('count'),
    )
  const countPhotos = coalesce(prepareQuery(pool, 'photos count', countOfUser.compile()))
  const countedPhotos = newestPhotos
    .select(countOfUser.as('total'))
    .where('photos.operator_decision', 'is distinct from', sql.lit('hide'))
  const countedPage = coalesce(
    prepareQuery(pool, 'photos counted', countedPhotos.limit(preparedLimit).offset(0).compile()),
  )
  const countedOlderPage = coalesce(
    prepareQuery(pool, 'photos counted older', countedPhotos.where(isOlderPhoto).limit(preparedLimit).compile()),
  )
  const isPhotoOf = async (userId: string, id: string): Promise<boolean> =>
    (await db.selectFrom('photos').where('id', '=', id).where('user_id', '=', userId).select('id').execute()).length > 0
  const onePhoto = coalesce(prepareQuery(pool, 'photos one', photosOfUser.where('photos.id', '=', '').compile()))
  return {
    /** A page, and whether there are photos that are older than its last or newer than its first. */
    async page(
      userId: string,
      { limit, ...place }: PageOfPhotos,
    ): Promise<{ rows: PhotoRow[]; hasOlder: boolean; hasNewer: boolean }> {
      const { before, after, from, on, until, name, event } = place
      const isPlain = (after ?? from ?? on ?? until ?? name) === undefined && event === undefined
      if (isPlain && before === undefined) {
        const rows = await firstPage(userId, limit + 1)
        return { rows: rows.slice(0, limit), hasOlder: rows.length > limit, hasNewer: false }
      }
      const rows = isPlain
        ? await olderPage([userId, before, userId, userId, before, userId, limit + 1])
        : await findPage(db, userId, { limit: limit + 1, ...place })
      const hasMore = rows.length > limit
      // What is on the other side of the place.
      const hasOthers = rows[0]?.hasMore === true
      const page = rows.slice(0, limit)
      if (after === undefined) return { rows: page, hasOlder: hasMore, hasNewer: hasOthers }
      return { rows: page.toReversed(), hasOlder: hasOthers, hasNewer: hasMore }
    },
    /**
     * A page after the `skip` newest, or of photos older than `before`, which may be hidden or deleted, and how many photos there
     * are in all, both of the same moment; without those that an operator hid. Undefined when the user has no photo `before`.
     */
    async countedPage(
      userId: string,
      {
        skip,
        limit,
        before,
        event,
      }: { skip: number; limit: number; before?: string | undefined; event?: string | undefined },
    ): Promise<{ rows: PhotoRow[]; total: number } | undefined> {
      const countAll = async (): Promise<number | null | undefined> =>
        event === undefined
          ? (await countPhotos([userId, userId]))[0]?.count
          : (await countedPageOfEvent(db, userId, { skip: 0, limit: 1, event }))[0]?.total
      const rows =
        event !== undefined
          ? await countedPageOfEvent(db, userId, { skip, limit, before, event })
          : before === undefined
            ? await countedPage([userId, userId, userId, limit, skip])
            : await countedOlderPage([userId, userId, userId, before, userId, limit])
      if (before !== undefined && rows.length === 0 && !(await isPhotoOf(userId, before))) return undefined
      // A page after the last photo has no row with the total.
      const isFirstPage = skip === 0 && before === undefined
      const total = rows[0]?.total ?? (isFirstPage ? 0 : await countAll())
      return { rows, total: total ?? 0 }
    },
    /** How many there are: the number that triggers keep, see migration 0049. */
    async count(userId: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select coalesce((select photos from photo_counts where user_id = ${userId}), (
          select count(*) from photos where user_id = ${userId} and deleted_at is null and state <> 'receiving' and is_listed
        ))::integer as count`.execute(db)
      return rows[0]?.count ?? 0
    },
    /** The newest that is not hidden from guests, of the current event unless one is chosen: what a big screen shows. */
    latest: async (userId: string, event?: string): Promise<PhotoRow | undefined> =>
      event === undefined
        ? latest(userId)
        : newestPhotosOf(db, userId, event).where('photos.hidden_at', 'is', null).limit(1).executeTakeFirst(),
    one: async (userId: string, id: string): Promise<PhotoRow | undefined> => (await onePhoto([userId, id]))[0],
  }
}

/** The moment at which an evening begins: by the clock on the wall, also on days when the clocks change. */
export const eveningStart = (day: RawBuilder<unknown>, timeZone: string): RawBuilder<Date> =>
  sql`((${day}::date + ${nightHours}) at time zone ${timeZone}::text)`

/** The day of the evening that a time belongs to. */
export const eveningOf = (time: RawBuilder<unknown>, timeZone: string): RawBuilder<string> =>
  sql`((${time} at time zone ${timeZone}::text) - ${nightHours})::date`

/** Whether a photo is of an evening. An index finds such photos. */
export const isOfEvening = (day: string, timeZone: string, time = shownAt): RawBuilder<boolean> =>
  sql`(${time} >= ${eveningStart(sql`${day}`, timeZone)} and ${time} < ${eveningStart(sql`(${day}::date + 1)`, timeZone)})`

/** Throws `invalid` for a day that does not exist. */
export function checkDays(days: Record<string, string | undefined>, part: 'body' | 'query' = 'query'): void {
  for (const [name, day] of Object.entries(days))
    if (day !== undefined && !isCalendarDay(day)) throw invalidField(name, 'Please give a day as yyyy-mm-dd', part)
}

const invalidParameter = '22023'

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

/** Evenings that have photos, the newest first, and how many. Jumps from evening to evening in the index of a user's photos. */
async function photoDaysOf(
  db: Db,
  userId: string,
  {
    timeZone,
    limit,
    before,
    event,
  }: { timeZone: string; limit: number; before?: string | undefined; event?: string | undefined },
): Promise<{ day: string; count: number }[]> {
  const isPhoto = sql`photos.user_id = ${userId} and photos.deleted_at is null and photos.state <> 'receiving' and photos.is_listed
    and ${isOfEvent(event)}`
  const newestBefore = (moment: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select ${eveningOf(shownAt, timeZone)} as day, ${shownAt} as shown_at from photos
    where ${isPhoto} and ${shownAt} < ${moment} order by ${shownAt} desc, photos.id desc limit 1`
  const start = (day: RawBuilder<unknown>) => eveningStart(day, timeZone)
  // `least`: goes on to earlier photos even where the clocks leave out the hour at which evenings begin.
  const { rows } = await sql<{ day: string; count: number }>`
    with recursive evenings as (
      (${newestBefore(before === undefined ? sql`'infinity'` : start(sql`${before}`))})
      union all
      select earlier.* from evenings cross join lateral (
        ${newestBefore(sql`least(evenings.shown_at, ${start(sql`evenings.day`)})`)}
      ) as earlier
    )
    select day::text, (
      select count(*) from photos where ${isPhoto}
        and ${shownAt} >= ${start(sql`evenings.day`)} and ${shownAt} < ${start(sql`(evenings.day + 1)`)}
    ) as count
    from evenings limit ${limit}`.execute(db)
  return rows
}

/** The same of an event, by when its photos were taken: it is read as a whole. */
async function photoDaysTaken(
  db: Db,
  userId: string,
  { timeZone, limit, before, event }: Parameters<typeof photoDaysOf>[2],
): Promise<{ day: string; count: number }[]> {
  const day = eveningOf(timeInOrder('taken'), timeZone)
  const { rows } = await sql<{ day: string; count: number }>`
    select day::text, count(*)::int as count from (
      select ${day} as day from photos
      where photos.user_id = ${userId} and photos.deleted_at is null and photos.state <> 'receiving' and photos.is_listed and ${isOfEvent(event)}
    ) as taken
    where ${before === undefined ? sql`true` : sql`day < ${before}::date`} group by day order by taken.day desc limit ${limit}`.execute(
    db,
  )
  return rows
}

/** What changed more is to be read again. */
const maxChanges = 1_000
/** Shorter than the rows of deleted photos exist. */
const maxAgeSeconds = (retention.deletedPhotoHours - 1) * 3_600

/** The value of `since`: of which database, the oldest transaction that was running, and when that was (seconds). */
interface Place {
  epoch: string
  transaction: string
  seconds: string
}

const placePattern = /^([0-9a-f]{32})\.(\d{1,19})\.(\d{1,12})$/

function parsePlace(text: string): Place | undefined {
  const [, epoch, transaction, seconds] = placePattern.exec(text) ?? []
  return epoch && transaction && seconds ? { epoch, transaction, seconds } : undefined
}

interface Changes {
  rows: (PhotoRow & { isDeleted: boolean })[]
  next: Place
  /** Whether nothing can have changed before the place without being in `rows`. */
  isKnown: boolean
}

/**
 * Photos that were changed by transactions that had not ended at a place. All of it is of one snapshot: a transaction that has not
 * ended in it is at or after the next place, whenever it began, so that no change is missed. The epoch differs after every start of
 * PostgreSQL and every restore, because numbers of transactions may go back then.
 */
async function changesSince(db: Db, userId: string, since: Place | undefined): Promise<Changes> {
  const columns = sql.join(photoRowColumns.map((name) => sql.ref(name)))
  const { epoch = '', transaction = '0', seconds = '0' } = since ?? {}
  const { rows } = await sql<Place & { isKnown: boolean; change: boolean | null } & Changes['rows'][number]>`
    with moment as materialized (
      select pg_snapshot_xmin(pg_current_snapshot()) as transaction, extract(epoch from now())::bigint as seconds,
        md5(concat_ws(' ', extract(epoch from pg_postmaster_start_time()), pg_relation_filenode('photos'), 'photos'::regclass::oid,
          (select oid from pg_database where datname = current_database()))) as epoch
    ), place as (
      select moment.*, epoch = ${epoch} and ${transaction}::xid8 <= transaction
        and ${seconds}::bigint between seconds - ${maxAgeSeconds}::bigint and seconds as "isKnown" from moment
    )
    select epoch, transaction::text, seconds::text, "isKnown", changed.*
    from place left join lateral (
      select true as change, ${columns}, ${accountHasEvents} as has_events, ${takenAt} as taken_at, photos.deleted_at is not null or not photos.is_listed as "isDeleted"
      from photos join users on users.id = photos.user_id
      where place."isKnown" and photos.user_id = ${userId} and photos.changed_by >= ${transaction}::xid8
        and photos.state <> 'receiving'
      order by photos.changed_by limit ${maxChanges + 1}
    ) as changed on true`.execute(db)
  const [first] = rows
  if (!first) throw new Error('the moment of the query is missing')
  return { rows: rows.filter(({ change }) => change === true), next: first, isKnown: first.isKnown }
}
