import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

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
export async function unlockJobs(db: Db, workerIds: readonly string[]): Promise<void> {
  await sql`select graphile_worker.force_unlock_workers(${workerIds}::text[])`.execute(db)
}

/** Removes the workers of a node that has stopped. */
export async function removeWorkers(db: Db, node: string): Promise<void> {
  await sql`delete from workers where node = ${node}`.execute(db)
}
