import sharp from 'sharp'

// Several photos are made at the same time: threads within each would only wait for each other.
sharp.concurrency(1)

/** How a photo differs from the picture that it is made of. */
export interface Variation {
  /** An upright part is cut out of a picture that is not. */
  isUpright: boolean
  /** Long side divided by short side. */
  ratio: number
  /** The largest part with that ratio, and at most 1, times this. */
  zoom: number
  /** Where the part is, from 0 (left, top) to 1. */
  position: readonly [x: number, y: number]
  isMirrored: boolean
  /** 1: as bright as the picture. */
  brightness: number
  /** From -1 (bluish) to 1 (reddish). */
  warmth: number
  /** Pixels of the long side. */
  longSide: number
}

/**
 * Makes another photo of a picture: a part of it, in other light. In the calling process, not in an image process: only for
 * pictures that are part of the program.
 */
export async function varyPhoto(picture: Buffer, variation: Variation): Promise<Buffer> {
  const { ratio, zoom, position, brightness, warmth } = variation
  const { width, height } = await sharp(picture).metadata()
  const isUpright = variation.isUpright || height > width
  const aspect = isUpright ? 1 / ratio : ratio
  const part = {
    width: Math.floor(Math.min(width, height * aspect) * zoom),
    height: Math.floor(Math.min(height, width / aspect) * zoom),
  }
  const [left, top] = [Math.floor((width - part.width) * position[0]), Math.floor((height - part.height) * position[1])]
  const [long, short] = [variation.longSide, Math.round(variation.longSide / ratio)]
  return sharp(picture)
    .extract({ left, top, ...part })
    .resize(isUpright ? { width: short, height: long, fit: 'fill' } : { width: long, height: short, fit: 'fill' })
    .flop(variation.isMirrored)
    .linear([brightness * (1 + 0.08 * warmth), brightness, brightness * (1 - 0.1 * warmth)], [0, 0, 0])
    .jpeg({ quality: 86 })
    .toBuffer()
}
