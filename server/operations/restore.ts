import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from 'pg'
import { connect, type Database, type Db } from '../platform/db/connect.ts'
import { pagesOf } from '../lib/concurrency.ts'
import { StartupError } from '../faults.ts'
import { backupErasuresFileName, erasureFileName, readErasures } from '../features/accounts/erasures.ts'
import { migrations } from '../platform/db/migrations/all.ts'
import { plural, type Progress, timeText } from '../lib/operator-texts.ts'
import { markName, type Storage } from '../ports/storage/storage.ts'
import type { Config } from '../config.ts'
import { migrate, migrateSchemaTo } from '../platform/db/migrate.ts'
import { readInstallation, setInstallationId } from '../open-ports.ts'
import type { DatabaseConnection } from '../platform/postgres/open-database.ts'
import { createLog } from '../platform/process/log.ts'
import { acquireSocketLock } from '../platform/process/data-folder.ts'
import { giveUpUnknownKey } from '../platform/db/secret-keys.ts'
import { loadSecretKeys } from '../platform/process/secret-key-file.ts'
import { asFolderError, backupLockName, backupsIn, findBackupFolder, markBackupFolder } from './backup-folder.ts'
import {
  backupNames,
  contentsText,
  countsText,
  installationOfFolder,
  judgeBackups,
  type Manifest,
  restoreSecretKey,
  secretKeyToRestore,
} from './backup-manifest.ts'
import { checkBackup, chooseBackup } from './check-backup.ts'
import { connectForCopy, restoreTables } from './backup-tables.ts'
import { findMissing, type RestoredFiles, restoreFiles } from './backup-files.ts'

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

const pageSize = 500

/** Erases what a backup has brought back. Each resolves with how many of them were there. */
export interface Erasers {
  accounts(db: Db, ids: readonly string[]): Promise<number>
  photos(db: Db, ids: readonly string[]): Promise<number>
  /** The last time of each guest, by the hash of the mailbox. */
  guests(db: Db, erased: ReadonlyMap<string, Date>): Promise<number>
}

export interface Replay {
  db: Db
  dir: string
  /** Where the data folder is, whose file of erasures may have survived the database. */
  dataDir: string
  /** A file of erasures from elsewhere, such as from the data folder of before. */
  erasuresFile: string | undefined
  /** Restores photos even if their owners deleted them after the backup. */
  withDeletedPhotos: boolean
  erasers: Erasers
}

/** @throws StartupError when the file of `--erasures` is none: before anything is restored */
async function checkErasuresFile(path: string): Promise<void> {
  if ((await stat(path).catch(() => undefined))?.isFile()) return
  throw new StartupError(
    `There is no file ${path}. Give --erasures the file ${erasureFileName} of the data folder of before.`,
  )
}

/** All files of erasures: also those of later backups in the folder, which list later erasures. */
async function erasureFiles({ dir, dataDir, erasuresFile }: Replay): Promise<string[]> {
  const names = await backupNames(dir)
  return [
    ...names.map((name) => join(backupsIn(dir), name, backupErasuresFileName)),
    join(dataDir, erasureFileName),
    ...(erasuresFile === undefined ? [] : [erasuresFile]),
  ]
}

/** Deletes again the accounts, photos and guests that were deleted after the backup. Idempotent. */
async function replayErasures(replay: Replay): Promise<Record<keyof Erasers, number>> {
  const { db, erasers, withDeletedPhotos } = replay
  const erased = { accounts: 0, photos: 0, guests: 0 }
  const guests = new Map<string, Date>()
  for (const file of await erasureFiles(replay)) {
    for await (const page of pagesOf(readErasures(file), pageSize)) {
      const idsOf = (wanted: 'account' | 'photo'): string[] =>
        page.flatMap(({ kind, id }) => (kind === wanted ? id : []))
      erased.accounts += await erasers.accounts(db, idsOf('account'))
      if (!withDeletedPhotos) erased.photos += await erasers.photos(db, idsOf('photo'))
      for (const { kind, id, at } of page)
        if (kind === 'guest' && Date.parse(at) > (guests.get(id)?.getTime() ?? 0)) guests.set(id, new Date(at))
    }
  }
  if (guests.size > 0) erased.guests = await erasers.guests(db, guests)
  return erased
}

/** Whether the target is empty, or an interrupted restore has already filled the tables. */
type TargetState = 'empty' | 'tables restored'

const known = new Set(Object.keys(migrations))

/**
 * Whether this program can read a backup: it knows all of its migrations.
 * @throws StartupError when it does not
 */
function checkMigrations({ migrations: backupMigrations }: Manifest): void {
  const unknown = backupMigrations.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new StartupError(
      `This backup was made by a newer Keepsnap (its database has the migration ${unknown}). Restore it with that one or a later one.`,
    )
}

async function exists(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [table])
  return rows[0]?.found === true
}

const count = async (client: Client, query: string, values: unknown[] = []): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(query, values)
  return Number(rows[0]?.count ?? 0)
}

/** PostgreSQL notices only after a moment that a program was killed. */
const disconnectWaitMs = 3_000

/** @throws StartupError when something else uses the database, such as a server that runs */
async function refuseOthers(client: Client): Promise<void> {
  for (const end = Date.now() + disconnectWaitMs; ; await wait(100)) {
    const others = await count(
      client,
      `select count(*) from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    if (others === 0) return
    if (Date.now() > end)
      throw new StartupError(
        `Something else is connected to the database (${others} connections). Stop every Keepsnap that uses it, then restore.`,
      )
  }
}

const howToEmpty =
  'Restore into an empty one: a new DATA_DIR, or with DATABASE_URL a new database (dropdb, createdb) and an empty folder or bucket.'

/** What is in a database in use, and from when the newest of it is. */
async function describeDatabase(client: Client): Promise<string> {
  const { rows } = await client.query<{ accounts: string; photos: string; newest: Date | null }>(
    `select (select count(*) from users) as accounts, (select count(*) from photos) as photos,
       greatest((select max(created_at) from users), (select max(created_at) from photos)) as newest`,
  )
  const { accounts = '0', photos = '0', newest = null } = rows[0] ?? {}
  const since = newest ? `, the newest of ${timeText(newest)}` : ''
  return `It has ${countsText({ accounts: Number(accounts), photos: Number(photos) })}${since}.`
}

async function refuseNonEmptyDatabase(client: Client, manifest: Manifest): Promise<void> {
  if (!(await exists(client, 'public.kysely_migration'))) {
    const tables = await count(
      client,
      `select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
         and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`,
    )
    if (tables > 0)
      throw new StartupError(`The database has ${plural(tables, 'table')} of another program. ${howToEmpty}`)
    return
  }
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  for (const table of ['users', 'photos', 'stored_objects'])
    if ((await exists(client, `public.${table}`)) && (await count(client, `select count(*) from ${table}`)) > 0)
      throw new StartupError(
        `The database is in use: the table ${table} has rows. ${await describeDatabase(client)} The backup is ${contentsText(manifest)}. Nothing was changed. ${howToEmpty}`,
      )
  const newer = rows.find(({ name }, at) => manifest.migrations[at] !== name)
  if (newer)
    throw new StartupError(
      `The database has been used by a newer Keepsnap than the backup (it has the migration ${newer.name}). It has no accounts, so nothing is lost by replacing it: delete the folder "postgres" in DATA_DIR, or with DATABASE_URL create the database again (dropdb, createdb). Then restore.`,
    )
}

/**
 * Makes sure that a backup can be restored into a database without overwriting anything.
 * @throws StartupError when it is in use, or another restore into it was begun
 */
async function checkDatabase(client: Client, manifest: Manifest): Promise<TargetState> {
  await refuseOthers(client)
  if (await exists(client, 'public.restores')) {
    const { rows } = await client.query<{ backup: string }>('select backup from restores')
    const begun = rows[0]?.backup
    if (begun === manifest.name) return 'tables restored'
    if (begun !== undefined)
      throw new StartupError(
        `The restore of the backup ${begun} into this database was interrupted. Finish it with --from ${begun}, or start again: ${howToEmpty}`,
      )
  }
  await refuseNonEmptyDatabase(client, manifest)
  return 'empty'
}

/** @throws StartupError when the files that are to be kept are those of another installation */
async function refuseStoreOfOther(storage: Storage, installation: string | undefined): Promise<void> {
  const found = await storage.readInstallation()
  if (found === null || installation === undefined || found === installation) return
  throw new StartupError(
    `The files that --keep-files would keep are of another Keepsnap, by their file ${markName} (${found}; that of the backup is ${installation}). Nothing was changed. ${howToEmpty}`,
  )
}

/** @throws StartupError when the store has files, which the nightly comparison would remove */
async function refuseNonEmptyStore(storage: Storage): Promise<void> {
  for await (const { key } of storage.list())
    throw new StartupError(
      `The ${storage.kind === 'disk' ? 'folder "files" in DATA_DIR' : 'bucket'} is not empty: it has ${key}. Nothing was changed. ${howToEmpty} If these are the files of the same Keepsnap and only the database was lost, restore with --keep-files.`,
    )
}
