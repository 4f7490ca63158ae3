import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'

const chunkBytes = 256 * 1024

/**
 * Reads a file and resolves with its size in bytes, the SHA-256 of its content, which is not computed when it is known, and the CRC-32. Reads
 * into one buffer: allocating one for every chunk, as a stream does, costs more than the checksum.
 * @throws what opening or reading the file throws, such as ENOENT
 */
export async function checksumOfFile(
  path: string,
  knownSha256?: Buffer | null,
): Promise<{ bytes: number; sha256: Buffer; crc32: number }> {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafeSlow(chunkBytes)
  let bytes = 0
  let crc = 0
  await using file = await open(path)
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, bytes)
    if (bytesRead === 0) break
    const read = chunk.subarray(0, bytesRead)
    if (!knownSha256) hash.update(read)
    crc = crc32(read, crc)
    bytes += bytesRead
  }
  releaseBuffer(chunk)
  return { bytes, sha256: knownSha256 ?? hash.digest(), crc32: crc }
}

const minBytes = 16 * 1024

/**
 * Frees the memory of a chunk that nobody reads any more. Left to the garbage collector, the chunks of an upload cost more
 * time than the rest of receiving it. Small chunks and slices are left alone: they may share their memory with others.
 */
export function releaseBuffer(chunk: Buffer): void {
  const { buffer } = chunk
  if (chunk.length < minBytes || chunk.length !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return
  buffer.transfer(0)
}

/**
 * Reads a stream of bytes to its end, and resolves with their number and SHA-256. `onChunk` is awaited for each chunk.
 * @throws what the stream throws
 */
export async function checksumOfStream(
  source: Readable,
  onChunk?: (bytes: number) => Promise<void>,
): Promise<{ bytes: number; sha256: Buffer }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    await onChunk?.(chunk.length)
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest() }
}
