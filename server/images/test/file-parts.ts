/** A segment, chunk or block of an image file. */
export interface FilePart {
  name: string
  bytes: Buffer
}

/** The parts of an image file, in order. Shares no code with the readers of the program. */
export function filePartsOf(file: Buffer): FilePart[] {
  if (file.readUInt16BE(0) === 0xffd8) return jpegParts(file)
  if (file.toString('latin1', 1, 4) === 'PNG') return pngParts(file)
  if (file.toString('latin1', 0, 3) === 'GIF') return gifParts(file)
  if (file.toString('latin1', 8, 12) === 'WEBP') return webpParts(file)
  throw new Error('not a format that is served')
}

export const partNames = (file: Buffer): string[] => filePartsOf(file).map(({ name }) => name)

function jpegParts(file: Buffer): FilePart[] {
  const parts: FilePart[] = []
  let at = 2
  while (at < file.length) {
    if (file[at] !== 0xff) throw new Error(`no marker at ${at}`)
    const marker = file[at + 1]!
    const name = marker.toString(16)
    if (marker === 0xd9) {
      parts.push({ name, bytes: Buffer.alloc(0) })
      if (at + 2 < file.length) parts.push({ name: 'trailing', bytes: file.subarray(at + 2) })
      return parts
    }
    const end = at + 2 + file.readUInt16BE(at + 2)
    parts.push({ name, bytes: file.subarray(at + 4, end) })
    at = end
    if (marker !== 0xda) continue
    do at = file.indexOf(0xff, at + 1)
    while (file[at + 1] === 0 || (file[at + 1]! >= 0xd0 && file[at + 1]! <= 0xd7))
    parts.push({ name: 'scan', bytes: file.subarray(end, at) })
  }
  throw new Error('no end')
}

function pngParts(file: Buffer): FilePart[] {
  const parts: FilePart[] = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const start = at + 8
    parts.push({
      name: file.toString('latin1', at + 4, start),
      bytes: file.subarray(start, start + file.readUInt32BE(at)),
    })
  }
  return parts
}

function webpParts(file: Buffer): FilePart[] {
  const parts: FilePart[] = []
  for (let at = 12; at < file.length;) {
    const size = file.readUInt32LE(at + 4)
    parts.push({ name: file.toString('latin1', at, at + 4), bytes: file.subarray(at + 8, at + 8 + size) })
    at += 8 + size + (size % 2)
  }
  return parts
}

function gifParts(file: Buffer): FilePart[] {
  const palette = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const parts: FilePart[] = []
  let at = 13 + palette(file[10]!)
  for (;;) {
    const blockType = file[at]!
    if (blockType === 0x3b) {
      if (at + 1 < file.length) parts.push({ name: 'trailing', bytes: file.subarray(at + 1) })
      return parts
    }
    const label = blockType === 0x2c ? 'frame' : file[at + 1]!.toString(16)
    const start = blockType === 0x2c ? at + 11 + palette(file[at + 9]!) : at + 2
    let end = start
    while (file[end] !== 0) end += file[end]! + 1
    parts.push({ name: label, bytes: file.subarray(start, end) })
    at = end + 1
  }
}
