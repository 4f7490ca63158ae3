import {
  blackPng,
  claimingPng,
  compressedText,
  frameOf,
  heifOf,
  hugeTiff,
  manyScans,
  megabytes,
  slices,
  small,
  sparseGif,
  sparseWebp,
  wideWebp,
  withProfile,
} from './bombs.ts'
import { exifSegment, fixture, jpeg, segment, tellingExif, withChunks, withSegments } from './pictures.ts'

export interface Bomb {
  name: string
  make: () => Buffer | Promise<Buffer>
  /** What must come of it; `either` where a decoder may as well cope. */
  end: 'refused' | 'made' | 'either'
}

/** A dozen and a few, one of each kind. */
export const usualBombs: Bomb[] = [
  { name: 'a PNG of 16,000 by 16,000', make: () => blackPng(16_000, 16_000), end: 'refused' },
  { name: 'a PNG of 30,000 by 30,000', make: () => blackPng(30_000, 30_000), end: 'refused' },
  { name: 'a GIF of 65,535 by 65,535', make: () => sparseGif(65_535, 65_535, 1), end: 'refused' },
  { name: 'a GIF of 10,000 frames on a large screen', make: () => sparseGif(1000, 1000, 10_000), end: 'refused' },
  {
    name: 'a WebP of 10,000 frames on a large screen',
    make: () => sparseWebp(1000, 1000, 10_000),
    end: 'refused',
  },
  {
    name: 'a JPEG that claims 65,500 by 65,500',
    make: async () => frameOf(await jpeg(), 65_500, 65_500),
    end: 'refused',
  },
  { name: 'a JPEG of 5,000 scans', make: () => manyScans(8_000, 5_000), end: 'refused' },
  {
    name: 'a WebP that claims 16,383 by 16,383',
    make: async () => wideWebp(await small().webp().toBuffer()),
    end: 'refused',
  },
  {
    name: 'an AVIF that claims 40,000 by 40,000',
    make: async () => heifOf(await small().avif({ effort: 0 }).toBuffer(), 40_000),
    end: 'refused',
  },
  { name: 'a HEIC that claims 40,000 by 40,000', make: () => heifOf(fixture('plain.heic'), 40_000), end: 'refused' },
  {
    name: 'a TIFF that claims 4 thousand million by 4 thousand million',
    make: async () => hugeTiff(await small().tiff().toBuffer(), 0xffffffff, 0xffffffff),
    end: 'refused',
  },
  {
    name: 'a PNG whose text unpacks to 200 MB',
    make: async () => withChunks(await small().png().toBuffer(), compressedText('zTXt', 'Comment\0\0', 200)),
    end: 'either',
  },
  {
    name: 'a PNG whose profile unpacks to 200 MB',
    make: async () => withChunks(await small().png().toBuffer(), compressedText('iCCP', 'icc\0\0', 200)),
    end: 'either',
  },
  { name: 'a JPEG with a profile of 15 MB', make: async () => withProfile(await jpeg(), megabytes(15)), end: 'made' },
  {
    name: 'a JPEG with 500 EXIF blocks',
    make: async () => withSegments(await jpeg(), ...Array.from({ length: 500 }, () => exifSegment(tellingExif()))),
    end: 'made',
  },
  {
    name: 'a JPEG with 40 MB of comments',
    make: async () => withSegments(await jpeg(), ...slices(megabytes(40), 65_000).map((words) => segment(0xfe, words))),
    end: 'made',
  },
]

/** Those that take their time. */
export const slowBombs: Bomb[] = [
  { name: 'a PNG of 120 megapixels', make: () => blackPng(12_000, 10_000, { bits: 8, colour: 2 }), end: 'made' },
  {
    name: 'a PNG of 120 megapixels with alpha and 16 bits',
    make: () => blackPng(12_000, 10_000, { bits: 16, colour: 6 }),
    end: 'either',
  },
  {
    name: 'an interlaced PNG of 100 megapixels',
    make: () => blackPng(10_000, 10_000, { bits: 8, colour: 2, interlaced: true }),
    end: 'either',
  },
  { name: 'a GIF of 10,000 small frames', make: () => sparseGif(100, 100, 10_000), end: 'either' },
  { name: 'a JPEG of 60 scans over 100 megapixels', make: () => manyScans(10_000, 60), end: 'either' },
  { name: 'a JPEG of 20,000 scans over 100 megapixels', make: () => manyScans(10_000, 20_000), end: 'refused' },
  {
    name: 'a PNG with 50 MB of text',
    make: async () =>
      withChunks(await small().png().toBuffer(), ['tEXt', Buffer.concat([Buffer.from('Comment\0'), megabytes(50)])]),
    end: 'either',
  },
]

const sides = [11_000, 20_000, 50_000, 1_000_000, 0x7fffffff] as const

/** The rest of sixty: what claims too much, in every format and at many sizes. */
export const claimingBombs: Bomb[] = [
  ...sides.flatMap((side) =>
    [
      [1, 0],
      [8, 2],
      [16, 6],
    ].map(([bits = 1, colour = 0]): Bomb => ({
      name: `a PNG that claims ${side} by ${side}, ${bits} bits, colour type ${colour}`,
      make: () => claimingPng(side, side, bits, colour),
      end: 'refused',
    })),
  ),
  ...sides.map((side): Bomb => ({
    name: `a TIFF that claims ${side} by ${side}`,
    make: async () => hugeTiff(await small().tiff().toBuffer(), side, side),
    end: 'refused',
  })),
  ...sides.map((side): Bomb => ({
    name: `a HEIC that claims ${side}`,
    make: () => heifOf(fixture('plain.heic'), side),
    end: 'refused',
  })),
  ...[12_000, 30_000, 65_535].flatMap((side): Bomb[] => [
    { name: `a GIF of ${side} by ${side}`, make: () => sparseGif(side, side, 3), end: 'either' },
    { name: `a JPEG that claims ${side}`, make: async () => frameOf(await jpeg(), side, side), end: 'refused' },
    {
      name: `a progressive JPEG that claims ${side}`,
      make: async () => frameOf(await jpeg({ progressive: true }), side, side),
      end: 'refused',
    },
  ]),
  ...[2_000, 5_000].map((frames): Bomb => ({
    name: `a GIF of ${frames} frames`,
    make: () => sparseGif(500, 500, frames),
    end: 'refused',
  })),
]
