import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { decode, insideSquare, type Source } from './libvips.ts'

/** The longer side of a thumbnail in pixels. */
const thumbnailSidePx = 480

/** The largest picture that ThumbHash accepts. */
const maxThumbhashSide = 100

/** The ThumbHash of a picture, in base64, and what libvips reported while decoding it. */
export interface WrittenThumbnail {
  thumbhash: string
  warnings: string[]
}

/**
 * Writes the first frame as a WebP of at most 480 px, upright, in sRGB, without any metadata. libvips decodes a JPEG at a
 * fraction of its size, but reads all of its coded data.
 */
export async function writeThumbnail(
  source: Source,
  path: string,
  { isDeepWithProfile }: { isDeepWithProfile: boolean },
): Promise<WrittenThumbnail> {
  const { result, warnings } = await decode(source, (image) => {
    const small = image.autoOrient().resize(insideSquare(thumbnailSidePx))
    return (isDeepWithProfile ? small.withIccProfile('srgb', { attach: false }) : small)
      .raw()
      .toBuffer({ resolveWithObject: true })
  })
  const { width, height, channels } = result.info
  const openShrunk = () => sharp(result.data, { raw: { width, height, channels } })
  const computeThumbhash = async (): Promise<string> => {
    const hashed = await openShrunk()
      .resize(insideSquare(maxThumbhashSide))
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return Buffer.from(rgbaToThumbHash(hashed.info.width, hashed.info.height, hashed.data)).toString('base64')
  }
  const [webp, thumbhash] = await Promise.all([
    openShrunk().webp({ quality: 80, effort: 2 }).toBuffer(),
    computeThumbhash(),
  ])
  // Synchronous, because this process has nothing else to do.
  writeFileSync(path, webp)
  return { thumbhash, warnings }
}
