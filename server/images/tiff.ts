import { joined } from './bytes.ts'

/** Pixels without compression: 8 bits a channel, row by row, three channels or four with alpha. */
export interface RawPicture {
  width: number
  height: number
  channels: 3 | 4
  /** ICC. */
  profile: Uint8Array | null
  /** As EXIF numbers it. */
  orientation: number
}

const rowsPerStrip = 64

/**
 * The start of an uncompressed little-endian TIFF file (TIFF 6.0); the pixels follow it directly. This is how decoded
 * pixels reach libvips together with their profile and orientation.
 */
export function tiffStart({ width, height, channels, profile, orientation }: RawPicture): Uint8Array {
  const strips = Math.ceil(height / rowsPerStrip)
  const rowBytes = width * channels
  const entries: Entry[] = [
    { tag: 256, type: long, values: [width] },
    { tag: 257, type: long, values: [height] },
    { tag: 258, type: short, values: Array.from({ length: channels }, () => 8) },
    { tag: 259, type: short, values: [1] },
    { tag: 262, type: short, values: [2] },
    { tag: 273, type: long, values: Array.from({ length: strips }, (_, i) => i * rowsPerStrip * rowBytes) },
    { tag: 274, type: short, values: [orientation] },
    { tag: 277, type: short, values: [channels] },
    { tag: 278, type: long, values: [rowsPerStrip] },
    {
      tag: 279,
      type: long,
      values: Array.from({ length: strips }, (_, i) => Math.min(rowsPerStrip, height - i * rowsPerStrip) * rowBytes),
    },
  ]
  // Unassociated alpha.
  if (channels === 4) entries.push({ tag: 338, type: short, values: [2] })
  if (profile) entries.push({ tag: 34675, type: undefinedBytes, values: profile })
  // Where the strips lie does not change how long the start is.
  const { length } = laidOut(entries)
  entries[5]!.values = Array.from(entries[5]!.values, (offset) => offset + length)
  return laidOut(entries)
}

const short = { code: 3, bytes: 2 } as const
const long = { code: 4, bytes: 4 } as const
const undefinedBytes = { code: 7, bytes: 1 } as const

interface Entry {
  tag: number
  type: typeof short | typeof long | typeof undefinedBytes
  values: ArrayLike<number>
}

function laidOut(entries: Entry[]): Uint8Array {
  const directory = Buffer.alloc(8 + 2 + entries.length * 12 + 4)
  directory.write('II*\0\x08\0\0\0', 'latin1')
  directory.writeUInt16LE(entries.length, 8)
  const tail: Uint8Array[] = []
  let end = directory.length
  entries.forEach(({ tag, type, values }, i) => {
    const at = 10 + i * 12
    const data = Buffer.alloc(Math.max(4, Math.ceil((values.length * type.bytes) / 4) * 4))
    for (let k = 0; k < values.length; k++) data.writeUIntLE(values[k]!, k * type.bytes, type.bytes)
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(type.code, at + 2)
    directory.writeUInt32LE(values.length, at + 4)
    if (values.length * type.bytes <= 4) data.copy(directory, at + 8)
    else {
      directory.writeUInt32LE(end, at + 8)
      tail.push(data)
      end += data.length
    }
  })
  return joined([directory, ...tail])
}
