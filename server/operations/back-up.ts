import { join } from 'node:path'
import { mkdir, readdir, rm } from 'node:fs/promises'
import type { Client, ClientConfig } from 'pg'
import { isId } from '../lib/ids.ts'
import type { Storage } from '../ports/storage/storage.ts'
import type { Progress } from '../lib/operator-texts.ts'
import type { Config } from '../config.ts'
import { backupErasuresFileName } from '../features/accounts/erasures.ts'
import {
  connectForCopy,
  copyToFile,
  dumpSnapshot,
  dumpTable,
  namedFilesSql,
  recordBackup,
  type Snapshot,
} from './backup-tables.ts'
import { type CopiedFiles, copyFiles, type NamedFile, nothingCopied, readNamedFiles } from './backup-files.ts'
import {
  backupNames,
  backUpSecretKey,
  countsOf,
  fileListNames,
  fileListsOf,
  installationOf,
  isMuchSmaller,
  judgeBackups,
  type ListedFile,
  type Manifest,
  newBackupName,
  openFileListWriter,
  openFileLookup,
  readManifest,
  refuseOtherInstallation,
  type TableFile,
  writeManifest,
} from './backup-manifest.ts'
import {
  asFolderError,
  backupsIn,
  checksumOf,
  filesIn,
  manifestFile,
  markBackupFolder,
  openBackupFolder,
  privateFolderOptions,
  syncFolder,
} from './backup-folder.ts'

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

/** If more files than this are missing, they were not deleted during the backup: the store has lost them. */
const changedMax = 10_000
const rounds = 5

interface ChangedOptions {
  client: Client
  storage: Storage
  dir: string
  folder: string
  tables: readonly TableFile[]
  knownLists: readonly string[]
  progress: Progress
}

interface ChangedRows {
  changed: Manifest['changed']
  copied: CopiedFiles
  /** Files that rows still name and that are not stored. */
  missing: NamedFile[]
}

const inList = (ids: readonly string[]): string => `in (${['', ...ids.filter(isId)].map((id) => `'${id}'`).join()})`

/** The rows of these photos and accounts as they are now, and the files that these name. */
async function dumpChanged(
  { client, folder, tables }: ChangedOptions,
  { photoIds, userIds }: { photoIds: string[]; userIds: string[] },
): Promise<{ dumped: TableFile[]; named: string; count: number }> {
  const [ofPhoto, ofUser] = [inList(photoIds), inList(userIds)]
  const conditions: Record<string, string> = {
    photos: `id ${ofPhoto}`,
    stored_objects: `photo_id ${ofPhoto} or user_id ${ofUser}`,
    brand_images: `user_id ${ofUser}`,
    archives: `user_id ${ofUser}`,
  }
  const dumped: TableFile[] = []
  await client.query('begin isolation level repeatable read read only')
  for (const [name, where] of Object.entries(conditions)) {
    const { columns = [] } = tables.find(({ table }) => table === name) ?? {}
    dumped.push(await dumpTable(client, { name, columns }, { folder, file: `changed-${name}.tsv`, where }))
  }
  const query = `select * from (${namedFilesSql}) named where photo_id ${ofPhoto} or user_id ${ofUser} order by 1`
  const { file, rows } = await copyToFile(client, query, { folder, file: 'changed-named-files.txt' })
  await client.query('commit')
  return { dumped, named: join(folder, file), count: rows }
}

/** Those that the first list does not have. */
async function* notIn(list: string, files: AsyncIterable<NamedFile>): AsyncGenerator<NamedFile> {
  const lookup = await openFileLookup([list])
  for await (const file of files) if (!(await lookup.find(file.key))) yield file
  await lookup.close()
}

const idsOf = (files: readonly NamedFile[], field: 'photoId' | 'userId'): string[] => [
  ...new Set(files.flatMap((file) => file[field] ?? [])),
]
const isSame = (one: readonly NamedFile[], other: readonly NamedFile[]): boolean =>
  one.length === other.length && one.every(({ key }, at) => key === other[at]?.key)

/**
 * Files can be deleted or replaced between the snapshot and their copying: a photo was processed, deleted or got
 * another watermark. Reads the rows of these photos and accounts again and copies the files that they name now, until
 * nothing is missing or the same files are missing twice in a row.
 */
async function copyChanged(options: ChangedOptions, absent: readonly NamedFile[]): Promise<ChangedRows> {
  const { storage, dir, folder, knownLists, progress } = options
  const considered = absent.slice(0, changedMax)
  const changed = { photoIds: idsOf(considered, 'photoId'), userIds: idsOf(considered, 'userId'), tables: [] }
  const [firstList, listPath] = [join(folder, fileListNames[0]), join(folder, fileListNames[1])]
  let result: ChangedRows = { changed, copied: nothingCopied(), missing: [] }
  await (await openFileListWriter(listPath)).close()
  let before: readonly NamedFile[] = considered
  for (let round = 0; round < rounds && before.length > 0; round++) {
    const { dumped, named, count } = await dumpChanged(options, changed)
    const known = await openFileLookup(knownLists)
    const list = await openFileListWriter(listPath)
    const copied = await copyFiles(
      { storage, dir, known, list, progress },
      notIn(firstList, readNamedFiles(named)),
      count,
    )
    await list.close()
    await known.close()
    const missing = copied.absent
    result = { changed: { ...changed, tables: dumped }, copied, missing }
    if (isSame(before, missing)) break
    before = missing
  }
  return { ...result, missing: [...result.missing, ...absent.slice(changedMax)] }
}

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
async function removeTablesIfUnfinished(folder: string): Promise<void> {
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
