import { readJpeg, rebuildJpeg } from '../jpeg/jpeg.ts'
import { type FilePart, filePartsOf } from './file-parts.ts'
import { segment } from './sample-images.ts'

export interface FlatOptions {
  /** Blocks of 8 by 8 pixels, across and down. */
  across?: number
  down?: number
  components?: 1 | 3
  /** MCUs between restart markers; 0 for none. A multiple of four blocks, so that each interval has whole bytes. */
  restart?: number
  /** Changes restart markers before they are written. */
  marker?: (number: number) => number
  /** One scan for each component. */
  separateScans?: boolean
}

/**
 * A JPEG of one colour in which every block is two zero bits: a DC difference of 0 and the end of the block. It is made
 * without an encoder, so every byte is known.
 */
export function flatJpeg(options: FlatOptions = {}): Buffer {
  const { across = 8, down = 8, components = 1, separateScans = false } = options
  const ids = Array.from({ length: components }, (_, i) => i + 1)
  const size = Buffer.alloc(4)
  size.writeUInt16BE(down * 8, 0)
  size.writeUInt16BE(across * 8, 2)
  const table = (kind: number): Buffer => Buffer.from([kind, 1, ...Buffer.alloc(15), 0])
  const restart = options.restart ?? 0
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.from([0, ...Buffer.alloc(64, 16)])),
    segment(0xc0, Buffer.from([8, ...size, components, ...ids.flatMap((id) => [id, 0x11, 0])])),
    segment(0xc4, Buffer.concat([table(0), table(0x10)])),
    ...(restart ? [segment(0xdd, Buffer.from([restart >> 8, restart & 255]))] : []),
    ...(separateScans ? ids.map((id) => [id]) : [ids]).flatMap((componentIds) => [
      segment(0xda, Buffer.from([componentIds.length, ...componentIds.flatMap((id) => [id, 0]), 0, 63, 0])),
      codedData(across * down, componentIds.length, options),
    ]),
    Buffer.from([0xff, 0xd9]),
  ])
}

/** Zero bits, padded with ones as the standard requires, with restart markers. */
function codedData(
  mcus: number,
  blocks: number,
  { restart = 0, marker = (number) => 0xd0 + (number & 7) }: FlatOptions,
): Buffer {
  const parts: Buffer[] = []
  const interval = restart || mcus
  for (let done = 0; done < mcus; done += interval) {
    if (done > 0) parts.push(Buffer.from([0xff, marker(done / interval - 1)]))
    const bits = Math.min(interval, mcus - done) * blocks * 2
    const bytes = Buffer.alloc(Math.ceil(bits / 8))
    if (bits % 8) bytes[bytes.length - 1] = 0xff >> (bits % 8)
    parts.push(bytes)
  }
  return Buffer.concat(parts)
}

/** Why a JPEG is unsupported, or `lossless`. */
export const reasonOf = (file: Buffer): string => {
  const read = readJpeg(file)
  return read.lossless ? 'lossless' : read.reason
}
export const rebuilt = (file: Buffer): Buffer => {
  const read = readJpeg(file)
  if (!read.lossless) throw new Error(read.reason)
  return Buffer.concat(rebuildJpeg(read))
}

export function changed(file: Buffer, change: (parts: FilePart[]) => FilePart[]): Buffer {
  const parts = change(filePartsOf(file)).map(({ name, bytes }) => {
    if (name === 'scan' || name === 'trailing') return bytes
    return name === 'd9' ? Buffer.from([0xff, 0xd9]) : segment(Number.parseInt(name, 16), bytes)
  })
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts])
}
export const without = (name: string) => (parts: FilePart[]) => parts.filter((part) => part.name !== name)
export const withPartBefore = (before: string, name: string, bytes: Buffer) => (parts: FilePart[]) =>
  parts.flatMap((part) => (part.name === before ? [{ name, bytes }, part] : [part]))
/** Changes the payload of the first part with this name. */
export const edited = (name: string, edit: (bytes: Buffer) => void) => (parts: FilePart[]) => {
  const part = parts.find((one) => one.name === name)!
  const bytes = Buffer.from(part.bytes)
  edit(bytes)
  return parts.map((one) => (one === part ? { name, bytes } : one))
}
