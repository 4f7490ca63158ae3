import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import type { JpegOptions, Sharp } from 'sharp'

/** The colours of the test picture, upright: top left, top right, bottom left, bottom right. */
export const quadrantColours = [
  [200, 40, 40],
  [40, 170, 60],
  [40, 60, 200],
  [220, 200, 60],
] as const

/** Part of all metadata that must not be served. */
export const canary = 'CANARY'
export const artist = 'Ann Example'
export const copyright = '(c) 2026 Ann Example'

/** Repeatable random numbers from 0 to 1. */
export function xorshift32(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 0x1_0000_0000
  }
}

export interface Pixels {
  width: number
  height: number
  /** RGB, row by row. */
  data: Buffer
}

/** Four coloured quadrants with a little noise: the orientation of the picture is visible. */
export function quadrantPixels(width: number, height: number, noise = 12): Pixels {
  const random = xorshift32(width * 65_537 + height)
  const data = Buffer.alloc(width * height * 3)
  let at = 0
  const [topLeft, topRight, bottomLeft, bottomRight] = quadrantColours
  for (let y = 0; y < height; y++) {
    const [left, right] = y * 2 >= height ? [bottomLeft, bottomRight] : [topLeft, topRight]
    for (let x = 0; x < width; x++) {
      const colour = x * 2 >= width ? right : left
      const shift = (random() - 0.5) * noise
      data[at++] = colour[0] + shift
      data[at++] = colour[1] + shift
      data[at++] = colour[2] + shift
    }
  }
  return { width, height, data }
}

export const sharpFrom = ({ width, height, data }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels: 3 } })

/** The pixels as a camera stores them when it writes this orientation (TIFF 6.0, tag 274). */
export function storedWithOrientation({ width, height, data }: Pixels, orientation: number): Pixels {
  const isTransposed = orientation >= 5
  const [storedWidth, storedHeight] = isTransposed ? [height, width] : [width, height]
  const stored = { width: storedWidth, height: storedHeight, data: Buffer.alloc(data.length) }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [fromRight, fromBottom] = [width - 1 - x, height - 1 - y]
      const storedAt: Record<number, [x: number, y: number]> = {
        1: [x, y],
        2: [fromRight, y],
        3: [fromRight, fromBottom],
        4: [x, fromBottom],
        5: [y, x],
        6: [y, fromRight],
        7: [fromBottom, fromRight],
        8: [fromBottom, x],
      }
      const [storedX, storedY] = storedAt[orientation]!
      const from = (y * width + x) * 3
      data.copy(stored.data, (storedY * storedWidth + storedX) * 3, from, from + 3)
    }
  }
  return stored
}

/** The test picture as JPEG. */
export const jpeg = ({
  width = 320,
  height = 240,
  ...options
}: { width?: number; height?: number } & JpegOptions = {}) =>
  sharpFrom(quadrantPixels(width, height))
    .jpeg({ quality: 88, ...options })
    .toBuffer()

/** What cameras and photo programs write about a picture and its owner. */
export const sampleExif = (orientation = 1): Buffer =>
  exifBlock({
    main: [
      [0x010e, `${canary} description`],
      [0x010f, `${canary} make`],
      [0x0110, `${canary} model`],
      [0x0112, orientation],
      [0x0131, `${canary} software`],
      [0x0132, '2026:05:01 12:00:00'],
      [0x013b, artist],
      [0x8298, copyright],
      [0x9c9d, Buffer.from(`${canary} author`, 'utf16le')],
    ],
    exif: [
      [0x927c, Buffer.from(`${canary} maker note ${'x'.repeat(300)}`)],
      [0x9286, Buffer.from(`ASCII\0\0\0${canary} user comment`)],
      [0xa430, `${canary} owner`],
      [0xa431, `${canary} serial 4711`],
      [0xa435, `${canary} lens serial`],
    ],
    gps: [
      [0x0001, 'N'],
      [
        0x0002,
        [
          [50, 1],
          [51, 1],
          [1234, 100],
        ],
      ],
      [0x0003, 'E'],
      [
        0x0004,
        [
          [4, 1],
          [21, 1],
          [777, 100],
        ],
      ],
      [0x001b, Buffer.from(`ASCII\0\0\0${canary} gps`)],
    ],
    thumbnail: Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xdb]),
      Buffer.from(`${canary} thumbnail`),
      Buffer.from([0xff, 0xd9]),
    ]),
  })

export const sampleXmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="${canary} xmp"/></rdf:RDF></x:xmpmeta>`

/** IPTC in a Photoshop resource: a city. */
const sampleIptc = (): Buffer => {
  const city = Buffer.from(`${canary} city`)
  const record = Buffer.concat([Buffer.from([0x1c, 2, 90, 0, city.length]), city])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(record.length)
  return Buffer.concat([
    Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0', 'latin1'),
    size,
    record,
    Buffer.alloc(record.length % 2),
  ])
}

export function segment(marker: number, payload: Uint8Array | string): Buffer {
  const bytes = Buffer.from(payload)
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(bytes.length + 2, 2)
  return Buffer.concat([head, bytes])
}

export const exifSegment = (exif: Buffer): Buffer => segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif]))

/** A JPEG with more segments right after its start. */
export const withSegments = (file: Buffer, ...segments: Buffer[]): Buffer =>
  Buffer.concat([file.subarray(0, 2), ...segments, file.subarray(2)])

/** A JPEG with every kind of metadata. */
export const jpegWithMetadata = (file: Buffer, orientation = 1): Buffer =>
  Buffer.concat([
    withSegments(
      file,
      exifSegment(sampleExif(orientation)),
      segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${sampleXmp}`),
      segment(0xe2, `MPF\0${canary} multi-picture`),
      segment(0xe5, `${canary} vendor`),
      segment(0xed, sampleIptc()),
      segment(0xfe, `${canary} comment`),
    ),
    Buffer.from(`${canary} after the end`),
  ])

/** A PNG with more chunks right after its header. */
export function withPngChunks(file: Buffer, ...chunks: [type: string, data: Buffer][]): Buffer {
  const packed = chunks.map(([type, data]) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    size.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([size, body, sum])
  })
  return Buffer.concat([file.subarray(0, 33), ...packed, file.subarray(33)])
}

export const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../fixtures', name))

/** One field of an EXIF directory: numbers are SHORT, text is ASCII, pairs are RATIONAL, bytes are UNDEFINED. */
type ExifField = [tag: number, value: number | string | [number, number][] | Uint8Array]

interface Directories {
  main?: ExifField[]
  exif?: ExifField[]
  gps?: ExifField[]
  /** Reached through the `exif` directory. */
  interoperability?: ExifField[]
  /** A small JPEG in the second directory, as cameras put it there. */
  thumbnail?: Uint8Array
}

/** A little-endian TIFF structure, as cameras write it. It shares no code with the reader. */
export function exifBlock({ main = [], exif, gps, interoperability, thumbnail }: Directories): Buffer {
  const size = (fields: number): number => 2 + fields * 12 + 4
  const count = main.length + (exif ? 1 : 0) + (gps ? 1 : 0)
  const exifAt = 8 + size(count)
  const gpsAt = exifAt + (exif ? size(exif.length + (interoperability ? 1 : 0)) : 0)
  const interoperabilityAt = gpsAt + (gps ? size(gps.length) : 0)
  const secondAt = interoperabilityAt + (interoperability ? size(interoperability.length) : 0)
  let heapAt = secondAt + (thumbnail ? size(2) : 0)
  const heap: Buffer[] = []
  const store = (bytes: Buffer): number => {
    heap.push(bytes)
    heapAt += bytes.length
    return heapAt - bytes.length
  }
  const entry = (tag: number, type: number, values: { count: number; bytes: Buffer }): Buffer => {
    const out = Buffer.alloc(12)
    out.writeUInt16LE(tag, 0)
    out.writeUInt16LE(type, 2)
    out.writeUInt32LE(values.count, 4)
    if (values.bytes.length <= 4) values.bytes.copy(out, 8)
    else out.writeUInt32LE(store(values.bytes), 8)
    return out
  }
  const field = ([tag, value]: ExifField): Buffer => {
    if (typeof value === 'number') return entry(tag, 3, { count: 1, bytes: short(value) })
    if (typeof value === 'string')
      return entry(tag, 2, { count: value.length + 1, bytes: Buffer.from(`${value}\0`, 'latin1') })
    if (value instanceof Uint8Array) return entry(tag, 7, { count: value.length, bytes: Buffer.from(value) })
    return entry(tag, 5, { count: value.length, bytes: Buffer.concat(value.flat().map(long)) })
  }
  const pointer = (tag: number, at: number): Buffer => entry(tag, 4, { count: 1, bytes: long(at) })
  const directory = (entries: Buffer[], next: number): Buffer =>
    Buffer.concat([short(entries.length), ...entries.toSorted(byTag), long(next)])
  const first = main.map(field)
  if (exif) first.push(pointer(0x8769, exifAt))
  if (gps) first.push(pointer(0x8825, gpsAt))
  const parts = [Buffer.from('II*\0\x08\0\0\0', 'latin1'), directory(first, thumbnail ? secondAt : 0)]
  if (exif) {
    const link = interoperability ? [pointer(0xa005, interoperabilityAt)] : []
    parts.push(directory([...exif.map(field), ...link], 0))
  }
  if (gps) parts.push(directory(gps.map(field), 0))
  if (interoperability) parts.push(directory(interoperability.map(field), 0))
  if (thumbnail) {
    const at = store(Buffer.from(thumbnail))
    parts.push(directory([pointer(0x0201, at), pointer(0x0202, thumbnail.length)], 0))
  }
  return Buffer.concat([...parts, ...heap])
}

const byTag = (one: Buffer, other: Buffer): number => one.readUInt16LE(0) - other.readUInt16LE(0)

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** The mean colour in the middle of each quadrant of an image, as a viewer shows it. */
export async function quadrantMeans(image: Buffer): Promise<number[][]> {
  const { data, info } = await sharp(image)
    .autoOrient()
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return [0, 1, 2, 3].map((quadrant) => {
    const x = Math.round(width * (quadrant % 2 ? 0.75 : 0.25))
    const y = Math.round(height * (quadrant > 1 ? 0.75 : 0.25))
    const reach = Math.max(1, Math.floor(Math.min(width, height) / 10))
    const sums: [number, number, number] = [0, 0, 0]
    for (let row = y - reach; row < y + reach; row++) {
      for (let column = x - reach; column < x + reach; column++) {
        const at = (row * width + column) * channels
        for (const channel of [0, 1, 2] as const) sums[channel] += data[at + (channels < 3 ? 0 : channel)]!
      }
    }
    return sums.map((sum) => sum / (2 * reach) ** 2)
  })
}

/** How far the quadrants are from their expected colours: the largest difference in any channel. */
export async function colourError(
  image: Buffer,
  expected: readonly (readonly number[])[] = quadrantColours,
): Promise<number> {
  const means = await quadrantMeans(image)
  return Math.max(
    ...means.flatMap((mean, quadrant) => mean.map((value, c) => Math.abs(value - expected[quadrant]![c]!))),
  )
}

/** Decoded pixels, as stored. */
export const pixelsOf = (image: Buffer): Promise<Buffer> => sharp(image).raw().toBuffer()

/** Whether two files have any sixteen consecutive bytes in common. */
export function haveCommonBytes(one: Buffer, other: Buffer): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one]
  const sequences = new Set<string>()
  for (let at = 0; at + 16 <= shorter.length; at++) sequences.add(shorter.toString('latin1', at, at + 16))
  const found = (at: number): boolean => sequences.has(longer.toString('latin1', at, at + 16))
  for (let at = 0; at + 16 <= longer.length; at++) if (found(at)) return true
  return false
}
