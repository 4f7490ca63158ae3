import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Storage } from './storage.ts'

const chunkBytes = 256 * 1024

/** The SHA-256 of the bytes under a key. */
export interface ObjectChecksum {
  key: string
  sha256: Buffer
}

/** Moves a finished local file into the store; resolves with the checksum of its bytes, which is computed on the way. */
export async function storeFile(
  storage: Pick<Storage, 'moveIn'>,
  key: string,
  { path, type }: { path: string; type: string },
): Promise<ObjectChecksum> {
  const hash = createHash('sha256')
  // Without an encoding, the stream of a file consists of buffers.
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>)
    hash.update(chunk)
  await storage.moveIn(key, path, { type })
  return { key, sha256: hash.digest() }
}
