import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { StartupError, systemCode } from '../runtime/startup-error.ts'
import { backupsIn, manifestFile, writeDurably } from './backup-folder.ts'
import type { Checksum } from './hashed-files.ts'

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

/** Completes a backup. */
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
