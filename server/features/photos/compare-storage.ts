import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { neededKeys, neededKeysPage } from '../../domain/stored-objects.ts'
import { createListedKeys, type ListedKeys } from './listed-keys.ts'

const pageSize = 500
/** Only the first missing files are asked for one by one: if the store is empty, there are millions. */
const confirmedMax = 1_000
const loggedMax = 20
/** More unknown files than both this and this share of all files are not removed. */
const unknownMax = 200
const unknownShareMax = 0.1
const checksKept = 30

type CompareDependencies = Pick<Dependencies, 'db' | 'storage' | 'log'>

/** What a comparison of the database with the store has found. */
export interface StorageComparison {
  /** Stored files. */
  objects: number
  /** Files that photos, brand images and archives need and that are not stored. */
  missing: number
  /** Files that were a day old and that the database did not know; they were removed. */
  unknown: number
}

/** Compares everything that is stored with the database, removes what nothing knows, and stores the result. */
export async function compareStorage(deps: CompareDependencies): Promise<StorageComparison> {
  const listed = createListedKeys()
  const unknown = await removeUnknown(deps, listed)
  const missing = await countMissing(deps, listed)
  const comparison = { objects: listed.count - unknown, missing, unknown }
  await deps.db.insertInto('storage_checks').values(comparison).execute()
  await sql`
    delete from storage_checks where checked_at not in (
      select checked_at from storage_checks order by checked_at desc limit ${checksKept})`.execute(deps.db)
  return comparison
}

/**
 * Removes objects, a day old or more, whose key the database does not know. Resolves with their number. When they are a large
 * share of the store, it removes none: then the database or the store is likely to be another one's.
 */
async function removeUnknown({ db, storage, log }: CompareDependencies, listed: ListedKeys): Promise<number> {
  const dayAgo = new Date(Date.now() - 24 * 60 * 60 * 1000)
  const unknownKeys: string[] = []
  let keysOfPage: string[] = []
  const findUnknownInPage = async (): Promise<void> => {
    const known = new Set(await registeredKeys(db, keysOfPage))
    unknownKeys.push(...keysOfPage.filter((key) => !known.has(key)))
    keysOfPage = []
  }
  for await (const { key, modifiedAt } of storage.list()) {
    listed.add(key)
    if (modifiedAt < dayAgo) keysOfPage.push(key)
    if (keysOfPage.length >= pageSize) await findUnknownInPage()
  }
  await findUnknownInPage()
  const aborted = (await storage.removeUnfinished?.(dayAgo)) ?? 0
  if (aborted) log.warn({ aborted }, 'ended uploads to the store that were never finished')
  if (unknownKeys.length > Math.max(unknownMax, listed.count * unknownShareMax)) {
    const counts = { unknown: unknownKeys.length, stored: listed.count }
    log.error(counts, 'too many stored files are unknown to the database to remove them: is this its store?')
    return 0
  }
  for (let at = 0; at < unknownKeys.length; at += pageSize) await storage.remove(unknownKeys.slice(at, at + pageSize))
  if (unknownKeys.length)
    log.warn({ removed: unknownKeys.length }, 'removed stored files that the database does not know')
  return unknownKeys.length
}

async function registeredKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await db.selectFrom('stored_objects').select('key').where('key', 'in', keys).execute()
  return rows.map(({ key }) => key)
}

/** How many files the database needs and the store does not have. */
async function countMissing({ db, storage, log }: CompareDependencies, listed: ListedKeys): Promise<number> {
  const notListed: string[] = []
  let unconfirmed = 0
  for (let page = await neededKeysPage(db, '', pageSize); page.length > 0;) {
    const absent = page.filter((key) => !listed.has(key))
    const room = confirmedMax - notListed.length
    notListed.push(...absent.slice(0, room))
    unconfirmed += Math.max(0, absent.length - room)
    page = await neededKeysPage(db, page.at(-1) ?? '', pageSize)
  }
  // Some were stored after they could have been listed, others are not needed any more.
  const absentNow: string[] = []
  for (const key of notListed) if ((await storage.sizeOf(key)) === null) absentNow.push(key)
  const missing = await neededKeys(db, absentNow)
  if (missing.length)
    log.error({ missing: missing.length + unconfirmed, keys: missing.slice(0, loggedMax) }, 'files are not stored')
  return missing.length + unconfirmed
}
