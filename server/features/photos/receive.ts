import { createHash } from 'node:crypto'
import { pipeline, Transform, type Readable } from 'node:stream'
import { callbackify } from 'node:util'
import { Fault } from '../../faults.ts'
import { sniff, type Sniffed } from '../../images/sniff.ts'

/** What was learnt of a file while it came in. */
export interface Received {
  filename: string
  bytes: number
  sha256: Buffer
}

const headBytes = 256 * 1024
const leastToJudge = 64

const notAnImage = (): Fault =>
  new Fault(
    'not_an_image',
    'This file is not a photo that we can read. Please choose a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.',
  )
const tooManyPixels = (megapixels: number): Fault =>
  new Fault(
    'too_large',
    `This image has more than ${megapixels} megapixels, the most that we can process. Please make it smaller and try again.`,
  )

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error('refused', { cause: error }))

const pixelsOf = (seen: Sniffed | null): number =>
  seen?.width && seen.height ? seen.width * seen.height * (seen.frames ?? 1) : 0

/**
 * Looks at a file while it passes: counts and hashes it, and stops what is no image by its first bytes, whatever its
 * name and type say, or what announces more pixels than may be decoded.
 */
export function inspection(maxMegapixels: number) {
  const hash = createHash('sha256')
  let bytes = 0
  let head = Buffer.alloc(0)
  const judge = (atEnd: boolean): void => {
    if (head.length < leastToJudge && !atEnd) return
    if (atEnd && bytes === 0) throw new Fault('not_an_image', 'This file is empty. Please choose another one.')
    const seen = sniff(head)
    if (!seen) throw notAnImage()
    if (pixelsOf(seen) > maxMegapixels * 1_000_000) throw tooManyPixels(maxMegapixels)
  }
  const look = (chunk: Buffer): void => {
    hash.update(chunk)
    bytes += chunk.length
    if (head.length >= headBytes) return
    head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
    judge(false)
  }
  return {
    /**
     * The same bytes, chunk by chunk as they came; breaks off with what the file is refused for, or what `allowed` rejects
     * with, and does not end before that has resolved.
     */
    through(stream: Readable, allowed: Promise<unknown>): Readable {
      const looking = new Transform({
        transform(chunk: Buffer, _, done) {
          try {
            look(chunk)
          } catch (error) {
            return done(asError(error))
          }
          done(null, chunk)
        },
        flush: callbackify(async () => {
          judge(true)
          await allowed
        }),
      })
      allowed.catch((error: unknown) => looking.destroy(asError(error)))
      return pipeline(stream, looking, () => {})
    },
    result: () => ({ bytes, sha256: hash.digest() }),
  }
}
