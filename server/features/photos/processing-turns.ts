import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { retention } from '@keepsnap/contract/limits.ts'
import { enqueue, type NewJob } from '../../platform/jobs/queue.ts'
import type { TaskClass } from '../../images/sandbox/image-jobs.ts'
import type { Db } from '../../platform/db/connect.ts'
import { Fault, unauthorized } from '../../faults.ts'
import { countFailedTime } from '../events/guest-counts.ts'
import { lockUser } from '../plans/plans.ts'
import { maxQuickMs } from './inspect-upload.ts'

/**
 * Whose turn a row of `photos` takes: the account's, or that of an event's guests together. Within an event, contributors take turns,
 * each with a row of `processing_turns` too.
 */
export const partyOf = sql<string>`case when photos.source = 'guest' then coalesce(photos.event_id, photos.user_id) else photos.user_id end`

/** A photo to process. */
export interface PhotoToProcess {
  id: string
  userId: string
  /** How long it is going to take; null for a quick one. */
  slowMs: number | null
}

/** A file that is estimated at more than this is processed beside the others, one at a time on a node. */
const maxSlowMs = 5_000

export const taskClassOf = (slowMs: number | null): TaskClass =>
  slowMs === null ? 'quick' : slowMs <= maxSlowMs ? 'slow' : 'long'

const jobNames = { quick: 'process-photo', slow: 'process-slow-photo', long: 'process-long-photo' } as const

/**
 * The job that is added with a photo. It processes the photo of its kind whose turn it is when it starts; versions
 * before 0045 process the one that it was added for. Those do not know long photos: because of the other key they add a job of
 * their own when they run alone.
 */
export const processJobOf = ({ id, slowMs }: PhotoToProcess): NewJob<(typeof jobNames)[TaskClass]> => {
  const taskClass = taskClassOf(slowMs)
  return {
    name: jobNames[taskClass],
    payload: { photoId: id },
    key: taskClass === 'long' ? `long-photo:${id}` : `photo:${id}`,
  }
}

/** What a quick photo is expected to take. */
const quickMs = 100
/** A party that comes back keeps at most so much of what it used more than the others: there may have been no others. */
const maxKeptMs = 10_000
/** What a party is charged when a photo of it is taken, in milliseconds; what it really took is settled afterwards. */
export const chargeOf = (slowMs: number | null): number => slowMs ?? quickMs

const classConditions: Record<TaskClass, RawBuilder<unknown>> = {
  quick: sql`photos.slow_ms is null`,
  slow: sql`photos.slow_ms <= ${sql.lit(maxSlowMs)}`,
  long: sql`photos.slow_ms > ${sql.lit(maxSlowMs)}`,
}

/** A job that takes a photo. */
export interface TakingJob {
  id: string
  taskClass: TaskClass
  /** The photo that it was added for. */
  photoId: string
}

/**
 * Whether another job processes a photo, or is about to try it again. A job of an earlier version processes the photo of its
 * key and takes none.
 */
const takenByOther = (jobId: string) => sql`(${isHeldByOther(jobId)} or ${hasOtherJob(jobId)})`
const isHeldByOther = (jobId: string) => sql`
  exists (select from graphile_worker._private_jobs as job where job.id = photos.taken_by_job and job.id <> ${jobId}
    and (job.locked_at is not null or job.attempts < job.max_attempts))`
const hasOtherJob = (jobId: string) => sql`
  exists (select from graphile_worker._private_jobs as job where job.key = 'photo:' || photos.id and job.locked_at is not null
    and job.id <> ${jobId} and not exists (select from photos as other where other.taken_by_job = job.id))`

/**
 * Whether a photo waits that no other job holds. Its row is locked for a moment, or its own job has just finished another photo and
 * will take none any more.
 */
async function isOneLeft(db: Db, { id, taskClass }: TakingJob): Promise<boolean> {
  const { rows } = await sql`
    select from photos where state = 'queued' and deleted_at is null and ${classConditions[taskClass]}
      and original_key is not null and not ${isHeldByOther(id)} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Chooses the photo that a job processes, over all nodes, and takes it: the one that it took at an earlier attempt, else one
 * of `started`, which has been rendered here, else the oldest photo of the party that has used the least time, and of equal
 * ones of the party whose turn was longest ago. Of long files, the time of the file itself counts too: a file of 15 s does
 * not wait for thirty of 40 s.
 */
async function takeNextPhoto(
  db: Db,
  { id: jobId, taskClass }: TakingJob,
  started: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with next as (
      select photos.id, ${partyOf} as party, photos.contributor_id as contributor, coalesce(photos.slow_ms, ${quickMs}::integer) as charge
      from photos left join processing_turns as turns on turns.party = ${partyOf}
        left join processing_turns as own on own.party = photos.contributor_id
      where photos.state = 'queued' and photos.deleted_at is null and photos.original_key is not null
        and ${classConditions[taskClass]} and not ${takenByOther(jobId)}
      order by photos.taken_by_job is not distinct from ${jobId} desc, photos.id = any(${started}::text[]) desc,
        coalesce(turns.used_ms, 0) + ${taskClass === 'long' ? sql`photos.slow_ms` : 0}, turns.turn_at nulls first,
        own.turn_at nulls first, photos.created_at, photos.id
      limit 1 for no key update of photos skip locked
    ), charged as (
      insert into processing_turns (party, used_ms, turn_at)
      select party, charge, clock_timestamp() from next
      union all select contributor, 0, clock_timestamp() from next where contributor is not null
      on conflict (party) do update set used_ms = processing_turns.used_ms + excluded.used_ms, turn_at = excluded.turn_at
    )
    update photos set taken_by_job = ${jobId} from next where photos.id = next.id returning photos.id`.execute(db)
  return rows[0]?.id
}

const triesMs = 100
const maxTries = 50

/**
 * The photo whose turn it is when a job starts. Undefined when there is none: as many jobs were added as photos, and other
 * jobs have taken or will take those that are left.
 */
export async function photoInTurn(
  db: Db,
  job: TakingJob,
  started: readonly string[] = [],
): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    const taken = await takeNextPhoto(db, job, started)
    if (taken !== undefined) return taken
    const own = await db
      .selectFrom('photos')
      .select(['id', 'user_id as userId', 'slow_ms as slowMs', sql<boolean>`${takenByOther(job.id)}`.as('isTaken')])
      .where('id', '=', job.photoId)
      .where('state', '=', 'queued')
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (tries === maxTries) return undefined
    if (!own || own.isTaken) {
      if (!(await isOneLeft(db, job))) return undefined
      await wait(triesMs)
      continue
    }
    // It was added by an earlier version, or the photo turned out to be slow. The other job starts when this one has ended.
    if (taskClassOf(own.slowMs) !== job.taskClass)
      return void (await enqueue(db, { ...processJobOf(own), at: sql`now() + interval '2 seconds'` }))
    // Its row is locked for a moment.
    await wait(triesMs)
  }
}

/**
 * For a party that is about to have a photo waiting and had none: it starts at the lowest count of those who wait, so that it
 * neither overtakes them for long nor pays for time that nobody else wanted.
 */
export const joinTurns = (party: string): RawBuilder<{ party: string }> => sql`
  insert into processing_turns (party, used_ms)
  select ${party}, coalesce(min(used_ms), 0) from processing_turns
  where party in (select ${partyOf} from photos where state = 'queued' and deleted_at is null)
  having not exists (select from photos where ${partyOf} = ${party} and state = 'queued' and deleted_at is null)
  on conflict (party) do update
    set used_ms = least(greatest(processing_turns.used_ms, excluded.used_ms), excluded.used_ms + ${maxKeptMs}::bigint)
  returning party`

/** Corrects what a party was charged by what its photo took. */
export async function settleTurn(db: Db, party: string, differenceMs: number): Promise<void> {
  await sql`update processing_turns set used_ms = greatest(0, used_ms + ${Math.round(differenceMs)}) where party = ${party}`.execute(
    db,
  )
}

/** Removes the counts of deleted accounts, events and contributors, and of parties that have not had a turn for a day. */
export async function deleteOldTurns(db: Db): Promise<void> {
  await sql`delete from processing_turns
    where not exists (select from users where users.id = party union all select from events where events.id = party
        union all select from contributors where contributors.id = party)
      or (coalesce(turn_at, '-infinity') < now() - interval '1 day'
        and party not in (select ${partyOf} from photos where state = 'queued'))`.execute(db)
}

/** With more slow work of its own waiting, an account is told to come back, when so much is left. */
const slowWorkMs = { most: 60_000, left: 20_000 }
/** How much processing of files that fail may cost an account each day. */
const maxFailedMs = 10 * 60_000
const retryAfterSeconds = { least: 5, most: 300 }

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
export async function admitSlowFile(
  tx: Db,
  { userId, photoId, slowMs }: { userId: string; photoId: string; slowMs: number },
): Promise<void> {
  if (!(await lockUser(tx, userId))) throw unauthorized()
  const { rows } = await sql<{ ownMs: number; parties: number }>`
    select coalesce(sum(slow_ms) filter (where ${partyOf} = ${userId}), 0)::int8 as "ownMs",
      count(distinct ${partyOf}) filter (where state = 'queued' or ${partyOf} = ${userId})::int as parties
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

/**
 * Counts the processor time of a photo that failed. If one that counted as quick took long, a retry of it is slow. Locks the owner first, as deleting
 * the account does: this prevents deadlocks.
 */
export async function countProcessingTime(
  db: Db,
  {
    photoId,
    userId,
    contributorId,
    usedMs,
    wasQuick,
    hasFailed,
  }: {
    photoId: string
    userId: string
    /** Then its guest is charged, not the account. */
    contributorId?: string | undefined
    usedMs: number
    wasQuick: boolean
    hasFailed: boolean
  },
): Promise<void> {
  // `used_ms` and the name of the other column are those of versions before 0045, which may run beside this one.
  if (hasFailed && contributorId !== undefined) await countFailedTime(db, contributorId, usedMs)
  else if (hasFailed)
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
