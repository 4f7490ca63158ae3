import { opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** Receives messages about the folders for the user. */
export interface FolderListener {
  /** Each file once. */
  notAPhoto(name: string): void
  unreadable(folder: string, reason: string): void
  readableAgain(folder: string): void
  tooMany(folder: string, most: number): void
}

/** Lists the photos in a folder. */
export interface FolderLister {
  /** Their paths; undefined if the folder cannot be read now. */
  list(folder: string): Promise<Set<string> | undefined>
}

const mostFiles = 100_000
/** Folders inside of folders. */
const mostDepth = 12

const photoName = /\.(?:jpe?g|jpe|jfif|png|gif|webp|avif|tiff?|heic|heif)$/i
/** Files of systems and programs, and files that are being written: nobody takes them for photos. */
const systemName =
  /^[.~]|~$|^(?:thumbs\.db|desktop\.ini|ehthumbs\.db)$|\.(?:tmp|temp|part|partial|crdownload|lock|filepart)$/i

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

/** `most` limits the photos of a folder, and the files that are named. */
export function createFolderLister(
  { recursive, most = mostFiles }: { recursive: boolean; most?: number },
  listener: FolderListener,
): FolderLister {
  const named = new Set<string>()
  const unreadable = new Set<string>()

  const nameOnce = (path: string, name: () => void): void => {
    if (named.has(path) || named.size >= mostFiles) return
    named.add(path)
    name()
  }

  async function addPhotos(folder: string, depth: number, photos: Set<string>): Promise<void> {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name)
      if (systemName.test(entry.name)) continue
      if (entry.isDirectory()) {
        // What is wrong with one of them does not concern the others.
        if (recursive && depth < mostDepth) await reading(path, () => addPhotos(path, depth + 1, photos))
      } else if (photoName.test(entry.name)) {
        if (photos.size >= most) return
        photos.add(path)
      } else if (entry.isFile()) nameOnce(path, () => listener.notAPhoto(entry.name))
    }
  }

  /** Whether the folder could be read; each change of that is told. */
  async function reading(folder: string, read: () => Promise<void>): Promise<boolean> {
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
      if (!(await reading(folder, () => addPhotos(folder, 0, photos)))) return undefined
      if (photos.size >= most) nameOnce(folder, () => listener.tooMany(folder, most))
      return photos
    },
  }
}
