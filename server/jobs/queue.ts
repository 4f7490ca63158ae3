import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/connect.ts'
import { jobRules, type JobName, type Jobs } from './jobs.ts'

/** A job to be done: its name, its payload, and how it stands among others. */
export interface NewJob<Name extends JobName> {
  name: Name
  payload: Jobs[Name]
  /** A second job under the same key replaces the first as long as that has not started. */
  key?: string
  /** Added to the job's own priority; later places for those who ask for much at once. */
  behind?: number
  /** Not before; otherwise at once. */
  at?: Date
}

/** Part of a statement that adds a job once for each row, when and only when its transaction commits. */
export function queueing<Name extends JobName>({
  name,
  payload,
  key,
  at,
  behind = 0,
}: NewJob<Name>): RawBuilder<unknown> {
  const { maxAttempts, priority } = jobRules[name]
  return sql`graphile_worker.add_job(
    ${name}, payload => ${JSON.stringify(payload)}::json, max_attempts => ${maxAttempts},
    run_at => ${at ?? null}::timestamptz, job_key => ${key ?? null}, priority => ${Math.min(priority + behind, 30_000)}::int)`
}

/** Adds a job, in the caller's transaction when `db` is one: it exists when, and only when, that commits. */
export async function enqueue<Name extends JobName>(db: Db, job: NewJob<Name>): Promise<void> {
  await sql`select 1 from ${queueing(job)}`.execute(db)
}

/** Adds many jobs of one kind in one statement; as `enqueue` otherwise. */
export async function enqueueAll<Name extends JobName>(
  db: Db,
  jobs: readonly Pick<NewJob<Name>, 'name' | 'payload' | 'key'>[],
): Promise<void> {
  const [first] = jobs
  if (!first) return
  const { maxAttempts, priority } = jobRules[first.name]
  const keys = jobs.map(({ key }) => key ?? null)
  const payloads = jobs.map(({ payload }) => JSON.stringify(payload))
  await sql`select count(*) from graphile_worker.add_jobs(array(
    select row(${first.name}, payload::json, null, now(), ${maxAttempts}::smallint, key, ${priority}::smallint, null)::graphile_worker.job_spec
    from unnest(${keys}::text[], ${payloads}::text[]) as job (key, payload)))`.execute(db)
}
