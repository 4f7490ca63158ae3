import type { Dependencies } from '../../dependencies.ts'
import { keysThatRowsName } from '../../domain/named-objects.ts'
import type { CheckedFiles } from './check-files.ts'

const pageSize = 500
/**
 * More unknown files than both this and this share of all files are not removed, and never more than half of them: after the
 * loss of a database, all photos of a small event are unknown to the empty one that takes its place.
 */
const untrackedMax = 20
const untrackedShareMax = 0.1
const untrackedPartMax = 0.5

/** Whether so many files are unknown that the database or the store is likely to be another one's. */
export const hasTooManyUntracked = ({ untracked, objects }: Pick<CheckedFiles, 'untracked' | 'objects'>): boolean =>
  untracked.count > Math.min(Math.max(untrackedMax, objects * untrackedShareMax), objects * untrackedPartMax)

/**
 * Removes files, a day old or more, that the database does not know; how many. Asks the database again before: what any row
 * names stays. Keys are chosen at random and used once, so one that is unknown now is never registered later.
 */
export async function removeUntracked(
  { db, storage, log }: Pick<Dependencies, 'db' | 'storage' | 'log'>,
  files: CheckedFiles,
): Promise<number> {
  const { untracked, objects } = files
  if (hasTooManyUntracked(files)) {
    const counts = { unknown: untracked.count, stored: objects }
    log.error(counts, 'too many stored files are unknown to the database to remove them: is this its store?')
    return 0
  }
  const known = await keysThatRowsName(db, untracked.keys)
  const keys = untracked.keys.filter((key) => !known.has(key))
  for (let at = 0; at < keys.length; at += pageSize) await storage.remove(keys.slice(at, at + pageSize))
  if (keys.length) log.warn({ removed: keys.length }, 'removed stored files that the database does not know')
  return keys.length
}
