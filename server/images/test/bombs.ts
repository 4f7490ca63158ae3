import { crc32, deflateSync } from 'node:zlib'
import { opened, quartered, segment, withSegments } from './pictures.ts'

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

/** A black PNG of one bit a pixel: a few kilobytes, however large. */
export function blackPng(width: number, height: number, { bits = 1, colour = 0, interlaced = false } = {}): Buffer {
  const channels = { 0: 1, 2: 3, 6: 4 }[colour]!
  const row = Math.ceil((width * channels * bits) / 8) + 1
  const header = Buffer.concat([be32(width), be32(height), Buffer.from([bits, colour, 0, 0, interlaced ? 1 : 0])])
  // Adam7 has up to two rows and a little more for each row of the picture.
  const rows = deflateSync(Buffer.alloc(row * height * (interlaced ? 1.1 : 1)), { level: 9 })
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A GIF whose frames are one pixel each, on a screen as large as you like. */
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

/** A grey progressive JPEG of nothing, told again and again: every scan is two bytes and goes over every block. */
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

/** A WebP whose frames are one pixel each, on a screen as large as you like. */
export async function sparseWebp(width: number, height: number, frames: number): Promise<Buffer> {
  const pixel = await opened(quartered(1, 1)).webp({ lossless: true }).toBuffer()
  const riff = (type: string, data: Buffer): Buffer => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(data.length)
    return Buffer.concat([Buffer.from(type), size, data, Buffer.alloc(data.length % 2)])
  }
  const le24 = (value: number): number[] => [value & 255, (value >> 8) & 255, value >> 16]
  const screen = riff('VP8X', Buffer.from([2, 0, 0, 0, ...le24(width - 1), ...le24(height - 1)]))
  const frame = riff(
    'ANMF',
    Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0]), pixel.subarray(12)]),
  )
  const loop = riff('ANIM', Buffer.alloc(6))
  const all = Buffer.concat([Buffer.from('WEBP'), screen, loop, ...Array.from({ length: frames }, () => frame)])
  return riff('RIFF', all)
}

/** A PNG that only says how large it is. */
export function claimingPng(width: number, height: number, bits: number, colour: number): Buffer {
  const header = Buffer.concat([be32(width), be32(height), Buffer.from([bits, colour, 0, 0, 0])])
  const rows = deflateSync(Buffer.alloc(100_000))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A file with a number in it changed. */
function patched(file: Buffer, at: number, value: number, width: 2 | 4 = 4): Buffer {
  const copy = Buffer.from(file)
  copy.writeUIntBE(value, at, width)
  return copy
}

export const small = () => opened(quartered(64, 48))
export const megabytes = (count: number): Buffer => Buffer.alloc(count * 1024 * 1024, 0x41)
export const compressedText = (type: string, head: string, size: number): [string, Buffer] => [
  type,
  Buffer.concat([Buffer.from(head, 'latin1'), deflateSync(megabytes(size))]),
]
export const slices = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))

/** TIFF: width and height of the first directory. */
export function hugeTiff(file: Buffer, width: number, height: number): Buffer {
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

export const heifOf = (file: Buffer, side: number): Buffer =>
  patched(patched(file, file.indexOf('ispe') + 8, side), file.indexOf('ispe') + 12, side)

export function frameOf(file: Buffer, width: number, height: number): Buffer {
  const at = Math.max(file.indexOf(Buffer.from([0xff, 0xc0])), file.indexOf(Buffer.from([0xff, 0xc2])))
  return patched(patched(file, at + 5, height, 2), at + 7, width, 2)
}

/** A lossy WebP with both of its sides at the most they can say. */
export function wideWebp(file: Buffer): Buffer {
  const copy = Buffer.from(file)
  copy.writeUInt16LE(0x3fff, 26)
  copy.writeUInt16LE(0x3fff, 28)
  return copy
}

export function withProfile(file: Buffer, profile: Buffer): Buffer {
  const parts = slices(profile, 65_000)
  const head = (i: number): Buffer => Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from([i + 1, parts.length])])
  return withSegments(file, ...parts.map((part, i) => segment(0xe2, Buffer.concat([head(i), part]))))
}
