import { sql } from 'kysely'
import { retention } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import { Fault, unauthorized } from '../../faults.ts'
import { lockUser } from './queries.ts'
import { maxQuickMs } from './inspect-upload.ts'

/** With more slow work of its own waiting, an account is told to come back, when so much is left. */
const slowWorkMs = { most: 60_000, left: 20_000 }
/** How much processing of files that fail may cost an account each day. */
const maxFailedMs = 10 * 60_000
const retryAfterSeconds = { least: 5, most: 300 }

/** A slow file that is about to be accepted. */
export interface SlowFile {
  userId: string
  photoId: string
  /** How long processing is going to take. */
  slowMs: number
}

const tooMuchWaiting = (seconds: number): Fault =>
  new Fault(
    'processing_limit',
    'Many of your files that take long to process are waiting. Please upload this one again in a minute. Ordinary JPEG photos are still accepted.',
    Math.min(retryAfterSeconds.most, Math.max(retryAfterSeconds.least, seconds)),
  )

const usedUpByFailures = (secondsLeftToday: number): Fault =>
  new Fault(
    'processing_limit',
    `Today, photos of yours that could not be processed took ${maxFailedMs / 60_000} minutes, which is the limit. Please upload this one tomorrow (UTC).`,
    Math.max(1, secondsLeftToday),
  )

/**
 * Admits a slow file before it is accepted, and counts it as waiting from then on; throws the refusal. Work of others never
 * counts. Several uploads at once are admitted one after the other. `tx` is a transaction.
 */
export async function admitSlowFile(tx: Db, { userId, photoId, slowMs }: SlowFile): Promise<void> {
  if (!(await lockUser(tx, userId))) throw unauthorized()
  const { rows } = await sql<{ ownMs: number; parties: number }>`
    select coalesce(sum(slow_ms) filter (where user_id = ${userId}), 0)::int8 as "ownMs",
      count(distinct user_id) filter (where state = 'queued' or user_id = ${userId})::int as parties
    from photos where slow_ms is not null and deleted_at is null and state in ('receiving', 'queued')`.execute(tx)
  const [{ ownMs, parties } = { ownMs: 0, parties: 0 }] = rows
  if (ownMs > slowWorkMs.most) throw tooMuchWaiting(Math.ceil(((ownMs - slowWorkMs.left) * parties) / 1000))
  await tx.updateTable('photos').set({ slow_ms: slowMs }).where('id', '=', photoId).execute()
}

/**
 * Refuses any file of an account whose failed files have used up their time of the day: failed photos do not count towards the
 * monthly quota, so nothing else would limit them.
 */
export async function refuseAfterFailures(db: Db, userId: string): Promise<void> {
  const { rows } = await sql<{ failedMs: number; secondsLeft: number }>`
    select failed_quick_ms::int8 as "failedMs",
      ceil(extract(epoch from (day + 1) - (now() at time zone 'utc')))::int as "secondsLeft"
    from processing_days where user_id = ${userId} and day = (now() at time zone 'utc')::date`.execute(db)
  const [today] = rows
  if (today && today.failedMs >= maxFailedMs) throw usedUpByFailures(today.secondsLeft)
}

/** The estimated time of a failed photo; null for a quick one, or when the user has no such photo. */
export async function slowMsOfFailedPhoto(db: Db, userId: string, id: string): Promise<number | null> {
  const photo = await db
    .selectFrom('photos')
    .select('slow_ms')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('state', '=', 'failed')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return photo?.slow_ms ?? null
}

/** An image process has worked on a photo. */
export interface FinishedWork {
  photoId: string
  userId: string
  /** Processor time. */
  usedMs: number
  /** Whether it counted as quick. */
  wasQuick: boolean
  /** Whether the photo could not be processed. */
  hasFailed: boolean
}

/**
 * Counts the time of a photo that failed. If a quick one took long, a retry of it is slow. Locks the owner first, as deleting
 * the account does: this prevents deadlocks.
 */
export async function countProcessingTime(
  db: Db,
  { photoId, userId, usedMs, wasQuick, hasFailed }: FinishedWork,
): Promise<void> {
  // `used_ms` and the name of the other column are those of versions before 0045, which may run beside this one.
  if (hasFailed)
    await sql`
      with owner as (select id from users where id = ${userId} for key share)
      insert into processing_days (user_id, day, used_ms, failed_quick_ms)
      select id, (now() at time zone 'utc')::date, 0, ${Math.round(usedMs)} from owner
      on conflict (user_id, day) do update
        set failed_quick_ms = processing_days.failed_quick_ms + excluded.failed_quick_ms`.execute(db)
  if (wasQuick && usedMs > maxQuickMs)
    await db
      .updateTable('photos')
      .set({ slow_ms: Math.round(usedMs) })
      .where('id', '=', photoId)
      .execute()
}

export async function deleteOldProcessingDays(db: Db): Promise<void> {
  await sql`delete from processing_days where day < (now() at time zone 'utc')::date - ${retention.processingDays - 1}::int`.execute(
    db,
  )
}
