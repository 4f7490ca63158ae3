import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import type { FileSource } from '../multipart.ts'

/** The file is not what it was when it was looked at: it is still being written, or was replaced. */
export class FileChanged extends Error {}

/** A file that is read twice, to hash and to send it, and that must be the same both times. */
export interface ContentFile {
  path: string
  name: string
  size: number
  modified: number
  /** SHA-256 of the content, in hexadecimal. Throws `FileChanged`. */
  hash(signal: AbortSignal): Promise<string>
  /** Its stream fails before its end if the file has changed. */
  source: FileSource
  isUnchanged(): Promise<boolean>
  close(): Promise<void>
}

const chunkBytes = 256 * 1024

/** Opens a file as it is now. Nothing about it is changed. */
export async function openContentFile(path: string): Promise<ContentFile> {
  const handle = await open(path, 'r')
  const { size, mtimeMs: modified } = await handle.stat()
  const isUnchanged = async (): Promise<boolean> => {
    const now = await handle.stat()
    return now.size === size && now.mtimeMs === modified
  }
  const checkUnchanged = async (): Promise<void> => {
    if (!(await isUnchanged())) throw new FileChanged()
  }
  return {
    path,
    name: basename(path),
    size,
    modified,
    async hash(signal) {
      const hash = createHash('sha256')
      for await (const chunk of chunksOf(handle, size)) {
        signal.throwIfAborted()
        hash.update(chunk)
      }
      await checkUnchanged()
      return hash.digest('hex')
    },
    source: {
      size,
      stream() {
        const chunks = chunksOf(handle, size)
        return new ReadableStream({
          async pull(controller) {
            const { done, value } = await chunks.next()
            if (!done) return controller.enqueue(value)
            await checkUnchanged()
            controller.close()
          },
        })
      },
    },
    isUnchanged,
    close: () => handle.close(),
  }
}

async function* chunksOf(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size;) {
    const buffer = new Uint8Array(Math.min(chunkBytes, size - position))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) throw new FileChanged()
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
