import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { groupOf, workerGroupNames } from './worker-groups.ts'

/** The jobs of one worker group, on all nodes. */
export interface QueueStateOfGroup {
  name: string
  /** Due and not started. */
  waiting: number
  running: number
  /** Without attempts left. */
  failed: number
  oldestWaitingSeconds: number | null
}

interface TaskRow {
  task: string
  waiting: number
  running: number
  failed: number
  oldestSeconds: number | null
}

/** What waits, runs and has failed, for each worker group. */
export async function queueStates(db: Db): Promise<QueueStateOfGroup[]> {
  // Slow photos have times in the past, which only order them.
  const { rows } = await sql<TaskRow>`
    with states as (
      select task_identifier as task, greatest(run_at, created_at) as due_at, locked_at is not null as is_running,
        attempts >= max_attempts and locked_at is null as is_failed
      from graphile_worker.jobs
    )
    select task, count(*) filter (where is_running) as running, count(*) filter (where is_failed) as failed,
      count(*) filter (where not is_running and not is_failed and due_at <= now()) as waiting,
      extract(epoch from now() - min(due_at) filter (where not is_running and not is_failed and due_at <= now()))::float8
        as "oldestSeconds"
    from states group by task`.execute(db)
  const groupByTask = new Map<string, string>(Object.entries(groupOf))
  return workerGroupNames.map((name) => {
    const ofGroup = rows.filter(({ task }) => groupByTask.get(task) === name)
    const sumOf = (field: 'waiting' | 'running' | 'failed'): number => ofGroup.reduce((sum, row) => sum + row[field], 0)
    const oldest = ofGroup.map(({ oldestSeconds }) => oldestSeconds).filter((seconds) => seconds !== null)
    return {
      name,
      waiting: sumOf('waiting'),
      running: sumOf('running'),
      failed: sumOf('failed'),
      oldestWaitingSeconds: oldest.length ? Math.max(...oldest) : null,
    }
  })
}
