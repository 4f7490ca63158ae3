import { be16, be32, byteAt, hasText, le16, le32 } from '../bytes.ts'
import { boxesIn, brandsOf, readHeif } from './heif-boxes.ts'

export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'tiff' | 'heic'

/** How many bytes from the start of a file `sniff` needs at most. */
export const sniffBytes = 256 * 1024

export interface Sniffed {
  format: ImageFormat
  /** Pixels as stored, before orientation; null as long as the header does not say. */
  width: number | null
  height: number | null
  /** Frames found so far; the file may have more. */
  frames: number
}

type SizeFound = { width: number; height: number; frames?: number } | null

/**
 * Detects the format of a picture by its content, never by its name, and its size if the header is complete. May be called
 * repeatedly while a file is being received. Null for a format that is not accepted, and when there are not enough bytes to
 * tell (32 always are). Never throws, and never reads past the end. Camera raw files are not accepted: they are TIFF files
 * whose first picture is a small preview.
 */
export function sniff(file: Uint8Array): Sniffed | null {
  const format = detectFormat(file)
  if (!format) return null
  const found = sizeReaders[format](file)
  const isValid = found !== null && found.width > 0 && found.height > 0
  return {
    format,
    width: isValid ? found.width : null,
    height: isValid ? found.height : null,
    frames: Math.max(1, found?.frames ?? 1),
  }
}

const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'])
const avifBrands = new Set(['avif', 'avis'])
const genericBrands = new Set(['mif1', 'msf1', 'miaf'])

function detectFormat(file: Uint8Array): ImageFormat | null {
  if (file[0] === 0xff && file[1] === 0xd8 && file[2] === 0xff) return 'jpeg'
  if (hasText(file, 0, '\x89PNG\r\n\x1a\n')) return 'png'
  if (hasText(file, 0, 'GIF87a') || hasText(file, 0, 'GIF89a')) return 'gif'
  if (hasText(file, 0, 'RIFF') && hasText(file, 8, 'WEBP')) return 'webp'
  if (hasText(file, 0, 'II*\0') || hasText(file, 0, 'MM\0*')) return isCameraRaw(file) ? null : 'tiff'
  const [major = '', ...compatible] = brandsOf(file)
  // A generic brand does not name the codec; the compatible brands do.
  const brands = genericBrands.has(major) ? compatible : [major]
  if (brands.some((brand) => avifBrands.has(brand))) return 'avif'
  if (brands.some((brand) => heicBrands.has(brand))) return 'heic'
  return null
}

const sizeReaders: Record<ImageFormat, (file: Uint8Array) => SizeFound> = {
  jpeg: readJpegSize,
  png: readPngSize,
  gif: readGifSize,
  webp: readWebpSize,
  avif: readHeifSize,
  heic: readHeifSize,
  tiff: readTiffSize,
}

function readJpegSize(file: Uint8Array): SizeFound {
  let at = 2
  while (at + 4 <= file.length) {
    const marker = byteAt(file, at + 1)
    if (file[at] !== 0xff) return null
    if (marker === 0xff) at++
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { width: be16(file, at + 7), height: be16(file, at + 5) }
    else if (marker === 0xd9 || marker === 0xda) return null
    // TEM, restart markers and SOI have no length; decoders skip them.
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else at += 2 + Math.max(2, be16(file, at + 2))
  }
  return null
}

function readPngSize(file: Uint8Array): SizeFound {
  if (!hasText(file, 12, 'IHDR')) return null
  // Only the first frame of an animated PNG is ever decoded, so the number that it states for its frames does not matter.
  return { width: be32(file, 16), height: be32(file, 20) }
}

function readGifSize(file: Uint8Array): SizeFound {
  const size = { width: le16(file, 6), height: le16(file, 8) }
  let frames = 0
  let at = 13 + paletteBytes(file[10])
  while (at < file.length) {
    if (file[at] === 0x2c) {
      frames++
      at = skipSubBlocks(file, at + 11 + paletteBytes(file[at + 9]))
    } else if (file[at] === 0x21) at = skipSubBlocks(file, at + 2)
    else break
  }
  return { ...size, frames }
}

const paletteBytes = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Where a chain of GIF sub-blocks ends: each starts with its length, and the last one is empty. */
function skipSubBlocks(file: Uint8Array, start: number): number {
  let at = start
  while (at < file.length && file[at] !== 0) at += byteAt(file, at) + 1
  return at + 1
}

function readWebpSize(file: Uint8Array): SizeFound {
  if (file.length < 31) return null
  if (hasText(file, 12, 'VP8X')) {
    let frames = 0
    for (let at = 12; at + 8 <= file.length; at += 8 + le32(file, at + 4) + (le32(file, at + 4) & 1))
      if (hasText(file, at, 'ANMF')) frames++
    return { width: (le32(file, 24) & 0xffffff) + 1, height: (le32(file, 27) & 0xffffff) + 1, frames }
  }
  if (hasText(file, 12, 'VP8L')) {
    const bits = le32(file, 21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (!hasText(file, 12, 'VP8 ')) return null
  return { width: le16(file, 26) & 0x3fff, height: le16(file, 28) & 0x3fff }
}

function readHeifSize(file: Uint8Array): SizeFound {
  const size = readHeif(file)?.properties.find(({ type }) => type === 'ispe')
  return size ? { width: be32(file, size.start + 4), height: be32(file, size.start + 8) } : null
}

/** The tags with a single number in the first directory of a TIFF file. */
function readTiffTags(file: Uint8Array): Map<number, number> {
  const [u16, u32] = file[0] === 0x49 ? [le16, le32] : [be16, be32]
  const start = u32(file, 4)
  const tiffTags = new Map<number, number>()
  for (let i = 0; i < Math.min(u16(file, start), 512); i++) {
    const at = start + 2 + i * 12
    tiffTags.set(u16(file, at), u16(file, at + 2) === 3 ? u16(file, at + 8) : u32(file, at + 8))
  }
  return tiffTags
}

function readTiffSize(file: Uint8Array): SizeFound {
  const tiffTags = readTiffTags(file)
  const width = tiffTags.get(256)
  const height = tiffTags.get(257)
  return width && height ? { width, height } : null
}

/** The mark of Canon, a DNG version, or a first picture that is marked as a reduced copy of another one. */
function isCameraRaw(file: Uint8Array): boolean {
  if (hasText(file, 8, 'CR')) return true
  const tiffTags = readTiffTags(file)
  return tiffTags.has(0xc612) || ((tiffTags.get(254) ?? 0) & 1) === 1
}

/** The limits of animations: number of frames, and megapixels over all frames. */
export const animationLimits = { frames: 200, megapixels: 40 } as const

/** Whether an animation of so many frames of a size is longer or larger than the limits. `maxMegapixels` may be lower than they. */
export function exceedsAnimationLimits(
  { width, height, frames }: { width: number; height: number; frames: number },
  maxMegapixels: number,
): boolean {
  const megapixels = (width * height * frames) / 1_000_000
  return frames > animationLimits.frames || megapixels > Math.min(animationLimits.megapixels, maxMegapixels)
}

/** HEVC, AV1, JPEG, and pictures that are put together from others. */
const decodableCodings = new Set(['hvc1', 'av01', 'jpeg', 'grid', 'iden', 'iovl'])

/**
 * Whether a whole file has a format that is accepted, but is of a kind that no decoder here reads: a PNG as Apple optimises it
 * for iPhones, a HEIF file with nothing but a video in it, or with a picture in another coding. Decoders call these damaged.
 */
export function isUnsupportedKind(format: ImageFormat, file: Uint8Array): boolean {
  if (format === 'png') return hasText(file, 12, 'CgBI')
  if (format !== 'heic' && format !== 'avif') return false
  const boxes = boxesIn(file, 0, file.length)
  const hasBox = (name: string): boolean => boxes.some(({ type }) => type === name)
  if (!hasBox('meta')) return hasBox('moov')
  const coding = readHeif(file)?.coding
  return typeof coding === 'string' && !decodableCodings.has(coding)
}
