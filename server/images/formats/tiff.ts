import { open } from 'node:fs/promises'
import { concatBytes } from '../bytes.ts'

/** Uncompressed pixels: 8 bits per channel, row by row, three channels or four with alpha. */
export interface RawImage {
  width: number
  height: number
  channels: 3 | 4
  /** An ICC profile. */
  profile: Uint8Array | null
  /** 1 to 8, as EXIF numbers them. */
  orientation: number
}

const rowsPerStrip = 64
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
