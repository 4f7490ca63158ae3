import { join } from 'node:path'
import type { Client } from 'pg'
import type { Config } from '../config.ts'
import { connect, type Database } from '../db/connect.ts'
import { migrate, migrateSchemaTo } from '../db/migrate.ts'
import type { DatabaseConnection } from '../postgres/open-database.ts'
import type { Storage } from '../ports/storage/storage.ts'
import { createLog } from '../runtime/log.ts'
import { acquireSocketLock } from '../runtime/socket-lock.ts'
import { StartupError } from '../runtime/startup-error.ts'
import { asFolderError, backupLockName, backupsIn, findBackupFolder } from './backup-folder.ts'
import { checkBackup, chooseBackup } from './check-backup.ts'
import { connectForCopy } from './connection.ts'
import type { Manifest } from './manifest.ts'
import type { Progress } from './progress.ts'
import { checkErasuresFile, replayErasures, type Erasers } from './replay-erasures.ts'
import { findMissing, restoreFiles, type RestoredFiles } from './restore-files.ts'
import { restoreTables } from './restore-tables.ts'
import { checkDatabase, checkMigrations, refuseNonEmptyStore } from './restore-target.ts'
import { giveUpUnknownKey } from '../secret-keys/stored-keys.ts'
import { loadSecretKeys } from '../runtime/secret-key.ts'
import { restoreSecretKey, secretKeyToRestore } from './secret-key.ts'

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
}

export interface FinishedRestore extends RestoredFiles {
  manifest: Manifest
  erased: { accounts: number; photos: number }
  missing: string[]
}

/** A checked backup. */
interface Source {
  dir: string
  manifest: Manifest
  /** Keys of files that are damaged or missing in it. */
  damagedKeys: ReadonlySet<string>
}

async function checkSource(
  dir: string,
  { from, progress, leaveOutDamaged }: Pick<RestoreOptions, 'from' | 'progress' | 'leaveOutDamaged'>,
): Promise<Source> {
  try {
    const manifest = await chooseBackup(dir, from)
    checkMigrations(manifest)
    return { dir, manifest, damagedKeys: await checkBackup(dir, manifest, { progress, leaveOutDamaged }) }
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
  const dir = await findBackupFolder(options.dir)
  const lock = await acquireSocketLock(await backupLockName(dir), () => '')
  if (typeof lock === 'string') throw new StartupError(`A backup is being made in ${dir}. Wait for it, or stop it.`)
  try {
    return await use(await checkSource(dir, options))
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
  { options, source: { dir, manifest }, storage }: { options: RestoreOptions; source: Source; storage: Storage },
): Promise<void> {
  const { config, keepFiles, otherKey, progress } = options
  const folder = join(backupsIn(dir), manifest.name)
  const state = await checkDatabase(client, manifest)
  const keys = await secretKeyToRestore(folder, manifest, { config, otherKey })
  if (state === 'empty') {
    if (!keepFiles) await refuseNonEmptyStore(storage)
    progress.step('tables')
    await migrateSchemaTo(db, pool, manifest.migrations)
    await restoreTables(client, folder, manifest)
  }
  if (keys !== undefined) await restoreSecretKey(config.dataDir, keys)
  await migrate(db, pool)
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
    await client.query('delete from restores')
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
