import {
  keysKnownToDatabase,
  referencedObjects,
  referencedObjectsPage,
  registeredObjects,
  type ReferencedObject,
} from '../../domain/referenced-objects.ts'
import { StorageDown, type ListedObject, type Storage } from '../../ports/storage/storage.ts'
import { createContentCheck, type ContentCheck, type FileCheckOptions } from './check-contents.ts'
import { createCompactKeySet, type CompactKeySet } from './compact-key-set.ts'

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
  let page: ListedObject[] = []
  for await (const object of options.storage.list(noteOtherName)) {
    listing.keys.add(object.key)
    listing.bytes += object.bytes
    page.push(object)
    if (page.length < pageSize) continue
    await comparePage(options, page, listing)
    page = []
    options.onProgress?.('stored files', listing.keys.count, null)
  }
  await comparePage(options, page, listing)
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
