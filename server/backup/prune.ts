import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backupsIn, filesIn, manifestFile } from './backup-folder.ts'
import { fileListNames, fileListsOf, openFileLookup } from './file-lists.ts'
import { backupNames, readManifest } from './manifest.ts'
import { judgeBackups } from './size-of-backups.ts'

const foldersIn = async (path: string): Promise<string[]> =>
  (await readdir(path, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()

/** Removes files that no backup of these names, and incomplete copies. */
async function removeUnnamedFiles(dir: string, kept: readonly string[], signal: AbortSignal): Promise<number> {
  const lookup = await openFileLookup(kept.flatMap((name) => fileListsOf(join(backupsIn(dir), name))))
  let removed = 0
  for (const kind of await foldersIn(filesIn(dir))) {
    for (const shard of await foldersIn(join(filesIn(dir), kind))) {
      const folder = join(filesIn(dir), kind, shard)
      for (const name of (await readdir(folder)).sort()) {
        signal.throwIfAborted()
        if (!name.endsWith('.part') && (await lookup.find(`${kind}/${name}`))) continue
        await rm(join(folder, name), { force: true })
        removed += 1
      }
    }
  }
  await lookup.close()
  return removed
}

/** Whether a backup may be used: it is finished, even if it is damaged. */
const isFinishedOrDamaged = async (folder: string): Promise<boolean> =>
  (await readManifest(folder).catch(() => 'damaged')) !== undefined

/** Frees space: of an interrupted backup, only the lists of copied files are useful. */
export async function removeTablesIfUnfinished(folder: string): Promise<void> {
  if (await isFinishedOrDamaged(folder)) return
  for (const file of await readdir(folder))
    if (!fileListNames.some((list) => list === file)) await rm(join(folder, file), { recursive: true, force: true })
}

/**
 * Keeps the newest finished backups, of which those that are damaged or much smaller do not count; removes older and unfinished ones,
 * and the files that only those named.
 * @throws the reason of `signal`, and removes nothing more, once that is aborted
 */
export async function pruneBackups(
  dir: string,
  keep: number,
  signal: AbortSignal,
): Promise<{ removedBackups: number; kept: number }> {
  const judged = await judgeBackups(dir)
  const finished = judged.map(({ name }) => name)
  const unfinished = (await backupNames(dir)).filter((name) => !finished.includes(name))
  // With fewer good ones than it keeps, all stay: a damaged one may still help, with what is not damaged.
  const oldest = judged.filter(({ hasPassed }) => hasPassed).at(-keep)?.name ?? ''
  const kept = finished.filter((name) => name >= oldest)
  const old = finished.filter((name) => name < oldest)
  for (const name of [...old, ...unfinished]) {
    signal.throwIfAborted()
    const folder = join(backupsIn(dir), name)
    // Without its manifest it is not a backup any more, wherever this is interrupted.
    await rm(join(folder, manifestFile), { force: true })
    await rm(folder, { recursive: true, force: true })
  }
  await removeUnnamedFiles(dir, kept, signal)
  return { removedBackups: old.length, kept: kept.length }
}
