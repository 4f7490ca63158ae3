import { sql } from 'kysely'
import type { Plan } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../db/connect.ts'
import { Fault, unauthorized } from '../../faults.ts'
import { lockUser } from './queries.ts'
import { workAhead, type WaitingWork } from './slow-files.ts'

/** More slow work than this ahead of a new slow file: it is refused. docs/behaviour.md section 13. */
const maxWorkAheadMs = 60_000
/** What processing one photo may cost at most, for the budgets of small plans. */
const msPerPhotoOfPlan = 30_000
/** Files that count as plain may take this long; the time of those that took longer is counted. */
const plainMs = 2_000
const retryAfterSeconds = { least: 5, most: 120 }
const admissionLock = 7_245_001

/** A slow file that is about to be accepted. */
export interface SlowFile {
  photoId: string
  userId: string
  /** How long processing is going to take. */
  slowMs: number
  plan: Plan
  /** The setting. */
  minutesPerDay: number
}

const budgetMsOf = ({ plan, minutesPerDay }: SlowFile): number =>
  Math.min(minutesPerDay * 60_000, plan.features.max_photos * msPerPhotoOfPlan)

const tooMuchWaiting = (aheadMs: number): Fault => {
  const seconds = Math.ceil((aheadMs - maxWorkAheadMs) / 1000)
  return new Fault(
    'processing_limit',
    'Many files that take long to process are waiting. Please upload this one again in a minute. Plain JPEG photos are always accepted.',
    Math.min(retryAfterSeconds.most, Math.max(retryAfterSeconds.least, seconds)),
  )
}

const budgetUsedUp = (budgetMs: number, secondsLeftToday: number): Fault =>
  new Fault(
    'processing_limit',
    `Files other than plain JPEG photos take long to process, and you've used the ${Math.floor(budgetMs / 60_000)} minutes that you have for them each day. Please upload this one tomorrow (UTC), or save it as JPEG.`,
    Math.max(1, secondsLeftToday),
  )

interface TodayRow {
  used_ms: number
  seconds_left: number
}

/** The time that an owner has used today (UTC), and the rest of the day. */
async function usedToday(db: Db, userId: string): Promise<TodayRow> {
  const { rows } = await sql<TodayRow>`
    select coalesce((select used_ms from processing_days where user_id = ${userId} and day = today.day), 0)::int8 as used_ms,
      ceil(extract(epoch from (today.day + 1) - (now() at time zone 'utc')))::int as seconds_left
    from (select (now() at time zone 'utc')::date as day) as today`.execute(db)
  return rows[0] ?? { used_ms: 0, seconds_left: 1 }
}

/**
 * The slow work of each owner that is accepted and not finished; of the owner who asks, also what is being received. Others
 * do not wait for uploads that may never be complete.
 */
async function waitingWork(db: Db, ownerId: string): Promise<WaitingWork[]> {
  const { rows } = await sql<WaitingWork>`
    select user_id as "userId", sum(slow_ms)::int8 as ms from photos
    where slow_ms is not null and deleted_at is null
      and (state = 'queued' or (state = 'receiving' and user_id = ${ownerId})) group by user_id`.execute(db)
  return rows
}

/**
 * Admits a slow file before it is accepted, and counts it as waiting from then on; throws the refusal. Locked, because several
 * uploads at once must not all see the same free time. `tx` is a transaction.
 */
export async function admitSlowFile(tx: Db, file: SlowFile): Promise<void> {
  // The account first, as everywhere: a transaction that waits for a row must not hold the lock of all uploads.
  if (!(await lockUser(tx, file.userId))) throw unauthorized()
  await sql`select pg_advisory_xact_lock(${admissionLock})`.execute(tx)
  const waiting = await waitingWork(tx, file.userId)
  const { used_ms: usedMs, seconds_left: secondsLeft } = await usedToday(tx, file.userId)
  const ownMs = waiting.find(({ userId }) => userId === file.userId)?.ms ?? 0
  const budgetMs = budgetMsOf(file)
  if (usedMs + ownMs >= budgetMs) throw budgetUsedUp(budgetMs, secondsLeft)
  const aheadMs = workAhead(waiting, { userId: file.userId, ms: file.slowMs })
  if (aheadMs > maxWorkAheadMs) throw tooMuchWaiting(aheadMs)
  await tx.updateTable('photos').set({ slow_ms: file.slowMs }).where('id', '=', file.photoId).execute()
}

/** The estimated time of a failed photo; null for a plain JPEG, or when the user has no such photo. */
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

/** An image process has worked on a photo, with or without success. */
export interface FinishedWork {
  photoId: string
  userId: string
  workedMs: number
  wasPlain: boolean
}

/**
 * Counts the time that an owner's photo took. That of plain JPEGs does not count, unless one took unusually long: if it failed,
 * a retry of it is slow. Locks the owner first, as deleting the account does: this prevents deadlocks.
 */
export async function countProcessingTime(
  db: Db,
  { photoId, userId, workedMs, wasPlain }: FinishedWork,
): Promise<void> {
  if (wasPlain && workedMs <= plainMs) return
  await sql`
    with owner as (select id from users where id = ${userId} for key share)
    insert into processing_days (user_id, day, used_ms)
    select id, (now() at time zone 'utc')::date, ${Math.round(workedMs)} from owner
    on conflict (user_id, day) do update set used_ms = processing_days.used_ms + excluded.used_ms`.execute(db)
  if (wasPlain)
    await db
      .updateTable('photos')
      .set({ slow_ms: Math.round(workedMs) })
      .where('id', '=', photoId)
      .execute()
}

export async function deleteOldProcessingDays(db: Db): Promise<void> {
  await sql`delete from processing_days where day < (now() at time zone 'utc')::date - 1`.execute(db)
}
