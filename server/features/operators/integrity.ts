import { sql } from 'kysely'
import {
  type FindingKind,
  type IntegrityCheck,
  type IntegrityState,
  operatorIntegrity,
  startIntegrityCheck,
} from '@keepsnap/contract/operators.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  keysKnownToDatabase,
  recordChecksums,
  type ReferencedObject,
  referencedObjects,
  registerMissingKeys,
} from '../photos/stored-objects.ts'
import { enqueue, type NewJob } from '../../platform/jobs/queue.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import { keepPhotoCount } from '../accounts/users.ts'
import { rebuildFullImage, rebuildThumbnail, recountMonth } from '../photos/repair.ts'
import { enqueueSyncsOfAccounts } from '../plans/payment-events.ts'
import { plural } from '../../lib/operator-texts.ts'
import { type CheckedFiles, checkFiles, type FileCheckOptions, isIntact, noFilesChecked } from './check-files.ts'
import {
  accountsWithMismatchedPlan,
  checkCounts,
  checkOverdueWork,
  checkPhotoRows,
  createFindingList,
  type FindingList,
  hasLateComparison,
  type IntegrityReport,
} from './check-database.ts'

/** The check of everything, for operators. */
export function integrityOperatorRoutes(serve: Serve, { db }: Dependencies): void {
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

/** The check that an operator starts. It never runs at the same time as the nightly one. */
const compareStorageJob: NewJob<'compare-storage'> = {
  name: 'compare-storage',
  payload: { by: 'operator' },
  key: 'compare-storage',
  sequence: 'compare-storage',
}

const loggedMax = 20

const dayMs = 24 * 60 * 60 * 1000

/** Checks everything, stores the result, and then removes orphaned files and unfinished uploads. */
export async function compareStorage(
  deps: Pick<Dependencies, 'db' | 'storage' | 'log'>,
  by: IntegrityReport['by'] = 'nightly',
): Promise<IntegrityReport> {
  const { db, storage, log } = deps
  const { report, found, files } = await checkEverything({ db, storage, log, by })
  for (const kind of ['missing', 'damaged'] as const)
    if (findingCount(report, kind) > 0)
      log.error(
        { [kind]: findingCount(report, kind), keys: found.namesOf(kind).slice(0, loggedMax) },
        kind === 'missing' ? 'files are not stored' : 'files are damaged',
      )
  const checkedAt = await storeReport(db, report)
  const removed = (await runStep({ log, found }, 'removal of orphaned files', () => removeUntracked(deps, files))) ?? 0
  await runStep({ log, found }, 'removal of unfinished uploads', async () => {
    const aborted = (await storage.removeUnfinished?.(new Date(Date.now() - dayMs))) ?? 0
    if (aborted) log.warn({ aborted }, 'ended uploads to the store that were never finished')
  })
  const findings = found.findings().filter(({ kind }) => kind !== 'untracked' || removed === 0)
  const afterRemovals = { ...report, objects: report.objects - removed, removed, findings }
  await replaceReport(db, checkedAt, afterRemovals)
  return afterRemovals
}

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
async function runStep<Result>(
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
const failureText = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200)

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

const findingCount = ({ findings }: IntegrityReport, kind: string): number =>
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
async function replaceReport(db: Db, checkedAt: string, report: IntegrityReport): Promise<void> {
  await sql`
    update storage_checks set objects = ${report.objects}, unknown = ${report.removed}, report = ${JSON.stringify(report)}
    where checked_at = ${checkedAt}::timestamptz`.execute(db)
}

const pageSize = 500

/**
 * Unknown files are not removed if there are more than this number and more than this share of all files, or more than
 * half of all files: after the loss of a database, all photos of a small event are unknown to the empty replacement.
 */
const untrackedMax = 20

const untrackedShareMax = 0.1

const untrackedPartMax = 0.5

/** Whether so many files are unknown that database and store probably do not belong together. */
const hasTooManyUntracked = ({ untracked, objects }: Pick<CheckedFiles, 'untracked' | 'objects'>): boolean =>
  untracked.count > Math.min(Math.max(untrackedMax, objects * untrackedShareMax), objects * untrackedPartMax)

/**
 * Removes unknown files that are at least a day old; resolves to how many. First checks again that no row refers to
 * them. Keys are random and never reused, so an unknown key is never registered later.
 */
async function removeUntracked(
  { db, storage, log }: Pick<Dependencies, 'db' | 'storage' | 'log'>,
  files: CheckedFiles,
): Promise<number> {
  const { untracked, objects } = files
  if (hasTooManyUntracked(files)) {
    const counts = { unknown: untracked.count, stored: objects }
    log.error(counts, 'too many stored files are unknown to the database to remove them: is this its store?')
    return 0
  }
  const known = await keysKnownToDatabase(db, untracked.keys)
  const keys = untracked.keys.filter((key) => !known.has(key))
  for (let at = 0; at < keys.length; at += pageSize) await storage.remove(keys.slice(at, at + pageSize))
  if (keys.length) log.warn({ removed: keys.length }, 'removed stored files that the database does not know')
  return keys.length
}

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

/** What a repair needs. */
export interface RepairOptions extends Pick<Dependencies, 'db' | 'storage' | 'log'> {
  images: () => Promise<ImagePool>
  check: FinishedCheck
  onProgress?: ((step: string, done: number, total: number) => void) | undefined
}

/** What was repaired and what was not, as sentences. `lost`: keys of files that could not be regenerated. */
export interface RepairResult {
  done: string[]
  notDone: string[]
  lost: string[]
}

const shownMax = 20

const retriedMax = 10_000

/** The first names as text, and how many more there are. */
function listed(names: readonly string[]): string {
  const more = names.length > shownMax ? ` and ${names.length - shownMax} more` : ''
  return names.slice(0, shownMax).join(', ') + more
}

/** Regenerates images from intact ones of the same photo: full images first, because thumbnails are made from them. */
async function rebuildImages(options: RepairOptions, result: RepairResult): Promise<void> {
  const { db, storage, log, check, onProgress } = options
  const keys = [...check.found.namesOf('missing'), ...check.found.namesOf('damaged')]
  const broken = new Set(keys)
  const objects: ReferencedObject[] = []
  for (let at = 0; at < keys.length; at += 1_000)
    objects.push(...(await referencedObjects(db, keys.slice(at, at + 1_000))))
  const isGood = async (key: string): Promise<boolean> => !broken.has(key) && isIntact({ db, storage }, key)
  const made = { full: 0, thumbnail: 0 }
  let tried = 0
  for (const part of ['full', 'thumbnail'] as const) {
    const rebuild = part === 'full' ? rebuildFullImage : rebuildThumbnail
    for (const { key, photoId } of objects.filter((object) => object.part === part)) {
      onProgress?.('regenerated files', (tried += 1), objects.length)
      if (photoId !== null && (await runStep({ log }, 'regeneration', () => rebuild(options, photoId, isGood))))
        made[part] += 1
      else result.lost.push(key)
    }
  }
  result.lost.push(...objects.filter(({ part }) => part !== 'full' && part !== 'thumbnail').map(({ key }) => key))
  if (made.full > 0) result.done.push(`Regenerated ${plural(made.full, 'watermarked picture')}.`)
  if (made.thumbnail > 0) result.done.push(`Regenerated ${plural(made.thumbnail, 'thumbnail')}.`)
  if (result.lost.length > 0) {
    result.notDone.push(
      `${plural(result.lost.length, 'file')} cannot be regenerated from what is stored. Restore them from a backup: ${listed(result.lost)}`,
    )
  }
}

async function removeUnknown(options: RepairOptions, { done, notDone }: RepairResult): Promise<void> {
  const { files } = options.check
  if (files.untracked.count === 0) return
  if (hasTooManyUntracked(files))
    return void notDone.push(
      `${plural(files.untracked.count, 'file')} are orphaned, too many to be leftovers: is this the store of this database? None was removed.`,
    )
  const removed = await removeUntracked(options, files)
  if (removed > 0) done.push(`Removed ${plural(removed, 'orphaned file')}.`)
}

async function repairRows({ db, check: { found, files } }: RepairOptions, { done }: RepairResult): Promise<void> {
  let registered = 0
  for (const id of found.namesOf('unregistered')) registered += await registerMissingKeys(db, id)
  if (registered > 0) done.push(`Registered ${plural(registered, 'file')} of photos.`)
  let recounted = 0
  for (const name of found.namesOf('counts')) {
    const [userId = '', month = ''] = name.split(' ')
    if (await recountMonth(db, userId, month)) recounted += 1
  }
  if (recounted > 0) done.push(`Recounted the photos of ${plural(recounted, 'month')}.`)
  const wrongNumbers = found.namesOf('photo-counts')
  for (const userId of wrongNumbers) await keepPhotoCount(db, userId)
  if (wrongNumbers.length > 0) done.push(`Recounted the photos of ${plural(wrongNumbers.length, 'account')}.`)
  const checksums = await recordChecksums(db, files.newChecksums)
  if (checksums > 0) done.push(`Saved the checksums of ${plural(checksums, 'file')} stored by an earlier version.`)
}

/** Enqueues the synchronization of accounts whose plan differs from the payment provider's state. */
async function askAboutPlans({ db }: RepairOptions, { done, notDone }: RepairResult): Promise<void> {
  const accounts = await accountsWithMismatchedPlan(db)
  const asked = await enqueueSyncsOfAccounts(db, accounts)
  if (asked.size > 0)
    done.push(`Queued the synchronization of ${plural(asked.size, 'customer')} with the payment provider.`)
  const others = accounts.filter((id) => !asked.has(id))
  if (others.length > 0)
    notDone.push(
      `${plural(others.length, 'account')} with a paid plan and without a customer at the payment provider, so the plan cannot be verified. Look there for who pays; a plan without a customer ends with its period: ${listed(others)}`,
    )
}

async function restartWork(options: RepairOptions, result: RepairResult): Promise<void> {
  const { db, check } = options
  const { done } = result
  const has = (...kinds: FindingKind[]): boolean => check.report.findings.some(({ kind }) => kinds.includes(kind))
  // Jobs that failed permanently get all of their attempts again.
  if (has('jobs-failed')) {
    const { rows } = await sql`
      select graphile_worker.reschedule_jobs(array(
        select id from graphile_worker.jobs where attempts >= max_attempts and locked_at is null order by id limit ${retriedMax}),
        run_at => now(), attempts => 0)`.execute(db)
    if (rows.length > 0) done.push(`Queued ${plural(rows.length, 'job')} again that had failed permanently.`)
  }
  if (has('plans')) await askAboutPlans(options, result)
  if (has('photos', 'deletions', 'emails', 'webhooks', 'expired')) {
    await enqueue(db, { name: 'clean-up', payload: {}, key: 'clean-up' })
    done.push(
      'Queued the job that starts late photos, deletions, emails and deliveries again and deletes what has expired.',
    )
  }
  if (has('payments')) {
    await enqueue(db, { name: 'reconcile-payments', payload: {}, key: 'reconcile-payments' })
    done.push('Queued the job that finishes payments.')
    if (await hasLateComparison(db)) {
      await enqueue(db, { name: 'compare-customers', payload: {}, key: 'compare-customers' })
      done.push('Queued the comparison of all customers with the payment provider.')
    }
  }
}

/** Repairs what can be repaired without data loss. May be run repeatedly; removes nothing that a row refers to. */
export async function repair(options: RepairOptions): Promise<RepairResult> {
  const result: RepairResult = { done: [], notDone: [], lost: [] }
  const steps = {
    'counts and rows': repairRows,
    'regeneration of files': rebuildImages,
    'removal of orphaned files': removeUnknown,
    'late work': restartWork,
  }
  for (const [name, step] of Object.entries(steps))
    await runStep(options, name, () =>
      step(options, result).catch((error: unknown) => {
        result.notDone.push(`The step "${name}" failed: ${failureText(error)}`)
        throw error
      }),
    )
  return result
}
