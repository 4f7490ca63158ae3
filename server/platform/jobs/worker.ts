import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import {
  type JobHelpers,
  Logger as QueueLogger,
  makeWorkerUtils,
  parseCronItems,
  run,
  type Runner,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker'
import type { ClientConfig, Pool } from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import {
  concurrencyOf,
  type Handlers,
  type JobName,
  jobSchedule,
  jobsOf,
  pauseBetweenJobsMs,
  type WorkerGroupName,
  workerGroupNames,
} from './jobs.ts'
import { startWakeUps } from './queue.ts'

const heartbeatMs = 2_500

export interface JobWorker {
  /** Stops fetching jobs and waits for the running ones. Jobs of a process that ends before that are unlocked by other nodes. */
  close(): Promise<void>
  /** Whether new jobs wake this node; otherwise it looks for them every two seconds. */
  isListening(): boolean
}

/** Runs jobs on this node, in groups that do not wait for each other. */
export async function startWorker(options: WorkerOptions): Promise<JobWorker> {
  const { db, database, log, observer } = options
  // In containers, other nodes can have the same name and process id.
  const node = `${hostname()}:${process.pid}:${randomUUID()}`
  const groupsByName = new Map(
    await Promise.all(workerGroupNames.map(async (name) => [name, await startGroup(name, options)] as const)),
  )
  const workerGroups = [...groupsByName.values()]
  const wakeUps = startWakeUps({ db, database, log, wake: (name, jobs) => groupsByName.get(name)?.wake(jobs) })
  const sendHeartbeats = (): void =>
    void sendHeartbeat(
      db,
      node,
      workerGroups.map(({ workerId }) => workerId()),
    ).then(
      (jobs) => observer?.onUnlocked(jobs),
      (error: unknown) => log.debug({ err: error }, 'the heartbeat could not be written'),
    )
  sendHeartbeats()
  const heartbeatTimer = setInterval(sendHeartbeats, heartbeatMs)

  return {
    isListening: wakeUps.isListening,
    async close() {
      await Promise.all([wakeUps.close(), ...workerGroups.map((group) => group.stop())])
      clearInterval(heartbeatTimer)
      await removeWorkers(db, node).catch(() => {})
    },
  }
}

/** A worker without a heartbeat for this long counts as dead, and its jobs are unlocked. */
const workerDeadAfter = '8 seconds'

/** Records that these workers are alive, and unlocks the jobs of workers that are not; resolves with the number of these. */
export async function sendHeartbeat(db: Db, node: string, workerIds: readonly string[]): Promise<number> {
  await sql`insert into workers (id, node) select unnest(${workerIds}::text[]), ${node} on conflict (id) do update set heartbeat_at = now()`.execute(
    db,
  )
  await sql`delete from workers where heartbeat_at < now() - ${workerDeadAfter}::interval`.execute(db)
  const { rows } = await sql<{ id: string; jobs: number }>`
    select locked_by as id, count(*)::int as jobs from graphile_worker._private_jobs
    where locked_by is not null and locked_at < now() - ${workerDeadAfter}::interval and locked_by not in (select id from workers) group by 1`.execute(
    db,
  )
  const deadWorkerIds = rows.map(({ id }) => id)
  if (deadWorkerIds.length) await unlockJobs(db, deadWorkerIds)
  return rows.reduce((sum, { jobs }) => sum + jobs, 0)
}

/** Unlocks the jobs of these workers, so that others run them. */
async function unlockJobs(db: Db, workerIds: readonly string[]): Promise<void> {
  await sql`select graphile_worker.force_unlock_workers(${workerIds}::text[])`.execute(db)
}

/** Removes the workers of a node that has stopped. */
export async function removeWorkers(db: Db, node: string): Promise<void> {
  await sql`delete from workers where node = ${node}`.execute(db)
}

/**
 * Removes the rows of sequences that have no jobs; the queue keeps one for every name that was ever used. A job that was
 * being added to such a sequence meanwhile would wait for ever, so it continues without one.
 */
export async function removeUnusedSequences({ pool, log }: { pool: Pool; log: Logger }): Promise<void> {
  const logger = new QueueLogger(() => (_level, message) => log.debug(message))
  const utils = await makeWorkerUtils({ pgPool: pool, logger })
  try {
    await utils.cleanup({ tasks: ['GC_JOB_QUEUES'] })
  } finally {
    await utils.release()
  }
  await pool.query(`
    update graphile_worker._private_jobs set job_queue_id = null
    where job_queue_id is not null and job_queue_id not in (select id from graphile_worker._private_job_queues)`)
}

interface WorkerOptions {
  db: Db
  pool: Pool
  /** For the connection that listens for new jobs. */
  database: ClientConfig
  log: Logger
  handlers: Handlers
  /** Photos that are processed at once. */
  photoConcurrency: number
  observer?: JobObserver
}

/** One attempt at a job. */
interface JobAttempt {
  id: string
  name: JobName
  /** 1 for the first. */
  attempt: number
}

const noObserver: JobObserver = { run: (_, work) => work(), onUnlocked() {} }

/** Sees the jobs of this node, for its log and its metrics. */
export interface JobObserver {
  /** Runs the job by calling `work`, and settles as that does. */
  run(job: JobAttempt, work: () => Promise<void>): Promise<void>
  /** Jobs were taken from workers that stopped responding. */
  onUnlocked(jobs: number): void
}

/** The runner of one group; it is replaced whenever it fails. */
interface WorkerGroup {
  /** The id that the jobs of the current runner are locked under. */
  workerId(): string
  /** Lets it look for this many jobs now. */
  wake(jobs: number): void
  /** Stops fetching jobs and waits for the running ones. */
  stop(): Promise<void>
}

interface GroupRunner {
  runner: Runner
  /** Settles when the runner has stopped. */
  ended: Promise<unknown>
  workerPool: WorkerPool
}

const runnerRestartMs = 500
/** Workers without a job look for one when they are woken, and this often whatever happens. */
const pollIntervalMs = 30_000

/** The pool without a connection that listens: all groups share one. */
const withoutListening = (pool: Pool): Pool =>
  // What is not replaced is inherited.
  Object.assign(Object.create(pool) as Pool, {
    // graphile-worker passes a callback only for the connection that listens.
    connect: (callback?: unknown) => (callback === undefined ? pool.connect() : undefined),
    query: pool.query.bind(pool),
  })

function wakeWorkers(workerPool: WorkerPool, jobs: number): void {
  try {
    workerPool.nudge(jobs)
  } catch {
    // A worker has just ended; the others are woken by the next poll.
  }
}

/**
 * Settles when a runner has stopped. Its own promise is not enough: when two batches of finished jobs fail in a row, as
 * when the database goes away, graphile-worker 0.18.0 miscounts them and never resolves it (`batch` in its main.js).
 */
const runnerEnd = (runner: Runner, runnerEvents: WorkerEvents): Promise<unknown> =>
  Promise.race([
    runner.promise,
    new Promise<void>((resolve) => {
      runnerEvents.once('pool:gracefulShutdown:complete', () => resolve())
      runnerEvents.once('pool:forcefulShutdown:complete', () => resolve())
    }),
  ])

/** The functions that run the jobs of a group. */
function tasksOf(group: WorkerGroupName, { handlers, observer = noObserver }: WorkerOptions): TaskList {
  const pauseMs = pauseBetweenJobsMs[group] ?? 0
  const runJob = async (name: JobName, payload: unknown, { job }: JobHelpers): Promise<void> => {
    try {
      // `enqueue` knows the type of each payload.
      await observer.run({ id: job.id, name, attempt: job.attempts }, () => handlers[name](payload as never, job.id))
    } finally {
      if (pauseMs) await wait(pauseMs)
    }
  }
  return Object.fromEntries(
    jobsOf(group).map((name) => [name, (payload: unknown, helpers: JobHelpers) => runJob(name, payload, helpers)]),
  )
}

async function startRunner(group: WorkerGroupName, options: WorkerOptions): Promise<GroupRunner> {
  const { pool, log, photoConcurrency } = options
  const created: WorkerPool[] = []
  const runnerEvents: WorkerEvents = new EventEmitter()
  runnerEvents.on('pool:create', ({ workerPool }) => void created.push(workerPool))
  runnerEvents.on('job:error', ({ job, error }) =>
    log.warn(
      { err: error, job: job.task_identifier, jobId: job.id, attempt: job.attempts },
      job.attempts < job.max_attempts ? 'a job failed and will be retried' : 'a job failed',
    ),
  )
  const runner = await run({
    pgPool: withoutListening(pool),
    concurrency: concurrencyOf[group](photoConcurrency),
    noHandleSignals: true,
    // Without a delay the queue does not await these statements, and an error in one would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    pollInterval: pollIntervalMs,
    // The queue's own messages; failures that matter are logged here or by the jobs.
    logger: new QueueLogger(() => (_level, message) => log.debug(message)),
    events: runnerEvents,
    taskList: tasksOf(group, options),
    parsedCronItems: group === 'maintenance' ? parseCronItems(jobSchedule) : [],
  })
  const [workerPool] = created
  if (!workerPool) throw new Error('the job queue has no workers')
  return { runner, ended: runnerEnd(runner, runnerEvents), workerPool }
}

/** Starts the runner of a group, and a new one whenever it fails, as when the database goes away. */
async function startGroup(group: WorkerGroupName, options: WorkerOptions): Promise<WorkerGroup> {
  const { db, log } = options
  let isStopping = false
  let currentRunner = await startRunner(group, options)
  const replaceRunner = async (): Promise<void> => {
    const { workerPool } = currentRunner
    currentRunner = await startRunner(group, options)
    if (isStopping) return currentRunner.runner.stop()
    // Jobs that finished but could not be recorded as done run again at once.
    await unlockJobs(db, [workerPool.id])
  }
  const superviseRunner = async (): Promise<void> => {
    for (;;) {
      try {
        await currentRunner.ended
      } catch (error) {
        log.warn({ err: error }, 'the job queue failed; restarting it')
      }
      if (isStopping) return
      // Parts of the old runner, such as its schedule, may still be active and must not run twice.
      void currentRunner.runner.stop().catch(() => {})
      await wait(runnerRestartMs)
      await replaceRunner().catch((error: unknown) =>
        log.debug({ err: error }, 'the job queue could not be restarted yet'),
      )
    }
  }
  const runnerSupervised = superviseRunner()
  return {
    workerId: () => currentRunner.workerPool.id,
    wake: (jobs) => wakeWorkers(currentRunner.workerPool, jobs),
    async stop() {
      isStopping = true
      await Promise.allSettled([currentRunner.runner.stop(), runnerSupervised])
    },
  }
}
