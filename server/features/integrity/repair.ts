import { sql } from 'kysely'
import type { FindingKind } from '@keepsnap/contract/operator-integrity.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  referencedObjects,
  recordChecksums,
  registerMissingKeys,
  type ReferencedObject,
} from '../../domain/referenced-objects.ts'
import { enqueue } from '../../jobs/queue.ts'
import { plural } from '../../lib/operator-texts.ts'
import { isIntact } from './check-contents.ts'
import { accountsWithMismatchedPlan, hasLateComparison } from './check-overdue-work.ts'
import { failureText, runStep, type FinishedCheck } from './check-everything.ts'
import { hasTooManyUntracked, removeUntracked } from './remove-untracked.ts'

/** Repairs of other features: each resolves with whether, or how much, it has repaired. */
export interface RepairFunctions {
  rebuildThumbnail(photoId: string, isIntact: (key: string) => Promise<boolean>): Promise<boolean>
  rebuildFullImage(photoId: string, isIntact: (key: string) => Promise<boolean>): Promise<boolean>
  /** Raises the count of a month to the photos that exist. */
  recount(userId: string, month: string): Promise<boolean>
  /** Counts the photos of an account again. */
  recountPhotos(userId: string): Promise<unknown>
  /** Asks the payment provider about the customers of these accounts; those that have one. */
  syncAccounts(userIds: readonly string[]): Promise<ReadonlySet<string>>
}

/** What a repair needs. */
export interface RepairOptions extends Pick<Dependencies, 'db' | 'storage' | 'log'> {
  check: FinishedCheck
  repairers: RepairFunctions
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
async function rebuildImages({ db, storage, log, check, repairers, onProgress }: RepairOptions, result: RepairResult) {
  const keys = [...check.found.namesOf('missing'), ...check.found.namesOf('damaged')]
  const broken = new Set(keys)
  const objects: ReferencedObject[] = []
  for (let at = 0; at < keys.length; at += 1_000)
    objects.push(...(await referencedObjects(db, keys.slice(at, at + 1_000))))
  const isGood = async (key: string): Promise<boolean> => !broken.has(key) && isIntact({ db, storage }, key)
  const made = { full: 0, thumbnail: 0 }
  let tried = 0
  for (const part of ['full', 'thumbnail'] as const) {
    const rebuild = part === 'full' ? repairers.rebuildFullImage : repairers.rebuildThumbnail
    for (const { key, photoId } of objects.filter((object) => object.part === part)) {
      onProgress?.('regenerated files', (tried += 1), objects.length)
      if (photoId !== null && (await runStep({ log }, 'regeneration', () => rebuild(photoId, isGood)))) made[part] += 1
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

async function repairRows({ db, check: { found, files }, repairers }: RepairOptions, { done }: RepairResult) {
  let registered = 0
  for (const id of found.namesOf('unregistered')) registered += await registerMissingKeys(db, id)
  if (registered > 0) done.push(`Registered ${plural(registered, 'file')} of photos.`)
  let recounted = 0
  for (const name of found.namesOf('counts')) {
    const [userId = '', month = ''] = name.split(' ')
    if (await repairers.recount(userId, month)) recounted += 1
  }
  if (recounted > 0) done.push(`Recounted the photos of ${plural(recounted, 'month')}.`)
  const wrongNumbers = found.namesOf('photo-counts')
  for (const userId of wrongNumbers) await repairers.recountPhotos(userId)
  if (wrongNumbers.length > 0) done.push(`Recounted the photos of ${plural(wrongNumbers.length, 'account')}.`)
  const checksums = await recordChecksums(db, files.newChecksums)
  if (checksums > 0) done.push(`Saved the checksums of ${plural(checksums, 'file')} stored by an earlier version.`)
}

/** Jobs that failed permanently get all of their attempts again. */
async function retryJobs(db: Db): Promise<number> {
  const { rows } = await sql`
    select graphile_worker.reschedule_jobs(array(
      select id from graphile_worker.jobs where attempts >= max_attempts and locked_at is null order by id limit ${retriedMax}),
      run_at => now(), attempts => 0)`.execute(db)
  return rows.length
}

/** Enqueues the synchronization of accounts whose plan differs from the payment provider's state. */
async function askAboutPlans({ db, repairers }: RepairOptions, { done, notDone }: RepairResult): Promise<void> {
  const accounts = await accountsWithMismatchedPlan(db)
  const asked = await repairers.syncAccounts(accounts)
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
  if (has('jobs-failed')) {
    const retried = await retryJobs(db)
    if (retried > 0) done.push(`Queued ${plural(retried, 'job')} again that had failed permanently.`)
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
