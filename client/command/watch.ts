import { basename } from 'node:path'
import { wait } from '../client.ts'
import { createFolderLister, createScan, type FolderListener, type FoundFile, type Scan } from './file-scan.ts'
import type { Output } from './output.ts'
import { texts } from './options.ts'
import type { Uploader, UploadResult } from './uploader.ts'

interface WatchOptions {
  folders: readonly string[]
  files: readonly string[]
  recursive: boolean
  once: boolean
  output: Output
  signal: AbortSignal
  /** Waits between two scans, in seconds; tests end these waits themselves. */
  waitForScan?: typeof wait
}

export interface WatchTotals {
  uploaded: number
  known: number
  failed: number
}

const scanEverySeconds = { watching: 1, once: 0.25 }
/** After a slow scan, the next one waits for this multiple of its duration. */
const pauseFactor = 4
/** With `once`, files that can only be uploaded later than this, in seconds, are not uploaded. */
const maxOnceDelaySeconds = 120
const maxReportedFiles = 20

function createListener({ once, output }: Pick<WatchOptions, 'once' | 'output'>): FolderListener {
  let namedCount = 0
  return {
    notAPhoto(name) {
      namedCount += 1
      if (namedCount <= maxReportedFiles) output.line(texts.skipped(name, texts.notAPhoto))
      else if (namedCount === maxReportedFiles + 1) output.line(texts.moreNotPhotos)
    },
    unreadable: (folder, reason) =>
      output.line([texts.folderGone(folder, reason), ...(once ? [] : [texts.retryingFolder])].join(' ')),
    readableAgain: (folder) => output.line(texts.folderBack(folder)),
    tooMany: (folder, most) => output.line(texts.tooManyFiles(folder, most)),
  }
}

/** Scans until the signal; `next` resolves at the end of the next scan. */
function repeat(
  scan: Scan,
  { once, signal, waitForScan = wait }: Pick<WatchOptions, 'once' | 'signal' | 'waitForScan'>,
) {
  const everySeconds = once ? scanEverySeconds.once : scanEverySeconds.watching
  let onScanned: (() => void)[] = []
  return {
    next: (): Promise<void> => new Promise((resolve) => onScanned.push(resolve)),
    async run(): Promise<never> {
      for (;;) {
        const startedAt = performance.now()
        await scan.run()
        for (const resolve of onScanned) resolve()
        onScanned = []
        const seconds = (performance.now() - startedAt) / 1000
        await waitForScan(Math.max(everySeconds, pauseFactor * seconds), signal)
      }
    },
  }
}

/** Scans and uploads at the same time. Resolves when nothing is left, if `once`; rejects with the signal's reason. */
export function createWatch(options: WatchOptions) {
  const { once, output, signal } = options
  const lister = createFolderLister(options, createListener(options))
  const scan = createScan({ ...options, lister })
  /** Files that are tried later: when, by `performance.now()`. */
  const delayed = new Map<string, number>()
  const totals: WatchTotals = { uploaded: 0, known: 0, failed: 0 }
  const scans = repeat(scan, options)

  function recordResult(file: FoundFile, result: UploadResult): void {
    if (result.is === 'changed') return scan.restart(file)
    if (result.is === 'later' && !(once && result.seconds > maxOnceDelaySeconds))
      return void delayed.set(file.path, performance.now() + result.seconds * 1000)
    totals[result.is === 'uploaded' || result.is === 'known' ? result.is : 'failed'] += 1
    scan.handled(file)
  }
  /** What could not be read is not uploaded either. */
  function addUnreadable(): WatchTotals {
    const missing = scan.missing()
    for (const path of missing.slice(0, maxReportedFiles)) output.line(texts.fileGone(basename(path)))
    if (missing.length > maxReportedFiles) output.line(texts.moreFilesGone(missing.length - maxReportedFiles))
    totals.failed += missing.length + lister.unreadableCount()
    return totals
  }
  const isDue = ({ path }: FoundFile): boolean => (delayed.get(path) ?? 0) <= performance.now()

  async function uploadReady(uploader: Uploader): Promise<WatchTotals> {
    // A scan that ends now may have begun before the last change; the one after it has not.
    for (let idleScans = 0; ;) {
      signal.throwIfAborted()
      const next = scan.ready().find(isDue)
      if (next) {
        recordResult(next, await uploader.upload(next))
        idleScans = 0
        continue
      }
      if (once && idleScans >= 2 && scan.settling() === 0 && scan.ready().length === 0) return addUnreadable()
      await scans.next()
      idleScans += 1
    }
  }

  return {
    /** How many files wait besides the one that is being uploaded. */
    waiting: (): number => Math.max(0, scan.ready().length - 1),
    run: (uploader: Uploader): Promise<WatchTotals> => Promise.race([uploadReady(uploader), scans.run()]),
  }
}
