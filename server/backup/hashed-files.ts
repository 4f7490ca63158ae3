import { createHash } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checksumOfFile } from '../lib/file-checksum.ts'
import { syncHandle } from './sync.ts'

/** The size and SHA-256 of a file. */
export interface Checksum {
  bytes: number
  sha256: string
}

const chunkBytes = 256 * 1024

/** A pass-through stream that computes a checksum for `onEnd`; an error that `onEnd` returns fails the stream. */
function checksumStream(onEnd: (checksum: Checksum) => Error | null): Transform {
  const hash = createHash('sha256')
  let bytes = 0
  return new Transform({
    highWaterMark: chunkBytes,
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
    flush: (done) => done(onEnd({ bytes, sha256: hash.digest('hex') })),
  })
}

/** A pass-through stream that fails at its end when the checksum differs. */
export const expectChecksum = ({ bytes, sha256 }: Checksum, otherwise: Error): Transform =>
  checksumStream((found) => (found.bytes === bytes && found.sha256 === sha256 ? null : otherwise))

/** Writes a stream into a private file that appears under its name when it is complete and on the disk. */
export async function writeHashed(source: Readable, path: string): Promise<Checksum> {
  let checksum: Checksum = { bytes: 0, sha256: '' }
  const counted = checksumStream((found) => {
    checksum = found
    return null
  })
  const file = await open(`${path}.part`, 'w', 0o600).catch((error: unknown) => {
    source.destroy()
    throw error
  })
  try {
    await pipeline(source, counted, (chunks: AsyncIterable<Buffer>) => file.writeFile(chunks))
    await syncHandle(file)
  } finally {
    await file.close()
  }
  await rename(`${path}.part`, path)
  return checksum
}

/** Reads a file and returns its checksum. */
export async function checksumOf(path: string): Promise<Checksum> {
  const { bytes, sha256 } = await checksumOfFile(path)
  return { bytes, sha256: sha256.toString('hex') }
}
