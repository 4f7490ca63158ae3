import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { referencedObjects } from '../../domain/referenced-objects.ts'
import type { FileCheckOptions } from './check-contents.ts'
import { checkFiles, noFilesChecked, type CheckedFiles } from './check-files.ts'
import { checkCounts, checkPhotoRows } from './check-rows.ts'
import { checkOverdueWork } from './check-overdue-work.ts'
import { createFindingList, type FindingList, type IntegrityReport } from './findings.ts'

const checksKept = 30
/** How many files are compared with their checksums by default. */
export const defaultSample = 500

/** What a check needs. */
export interface CheckOptions extends Pick<Dependencies, 'db' | 'storage' | 'log'> {
  by: IntegrityReport['by']
  sample?: FileCheckOptions['sample']
  onProgress?: FileCheckOptions['onProgress']
  /** Files that were found to be damaged before. */
  damaged?: readonly string[]
}

/** A report, and what repairs need in addition. */
export interface FinishedCheck {
  report: IntegrityReport
  found: FindingList
  files: CheckedFiles
}

/**
 * Runs one step of a check, of the removals after it, or of repairs. A step that fails is logged, becomes a finding and does
 * not keep the others from running.
 */
export async function runStep<Result>(
  { log, found }: Pick<CheckOptions, 'log'> & { found?: FindingList },
  step: string,
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await run()
  } catch (error) {
    log.error({ err: error, step }, 'a step of the integrity check failed')
    found?.add('unfinished', step, `${step}: ${failureText(error)}`)
    return undefined
  }
}

/** Why a step failed, in one line. */
export const failureText = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200)

/** Checks that the database, stored files, counts and jobs are consistent. Changes nothing. */
export async function checkEverything({
  db,
  storage,
  log,
  by,
  sample = defaultSample,
  onProgress,
  damaged = [],
}: CheckOptions): Promise<FinishedCheck> {
  const startedAt = performance.now()
  const found = createFindingList()
  const step = <Result>(name: string, run: () => Promise<Result>) => runStep({ log, found }, name, run)
  await step('work', () => checkOverdueWork(db, found))
  await step('counts', () => checkCounts(db, found))
  await step('rows', () => checkPhotoRows(db, found))
  const files = (await step('files', () => checkFiles({ db, storage, found, sample, onProgress }))) ?? noFilesChecked()
  const { untracked, newChecksums: _, ...counted } = files
  const hidden = Math.max(0, untracked.count - untracked.keys.length)
  const known = new Set([...found.namesOf('damaged'), ...found.namesOf('missing')])
  await step('damage found before', async () => {
    for (const { key, part } of await referencedObjects(db, damaged))
      if (!known.has(key)) found.add('damaged', key, `${key} (${part}, found before)`)
  })
  for (const key of untracked.keys) found.add('untracked', key)
  found.addCounted('untracked', { count: hidden, examples: [], since: null })
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  return { report: { by, seconds, ...counted, removed: 0, findings: found.findings() }, found, files }
}

export const findingCount = ({ findings }: IntegrityReport, kind: string): number =>
  findings.find((finding) => finding.kind === kind)?.count ?? 0

/** Stores a result, of which /admin shows the newest; resolves with its name for `replaceReport`. */
export async function storeReport(db: Db, report: IntegrityReport): Promise<string> {
  const { rows } = await sql<{ checkedAt: string }>`
    insert into storage_checks (objects, missing, unknown, report)
    values (${report.objects}, ${findingCount(report, 'missing')}, ${report.removed}, ${JSON.stringify(report)})
    returning checked_at::text as "checkedAt"`.execute(db)
  await sql`
    delete from storage_checks where checked_at not in (
      select checked_at from storage_checks order by checked_at desc limit ${checksKept})`.execute(db)
  return rows[0]?.checkedAt ?? ''
}

/** Replaces a stored result by what is known after removals. */
export async function replaceReport(db: Db, checkedAt: string, report: IntegrityReport): Promise<void> {
  await sql`
    update storage_checks set objects = ${report.objects}, unknown = ${report.removed}, report = ${JSON.stringify(report)}
    where checked_at = ${checkedAt}::timestamptz`.execute(db)
}
