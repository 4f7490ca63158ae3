import { sql, type RawBuilder } from 'kysely'
import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { keepListening, type ListenConnection } from '../db/listen-connection.ts'
import type { JobName } from './jobs.ts'
import { groupOf, isWorkerGroupName, type WorkerGroupName } from './worker-groups.ts'

const wakeUpChannel = 'keepsnap_jobs'
/** Jobs whose time has come, and those of the schedule, start at most this much later. */
const pollMs = 2_000

let sentWakeUps = 0

/** An SQL expression that wakes the group of these jobs on every node, when and only when the transaction commits. */
export function wakeUpExpression(name: JobName, jobs = 1): RawBuilder<unknown> {
  sentWakeUps += 1
  // PostgreSQL sends equal notifications of a transaction once; each counts.
  return sql`pg_notify(${wakeUpChannel}, ${`${groupOf[name]} ${jobs} ${sentWakeUps}`})`
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
    const group: WorkerGroupName | undefined = groupOf[name]
    if (group) waiting.set(group, (waiting.get(group) ?? 0) + jobs)
  }
  return waiting
}

export interface WakeUpOptions {
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
