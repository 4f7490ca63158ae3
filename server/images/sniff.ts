import { be16, be32, le16, le32, startsWith } from './bytes.ts'
import { brandsOf, readHeif } from './boxes.ts'

export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'tiff' | 'heic'

/** How much of a file's start is worth showing to `sniff`, in bytes. */
export const sniffBytes = 256 * 1024

/** What the first bytes of a file say about it. */
export interface Sniffed {
  format: ImageFormat
  /** Pixels as stored, before any orientation; null while the header does not show them. */
  width: number | null
  height: number | null
  /** Frames seen so far; a hint, since the file may go on. */
  frames: number
}

type Found = { width: number; height: number; frames?: number } | null

/**
 * Tells a picture's format by content, never by name, and its size when the header is there. May be called again and
 * again on a growing start of the file; null when it is none of ours, or when 32 bytes are not there yet to tell. Never
 * throws and never reads past the end. Camera raw files are TIFF inside and
 * carry only a small preview in front: they are none of ours.
 */
export function sniff(b: Uint8Array): Sniffed | null {
  const format = formatOf(b)
  if (!format) return null
  const found = readers[format](b)
  const real = found !== null && found.width > 0 && found.height > 0
  return {
    format,
    width: real ? found.width : null,
    height: real ? found.height : null,
    frames: Math.max(1, found?.frames ?? 1),
  }
}

const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'])
const avifBrands = new Set(['avif', 'avis'])
const generalBrands = new Set(['mif1', 'msf1', 'miaf'])

function formatOf(b: Uint8Array): ImageFormat | null {
  if (b[0] === 0xff && b[1] === 0xd8 && b[2] === 0xff) return 'jpeg'
  if (startsWith(b, 0, '\x89PNG\r\n\x1a\n')) return 'png'
  if (startsWith(b, 0, 'GIF87a') || startsWith(b, 0, 'GIF89a')) return 'gif'
  if (startsWith(b, 0, 'RIFF') && startsWith(b, 8, 'WEBP')) return 'webp'
  if (startsWith(b, 0, 'II*\0') || startsWith(b, 0, 'MM\0*')) return isRaw(b) ? null : 'tiff'
  const [main = '', ...others] = brandsOf(b)
  // `mif1` and its like only say "a picture"; then the others are asked.
  const telling = generalBrands.has(main) ? others : [main]
  if (telling.some((brand) => avifBrands.has(brand))) return 'avif'
  if (telling.some((brand) => heicBrands.has(brand))) return 'heic'
  return null
}

const readers: Record<ImageFormat, (b: Uint8Array) => Found> = {
  jpeg: readJpegSize,
  png: readPng,
  gif: readGif,
  webp: readWebp,
  avif: readHeifSize,
  heic: readHeifSize,
  tiff: readTiff,
}

function readJpegSize(b: Uint8Array): Found {
  let at = 2
  while (at + 4 <= b.length) {
    const marker = b[at + 1]!
    if (b[at] !== 0xff) return null
    if (marker === 0xff) at++
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { width: be16(b, at + 7), height: be16(b, at + 5) }
    else if (marker === 0xd9 || marker === 0xda) return null
    else at += 2 + Math.max(2, be16(b, at + 2))
  }
  return null
}

function readPng(b: Uint8Array): Found {
  if (!startsWith(b, 12, 'IHDR')) return null
  // `acTL` (animated PNG) stands before the first data chunk.
  let at = 8
  let frames = 1
  while (at + 12 <= b.length && !startsWith(b, at + 4, 'IDAT')) {
    if (startsWith(b, at + 4, 'acTL')) frames = be32(b, at + 8)
    at += 12 + be32(b, at)
  }
  return { width: be32(b, 16), height: be32(b, 20), frames }
}

function readGif(b: Uint8Array): Found {
  const size = { width: le16(b, 6), height: le16(b, 8) }
  let frames = 0
  let at = 13 + paletteBytes(b[10])
  while (at < b.length) {
    if (b[at] === 0x2c) {
      frames++
      at = pastBlocks(b, at + 11 + paletteBytes(b[at + 9]))
    } else if (b[at] === 0x21) at = pastBlocks(b, at + 2)
    else break
  }
  return { ...size, frames }
}

const paletteBytes = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Past a chain of GIF data blocks: each its length, the last one empty. */
function pastBlocks(b: Uint8Array, from: number): number {
  let at = from
  while (at < b.length && b[at] !== 0) at += b[at]! + 1
  return at + 1
}

function readWebp(b: Uint8Array): Found {
  if (b.length < 31) return null
  if (startsWith(b, 12, 'VP8X')) {
    let frames = 0
    for (let at = 12; at + 8 <= b.length; at += 8 + le32(b, at + 4) + (le32(b, at + 4) & 1))
      if (startsWith(b, at, 'ANMF')) frames++
    return { width: (le32(b, 24) & 0xffffff) + 1, height: (le32(b, 27) & 0xffffff) + 1, frames }
  }
  if (startsWith(b, 12, 'VP8L')) {
    const bits = le32(b, 21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (!startsWith(b, 12, 'VP8 ')) return null
  return { width: le16(b, 26) & 0x3fff, height: le16(b, 28) & 0x3fff }
}

function readHeifSize(b: Uint8Array): Found {
  const header = readHeif(b)
  const size = header?.properties.find(({ type }) => type === 'ispe')
  if (!header || !size) return null
  return { width: be32(b, size.start + 4), height: be32(b, size.start + 8) }
}

/** The values of the first directory's single numbers, by tag. */
function tiffNumbers(b: Uint8Array): Map<number, number> {
  const [u16, u32] = b[0] === 0x49 ? [le16, le32] : [be16, be32]
  const start = u32(b, 4)
  const numbers = new Map<number, number>()
  for (let i = 0; i < Math.min(u16(b, start), 512); i++) {
    const at = start + 2 + i * 12
    numbers.set(u16(b, at), u16(b, at + 2) === 3 ? u16(b, at + 8) : u32(b, at + 8))
  }
  return numbers
}

function readTiff(b: Uint8Array): Found {
  const numbers = tiffNumbers(b)
  const width = numbers.get(256)
  const height = numbers.get(257)
  return width && height ? { width, height } : null
}

/** Canon's mark, a DNG version, or a first picture that says it is the small copy of another. */
function isRaw(b: Uint8Array): boolean {
  if (startsWith(b, 8, 'CR')) return true
  const numbers = tiffNumbers(b)
  return numbers.has(0xc612) || ((numbers.get(254) ?? 0) & 1) === 1
}
