import { be16, be32, concatBytes, le16, le32 } from '../bytes.ts'
import { refuseFile } from '../refusal.ts'

/** A TIFF file whose tiles have one channel each, which libvips does not read. */
export interface PlanarTiff {
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

const rowsPerStrip = 64
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
