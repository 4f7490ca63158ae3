import {
  type JobHelpers,
  Logger as QueueLogger,
  runTaskListOnce,
  type RunOnceOptions,
  type TaskList,
} from 'graphile-worker'
import type { Pool } from 'pg'
import type { Handlers, JobName } from '../jobs/jobs.ts'

const concurrency = 2
const silent = new QueueLogger(() => () => {})

/**
 * Returns a function that runs every due job until none is left. It does what graphile-worker's `runOnce` does, but does
 * not look for migrations of the queue each time.
 */
export function createJobRunner(pool: Pool): (handlers: Handlers) => Promise<void> {
  // The queue caches ids of this database by the identity of these options.
  const options: RunOnceOptions = {
    logger: silent,
    noHandleSignals: true,
    // As in the worker: otherwise the end of a job may be written after the runner has resolved.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  }
  return async (handlers) => {
    // `enqueue` knows the type of each payload.
    const taskList: TaskList = Object.fromEntries(
      (Object.keys(handlers) as JobName[]).map((name) => [
        name,
        (payload: unknown, { job }: JobHelpers) => handlers[name](payload as never, job.id),
      ]),
    )
    const runOneByOne = async (): Promise<void> => {
      const client = await pool.connect()
      try {
        await runTaskListOnce(options, taskList, client).promise
      } finally {
        client.release()
      }
    }
    await Promise.all(Array.from({ length: concurrency }, runOneByOne))
  }
}

/** Lets queued jobs run now, all or those whose key is like this pattern of SQL. */
export async function makeJobsDue(pool: Pool, keyLike = '%'): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs set run_at = now()
     where locked_at is null and run_at > now() and coalesce(key, '') like $1`,
    [keyLike],
  )
}

/** Removes queued jobs, all or those whose key is like this pattern of SQL. */
export async function removeJobs(pool: Pool, keyLike = '%'): Promise<void> {
  await pool.query("delete from graphile_worker._private_jobs where coalesce(key, '') like $1", [keyLike])
}

/** Lets the locks of running jobs be so much older, such as `1 minute`, as when their workers died that long ago. */
export async function ageLocks(pool: Pool, age: string): Promise<void> {
  await pool.query('update graphile_worker._private_jobs set locked_at = locked_at - $1::interval', [age])
}

/** Sets the age of queued jobs, all or those whose key is like this pattern: due and enqueued so long ago, such as `1 hour`. */
export async function ageJobs(pool: Pool, age: string, keyLike = '%'): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs set run_at = now() - $1::interval, created_at = now() - $1::interval
     where coalesce(key, '') like $2`,
    [age, keyLike],
  )
}

/** Lets queued jobs count as failed for good, all or those whose key is like this pattern of SQL. */
export async function failJobs(pool: Pool, keyLike = '%'): Promise<void> {
  await pool.query("update graphile_worker._private_jobs set attempts = max_attempts where coalesce(key, '') like $1", [
    keyLike,
  ])
}

/** Leaves queued jobs as a worker does that died so long ago while it ran them. */
export async function lockJobs(pool: Pool, age: string, keyLike = '%'): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs set locked_at = now() - $1::interval, locked_by = 'dead', attempts = 1
     where coalesce(key, '') like $2`,
    [age, keyLike],
  )
}
