import { pagesOf } from '../../lib/concurrency.ts'
import { checksumOfStream } from '../../lib/file-checksum.ts'
import type { Db } from '../../platform/db/connect.ts'
import {
  keysKnownToDatabase,
  type ReferencedObject,
  referencedObjects,
  referencedObjectsPage,
  registeredObjects,
} from '../photos/stored-objects.ts'
import { type ListedObject, type ObjectChecksum, type Storage, StorageDown } from '../../ports/storage/storage.ts'
import { type FindingList, keptFindingsMax } from './check-database.ts'

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
interface ContentCheck {
  add(object: ReferencedObject): Promise<void>
  /** Reads the files of the sample. */
  finish(): Promise<void>
  compared(): number
  /** Checksums of files that had none; filled only when all files are read. */
  newChecksums: ObjectChecksum[]
}

/** The checksum of what is stored under a key; null when there is nothing. Rejects when the store fails, not the file. */
async function storedChecksum(storage: Storage, key: string): Promise<Buffer | 'unreadable' | null> {
  try {
    const source = await storage.open(key)
    return source && (await checksumOfStream(source)).sha256
  } catch (error) {
    if (error instanceof StorageDown) throw error
    await storage.check()
    return 'unreadable'
  }
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
function createContentCheck(
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

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const valueOf = new Map(Array.from(base62, (character, value) => [character, value]))
/** As many as a double holds exactly: 47 random bits, so that collisions among a million keys are very unlikely. */
const comparedChars = 8
const firstCapacity = 1_024

/** The beginning of a key's random part as a number. */
function numberOf(key: string): number {
  const start = key.indexOf('/') + 1
  let number = 0
  for (let at = start; at < start + comparedChars; at += 1)
    number = number * base62.length + (valueOf.get(key[at] ?? '') ?? 0)
  return number
}

/** A set of keys that needs 8 bytes per key instead of about 100 for strings: a store may have millions. */
interface CompactKeySet {
  readonly count: number
  add(key: string): void
  /** Whether a key was added. False positives are very unlikely, see `comparedChars`. */
  has(key: string): boolean
  /** How many different keys were added. */
  distinct(): number
}

/** Keys are sorted lazily at the first lookup, so add all keys first. */
export function createCompactKeySet(): CompactKeySet {
  let numbers = new Float64Array(firstCapacity)
  let count = 0
  let isSorted = true
  const sort = (): void => {
    if (!isSorted) numbers.subarray(0, count).sort()
    isSorted = true
  }
  return {
    get count() {
      return count
    },
    add(key) {
      if (count === numbers.length) {
        const larger = new Float64Array(2 * count)
        larger.set(numbers)
        numbers = larger
      }
      numbers[count] = numberOf(key)
      count += 1
      isSorted = false
    },
    has(key) {
      sort()
      const sought = numberOf(key)
      let [low, high] = [0, count]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((numbers[middle] ?? 0) < sought) low = middle + 1
        else high = middle
      }
      return low < count && numbers[low] === sought
    },
    distinct() {
      sort()
      let found = 0
      for (let at = 0; at < count; at += 1) if (at === 0 || numbers[at] !== numbers[at - 1]) found += 1
      return found
    },
  }
}

const pageSize = 1_000
/** Missing files are confirmed singly until a whole batch of this size is missing: an empty store lacks millions. */
const confirmedAtOnce = 1_000
/** The keys of at most this many unknown files are kept; others are only counted. */
const untrackedMax = 100_000
const dayMs = 24 * 60 * 60 * 1000
const otherNamesShown = 5

/** What the check of the files has counted. */
export interface CheckedFiles {
  objects: number
  bytes: number
  named: number
  withoutChecksum: number
  compared: number
  /** The first orphaned files older than a day, and how many there are. */
  untracked: { keys: string[]; count: number }
  /** Names in the store that are no keys. */
  otherNames: { count: number; examples: string[] }
  /** The checksums of files that had none in the database and were read. */
  newChecksums: ContentCheck['newChecksums']
}

interface Listing {
  keys: CompactKeySet
  bytes: number
  /** A set, because a file that is being moved may be listed twice. */
  unknown: Set<string>
  expired: Set<string>
  unknownCount: number
  wrongSize: ReferencedObject[]
  otherNames: CheckedFiles['otherNames']
}

/** Compares one page of the store's listing with the database. */
async function comparePage({ db }: FileCheckOptions, page: readonly ListedObject[], listing: Listing) {
  const rows = await registeredObjects(
    db,
    page.map(({ key }) => key),
  )
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const dayAgo = new Date(Date.now() - dayMs)
  for (const { key, bytes, modifiedAt } of page) {
    const row = byKey.get(key)
    if (!row && modifiedAt < dayAgo && !listing.unknown.has(key)) {
      listing.unknownCount += 1
      if (listing.unknown.size < untrackedMax) listing.unknown.add(key)
    }
    if (row?.isLeftOver && listing.expired.size < untrackedMax) listing.expired.add(key)
    if (row?.named && row.named.bytes !== null && row.named.bytes !== bytes) listing.wrongSize.push(row.named)
  }
}

/** Reads the store's complete listing, in whatever order the store returns it. */
async function readListing(options: FileCheckOptions): Promise<Listing> {
  const listing: Listing = {
    keys: createCompactKeySet(),
    bytes: 0,
    unknown: new Set(),
    expired: new Set(),
    unknownCount: 0,
    wrongSize: [],
    otherNames: { count: 0, examples: [] },
  }
  const { otherNames } = listing
  const noteOtherName = (name: string): void => {
    otherNames.count += 1
    // Another program chose it: it must not reach a terminal, or the database, as more than text.
    if (otherNames.examples.length < otherNamesShown)
      otherNames.examples.push(name.replace(/\p{C}/gu, '?').slice(0, 200))
  }
  for await (const page of pagesOf(options.storage.list(noteOtherName), pageSize)) {
    for (const { key, bytes } of page) {
      listing.keys.add(key)
      listing.bytes += bytes
    }
    await comparePage(options, page, listing)
    if (page.length === pageSize) options.onProgress?.('stored files', listing.keys.count, null)
  }
  for (const key of listing.expired) options.found.add('expired', key)
  return listing
}

/** The size of a file; null when there is none. Rejects when the store fails, not the file. */
async function storedSize(storage: Storage, key: string): Promise<number | 'unreadable' | null> {
  try {
    return await storage.sizeOf(key)
  } catch (error) {
    if (error instanceof StorageDown) throw error
    await storage.check()
    return 'unreadable'
  }
}

/**
 * Confirms missing files: some were stored or moved too late to be listed, and others are no longer referenced.
 * Resolves to whether all are absent from the store.
 */
async function confirmMissing({ db, storage, found }: FileCheckOptions, absent: readonly string[]): Promise<boolean> {
  const gone: string[] = []
  const unreadable: string[] = []
  for (const key of absent) {
    const stored = await storedSize(storage, key)
    if (stored === null) gone.push(key)
    if (stored === 'unreadable') unreadable.push(key)
  }
  for (const { key, part } of await referencedObjects(db, unreadable))
    found.add('damaged', key, `${key} (${part}, cannot be read)`)
  for (const { key, part, photoId, userId } of await referencedObjects(db, gone))
    found.add('missing', key, `${key} (${part} of ${photoId === null ? `account ${userId}` : `photo ${photoId}`})`)
  return gone.length === absent.length
}

/** Collects files that were not listed, and confirms in batches that they are missing. */
function collectAbsent(options: FileCheckOptions) {
  let absent: string[] = []
  let unconfirmed = 0
  let isListingReliable = false
  const confirm = async (): Promise<void> => {
    isListingReliable = (await confirmMissing(options, absent)) && absent.length === confirmedAtOnce
    absent = []
  }
  return {
    async add(key: string): Promise<void> {
      if (isListingReliable) return void (unconfirmed += 1)
      absent.push(key)
      if (absent.length === confirmedAtOnce) await confirm()
    },
    async finish(): Promise<void> {
      await confirm()
      options.found.addCounted('missing', { count: unconfirmed, examples: [], since: null })
    },
  }
}

/** Checks every referenced file against the listing. */
async function readNamed(options: FileCheckOptions, listed: CompactKeySet, contents: ContentCheck) {
  const { db, onProgress } = options
  const absent = collectAbsent(options)
  let named = 0
  let withoutChecksum = 0
  for (let page = await referencedObjectsPage(db, '', pageSize); page.length > 0;) {
    for (const object of page) {
      if (object.sha256 === null) withoutChecksum += 1
      if (listed.has(object.key)) await contents.add(object)
      else await absent.add(object.key)
    }
    named += page.length
    onProgress?.('files that rows name', named, listed.count)
    page = await referencedObjectsPage(db, page.at(-1)?.key ?? '', pageSize)
  }
  await absent.finish()
  return { named, withoutChecksum }
}

/** Confirms size mismatches: rows may have changed since the page was read. */
async function confirmSizes(
  { db, storage, found }: FileCheckOptions,
  suspects: readonly ReferencedObject[],
): Promise<void> {
  const keys = suspects.map(({ key }) => key)
  for (let at = 0; at < keys.length; at += pageSize)
    for (const { key, part, bytes } of await referencedObjects(db, keys.slice(at, at + pageSize))) {
      const stored = await storedSize(storage, key)
      if (stored === 'unreadable') found.add('damaged', key, `${key} (${part}, cannot be read)`)
      else if (stored !== null && bytes !== null && stored !== bytes)
        found.add('damaged', key, `${key} (${part}, ${stored} bytes instead of ${bytes})`)
    }
}

/** What is known when the files could not be compared. */
export const noFilesChecked = (): CheckedFiles => ({
  objects: 0,
  bytes: 0,
  named: 0,
  withoutChecksum: 0,
  compared: 0,
  untracked: { keys: [], count: 0 },
  otherNames: { count: 0, examples: [] },
  newChecksums: [],
})

/**
 * Compares everything that is stored with the database, in pages. Keeps only 8 bytes in memory for each file, so a
 * million photos need 24 MB.
 */
export async function checkFiles(options: FileCheckOptions): Promise<CheckedFiles> {
  const listing = await readListing(options)
  await confirmSizes(options, listing.wrongSize)
  const contents = createContentCheck(options, new Set(options.found.namesOf('damaged')))
  const { named, withoutChecksum } = await readNamed(options, listing.keys, contents)
  await contents.finish()
  const unknown = [...listing.unknown]
  // A referenced file is never unknown, even if it is not in `stored_objects`.
  const known = await keysKnownToDatabase(options.db, unknown)
  const untracked = unknown.filter((key) => !known.has(key))
  return {
    objects: listing.keys.distinct(),
    bytes: listing.bytes,
    named,
    withoutChecksum,
    compared: contents.compared(),
    untracked: { keys: untracked, count: listing.unknownCount - known.size },
    otherNames: listing.otherNames,
    newChecksums: contents.newChecksums,
  }
}
