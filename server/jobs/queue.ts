import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/connect.ts'
import { jobRules, type JobName, type Jobs } from './jobs.ts'
import { wakeUpExpression } from './wake-ups.ts'

/** A job to add to the queue. */
export interface NewJob<Name extends JobName> {
  name: Name
  payload: Jobs[Name]
  /** A job with the same key replaces the earlier one, if that has not started. */
  key?: string
  /** Added to the priority of the job's kind, so that a user with many jobs does not delay the others. */
  priorityOffset?: number
  /** The earliest time to run; otherwise at once. Of jobs with the same priority, the one with the earliest time runs first. */
  at?: Date | RawBuilder<Date>
  /** Jobs with the same name here run one after the other. */
  sequence?: string | undefined
}

/**
 * An SQL expression that adds a job for each row of its statement, when and only when the transaction commits; its payload
 * may be an expression of type `json`. With
 * `wakeUpExpression` beside it the job starts at once, otherwise within two seconds.
 */
export function addJobExpression<Name extends JobName>({
  name,
  payload,
  key,
  at,
  priorityOffset = 0,
  sequence,
}: Omit<NewJob<Name>, 'payload'> & { payload: NewJob<Name>['payload'] | RawBuilder<Jobs[Name]> }): RawBuilder<unknown> {
  const { maxAttempts, priority } = jobRules[name]
  const payloadJson = 'isRawBuilder' in payload ? payload : sql`${JSON.stringify(payload)}::json`
  return sql`graphile_worker.add_job(
    ${name}, queue_name => ${sequence ?? null}, payload => ${payloadJson}, max_attempts => ${maxAttempts},
    run_at => (${at ?? null})::timestamptz, job_key => ${key ?? null}, priority => ${Math.min(priority + priorityOffset, 30_000)}::int)`
}

/** Adds a job. When `db` is a transaction, the job exists when, and only when, that commits. */
export async function enqueue<Name extends JobName>(db: Db, job: NewJob<Name>): Promise<void> {
  const wakeUp = job.at === undefined ? wakeUpExpression(job.name) : sql`1`
  await sql`select ${wakeUp} from ${addJobExpression(job)}`.execute(db)
}

/** Adds many jobs of one kind in one statement, to run after so many seconds; otherwise like `enqueue`. */
export async function enqueueAll<Name extends JobName>(
  db: Db,
  jobs: readonly Pick<NewJob<Name>, 'name' | 'payload' | 'key'>[],
  delaySeconds = 0,
): Promise<void> {
  const [firstJob] = jobs
  if (!firstJob) return
  const { maxAttempts, priority } = jobRules[firstJob.name]
  const jobKeys = jobs.map(({ key }) => key ?? null)
  const jobPayloads = jobs.map(({ payload }) => JSON.stringify(payload))
  await sql`select count(*), ${delaySeconds ? sql`1` : wakeUpExpression(firstJob.name, jobs.length)} from graphile_worker.add_jobs(array(
    select row(${firstJob.name}, payload::json, null, now() + make_interval(secs => ${delaySeconds}), ${maxAttempts}::smallint, key, ${priority}::smallint, null)::graphile_worker.job_spec
    from unnest(${jobKeys}::text[], ${jobPayloads}::text[]) as job (key, payload)))`.execute(db)
}
