import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { segment, sharpFrom, quadrantPixels, withSegments } from './sample-images.ts'

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

function patched(file: Buffer, at: number, value: number, width: 2 | 4 = 4): Buffer {
  const copy = Buffer.from(file)
  copy.writeUIntBE(value, at, width)
  return copy
}

export const small = () => sharpFrom(quadrantPixels(64, 48))

export const megabytes = (count: number): Buffer => Buffer.alloc(count * 1024 * 1024, 0x41)

/** A PNG chunk whose text decompresses to so many megabytes. */
export const compressedText = (type: string, head: string, size: number): [string, Buffer] => [
  type,
  Buffer.concat([Buffer.from(head, 'latin1'), deflateSync(megabytes(size))]),
]

/** The bytes in slices of a size. */
export const slices = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))

/** A TIFF whose first directory declares another size. */
export function withTiffSize(file: Buffer, width: number, height: number): Buffer {
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
export const withHeifSize = (file: Buffer, side: number): Buffer =>
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
export function withMaxWebpSize(file: Buffer): Buffer {
  const copy = Buffer.from(file)
  copy.writeUInt16LE(0x3fff, 26)
  copy.writeUInt16LE(0x3fff, 28)
  return copy
}

/** A JPEG with a colour profile, in as many segments as needed. */
export function withIccProfile(file: Buffer, profile: Buffer): Buffer {
  const parts = slices(profile, 65_000)
  const head = (i: number): Buffer => Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from([i + 1, parts.length])])
  return withSegments(file, ...parts.map((part, i) => segment(0xe2, Buffer.concat([head(i), part]))))
}
