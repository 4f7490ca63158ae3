import { stat } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import type { FolderLister } from './folder-list.ts'

/** A file as a scan finds it. */
export interface FoundFile {
  path: string
  name: string
  size: number
  /** When it was changed last, in ms since 1970, by its file system. */
  modified: number
}

/** The state of one file after a scan. */
type FileState =
  /** It has changed within the last seconds. */
  | 'settling'
  | 'ready'
  /** Nothing is left to do for it, unless it changes. */
  | 'handled'

interface WatchedFile extends FoundFile {
  state: FileState
  /** Since when it has not changed, by `performance.now()`; null until the scan that found it so has ended. */
  since: number | null
}

/** Finds files by polling, which also works in network folders. */
export interface Scan {
  /** Checks the folders and files once. Takes longer for larger folders. */
  run(): Promise<void>
  /** Files that can be uploaded, in the order in which they were written. */
  ready(): FoundFile[]
  /** How many files are not ready yet. */
  settling(): number
  /** With `once`: the paths that were seen, and could not be read before they were handled. */
  missing(): string[]
  /** Nothing is left to do for this file, unless it changes. */
  handled(file: FoundFile): void
  /** Waits once more until the file has not changed for some time. */
  restart(file: FoundFile): void
}

export interface ScanOptions {
  folders: readonly string[]
  files: readonly string[]
  lister: Pick<FolderLister, 'list'>
  /** Nobody waits for folders that cannot be read. */
  once?: boolean
  /** In ms. */
  now?: () => number
}

/** How long a file must not change before it is uploaded, in ms. */
export const settleMs = 2_000
/** The number of handled files that one scan checks: each check is slow in network folders. */
const recheckedPerScan = 200

const byModifiedTime = (a: FoundFile, b: FoundFile): number =>
  a.modified - b.modified || a.name.localeCompare(b.name, 'en', { numeric: true }) || (a.path < b.path ? -1 : 1)

export function createScan({ folders, files, lister, once = false, now = () => performance.now() }: ScanOptions): Scan {
  const watched = new Map<string, WatchedFile>()
  const unhandled = createUnhandledPaths()
  const check = (path: string): Promise<CheckedFile> => checkFile({ watched, ...(once && { unhandled }) }, path)
  const filesInState = (state: FileState): WatchedFile[] =>
    Array.from(watched.values()).filter((file) => file.state === state)
  const nextToRecheck = createRotation()

  /** The paths that are there, and forgets the others. */
  async function listPaths(): Promise<string[]> {
    const listed = new Set(files)
    const unreadable: string[] = []
    for (const folder of folders) {
      const paths = await lister.list(folder)
      for (const path of paths ?? []) listed.add(path)
      if (!paths) unreadable.push(folder.endsWith(sep) ? folder : folder + sep)
    }
    // A folder that cannot be read for a moment has not lost its files; with `once`, nobody waits for them.
    const isUnreadable = (path: string): boolean => unreadable.some((folder) => path.startsWith(folder))
    for (const [path, { state }] of watched) {
      const isKept = isUnreadable(path) && (!once || state === 'handled')
      if (!listed.has(path) && !isKept) watched.delete(path)
    }
    return Array.from(listed)
  }

  return {
    async run() {
      const startedAt = now()
      const paths = await listPaths()
      const isHandled = (path: string): boolean => watched.get(path)?.state === 'handled'
      const checked: CheckedFile[] = []
      for (const path of paths) if (!isHandled(path)) checked.push(await check(path))
      for (const path of nextToRecheck(paths.filter(isHandled))) checked.push(await check(path))
      settleFiles(checked, { startedAt, endedAt: now() })
    },
    ready: () => filesInState('ready').sort(byModifiedTime),
    settling: () => filesInState('settling').length,
    missing: unhandled.list,
    handled(file) {
      if (once) unhandled.remove(file.path)
      const current = watched.get(file.path)
      if (current?.size === file.size && current.modified === file.modified) current.state = 'handled'
    },
    restart: ({ path }) => void watched.delete(path),
  }
}

/** Undefined: it is not there. */
type CheckedFile = WatchedFile | undefined

async function checkFile(
  { watched, unhandled }: { watched: Map<string, WatchedFile>; unhandled?: UnhandledPaths },
  path: string,
): Promise<CheckedFile> {
  const earlier = watched.get(path)
  const found = await stat(path).catch(() => undefined)
  // A folder with the name of a photo is none.
  if (!found || found.isFile()) unhandled?.add(path)
  if (!found?.isFile()) return void watched.delete(path)
  const { size, mtimeMs: modified } = found
  if (earlier?.size === size && earlier.modified === modified) return earlier
  const changed: WatchedFile = { path, name: basename(path), size, modified, state: 'settling', since: null }
  watched.set(path, changed)
  return changed
}

/**
 * After a scan, with one time for all its files: with a time for each, a slow scan would make them ready one after the
 * other, and they would be uploaded in that order.
 */
function settleFiles(checked: CheckedFile[], { startedAt, endedAt }: Record<'startedAt' | 'endedAt', number>): void {
  for (const file of checked) {
    if (file?.since === null) file.since = endedAt
    else if (file?.state === 'settling' && startedAt - file.since >= settleMs) file.state = 'ready'
  }
}

type UnhandledPaths = ReturnType<typeof createUnhandledPaths>

/** Paths that were added and not removed; what was removed once is not added again. */
function createUnhandledPaths() {
  const isUnhandled = new Map<string, boolean>()
  return {
    add: (path: string): void => void (isUnhandled.has(path) || isUnhandled.set(path, true)),
    remove: (path: string): void => void isUnhandled.set(path, false),
    list: (): string[] => Array.from(isUnhandled.keys()).filter((path) => isUnhandled.get(path)),
  }
}

/** Returns the next few of a list at each call, and begins again after the last. */
function createRotation(): (paths: string[]) => string[] {
  let from = 0
  return (paths) => {
    if (from >= paths.length) from = 0
    const turn = paths.slice(from, from + recheckedPerScan)
    from += recheckedPerScan
    return turn
  }
}
