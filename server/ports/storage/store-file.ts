import { createHash } from 'node:crypto'
import { releaseBuffer } from '../../lib/release-buffer.ts'
import { withOpenFile } from './disk-files.ts'
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

/** Reads into one buffer: allocating one for every chunk costs more than the checksum. */
async function sha256OfFile(path: string): Promise<Buffer> {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafeSlow(chunkBytes)
  await withOpenFile(path, 'r', async (file) => {
    for (let position = 0; ;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
      if (bytesRead === 0) return
      hash.update(chunk.subarray(0, bytesRead))
      position += bytesRead
    }
  })
  releaseBuffer(chunk)
  return hash.digest()
}

/** Moves a finished local file into the store; resolves with the checksum of its bytes. */
export async function storeFile(
  storage: Pick<Storage, 'moveIn'>,
  key: string,
  { path, type, sha256 }: LocalFile,
): Promise<ObjectChecksum> {
  const checksum = { key, sha256: sha256 ?? (await sha256OfFile(path)) }
  await storage.moveIn(key, path, { type })
  return checksum
}
