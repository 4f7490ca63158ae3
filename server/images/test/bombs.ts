import {
  blackPng,
  pngHeaderOnly,
  compressedText,
  withJpegSize,
  withHeifSize,
  withTiffSize,
  manyScans,
  megabytes,
  slices,
  small,
  sparseGif,
  sparseWebp,
  photographicWebp,
  withMaxWebpSize,
  withIccProfile,
} from './make-bombs.ts'
import { exifSegment, fixture, jpeg, segment, sampleExif, withPngChunks, withSegments } from './sample-images.ts'
import { isRecord } from '../../test/statistics.ts'

export interface Bomb {
  name: string
  make: () => Buffer | Promise<Buffer>
  /** The required outcome; `either` when a decoder may also succeed. */
  outcome: 'refused' | 'rendered' | 'either'
}

// The record run uses the largest files that a plan allows.
const decompressedMegabytes = isRecord ? 200 : 20
const commentMegabytes = isRecord ? 40 : 10

/** One of each kind. */
export const representativeBombs: Bomb[] = [
  { name: 'a PNG of 16,000 by 16,000', make: () => blackPng(16_000, 16_000), outcome: 'refused' },
  { name: 'a GIF of 65,535 by 65,535', make: () => sparseGif(65_535, 65_535, 1), outcome: 'refused' },
  { name: 'a GIF of 10,000 frames on a large screen', make: () => sparseGif(1000, 1000, 10_000), outcome: 'refused' },
  {
    name: 'a WebP of 10,000 frames on a large screen',
    make: () => sparseWebp(1000, 1000, 10_000),
    outcome: 'refused',
  },
  {
    name: 'a JPEG that declares 65,500 by 65,500',
    make: async () => withJpegSize(await jpeg(), 65_500, 65_500),
    outcome: 'refused',
  },
  { name: 'a JPEG of 5,000 scans', make: () => manyScans(8_000, 5_000), outcome: 'refused' },
  {
    name: 'a WebP that declares 16,383 by 16,383',
    make: async () => withMaxWebpSize(await small().webp().toBuffer()),
    outcome: 'refused',
  },
  {
    name: 'an AVIF that declares 40,000 by 40,000',
    make: async () => withHeifSize(await small().avif({ effort: 0 }).toBuffer(), 40_000),
    outcome: 'refused',
  },
  {
    name: 'a HEIC that declares 40,000 by 40,000',
    make: () => withHeifSize(fixture('plain.heic'), 40_000),
    outcome: 'refused',
  },
  {
    name: 'a TIFF that declares 4,294,967,295 by 4,294,967,295',
    make: async () => withTiffSize(await small().tiff().toBuffer(), 0xffffffff, 0xffffffff),
    outcome: 'refused',
  },
  {
    name: `a PNG whose text decompresses to ${decompressedMegabytes} MB`,
    make: async () =>
      withPngChunks(await small().png().toBuffer(), compressedText('zTXt', 'Comment\0\0', decompressedMegabytes)),
    outcome: 'either',
  },
  {
    name: `a PNG whose profile decompresses to ${decompressedMegabytes} MB`,
    make: async () =>
      withPngChunks(await small().png().toBuffer(), compressedText('iCCP', 'icc\0\0', decompressedMegabytes)),
    outcome: 'either',
  },
  {
    name: 'a JPEG with a profile of 15 MB',
    make: async () => withIccProfile(await jpeg(), megabytes(15)),
    outcome: 'rendered',
  },
  {
    name: 'a JPEG with 500 EXIF blocks',
    make: async () => withSegments(await jpeg(), ...Array.from({ length: 500 }, () => exifSegment(sampleExif()))),
    outcome: 'rendered',
  },
  {
    name: `a JPEG with ${commentMegabytes} MB of comments`,
    make: async () =>
      withSegments(
        await jpeg(),
        ...slices(megabytes(commentMegabytes), 65_000).map((comment) => segment(0xfe, comment)),
      ),
    outcome: 'rendered',
  },
]

/** Bombs that take long. */
export const slowBombs: Bomb[] = [
  { name: 'a PNG of 30,000 by 30,000', make: () => blackPng(30_000, 30_000), outcome: 'refused' },
  {
    name: 'a PNG of 120 megapixels',
    make: () => blackPng(12_000, 10_000, { bits: 8, colour: 2 }),
    outcome: 'rendered',
  },
  {
    name: 'a PNG of 120 megapixels with alpha and 16 bits',
    make: () => blackPng(12_000, 10_000, { bits: 16, colour: 6 }),
    outcome: 'either',
  },
  {
    name: 'an interlaced PNG of 100 megapixels',
    make: () => blackPng(10_000, 10_000, { bits: 8, colour: 2, interlaced: true }),
    outcome: 'either',
  },
  { name: 'a GIF of 10,000 small frames', make: () => sparseGif(100, 100, 10_000), outcome: 'refused' },
  {
    name: 'an ordinary animation: 120 frames of 480 by 480',
    make: () => photographicWebp({ side: 480, frames: 120 }),
    outcome: 'rendered',
  },
  {
    name: 'the slowest animation: 200 frames of 447 by 447',
    make: () => photographicWebp({ side: 447, frames: 200 }),
    outcome: 'rendered',
  },
  { name: 'a JPEG of 60 scans over 100 megapixels', make: () => manyScans(10_000, 60), outcome: 'either' },
  { name: 'a JPEG of 20,000 scans over 100 megapixels', make: () => manyScans(10_000, 20_000), outcome: 'refused' },
  {
    name: 'a PNG with 50 MB of text',
    make: async () =>
      withPngChunks(await small().png().toBuffer(), ['tEXt', Buffer.concat([Buffer.from('Comment\0'), megabytes(50)])]),
    outcome: 'either',
  },
]

const sides = [11_000, 20_000, 50_000, 1_000_000, 0x7fffffff] as const

/** Files that declare too large a size, in every format and in many sizes. */
export const oversizedBombs: Bomb[] = [
  ...sides.flatMap((side) =>
    [
      [1, 0],
      [8, 2],
      [16, 6],
    ].map(([bits = 1, colour = 0]): Bomb => ({
      name: `a PNG that declares ${side} by ${side}, ${bits} bits, colour type ${colour}`,
      make: () => pngHeaderOnly(side, side, bits, colour),
      outcome: 'refused',
    })),
  ),
  ...sides.map((side): Bomb => ({
    name: `a TIFF that declares ${side} by ${side}`,
    make: async () => withTiffSize(await small().tiff().toBuffer(), side, side),
    outcome: 'refused',
  })),
  ...sides.map((side): Bomb => ({
    name: `a HEIC that declares ${side}`,
    make: () => withHeifSize(fixture('plain.heic'), side),
    outcome: 'refused',
  })),
  ...[12_000, 30_000, 65_535].flatMap((side): Bomb[] => [
    { name: `a GIF of ${side} by ${side}`, make: () => sparseGif(side, side, 3), outcome: 'either' },
    {
      name: `a JPEG that declares ${side}`,
      make: async () => withJpegSize(await jpeg(), side, side),
      outcome: 'refused',
    },
    {
      name: `a progressive JPEG that declares ${side}`,
      make: async () => withJpegSize(await jpeg({ progressive: true }), side, side),
      outcome: 'refused',
    },
  ]),
  ...[2_000, 5_000].map((frames): Bomb => ({
    name: `a GIF of ${frames} frames`,
    make: () => sparseGif(500, 500, frames),
    outcome: 'refused',
  })),
]
