import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { checksumOfFile } from '../../lib/file-checksum.ts'

/** A span of bytes, both ends included, as in an HTTP range. */
export interface ByteSpan {
  start: number
  end: number
}

/** A stored object as `list` reports it. */
export interface ListedObject {
  key: string
  bytes: number
  modifiedAt: Date
}

/** What is stored with an object. */
interface ObjectOptions {
  /** Content type. */
  type: string
}

/** A stream to be stored, and what ends it early. */
interface StreamSource {
  source: Readable
  signal?: AbortSignal | undefined
}

/** Bytes that have been received but have no key yet. Either `commit` or `discard` must follow. */
export interface StagedObject {
  readonly bytes: number
  /** Creates a local file with the bytes at a path that does not exist yet, before `commit`. */
  linkTo(path: string): Promise<void>
  /**
   * Stores the bytes under a key. Once it resolves they survive a power failure; when it rejects, nothing is left under the
   * key on this machine.
   */
  commit(key: string, options: ObjectOptions): Promise<void>
  /** Removes the bytes, unless they have been committed. Never rejects. */
  discard(): Promise<void>
}

/**
 * Where bytes are stored. A key is `kind/` and 22 base-62 characters; it is written once and never changes. Storage knows
 * no users and no photos: access is decided before it is called. Calls reject with `StorageDown` when the store fails.
 *
 * Three methods are optional, since only one kind of store has something to do there; their callers say what
 * happens without them. The two stores of a move as one have all three.
 */
export interface Storage {
  readonly kind: 'disk' | 's3'
  /**
   * Receives a stream. Takes ownership of its chunks: their memory may be freed once they are written. When it rejects,
   * with the signal's reason or the error of the stream, nothing is left.
   */
  stage(source: Readable, options?: { signal?: AbortSignal | undefined }): Promise<StagedObject>
  /**
   * Where that needs no local copy: stores a stream of any length under a key; resolves with its number of bytes. A bucket
   * takes an export that is larger than the local disk in parts; on disk, the staged file is the stored one. `storeStream`
   * calls it.
   */
  storeLarge?(key: string, upload: ObjectOptions & StreamSource): Promise<number>
  /** Moves a finished local file into the store, as durably as `StagedObject.commit`. */
  moveIn(key: string, path: string, options: ObjectOptions): Promise<void>
  /** Creates a local file with the object's bytes at a path that does not exist yet. False when there is no such object. */
  linkTo(key: string, path: string): Promise<boolean>
  /** The bytes, or null when there are none under the key. The reader must consume or destroy the stream. */
  open(key: string, span?: ByteSpan): Promise<Readable | null>
  /**
   * Where objects are files: the object opened for reading, or null. The caller closes it. `platform/http/send-object.ts` sends a file
   * without a stream, and its size is compared with the row before the answer begins.
   */
  openFile?(key: string): Promise<FileHandle | null>
  /** Size in bytes, null when there is no such object. */
  sizeOf(key: string): Promise<number | null>
  /** Removes objects with all their versions. Removing a missing object is not an error. */
  remove(keys: readonly string[]): Promise<void>
  /**
   * Where that can happen: removes the parts of uploads that began before a moment and were never finished; how many. A
   * bucket charges for such parts and does not list them; on disk, the folder of a program that ended is removed.
   */
  removeUnfinished?(before: Date): Promise<number>
  /**
   * Everything that is stored under a key, in no order, for comparison with the database. While files are moved, some appear
   * twice. What lies beside the objects under a name that is no key, such as the rest of a copy by another program, or cannot
   * be read, is passed to `onOtherName`. Names without a folder are the program's own.
   */
  list(onOtherName?: (name: string) => void): AsyncIterable<ListedObject>
  /** A URL that serves the object to anybody for at most 60 s, or null when this program has to send the bytes itself. */
  presign(key: string, response: { type: string; disposition: string }): Promise<string | null>
  /** Rejects when the store cannot be reached. */
  check(): Promise<void>
  /** The id of the installation that the store is marked with; null without a mark, or with a damaged one. */
  readInstallation(): Promise<string | null>
  /** Marks the store with the id of an installation, in a file that is no key: `list` does not contain it. */
  writeInstallation(id: string): Promise<void>
}

/** The store is down, overloaded or full. Nothing that was stored is lost. */
export class StorageDown extends Error {
  override readonly name = 'StorageDown'
}

/** Receives a stream and stores it under a key; resolves with the number of bytes. Takes ownership of its chunks. */
export async function storeStream(
  storage: Pick<Storage, 'stage' | 'storeLarge'>,
  key: string,
  { source, type, signal }: ObjectOptions & StreamSource,
): Promise<number> {
  checkKey(key)
  const upload = { source, type, signal }
  return storage.storeLarge ? storage.storeLarge(key, upload) : storeStaged(storage, key, upload)
}

/** The same by way of staging: the stream is complete on this machine before the store gets it. */
export async function storeStaged(
  storage: Pick<Storage, 'stage'>,
  key: string,
  { source, type, signal }: ObjectOptions & StreamSource,
): Promise<number> {
  const staged = await storage.stage(source, { signal })
  try {
    await staged.commit(key, { type })
    return staged.bytes
  } finally {
    await staged.discard()
  }
}

/** The name of the file that marks a store, beside all keys. */
export const markName = 'keepsnap-installation.json'
export const markText = (installation: string): string => `${JSON.stringify({ program: 'Keepsnap', installation })}\n`

/** The id in the text of a mark; null for none, or a damaged one. */
export function installationIn(text: string | null): string | null {
  try {
    const { installation } = JSON.parse(text ?? '{}') as { installation?: unknown } // its type is compared
    return typeof installation === 'string' ? installation : null
  } catch {
    return null
  }
}

/** The form of every key: the one place that says so. Implementations list no other names, and refuse them, so that no name from outside can become a path. */
export const keyPattern = /^[a-z]{1,16}\/[0-9A-Za-z]{22}$/

/** Returns the key, or throws: an invalid key is a bug, never a user's mistake. */
export function checkKey(key: string): string {
  if (!keyPattern.test(key)) throw new Error(`not a storage key: ${JSON.stringify(key.slice(0, 80))}`)
  return key
}

const downloadWays = ['redirect', 'proxy'] as const

/** An S3-compatible store. */
export interface S3Config {
  kind: 's3'
  bucket: string
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Whether downloads are redirected to the store, or sent by this program. */
  downloads: (typeof downloadWays)[number]
}

/** Where files are stored: in a folder, or in an S3-compatible store. */
export type StorageConfig = { kind: 'disk' } | S3Config

interface Readers {
  readSetting: (name: string) => string | undefined
  readChoice: <const T extends string>(name: string, choices: readonly T[]) => T | undefined
}

const names = ['S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** Reads the settings of the store: all five of `names` or none, and `S3_DOWNLOADS`. */
export function readStorageSettings({ readSetting, readChoice }: Readers, problems: string[]): StorageConfig {
  const [bucket = '', endpoint = '', region = '', accessKeyId = '', secretAccessKey = ''] = names.map(readSetting)
  // A store without https is one of the own network: phones may not reach it, and pages with https may not show its pictures.
  const downloads = readChoice('S3_DOWNLOADS', downloadWays) ?? (endpoint.startsWith('https:') ? 'redirect' : 'proxy')
  const presentNames = names.filter((name) => readSetting(name))
  if (presentNames.length === 0) return { kind: 'disk' }
  const missing = names.filter((name) => !readSetting(name))
  if (missing.length)
    problems.push(
      `${presentNames[0]} is set but ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not; set all five or none.`,
    )
  if (endpoint && !(/^https?:\/\//.test(endpoint) && URL.canParse(endpoint)))
    problems.push(`S3_ENDPOINT is "${endpoint}"; give its URL with http:// or https://.`)
  return { kind: 's3', bucket, endpoint, region, accessKeyId, secretAccessKey, downloads }
}

/** The origin to which downloads are redirected; null when this program sends all bytes itself. */
export const downloadOrigin = (storage: StorageConfig): string | null =>
  storage.kind === 's3' && storage.downloads === 'redirect' ? new URL(storage.endpoint).origin : null

/** The SHA-256 of the bytes under a key, and their CRC-32 if it was computed. */
export interface ObjectChecksum {
  key: string
  sha256: Buffer
  crc32?: number
}

/** A finished local file. */
interface LocalFile {
  path: string
  /** Its content type. */
  type: string
  /** The SHA-256 of its bytes, if it is known already. */
  sha256?: Buffer | null
}

/** Moves a finished local file into the store; resolves with the checksums of its bytes. */
export async function storeFile(
  storage: Pick<Storage, 'moveIn'>,
  key: string,
  { path, type, sha256 }: LocalFile,
): Promise<ObjectChecksum> {
  const { bytes: _, ...checksums } = await checksumOfFile(path, sha256)
  await storage.moveIn(key, path, { type })
  return { key, ...checksums }
}
