import sharp, { type OverlayOptions } from 'sharp'
import { decode, Refusal } from './decoders.ts'
import { leastMarkedPx } from './least.ts'

/** Logo over photo; product.md section 5. Shares of the photo's shorter side, but for the opacity. */
const rules = { longerSide: 0.18, margin: 0.03, opacity: 0.7 } as const

const maxLogoPixels = 25_000_000

/** Where a logo of this size comes to lie on a photo of that size, in pixels; null on photos too small for one. */
export function placeLogo(photo: Size, logo: Size): Place | null {
  return isLargeEnough(photo) ? shareOf(photo, logo) : null
}

/** The same on a copy of the photo that has been made smaller. */
function shareOf(photo: Size, logo: Size): Place {
  const shorter = Math.min(photo.width, photo.height)
  const scale = (shorter * rules.longerSide) / Math.max(logo.width, logo.height)
  const width = Math.max(1, Math.round(logo.width * scale))
  const height = Math.max(1, Math.round(logo.height * scale))
  const margin = Math.round(shorter * rules.margin)
  return { width, height, left: photo.width - width - margin, top: photo.height - height - margin }
}

/** Whether a photo of this size gets a logo at all. */
export const isLargeEnough = ({ width, height }: Size): boolean => Math.min(width, height) >= leastMarkedPx

interface Size {
  width: number
  height: number
}
type Place = Size & { left: number; top: number }

/** What a logo is laid on. */
export interface Ground extends Size {
  animated: boolean
  /** A smaller copy of a photo that is large enough. */
  isCopy?: boolean
}

/**
 * The layer that puts the logo file on a photo, on each frame of it; null on photos too small for one. Rejects with a
 * refusal of the logo when that is at fault.
 */
export async function logoLayer(logo: string, photo: Ground): Promise<OverlayOptions | null> {
  try {
    return await layer(logo, photo)
  } catch (error) {
    throw new Refusal('logo', error)
  }
}

async function layer(logo: string, photo: Ground): Promise<OverlayOptions | null> {
  const source = { path: logo, maxPixels: maxLogoPixels }
  const { made: meta } = await decode(source, (image) => image.metadata())
  const place = photo.isCopy ? shareOf(photo, meta.autoOrient) : placeLogo(photo, meta.autoOrient)
  if (!place) return null
  const { made } = await decode(source, (image) =>
    image
      .autoOrient()
      .resize(place.width, place.height, { fit: 'fill' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true }),
  )
  for (let at = 3; at < made.data.length; at += 4) made.data[at] = Math.round(made.data[at]! * rules.opacity)
  const raw = { width: place.width, height: place.height, channels: 4 } as const
  if (!photo.animated) return { input: made.data, raw, left: place.left, top: place.top }
  const frame = { width: photo.width, height: photo.height, channels: 4 } as const
  const input = await sharp({ create: { ...frame, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .composite([{ input: made.data, raw, left: place.left, top: place.top }])
    .raw()
    .toBuffer()
  return { input, raw: frame, tile: true, left: 0, top: 0 }
}
