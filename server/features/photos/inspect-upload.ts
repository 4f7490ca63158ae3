import { createHash, type Hash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import {
  animationLimits,
  exceedsAnimationLimits,
  type ImageFormat,
  sniff,
  type Sniffed,
} from '../../images/formats/sniff.ts'
import { cleanJpegStart } from '../../images/jpeg/jpeg.ts'
import { type CountedScans, createScanCounter, maxScans } from '../../images/jpeg/scan.ts'
import { Fault } from '../../faults.ts'
import { type CaptureTime, refusalFailure } from '../../images/sandbox/image-jobs.ts'
import { releaseBuffer } from '../../lib/file-checksum.ts'

/** How long an image process works on a file of a format: for any size, and for each megapixel; measured on one slow core. */
const baseMs = 250
const msPerMegapixel: Record<ImageFormat, number> = {
  jpeg: 100,
  png: 120,
  webp: 120,
  tiff: 80,
  gif: 150,
  avif: 200,
  heic: 170,
}
/** Of an animation. Larger ones are not dithered (`images/render/full-image.ts`). */
const msPerAnimatedMegapixel = (megapixels: number): number => (megapixels <= 20 ? 1_000 : 650)
/** For a file that does not say its size in its first bytes. */
const unknownMegapixels = 24

/** What a plain JPEG costs, which is not encoded again. */
const plainMsPerMegapixel = { size: 5, scan: 2 }
/** A plain JPEG that takes no longer than this is quick; every photo of a camera is. */
export const maxQuickMs = 2_000

/** What has arrived of a file: the first bytes and more is coming, as many as are looked at, or all of it. */
type HeadState = 'start' | 'full' | 'whole file'

/**
 * How long processing a file that is not a JPEG will take, in milliseconds, by its first bytes; null when they are not an
 * image. Undefined when more bytes are needed. Unless all of it is there, nobody knows the frames of an animation, so it
 * counts as the largest that is allowed.
 */
export function estimateSlowMs(head: Uint8Array, state: HeadState): number | null | undefined {
  const sniffed = sniff(head)
  if (!sniffed) return state === 'start' ? undefined : null
  if (state === 'start' && (!sniffed.width || !sniffed.height || mayBeAnimated(sniffed, head))) return undefined
  const megapixels = megapixelsOf(sniffed)
  const frames = mayBeAnimated(sniffed, head) ? (state === 'whole file' ? sniffed.frames : animationLimits.frames) : 1
  if (frames === 1) return Math.round(baseMs + megapixels * msPerMegapixel[sniffed.format])
  const allMegapixels = Math.min(animationLimits.megapixels, megapixels * frames)
  return Math.round(baseMs + Math.max(megapixels, allMegapixels) * msPerAnimatedMegapixel(allMegapixels))
}

const megapixelsOf = ({ width, height }: Pick<Sniffed, 'width' | 'height'>): number =>
  width && height ? (width * height) / 1_000_000 : unknownMegapixels

/**
 * How long processing a JPEG will take, in milliseconds, by its frame header and its scans; null for a quick one. Undefined
 * when more bytes are needed. A JPEG without a frame header is slow.
 */
export function estimateSlowJpegMs(
  jpeg: CountedScans,
  { isWholeFile }: { isWholeFile: boolean },
): number | null | undefined {
  const { isLosslessEligible, hasSingleScan, scans } = jpeg
  if (isLosslessEligible === undefined && !isWholeFile) return undefined
  const megapixels = megapixelsOf(jpeg)
  if (!isLosslessEligible) return Math.round(baseMs + megapixels * msPerMegapixel.jpeg)
  const decodedScans = hasSingleScan ? 1 : Math.min(scans, maxScans)
  const ms = Math.round(megapixels * (plainMsPerMegapixel.size + decodedScans * plainMsPerMegapixel.scan))
  if (ms > maxQuickMs) return baseMs + ms
  return hasSingleScan || isWholeFile ? null : undefined
}

/** The flag of animations in the header of an extended WebP; GIF has none. */
const webpAnimationFlag = 2

function mayBeAnimated({ format }: Sniffed, head: Uint8Array): boolean {
  if (format === 'gif') return true
  // The last byte of the name of the chunk VP8X, and its flags.
  return format === 'webp' && head[15] === 0x58 && ((head[20] ?? 0) & webpAnimationFlag) !== 0
}

/** Size and SHA-256 of the bytes that are stored. */
export interface InspectedBytes {
  bytes: number
  sha256: Buffer
  /** As the metadata said that was removed; of other files, the image process reads it. */
  capturedAt: CaptureTime | null
}

const fileHeadBytes = 256 * 1024
const minBytesToSniff = 64

const notAnImage = (): Fault =>
  new Fault(
    'not_an_image',
    'This file is not a photo we can read. Please choose a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.',
  )
const emptyFile = (): Fault => new Fault('not_an_image', 'This file is empty. Please choose another one.')
const tooManyPixels = (megapixels: number): Fault =>
  new Fault(
    'too_large',
    `This image has more than ${megapixels} megapixels, which is more than we can process. Please make it smaller and try again.`,
  )

const animationTooLarge = (megapixels: number): Fault =>
  new Fault('too_large', refusalFailure('animation', megapixels).sentence)

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error('refused', { cause: error }))

const pixelsOf = (sniffed: Sniffed): number =>
  sniffed.width && sniffed.height ? sniffed.width * sniffed.height * (sniffed.frames ?? 1) : 0

const isLargeAnimation = ({ format, width, height, frames }: Sniffed, maxMegapixels: number): boolean =>
  (format === 'gif' || format === 'webp') &&
  frames > 1 &&
  exceedsAnimationLimits({ width: width ?? 0, height: height ?? 0, frames }, maxMegapixels)

/** The first 256 KB of a file, in one piece, as they arrive. */
function createFileHead() {
  let buffer = Buffer.allocUnsafeSlow(fileHeadBytes / 4)
  let length = 0
  const grow = (size: number): void => {
    const grown = Buffer.allocUnsafeSlow(size)
    buffer.copy(grown, 0, 0, length)
    releaseBuffer(buffer)
    buffer = grown
  }
  return {
    /** Adds what fits; returns how many bytes of the chunk were added. */
    add(chunk: Buffer): number {
      const added = Math.min(chunk.length, fileHeadBytes - length)
      if (length + added > buffer.length) grow(Math.min(fileHeadBytes, 2 * buffer.length + added))
      length += chunk.copy(buffer, length, 0, added)
      return added
    },
    isFull: () => length === fileHeadBytes,
    /** Valid until the next call of `add` or `release`. */
    bytes: () => buffer.subarray(0, length),
    /** Frees the memory when the head is no longer needed. */
    release: () => releaseBuffer(buffer),
  }
}
type FileHead = ReturnType<typeof createFileHead>

/** Refuses a file by its first bytes, a JPEG by its frame header, as soon as they say enough. */
function createFormatCheck({
  fileHead,
  maxMegapixels,
  sniffHead,
  onSlowMs,
}: {
  fileHead: FileHead
  maxMegapixels: number
  sniffHead: typeof sniff
  onSlowMs: (ms: number | null) => void
}) {
  let nextCheckAtBytes = minBytesToSniff
  let format: ImageFormat | undefined
  let slowMs: number | null | undefined
  const scanCounter = createScanCounter()
  const checkSize = (pixels: number): void => {
    if (pixels > maxMegapixels * 1_000_000) throw tooManyPixels(maxMegapixels)
  }
  const setEstimate = (ms: number | null | undefined): void => {
    if (slowMs !== undefined || ms === undefined) return
    slowMs = ms
    onSlowMs(ms)
  }
  const checkHead = (isEnd: boolean): void => {
    const bytes = fileHead.bytes()
    if (bytes.length < nextCheckAtBytes && !isEnd && !fileHead.isFull()) return
    // Each check reads the head from the start: twice the bytes before the next one keeps the cost linear.
    nextCheckAtBytes = 2 * bytes.length
    if (isEnd && bytes.length === 0) throw emptyFile()
    const sniffed = sniffHead(bytes)
    if (!sniffed) throw notAnImage()
    format = sniffed.format
    if (format === 'jpeg') return
    if (isLargeAnimation(sniffed, maxMegapixels)) throw animationTooLarge(maxMegapixels)
    checkSize(pixelsOf(sniffed))
    setEstimate(estimateSlowMs(bytes, fileHead.isFull() ? 'full' : isEnd ? 'whole file' : 'start'))
  }
  const check = (isEnd: boolean): void => {
    if (format !== 'jpeg') checkHead(isEnd)
    // The head is not read again for a JPEG: its frame header and scans may be anywhere, and the counter has seen them.
    if (format !== 'jpeg' || slowMs !== undefined) return
    const counted = scanCounter.counted()
    checkSize(counted.width * counted.height)
    setEstimate(estimateSlowJpegMs(counted, { isWholeFile: isEnd }))
  }
  return {
    /** A chunk has been received, of which the first `inHead` bytes are in the head. */
    write(chunk: Buffer, inHead: number): void {
      if (slowMs !== undefined && inHead === 0) return
      if (slowMs === undefined && (format ?? 'jpeg') === 'jpeg') scanCounter.add(chunk)
      check(false)
    },
    end: () => check(true),
  }
}

/**
 * Buffers the head of a file until it is known how the stored file starts: that of a plain JPEG is stored without the
 * metadata that is never served, that of every other file unchanged.
 */
function createMetadataStripper(fileHead: FileHead, push: (bytes: Buffer) => void) {
  let neededBytes = minBytesToSniff
  let isHeadPassedOn = false
  let capturedAt: CaptureTime | null = null
  const passHeadOn = (cleanStart: ReturnType<typeof cleanJpegStart>): void => {
    isHeadPassedOn = true
    const cleaned = cleanStart && 'bytes' in cleanStart ? cleanStart : null
    capturedAt = cleaned?.capturedAt ?? null
    if (cleaned) push(Buffer.from(cleaned.bytes))
    // A copy, because the store may free the memory of what it has written.
    push(Buffer.from(fileHead.bytes().subarray(cleaned?.replacedLength ?? 0)))
  }
  return {
    /** Passes a chunk on, of which the first `inHead` bytes are in the head. */
    write(chunk: Buffer, inHead: number): void {
      if (isHeadPassedOn) return push(chunk)
      if (fileHead.bytes().length < Math.min(neededBytes, fileHeadBytes)) return
      const cleanStart = cleanJpegStart(fileHead.bytes())
      if (cleanStart && 'neededLength' in cleanStart && !fileHead.isFull()) {
        neededBytes = Math.max(cleanStart.neededLength, 2 * fileHead.bytes().length)
        return
      }
      passHeadOn(cleanStart)
      if (inHead < chunk.length) push(chunk.subarray(inHead))
    },
    end(): void {
      if (!isHeadPassedOn) passHeadOn(cleanJpegStart(fileHead.bytes()))
    },
    capturedAt: () => capturedAt,
  }
}

/**
 * Inspects one upload: refuses what is not an image, removes the metadata of plain JPEGs, so that it
 * is never stored and the file does not have to be written again, and counts and hashes the stored bytes.
 *
 * @param sniffHead reads the format and size from the first bytes; tests count its calls.
 */
export function createUploadInspector(maxMegapixels: number, sniffHead = sniff) {
  const hash = createHash('sha256')
  let bytes = 0
  let capturedAt: CaptureTime | null = null
  const fileHead = createFileHead()
  const slowMs = Promise.withResolvers<number | null>()
  const formatCheck = createFormatCheck({ fileHead, maxMegapixels, sniffHead, onSlowMs: slowMs.resolve })
  return {
    /** How long processing will take (see `estimateSlowMs`); resolves as soon as enough bytes have arrived to tell. */
    slowMs: slowMs.promise,
    /**
     * The bytes to store. The stream fails with a `Fault` when the file is not an image, whatever its name and type say, or
     * declares more pixels than the limit. `receivedHash` gets the bytes as they arrive, before metadata is removed.
     */
    inspect(source: Readable, receivedHash?: Hash): Readable {
      const metadataStripper = createMetadataStripper(fileHead, (chunk) => {
        hash.update(chunk)
        bytes += chunk.length
        inspected.push(chunk)
      })
      const runStep = (work: () => void, done: (error?: Error) => void): void => {
        try {
          work()
        } catch (error) {
          return done(asError(error))
        }
        done()
      }
      const inspected = new Transform({
        transform: (chunk: Buffer, _, done) =>
          runStep(() => {
            receivedHash?.update(chunk)
            const inHead = fileHead.add(chunk)
            formatCheck.write(chunk, inHead)
            metadataStripper.write(chunk, inHead)
          }, done),
        flush: (done) =>
          runStep(() => {
            formatCheck.end()
            metadataStripper.end()
            capturedAt = metadataStripper.capturedAt()
          }, done),
        destroy: (error, done) => {
          fileHead.release()
          done(error)
        },
      })
      return pipeline(source, inspected, () => {})
    },
    /** Size and hash of the stored bytes, once the stream has ended. */
    result: (): InspectedBytes => ({ bytes, sha256: hash.digest(), capturedAt }),
  }
}
