import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { referencedObjects } from '../../domain/referenced-objects.ts'
import type { FileCheckOptions } from './check-contents.ts'
import { checkFiles, type CheckedFiles } from './check-files.ts'
import { checkCounts, checkPhotoRows } from './check-rows.ts'
import { checkOverdueWork } from './check-overdue-work.ts'
import { createFindingList, type FindingList, type IntegrityReport } from './findings.ts'

const checksKept = 30
/** How many files are compared with their checksums by default. */
export const defaultSample = 500

/** What a check needs. */
export interface CheckOptions extends Pick<Dependencies, 'db' | 'storage'> {
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

/** Checks that the database, stored files, counts and jobs are consistent. Changes nothing. */
export async function checkEverything({
  db,
  storage,
  by,
  sample = defaultSample,
  onProgress,
  damaged = [],
}: CheckOptions): Promise<FinishedCheck> {
  const startedAt = performance.now()
  const found = createFindingList()
  await checkOverdueWork(db, found)
  await checkCounts(db, found)
  await checkPhotoRows(db, found)
  const files = await checkFiles({ db, storage, found, sample, onProgress })
  const { untracked, newChecksums: _, ...counted } = files
  const hidden = Math.max(0, untracked.count - untracked.keys.length)
  const known = new Set([...found.namesOf('damaged'), ...found.namesOf('missing')])
  for (const { key, part } of await referencedObjects(db, damaged))
    if (!known.has(key)) found.add('damaged', key, `${key} (${part}, found before)`)
  for (const key of untracked.keys) found.add('untracked', key)
  found.addCounted('untracked', { count: hidden, examples: [], since: null })
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  return { report: { by, seconds, ...counted, removed: 0, findings: found.findings() }, found, files }
}

export const findingCount = ({ findings }: IntegrityReport, kind: string): number =>
  findings.find((finding) => finding.kind === kind)?.count ?? 0

/** Stores a result, of which /admin shows the newest. */
export async function storeReport(db: Db, report: IntegrityReport): Promise<void> {
  const counts = { objects: report.objects, missing: findingCount(report, 'missing'), unknown: report.removed }
  await db
    .insertInto('storage_checks')
    .values({ ...counts, report: JSON.stringify(report) })
    .execute()
  await sql`
    delete from storage_checks where checked_at not in (
      select checked_at from storage_checks order by checked_at desc limit ${checksKept})`.execute(db)
}
