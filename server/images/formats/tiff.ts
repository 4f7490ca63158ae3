import { open } from 'node:fs/promises'
import { be16, be32, concatBytes, le16, le32 } from '../bytes.ts'
import { refuseFile } from '../protocol.ts'

const rowsPerStrip = 64

/** Uncompressed pixels: 8 bits per channel, row by row, three channels or four with alpha. */
interface RawImage {
  width: number
  height: number
  channels: 3 | 4
  /** An ICC profile. */
  profile: Uint8Array | null
  /** 1 to 8, as EXIF numbers them. */
  orientation: number
}
const chunkBytes = 1024 * 1024

/** Writes a TIFF file in chunks of bounded size. `rowsOf` returns the pixels of so many rows, from a row on. */
export async function writeTiff(
  path: string,
  image: RawImage,
  rowsOf: (firstRow: number, rows: number) => Uint8Array,
): Promise<void> {
  const rowsPerChunk = Math.max(1, Math.floor(chunkBytes / (image.width * image.channels)))
  const file = await open(path, 'w')
  try {
    await file.writeFile(tiffHeader(image))
    for (let firstRow = 0; firstRow < image.height; firstRow += rowsPerChunk)
      await file.writeFile(rowsOf(firstRow, Math.min(rowsPerChunk, image.height - firstRow)))
  } finally {
    await file.close()
  }
}

/**
 * The header of an uncompressed little-endian TIFF file (TIFF 6.0); the pixels follow it directly. This is how decoded
 * pixels are passed to libvips together with their profile and orientation.
 */
function tiffHeader(image: RawImage): Uint8Array {
  // The offsets of the strips do not change the length of the header.
  const { length } = encodeIfd(ifdEntries(image, 0))
  return encodeIfd(ifdEntries(image, length))
}

const SHORT = { code: 3, bytes: 2 } as const
const LONG = { code: 4, bytes: 4 } as const
const UNDEFINED = { code: 7, bytes: 1 } as const

interface IfdEntry {
  tag: number
  type: typeof SHORT | typeof LONG | typeof UNDEFINED
  values: readonly number[]
}

/** The directory of an image whose pixels begin at an offset. */
function ifdEntries({ width, height, channels, profile, orientation }: RawImage, pixelsAt: number): IfdEntry[] {
  const rowBytes = width * channels
  const strips = Array.from({ length: Math.ceil(height / rowsPerStrip) }, (_, index) => ({
    offset: pixelsAt + index * rowsPerStrip * rowBytes,
    bytes: Math.min(rowsPerStrip, height - index * rowsPerStrip) * rowBytes,
  }))
  return [
    { tag: 256, type: LONG, values: [width] },
    { tag: 257, type: LONG, values: [height] },
    { tag: 258, type: SHORT, values: Array.from({ length: channels }, () => 8) },
    { tag: 259, type: SHORT, values: [1] },
    { tag: 262, type: SHORT, values: [2] },
    { tag: 273, type: LONG, values: strips.map(({ offset }) => offset) },
    { tag: 274, type: SHORT, values: [orientation] },
    { tag: 277, type: SHORT, values: [channels] },
    { tag: 278, type: LONG, values: [rowsPerStrip] },
    { tag: 279, type: LONG, values: strips.map(({ bytes }) => bytes) },
    // Unassociated alpha.
    ...(channels === 4 ? [{ tag: 338, type: SHORT, values: [2] }] : []),
    ...(profile ? [{ tag: 34675, type: UNDEFINED, values: [...profile] }] : []),
  ]
}

function encodeIfd(entries: readonly IfdEntry[]): Uint8Array {
  const directory = Buffer.alloc(8 + 2 + entries.length * 12 + 4)
  directory.write('II*\0\x08\0\0\0', 'latin1')
  directory.writeUInt16LE(entries.length, 8)
  const values: Buffer[] = []
  let end = directory.length
  entries.forEach((entry, index) => {
    const at = 10 + index * 12
    const value = encodeValues(entry)
    directory.writeUInt16LE(entry.tag, at)
    directory.writeUInt16LE(entry.type.code, at + 2)
    directory.writeUInt32LE(entry.values.length, at + 4)
    if (value.length <= 4) value.copy(directory, at + 8)
    else {
      directory.writeUInt32LE(end, at + 8)
      values.push(value)
      end += value.length
    }
  })
  return concatBytes([directory, ...values])
}

/** Padded to whole words of four bytes. */
function encodeValues({ type, values }: IfdEntry): Buffer {
  const encoded = Buffer.alloc(Math.max(4, Math.ceil((values.length * type.bytes) / 4) * 4))
  values.forEach((value, index) => encoded.writeUIntLE(value, index * type.bytes, type.bytes))
  return encoded
}

/** A TIFF file whose tiles have one channel each, which libvips does not read. */
interface PlanarTiff {
  width: number
  height: number
  channels: number
  /** The same file with each channel as a page of its own, which libvips reads. */
  channelPages: Uint8Array
  /** The same file with channels of 8 bits side by side, uncompressed, in rows; these follow directly. */
  interleavedHead: Uint8Array
}

/** The 12 bytes of an entry as the file has them, or numbers. */
type Field = Uint8Array | readonly number[]

const maxChannels = 5
/** Size, order of bits, predictor, size of tiles, tables of JPEG: what the tiles of one channel are decoded with. */
const tagsOfTiles = [256, 257, 259, 266, 317, 322, 323, 347]
/** Grey, RGB and CMYK; channels of other colours may differ in size. */
const colours = [0, 1, 2, 5]

/** Null unless the file is a picture in tiles of one channel each, of 8 or 16 bits. Trusts no number of the file. */
export function readPlanarTiff(file: Uint8Array): PlanarTiff | null {
  const isLittle = file[0] === 0x49
  const [u16, u32] = isLittle ? [le16, le32] : [be16, be32]
  const start = u32(file, 4)
  const fields = new Map<number, Uint8Array>()
  for (let i = 0; i < Math.min(u16(file, start), 512); i++) {
    const entry = file.subarray(start + 2 + i * 12, start + 14 + i * 12)
    if (entry.length === 12) fields.set(u16(entry, 0), entry)
  }
  const numbersOf = (tag: number): number[] => {
    const entry = fields.get(tag)
    if (!entry) return []
    const [type, count] = [u16(entry, 2), u32(entry, 4)]
    const size = type === 3 ? 2 : 4
    if ((type !== 3 && type !== 4) || count * size > file.length) return []
    const [bytes, at] = count * size > 4 ? [file, u32(entry, 8)] : [entry, 8]
    return Array.from({ length: count }, (_, nth) => (type === 3 ? u16 : u32)(bytes, at + nth * size))
  }
  const numberOf = (tag: number, otherwise = Number.NaN): number => numbersOf(tag)[0] ?? otherwise

  const [width, height, channels] = [numberOf(256), numberOf(257), numberOf(277, 1)]
  const tiles = Math.ceil(width / numberOf(322)) * Math.ceil(height / numberOf(323))
  const [offsets, sizes, bits] = [numbersOf(324), numbersOf(325), numbersOf(258)]
  const [depth = 0] = bits
  const isReadable =
    numberOf(284) === 2 &&
    channels >= 1 &&
    channels <= maxChannels &&
    colours.includes(numberOf(262)) &&
    offsets.length === tiles * channels &&
    sizes.length === offsets.length &&
    (depth === 8 || depth === 16) &&
    bits.every((one) => one === depth) &&
    numbersOf(339).every((format) => format === 1)
  if (!isReadable) return null
  // What is written after the end of the file would be taken for the missing pixels.
  if (offsets.some((offset, nth) => !(offset + (sizes[nth] ?? 0) <= file.length))) return refuseFile('damaged')

  const shared = new Map<number, Field>([...fields].filter(([tag]) => tagsOfTiles.includes(tag)))
  const pages = Array.from({ length: channels }, (_, channel): Map<number, Field> => {
    const ofChannel = (numbers: readonly number[]): number[] => numbers.slice(channel * tiles, (channel + 1) * tiles)
    return new Map([
      ...shared,
      [258, [depth]],
      [262, [1]],
      [277, [1]],
      [284, [1]],
      [324, ofChannel(offsets)],
      [325, ofChannel(sizes)],
    ])
  })

  const rowBytes = width * channels
  const strips = Array.from({ length: Math.ceil(height / rowsPerStrip) }, (_, nth) => nth * rowsPerStrip)
  const interleaved = (pixelsAt: number): Map<number, Field> => {
    const kept = [...fields].filter(([tag]) => ![266, 317, 322, 323, 324, 325, 339, 347].includes(tag))
    return new Map<number, Field>([
      ...kept,
      [258, bits.map(() => 8)],
      [259, [1]],
      [273, strips.map((row) => pixelsAt + row * rowBytes)],
      [278, [rowsPerStrip]],
      [279, strips.map((row) => Math.min(rowsPerStrip, height - row) * rowBytes)],
      [284, [1]],
    ])
  }
  const { length } = withDirectories(file, [interleaved(0)], isLittle)
  return {
    width,
    height,
    channels,
    channelPages: withDirectories(file, pages, isLittle),
    interleavedHead: withDirectories(file, [interleaved(length)], isLittle),
  }
}

/** The file with other directories, at its end: what their entries refer to stays where it is. */
function withDirectories(
  file: Uint8Array,
  directories: readonly ReadonlyMap<number, Field>[],
  isLittle: boolean,
): Uint8Array {
  const copy = concatBytes([file, new Uint8Array(file.length % 2)])
  const parts = [copy]
  let at = copy.length
  new DataView(copy.buffer).setUint32(4, at, isLittle)
  directories.forEach((fields, nth) => {
    const directory = encodeDirectory(fields, { at, isLittle, isLast: nth === directories.length - 1 })
    parts.push(directory)
    at += directory.length
  })
  return concatBytes(parts)
}

function encodeDirectory(
  fields: ReadonlyMap<number, Field>,
  { at, isLittle, isLast }: { at: number; isLittle: boolean; isLast: boolean },
): Uint8Array<ArrayBuffer> {
  const sorted = [...fields].toSorted(([one], [other]) => one - other)
  const isLong = (field: Field): boolean => !(field instanceof Uint8Array) && field.length > 1
  let end = 2 + sorted.length * 12 + 4
  const size = sorted.reduce((sum, [, field]) => sum + (isLong(field) ? field.length * 4 : 0), end)
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, sorted.length, isLittle)
  view.setUint32(end - 4, isLast ? 0 : at + size, isLittle)
  sorted.forEach(([tag, field], nth) => {
    const entry = 2 + nth * 12
    if (field instanceof Uint8Array) return bytes.set(field, entry)
    view.setUint16(entry, tag, isLittle)
    view.setUint16(entry + 2, 4, isLittle)
    view.setUint32(entry + 4, field.length, isLittle)
    const valuesAt = isLong(field) ? end : entry + 8
    if (isLong(field)) view.setUint32(entry + 8, at + end, isLittle)
    field.forEach((value, index) => view.setUint32(valuesAt + index * 4, value, isLittle))
    if (isLong(field)) end += field.length * 4
  })
  return bytes
}
