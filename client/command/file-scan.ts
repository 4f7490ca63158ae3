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

/** What a scan says about one file. */
type Progress =
  /** It has changed within the last seconds. */
  | 'settling'
  | 'ready'
  /** Nothing is left to do for it, unless it changes. */
  | 'handled'

interface WatchedFile extends FoundFile {
  progress: Progress
  /** Since when it has been as it is, by `performance.now()`. */
  since: number
}

/** Finds files by looking again and again, which works in every kind of folder, also in one of the network. */
export interface Scan {
  /** Looks at the folders and files once. Takes longer for larger folders. */
  run(): Promise<void>
  /** Files that can be uploaded, in the order in which they were written. */
  ready(): FoundFile[]
  /** How many files are not ready yet. */
  settling(): number
  /** Nothing is left to do for this file, as long as it is as it was. */
  handled(file: FoundFile): void
  /** Waits once more until the file has not changed for some time. */
  restart(file: FoundFile): void
}

export interface ScanOptions {
  folders: readonly string[]
  files: readonly string[]
  lister: FolderLister
  /** In ms. */
  now?: () => number
}

/** How long a file has to stay as it is, in ms. */
export const settleMs = 2_000
/** Of files that are handled, this many are looked at in one scan: asking for each takes long in folders of the network. */
const recheckedPerScan = 200

const byAge = (a: FoundFile, b: FoundFile): number =>
  a.modified - b.modified || a.name.localeCompare(b.name, 'en', { numeric: true }) || (a.path < b.path ? -1 : 1)

export function createScan({ folders, files, lister, now = () => performance.now() }: ScanOptions): Scan {
  const watched = new Map<string, WatchedFile>()
  const filesThatAre = (progress: Progress): WatchedFile[] =>
    Array.from(watched.values()).filter((file) => file.progress === progress)
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
    // A folder that cannot be read for a moment has not lost its files.
    const isAway = (path: string): boolean => unreadable.some((folder) => path.startsWith(folder))
    for (const path of watched.keys()) if (!listed.has(path) && !isAway(path)) watched.delete(path)
    return Array.from(listed)
  }

  async function lookAt(path: string): Promise<void> {
    const earlier = watched.get(path)
    const found = await stat(path).catch(() => undefined)
    if (!found?.isFile()) return void watched.delete(path)
    const { size, mtimeMs: modified } = found
    if (earlier?.size !== size || earlier.modified !== modified) {
      watched.set(path, { path, name: basename(path), size, modified, progress: 'settling', since: now() })
    } else if (earlier.progress === 'settling' && now() - earlier.since >= settleMs) earlier.progress = 'ready'
  }

  return {
    async run() {
      const paths = await listPaths()
      const isHandled = (path: string): boolean => watched.get(path)?.progress === 'handled'
      for (const path of paths) if (!isHandled(path)) await lookAt(path)
      for (const path of nextToRecheck(paths.filter(isHandled))) await lookAt(path)
    },
    ready: () => filesThatAre('ready').sort(byAge),
    settling: () => filesThatAre('settling').length,
    handled(file) {
      const current = watched.get(file.path)
      if (current?.size === file.size && current.modified === file.modified) current.progress = 'handled'
    },
    restart: ({ path }) => void watched.delete(path),
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
