import { createReadStream } from 'node:fs'
import { link, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import PQueue from 'p-queue'
import { retention } from '@keepsnap/contract/limits.ts'
import { pagesOf } from '../lib/concurrency.ts'
import { checksumOfStream } from '../lib/file-checksum.ts'
import { newId } from '../lib/ids.ts'
import { type ListedObject, type Storage, StorageDown } from '../ports/storage/storage.ts'
import { type Db, isDatabaseDown } from '../platform/db/connect.ts'
import {
  changeStorageState,
  copiedKeys,
  forgetCopies,
  forgetMove,
  liveNodes,
  nodeGoneSeconds,
  recordCopy,
  recordRemovals,
  registeredFiles,
  removedKeysPage,
  type StorageNode,
  storageState,
  type StoreIds,
  withMoveLock,
} from '../ports/storage/store-in-use.ts'
import { StartupError } from '../faults.ts'
import { newStorageKey } from '../features/photos/stored-objects.ts'
import { otherStore, type StoreName, type Stores, type StoreUse } from '../ports/storage/two-stores.ts'
import { judgedStores, openStores, reasonAgainstStore, storeIdsOf } from '../open-ports.ts'
import { waitForShutdown } from '../platform/process/shutdown.ts'
import { type AppCommand, type AppCommandContext, UsageError } from './command.ts'

const pageSize = 100
const filesAtOnce = 4
const pauseMs = { first: 1_000, max: 30_000 }
const roundsMax = 3

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
  counts: MoveCounts
  /** For how long a failing store is retried without any progress. */
  patienceMs?: number
  /** For how long files stay in the source after the last presigned URLs were issued. */
  graceMs?: number
}

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
  for await (const page of pagesOf(stores[from].list(), pageSize)) {
    signal.throwIfAborted()
    await work(page)
  }
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

interface CopyPlaces {
  from: Storage
  to: Storage
  /** Whether `to` is the store in use: then nothing that it has is replaced. */
  isTargetInUse: boolean
  /** A folder of this process, on the file system of the disk store. */
  scratchDir: string
  throttle: Throttle
}

/** Both stores have a file, with different bytes. */
class ContentMismatch extends Error {
  override readonly name = 'ContentMismatch'
}

type Fingerprint = Awaited<ReturnType<typeof checksumOfStream>>

const fingerprintOf = (stream: Readable, throttle: Throttle): Promise<Fingerprint> =>
  checksumOfStream(stream, throttle).catch((error: unknown) => {
    throw new StorageDown('a file could not be read to its end', { cause: error })
  })

const isSameFile = (one: Fingerprint, other: Fingerprint): boolean =>
  one.bytes === other.bytes && one.sha256.equals(other.sha256)

/** Only a bucket stores the content type, and nothing relies on it: every response sets its own. */
const type = 'application/octet-stream'
const attemptsMax = 3

/** Stores a local file in the target and reads it back. */
async function storeChecked(
  { to, scratchDir, throttle }: CopyPlaces,
  key: string,
  { path, original }: { path: string; original: Fingerprint },
): Promise<boolean> {
  const copyPath = join(scratchDir, newId())
  try {
    await link(path, copyPath)
    await to.moveIn(key, copyPath, { type })
  } finally {
    await rm(copyPath, { force: true })
  }
  const stored = await to.open(key)
  return stored !== null && isSameFile(await fingerprintOf(stored, throttle), original)
}

/**
 * Copies a file and reads the copy back; resolves with its number of bytes, or null when the source no longer has it.
 * Can be interrupted and retried: an existing copy is compared instead of stored again.
 */
async function copyFile(places: CopyPlaces, key: string): Promise<number | null> {
  const { from, to, isTargetInUse, scratchDir, throttle } = places
  const path = join(scratchDir, newId())
  try {
    if (!(await from.linkTo(key, path))) return null
    const original = await fingerprintOf(createReadStream(path), throttle)
    const existing = await to.open(key)
    if (existing) {
      if (isSameFile(await fingerprintOf(existing, throttle), original)) return original.bytes
      if (isTargetInUse) throw new ContentMismatch(key)
      await to.remove([key])
    }
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      if (await storeChecked(places, key, { path, original })) return original.bytes
      await to.remove([key])
    }
    throw new StorageDown(`the target does not give back the bytes of ${key} that were stored there`)
  } finally {
    await rm(path, { force: true })
  }
}

const askEveryMs = 250
const waitReportEveryMs = 10_000
/** Longer than storing or removing files takes, except for the export of a large account to a bucket. */
const waitMaxMs = 30 * 60_000

function problemOf(node: StorageNode, ids: StoreIds): string | undefined {
  if (node.s3 === null) return 'has no settings of a bucket'
  if (node.s3 !== ids.s3) return `uses another bucket (${node.s3})`
  return node.disk === ids.disk ? undefined : 'has another folder of files'
}

/** Refuses to move files beside programs that could not read them in both places. */
export async function refuseOtherNodes(db: Db, ids: StoreIds): Promise<void> {
  const problems = (await liveNodes(db)).flatMap((node) => problemOf(node, ids) ?? [])
  if (problems.length === 0) return
  throw new StartupError(
    `Of the programs that run now, ${problems.length} cannot use both stores: one ${problems[0]}. Give all of them the same S3_ settings and the same folder of files (DATA_DIR), restart them, and run this again. A program that has just ended is forgotten after ${nodeGoneSeconds} s.`,
  )
}

interface WaitOptions {
  generation: number
  reportProgress: (progress: string) => void
  signal: AbortSignal
}

/** Waits until every node uses this generation of the state and has finished what it began under earlier ones. */
async function waitForNodes(db: Db, { generation, reportProgress, signal }: WaitOptions): Promise<void> {
  const startedAtMs = performance.now()
  let nextReportMs = startedAtMs + waitReportEveryMs
  for (;;) {
    signal.throwIfAborted()
    const behind = (await liveNodes(db)).filter((node) => node.generation < generation)
    if (behind.length === 0) return
    const nowMs = performance.now()
    if (nowMs - startedAtMs > waitMaxMs)
      throw new StartupError(
        `${behind.length} programs still store files as before. Stop them or wait, and run this again: it continues.`,
      )
    if (nowMs > nextReportMs) {
      nextReportMs = nowMs + waitReportEveryMs
      reportProgress(`Waiting for ${behind.length} programs to finish what they are storing ...`)
    }
    await wait(askEveryMs)
  }
}

/** Resolves when this many more bytes may be sent or read. */
type Throttle = (bytes: number) => Promise<void>

function createThrottle(bytesPerSecond: number | null): Throttle {
  if (bytesPerSecond === null) return async () => {}
  let freeAtMs = performance.now()
  return async (bytes) => {
    const nowMs = performance.now()
    freeAtMs = Math.max(freeAtMs, nowMs) + (bytes / bytesPerSecond) * 1000
    if (freeAtMs > nowMs) await wait(freeAtMs - nowMs)
  }
}

const usage =
  'move-storage s3 | disk [--keep-source] [--limit MB]: moves all files there; --limit: megabytes per second'
const reportEveryMs = 5_000
const megabyte = 1_000_000

interface MoveArguments {
  to: StoreName
  keepSource: boolean
  bytesPerSecond: number | null
}

function readArguments([to, ...flags]: readonly string[]): MoveArguments {
  if (to !== 's3' && to !== 'disk') throw new UsageError(usage)
  const rest = [...flags]
  const keepSource = rest.includes('--keep-source')
  if (keepSource) rest.splice(rest.indexOf('--keep-source'), 1)
  if (rest.length === 0) return { to, keepSource, bytesPerSecond: null }
  const [flag, limit = ''] = rest
  if (flag !== '--limit' || rest.length !== 2 || !/^\d{1,5}$/.test(limit) || Number(limit) === 0)
    throw new UsageError(usage)
  return { to, keepSource, bytesPerSecond: Number(limit) * megabyte }
}

const sizeText = (bytes: number): string =>
  bytes < 1_000 * megabyte ? `${(bytes / megabyte).toFixed(1)} MB` : `${(bytes / megabyte / 1_000).toFixed(1)} GB`
const filesText = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`

const placeNames: Record<StoreName, string> = { disk: 'the disk', s3: 'the bucket' }

function resultText({ to, keepSource }: MoveArguments, { copied, copiedBytes, different }: MoveCounts): string {
  if (different.length > 0)
    throw new StartupError(
      `All files are in ${placeNames[to]}, which is in use. But ${filesText(different.length)} differ from those in the other store, and were left there: ${different.slice(0, 20).join(', ')}. Find out which are right, remove the wrong ones, and run this again.`,
    )
  const next =
    to === 'disk' ? 'The S3_ settings may be removed at the next restart.' : 'The S3_ settings are needed from now on.'
  const rest = keepSource
    ? 'The other store still has copies. As long as both are in the settings, deleted files are removed from both; afterwards remove the copies yourself.'
    : 'The other store is empty.'
  return `All files are in ${placeNames[to]}: ${filesText(copied)} copied now, ${sizeText(copiedBytes)}. ${rest} ${next}`
}

function reportRegularly({ db, reportProgress }: AppCommandContext, counts: MoveCounts): NodeJS.Timeout {
  return setInterval(() => {
    const text = `${filesText(counts.copied)} copied and read back, ${sizeText(counts.copiedBytes)}; ${filesText(counts.removed)} removed from the source`
    registeredFiles(db).then(
      (registered) => reportProgress(`${text}; of about ${registered}`),
      () => reportProgress(text),
    )
  }, reportEveryMs)
}

async function runMove(context: AppCommandContext, moveArguments: MoveArguments, signal: AbortSignal): Promise<string> {
  const { config, db, reportProgress } = context
  const opened = await openStores(config)
  if (!opened)
    throw new UsageError(
      'move-storage needs a bucket: set S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY for the server and for this command, and restart the server first',
    )
  const ids = await storeIdsOf(config)
  await refuseOtherNodes(db, ids)
  const { store } = await storageState(db)
  for (const judged of Object.values(judgedStores(opened.stores, config))) {
    const { name } = judged
    // The store that the files leave may be empty, once they are on their way.
    const isTarget = name === moveArguments.to || name !== store
    const reason = await reasonAgainstStore({ ...judged, db, ids, isTarget }, context.log)
    if (reason !== undefined) throw new StartupError(reason)
  }
  const counts: MoveCounts = { copied: 0, copiedBytes: 0, removed: 0, different: [] }
  const throttle = createThrottle(moveArguments.bytesPerSecond)
  const options: MoveOptions = { db, ...opened, ...moveArguments, throttle, reportProgress, signal, counts }
  const timer = reportRegularly(context, counts)
  try {
    await moveFiles(options)
    return resultText(moveArguments, counts)
  } finally {
    clearInterval(timer)
  }
}

/** `move-storage s3` and `move-storage disk`: moves all files to a bucket or back, beside running servers (decision 45). */
const moveStorage: AppCommand = (args) => {
  const moveArguments = readArguments(args)
  return async (context) => {
    const { db, config } = context
    const interrupted = new AbortController()
    void waitForShutdown(config.parentPid, () => process.exit(1)).then(() =>
      interrupted.abort(
        new StartupError(
          'Interrupted. Nothing is lost, and the server goes on with all files. Run this again to continue.',
        ),
      ),
    )
    if (!(await storageState(db).catch(() => null)))
      throw new UsageError('there is nothing to move yet: start the server once first')
    const text = await withMoveLock(db, () => runMove(context, moveArguments, interrupted.signal))
    if (text === undefined) throw new StartupError('Another move-storage runs already. Wait for it, or stop it first.')
    return text
  }
}

export const moveStorageCommands: Record<string, AppCommand> = { 'move-storage': moveStorage }
