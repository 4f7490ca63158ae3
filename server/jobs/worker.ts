import { EventEmitter } from 'node:events'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import {
  Logger as QueueLogger,
  parseCronItems,
  run,
  type Runner,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import type { Handlers, JobName } from './jobs.ts'

/** Who works side by side, so that slow work of one kind never holds up another. */
const crews = {
  photos: { atOnce: (photos: number) => photos },
  // As many as the mail port has connections; letters wait for a mail server, not for this machine.
  letters: { atOnce: () => 5 },
  // One at a time: guests wait for new photos, not for these.
  marks: { atOnce: () => 1 },
  // An archive may take long; nobody waits behind it but the next one.
  archives: { atOnce: () => 1 },
  // The timetable is theirs.
  chores: { atOnce: () => 2 },
} satisfies Record<string, { atOnce: (photos: number) => number }>
type CrewName = keyof typeof crews
/** Each job has one crew; a job without one is never run. */
const crewOf: Record<JobName, CrewName> = {
  'process-photo': 'photos',
  'send-letter': 'letters',
  'send-reset': 'letters',
  'mark-photo': 'marks',
  'build-archive': 'archives',
  'delete-photo': 'chores',
  'remove-orphans': 'chores',
  'remove-object': 'chores',
  'forget-letters': 'chores',
  'wake-letters': 'chores',
  sweep: 'chores',
  'compare-storage': 'chores',
}
const jobsOf = (crew: CrewName): JobName[] => (Object.keys(crewOf) as JobName[]).filter((name) => crewOf[name] === crew) // its keys are the names of the jobs
/** Run once a slot, however many nodes there are. */
const timetable = [
  { task: 'sweep', match: '* * * * *', options: { backfillPeriod: 0, jobKey: 'sweep', maxAttempts: 1 } },
  { task: 'wake-letters', match: '* * * * *', options: { backfillPeriod: 0, jobKey: 'wake-letters', maxAttempts: 1 } },
  {
    task: 'compare-storage',
    match: '17 4 * * *',
    options: { backfillPeriod: 0, jobKey: 'compare-storage', maxAttempts: 1 },
  },
] satisfies { task: JobName; match: string; options: object }[]
const beatMs = 2_500
/** A worker that has not been heard of for this long is dead; its jobs start again. */
const deadAfter = '8 seconds'
const againMs = 500

export interface JobWorker {
  /** Stops fetching and waits for what is running; what still runs after that is handed back by the next node's sweep. */
  close(): Promise<void>
}

/** Tells that the named workers live, and frees the jobs of those that do not. */
async function beat(db: Db, node: string, ids: readonly string[]): Promise<void> {
  await sql`insert into workers (id, node) select unnest(${ids}::text[]), ${node} on conflict (id) do update set beat_at = now()`.execute(
    db,
  )
  await sql`delete from workers where beat_at < now() - ${deadAfter}::interval`.execute(db)
  const { rows } = await sql<{ id: string }>`
    select distinct locked_by as id from graphile_worker._private_jobs
    where locked_by is not null and locked_at < now() - ${deadAfter}::interval and locked_by not in (select id from workers)`.execute(
    db,
  )
  if (rows.length)
    await free(
      db,
      rows.map(({ id }) => id),
    )
}

/** Lets others take what these workers hold. */
async function free(db: Db, ids: readonly string[]): Promise<void> {
  await sql`select graphile_worker.force_unlock_workers(${ids}::text[])`.execute(db)
}

/** The queue's own words, for those who look closely; what matters of them is logged here or by the jobs. */
function quietLog(log: Logger): QueueLogger {
  return new QueueLogger(() => (_level, message) => log.debug(message))
}

interface WorkerParts {
  db: Db
  pool: Pool
  log: Logger
  handlers: Handlers
  photosAtOnce: number
}

interface Started {
  runner: Runner
  /** Settles when it works no more. */
  ended: Promise<unknown>
  /** Under which its jobs are locked. */
  id: string
}

/**
 * Settles when a runner works no more. Its own promise is not enough: when two notes of finished jobs fail in a row, as
 * when the database goes away, graphile-worker 0.18.0 counts one too few and waits for ever for what is no longer
 * there (`batch` in its main.js).
 */
const endOf = (runner: Runner, events: WorkerEvents): Promise<unknown> =>
  Promise.race([
    runner.promise,
    new Promise<void>((resolve) => {
      events.once('pool:gracefulShutdown:complete', () => resolve())
      events.once('pool:forcefulShutdown:complete', () => resolve())
    }),
  ])

interface RunningCrew {
  /** Under which the jobs of the crew are locked at the moment. */
  id(): string
  stop(): Promise<void>
}

/** One crew at work, made up anew whenever it breaks down, as when the database goes away. */
async function startCrew(crew: CrewName, { db, pool, log, handlers, photosAtOnce }: WorkerParts): Promise<RunningCrew> {
  // Payloads were written by enqueue, which knows their types.
  const taskList: TaskList = Object.fromEntries(
    jobsOf(crew).map((name) => [name, (payload: unknown) => handlers[name](payload as never)]),
  )
  let isStopping = false
  const start = async (): Promise<Started> => {
    let id = ''
    const events: WorkerEvents = new EventEmitter()
    events.on('pool:create', ({ workerPool }) => void (id = workerPool.id))
    events.on('job:error', ({ job, error }) =>
      log.warn({ err: error, job: job.task_identifier, attempt: job.attempts }, 'a job failed and will be tried again'),
    )
    const runner = await run({
      pgPool: pool,
      concurrency: crews[crew].atOnce(photosAtOnce),
      noHandleSignals: true,
      // Without a delay the queue does not wait for these statements, and one that fails ends the program.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      pollInterval: 2_000,
      logger: quietLog(log),
      events,
      taskList,
      parsedCronItems: crew === 'chores' ? parseCronItems(timetable) : [],
    })
    return { runner, ended: endOf(runner, events), id }
  }
  let current = await start()
  const keepGoing = async (): Promise<void> => {
    for (;;) {
      try {
        await current.ended
      } catch (error) {
        log.warn({ err: error }, 'the job queue broke down; starting it again')
      }
      if (isStopping) return
      // What of it still runs, such as its timetable, is not to run twice.
      void current.runner.stop().catch(() => {})
      await delay(againMs)
      const { id } = current
      try {
        current = await start()
        if (isStopping) return await current.runner.stop()
        // What it could not note as done is done again at once.
        await free(db, [id])
      } catch (error) {
        log.debug({ err: error }, 'the job queue does not start yet')
      }
    }
  }
  const going = keepGoing()
  return {
    id: () => current.id,
    async stop() {
      isStopping = true
      await Promise.allSettled([current.runner.stop(), going])
    },
  }
}

/** Runs jobs on this node: so many photos at once, letters and chores beside them. */
export async function startWorker(parts: WorkerParts): Promise<JobWorker> {
  const { db, log } = parts
  const node = `${hostname()}:${process.pid}`
  const names = Object.keys(crews) as CrewName[] // all there are
  const running = await Promise.all(names.map((crew) => startCrew(crew, parts)))
  const tell = (): void =>
    void beat(
      db,
      node,
      running.map(({ id }) => id()),
    ).catch((error: unknown) => log.debug({ err: error }, 'the heartbeat did not reach the database'))
  tell()
  const timer = setInterval(tell, beatMs)

  return {
    async close() {
      await Promise.all(running.map((crew) => crew.stop()))
      clearInterval(timer)
      await sql`delete from workers where node = ${node}`.execute(db).catch(() => {})
    },
  }
}
