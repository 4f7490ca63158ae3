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

/** Which jobs share a runner, so that slow work of one kind never holds up another. */
const crews: { names: JobName[]; cron: boolean; atOnce: (photos: number) => number }[] = [
  { names: ['process-photo'], cron: false, atOnce: (photos) => photos },
  // As many as the mail port has connections; letters wait for a mail server, not for this machine.
  { names: ['send-letter', 'send-reset'], cron: false, atOnce: () => 5 },
  // One at a time: guests wait for new photos, not for these.
  { names: ['mark-photo'], cron: false, atOnce: () => 1 },
  // An archive may take long; nobody waits behind it but the next one.
  { names: ['build-archive'], cron: false, atOnce: () => 1 },
  {
    names: ['delete-photo', 'remove-orphans', 'remove-object', 'wake-letters', 'sweep', 'compare-storage'],
    cron: true,
    atOnce: () => 2,
  },
]
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
  if (rows.length) await sql`select graphile_worker.force_unlock_workers(${rows.map(({ id }) => id)})`.execute(db)
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

interface RunningCrew {
  /** Ids under which jobs are locked at the moment. */
  ids(): readonly string[]
  /** Starts anew, without waiting for what hangs: after the database was away, an answer may never come. */
  renew(): void
  stop(): Promise<void>
}

/** One crew at work, made up anew whenever it breaks down, as when the database goes away. */
async function startCrew(
  { names, cron, atOnce }: (typeof crews)[number],
  { pool, log, handlers, photosAtOnce }: WorkerParts,
): Promise<RunningCrew> {
  // Payloads were written by enqueue, which knows their types.
  const taskList: TaskList = Object.fromEntries(
    names.map((name) => [name, (payload: unknown) => handlers[name](payload as never)]),
  )
  let live = new Set<string>()
  let isStopping = false
  const start = async (): Promise<Runner> => {
    const ids = (live = new Set())
    const events: WorkerEvents = new EventEmitter()
    events.on('worker:create', ({ worker }) => void ids.add(worker.workerId))
    events.on('worker:stop', ({ worker }) => void ids.delete(worker.workerId))
    events.on('job:error', ({ job, error }) =>
      log.warn({ err: error, job: job.task_identifier, attempt: job.attempts }, 'a job failed and will be tried again'),
    )
    return run({
      pgPool: pool,
      concurrency: atOnce(photosAtOnce),
      noHandleSignals: true,
      // Without a delay the queue does not wait for these statements, and one that fails ends the program.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      pollInterval: 2_000,
      logger: quietLog(log),
      events,
      taskList,
      parsedCronItems: cron ? parseCronItems(timetable) : [],
    })
  }
  let runner = await start()
  let renewed = Promise.withResolvers<void>()
  const keepGoing = async (): Promise<void> => {
    for (;;) {
      try {
        await Promise.race([runner.promise, renewed.promise])
      } catch (error) {
        log.warn({ err: error }, 'the job queue broke down; starting it again')
      }
      if (isStopping) return
      await delay(againMs)
      const old = runner
      runner = await start().catch(() => runner)
      // What it still works on is overtaken: its jobs are freed as those of the dead are.
      if (runner !== old) void old.stop().catch(() => {})
      old.promise.catch(() => {})
      renewed = Promise.withResolvers()
    }
  }
  const going = keepGoing()
  return {
    ids: () => [...live],
    renew: () => renewed.resolve(),
    async stop() {
      isStopping = true
      renewed.resolve()
      await Promise.allSettled([runner.stop(), going])
    },
  }
}

/** Runs jobs on this node: so many photos at once, letters and chores beside them. */
export async function startWorker(parts: WorkerParts): Promise<JobWorker> {
  const { db, log } = parts
  const node = `${hostname()}:${process.pid}`
  const running = await Promise.all(crews.map((crew) => startCrew(crew, parts)))
  let isAway = false
  const tellNow = async (): Promise<void> => {
    try {
      await beat(
        db,
        node,
        running.flatMap(({ ids }) => ids()),
      )
    } catch (error) {
      isAway = true
      log.debug({ err: error }, 'the heartbeat did not reach the database')
      return
    }
    if (!isAway) return
    isAway = false
    log.info('the database is there again; job queues start anew')
    for (const crew of running) crew.renew()
  }
  const tell = (): void => void tellNow()
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
