/** One field of an EXIF directory: numbers are SHORT, text is ASCII, pairs are RATIONAL, bytes are UNDEFINED. */
export type ExifField = [tag: number, value: number | string | [number, number][] | Uint8Array]

export interface Directories {
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
