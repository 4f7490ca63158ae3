import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { decode, type Source } from './decoders.ts'

/** The long side, in pixels; product.md section 5. */
export const thumbnailSide = 480

/** ThumbHash takes no more. */
const hashSide = 100

/** What a thumbnail was made with. */
export interface Colours {
  /** More than 8 bits a channel and a profile: libvips then needs to be told the target. */
  deepWithProfile: boolean
}

/**
 * Writes the first frame as a WebP of at most 480 px, upright, in sRGB, without a word of metadata, and answers its
 * ThumbHash (base64). JPEG is decoded at a fraction of its size, yet all of its coded data is read.
 */
export async function writeThumbnail(
  source: Source,
  to: string,
  { deepWithProfile }: Colours,
): Promise<{ thumbhash: string; warnings: string[] }> {
  const { made, warnings } = await decode(source, (image) => {
    const small = image.autoOrient().resize({ width: thumbnailSide, height: thumbnailSide, ...within })
    return (deepWithProfile ? small.withIccProfile('srgb', { attach: false }) : small)
      .raw()
      .toBuffer({ resolveWithObject: true })
  })
  const { width, height, channels } = made.info
  const pixels = () => sharp(made.data, { raw: { width, height, channels } })
  const hash = async (): Promise<string> => {
    const tiny = await pixels()
      .resize({ width: hashSide, height: hashSide, ...within })
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

const within = { fit: 'inside', withoutEnlargement: true } as const
