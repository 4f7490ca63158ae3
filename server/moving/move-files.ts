import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import PQueue from 'p-queue'
import { retention } from '@keepsnap/contract/retention.ts'
import { isDatabaseDown, type Db } from '../db/connect.ts'
import {
  changeStorageState,
  copiedKeys,
  forgetCopies,
  forgetMove,
  recordRemovals,
  recordCopy,
  removedKeysPage,
  storageState,
} from './storage-state.ts'
import { newStorageKey } from '../domain/stored-objects.ts'
import { newId } from '../lib/ids.ts'
import { StorageDown, type ListedObject, type Storage } from '../ports/storage/storage.ts'
import { otherStore, type StoreName, type Stores, type StoreUse } from '../ports/storage/two-stores.ts'
import { StartupError } from '../runtime/startup-error.ts'
import { copyFile, ContentMismatch } from './copy-file.ts'
import { waitForNodes } from './wait-for-nodes.ts'
import type { Throttle } from './throttle.ts'

const pageSize = 100
const filesAtOnce = 4
const pauseMs = { first: 1_000, max: 30_000 }
const roundsMax = 3

/** Where files go, and how. */
export interface MoveOptions {
  db: Db
  stores: Stores
  scratchDir: string
  to: StoreName
  /** Leaves the files in the source, too. */
  keepSource: boolean
  throttle: Throttle
  reportProgress: (progress: string) => void
  signal: AbortSignal
  /** Grows while files are moved. */
  counts: MoveCounts
  /** For how long a failing store is retried without any progress. */
  patienceMs?: number
  /** For how long files stay in the source after the last presigned URLs were issued. */
  graceMs?: number
}

/** What has been moved. */
export interface MoveCounts {
  copied: number
  copiedBytes: number
  removed: number
  /** Keys of files that both stores have with different bytes: neither was removed. */
  different: string[]
}

interface Move extends Required<MoveOptions> {
  from: StoreName
  /** The generation of the state that this move has set. */
  ownState: { generation: number }
}

const supersededError = (): StartupError =>
  new StartupError(
    'Another move-storage has begun since, because this one had lost its connection to the database. That one goes on; nothing is lost.',
  )

/** Two moves in opposite directions could each remove what the other has just found in its target. */
async function refuseIfSuperseded({ db, ownState }: Move): Promise<void> {
  if ((await storageState(db)).generation !== ownState.generation) throw supersededError()
}

/** Copies a file unless it was removed meanwhile, and records that both stores have it. */
async function copyAndRecord(move: Move, key: string, isTargetInUse: boolean): Promise<void> {
  const { db, stores, from, to, counts } = move
  const bytes = await copyFile({ ...move, from: stores[from], to: stores[to], isTargetInUse }, key)
  if (bytes === null) return
  if (!(await recordCopy(db, { key, bytes }))) return void (await stores[to].remove([key]))
  counts.copied += 1
  counts.copiedBytes += bytes
}

/** Copies those files of a page that have not been copied. */
async function copyPage(move: Move, page: readonly ListedObject[], isTargetInUse: boolean): Promise<void> {
  await refuseIfSuperseded(move)
  const copied = await copiedKeys(
    move.db,
    page.map(({ key }) => key),
  )
  const queue = new PQueue({ concurrency: filesAtOnce })
  const copyOne = async ({ key }: ListedObject): Promise<void> => {
    move.signal.throwIfAborted()
    await copyAndRecord(move, key, isTargetInUse).catch((error: unknown) => {
      if (!(error instanceof ContentMismatch)) throw error
      if (!move.counts.different.includes(key)) move.counts.different.push(key)
    })
  }
  const missing = page.filter(({ key }) => !copied.has(key))
  const results = await Promise.allSettled(missing.map((object) => queue.add(() => copyOne(object))))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** Removes from the source the files of a page that the target has. Checks the target: a record may be outdated. */
async function removePage(move: Move, page: readonly ListedObject[]): Promise<void> {
  const { db, stores, from, to, counts } = move
  await refuseIfSuperseded(move)
  const copied = await copiedKeys(
    db,
    page.map(({ key }) => key),
  )
  const sizes = await Promise.all(page.map(async ({ key }) => copied.has(key) && (await stores[to].sizeOf(key))))
  const removable = page.filter(({ bytes }, n) => sizes[n] === bytes).map(({ key }) => key)
  // Deleted first: without its record, a file is compared again if the removal is interrupted.
  await forgetCopies(
    db,
    page.map(({ key }) => key),
  )
  await stores[from].remove(removable)
  counts.removed += removable.length
}

async function eachPage({ signal, stores, from }: Move, work: (page: ListedObject[]) => Promise<void>): Promise<void> {
  let page: ListedObject[] = []
  for await (const object of stores[from].list()) {
    signal.throwIfAborted()
    page.push(object)
    if (page.length < pageSize) continue
    await work(page)
    page = []
  }
  if (page.length > 0) await work(page)
}

const progressOf = ({ copied, removed }: MoveCounts): number => copied + removed

/** Retries a pass over the files, with backoff, while a store or the database fails; each continues the one before. */
async function withRetries(
  { counts, reportProgress, signal, patienceMs }: Move,
  pass: () => Promise<void>,
): Promise<void> {
  let lastProgress = { at: performance.now(), files: progressOf(counts) }
  for (let pause = pauseMs.first; ; pause = Math.min(pause * 2, pauseMs.max)) {
    try {
      return await pass()
    } catch (error) {
      if (!(error instanceof StorageDown) && !isDatabaseDown(error)) throw error
      const nowMs = performance.now()
      if (progressOf(counts) > lastProgress.files) {
        lastProgress = { at: nowMs, files: progressOf(counts) }
        pause = pauseMs.first
      }
      const reason = error instanceof Error ? error.message : String(error)
      if (nowMs - lastProgress.at > patienceMs)
        throw new StartupError(
          `Stopped: ${reason}. Nothing is lost, and the server goes on with all files. Run this again to continue.`,
        )
      reportProgress(`Trying again: ${reason}`)
      await wait(pause, undefined, { signal }).catch(() => {})
      signal.throwIfAborted()
    }
  }
}

/** Changes which store is in use, and waits until all programs follow. */
async function switchTo({ db, reportProgress, signal, ownState }: Move, use: StoreUse): Promise<void> {
  const state = await changeStorageState(db, use, ownState.generation)
  if (!state) throw supersededError()
  ownState.generation = state.generation
  await waitForNodes(db, { generation: state.generation, reportProgress, signal })
}

/** Removes from both stores what users removed while files were copied. */
async function finishRemovals({ db, stores }: Move): Promise<void> {
  for (let page = await removedKeysPage(db, '', pageSize); page.length > 0;) {
    await Promise.all([stores.disk.remove(page), stores.s3.remove(page)])
    page = await removedKeysPage(db, page.at(-1) ?? '', pageSize)
  }
}

async function isEmpty(storage: Storage): Promise<boolean> {
  for await (const object of storage.list()) return object === undefined
  return true
}

/**
 * Checks with a small file that the target can be written: the credentials may be read-only. Its removal is recorded
 * first, so that an interrupted move does not leave it behind.
 */
async function checkWritable({ db, stores, scratchDir, to }: Move): Promise<void> {
  const [key, path] = [newStorageKey('orig'), join(scratchDir, newId())]
  await recordRemovals(db, [key])
  await writeFile(path, key)
  await stores[to].moveIn(key, path, { type: 'application/octet-stream' })
  const bytes = await stores[to].sizeOf(key)
  await stores[to].remove([key])
  if (bytes !== key.length) throw new StorageDown('the target does not give back what is stored there')
}

/** Copies what is only in the source, and empties it, unless it is kept. */
async function clearSource(move: Move): Promise<void> {
  const { stores, from, keepSource } = move
  await withRetries(move, () => eachPage(move, (page) => copyPage(move, page, true)))
  if (keepSource) return
  // Somebody may have been given the URL of a file in the bucket a moment ago.
  if (from === 's3' && !(await isEmpty(stores.s3))) await wait(move.graceMs, undefined, { signal: move.signal })
  for (let round = 0; round < roundsMax; round++) {
    await withRetries(move, () =>
      eachPage(move, async (page) => {
        await copyPage(move, page, true)
        await removePage(move, page)
      }),
    )
    if (move.counts.different.length > 0) return
    await withRetries(move, () => finishRemovals(move))
    if (await isEmpty(stores[from])) return
  }
  throw new StartupError('Some files are still in the source. Nothing is lost; run this again.')
}

/**
 * Moves all files to one store, beside running programs (decision 45). First everything is copied and read back, while the
 * programs go on as before; then they store new files in the target; then the source is emptied. Can be interrupted at
 * any point: a second run continues the move, or reverses it.
 */
export async function moveFiles(options: MoveOptions): Promise<void> {
  const { db, to, keepSource, counts } = options
  const defaults = { patienceMs: 10 * 60_000, graceMs: (retention.presignedSeconds + 5) * 1_000 }
  const { store, generation } = await storageState(db)
  const move: Move = { ...defaults, ...options, from: otherStore(to), ownState: { generation } }
  if (store !== to) {
    await switchTo(move, { store, step: 'copying' })
    await withRetries(move, () => checkWritable(move))
    await withRetries(move, () => eachPage(move, (page) => copyPage(move, page, false)))
    await withRetries(move, () => checkWritable(move))
  }
  await switchTo(move, { store: to, step: 'clearing' })
  await clearSource(move)
  if (counts.different.length > 0) return
  await withRetries(move, () => finishRemovals(move))
  await switchTo(move, { store: to, step: keepSource ? 'kept' : 'settled' })
  await forgetMove(db)
}
