import { writeFile } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import { withCredit } from './credit.ts'
import { decode, type Source } from './decoders.ts'
import type { Credit } from './exif.ts'
import type { FullType } from './protocol.ts'
import { logoLayer } from './watermark.ts'

/** A picture about to be encoded anew. */
export interface Picture extends Source {
  /** Of one frame, upright. */
  width: number
  height: number
  animated: boolean
  /** Of all frames. */
  pixels: number
  hasAlpha: boolean
  deepWithProfile: boolean
  credit: Credit
}

/**
 * Writes the full image: animation as GIF, transparency as PNG, everything else as JPEG of quality 90; upright, in sRGB,
 * and without any metadata but the credit. `logo` is the file of a watermark.
 */
export async function writeFull(picture: Picture, to: string, logo: string | null): Promise<FullType> {
  const type = await typeOf(picture)
  const layer = logo === null ? null : await logoLayer(logo, picture)
  const { made } = await decode(picture, (image) => {
    // Frames below one another cannot be turned as one; animations carry no orientation worth the name.
    const upright = picture.animated ? image : image.autoOrient()
    const coloured = picture.deepWithProfile ? upright.withIccProfile('srgb', { attach: false }) : upright
    return encoders[type](layer ? coloured.composite([layer]) : coloured).toBuffer()
  })
  await writeFile(to, withCredit(made, type, picture.credit))
  return type
}

/** Optimised Huffman tables would cost more than all the rest of the work, for 4 % of the bytes. */
const encoders: Record<FullType, (image: Sharp) => Sharp> = {
  'image/jpeg': (image) => image.removeAlpha().jpeg({ quality: 90, optimiseCoding: false }),
  'image/png': (image) => image.png(),
  'image/gif': (image) => image.gif({ effort: 2 }),
}

async function typeOf(picture: Picture): Promise<FullType> {
  if (picture.animated) return 'image/gif'
  return picture.hasAlpha && (await isSeeThrough(picture)) ? 'image/png' : 'image/jpeg'
}

/** Whether any pixel is less than opaque; many files carry an alpha channel that says nothing. */
async function isSeeThrough(picture: Picture): Promise<boolean> {
  const { made } = await decode(picture, (image) => image.extractChannel('alpha').raw().toBuffer())
  return made.some((alpha) => alpha < 255)
}
