import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { isRecord } from '../../test/statistics.ts'
import {
  exifSegment,
  fixture,
  jpeg,
  quadrantPixels,
  sampleExif,
  segment,
  sharpFrom,
  withPngChunks,
  withSegments,
} from './sample-images.ts'

const be32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const le16 = (value: number): Buffer => Buffer.from([value & 255, value >> 8])
const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data])
  return Buffer.concat([be32(data.length), body, be32(crc32(body))])
}

/** A black PNG, by default of one bit per pixel: a few kilobytes in any size. */
export function blackPng(width: number, height: number, { bits = 1, colour = 0, interlaced = false } = {}): Buffer {
  const channels = { 0: 1, 2: 3, 6: 4 }[colour]!
  const row = Math.ceil((width * channels * bits) / 8) + 1
  const header = Buffer.concat([be32(width), be32(height), Buffer.from([bits, colour, 0, 0, interlaced ? 1 : 0])])
  // The passes of Adam7 have more rows than the picture; unused bytes do no harm.
  const rows = deflateSync(Buffer.alloc(row * height * (interlaced ? 1.1 : 1)), { level: 9 })
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A GIF of any size whose frames have one pixel each. */
export function sparseGif(width: number, height: number, frames: number): Buffer {
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  return Buffer.concat([
    Buffer.from('GIF89a'),
    le16(width),
    le16(height),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
  ])
}

/** A grey progressive JPEG: every scan has a few bytes and covers every block. */
export function manyScans(side: number, scans: number): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16BE(side, 0)
  size.writeUInt16BE(side, 2)
  const blocks = Math.ceil(side / 8) ** 2
  const table = (kind: number, symbol: number): Buffer => Buffer.from([kind, 1, ...Buffer.alloc(15), symbol])
  // EOB14: this block and the 16,383 after it end here; one code bit and fourteen zeros.
  const runs = Buffer.alloc(Math.ceil((Math.ceil(blocks / 16_384) * 15) / 8))
  const refinement = (round: number): Buffer =>
    Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 1 + (round % 63), 1 + (round % 63), 0])), runs])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.from([0, ...Buffer.alloc(64, 16)])),
    segment(0xc2, Buffer.concat([Buffer.from([8]), size, Buffer.from([1, 1, 0x11, 0])])),
    segment(0xc4, Buffer.concat([table(0, 0), table(0x10, 0xe0)])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 0, 0])),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...Array.from({ length: scans }, (_, round) => refinement(round)),
    Buffer.from([0xff, 0xd9]),
  ])
}

/** A WebP of any size whose frames have one pixel each. */
export async function sparseWebp(width: number, height: number, frames: number): Promise<Buffer> {
  const pixel = await sharpFrom(quadrantPixels(1, 1)).webp({ lossless: true }).toBuffer()
  const riff = (type: string, data: Buffer): Buffer => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(data.length)
    return Buffer.concat([Buffer.from(type), size, data, Buffer.alloc(data.length % 2)])
  }
  const le24 = (value: number): number[] => [value & 255, (value >> 8) & 255, value >> 16]
  const canvas = riff('VP8X', Buffer.from([2, 0, 0, 0, ...le24(width - 1), ...le24(height - 1)]))
  const frame = riff(
    'ANMF',
    Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0]), pixel.subarray(12)]),
  )
  const loop = riff('ANIM', Buffer.alloc(6))
  const all = Buffer.concat([Buffer.from('WEBP'), canvas, loop, ...Array.from({ length: frames }, () => frame)])
  return riff('RIFF', all)
}

/** An animation in which each pixel of each frame differs a little from the one before, as in a video. */
export function photographicWebp({ side, frames }: { side: number; frames: number }): Promise<Buffer> {
  const rgb = Buffer.alloc(side * side * frames * 3)
  for (let at = 0; at < rgb.length; at += 3) {
    const pixel = at / 3
    const frame = Math.floor(pixel / side ** 2)
    const [x, y] = [pixel % side, Math.floor(pixel / side) % side]
    rgb[at] = 128 + 100 * Math.sin((x + frame * 4) / 37) + ((pixel * 7919) % 12)
    rgb[at + 1] = 128 + 90 * Math.sin((y - frame * 3) / 53 + x / 91)
    rgb[at + 2] = 128 + 80 * Math.cos((x * y) / 9000 + frame / 9) + ((pixel * 104_729) % 8)
  }
  const raw = { width: side, height: side * frames, channels: 3, pageHeight: side } as const
  return sharp(rgb, { raw })
    .webp({ effort: 0, delay: Array.from({ length: frames }, () => 50) })
    .toBuffer()
}

/** A PNG with a header of any size, and too few pixels. */
function pngHeaderOnly(width: number, height: number, bits: number, colour: number): Buffer {
  const header = Buffer.concat([be32(width), be32(height), Buffer.from([bits, colour, 0, 0, 0])])
  const rows = deflateSync(Buffer.alloc(100_000))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function patched(file: Buffer, at: number, value: number, width: 2 | 4 = 4): Buffer {
  const copy = Buffer.from(file)
  copy.writeUIntBE(value, at, width)
  return copy
}

const small = () => sharpFrom(quadrantPixels(64, 48))
const megabytes = (count: number): Buffer => Buffer.alloc(count * 1024 * 1024, 0x41)
/** A PNG chunk whose text decompresses to so many megabytes. */
const compressedText = (type: string, head: string, size: number): [string, Buffer] => [
  type,
  Buffer.concat([Buffer.from(head, 'latin1'), deflateSync(megabytes(size))]),
]
/** The bytes in slices of a size. */
const slices = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))

/** A TIFF whose first directory declares another size. */
function withTiffSize(file: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(file)
  const start = copy.readUInt32LE(4)
  for (let i = 0; i < copy.readUInt16LE(start); i++) {
    const at = start + 2 + i * 12
    const value = { 256: width, 257: height }[copy.readUInt16LE(at)]
    if (value === undefined) continue
    copy.writeUInt16LE(4, at + 2)
    copy.writeUInt32LE(value, at + 8)
  }
  return copy
}

/** A HEIF file whose first image declares another size. */
const withHeifSize = (file: Buffer, side: number): Buffer =>
  patched(patched(file, file.indexOf('ispe') + 8, side), file.indexOf('ispe') + 12, side)

/** A JPEG whose frame header declares another size. */
export function withJpegSize(file: Buffer, width: number, height: number): Buffer {
  const at = Math.max(file.indexOf(Buffer.from([0xff, 0xc0])), file.indexOf(Buffer.from([0xff, 0xc2])))
  return patched(patched(file, at + 5, height, 2), at + 7, width, 2)
}

/**
 * A JPEG that starts with a marker without a length. A reader that expects a length anyway skips to a frame of one
 * pixel and its scan, which decoders see as part of a segment of application data.
 */
export function hidingFrame(file: Buffer, marker: number): Buffer {
  const frame = segment(0xc0, Buffer.from([8, 0, 1, 0, 1, 1, 1, 0x11, 0]))
  const scan = segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]))
  const skippedAsSegment = 0xffe1 - 4
  const data = Buffer.concat([Buffer.alloc(skippedAsSegment), frame, scan])
  return Buffer.concat([file.subarray(0, 2), Buffer.from([0xff, marker]), segment(0xe1, data), file.subarray(2)])
}

/** A lossy WebP that declares the largest possible size. */
function withMaxWebpSize(file: Buffer): Buffer {
  const copy = Buffer.from(file)
  copy.writeUInt16LE(0x3fff, 26)
  copy.writeUInt16LE(0x3fff, 28)
  return copy
}

/** A JPEG with a colour profile, in as many segments as needed. */
function withIccProfile(file: Buffer, profile: Buffer): Buffer {
  const parts = slices(profile, 65_000)
  const head = (i: number): Buffer => Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from([i + 1, parts.length])])
  return withSegments(file, ...parts.map((part, i) => segment(0xe2, Buffer.concat([head(i), part]))))
}

export interface Bomb {
  name: string
  make: () => Buffer | Promise<Buffer>
  /** The required outcome; `either` when a decoder may also succeed. */
  outcome: 'refused' | 'rendered' | 'either'
}

// The record run uses the largest files that a plan allows.
const decompressedMegabytes = isRecord ? 200 : 20
const commentMegabytes = isRecord ? 40 : 10

const bomb = (outcome: Bomb['outcome'], name: string, make: Bomb['make']): Bomb => ({ name, make, outcome })
const refused = (name: string, make: Bomb['make']): Bomb => bomb('refused', name, make)
const rendered = (name: string, make: Bomb['make']): Bomb => bomb('rendered', name, make)
const either = (name: string, make: Bomb['make']): Bomb => bomb('either', name, make)

const pngWith = async (...chunk: [string, Buffer]): Promise<Buffer> =>
  withPngChunks(await small().png().toBuffer(), chunk)
const comments = () => slices(megabytes(commentMegabytes), 65_000).map((comment) => segment(0xfe, comment))

/** One of each kind. */
export const representativeBombs: Bomb[] = [
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
export const slowBombs: Bomb[] = [
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

const sides = [11_000, 20_000, 50_000, 1_000_000, 0x7fffffff]
const pngKinds = [
  [1, 0],
  [8, 2],
  [16, 6],
] as const

/** Files that declare too large a size, in every format and in many sizes. */
export const oversizedBombs: Bomb[] = [
  ...sides.flatMap((side) => [
    ...pngKinds.map(([bits, colour]) =>
      refused(`a PNG that declares ${side} by ${side}, ${bits} bits, colour type ${colour}`, () =>
        pngHeaderOnly(side, side, bits, colour),
      ),
    ),
    refused(`a TIFF that declares ${side} by ${side}`, async () =>
      withTiffSize(await small().tiff().toBuffer(), side, side),
    ),
    refused(`a HEIC that declares ${side}`, () => withHeifSize(fixture('plain.heic'), side)),
  ]),
  ...[12_000, 30_000, 65_535].flatMap((side) => [
    either(`a GIF of ${side} by ${side}`, () => sparseGif(side, side, 3)),
    refused(`a JPEG that declares ${side}`, async () => withJpegSize(await jpeg(), side, side)),
    refused(`a progressive JPEG that declares ${side}`, async () =>
      withJpegSize(await jpeg({ progressive: true }), side, side),
    ),
  ]),
  ...[2_000, 5_000].map((frames) => refused(`a GIF of ${frames} frames`, () => sparseGif(500, 500, frames))),
]
