import { writeFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Sharp } from 'sharp'
import { be16, byteAt, concatBytes, latin1Bytes, packNumbers } from '../bytes.ts'
import { exifSegment } from '../jpeg/jpeg.ts'
import { type Credit, writeExif } from '../metadata/exif.ts'
import { type FullType, imageFiles } from '../protocol.ts'
import type { WatermarkLayout } from '../watermark-layout.ts'
import { decode, type Source } from './libvips.ts'
import { logoLayer } from './watermark.ts'

/** A picture that is about to be encoded. */
export interface SourceImage extends Source {
  /** Of one frame, upright. */
  width: number
  height: number
  isAnimated: boolean
  frames: number
  /** Of all frames. */
  pixels: number
  hasAlpha: boolean
  /** More than 8 bits per channel and a profile: libvips then needs to be told the target colour space. */
  isDeepWithProfile: boolean
  credit: Credit
}

/**
 * Writes the full image: GIF for animations, PNG for transparency, otherwise JPEG of quality 90; upright, in sRGB, without
 * any metadata except the credit. With a layout, `imageFiles.logo` becomes its watermark.
 */
export async function writeFullImage(
  picture: SourceImage,
  path: string,
  watermark: WatermarkLayout | null,
): Promise<FullType> {
  const type = await typeOf(picture)
  const layer = watermark && (await logoLayer(imageFiles.logo, picture, watermark))
  const { result } = await decode(picture, (image) => {
    // Frames are decoded one below the other and cannot be rotated together. Animations have no orientation in practice.
    const upright = picture.isAnimated ? image : image.autoOrient()
    const converted = picture.isDeepWithProfile ? upright.withIccProfile('srgb', { attach: false }) : upright
    return encoders[type](layer ? converted.composite([layer]) : converted, picture).toBuffer()
  })
  await writeFile(path, withCredit(result, type, picture.credit))
  return type
}

/** Dithering takes a third of the time of an animation, and half of its bytes. */
const maxDitheredPixels = 20_000_000

/** Optimised Huffman tables would take more time than all other work, and save 4 % of the bytes. */
const encoders: Record<FullType, (image: Sharp, picture: SourceImage) => Sharp> = {
  'image/jpeg': (image) => image.removeAlpha().jpeg({ quality: 90, optimiseCoding: false }),
  'image/png': (image) => image.png(),
  'image/gif': (image, { pixels }) => image.gif({ effort: 2, dither: pixels > maxDitheredPixels ? 0 : 1 }),
}

async function typeOf(picture: SourceImage): Promise<FullType> {
  if (picture.isAnimated) return 'image/gif'
  return picture.hasAlpha && (await isTransparent(picture)) ? 'image/png' : 'image/jpeg'
}

/** Whether any pixel is not opaque: many files have an alpha channel without need. */
async function isTransparent(picture: SourceImage): Promise<boolean> {
  const { result: alpha } = await decode(picture, (image) => image.extractChannel('alpha').raw().toBuffer())
  return alpha.some((value) => value < 255)
}

/** Inserts the credit into an image that was encoded here, in the way of its format. Returns the file in pieces. */
function withCredit(image: Uint8Array, type: FullType, credit: Credit): Uint8Array[] {
  const exif = writeExif({ orientation: 1, credit })
  if (!exif) return [image]
  const block = type === 'image/gif' ? gifComment(credit) : type === 'image/png' ? pngChunk(exif) : exifSegment(exif)
  const offset = offsetFor[type](image)
  return [image.subarray(0, offset), block, image.subarray(offset)]
}

const offsetFor: Record<FullType, (image: Uint8Array) => number> = {
  // After the JFIF segment, which must be the first.
  'image/jpeg': (image) => (be16(image, 2) === 0xffe0 ? 4 + be16(image, 4) : 2),
  // After signature and IHDR.
  'image/png': () => 8 + 25,
  // After header, logical screen and palette.
  'image/gif': (image) => 13 + (byteAt(image, 10) & 0x80 ? 3 * 2 ** ((byteAt(image, 10) & 7) + 1) : 0),
}

function pngChunk(exif: Uint8Array): Uint8Array {
  const typeAndData = concatBytes([latin1Bytes('eXIf'), exif])
  return concatBytes([packNumbers([exif.length, 4]), typeAndData, packNumbers([crc32(typeAndData), 4])])
}

/** A GIF comment (GIF89a section 24) of one sub-block, which has at most 255 bytes. */
function gifComment({ artist, copyright }: Credit): Uint8Array {
  const lines = [artist && `Artist: ${artist}`, copyright && `Copyright: ${copyright}`].filter(Boolean)
  const text = latin1Bytes(lines.join('\n').slice(0, 255))
  return concatBytes([Uint8Array.of(0x21, 0xfe, text.length), text, Uint8Array.of(0)])
}
