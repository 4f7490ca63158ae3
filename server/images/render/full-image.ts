import { writeFile } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import type { Credit } from '../metadata/exif.ts'
import { imageFiles, type FullType } from '../protocol.ts'
import type { WatermarkLayout } from '../watermark-layout.ts'
import { withCredit } from './credit.ts'
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
