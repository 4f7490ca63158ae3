import { type RawBuilder, sql } from 'kysely'
import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { type Db, keepListening, type ListenConnection } from '../db/connect.ts'
import {
  isWorkerGroupName,
  type JobName,
  jobRules,
  type Jobs,
  jobsOf,
  type WorkerGroupName,
  workerGroupNames,
} from './jobs.ts'

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

/** The jobs of one worker group, on all nodes. */
interface QueueStateOfGroup {
  name: string
  /** Due and not started. */
  waiting: number
  running: number
  /** Without attempts left. */
  failed: number
  oldestWaitingSeconds: number | null
}

/** For each kind of job, how many wait, run and have failed, and the seconds since the oldest was due. */
export const jobCounts = sql`
  select job, count(*) filter (where is_running) as running, count(*) filter (where is_failed) as failed,
    count(*) filter (where not is_running and not is_failed and due_at <= now()) as waiting,
    extract(epoch from now() - min(due_at) filter (where not is_running and not is_failed and due_at <= now()))::float8 as oldest
  from (
    -- Slow photos have times in the past, which only order them.
    select task_identifier as job, greatest(run_at, created_at) as due_at, locked_at is not null as is_running,
      attempts >= max_attempts and locked_at is null as is_failed
    from graphile_worker.jobs
  ) as jobs group by job`
/** A row of `jobCounts`. */
export interface JobCounts {
  job: string
  waiting: number
  running: number
  failed: number
  oldest: number | null
}

/** What waits, runs and has failed, for each worker group. */
export async function queueStates(db: Db): Promise<QueueStateOfGroup[]> {
  const { rows } = await jobCounts.$castTo<JobCounts>().execute(db)
  return workerGroupNames.map((name) => {
    const names: readonly string[] = jobsOf(name)
    const ofGroup = rows.filter(({ job }) => names.includes(job))
    const sumOf = (field: 'waiting' | 'running' | 'failed'): number => ofGroup.reduce((sum, row) => sum + row[field], 0)
    const waits = ofGroup.map(({ oldest }) => oldest).filter((seconds) => seconds !== null)
    return {
      name,
      waiting: sumOf('waiting'),
      running: sumOf('running'),
      failed: sumOf('failed'),
      oldestWaitingSeconds: waits.length ? Math.max(...waits) : null,
    }
  })
}

const wakeUpChannel = 'keepsnap_jobs'
/** Jobs whose time has come, and those of the schedule, start at most this much later. */
const pollMs = 2_000

let sentWakeUps = 0

/** An SQL expression that wakes the group of these jobs on every node, when and only when the transaction commits. */
export function wakeUpExpression(name: JobName, jobs = 1): RawBuilder<unknown> {
  sentWakeUps += 1
  // PostgreSQL sends equal notifications of a transaction once; each counts.
  return sql`pg_notify(${wakeUpChannel}, ${`${jobRules[name].group} ${jobs} ${sentWakeUps}`})`
}

/** Groups with jobs to do now, and how many. */
async function findWaitingJobs(db: Db): Promise<Map<WorkerGroupName, number>> {
  const { rows } = await sql<{ name: JobName; jobs: number }>`
    select task.identifier as name, count(*)::int as jobs
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where job.is_available and job.run_at <= now() group by 1`.execute(db)
  const waiting = new Map<WorkerGroupName, number>()
  for (const { name, jobs } of rows) {
    // A later version may have added kinds that this one does not know.
    const rules: (typeof jobRules)[JobName] | undefined = jobRules[name]
    if (rules) waiting.set(rules.group, (waiting.get(rules.group) ?? 0) + jobs)
  }
  return waiting
}

interface WakeUpOptions {
  db: Db
  database: ClientConfig
  log: Logger
  /** Lets a group look for this many jobs. */
  wake(group: WorkerGroupName, jobs: number): void
}

/**
 * Wakes the groups that have something to do, and no others: over one connection that listens for new jobs, and every two
 * seconds by one query for all groups.
 */
export function startWakeUps({ db, database, log, wake }: WakeUpOptions): ListenConnection {
  let isPolling = false
  const poll = async (): Promise<void> => {
    if (isPolling) return
    isPolling = true
    try {
      for (const [group, jobs] of await findWaitingJobs(db)) wake(group, jobs)
    } catch (error) {
      log.debug({ err: error }, 'the job queue could not be read; trying again')
    } finally {
      isPolling = false
    }
  }
  const pollTimer = setInterval(() => void poll(), pollMs)
  const connection = keepListening(database, {
    channel: wakeUpChannel,
    onNotification(payload) {
      const [group = '', jobs] = payload.split(' ')
      if (isWorkerGroupName(group)) wake(group, Number(jobs))
    },
    // Jobs may have been added while it did not listen.
    onStateChange: (isListening) => void (isListening && poll()),
  })
  return {
    isListening: connection.isListening,
    async close() {
      clearInterval(pollTimer)
      await connection.close()
    },
  }
}
