import type { FileHandle } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import type { Span } from '../ports/storage/storage.ts'

const chunkBytes = 128 * 1024
const spareMost = 64
const spare: Buffer[] = []

/** Resolves when nothing more is needed of the bytes: they were handed on, or nobody waits for them any more. */
const write = (res: ServerResponse, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    res.once('close', resolve)
    res.write(bytes, () => {
      res.off('close', resolve)
      resolve()
    })
  })

/**
 * Writes a span of a file and ends the answer, whose headers have been set; closes the file. Reads the next part while
 * one is on its way, into two buffers that serve file after file: making new ones for every part of every download
 * takes longer than reading. A file that is shorter than it should be breaks the answer off.
 */
export async function sendFile(res: ServerResponse, file: FileHandle, { start, end }: Span): Promise<void> {
  const mine = [spare.pop() ?? Buffer.allocUnsafeSlow(chunkBytes), spare.pop() ?? Buffer.allocUnsafeSlow(chunkBytes)]
  let written = Promise.resolve()
  try {
    for (let [at, turn] = [start, 0]; at <= end && !res.destroyed; turn = 1 - turn) {
      const { bytesRead } = await file.read(mine[turn]!, 0, Math.min(chunkBytes, end - at + 1), at)
      if (bytesRead === 0) throw new Error('a stored file is shorter than it should be')
      await written
      written = write(res, mine[turn]!.subarray(0, bytesRead))
      at += bytesRead
    }
    await written
    // What was cut may still hold a buffer.
    if (res.destroyed) return
    res.end()
    if (spare.length < spareMost) spare.push(...mine)
  } catch (error) {
    res.destroy(error instanceof Error ? error : undefined)
  } finally {
    await file.close()
  }
}
