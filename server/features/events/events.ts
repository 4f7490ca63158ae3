import { type RawBuilder, sql } from 'kysely'
import {
  changeEvent,
  createEvent,
  deleteEvent,
  type Event,
  getEvent,
  listEvents,
  setCurrentEvent,
  undoDeleteEvent,
} from '@keepsnap/contract/events.ts'
import { eventNameMessages, eventNameProblem, normalizeName } from '@keepsnap/contract/form-rules.ts'
import type { Input } from '@keepsnap/contract/endpoint.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, invalidField, unauthorized } from '../../faults.ts'
import { isCalendarDay } from '../../lib/days.ts'
import { newId } from '../../lib/ids.ts'
import { publish } from '../../platform/live/bus.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { deletePhotosOfEvent } from '../photos/delete.ts'
import { checkDays, eveningOf, timeZoneOf } from '../photos/gallery.ts'
import { shownAt } from '../photos/photo-view.ts'
import { setCurrentEventOf, withdrawUrls } from '../accounts/users.ts'
import { lockUser } from '../plans/plans.ts'
import { endHold } from '../screen/holds.ts'
import { eventNotFound, liveEvent } from './chosen-event.ts'

/**
 * Events of an account. Another account's event does not exist. Whatever changes an event, or to which one a photo belongs, locks the
 * account's row first.
 */
export function eventRoutes(serve: Serve, deps: Dependencies): void {
  const { db } = deps

  serve(listEvents, async (_, { actor: { userId } }) => ({ events: await eventsOf(deps, userId) }))
  serve(getEvent, async ({ params: { id } }, { actor: { userId } }) => eventOrNotFound(deps, userId, id))

  serve(createEvent, async ({ body }, { actor: { userId } }) => {
    const id = newId()
    await inAccount(deps, userId, async (tx) => {
      const { count } = await tx
        .selectFrom('events')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      if (count >= eventLimits.eventsMax) throw tooManyEvents()
      const columns = columnsOf(body)
      checkOrder(columns)
      await tx
        .insertInto('events')
        .values({ id, user_id: userId, ...columns, name: nameOf(body.name) })
        .execute()
      await tx.insertInto('event_codes').values({ code: newId(), event_id: id, kind: 'event' }).execute()
    })
    return eventOrNotFound(deps, userId, id)
  })

  serve(changeEvent, async ({ params: { id }, body }, { actor: { userId } }) => {
    await inAccount(deps, userId, async (tx, account) => {
      const before = await liveEvent(tx, userId, id)
      const changes = columnsOf(body)
      checkOrder({ ...before, ...changes })
      if (Object.keys(changes).length === 0) return
      await tx.updateTable('events').set(changes).where('id', '=', id).execute()
      if (gateOf(account, before) !== gateOf(account, { ...before, ...changes })) await withdrawUrls(tx, userId)
      if (body.archived === true && account.current_event_id === id) await setCurrentEventOf(tx, userId, null)
    })
    return eventOrNotFound(deps, userId, id)
  })

  serve(deleteEvent, async ({ params: { id }, query: { photos = 'delete' } }, { actor: { userId } }) => {
    await inAccount(deps, userId, async (tx, account) => {
      const event = await liveEvent(tx, userId, id)
      if (photos === 'keep') {
        // What waits for its review, or was rejected, goes with the event: without one, nobody could review it.
        const { numAffectedRows } = await sql`
          update photos set event_id = null where event_id = ${id} and is_listed and state <> 'receiving'`.execute(tx)
        if (Number(numAffectedRows) > 0 && gateOf(account, event) !== gateOf(account)) await withdrawUrls(tx, userId)
      }
      await sql`update events set deleted_at = now() where id = ${id}`.execute(tx)
      // After the event: the trigger reads it.
      await sql`update photos set event_id = event_id where event_id = ${id}`.execute(tx)
      if (account.current_event_id === id) await setCurrentEventOf(tx, userId, null)
      await endHold(tx, userId)
    })
    return eventOrNotFound(deps, userId, id)
  })

  serve(undoDeleteEvent, async ({ params: { id } }, { actor: { userId } }) => {
    await inAccount(deps, userId, async (tx) => {
      // By the clock of after the lock: what `purgeEvents` has begun to remove does not come back.
      const { numAffectedRows } = await sql`
        update events set deleted_at = null where id = ${id} and user_id = ${userId}
          and (deleted_at is null or not ${isGone(sql`clock_timestamp()`)})`.execute(tx)
      if (numAffectedRows === 0n) throw eventNotFound()
      await sql`update photos set event_id = event_id where event_id = ${id} and not is_listed`.execute(tx)
    })
    return eventOrNotFound(deps, userId, id)
  })

  serve(setCurrentEvent, async ({ body: { event_id: id } }, { actor: { userId } }) => {
    await db.transaction().execute(async (tx) => {
      const { current_event_id: current } = await lockAccount(tx, userId)
      if (id !== null && (await liveEvent(tx, userId, id)).archived_at) throw archivedEvent()
      if (id === current) return
      await setCurrentEventOf(tx, userId, id)
      if (id !== null) await endHold(tx, userId, id)
    })
    return { event_id: id }
  })
}

type Account = Awaited<ReturnType<typeof lockAccount>>

/** Locks an account for the rest of the transaction, as everything that changes its events and their photos does. */
async function lockAccount(tx: Db, userId: string) {
  if (!(await lockUser(tx, userId))) throw unauthorized()
  return tx
    .selectFrom('users')
    .select(['ask_email_to_receive_photo', 'current_event_id'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Runs a change of an account's events or of whose photos are whose, and tells its pages. */
export async function inAccount<Result>(
  { db, mediaCache }: Pick<Dependencies, 'db' | 'mediaCache'>,
  userId: string,
  change: (tx: Db, account: Account) => Promise<Result>,
): Promise<Result> {
  const result = await db.transaction().execute(async (tx) => {
    const changed = await change(tx, await lockAccount(tx, userId))
    await publish(tx, { kind: 'events', user: userId })
    return changed
  })
  mediaCache.invalidateUser(userId)
  return result
}

/** Whether guests give an email address to get photos of an event, or of none. */
export const gateOf = (account: Account, event?: { ask_email?: boolean | null }): boolean =>
  event?.ask_email ?? account.ask_email_to_receive_photo

/** Whether a deletion cannot be undone any more at a moment. */
const isGone = (moment: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(events.deleted_at is not null and events.deleted_at <= ${moment} - make_interval(days => ${eventLimits.undoDays}))`

/** How many events a run removes, and photos in one transaction and in all. */
const purgeLimits = { events: 100, photosAtOnce: 200, photos: 20_000 }

/** Removes events whose deletion cannot be undone any more, with their photos. A run that is killed is continued by the next. */
export async function purgeEvents({ db }: Pick<Dependencies, 'db'>, most = purgeLimits): Promise<void> {
  const { rows } = await sql<{ id: string; userId: string }>`
    select id, user_id as "userId" from events where ${isGone(sql`now()`)} order by deleted_at limit ${most.events}`.execute(
    db,
  )
  let left = most.photos
  for (const { id, userId } of rows) {
    for (let removed = most.photosAtOnce; removed > 0; left -= removed) {
      if (left <= 0) return
      removed = await db.transaction().execute((tx) => purgeEvent(tx, { id, userId, most: most.photosAtOnce }))
    }
  }
}

/** Removes some photos of an event, or the event itself when none are left; how many photos. */
async function purgeEvent(tx: Db, { id, userId, most }: { id: string; userId: string; most: number }): Promise<number> {
  if (!(await lockUser(tx, userId))) return 0
  const { rows } = await sql`select from events where id = ${id} and ${isGone(sql`clock_timestamp()`)}`.execute(tx)
  if (rows.length === 0) return 0
  const removed = await deletePhotosOfEvent(tx, { userId, eventId: id, most })
  if (removed > 0) return removed
  await tx.deleteFrom('events').where('id', '=', id).execute()
  await publish(tx, { kind: 'events', user: userId })
  return 0
}

const archivedEvent = (): Fault =>
  new Fault('conflict', 'This event is archived. Please take it out of the archive first.')

const tooManyEvents = (): Fault =>
  new Fault('conflict', `You have ${eventLimits.eventsMax} events, the most there can be. Please delete one first.`)

function nameOf(text: string): string {
  const name = normalizeName(text)
  const problem = eventNameProblem(name)
  if (problem) throw invalidField('name', eventNameMessages[problem])
  return name
}

/** The columns of what is given. Throws 422 for a name that guests cannot be shown, and for days and times that do not exist. */
function columnsOf({ name, archived, gallery_opens_at, closes_at, ...settings }: Input<typeof changeEvent>['body']) {
  checkDays({ starts_on: settings.starts_on ?? undefined, ends_on: settings.ends_on ?? undefined }, 'body')
  return {
    ...settings,
    ...(name !== undefined && { name: nameOf(name) }),
    ...(archived !== undefined && { archived_at: archived ? sql<Date>`coalesce(archived_at, now())` : null }),
    ...(gallery_opens_at !== undefined && { gallery_opens_at: timeOf('gallery_opens_at', gallery_opens_at) }),
    ...(closes_at !== undefined && { closes_at: timeOf('closes_at', closes_at) }),
  }
}

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/

function timeOf(field: string, text: string | null): Date | null {
  if (text === null) return null
  const time = new Date(text)
  if (
    !timePattern.test(text) ||
    !isCalendarDay(text.slice(0, 10)) ||
    Number.isNaN(time.getTime()) ||
    time.getUTCFullYear() < 2000 ||
    time.getUTCFullYear() > 2200
  )
    throw invalidField(field, 'Please give a time with its offset, such as 2026-11-28T22:00:00Z')
  return time
}

interface Times {
  starts_on?: string | null
  ends_on?: string | null
  gallery_opens_at?: Date | null
  closes_at?: Date | null
}

function checkOrder({ starts_on, ends_on, gallery_opens_at, closes_at }: Times): void {
  if (ends_on && !starts_on) throw invalidField('starts_on', 'Please give the first day as well')
  if (ends_on && starts_on && ends_on < starts_on)
    throw invalidField('ends_on', 'The last day must not be before the first')
  if (gallery_opens_at && closes_at && closes_at <= gallery_opens_at)
    throw invalidField('closes_at', 'The end must be after the opening of the gallery')
}

// What the owner sees

const thumbnailsPerEvent = 4

async function eventOrNotFound(deps: Dependencies, userId: string, id: string): Promise<Event> {
  const [event] = await eventsOf(deps, userId, id)
  if (!event) throw eventNotFound()
  return event
}

async function eventsOf({ db, urls }: Dependencies, userId: string, id?: string): Promise<Event[]> {
  const timeZone = await timeZoneOf(db, userId)
  const { rows } = await sql<EventRow>`
    select events.*, users.current_event_id is not distinct from events.id as is_current, codes.code,
      ${eveningOf(sql`now()`, timeZone)}::text as today, closes_at <= now() as is_closed,
      deleted_at + make_interval(days => ${eventLimits.undoDays}) as gone_at,
      counted.photos as photo_count, counted.waiting as waiting_count, coalesce(newest.thumbnails, '[]') as thumbnails
    from events join users on users.id = events.user_id
    join lateral (
      select code from event_codes where event_id = events.id and kind = 'event' and revoked_at is null
      order by created_at desc limit 1
    ) as codes on true
    cross join lateral (
      select count(*) filter (where review in ('none', 'approved'))::int as photos, count(*) filter (where review = 'waiting' and state = 'ready')::int as waiting
      from photos where event_id = events.id and photos.deleted_at is null and state <> 'receiving'
    ) as counted
    left join lateral (
      select json_agg(json_build_object('key', thumb_key, 'width', width, 'height', height)) as thumbnails from (
        select thumb_key, width, height from photos
        where event_id = events.id and photos.deleted_at is null and is_listed and state = 'ready' and hidden_at is null
          and thumb_key is not null and operator_decision is distinct from 'hide'
        order by ${shownAt} desc, photos.id desc limit ${thumbnailsPerEvent}
      ) as photos
    ) as newest on true
    where events.user_id = ${userId} and not ${isGone(sql`now()`)} and ${id === undefined ? sql`true` : sql`events.id = ${id}`}
    order by events.created_at desc, events.id`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    starts_on: row.starts_on,
    ends_on: row.ends_on,
    ask_email: row.ask_email,
    gallery: row.gallery,
    gallery_opens_at: row.gallery_opens_at?.toISOString() ?? null,
    closes_at: row.closes_at?.toISOString() ?? null,
    guest_archive: row.guest_archive,
    code_on_latest: row.code_on_latest,
    link_on_photo_pages: row.link_on_photo_pages,
    guest_photos: row.guest_photos,
    guest_paused: row.guest_paused,
    guest_allowance: row.guest_allowance,
    review_emails: row.review_emails,
    state: stateOf(row),
    is_current: row.is_current,
    url: urls.eventPage(row.code),
    archived_at: row.archived_at?.toISOString() ?? null,
    deleted_at: row.deleted_at?.toISOString() ?? null,
    gone_at: row.gone_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    photo_count: row.photo_count,
    waiting_count: row.waiting_count,
    thumbnails: row.thumbnails.map(({ key, width, height }) => ({ url: urls.thumbnail(key), width, height })),
  }))
}

type Computed = 'url' | 'state' | 'thumbnails'
type TimeOfEvent = 'gallery_opens_at' | 'closes_at' | 'archived_at' | 'deleted_at' | 'gone_at' | 'created_at'

interface EventRow extends Omit<Event, Computed | TimeOfEvent> {
  gallery_opens_at: Date | null
  closes_at: Date | null
  archived_at: Date | null
  deleted_at: Date | null
  gone_at: Date | null
  created_at: Date
  code: string
  /** The evening that it is now. */
  today: string
  is_closed: boolean | null
  thumbnails: { key: string; width: number | null; height: number | null }[]
}

function stateOf({ starts_on, ends_on, today, is_closed }: EventRow): Event['state'] {
  if (is_closed === true) return 'closed'
  if (starts_on === null) return null
  if (today < starts_on) return 'coming'
  return today <= (ends_on ?? starts_on) ? 'on_now' : 'past'
}
