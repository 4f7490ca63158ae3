import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { decode, type Source } from './decoders.ts'

/** The long side, in pixels; product.md section 5. */
export const thumbnailSide = 480

/** ThumbHash takes no more. */
const hashSide = 100

export interface Original {
  /** More than 8 bits a channel and a profile: libvips then needs to be told the target. */
  deepWithProfile: boolean
  /** Its size in pixels, upright, where the source is smaller. */
  of?: Size
}

interface Size {
  width: number
  height: number
}

/**
 * Writes the first frame as a WebP of at most 480 px, upright, in sRGB, without a word of metadata, and answers its
 * ThumbHash (base64). JPEG is decoded at a fraction of its size, yet all of its coded data is read.
 */
export async function writeThumbnail(
  source: Source,
  to: string,
  { deepWithProfile, of }: Original,
): Promise<{ thumbhash: string; warnings: string[] }> {
  const { made, warnings } = await decode(source, (image) => {
    const small = image
      .autoOrient()
      .resize(of ? sizeWithin(of, thumbnailSide) : { ...square(thumbnailSide), ...within })
    return (deepWithProfile ? small.withIccProfile('srgb', { attach: false }) : small)
      .raw()
      .toBuffer({ resolveWithObject: true })
  })
  const { width, height, channels } = made.info
  const pixels = () => sharp(made.data, { raw: { width, height, channels } })
  const hash = async (): Promise<string> => {
    const tiny = await pixels()
      .resize({ ...square(hashSide), ...within })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return Buffer.from(rgbaToThumbHash(tiny.info.width, tiny.info.height, tiny.data)).toString('base64')
  }
  const [webp, thumbhash] = await Promise.all([pixels().webp({ quality: 80, effort: 2 }).toBuffer(), hash()])
  // In one go, as is all that can be done at once in a process with nothing else to do.
  writeFileSync(to, webp)
  return { thumbhash, warnings }
}

const square = (side: number): Size => ({ width: side, height: side })

/** The size that a picture has within a square, never larger than it is. */
function sizeWithin({ width, height }: Size, side: number): Size & { fit: 'fill' } {
  const scale = Math.min(1, side / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)), fit: 'fill' }
}

const within = { fit: 'inside', withoutEnlargement: true } as const
