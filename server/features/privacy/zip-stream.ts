import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A zip file that is created while it is read, one entry after the other, without buffering them in memory. */
export interface ZipStream {
  output: Readable
  /** Resolves when the source was read to its end, and closes it. */
  addStream(name: string, source: Readable): Promise<void>
  addJson(name: string, value: unknown): void
  addText(name: string, text: string): void
  end(): void
  /** Makes `addStream` reject, because nobody reads the output any more. */
  abort(): void
}

/** Photos are compressed already, so entries are stored. */
const uncompressed = { compress: false }

export function createZipStream(): ZipStream {
  const zipFile = new ZipFile()
  const output = zipFile.outputStream as Readable // documented as a PassThrough
  const zipAborted = new AbortController()
  zipFile.on('error', (error: Error) => output.destroy(error))
  return {
    output,
    async addStream(name, source) {
      zipFile.addReadStream(source, name, uncompressed)
      try {
        await finished(source, { writable: false, signal: zipAborted.signal })
      } finally {
        source.destroy()
      }
    },
    addJson: (name, value) => zipFile.addBuffer(Buffer.from(`${JSON.stringify(value, null, 2)}\n`), name, uncompressed),
    addText: (name, text) => zipFile.addBuffer(Buffer.from(text), name, uncompressed),
    end: () => zipFile.end(),
    abort: () => zipAborted.abort(),
  }
}
