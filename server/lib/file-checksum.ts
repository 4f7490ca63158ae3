import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { releaseBuffer } from './release-buffer.ts'

const chunkBytes = 256 * 1024

/**
 * Reads a file and resolves with its size in bytes and the SHA-256 of its content. Reads into one buffer: allocating one
 * for every chunk, as a stream does, costs more than the checksum.
 * @throws what opening or reading the file throws, such as ENOENT
 */
export async function checksumOfFile(path: string): Promise<{ bytes: number; sha256: Buffer }> {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafeSlow(chunkBytes)
  let bytes = 0
  await using file = await open(path)
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, bytes)
    if (bytesRead === 0) break
    hash.update(chunk.subarray(0, bytesRead))
    bytes += bytesRead
  }
  releaseBuffer(chunk)
  return { bytes, sha256: hash.digest() }
}
