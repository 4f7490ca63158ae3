import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { type Exif, noExif, readExif } from '../metadata/exif.ts'
import { type ImageFormat, isUnsupportedKind, sniff, sniffBytes, type Sniffed } from '../formats/sniff.ts'
import { imageFiles, refuseFile } from '../protocol.ts'
import { brandsOf, readHeif } from '../formats/heif-boxes.ts'
import { coloursOfHeif, coloursOfPng, type NamedColours, srgbConverter, wideSamples } from '../formats/named-colours.ts'
import { decodeHeic } from '../formats/heic.ts'
import { readPlanarTiff, writeTiff } from '../formats/tiff.ts'
import type { SourceImage } from './full-image.ts'
import { decode, type Source } from './libvips.ts'

/** The decoded pixels of a format that libvips cannot read. */
const pixelsFile = 'pixels'

/** Decodes the HEIC file `in` into another file, and opens that. `onSized` is called before. */
export async function openHeic(maxPixels: number, onSized: (megapixels: number) => void): Promise<SourceImage> {
  const file = await readFile(imageFiles.input)
  const { width, height } = sniff(file) ?? refuseFile('format')
  onSized(((width ?? 1) * (height ?? 1)) / 1_000_000)
  const exif = await decodeHeic(file, pixelsFile, maxPixels)
  return readImageMetadata({ input: pixelsFile, maxPixels }, exif)
}

const channelsFile = 'channels'
const convertedFile = 'converted'
const chunkBytes = 1024 * 1024

/** Another file with the same picture, if `in` is one that libvips or sharp does not read. */
export async function readableInput(format: ImageFormat, maxPixels: number): Promise<string | null> {
  if (format === 'tiff') return readableTiff(maxPixels)
  // An animation, whose first frame is a picture like that of other AVIF files.
  if (format !== 'avif' || brandsOf(readHead(imageFiles.input))[0] !== 'avis') return null
  const file = await readFile(imageFiles.input)
  file.write('avif', 8, 'latin1')
  await writeFile(pixelsFile, file)
  return pixelsFile
}

/** The file that is read for the TIFF file `in`: another one with the same picture if libvips or sharp could not read that. */
const readableTiff = async (maxPixels: number): Promise<string> =>
  withoutFurtherChannels(await interleavedTiff(maxPixels), maxPixels)

const coloursFile = 'colours'

/**
 * For a file with channels besides the colours and one for transparency, such as saved selections, one with the colours alone; upright,
 * in sRGB. sharp encodes at most four channels.
 */
async function withoutFurtherChannels(input: string, maxPixels: number): Promise<string> {
  const source: Source = { input, maxPixels, failOn: failOnOf('tiff') }
  const { result: metadata } = await decode(source, (image) => image.metadata())
  const { space, channels, depth, hasProfile } = metadata
  const colours = space === 'cmyk' ? 4 : space === 'b-w' || space === 'grey16' ? 1 : 3
  if (channels <= colours + 1) return input
  const { warnings } = await decode(source, (image) => {
    const upright = image.autoOrient().removeAlpha()
    const converted = depth !== 'uchar' && hasProfile ? upright.withIccProfile('srgb', { attach: false }) : upright
    return converted.tiff({ compression: 'none' }).toFile(coloursFile)
  })
  refuseIfDamaged('tiff', warnings)
  return coloursFile
}

/** The file `in`, or another one with the same picture if that has a tile for each channel. */
async function interleavedTiff(maxPixels: number): Promise<string> {
  const tiff = readPlanarTiff(await readFile(imageFiles.input))
  if (!tiff) return imageFiles.input
  const { width, height, channels } = tiff
  if (width * height > maxPixels) refuseFile('pixels')
  await writeFile(channelsFile, tiff.channelPages)
  // One channel below the other. Of a tile that cannot be decoded libvips only warns; wrong tags are left out of this file.
  const source: Source = { input: channelsFile, maxPixels: maxPixels * channels, failOn: 'warning', isAnimated: true }
  const { result: planes } = await decode(source, (image) => image.toColourspace('b-w').raw().toBuffer())
  const file = await open(pixelsFile, 'w')
  try {
    await file.writeFile(tiff.interleavedHead)
    const [pixels, pixelsPerChunk] = [width * height, Math.ceil(chunkBytes / channels)]
    for (let first = 0; first < pixels; first += pixelsPerChunk) {
      const chunk = new Uint8Array(Math.min(pixelsPerChunk, pixels - first) * channels)
      for (let at = 0; at < chunk.length; at++)
        chunk[at] = planes[(at % channels) * pixels + first + Math.floor(at / channels)] ?? 0
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
  return pixelsFile
}

/** Colours that libvips ignores, since the file names them by numbers. */
function namedColours(format: ImageFormat): NamedColours | null {
  if (format === 'png') return coloursOfPng(readHead(imageFiles.input))
  if (format !== 'avif') return null
  const head = readHead(imageFiles.input)
  const header = readHeif(head)
  return header && coloursOfHeif(head, header)
}

/**
 * Decodes the picture in `in` into another file in sRGB, if `in` names other colours by numbers: libvips ignores these. Null
 * if it does not. `onSized` is called before.
 */
export async function convertColours(
  format: ImageFormat,
  source: Source,
  onSized: (megapixels: number) => void,
): Promise<SourceImage | null> {
  const colours = namedColours(format)
  if (!colours) return null
  const { result: metadata } = await decode(source, (image) => image.metadata())
  onSized((metadata.width * metadata.height) / 1_000_000)
  const isDeep = metadata.depth === 'ushort'
  const { result } = await decode(source, (image) =>
    (isDeep ? image.toColourspace('rgb16').raw({ depth: 'ushort' }) : image.toColourspace('srgb').raw()).toBuffer({
      resolveWithObject: true,
    }),
  )
  const { width, height } = result.info
  const channels = result.info.channels === 4 ? 4 : 3
  // libvips has the bits of a sample at the upper end of two bytes.
  const bits = isDeep ? Math.min(16, metadata.bitsPerSample ?? 16) : 8
  const maxCode = isDeep ? (2 ** bits - 1) << (16 - bits) : 255
  const data = isDeep ? wideSamples(result.data) : result.data
  const rowsOf = srgbConverter({ data, width, height, channels, stride: width * channels, maxCode }, colours)
  await writeTiff(
    convertedFile,
    { width, height, channels, orientation: metadata.orientation ?? 1, profile: null },
    rowsOf,
  )
  const original = await readImageMetadata(source, null)
  return readImageMetadata({ input: convertedFile, maxPixels: source.maxPixels }, original)
}

/** For formats that libvips decodes despite damage to the picture: whether a warning is about something else. */
const harmlessWarnings: Partial<Record<ImageFormat, (warning: string) => boolean>> = {
  // Warnings of libjpeg mean damage, except for flaws that the files of some phones are known for and that change no pixel,
  // if there is no other warning. Warnings of other origin (about profiles, for example) do not concern the pixels.
  jpeg: (warning) =>
    !/VipsJpeg|read gave/.test(warning) ||
    /^read gave 1 warnings\s*$/.test(warning) ||
    /Invalid SOS parameters for sequential JPEG|extraneous bytes before marker 0xd9/.test(warning),
  // Undecodable data is an error, unless it is JPEG inside of TIFF; what is wrong with tags and profiles is not the picture.
  tiff: (warning) => /\b(tags?|fields?|director(y|ies)|ExtraSamples|ICC|profiles?)\b/i.test(warning),
}

/** From which level of libvips on a flaw of a file is an error. For others, `refuseIfDamaged` looks at the warnings. */
export const failOnOf = (format: ImageFormat): Source['failOn'] => (harmlessWarnings[format] ? 'error' : 'warning')

/** Refuses a picture if one of the warnings with which it was decoded means damage. */
export function refuseIfDamaged(format: ImageFormat, warnings: readonly string[]): void {
  const isHarmless = harmlessWarnings[format]
  if (isHarmless && !warnings.every(isHarmless)) refuseFile('damaged')
}

/** Reads the headers of a picture with libvips. `known` is given when EXIF has been read already. */
export async function readImageMetadata(
  source: Source,
  known: Pick<Exif, 'credit' | 'capturedAt'> | null,
): Promise<SourceImage> {
  // Of the first frame: a file with too many frames is refused for that, and not for its size.
  const { result: metadata } = await decode({ ...source, isAnimated: false }, (image) => image.metadata())
  const frames = metadata.pages ?? 1
  const isAnimated = source.isAnimated === true && frames > 1
  const { width, height } = isAnimated ? metadata : metadata.autoOrient
  const { credit, capturedAt } = known ?? (metadata.exif ? readExif(withoutPrefix(metadata.exif)) : noExif)
  return {
    ...source,
    isAnimated,
    width,
    height,
    frames: isAnimated ? frames : 1,
    pixels: width * height * (isAnimated ? frames : 1),
    hasAlpha: metadata.hasAlpha,
    isDeepWithProfile: metadata.depth !== 'uchar' && metadata.hasProfile,
    credit,
    capturedAt,
  }
}

const withoutPrefix = (exif: Buffer): Buffer => (exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif)

/** Far above the limit of any plan. Some formats are read into memory as a whole. */
const maxInputBytes = 256 * 1024 * 1024

/** The first bytes of a file, as many as `sniff` needs. Refuses a file that is too large for this process. */
export function readHead(path: string): Uint8Array {
  const file = openSync(path, 'r')
  try {
    if (fstatSync(file).size > maxInputBytes) refuseFile('memory')
    const head = Buffer.alloc(sniffBytes)
    return head.subarray(0, readSync(file, head))
  } finally {
    closeSync(file)
  }
}

/** The format of the file `in`. Refuses one that is not accepted or cannot be decoded, and one that says that it has too many pixels. */
export function sniffInput(maxPixels: number): Sniffed {
  const head = readHead(imageFiles.input)
  const sniffed = sniff(head) ?? refuseFile('format')
  const { format, width, height } = sniffed
  if ((width ?? 0) * (height ?? 0) > maxPixels) refuseFile('pixels')
  if (isUnsupportedKind(format, width === null ? readFileSync(imageFiles.input) : head)) refuseFile('unsupported')
  return sniffed
}
