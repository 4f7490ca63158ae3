import { opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** Receives messages about the folders for the user. */
export interface FolderListener {
  /** Each file once. */
  notAPhoto(name: string): void
  unreadable(folder: string, reason: string): void
  readableAgain(folder: string): void
  tooMany(folder: string, max: number): void
}

/** Lists the photos in a folder. */
export interface FolderLister {
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
