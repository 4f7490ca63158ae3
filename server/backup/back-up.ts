import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client, ClientConfig } from 'pg'
import type { Config } from '../config.ts'
import type { Storage } from '../ports/storage/storage.ts'
import { recordBackup } from './backup-state.ts'
import { asFolderError, backupsIn, openBackupFolder, privateFolderOptions } from './backup-folder.ts'
import { copyChanged } from './changed-rows.ts'
import { connectForCopy, copyToFile } from './connection.ts'
import { copyFiles, readNamedFiles, type CopiedFiles } from './copy-files.ts'
import { dumpSnapshot, type Snapshot } from './dump-tables.ts'
import { fileListNames, fileListsOf, openFileLookup, openFileListWriter } from './file-lists.ts'
import { backupErasuresFileName } from './erasure-file.ts'
import { checksumOf } from './hashed-files.ts'
import { backupNames, newBackupName, readManifest, writeManifest, type ListedFile, type Manifest } from './manifest.ts'
import { StartupError } from '../runtime/startup-error.ts'
import type { Progress } from './progress.ts'
import { pruneBackups, removeTablesIfUnfinished } from './prune.ts'
import { backUpSecretKey, hasKeyOf } from './secret-key.ts'
import { syncFolder } from './sync.ts'

export interface BackupOptions {
  dir: string
  /** How many finished backups stay in the folder. */
  keep: number
  config: Pick<Config, 'dataDir' | 'secretKey' | 'acceptedSecretKeys' | 'publicUrl' | 'publicUrlIsDefault'>
  database: ClientConfig
  storage: Storage
  progress: Progress
}

/** A finished backup, and what making it has found. */
export interface FinishedBackup {
  manifest: Manifest
  newFiles: number
  newBytes: number
  /** Files that rows of the snapshot named and that were deleted or replaced before they were copied. */
  deletedMeanwhile: number
  /** Keys that rows name and that are not stored. */
  missing: string[]
  /** Keys whose files have another size than their rows say. */
  damaged: string[]
  /** Whether the database knows of it. */
  isRecorded: boolean
  removedBackups: number
  kept: number
}

interface Run extends BackupOptions {
  client: Client
  folder: string
  name: string
  /** Lists of earlier backups, also of interrupted ones. */
  knownLists: string[]
}

async function copyNamedFiles(run: Run, { file, rows }: Snapshot['namedFiles']): Promise<CopiedFiles> {
  const { folder, knownLists, progress } = run
  progress.step('files')
  const known = await openFileLookup(knownLists)
  const list = await openFileListWriter(join(folder, fileListNames[0]))
  try {
    return await copyFiles({ ...run, known, list }, readNamedFiles(join(folder, file)), rows)
  } finally {
    await list.close()
    await known.close()
  }
}

const listed = async (folder: string, file: string): Promise<ListedFile> => ({
  file,
  ...(await checksumOf(join(folder, file))),
})

async function fillBackup(
  run: Run,
  startedAt: Date,
): Promise<Omit<FinishedBackup, 'isRecorded' | 'removedBackups' | 'kept'>> {
  const { client, config, folder, name, storage, progress } = run
  const secretKey = await backUpSecretKey(folder, config)
  progress.step('tables')
  const { namedFiles, ...snapshot } = await dumpSnapshot(client, folder)
  const copied = await copyNamedFiles(run, namedFiles)
  const changedRows = await copyChanged({ ...run, tables: snapshot.tables }, copied.absent)
  // Read last, so that everything that was deleted while files were copied is in it.
  const erasures = await copyToFile(client, 'select kind, id, at from erasures order by at, kind, id', {
    folder,
    file: backupErasuresFileName,
  })
  const manifest: Manifest = {
    name,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    publicUrl: config.publicUrl,
    storage: storage.kind,
    ...snapshot,
    changed: changedRows.changed,
    fileLists: [await listed(folder, fileListNames[0]), await listed(folder, fileListNames[1])],
    files: copied.files + changedRows.copied.files,
    fileBytes: copied.bytes + changedRows.copied.bytes,
    missing: changedRows.missing.length,
    erasures,
    secretKey,
  }
  await syncFolder(folder)
  await writeManifest(folder, manifest)
  return {
    manifest,
    newFiles: copied.newFiles + changedRows.copied.newFiles,
    newBytes: copied.newBytes + changedRows.copied.newBytes,
    deletedMeanwhile: copied.absent.length - changedRows.missing.length,
    missing: changedRows.missing.map(({ key }) => key),
    damaged: [...copied.damaged, ...changedRows.copied.damaged],
  }
}

/** After a failure, frees disk space by removing the tables; the next run continues with the files and their list. */
const fillBackupOrCleanUp = (run: Run, startedAt: Date): ReturnType<typeof fillBackup> =>
  fillBackup(run, startedAt).catch(async (error: unknown) => {
    await removeTablesIfUnfinished(run.folder).catch(() => {})
    throw error
  })

/**
 * Two installations that share a folder would remove each other's backups, and a restore would take the newer one.
 * @throws StartupError when the newest backup has another key and another PUBLIC_URL
 */
async function refuseOtherInstallation(
  dir: string,
  names: readonly string[],
  config: BackupOptions['config'],
): Promise<void> {
  for (const name of names.toReversed()) {
    const newest = await readManifest(join(backupsIn(dir), name)).catch(() => undefined)
    if (!newest) continue
    // Every installation without the setting can have the same URL.
    const isSameUrl = newest.publicUrl === config.publicUrl && !config.publicUrlIsDefault
    if (isSameUrl || (await hasKeyOf(newest, config))) return
    throw new StartupError(
      `The backups in ${dir} are of another Keepsnap, with the PUBLIC_URL ${newest.publicUrl} and another secret key. Choose a folder of its own for this one: in a common one, each would remove the backups of the other.`,
    )
  }
}

/**
 * Makes a backup while the server runs: a consistent snapshot of all tables, and the files they refer to, of which only
 * new ones are copied. It can be interrupted at any point; the next backup reuses the files already copied.
 */
export async function backUp(options: BackupOptions): Promise<FinishedBackup> {
  const { dir, lock } = await openBackupFolder(options.dir, options.config.dataDir)
  const aborted = new AbortController()
  const lost = lock.lost.then((message) => {
    aborted.abort(new Error(message))
    throw aborted.signal.reason
  })
  // The lock may be lost while no step below waits for it; the next one rejects then.
  lost.catch(() => {})
  const whileLocked = <Result>(step: Promise<Result>): Promise<Result> => Promise.race([step, lost])
  const startedAt = new Date()
  const startedAtMs = performance.now()
  let client: Client | undefined
  try {
    client = await whileLocked(connectForCopy(options.database))
    const names = await backupNames(dir)
    await whileLocked(refuseOtherInstallation(dir, names, options.config))
    for (const one of names) await removeTablesIfUnfinished(join(backupsIn(dir), one))
    const name = newBackupName(names, startedAt)
    const folder = join(backupsIn(dir), name)
    await mkdir(folder, privateFolderOptions)
    await syncFolder(backupsIn(dir))
    const knownLists = names.toReversed().flatMap((one) => fileListsOf(join(backupsIn(dir), one)))
    const finished = await whileLocked(
      fillBackupOrCleanUp({ ...options, dir, client, folder, name, knownLists }, startedAt),
    )
    // The backup is valid even if it cannot be recorded.
    const isRecorded = await recordBackup(client, (performance.now() - startedAtMs) / 1000).then(
      () => true,
      () => false,
    )
    return { ...finished, isRecorded, ...(await pruneBackups(dir, options.keep, aborted.signal)) }
  } catch (error) {
    throw asFolderError(dir, error)
  } finally {
    options.progress.end()
    await client?.end()
    await lock.release()
  }
}
