import { hostname } from 'node:os'
import {
  Logger as QueueLogger,
  parseCronItems,
  run,
  type Runner,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import type { Handlers, JobName } from './jobs.ts'

/** Which jobs share a runner, so that slow work of one kind never holds up another. */
const crews: { names: JobName[]; cron: boolean }[] = [
  { names: ['process-photo'], cron: false },
  { names: ['delete-photo', 'sweep', 'compare-storage'], cron: true },
]
/** Run once a slot, however many nodes there are. */
const timetable = [
  { task: 'sweep', match: '* * * * *', options: { backfillPeriod: 0, jobKey: 'sweep', maxAttempts: 1 } },
  {
    task: 'compare-storage',
    match: '17 4 * * *',
    options: { backfillPeriod: 0, jobKey: 'compare-storage', maxAttempts: 1 },
  },
] satisfies { task: JobName; match: string; options: object }[]
const beatMs = 2_500
/** A worker that has not been heard of for this long is dead; its jobs start again. */
const deadAfter = '8 seconds'
const choresAtOnce = 2

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

function quietLog(log: Logger): QueueLogger {
  return new QueueLogger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
    else log.debug(message)
  })
}

/** Runs jobs on this node: photos as many at once as there are image processes, chores beside them. */
export async function startWorker({
  db,
  pool,
  log,
  handlers,
  photosAtOnce,
}: {
  db: Db
  pool: Pool
  log: Logger
  handlers: Handlers
  photosAtOnce: number
}): Promise<JobWorker> {
  const live = new Set<string>()
  const node = `${hostname()}:${process.pid}`
  const runners: Runner[] = []
  const tell = (): void =>
    void beat(db, node, [...live]).catch((error: unknown) =>
      log.debug({ err: error }, 'the heartbeat did not reach the database'),
    )

  for (const { names, cron } of crews) {
    const events: WorkerEvents = new EventEmitter()
    events.on('worker:create', ({ worker }) => void live.add(worker.workerId))
    events.on('worker:stop', ({ worker }) => void live.delete(worker.workerId))
    events.on('job:error', ({ job, error }) =>
      log.warn({ err: error, job: job.task_identifier, attempt: job.attempts }, 'a job failed and will be tried again'),
    )
    // Payloads were written by enqueue, which knows their types.
    const taskList: TaskList = Object.fromEntries(
      names.map((name) => [name, (payload: unknown) => handlers[name](payload as never)]),
    )
    runners.push(
      await run({
        pgPool: pool,
        concurrency: cron ? choresAtOnce : photosAtOnce,
        noHandleSignals: true,
        pollInterval: 2_000,
        logger: quietLog(log),
        events,
        taskList,
        parsedCronItems: cron ? parseCronItems(timetable) : [],
      }),
    )
  }
  tell()
  const timer = setInterval(tell, beatMs)

  return {
    async close() {
      await Promise.allSettled(runners.map((runner) => runner.stop()))
      clearInterval(timer)
      await sql`delete from workers where node = ${node}`.execute(db).catch(() => {})
    },
  }
}
