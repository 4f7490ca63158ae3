import { createHash } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import { namedObjects, type NamedObject } from '../../domain/named-objects.ts'
import type { ObjectChecksum } from '../../ports/storage/store-file.ts'
import type { Storage } from '../../ports/storage/storage.ts'
import { keptFindingsMax, type FindingList } from './findings.ts'

/** What the check of the files works with. */
export interface FileCheckOptions {
  db: Db
  storage: Storage
  found: FindingList
  /** How many files are read and compared with their checksums; `all`: every one. */
  sample: number | 'all'
  onProgress?: ((step: string, done: number, total: number | null) => void) | undefined
}

/** Reads files and compares them with their checksums: every one, or some by chance. */
export interface ContentCheck {
  add(object: NamedObject): Promise<void>
  /** Reads those that were chosen. */
  finish(): Promise<void>
  compared(): number
  /** Of files without one that were read, because all are. */
  newChecksums: ObjectChecksum[]
}

/** The checksum of what is stored under a key; null when there is nothing. Rejects when the store fails, not the file. */
async function storedChecksum(storage: Storage, key: string): Promise<Buffer | 'unreadable' | null> {
  const source = await storage.open(key)
  if (!source) return null
  const hash = createHash('sha256')
  try {
    for await (const chunk of source) hash.update(chunk as Buffer) // a stream of bytes
  } catch {
    await storage.check()
    return 'unreadable'
  }
  return hash.digest()
}

/** Reservoir sampling: each is chosen with the same probability, although their number is not known before. */
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
async function readTwice(storage: Storage, key: string): ReturnType<typeof storedChecksum> {
  const stored = await storedChecksum(storage, key)
  return stored === 'unreadable' ? storedChecksum(storage, key) : stored
}

/** Files that are known to be damaged are not read. */
export function createContentCheck(
  { db, storage, found, sample, onProgress }: FileCheckOptions,
  damaged: ReadonlySet<string>,
): ContentCheck {
  const choice = createReservoir<NamedObject>(sample === 'all' ? 0 : sample)
  const newChecksums: ObjectChecksum[] = []
  let compared = 0
  const compare = async ({ key, part, sha256 }: NamedObject): Promise<void> => {
    if (damaged.has(key)) return
    const stored = await readTwice(storage, key)
    if (stored === null) return
    if (stored !== 'unreadable' && sha256 === null) {
      if (newChecksums.length < keptFindingsMax) newChecksums.push({ key, sha256: stored })
      return
    }
    compared += 1
    if (stored !== 'unreadable' && sha256?.equals(stored)) return
    // It may have been deleted while it was read.
    if ((await namedObjects(db, [key])).length === 0) return
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

/** Whether a file is there with the bytes that were stored; of one without a checksum, with as many. */
export async function isIntact(
  { db, storage }: Pick<FileCheckOptions, 'db' | 'storage'>,
  key: string,
): Promise<boolean> {
  const [named] = await namedObjects(db, [key])
  if (!named) return false
  if (named.sha256 === null) return named.bytes !== null && (await storage.sizeOf(key)) === named.bytes
  const stored = await readTwice(storage, key)
  return stored !== null && stored !== 'unreadable' && named.sha256.equals(stored)
}
