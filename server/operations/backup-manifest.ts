import { createReadStream, existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { pagesOf } from '../lib/concurrency.ts'
import { StartupError, systemCode } from '../faults.ts'
import { plural, timeText } from '../lib/operator-texts.ts'
import type { Config } from '../config.ts'
import { deriveKey } from '../lib/cryptography.ts'
import { loadSecretKeys, writeKeyFiles } from '../platform/process/secret-key-file.ts'
import {
  type BackupFolder,
  backupsIn,
  type Checksum,
  checksumOf,
  manifestFile,
  syncHandle,
  writeDurably,
} from './backup-folder.ts'

/** A file of a backup, by its name in the backup's folder. */
export interface ListedFile extends Checksum {
  file: string
}

/** The rows of one table, or those of it that changed while files were copied. */
export interface TableFile extends ListedFile {
  table: string
  columns: string[]
  rows: number
}

/** Everything about one backup. It is written last: a backup without it is not finished. */
export interface Manifest {
  name: string
  startedAt: string
  finishedAt: string
  postgres: string
  publicUrl: string
  /** The id of the installation; earlier versions had none. */
  installation?: string | undefined
  /** The name of the backup of which this one has fewer than half of the accounts or photos, which nobody has accepted. */
  muchSmallerThan?: string | undefined
  storage: string
  /** Our migrations that the tables have. */
  migrations: string[]
  tables: TableFile[]
  /** Newer rows of photos and accounts whose files were deleted or replaced during the backup. */
  changed: { photoIds: string[]; userIds: string[]; tables: TableFile[] }
  jobs: ListedFile & { rows: number }
  sequences: Record<string, number>
  /** Lists of files, sorted by key. */
  fileLists: ListedFile[]
  files: number
  fileBytes: number
  /** How many files that rows name the store did not have. */
  missing: number
  erasures: ListedFile
  /** `file` when the key is in the backup. */
  secretKey: { fingerprint: string; file: ListedFile | null }
}

const format = 1
const hashOf = (manifest: Manifest): string => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = JSON.stringify({ format, sha256: hashOf(manifest), manifest }, null, 1)
  await writeDurably(join(folder, manifestFile), `${text}\n`)
}

/**
 * Reads the manifest of a backup; undefined for one that is not finished.
 * @throws StartupError when it is damaged
 */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, manifestFile)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return undefined
    throw error
  })
  if (text === undefined) return undefined
  const written = parse(text)
  if (written && written.format > format)
    throw new StartupError(`The backup in ${folder} was made by a newer Keepsnap. Use that one.`)
  if (!written?.manifest || hashOf(written.manifest) !== written.sha256)
    throw new StartupError(`The backup is damaged: ${path} is not as it was written.`)
  if (written.manifest.name !== basename(folder))
    throw new StartupError(
      `The folder ${folder} has another name than the backup that was made in it, ${written.manifest.name}. Rename it.`,
    )
  return written.manifest
}

function parse(text: string): { format: number; sha256: string; manifest?: Manifest } | undefined {
  try {
    return JSON.parse(text) as { format: number; sha256: string; manifest?: Manifest } // its checksum is compared
  } catch {
    return undefined
  }
}

const namePattern = /^\d{8}T\d{6}Z(-\d+)?$/

/** The names of all backups in a folder, finished or not, from the oldest to the newest. */
export async function backupNames(dir: string): Promise<string[]> {
  const names = await readdir(backupsIn(dir)).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => namePattern.test(name)).sort()
}

/** The name of a new backup: its time, and later than all others. */
export function newBackupName(existing: readonly string[], now = new Date()): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const newest = existing.at(-1)
  if (newest === undefined || newest < time) return time
  const [base = newest, number = '0'] = newest.split('-')
  return `${base}-${String(Number(number) + 1).padStart(4, '0')}`
}

/** A file of a backup: its key in the store, and what it consists of. */
export interface BackedUpFile extends Checksum {
  key: string
  type: string
}

const linePattern = /^([a-z]{1,16}\/[0-9A-Za-z]{22})\t(\d+)\t([0-9a-f]{64})\t([\w.+-]+\/[\w.+-]+)$/

export const lineOf = ({ key, bytes, sha256, type }: BackedUpFile): string => `${key}\t${bytes}\t${sha256}\t${type}\n`

/** Reads a file list, sorted by key. Skips the incomplete last line of an interrupted backup. */
export async function* readFileList(path: string): AsyncGenerator<BackedUpFile> {
  if (!existsSync(path)) return
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const [, key, bytes, sha256, type] = linePattern.exec(line) ?? []
    if (key !== undefined && sha256 !== undefined && type !== undefined)
      yield { key, bytes: Number(bytes), sha256, type }
  }
}

/** Finds files in lists that are sorted by key, without holding them in memory. */
export interface FileLookup {
  /** Must be called with keys in ascending order. */
  find(key: string): Promise<BackedUpFile | undefined>
  close(): Promise<void>
}

interface Cursor {
  list: AsyncGenerator<BackedUpFile>
  current: BackedUpFile | undefined
}

/** A lookup in several lists at once; of lists with the same file, the first one counts. */
export async function openFileLookup(paths: readonly string[]): Promise<FileLookup> {
  const cursors: Cursor[] = []
  for (const path of paths) {
    const list = readFileList(path)
    cursors.push({ list, current: (await list.next()).value as BackedUpFile | undefined }) // undefined at the end
  }
  return {
    async find(key) {
      let found: BackedUpFile | undefined
      for (const cursor of cursors) {
        while (cursor.current && cursor.current.key < key)
          cursor.current = (await cursor.list.next()).value as BackedUpFile | undefined // as above
        if (cursor.current?.key === key) found ??= cursor.current
      }
      return found
    },
    async close() {
      for (const { list } of cursors) await list.return(undefined)
    },
  }
}

/** The names of the lists of a backup: of its files, and of those that replaced them while it was made. */
export const fileListNames = ['file-list.txt', 'changed-file-list.txt'] as const
export const fileListsOf = (folder: string): string[] => fileListNames.map((name) => join(folder, name))

/** Writes a file list; files must be added in ascending order of their keys. */
export interface FileListWriter {
  add(files: readonly BackedUpFile[]): Promise<void>
  close(): Promise<void>
}

export async function openFileListWriter(path: string): Promise<FileListWriter> {
  const list: FileHandle = await open(path, 'w', 0o600)
  return {
    add: async (files) => void (await list.appendFile(files.map(lineOf).join(''))),
    async close() {
      await syncHandle(list).finally(() => list.close())
    },
  }
}

export interface Counts {
  accounts: number
  photos: number
}

/** From this number on, half of it is missed. */
const missedFrom = 10

const rowsOf = ({ tables }: Pick<Manifest, 'tables'>, name: string): number =>
  tables.find(({ table }) => table === name)?.rows ?? 0
export const countsOf = (manifest: Pick<Manifest, 'tables'>): Counts => ({
  accounts: rowsOf(manifest, 'users'),
  photos: rowsOf(manifest, 'photos'),
})

export const countsText = ({ accounts, photos }: Counts): string =>
  `${plural(accounts, 'account')} and ${plural(photos, 'photo')}`
/** Which backup it is, from when, and what it has. */
export const contentsText = (manifest: Manifest): string =>
  `${manifest.name} of ${timeText(manifest.startedAt)}, with ${countsText(countsOf(manifest))}`

/** Whether fewer than half of the accounts or photos are left: the database is likely to be another one, or a new one. */
export const isMuchSmaller = (now: Counts, before: Counts): boolean =>
  (['accounts', 'photos'] as const).some((what) => before[what] >= missedFrom && now[what] < before[what] / 2)

interface JudgedBackup {
  name: string
  /** Undefined when it is damaged. */
  manifest: Manifest | undefined
  /** It is no damaged one, nor much smaller than the newest one before it that passed, unless the operator has accepted that. */
  hasPassed: boolean
}

/** The finished backups of a folder, from the oldest to the newest. Those of earlier versions are compared now. */
export async function judgeBackups(dir: string): Promise<JudgedBackup[]> {
  const judged: JudgedBackup[] = []
  let before: Counts | undefined
  for (const name of await backupNames(dir)) {
    const manifest = await readManifest(join(backupsIn(dir), name)).catch(() => 'damaged' as const)
    if (manifest === undefined) continue
    if (manifest === 'damaged') {
      judged.push({ name, manifest: undefined, hasPassed: false })
      continue
    }
    const counts = countsOf(manifest)
    const isUnmarkedAndSmaller =
      manifest.installation === undefined && before !== undefined && isMuchSmaller(counts, before)
    const hasPassed = manifest.muchSmallerThan === undefined && !isUnmarkedAndSmaller
    judged.push({ name, manifest, hasPassed })
    if (hasPassed) before = counts
  }
  return judged
}

const pageSize = 1_000

/** The id of the installation; undefined in the database of an earlier version. */
export async function installationOf(client: Client): Promise<string | undefined> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('public.installation') is not null as found`,
  )
  if (!tables[0]?.found) return undefined
  return (await client.query<{ id: string }>('select id from installation')).rows[0]?.id
}

/** The id of the installation that a folder of backups belongs to; undefined for one of an earlier version. */
export const installationOfFolder = (
  marked: string | undefined,
  backups: readonly JudgedBackup[],
): string | undefined => marked ?? backups.findLast(({ manifest }) => manifest?.installation)?.manifest?.installation

async function* accountsIn(dir: string, { name, tables }: Manifest): AsyncGenerator<string> {
  const users = tables.find(({ table }) => table === 'users')
  const path = join(backupsIn(dir), name, users?.file ?? '')
  if (!users || !existsSync(path)) return
  const column = users.columns.indexOf('id')
  for await (const line of createInterface({ input: createReadStream(path) })) yield line.split('\t')[column] ?? ''
}

async function hasAccountOf(client: Client, dir: string, manifest: Manifest): Promise<boolean> {
  for await (const ids of pagesOf(accountsIn(dir, manifest), pageSize)) {
    const { rowCount } = await client.query('select from users where id = any ($1) limit 1', [ids])
    if (rowCount) return true
  }
  return false
}

/**
 * Two installations that share a folder would remove each other's backups, and a restore would take the newer one. A folder
 * of an earlier version, which has no id, is this one's if a backup in it has an account that the database has, too, or if
 * none has any.
 * @throws StartupError when the folder has backups of another installation
 */
export async function refuseOtherInstallation(
  client: Client,
  { dir, installation: marked }: BackupFolder,
  backups: readonly JudgedBackup[],
): Promise<void> {
  const manifests = backups.flatMap(({ manifest }) => manifest ?? []).toReversed()
  const found = installationOfFolder(marked, backups)
  const [newest] = manifests
  if (!newest || found === (await installationOf(client))) return
  if (found === undefined) {
    if (manifests.every((manifest) => countsOf(manifest).accounts === 0)) return
    for (const manifest of manifests) if (await hasAccountOf(client, dir, manifest)) return
  }
  throw new StartupError(
    `The backups in ${dir} are of another Keepsnap, with the PUBLIC_URL ${newest.publicUrl}. The newest is ${contentsText(newest)}. Nothing was backed up. If this installation takes the place of that one, restore first; otherwise choose a folder of its own for it. To back up into this folder all the same: --adopt`,
  )
}

const keyFile = 'secret-key'
type KeySettings = Pick<Config, 'secretKey' | 'acceptedSecretKeys' | 'dataDir'>

/** Tells keys apart and reveals nothing about them. */
const fingerprintOf = (key: string): string =>
  deriveKey(key, 'keepsnap backup fingerprint').toString('hex').slice(0, 16)

/**
 * Adds the secret key to a backup, followed by former keys one per line, if the program generated it: it exists only in
 * the data folder. A key from the settings is left out, so that the operator can store it apart from the backup.
 */
export async function backUpSecretKey(folder: string, config: KeySettings): Promise<Manifest['secretKey']> {
  const { current, accepted } = await loadSecretKeys(config)
  if (config.secretKey !== undefined) return { fingerprint: fingerprintOf(current), file: null }
  const path = join(folder, keyFile)
  await writeDurably(path, [current, ...accepted].join('\n'))
  return { fingerprint: fingerprintOf(current), file: { file: keyFile, ...(await checksumOf(path)) } }
}

/**
 * Makes sure that the restored installation will use the key of the backup, unless `otherKey` allows another.
 * @returns the keys to write into the data folder, if any; the one in use first
 * @throws StartupError when the configured key differs from that of the backup
 */
export async function secretKeyToRestore(
  folder: string,
  { secretKey: { fingerprint, file } }: Manifest,
  { config, otherKey }: { config: KeySettings; otherKey: boolean },
): Promise<readonly string[] | undefined> {
  const keys = file && (await readFile(join(folder, file.file), 'utf8')).trim().split('\n')
  if (config.secretKey === undefined) {
    if (keys !== null || otherKey) return keys ?? undefined
    throw new StartupError(
      'The key of this backup is not in it, because it was set as SECRET_KEY. Set SECRET_KEY to the same key. Without it, links in emails that were sent, unsubscribed addresses and secrets of webhooks are lost; printed codes work all the same. To restore without it: --other-key',
    )
  }
  const configuredKeys = [config.secretKey, ...config.acceptedSecretKeys]
  if (otherKey || configuredKeys.some((key) => fingerprintOf(key) === fingerprint)) return undefined
  const where = file
    ? `The key of the backup is in ${join(folder, file.file)}: set SECRET_KEY to it, or unset it.`
    : 'Set it to the key of that time.'
  throw new StartupError(
    `SECRET_KEY is not the key with which this backup was made. ${where} With another key, links in emails that were sent, unsubscribed addresses and secrets of webhooks are lost; printed codes work all the same. To restore with it nevertheless: --other-key`,
  )
}

/** Writes the keys into the data folder of the installation that is being restored. */
export async function restoreSecretKey(dataDir: string, [current = '', ...former]: readonly string[]): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await writeKeyFiles(dataDir, { current, former })
}
