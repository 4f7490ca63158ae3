import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Adding, AddingState } from '@keepsnap/contract/event-photos.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { maxFileBytes, type Plan, storageBytes } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../platform/db/connect.ts'
import { Fault } from '../../faults.ts'
import { newId } from '../../lib/ids.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import { queueEmail } from '../emails/queue-email.ts'
import { eveningStart, timeZoneOf } from '../photos/gallery.ts'
import { registerKeysClause } from '../photos/stored-objects.ts'
import {
  currentMonth,
  currentPlan,
  lockUser,
  planNumber,
  type PlanColumn,
  planOf,
  storedBytes,
} from '../plans/plans.ts'
import { monthlyPhotos } from '../plans/usage.ts'

/** A guest who adds a photo to an event. */
export interface GuestActor {
  by: 'guest'
  /** Whose event it is. */
  userId: string
  eventId: string
  contributorId: string
  /** The code of the table at which the guest has scanned in. */
  tableCode: string | null
  client: string
  consent: { version: string; at: string; language: string }
  /** That of the account. */
  timeZone: string
}

/** Counts a photo of a guest against the limits of its contributor, and of its event and client. */
export async function countGuestRates(db: Db, { eventId, contributorId, client }: GuestActor): Promise<void> {
  await countRateHit(db, 'ownPhotos', contributorId)
  await countRateHit(db, 'guestAdds', `${eventId} ${client}`)
}

// What guests can add

/** How much processor time the failed files of a contributor may use. */
const maxFailedMs = 60_000

const waitForHosts = `The hosts have not looked at your last ${eventLimits.waitingPerContributor} photos yet. Please wait until they have.`
const unreadableFiles =
  'Several files from this phone could not be read, so no more are taken from it. Please ask the hosts.'
const sentences: Record<Exclude<AddingState, 'open'>, string> = {
  waiting: waitForHosts,
  full: 'No more photos can be added tonight.',
  paused: 'The hosts have paused adding photos. Please try again later.',
  ended: 'This evening has ended. Codes on printed photos still work.',
  off: 'Guests cannot add photos here.',
  blocked: 'The hosts do not take more photos from this phone.',
}

const refusal = (state: Exclude<AddingState, 'open'>, sentence = sentences[state]): Fault =>
  new Fault(state === 'full' ? 'quota_photos' : state === 'blocked' ? 'forbidden' : 'conflict', sentence)

/** What guests are told of an event that is gone. */
export const eventPageGone = (): Fault => new Fault('not_found', 'This page does not exist, or is open no longer.')

/** The photo of a guest that no longer fits. */
export const noneFit = (): Fault => refusal('full')

export const guestFileTooLarge = (plan: Plan): string =>
  `This file is larger than ${plan.features.max_file_size_mb} MB, the most that can be added here. Please choose another one.`

/** The storage that guests' photos may fill, with all else in it. */
export const guestStorageBytes = (plan: Plan): number =>
  Math.floor((storageBytes(plan) * eventLimits.guestStoragePercent) / 100)

/** Adding ends before the storage is used up: otherwise nearly every photo would be received in full, and then refused. */
const usualPhotoBytes = 10_000_000

/** When nobody can add photos any more to a row of `events`; null while that is not known. The day after the event still counts. */
export const addingEnd = (timeZone: string): RawBuilder<Date | null> => sql<Date | null>`coalesce(closes_at,
  ${eveningStart(sql`(coalesce(ends_on, starts_on) + 2)`, timeZone)}, guests_since + make_interval(days => ${eventLimits.addingDays}))`

/** The photos of guests that count for their event: not what was rejected, has failed or was deleted. */
const countedPhotos = sql`source = 'guest' and deleted_at is null and state <> 'failed' and review <> 'rejected'`
/** The photos of a contributor that wait for their review, or are on the way to it. */
const waitingPhotos = sql`deleted_at is null and state <> 'failed' and review = 'waiting'`

interface AddingRow extends PlanColumn {
  guest_photos: string
  guest_paused: boolean
  is_archived: boolean
  ends_at: Date | null
  has_ended: boolean | null
  /** Of this month, with those that are reserved. */
  used: number
  left_of_event: number | null
  waiting: number
  blocked: boolean | null
  failed_ms: number | null
  /** Whether accepting a photo changes what the event and the contributor say of the last one. */
  is_noted: boolean | null
}

/** The sum of thousands of photos, which every guest's phone asks for, by account. A photo is accepted by what is stored then. */
const recentlyStoredByDb = new WeakMap<Db, LRUCache<string, number>>()

function recentlyStoredIn(db: Db): LRUCache<string, number> {
  const cache = recentlyStoredByDb.get(db) ?? new LRUCache<string, number>({ max: 500, ttl: 5_000 })
  recentlyStoredByDb.set(db, cache)
  return cache
}

async function recentlyStoredBytes(db: Db, userId: string): Promise<number> {
  const recentlyStored = recentlyStoredIn(db)
  const known = recentlyStored.get(userId)
  if (known !== undefined) return known
  const { rows } = await sql<{ bytes: number }>`
    select ${storedBytes} as bytes from photos where user_id = ${userId} and deleted_at is null and state <> 'receiving'`.execute(
    db,
  )
  const bytes = rows[0]?.bytes ?? 0
  recentlyStored.set(userId, bytes)
  return bytes
}

interface AddingOf {
  userId: string
  eventId: string
  contributorId?: string | null
}

/** A statement for the row of an event that is not deleted. */
const addingRow = ({ userId, eventId, contributorId = null }: AddingOf, timeZone: string): RawBuilder<AddingRow> => {
  const end = addingEnd(timeZone)
  return sql<AddingRow>`
    select guest_photos, guest_paused, archived_at is not null as is_archived, ${end} as ends_at, ${end} <= now() as has_ended,
      ${currentPlan} as plan, contributors.blocked_at is not null as blocked, contributors.failed_ms::int8 as failed_ms,
      coalesce((select uploads from guest_months where user_id = users.id and month = ${currentMonth}), 0) as used,
      case when guest_allowance is not null then guest_allowance - (
        select count(*)::int from photos where event_id = events.id and ${countedPhotos}) end as left_of_event,
      (select count(*)::int from photos where contributor_id = contributors.id and ${waitingPhotos}) as waiting,
      guests_since is not null and last_seen_at > now() - interval '1 hour' as is_noted
    from events join users on users.id = events.user_id
      left join contributors on contributors.id = ${contributorId} and contributors.event_id = events.id
    where events.id = ${eventId} and events.user_id = ${userId} and events.deleted_at is null and users.is_active`
}

/** Of the row of an event, and of the bytes that its account stores. */
function stateOfAdding(
  row: AddingRow,
  bytes: number,
): { state: AddingState; sentence: string | null; left: number; plan: Plan } {
  const plan = planOf(row)
  const room = Math.min(plan.features.max_photos - row.used, row.left_of_event ?? Infinity)
  const left = Math.min(room, eventLimits.waitingPerContributor - row.waiting)
  const hasFailedOften = (row.failed_ms ?? 0) >= maxFailedMs
  const state: AddingState =
    row.guest_photos === 'off'
      ? 'off'
      : row.has_ended === true || row.is_archived
        ? 'ended'
        : row.blocked === true || hasFailedOften
          ? 'blocked'
          : row.guest_paused
            ? 'paused'
            : room <= 0 || bytes + usualPhotoBytes > guestStorageBytes(plan)
              ? 'full'
              : left <= 0
                ? 'waiting'
                : 'open'
  if (state === 'open') return { state, sentence: null, left, plan }
  const sentence = state === 'blocked' && row.blocked !== true ? unreadableFiles : sentences[state]
  return { state, sentence, left: 0, plan }
}

/** What a guest can add to an event that is not deleted, now; without a contributor, what somebody who has not added anything can. */
export async function addingOf(db: Db, of: AddingOf): Promise<Adding> {
  const [timeZone, bytes] = await Promise.all([timeZoneOf(db, of.userId), recentlyStoredBytes(db, of.userId)])
  const [row] = (await addingRow(of, timeZone).execute(db)).rows
  if (!row) throw eventPageGone()
  const { plan, ...adding } = stateOfAdding(row, bytes)
  return {
    ...adding,
    reviewed: row.guest_photos !== 'direct',
    file_bytes_max: maxFileBytes(plan),
    ends_at: row.ends_at?.toISOString() ?? null,
  }
}

/** Throws the sentence for a guest in another state than these. */
function refuseUnless(states: readonly AddingState[], { state, sentence }: Pick<Adding, 'state' | 'sentence'>): void {
  if (state !== 'open' && !states.includes(state)) throw refusal(state, sentence ?? undefined)
}

/** Throws the sentence for a guest who cannot add photos now. */
export const refuseUnlessOpen = async (db: Db, of: AddingOf): Promise<void> => refuseUnless([], await addingOf(db, of))

// Counts

/** A photo of a guest that is about to be received. */
interface GuestReservation {
  id: string
  code: string
  originalKey: string
  idempotencyKey: string | undefined
  expiry: RawBuilder<unknown>
}

/**
 * Reserves a guest's photo while its bytes begin to arrive, as `reserveUpload` does for an owner's, by the count of guests: all or
 * nothing, however many guests do so at once. Throws when nobody can add photos now. Whoever reserves has locked the row of the month,
 * so that each sees what the others have.
 */
export async function reserveGuestPhoto(db: Db, actor: GuestActor, photo: GuestReservation): Promise<void> {
  const { userId, eventId, contributorId, tableCode, consent } = actor
  const bytes = await recentlyStoredBytes(db, userId)
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into guest_months (user_id, month, uploads)
      select id, ${currentMonth}, 1 from users where id = ${userId} for key share
      on conflict (user_id, month) do update set uploads = guest_months.uploads + 1`.execute(tx)
    // What it reads does not have the photo yet, but the month's place.
    const { rows } = await sql<AddingRow>`
      with photo as (
        insert into photos (id, user_id, code, filename, state, idempotency_key, expires_at, counted_month, original_key,
          source, event_id, contributor_id, event_code, review, consent)
        select ${photo.id}, ${userId}, ${photo.code}, '', 'receiving', ${photo.idempotencyKey ?? null}, now() + ${photo.expiry},
          ${currentMonth}, ${photo.originalKey}, 'guest', ${eventId}, id, ${tableCode}, 'waiting', ${JSON.stringify(consent)}::jsonb
        from contributors where id = ${contributorId} returning id
      ), keys as (
        ${registerKeysClause('photo', [photo.originalKey])} returning key
      )
      select adding.* from keys, (${addingRow(actor, actor.timeZone)}) as adding`.execute(tx)
    const [row] = rows
    if (!row) throw eventPageGone()
    refuseUnless([], stateOfAdding({ ...row, used: row.used - 1 }, bytes))
  })
}

/**
 * Records that a guest's photo was accepted, and tells the owner when it was the last one that fits. The caller holds the owner's lock.
 * Throws when nobody can add photos any more; this one has a place, however many wait meanwhile. `bytes`: the storage that is used with it.
 */
export async function acceptGuestPhoto(tx: Db, actor: GuestActor, bytes: number): Promise<void> {
  const { eventId, contributorId } = actor
  const [row] = (await addingRow(actor, actor.timeZone).execute(tx)).rows
  if (!row) throw eventPageGone()
  const adding = stateOfAdding(row, bytes)
  refuseUnless(['full', 'waiting'], adding)
  if (row.is_noted !== true)
    await sql`
      with event as (update events set guests_since = now() where id = ${eventId} and guests_since is null)
      update contributors set last_seen_at = now() where id = ${contributorId}`.execute(tx)
  if (adding.state === 'full') await queueFullEmail(tx, actor)
}

/** Of a row of `events` and that of its owner: this month has not had the email that no more photos of guests fit. */
const lacksFullEmail = (eventId: string): RawBuilder<boolean> => sql<boolean>`
  (events.id = ${eventId} and users.id = events.user_id and users.is_active and review_emails
    and coalesce(full_emailed_at, '-infinity') < ${currentMonth} at time zone 'utc')`

/** Queues that email, unless this month had it. */
async function queueFullEmail(tx: Db, { userId, eventId }: Pick<GuestActor, 'userId' | 'eventId'>): Promise<void> {
  const { rows } = await sql<{ email: string }>`
    update events set full_emailed_at = now() from users where ${lacksFullEmail(eventId)} returning email`.execute(tx)
  const [owner] = rows
  if (owner)
    await queueEmail(tx, {
      id: newId(),
      kind: 'guests-full',
      userId,
      recipient: owner.email,
      payload: { eventId },
    })
}

/** The same when a photo did not fit into the storage. */
export async function tellThatFull(db: Db, actor: GuestActor): Promise<void> {
  recentlyStoredIn(db).delete(actor.userId)
  // Most refusals need no lock.
  const { rows } = await sql`select from events, users where ${lacksFullEmail(actor.eventId)}`.execute(db)
  if (rows.length === 0) return
  await db.transaction().execute(async (tx) => {
    if (await lockUser(tx, actor.userId)) await queueFullEmail(tx, actor)
  })
}

/** Gives the places of photos of guests back, or takes them again, which may exceed the plan. */
export async function changeGuestCounts(
  tx: Db,
  { userId, photos, by }: { userId: string; photos: readonly string[]; by: 1 | -1 },
): Promise<void> {
  if (photos.length === 0) return
  await sql`
    insert into guest_months (user_id, month, uploads)
    select user_id, counted_month, greatest(0, count(*) * ${by}::int) from photos
    where id = any(${photos}::text[]) and user_id = ${userId} and source = 'guest' group by user_id, counted_month order by counted_month
    on conflict (user_id, month) do update set uploads = greatest(0, guest_months.uploads + ${by}::int * (
      select count(*) from photos where id = any(${photos}::text[]) and counted_month = guest_months.month))`.execute(
    tx,
  )
}

/**
 * Takes a place for a guest's photo that failed and is processed again, in this month, which is returned; one that was rejected has
 * none. Throws when guests have no place left. The caller holds the owner's lock.
 */
export async function takePlaceAgain(tx: Db, userId: string, photoId: string): Promise<string> {
  const { rows } = await sql<{ month: string }>`
    with photo as (
      select ${currentPlan} as plan, photos.event_id, (photos.review <> 'rejected')::int as places
      from photos join users on users.id = photos.user_id where photos.id = ${photoId} and users.id = ${userId}
    )
    insert into guest_months (user_id, month, uploads)
    select ${userId}, ${currentMonth}, places from photo
    where places = 0 or not exists (
      select from events where id = photo.event_id and guest_allowance <= (
        select count(*) from photos where event_id = events.id and ${countedPhotos}))
    on conflict (user_id, month) do update set uploads = guest_months.uploads + excluded.uploads
      where excluded.uploads = 0 or guest_months.uploads < (select ${planNumber(sql`plan`, monthlyPhotos)} from photo)
    returning month::text`.execute(tx)
  const [place] = rows
  if (!place)
    throw new Fault(
      'conflict',
      'No more photos of guests fit, in this event or this month, so this one cannot be retried.',
    )
  return place.month
}

/** Photos of an event's guests that wait for their review. */
export async function waitingCount(db: Db, eventId: string): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from photos
    where event_id = ${eventId} and review = 'waiting' and state = 'ready' and deleted_at is null`.execute(db)
  return rows[0]?.waiting ?? 0
}

/** A part of a statement that gives the places of guests' photos back; `failed` has what it needs of their rows. */
export const returnGuestPlacesClause = (failed: string): RawBuilder<unknown> => sql`
  update guest_months set uploads = greatest(0, guest_months.uploads - 1) from ${sql.table(failed)} as failed
  where guest_months.user_id = failed.user_id and guest_months.month = failed.counted_month
    and failed.source = 'guest' and failed.review <> 'rejected'`

/** Counts the processor time of a file of a contributor that failed. */
export async function countFailedTime(db: Db, contributorId: string, ms: number): Promise<void> {
  await sql`update contributors set failed_ms = failed_ms + ${Math.round(ms)} where id = ${contributorId}`.execute(db)
}
