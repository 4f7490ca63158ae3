import sharp, { type OverlayOptions } from 'sharp'
import { byteAt } from '../bytes.ts'
import { Refusal } from '../refusal.ts'
import { minWatermarkedSidePx, type WatermarkLayout } from '../watermark-layout.ts'
import { decode } from './libvips.ts'

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

/** Whether a photo of this size gets a watermark. */
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

/** What gets the watermark. */
export interface WatermarkTarget extends Size {
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
