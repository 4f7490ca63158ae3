import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import {
  Logger as QueueLogger,
  parseCronItems,
  run,
  type Runner,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { unlockJobs } from './heartbeat.ts'
import type { Handlers } from './jobs.ts'
import { concurrencyOf, jobsOf, jobSchedule, type WorkerGroupName } from './worker-groups.ts'

export interface WorkerOptions {
  db: Db
  pool: Pool
  log: Logger
  handlers: Handlers
  /** Photos that are processed at once. */
  photoConcurrency: number
}

/** The runner of one group; it is replaced whenever it fails. */
export interface WorkerGroup {
  /** The id that the jobs of the current runner are locked under. */
  workerId(): string
  /** Stops fetching jobs and waits for the running ones. */
  stop(): Promise<void>
}

interface GroupRunner {
  runner: Runner
  /** Settles when the runner has stopped. */
  ended: Promise<unknown>
  workerId: string
}

const runnerRestartMs = 500

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

async function startRunner(group: WorkerGroupName, options: WorkerOptions): Promise<GroupRunner> {
  const { pool, log, handlers, photoConcurrency } = options
  // `enqueue` knows the type of each payload.
  const taskList: TaskList = Object.fromEntries(
    jobsOf(group).map((name) => [name, (payload: unknown) => handlers[name](payload as never)]),
  )
  let workerId = ''
  const runnerEvents: WorkerEvents = new EventEmitter()
  runnerEvents.on('pool:create', ({ workerPool }) => void (workerId = workerPool.id))
  runnerEvents.on('job:error', ({ job, error }) =>
    log.warn({ err: error, job: job.task_identifier, attempt: job.attempts }, 'a job failed and will be retried'),
  )
  const runner = await run({
    pgPool: pool,
    concurrency: concurrencyOf[group](photoConcurrency),
    noHandleSignals: true,
    // Without a delay the queue does not await these statements, and an error in one would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    pollInterval: 2_000,
    // The queue's own messages; failures that matter are logged here or by the jobs.
    logger: new QueueLogger(() => (_level, message) => log.debug(message)),
    events: runnerEvents,
    taskList,
    parsedCronItems: group === 'maintenance' ? parseCronItems(jobSchedule) : [],
  })
  return { runner, ended: runnerEnd(runner, runnerEvents), workerId }
}

/** Starts the runner of a group, and a new one whenever it fails, as when the database goes away. */
export async function startGroup(group: WorkerGroupName, options: WorkerOptions): Promise<WorkerGroup> {
  const { db, log } = options
  let isStopping = false
  let currentRunner = await startRunner(group, options)
  const replaceRunner = async (): Promise<void> => {
    const { workerId } = currentRunner
    currentRunner = await startRunner(group, options)
    if (isStopping) return currentRunner.runner.stop()
    // Jobs that finished but could not be recorded as done run again at once.
    await unlockJobs(db, [workerId])
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
    workerId: () => currentRunner.workerId,
    async stop() {
      isStopping = true
      await Promise.allSettled([currentRunner.runner.stop(), runnerSupervised])
    },
  }
}
