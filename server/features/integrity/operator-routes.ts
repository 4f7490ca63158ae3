import { sql } from 'kysely'
import {
  operatorIntegrity,
  startIntegrityCheck,
  type IntegrityCheck,
  type IntegrityState,
} from '@keepsnap/contract/operator-integrity.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { enqueue } from '../../jobs/queue.ts'
import { compareStorageJob } from './compare-storage.ts'
import type { IntegrityReport } from './findings.ts'

/** The newest stored check. Checks by earlier versions, which stored no report, are ignored. */
async function newestCheck(db: Db): Promise<IntegrityCheck | null> {
  const { rows } = await sql<{ at: Date; report: IntegrityReport }>`
    select checked_at as at, report from storage_checks where report is not null
    order by checked_at desc limit 1`.execute(db)
  const [row] = rows
  if (!row) return null
  const {
    withoutChecksum: without_checksum,
    otherNames: other_names = { count: 0, examples: [] },
    ...report
  } = row.report
  return { checked_at: row.at.toISOString(), without_checksum, other_names, ...report }
}

/** Whether a check runs or waits for a worker. */
async function isRunning(db: Db): Promise<boolean> {
  const { rows } = await sql<{ running: boolean }>`
    select exists (select from graphile_worker.jobs
      where task_identifier = 'compare-storage' and (locked_at is not null or attempts < max_attempts)) as running`.execute(
    db,
  )
  return rows[0]?.running === true
}

async function readState(db: Db): Promise<IntegrityState> {
  const [running, check] = await Promise.all([isRunning(db), newestCheck(db)])
  return { running, check }
}

/** The check of everything, for operators. */
export function integrityOperatorRoutes(serve: Serve, { db }: Pick<Dependencies, 'db'>): void {
  serve(operatorIntegrity, async () => readState(db))

  serve(startIntegrityCheck, async () => {
    await db.transaction().execute(async (tx) => {
      // Serializes concurrent requests, so that only one starts a check.
      await sql`select pg_advisory_xact_lock(hashtext('integrity check'))`.execute(tx)
      if (await isRunning(tx)) throw new Fault('conflict', 'A check is already running. Its result will appear here.')
      await enqueue(tx, compareStorageJob)
    })
    return readState(db)
  })
}
