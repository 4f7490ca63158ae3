import type { FileHandle } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import type { ByteSpan } from '../ports/storage/storage.ts'

const chunkBytes = 128 * 1024
const maxPooledBuffers = 64
const bufferPool: Buffer[] = []
const acquireBuffer = (): Buffer => bufferPool.pop() ?? Buffer.allocUnsafeSlow(chunkBytes)

/** Resolves when the bytes are no longer needed: they were passed to the kernel, or the connection has closed. */
const writeChunk = (res: ServerResponse, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    res.once('close', resolve)
    res.write(bytes, () => {
      res.off('close', resolve)
      resolve()
    })
  })

/**
 * Writes a range of a file and ends the response, whose headers have been sent; closes the file. Reads the next chunk
 * while one is being written. The two buffers come from a pool: allocating a buffer per chunk costs more than reading
 * it. When the file is shorter than expected, the connection is closed.
 */
export async function sendFile(res: ServerResponse, file: FileHandle, { start, end }: ByteSpan): Promise<void> {
  let [readBuffer, writeBuffer] = [acquireBuffer(), acquireBuffer()]
  let lastWrite = Promise.resolve()
  try {
    for (let at = start; at <= end && !res.destroyed;) {
      const { bytesRead } = await file.read(readBuffer, 0, Math.min(chunkBytes, end - at + 1), at)
      if (bytesRead === 0) throw new Error('a stored file is shorter than expected')
      await lastWrite
      lastWrite = writeChunk(res, readBuffer.subarray(0, bytesRead))
      at += bytesRead
      ;[readBuffer, writeBuffer] = [writeBuffer, readBuffer]
    }
    await lastWrite
    // After an aborted response Node may still refer to a buffer, so they are not reused.
    if (res.destroyed) return
    res.end()
    if (bufferPool.length < maxPooledBuffers) bufferPool.push(readBuffer, writeBuffer)
  } catch (error) {
    res.destroy(error instanceof Error ? error : undefined)
  } finally {
    await file.close()
  }
}
