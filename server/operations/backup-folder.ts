import {
  access,
  constants,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  stat,
} from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StartupError, systemCode } from '../faults.ts'
import { keyPattern } from '../ports/storage/storage.ts'
import { createFolder, type FolderLock, lockDataFolder } from '../platform/process/data-folder.ts'
import { checksumOfFile } from '../lib/file-checksum.ts'

/**
 * The folder of backups:
 *
 *     keepsnap-backups.json    marks it as a backup folder of one installation
 *     backups/NAME/            one backup: tables, file lists, and manifest.json, which is written last
 *     files/KIND/AB/NAME       the files of all backups by key, each stored once
 */
export interface BackupFolder {
  dir: string
  lock: FolderLock
  /** The id of the installation that it is marked with; undefined for one of an earlier version. */
  installation: string | undefined
}

const markerFile = 'keepsnap-backups.json'
const marker = { program: 'Keepsnap', format: 1 } as const
/** What may be in a folder that becomes one of backups. */
const harmless = ['lost+found', 'holder.json', markerFile]

export const manifestFile = 'manifest.json'
export const privateFolderOptions = { recursive: true, mode: 0o700 } as const
export const backupsIn = (dir: string): string => join(dir, 'backups')
export const filesIn = (dir: string): string => join(dir, 'files')

/** Where the file with a key is in a folder of backups. */
export function filePathIn(dir: string, key: string): string {
  if (!keyPattern.test(key)) throw new StartupError(`The backup in ${dir} is damaged: it has a file ${key}.`)
  const [kind = '', name = ''] = key.split('/')
  return join(filesIn(dir), kind, name.slice(0, 2), name)
}

const diskFull =
  'Its disk is full, so this backup was not completed. Earlier backups in it are complete, and files that were copied stay. Free some space there, then run the command again to continue.'

const adviceByCode: Record<string, string> = {
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EROFS: 'It is read-only: choose a folder that can be written.',
  EACCES: 'This user may not use it: run this as its owner or as root, or choose another folder.',
  EPERM: 'This user may not use it: run this as its owner or as root, or choose another folder.',
  ENOTDIR: 'Something that is not a folder is in its place: choose another folder.',
  EEXIST: 'Something that is not a folder is in its place: choose another folder.',
  EISDIR: 'A folder is in the place of one of its files: remove it, or choose another folder.',
  ENOENT: 'There is no such folder.',
  EIO: 'Its disk is failing: choose a folder on another disk.',
}

/** Of the database, or of a bucket. */
const connectionCodes = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_\w+)$/

/** The error that says what is wrong with a folder of backups, for failed system calls; others stay as they are. */
export function asFolderError(dir: string, error: unknown): unknown {
  const code = systemCode(error)
  if (!(error instanceof Error) || !('syscall' in error) || connectionCodes.test(code)) return error
  const advice =
    adviceByCode[code] ?? `Its file system refuses ${String(error.syscall)}: choose a folder on another disk.`
  return new StartupError(`The folder ${dir} cannot be used (${code}). ${advice}`)
}

const isInside = (folder: string, other: string): boolean => {
  const path = relative(other, folder)
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && resolve(other, path) === folder)
}

interface Marker {
  program: string
  format: number
  installation?: string | undefined
}

/** The marker of a folder of backups, or undefined for another folder or none. */
async function readMarker(dir: string): Promise<Marker | undefined> {
  const text = await readFile(join(dir, markerFile), 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const written = parseMarker(text)
  // Backups have checksums of their own, so a damaged marker must not prevent a restore.
  if (!written) return (await readdir(dir)).includes('backups') ? marker : undefined
  if (written.program === marker.program && written.format === marker.format) return { ...marker, ...written }
  throw new StartupError(`The backups in ${dir} were made by a newer Keepsnap. Use that one.`)
}

function parseMarker(text: string): Partial<Marker> | undefined {
  try {
    return (JSON.parse(text) as Partial<Marker> | null) ?? undefined // its fields are compared
  } catch {
    return undefined
  }
}

/** The name under which a running backup or restore locks a folder of backups; see `lockDataFolder`. */
export async function backupLockName(dir: string): Promise<string> {
  const { dev, ino } = await stat(dir, { bigint: true })
  return `${dev}-${ino}`
}

/** The path without symbolic links of a folder that need not exist. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error
    return join(await realPathOf(dirname(path)), basename(path))
  }
}

async function openForBackup(folderPath: string, dataDir: string): Promise<BackupFolder> {
  const dir = await realPathOf(folderPath)
  const data = await realPathOf(resolve(dataDir))
  if (isInside(dir, data))
    throw new StartupError(
      `The folder ${dir} is inside the data folder ${data}, so what destroys one destroys both. Choose a folder elsewhere, best on another disk.`,
    )
  await createFolder(dir, privateFolderOptions.mode)
  await access(dir, constants.R_OK | constants.W_OK | constants.X_OK)
  const found = await readMarker(dir)
  if (!found) {
    const foreign = (await readdir(dir)).find(
      (name) => !harmless.some((one) => name === one || name.startsWith(`${one}.`)),
    )
    if (foreign !== undefined)
      throw new StartupError(
        `The folder ${dir} has other things in it, such as ${foreign}, and no backups. Choose an empty folder or a new one.`,
      )
  }
  const lock = await lockDataFolder(
    dir,
    (path, owner) => new StartupError(`Another backup is being made in ${path} (${owner}). Wait for it, or stop it.`),
    asFolderError,
  )
  try {
    await markBackupFolder(dir, found?.installation)
    for (const folder of [backupsIn(dir), filesIn(dir)]) await mkdir(folder, privateFolderOptions)
    return { dir, lock, installation: found?.installation }
  } catch (error) {
    await lock.release()
    throw error
  }
}

export const markBackupFolder = (dir: string, installation: string | undefined): Promise<void> =>
  writeDurably(join(dir, markerFile), `${JSON.stringify({ ...marker, installation })}\n`)

/**
 * Opens the folder of backups for a new backup, and creates it if it is missing.
 * @throws StartupError when it cannot be used, has other things in it, or another backup is being made in it
 */
export async function openBackupFolder(folderPath: string, dataDir: string): Promise<BackupFolder> {
  const dir = resolve(folderPath)
  try {
    return await openForBackup(dir, dataDir)
  } catch (error) {
    throw asFolderError(dir, error)
  }
}

/**
 * An existing folder of backups: its path, and the id of the installation that it is marked with.
 * @throws StartupError when there is none
 */
export async function findBackupFolder(folderPath: string): Promise<Omit<BackupFolder, 'lock'>> {
  const dir = resolve(folderPath)
  try {
    const found = await realpath(dir)
    const marked = await readMarker(found)
    if (marked) return { dir: found, installation: marked.installation }
  } catch (error) {
    throw asFolderError(dir, error)
  }
  throw new StartupError(`There are no backups in ${dir}. Give the folder that "backup" was given.`)
}

/** Replaces a small file atomically and durably: after a power failure it has either the old or the new content. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(`${path}.part`, 'w', 0o600)
  try {
    await file.writeFile(text)
    await syncHandle(file)
  } finally {
    await file.close()
  }
  await renameDurably(`${path}.part`, path)
}

async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(join(to, '..'))
}

/** What file systems answer that cannot sync, such as some of networks and those that a program provides. */
const unsupportedCodes = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM', 'EACCES', 'EBADF', 'EISDIR'])

let unsupportedCode: string | undefined

/**
 * What the file system answered since the last call, if it could not sync; the backup is complete then, but may not survive a
 * power failure.
 */
export function takeSyncProblem(): string | undefined {
  const code = unsupportedCode
  unsupportedCode = undefined
  return code
}

export async function syncHandle(handle: FileHandle): Promise<void> {
  try {
    await handle.sync()
  } catch (error) {
    if (!unsupportedCodes.has(systemCode(error))) throw error
    unsupportedCode = systemCode(error)
  }
}

/** Syncs a folder to disk, so that its entries survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await syncHandle(handle)
  } finally {
    await handle.close()
  }
}

export interface Checksum {
  bytes: number
  sha256: string
}

const chunkBytes = 256 * 1024

/** A pass-through stream that computes a checksum for `onEnd`; an error that `onEnd` returns fails the stream. */
function checksumStream(onEnd: (checksum: Checksum) => Error | null): Transform {
  const hash = createHash('sha256')
  let bytes = 0
  return new Transform({
    highWaterMark: chunkBytes,
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
    flush: (done) => done(onEnd({ bytes, sha256: hash.digest('hex') })),
  })
}

/** A pass-through stream that fails at its end when the checksum differs. */
export const expectChecksum = ({ bytes, sha256 }: Checksum, otherwise: Error): Transform =>
  checksumStream((found) => (found.bytes === bytes && found.sha256 === sha256 ? null : otherwise))

/** Writes a stream into a private file that appears under its name when it is complete and on the disk. */
export async function writeHashed(source: Readable, path: string): Promise<Checksum> {
  let checksum: Checksum = { bytes: 0, sha256: '' }
  const counted = checksumStream((found) => {
    checksum = found
    return null
  })
  const file = await open(`${path}.part`, 'w', 0o600).catch((error: unknown) => {
    source.destroy()
    throw error
  })
  try {
    await pipeline(source, counted, (chunks: AsyncIterable<Buffer>) => file.writeFile(chunks))
    await syncHandle(file)
  } finally {
    await file.close()
  }
  await rename(`${path}.part`, path)
  return checksum
}

export async function checksumOf(path: string): Promise<Checksum> {
  const { bytes, sha256 } = await checksumOfFile(path)
  return { bytes, sha256: sha256.toString('hex') }
}
