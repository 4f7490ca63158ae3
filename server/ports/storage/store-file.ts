import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Storage } from './storage.ts'

const chunkBytes = 256 * 1024

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

async function checksumOf(path: string): Promise<Buffer> {
  const hash = createHash('sha256')
  // Without an encoding, the stream of a file consists of buffers.
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>)
    hash.update(chunk)
  return hash.digest()
}

/** Moves a finished local file into the store; resolves with the checksum of its bytes. */
export async function storeFile(
  storage: Pick<Storage, 'moveIn'>,
  key: string,
  { path, type, sha256 }: LocalFile,
): Promise<ObjectChecksum> {
  const checksum = { key, sha256: sha256 ?? (await checksumOf(path)) }
  await storage.moveIn(key, path, { type })
  return checksum
}
