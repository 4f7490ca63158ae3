const bytesOfType = { 2: 1, 3: 2, 4: 4 } as const

/** An entry of a TIFF directory: text (2), 16-bit (3) or 32-bit (4) numbers. */
interface Entry {
  tag: number
  type: 2 | 3 | 4
  values: readonly number[]
}

/** What differs from an uncompressed picture of 8 bits in RGB. */
interface TiffOptions {
  compression?: number
  /** 2: each channel in strips of its own. */
  planar?: 1 | 2
  photometric?: number
  /** Of each channel. */
  bits?: 8 | 16 | 32
  /** Channels besides the three, of unspecified meaning. */
  further?: number
  /** The side of square tiles, which are then passed instead of strips. */
  tile?: number
  more?: Entry[]
}

/** A TIFF file of three or more channels, whose picture data are at its end. Shares no code with the program. */
export function tiffFile(
  { width, height }: { width: number; height: number },
  strips: readonly Buffer[],
  { compression = 1, planar = 1, photometric = 2, bits = 8, further = 0, tile, more = [] }: TiffOptions = {},
): Buffer {
  const number = (tag: number, type: 3 | 4, ...values: number[]): Entry => ({ tag, type, values })
  const entries = (dataAt: number): Entry[] =>
    [
      number(256, 4, width),
      number(257, 4, height),
      number(258, 3, ...Array.from({ length: 3 + further }, () => bits)),
      number(259, 3, compression),
      number(262, 3, photometric),
      number(tile ? 324 : 273, 4, ...strips.map((_, index) => dataAt + Buffer.concat(strips.slice(0, index)).length)),
      number(277, 3, 3 + further),
      ...(further > 0 ? [number(338, 3, ...Array.from({ length: further }, () => 0))] : []),
      ...(tile ? [number(322, 4, tile), number(323, 4, tile)] : [number(278, 4, height)]),
      number(tile ? 325 : 279, 4, ...strips.map(({ length }) => length)),
      number(284, 3, planar),
      ...more,
    ].toSorted((one, other) => one.tag - other.tag)
  const header = encodeEntries(entries(0))
  return Buffer.concat([encodeEntries(entries(header.length)), ...strips])
}

function encodeEntries(entries: Entry[]): Buffer {
  const directory = Buffer.alloc(8 + 2 + entries.length * 12 + 4)
  directory.write('II*\0\x08\0\0\0', 'latin1')
  directory.writeUInt16LE(entries.length, 8)
  const further: Buffer[] = []
  let end = directory.length
  entries.forEach(({ tag, type, values }, index) => {
    const at = 10 + index * 12
    const encoded = Buffer.alloc(Math.max(4, values.length * bytesOfType[type]))
    values.forEach((value, nth) => encoded.writeUIntLE(value, nth * bytesOfType[type], bytesOfType[type]))
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(values.length, at + 4)
    if (encoded.length === 4) return void encoded.copy(directory, at + 8)
    directory.writeUInt32LE(end, at + 8)
    further.push(encoded)
    end += encoded.length
  })
  return Buffer.concat([directory, ...further])
}
