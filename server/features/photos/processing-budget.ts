import { sql } from 'kysely'
import type { Plan } from '@keepsnap/contract/plans.ts'
import { retention } from '@keepsnap/contract/retention.ts'
import type { Db } from '../../db/connect.ts'
import { Fault, unauthorized } from '../../faults.ts'
import { lockUser } from './queries.ts'
import { maxQuickMs, workAhead, type WaitingWork } from './slow-files.ts'

/** More slow work than this ahead of a new slow file: it is refused. */
const maxWorkAheadMs = 60_000
/** What processing one photo may cost at most, for the budgets of small plans. */
const msPerPhotoOfPlan = 30_000
const retryAfterSeconds = { least: 5, most: 120 }
const admissionLock = 7_245_001

/** Whose budget it is. */
export interface BudgetOwner {
  userId: string
  plan: Plan
  /** The setting. */
  minutesPerDay: number
}

/** A slow file that is about to be accepted. */
export interface SlowFile extends BudgetOwner {
  photoId: string
  /** How long processing is going to take. */
  slowMs: number
}

const budgetMsOf = ({ plan, minutesPerDay }: BudgetOwner): number =>
  Math.min(minutesPerDay * 60_000, plan.features.max_photos * msPerPhotoOfPlan)

const tooMuchWaiting = (aheadMs: number): Fault => {
  const seconds = Math.ceil((aheadMs - maxWorkAheadMs) / 1000)
  return new Fault(
    'processing_limit',
    'Many files that take long to process are waiting. Please upload this one again in a minute. Ordinary JPEG photos are still accepted.',
    Math.min(retryAfterSeconds.most, Math.max(retryAfterSeconds.least, seconds)),
  )
}

const budgetUsedUp = (budgetMs: number, secondsLeftToday: number): Fault =>
  new Fault(
    'processing_limit',
    `Files other than ordinary JPEG photos take long to process, and you've used the ${Math.floor(budgetMs / 60_000)} minutes that you have for them each day. Please upload this one tomorrow (UTC), or save it as an ordinary JPEG.`,
    Math.max(1, secondsLeftToday),
  )

const budgetUsedUpByFailures = (budgetMs: number, secondsLeftToday: number): Fault =>
  new Fault(
    'processing_limit',
    `Today, photos of yours that could not be processed took ${Math.floor(budgetMs / 60_000)} minutes, which is the limit. Please upload this one tomorrow (UTC).`,
    Math.max(1, secondsLeftToday),
  )

interface TodayRow {
  used_ms: number
  /** The part of it that quick files took which failed. */
  failed_quick_ms: number
  seconds_left: number
}

/** The time that an owner has used today (UTC), and the rest of the day. */
async function usedToday(db: Db, userId: string): Promise<TodayRow> {
  const { rows } = await sql<TodayRow>`
    select coalesce(used_ms, 0)::int8 as used_ms, coalesce(failed_quick_ms, 0)::int8 as failed_quick_ms,
      ceil(extract(epoch from (today.day + 1) - (now() at time zone 'utc')))::int as seconds_left
    from (select (now() at time zone 'utc')::date as day) as today
      left join processing_days on user_id = ${userId} and processing_days.day = today.day`.execute(db)
  return rows[0] ?? { used_ms: 0, failed_quick_ms: 0, seconds_left: 1 }
}

/**
 * The unfinished slow work of each owner. Uploads in progress count only for `ownerId`: other owners do not wait for
 * uploads that may never complete.
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
  // Locks the account first, as everywhere: a transaction that waits for a row must not hold the lock of all uploads.
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

/**
 * Refuses any file of an owner whose failed quick files have used up the budget: failed photos do not count towards the
 * monthly quota, so nothing else would limit them. Quick files that succeed do not count here.
 */
export async function refuseAfterFailures(db: Db, owner: BudgetOwner): Promise<void> {
  const { failed_quick_ms: failedMs, seconds_left: secondsLeft } = await usedToday(db, owner.userId)
  const budgetMs = budgetMsOf(owner)
  if (failedMs >= budgetMs) throw budgetUsedUpByFailures(budgetMs, secondsLeft)
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
 * Counts the time that an owner's photo took. That of a quick one counts if it failed; otherwise only what is more than quick
 * files take. If one took that long, a retry of it is slow. Locks the owner first, as deleting the account does: this prevents
 * deadlocks.
 */
export async function countProcessingTime(
  db: Db,
  { photoId, userId, usedMs, wasQuick, hasFailed }: FinishedWork,
): Promise<void> {
  const tookLong = usedMs > maxQuickMs
  if (wasQuick && !hasFailed && !tookLong) return
  const countedMs = Math.round(wasQuick && !hasFailed ? usedMs - maxQuickMs : usedMs)
  await sql`
    with owner as (select id from users where id = ${userId} for key share)
    insert into processing_days (user_id, day, used_ms, failed_quick_ms)
    select id, (now() at time zone 'utc')::date, ${countedMs}, ${wasQuick && hasFailed ? countedMs : 0} from owner
    on conflict (user_id, day) do update set used_ms = processing_days.used_ms + excluded.used_ms,
      failed_quick_ms = processing_days.failed_quick_ms + excluded.failed_quick_ms`.execute(db)
  if (wasQuick && tookLong)
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
