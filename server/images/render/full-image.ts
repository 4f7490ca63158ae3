import { writeFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import type { OverlayOptions, Sharp } from 'sharp'
import { be16, byteAt, concatBytes, latin1Bytes, packNumbers } from '../bytes.ts'
import { type FullType, imageFiles, minWatermarkedSidePx, Refusal, type WatermarkLayout } from '../protocol.ts'
import { exifSegment } from '../jpeg/jpeg.ts'
import { type CaptureTime, type Credit, writeExif } from '../metadata/exif.ts'
import { decode, type Source } from './libvips.ts'

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
  capturedAt: CaptureTime | null
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

/** The logo's longer side and its margin as fractions of the photo's shorter side. */
const longerSides = { small: 0.18, medium: 0.24, large: 0.32 } as const
const marginShare = 0.03
const opacities = { light: 0.45, medium: 0.7, strong: 0.95 } as const

const maxLogoPixels = 25_000_000

interface Size {
  width: number
  height: number
}
type LogoPlacement = Size & { left: number; top: number }

export const isLargeEnough = ({ width, height }: Size): boolean => Math.min(width, height) >= minWatermarkedSidePx

/** Where a logo of some size goes on a photo, in pixels; null when the photo is too small for a watermark. */
export function placeLogo(photo: Size, logo: Size, layout: WatermarkLayout): LogoPlacement | null {
  return isLargeEnough(photo) ? scaledPlacement(photo, logo, layout) : null
}

/** The same for a smaller copy of a photo that is large enough. */
function scaledPlacement(photo: Size, logo: Size, { size, corner }: WatermarkLayout): LogoPlacement {
  const shorterSide = Math.min(photo.width, photo.height)
  const logoScale = (shorterSide * longerSides[size]) / Math.max(logo.width, logo.height)
  const width = Math.max(1, Math.round(logo.width * logoScale))
  const height = Math.max(1, Math.round(logo.height * logoScale))
  const margin = Math.round(shorterSide * marginShare)
  const [right, bottom] = [photo.width - width, photo.height - height]
  if (corner === 'center') return { width, height, left: Math.round(right / 2), top: Math.round(bottom / 2) }
  const left = corner.endsWith('left') ? margin : right - margin
  return { width, height, left, top: corner.startsWith('top') ? margin : bottom - margin }
}

interface WatermarkTarget extends Size {
  isAnimated: boolean
  /** A smaller copy of a photo that is large enough. */
  isSmallerCopy?: boolean
}

/**
 * The layer that puts a logo file on a photo, on each of its frames; null when the photo is too small. Rejects with a
 * refusal of the logo when the logo cannot be used.
 */
export async function logoLayer(
  logo: string,
  target: WatermarkTarget,
  layout: WatermarkLayout,
): Promise<OverlayOptions | null> {
  try {
    return await createLogoLayer(logo, target, layout)
  } catch (error) {
    throw new Refusal('logo', error)
  }
}

async function createLogoLayer(
  logo: string,
  target: WatermarkTarget,
  layout: WatermarkLayout,
): Promise<OverlayOptions | null> {
  const source = { input: logo, maxPixels: maxLogoPixels }
  const { result: metadata } = await decode(source, (image) => image.metadata())
  const place = target.isSmallerCopy ? scaledPlacement : placeLogo
  const placement = place(target, metadata.autoOrient, layout)
  if (!placement) return null
  const { width, height, left, top } = placement
  const { result: pixels } = await decode(source, (image) =>
    image.autoOrient().resize(width, height, { fit: 'fill' }).toColourspace('srgb').ensureAlpha().raw().toBuffer(),
  )
  for (let alpha = 3; alpha < pixels.length; alpha += 4)
    pixels[alpha] = Math.round(byteAt(pixels, alpha) * opacities[layout.strength])
  const layer = { input: pixels, raw: { width, height, channels: 4 }, left, top } as const
  if (!target.isAnimated) return layer
  // Tiled over all frames, which are one below the other.
  const frame = { width: target.width, height: target.height, channels: 4 } as const
  const input = await sharp({ create: { ...frame, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .composite([layer])
    .raw()
    .toBuffer()
  return { input, raw: frame, tile: true, left: 0, top: 0 }
}
