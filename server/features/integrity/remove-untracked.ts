import type { Dependencies } from '../../dependencies.ts'
import { keysKnownToDatabase } from '../../domain/referenced-objects.ts'
import type { CheckedFiles } from './check-files.ts'

const pageSize = 500
/**
 * Unknown files are not removed if there are more than this number and more than this share of all files, or more than
 * half of all files: after the loss of a database, all photos of a small event are unknown to the empty replacement.
 */
const untrackedMax = 20
const untrackedShareMax = 0.1
const untrackedPartMax = 0.5

/** Whether so many files are unknown that database and store probably do not belong together. */
export const hasTooManyUntracked = ({ untracked, objects }: Pick<CheckedFiles, 'untracked' | 'objects'>): boolean =>
  untracked.count > Math.min(Math.max(untrackedMax, objects * untrackedShareMax), objects * untrackedPartMax)

/**
 * Removes unknown files that are at least a day old; resolves to how many. First checks again that no row refers to
 * them. Keys are random and never reused, so an unknown key is never registered later.
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
  const known = await keysKnownToDatabase(db, untracked.keys)
  const keys = untracked.keys.filter((key) => !known.has(key))
  for (let at = 0; at < keys.length; at += pageSize) await storage.remove(keys.slice(at, at + pageSize))
  if (keys.length) log.warn({ removed: keys.length }, 'removed stored files that the database does not know')
  return keys.length
}
