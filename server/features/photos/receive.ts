import { createHash } from 'node:crypto'
import { pipeline, Transform, type Readable } from 'node:stream'
import { callbackify } from 'node:util'
import { Fault } from '../../faults.ts'
import { cleanStart } from '../../images/jpeg.ts'
import { sniff, type Sniffed } from '../../images/sniff.ts'

/** What was learnt of a file while it came in; its bytes and their hash are those that are stored. */
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

/** The first bytes of a file, in one piece, as they come. */
function collectHead() {
  let room = Buffer.allocUnsafe(headBytes / 4)
  let length = 0
  return {
    /** Answers how many bytes it took. */
    add(chunk: Buffer): number {
      const taken = Math.min(chunk.length, headBytes - length)
      if (length + taken > room.length) room = Buffer.concat([room], Math.min(headBytes, 2 * room.length + taken))
      length += chunk.copy(room, length, 0, taken)
      return taken
    },
    isFull: () => length === headBytes,
    bytes: () => room.subarray(0, length),
  }
}
type Head = ReturnType<typeof collectHead>

/**
 * Keeps the head of a file back until it is known how the file starts: a plain JPEG without all that is never shown to
 * anybody, everything else as it came.
 */
function cleaning(head: Head, push: (bytes: Buffer) => void) {
  let needs = leastToJudge
  let isDecided = false
  const decide = (found: ReturnType<typeof cleanStart>): void => {
    isDecided = true
    const from = found && 'start' in found ? found : null
    if (from) push(Buffer.from(from.start))
    // A copy: whoever writes it may give its memory back.
    push(Buffer.from(head.bytes().subarray(from?.instead ?? 0)))
  }
  return {
    /** `taken` bytes of the chunk are in the head. */
    pass(chunk: Buffer, taken: number): void {
      if (isDecided) return push(chunk)
      if (head.bytes().length < Math.min(needs, headBytes)) return
      const start = cleanStart(head.bytes())
      if (start && 'needs' in start && !head.isFull()) {
        // Everything is looked at again: not for every few bytes.
        needs = Math.max(start.needs, 2 * head.bytes().length)
        return
      }
      decide(start)
      if (taken < chunk.length) push(chunk.subarray(taken))
    },
    end(): void {
      if (!isDecided) decide(cleanStart(head.bytes()))
    },
  }
}

/**
 * Looks at a file while it passes: counts and hashes it, and stops what is no image by its first bytes, whatever its
 * name and type say, or what announces more pixels than may be decoded. A plain JPEG goes on without its metadata: then
 * nobody has to write its pixels a second time, and what a camera knows of its owner is never stored.
 */
export function inspection(maxMegapixels: number) {
  const hash = createHash('sha256')
  let bytes = 0
  let isEmpty = true
  let judgedFrom = leastToJudge
  const head = collectHead()
  const judge = (atEnd: boolean): void => {
    const seen = head.bytes()
    if (seen.length < judgedFrom && !atEnd && !head.isFull()) return
    judgedFrom = 2 * seen.length
    if (atEnd && isEmpty) throw new Fault('not_an_image', 'This file is empty. Please choose another one.')
    const sniffed = sniff(seen)
    if (!sniffed) throw notAnImage()
    if (pixelsOf(sniffed) > maxMegapixels * 1_000_000) throw tooManyPixels(maxMegapixels)
  }
  const look = (chunk: Buffer): number => {
    isEmpty = false
    if (head.isFull()) return 0
    const taken = head.add(chunk)
    judge(false)
    return taken
  }
  return {
    /**
     * The bytes to be stored; breaks off with what the file is refused for, or what `allowed` rejects with, and does not
     * end before that has resolved.
     */
    through(stream: Readable, allowed: Promise<unknown>): Readable {
      const start = cleaning(head, (chunk) => {
        hash.update(chunk)
        bytes += chunk.length
        looking.push(chunk)
      })
      const looking = new Transform({
        transform(chunk: Buffer, _, done) {
          try {
            start.pass(chunk, look(chunk))
          } catch (error) {
            return done(asError(error))
          }
          done()
        },
        flush: callbackify(async () => {
          judge(true)
          start.end()
          await allowed
        }),
      })
      allowed.catch((error: unknown) => looking.destroy(asError(error)))
      return pipeline(stream, looking, () => {})
    },
    /** Of what is stored. */
    result: () => ({ bytes, sha256: hash.digest() }),
  }
}
