import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client, ClientConfig } from 'pg'
import type { Config } from '../config.ts'
import type { Storage } from '../ports/storage/storage.ts'
import { recordBackup } from './backup-state.ts'
import { asFolderError, backupsIn, markBackupFolder, openBackupFolder, privateFolderOptions } from './backup-folder.ts'
import { installationOf, refuseOtherInstallation } from './backup-installation.ts'
import { copyChanged } from './changed-rows.ts'
import { connectForCopy, copyToFile } from './connection.ts'
import { copyFiles, readNamedFiles, type CopiedFiles } from './copy-files.ts'
import { dumpSnapshot, type Snapshot } from './dump-tables.ts'
import { fileListNames, fileListsOf, openFileLookup, openFileListWriter } from './file-lists.ts'
import { backupErasuresFileName } from './erasure-file.ts'
import { checksumOf } from './hashed-files.ts'
import { backupNames, newBackupName, writeManifest, type ListedFile, type Manifest } from './manifest.ts'
import type { Progress } from './progress.ts'
import { pruneBackups, removeTablesIfUnfinished } from './prune.ts'
import { backUpSecretKey } from './secret-key.ts'
import { countsOf, isMuchSmaller, judgeBackups } from './size-of-backups.ts'
import { syncFolder } from './sync.ts'

export interface BackupOptions {
  dir: string
  /** How many finished backups stay in the folder. */
  keep: number
  config: Pick<Config, 'dataDir' | 'secretKey' | 'acceptedSecretKeys' | 'publicUrl'>
  database: ClientConfig
  storage: Storage
  progress: Progress
  /** The folder has backups of another installation. */
  adopt?: boolean | undefined
  /** It may have fewer than half of the accounts or photos of the newest backup. */
  acceptSmaller?: boolean | undefined
}

/** A finished backup, and what making it has found. */
export interface FinishedBackup {
  manifest: Manifest
  /** The newest backup, if this one is much smaller and nobody has accepted that: then no backup was removed. */
  smallerThan: Manifest | undefined
  newFiles: number
  newBytes: number
  /** Files that rows of the snapshot named and that were deleted or replaced before they were copied. */
  deletedMeanwhile: number
  /** Keys that rows name and that are not stored. */
  missing: string[]
  /** Keys whose files have another size than their rows say. */
  damaged: string[]
  /** Whether the database knows of it; only a good one is recorded. */
  isRecorded: boolean
  removedBackups: number
  kept: number
}

interface Run extends BackupOptions {
  client: Client
  folder: string
  name: string
  installation: string | undefined
  /** The newest backup that was not much smaller than those before it. */
  newest: Manifest | undefined
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
  const { client, config, folder, name, storage, progress, installation, newest, acceptSmaller = false } = run
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
  const isSmaller = newest !== undefined && isMuchSmaller(countsOf(snapshot), countsOf(newest))
  const smallerThan = isSmaller && !acceptSmaller ? newest : undefined
  const manifest: Manifest = {
    name,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    publicUrl: config.publicUrl,
    installation,
    muchSmallerThan: smallerThan?.name,
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
    smallerThan,
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
 * Makes a backup while the server runs: a consistent snapshot of all tables, and the files they refer to, of which only
 * new ones are copied. It can be interrupted at any point; the next backup reuses the files already copied.
 */
export async function backUp(options: BackupOptions): Promise<FinishedBackup> {
  const openedFolder = await openBackupFolder(options.dir, options.config.dataDir)
  const { dir, lock } = openedFolder
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
    const backups = await whileLocked(judgeBackups(dir))
    if (!options.adopt) await whileLocked(refuseOtherInstallation(client, openedFolder, backups))
    const installation = await installationOf(client)
    if (openedFolder.installation !== installation) await markBackupFolder(dir, installation)
    for (const one of names) await removeTablesIfUnfinished(join(backupsIn(dir), one))
    const newest = backups.findLast(({ hasPassed }) => hasPassed)?.manifest
    const name = newBackupName(names, startedAt)
    const folder = join(backupsIn(dir), name)
    await mkdir(folder, privateFolderOptions)
    await syncFolder(backupsIn(dir))
    const knownLists = names.toReversed().flatMap((one) => fileListsOf(join(backupsIn(dir), one)))
    const finished = await whileLocked(
      fillBackupOrCleanUp({ ...options, dir, client, folder, name, installation, newest, knownLists }, startedAt),
    )
    if (finished.smallerThan) return { ...finished, isRecorded: false, removedBackups: 0, kept: backups.length + 1 }
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
