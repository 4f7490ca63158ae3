import { opendir, stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'

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

interface ScanOptions {
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

/** Receives messages about the folders for the user. */
export interface FolderListener {
  /** Each file once. */
  notAPhoto(name: string): void
  unreadable(folder: string, reason: string): void
  readableAgain(folder: string): void
  tooMany(folder: string, max: number): void
}

/** Lists the photos in a folder. */
interface FolderLister {
  /** Their paths; undefined if the folder cannot be read now. */
  list(folder: string): Promise<Set<string> | undefined>
  /** How many folders, inner ones included, could not be read when they were listed last. */
  unreadableCount(): number
}

const maxFiles = 100_000
/** Folders inside of folders. */
const maxDepth = 12

const photoName = /\.(?:jpe?g|jpe|jfif|png|gif|webp|avif|tiff?|heic|heif)$/i
/** Hidden files, system files and files that are being written, which are skipped without a message. */
const systemName =
  /^[.~]|~$|^(?:thumbs\.db|desktop\.ini|ehthumbs\.db)$|\.(?:tmp|temp|part|partial|crdownload|lock|filepart)$/i

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

/** `max` limits the photos of a folder, and the files that are named. */
export function createFolderLister(
  { recursive, max = maxFiles }: { recursive: boolean; max?: number },
  listener: FolderListener,
): FolderLister {
  const reported = new Set<string>()
  const unreadable = new Set<string>()

  const reportOnce = (path: string, name: () => void): void => {
    if (reported.has(path) || reported.size >= maxFiles) return
    reported.add(path)
    name()
  }

  async function addPhotos(folder: string, depth: number, photos: Set<string>): Promise<void> {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name)
      if (systemName.test(entry.name)) continue
      if (entry.isDirectory()) {
        // What is wrong with one of them does not concern the others.
        if (recursive && depth < maxDepth) await tryRead(path, () => addPhotos(path, depth + 1, photos))
      } else if (photoName.test(entry.name)) {
        if (photos.size >= max) return
        photos.add(path)
      } else if (entry.isFile()) reportOnce(path, () => listener.notAPhoto(entry.name))
    }
  }

  /** Whether the folder could be read; the listener is told when that changes. */
  async function tryRead(folder: string, read: () => Promise<void>): Promise<boolean> {
    try {
      await read()
    } catch (error) {
      if (!unreadable.has(folder)) listener.unreadable(folder, reasonOf(error))
      unreadable.add(folder)
      return false
    }
    if (unreadable.delete(folder)) listener.readableAgain(folder)
    return true
  }

  return {
    async list(folder) {
      const photos = new Set<string>()
      if (!(await tryRead(folder, () => addPhotos(folder, 0, photos)))) return undefined
      if (photos.size >= max) reportOnce(folder, () => listener.tooMany(folder, max))
      return photos
    },
    unreadableCount: () => unreadable.size,
  }
}
