import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { jobRules, type JobName, type Jobs } from './jobs.ts'

export interface EnqueueOptions {
  /** A second job under the same key replaces the first as long as that has not started. */
  key?: string
  /** Added to the job's own priority; later places for those who ask for much at once. */
  behind?: number
  /** Seconds from now. */
  inSeconds?: number
}

/** Adds a job, in the caller's transaction when `db` is one: it exists when, and only when, that commits. */
export async function enqueue<Name extends JobName>(
  db: Db,
  name: Name,
  payload: Jobs[Name],
  options: EnqueueOptions = {},
): Promise<void> {
  const { maxAttempts, priority } = jobRules[name]
  await sql`select 1 from graphile_worker.add_job(
    ${name}, payload => ${JSON.stringify(payload)}::json, max_attempts => ${maxAttempts},
    run_at => now() + make_interval(secs => ${options.inSeconds ?? 0}),
    job_key => ${options.key ?? null}, priority => ${Math.min(priority + (options.behind ?? 0), 30_000)}::int)`.execute(
    db,
  )
}
