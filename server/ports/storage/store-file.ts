import { checksumOfFile } from '../../lib/file-checksum.ts'
import type { Storage } from './storage.ts'

/** The SHA-256 of the bytes under a key, and their CRC-32 if it was computed. */
export interface ObjectChecksum {
  key: string
  sha256: Buffer
  crc32?: number
}

/** A finished local file. */
export interface LocalFile {
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
