import { createHash } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import { referencedObjects, type ReferencedObject } from '../../domain/referenced-objects.ts'
import type { ObjectChecksum } from '../../ports/storage/store-file.ts'
import { StorageDown, type Storage } from '../../ports/storage/storage.ts'
import { keptFindingsMax, type FindingList } from './findings.ts'

/** The options of the file checks. */
export interface FileCheckOptions {
  db: Db
  storage: Storage
  found: FindingList
  /** How many files, chosen at random, are read and compared with their checksums. */
  sample: number | 'all'
  onProgress?: ((step: string, done: number, total: number | null) => void) | undefined
}

/** Compares the contents of files with their checksums: of all files, or of a random sample. */
export interface ContentCheck {
  add(object: ReferencedObject): Promise<void>
  /** Reads the files of the sample. */
  finish(): Promise<void>
  compared(): number
  /** Checksums of files that had none; filled only when all files are read. */
  newChecksums: ObjectChecksum[]
}

/** The checksum of what is stored under a key; null when there is nothing. Rejects when the store fails, not the file. */
async function storedChecksum(storage: Storage, key: string): Promise<Buffer | 'unreadable' | null> {
  const hash = createHash('sha256')
  try {
    const source = await storage.open(key)
    if (!source) return null
    for await (const chunk of source) hash.update(chunk as Buffer) // a stream of bytes
  } catch (error) {
    if (error instanceof StorageDown) throw error
    await storage.check()
    return 'unreadable'
  }
  return hash.digest()
}

/** Reservoir sampling: every item has the same probability, although their number is not known in advance. */
function createReservoir<T>(size: number): { add(one: T): void; chosen: T[] } {
  const chosen: T[] = []
  let seen = 0
  return {
    chosen,
    add(one) {
      seen += 1
      if (chosen.length < size) return void chosen.push(one)
      const place = Math.floor(Math.random() * seen)
      if (place < size) chosen[place] = one
    },
  }
}

/** Retries a failed read once: the connection may have dropped, or the file may have been moved to the other store. */
async function storedChecksumWithRetry(storage: Storage, key: string): ReturnType<typeof storedChecksum> {
  const stored = await storedChecksum(storage, key)
  return stored === 'unreadable' ? storedChecksum(storage, key) : stored
}

/** `damaged`: files that are known to be damaged and are not read. */
export function createContentCheck(
  { db, storage, found, sample, onProgress }: FileCheckOptions,
  damaged: ReadonlySet<string>,
): ContentCheck {
  const choice = createReservoir<ReferencedObject>(sample === 'all' ? 0 : sample)
  const newChecksums: ObjectChecksum[] = []
  let compared = 0
  const compare = async ({ key, part, sha256 }: ReferencedObject): Promise<void> => {
    if (damaged.has(key)) return
    const stored = await storedChecksumWithRetry(storage, key)
    if (stored === null) return
    if (stored !== 'unreadable' && sha256 === null) {
      if (newChecksums.length < keptFindingsMax) newChecksums.push({ key, sha256: stored })
      return
    }
    compared += 1
    if (stored !== 'unreadable' && sha256?.equals(stored)) return
    // It may have been deleted while it was read.
    if ((await referencedObjects(db, [key])).length === 0) return
    const problem = stored === 'unreadable' ? 'cannot be read' : 'checksum mismatch'
    found.add('damaged', key, `${key} (${part}, ${problem})`)
  }
  return {
    newChecksums,
    compared: () => compared,
    async add(object) {
      if (sample === 'all') await compare(object)
      else if (object.sha256 !== null) choice.add(object)
    },
    async finish() {
      for (const [at, object] of choice.chosen.entries()) {
        await compare(object)
        onProgress?.('files compared with their checksums', at + 1, choice.chosen.length)
      }
    },
  }
}

/** Whether a file exists and matches its checksum, or, without a checksum, its size. */
export async function isIntact(
  { db, storage }: Pick<FileCheckOptions, 'db' | 'storage'>,
  key: string,
): Promise<boolean> {
  const [named] = await referencedObjects(db, [key])
  if (!named) return false
  if (named.sha256 === null) return named.bytes !== null && (await storage.sizeOf(key)) === named.bytes
  const stored = await storedChecksumWithRetry(storage, key)
  return stored !== null && stored !== 'unreadable' && named.sha256.equals(stored)
}
