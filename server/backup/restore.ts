import { join } from 'node:path'
import type { Client } from 'pg'
import type { Config } from '../config.ts'
import { connect, type Database } from '../db/connect.ts'
import { migrate, migrateSchemaTo } from '../db/migrate.ts'
import { readInstallation, setInstallationId } from '../domain/installation.ts'
import type { DatabaseConnection } from '../postgres/open-database.ts'
import type { Storage } from '../ports/storage/storage.ts'
import { createLog } from '../runtime/log.ts'
import { acquireSocketLock } from '../runtime/socket-lock.ts'
import { StartupError } from '../runtime/startup-error.ts'
import { asFolderError, backupLockName, backupsIn, findBackupFolder, markBackupFolder } from './backup-folder.ts'
import { checkBackup, chooseBackup } from './check-backup.ts'
import { connectForCopy } from './connection.ts'
import type { Manifest } from './manifest.ts'
import { installationOfFolder } from './backup-installation.ts'
import type { Progress } from './progress.ts'
import { checkErasuresFile, replayErasures, type Erasers } from './replay-erasures.ts'
import { findMissing, restoreFiles, type RestoredFiles } from './restore-files.ts'
import { restoreTables } from './restore-tables.ts'
import { checkDatabase, checkMigrations, refuseNonEmptyStore, refuseStoreOfOther } from './restore-target.ts'
import { giveUpUnknownKey } from '../secret-keys/stored-keys.ts'
import { loadSecretKeys } from '../runtime/secret-key.ts'
import { restoreSecretKey, secretKeyToRestore } from './secret-key.ts'
import { contentsText, judgeBackups } from './size-of-backups.ts'

export interface RestoreOptions {
  dir: string
  /** A backup by its name; otherwise the newest. */
  from?: string | undefined
  /** The store has files already. */
  keepFiles: boolean
  otherKey: boolean
  withDeletedPhotos: boolean
  erasuresFile: string | undefined
  /** Files that are damaged in the backup are left out; otherwise nothing is restored. */
  leaveOutDamaged?: boolean | undefined
  config: Config
  /** Called when the backup was checked. */
  openTarget(): Promise<Target>
  erasers: Erasers
  progress: Progress
  /** Tells the operator what is going to be restored in place of what. */
  announce(text: string): void
}

export interface FinishedRestore extends RestoredFiles {
  manifest: Manifest
  erased: Record<keyof Erasers, number>
  missing: string[]
}

/** A checked backup. */
interface Source {
  dir: string
  manifest: Manifest
  /** The newest one, if that was not chosen because it is much smaller. */
  smaller: Manifest | undefined
  /** The id of the installation; undefined when neither the backup nor its folder has one. */
  installation: string | undefined
  /** The id that the folder is marked with. */
  marked: string | undefined
  /** Keys of files that are damaged or missing in it. */
  damagedKeys: ReadonlySet<string>
}

async function checkSource(
  { dir, installation: marked }: Awaited<ReturnType<typeof findBackupFolder>>,
  { from, progress, leaveOutDamaged }: Pick<RestoreOptions, 'from' | 'progress' | 'leaveOutDamaged'>,
): Promise<Source> {
  try {
    const manifest = await chooseBackup(dir, from)
    checkMigrations(manifest)
    const backups = await judgeBackups(dir)
    const newest = backups.at(-1)?.manifest
    return {
      dir,
      manifest,
      smaller: from === undefined && newest?.name !== manifest.name ? newest : undefined,
      marked,
      installation: manifest.installation ?? installationOfFolder(marked, backups),
      damagedKeys: await checkBackup(dir, manifest, { progress, leaveOutDamaged }),
    }
  } catch (error) {
    throw asFolderError(dir, error)
  }
}

/**
 * Chooses a backup, verifies its checksums, then calls `use`. Meanwhile a lock prevents new backups in the folder.
 * @throws StartupError for a damaged one
 */
export async function withCheckedBackup<Result>(
  options: Pick<RestoreOptions, 'dir' | 'from' | 'progress' | 'leaveOutDamaged'>,
  use: (source: Source) => Promise<Result>,
): Promise<Result> {
  const folder = await findBackupFolder(options.dir)
  const { dir } = folder
  const lock = await acquireSocketLock(await backupLockName(dir), () => '')
  if (typeof lock === 'string') throw new StartupError(`A backup is being made in ${dir}. Wait for it, or stop it.`)
  try {
    return await use(await checkSource(folder, options))
  } finally {
    options.progress.end()
    await lock.release()
  }
}

interface Target {
  database: DatabaseConnection['database']
  storage: Storage
}

/** Fills the tables, unless an interrupted restore of the same backup has, and brings them up to date. */
async function restoreDatabase(
  client: Client,
  { db, pool }: Database,
  { options, source, storage }: { options: RestoreOptions; source: Source; storage: Storage },
): Promise<void> {
  const { config, keepFiles, otherKey, progress, announce } = options
  const { dir, manifest, smaller, installation } = source
  const folder = join(backupsIn(dir), manifest.name)
  const state = await checkDatabase(client, manifest)
  const keys = await secretKeyToRestore(folder, manifest, { config, otherKey })
  if (state === 'empty') {
    if (keepFiles) await refuseStoreOfOther(storage, installation)
    else await refuseNonEmptyStore(storage)
  }
  announce(
    [
      `Restores the backup ${contentsText(manifest)}, and ${manifest.files} files.`,
      ...(smaller
        ? [
            `There is a newer one, ${contentsText(smaller)}: fewer than half of the accounts or photos before it. To restore that one: --from ${smaller.name}`,
          ]
        : []),
      state === 'empty'
        ? 'It replaces a database with 0 accounts and 0 photos.'
        : 'It goes on with the restore of this backup that was interrupted.',
    ].join('\n'),
  )
  if (state === 'empty') {
    progress.step('tables')
    await migrateSchemaTo(db, pool, manifest.migrations)
    await restoreTables(client, folder, manifest)
  }
  if (keys !== undefined) await restoreSecretKey(config.dataDir, keys)
  await migrate(db, pool)
  // A backup from before there were ids, in a folder that has one by now.
  if (installation !== undefined) await setInstallationId(db, installation)
  if (otherKey) await giveUpUnknownKey(db, await loadSecretKeys(config))
}

async function fillTarget(
  options: RestoreOptions,
  source: Source,
  { database, storage }: Target,
): Promise<FinishedRestore> {
  const { config, progress } = options
  const client = await connectForCopy(database)
  const target = connect(database, createLog('error', process.stderr), 4)
  try {
    await restoreDatabase(client, target, { options, source, storage })
    progress.step('erasures')
    const erased = await replayErasures({ ...options, dir: source.dir, db: target.db, dataDir: config.dataDir })
    const restoring = { ...source, client, storage, progress }
    const restored = await restoreFiles(restoring)
    const missing = await findMissing(restoring)
    await storage.writeInstallation((await readInstallation(target.db)).id)
    await client.query('delete from restores')
    // After another installation has adopted the folder. One that is read-only stays as it is.
    if (source.installation !== source.marked)
      await markBackupFolder(source.dir, source.installation).catch(() => undefined)
    return { ...restored, manifest: source.manifest, erased, missing }
  } finally {
    await target.close()
    await client.end()
  }
}

/**
 * Restores a backup into an empty installation: the backup is checked completely, then tables, then erasures that are newer
 * than it, then files. Until it is finished the program does not start on the installation; run again, it continues.
 */
export async function restore(options: RestoreOptions): Promise<FinishedRestore> {
  if (options.erasuresFile !== undefined) await checkErasuresFile(options.erasuresFile)
  return withCheckedBackup(options, async (source) => fillTarget(options, source, await options.openTarget()))
}
