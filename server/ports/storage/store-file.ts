import { checksumOfFile } from '../../lib/file-checksum.ts'
import type { Storage } from './storage.ts'

/** The SHA-256 of the bytes under a key. */
export interface ObjectChecksum {
  key: string
  sha256: Buffer
}

/** A finished local file. */
export interface LocalFile {
  path: string
  /** Its content type. */
  type: string
  /** The checksum of its bytes, if it is known already; otherwise the file is read to compute it. */
  sha256?: Buffer | null
}

/** Moves a finished local file into the store; resolves with the checksum of its bytes. */
export async function storeFile(
  storage: Pick<Storage, 'moveIn'>,
  key: string,
  { path, type, sha256 }: LocalFile,
): Promise<ObjectChecksum> {
  const checksum = { key, sha256: sha256 ?? (await checksumOfFile(path)).sha256 }
  await storage.moveIn(key, path, { type })
  return checksum
}
