import { sql } from 'kysely'
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
}

/** Adds a job, in the caller's transaction when `db` is one: it exists when, and only when, that commits. */
export async function enqueue<Name extends JobName>(
  db: Db,
  { name, payload, key, behind = 0 }: NewJob<Name>,
): Promise<void> {
  const { maxAttempts, priority } = jobRules[name]
  await sql`select 1 from graphile_worker.add_job(
    ${name}, payload => ${JSON.stringify(payload)}::json, max_attempts => ${maxAttempts},
    job_key => ${key ?? null}, priority => ${Math.min(priority + behind, 30_000)}::int)`.execute(db)
}
