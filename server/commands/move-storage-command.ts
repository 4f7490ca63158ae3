import { registeredFiles, storageState, withMoveLock } from '../moving/storage-state.ts'
import { reasonAgainstStore } from '../moving/own-store.ts'
import { moveFiles, type MoveCounts, type MoveOptions } from '../moving/move-files.ts'
import { refuseOtherNodes } from '../moving/wait-for-nodes.ts'
import { createThrottle } from '../moving/throttle.ts'
import { judgedStores, openStores, storeIdsOf } from '../setup/open-storage.ts'
import type { StoreName } from '../ports/storage/two-stores.ts'
import { waitForShutdown } from '../runtime/shutdown.ts'
import { StartupError } from '../runtime/startup-error.ts'
import { UsageError, type AppCommand, type AppCommandContext } from './command.ts'

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

/** What was done, and what to do next. */
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

/** Shows every few seconds how far it is. */
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

/** The command that moves files between the disk and a bucket. */
export const moveStorageCommands: Record<string, AppCommand> = { 'move-storage': moveStorage }
