import { describe, expect, test } from 'vitest'
import { ImageFailure } from '../sandbox/image-jobs.ts'
import {
  blackPng,
  compressedText,
  manyScans,
  megabytes,
  photographicWebp,
  slices,
  small,
  sparseGif,
  sparseWebp,
  withHeifSize,
  withIccProfile,
  withJpegSize,
  withMaxWebpSize,
  withTiffSize,
} from '../test/make-bombs.ts'
import { exifSegment, fixture, jpeg, sampleExif, segment, withPngChunks, withSegments } from '../test/sample-images.ts'
import { sharedTestPool } from '../test/test-pool.ts'
import { isRecord, repetitions } from '../../test/statistics.ts'

interface Bomb {
  name: string
  make: () => Buffer | Promise<Buffer>
  /** The required outcome; `either` when a decoder may also succeed. */
  outcome: 'refused' | 'rendered' | 'either'
}

// The record run uses the largest files that a plan allows.
const decompressedMegabytes = isRecord ? 200 : 20
const commentMegabytes = isRecord ? 40 : 10

const refused = (name: string, make: Bomb['make']): Bomb => ({ name, make, outcome: 'refused' })
const rendered = (name: string, make: Bomb['make']): Bomb => ({ name, make, outcome: 'rendered' })
const either = (name: string, make: Bomb['make']): Bomb => ({ name, make, outcome: 'either' })

const pngWith = async (...chunk: [string, Buffer]): Promise<Buffer> =>
  withPngChunks(await small().png().toBuffer(), chunk)
const comments = () => slices(megabytes(commentMegabytes), 65_000).map((comment) => segment(0xfe, comment))

/** One of each kind. */
const representativeBombs: Bomb[] = [
  refused('a PNG of 16,000 by 16,000', () => blackPng(16_000, 16_000)),
  refused('a GIF of 65,535 by 65,535', () => sparseGif(65_535, 65_535, 1)),
  refused('a GIF of 10,000 frames on a large screen', () => sparseGif(1000, 1000, 10_000)),
  refused('a WebP of 10,000 frames on a large screen', () => sparseWebp(1000, 1000, 10_000)),
  refused('a JPEG that declares 65,500 by 65,500', async () => withJpegSize(await jpeg(), 65_500, 65_500)),
  refused('a JPEG of 5,000 scans', () => manyScans(8_000, 5_000)),
  refused('a WebP that declares 16,383 by 16,383', async () => withMaxWebpSize(await small().webp().toBuffer())),
  refused('an AVIF that declares 40,000 by 40,000', async () =>
    withHeifSize(await small().avif({ effort: 0 }).toBuffer(), 40_000),
  ),
  refused('a HEIC that declares 40,000 by 40,000', () => withHeifSize(fixture('plain.heic'), 40_000)),
  refused('a TIFF that declares 4,294,967,295 by 4,294,967,295', async () =>
    withTiffSize(await small().tiff().toBuffer(), 0xffffffff, 0xffffffff),
  ),
  either(`a PNG whose text decompresses to ${decompressedMegabytes} MB`, () =>
    pngWith(...compressedText('zTXt', 'Comment\0\0', decompressedMegabytes)),
  ),
  either(`a PNG whose profile decompresses to ${decompressedMegabytes} MB`, () =>
    pngWith(...compressedText('iCCP', 'icc\0\0', decompressedMegabytes)),
  ),
  rendered('a JPEG with a profile of 15 MB', async () => withIccProfile(await jpeg(), megabytes(15))),
  rendered('a JPEG with 500 EXIF blocks', async () =>
    withSegments(await jpeg(), ...Array.from({ length: 500 }, () => exifSegment(sampleExif()))),
  ),
  rendered(`a JPEG with ${commentMegabytes} MB of comments`, async () => withSegments(await jpeg(), ...comments())),
]

/** Bombs that take long. */
const slowBombs: Bomb[] = [
  refused('a PNG of 30,000 by 30,000', () => blackPng(30_000, 30_000)),
  rendered('a PNG of 120 megapixels', () => blackPng(12_000, 10_000, { bits: 8, colour: 2 })),
  either('a PNG of 120 megapixels with alpha and 16 bits', () => blackPng(12_000, 10_000, { bits: 16, colour: 6 })),
  either('an interlaced PNG of 100 megapixels', () =>
    blackPng(10_000, 10_000, { bits: 8, colour: 2, interlaced: true }),
  ),
  refused('a GIF of 10,000 small frames', () => sparseGif(100, 100, 10_000)),
  rendered('an ordinary animation: 120 frames of 480 by 480', () => photographicWebp({ side: 480, frames: 120 })),
  rendered('the slowest animation: 200 frames of 447 by 447', () => photographicWebp({ side: 447, frames: 200 })),
  either('a JPEG of 60 scans over 100 megapixels', () => manyScans(10_000, 60)),
  refused('a JPEG of 20,000 scans over 100 megapixels', () => manyScans(10_000, 20_000)),
  either('a PNG with 50 MB of text', () => pngWith('tEXt', Buffer.concat([Buffer.from('Comment\0'), megabytes(50)]))),
]

/** A busy machine is slow, not wrong: more time for any picture, and no process is replaced because it took long. */
const moreTime = { limits: { baseMs: 30_000 }, stopIdleAfterMs: 600_000 }
/** With the limits of production, but more time unless the record run measures it. */
const images = sharedTestPool({ size: 2, limits: {}, ...(!isRecord && moreTime) })
const MB = 1024 * 1024

/** Renders a bomb and a photo at the same time; the outcome of both, and by how much this process has grown. */
async function renderBoth({ make }: Bomb) {
  const pool = images()
  const bomb = await make()
  globalThis.gc?.()
  const bytesBefore = process.memoryUsage.rss()
  const startedAt = performance.now()
  const [outcome, other] = await Promise.all([
    pool.render(bomb).then(
      () => 'rendered',
      (error: unknown) => (error instanceof ImageFailure && error.kind !== 'crashed' ? 'refused' : error),
    ),
    pool.render(await jpeg()),
  ])
  const grownBytes = process.memoryUsage.rss() - bytesBefore
  return { outcome, other, durationMs: performance.now() - startedAt, grownBytes }
}

describe('a decompression bomb ends in time and does not affect other photos', () => {
  const bombs = isRecord ? [...representativeBombs, ...slowBombs] : representativeBombs
  test.each(bombs)('$name', async (bomb) => {
    const { outcome, other, durationMs, grownBytes } = await renderBoth(bomb)
    expect(bomb.outcome === 'either' ? ['rendered', 'refused'] : [bomb.outcome]).toContain(outcome)
    expect(other.photo.full.lossless).toBe(true)
    expect(durationMs).toBeLessThan(repetitions(100_000, 45_000))
    expect(grownBytes).toBeLessThan(50 * MB)
  })
})
