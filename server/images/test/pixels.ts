import sharp from 'sharp'
import { quadrantColours } from './sample-images.ts'

/** The mean colour in the middle of each quadrant of an image, as a viewer shows it. */
export async function quadrantMeans(image: Buffer): Promise<number[][]> {
  const { data, info } = await sharp(image)
    .autoOrient()
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return [0, 1, 2, 3].map((quadrant) => {
    const x = Math.round(width * (quadrant % 2 ? 0.75 : 0.25))
    const y = Math.round(height * (quadrant > 1 ? 0.75 : 0.25))
    const reach = Math.max(1, Math.floor(Math.min(width, height) / 10))
    const sums: [number, number, number] = [0, 0, 0]
    for (let row = y - reach; row < y + reach; row++) {
      for (let column = x - reach; column < x + reach; column++) {
        const at = (row * width + column) * channels
        for (const channel of [0, 1, 2] as const) sums[channel] += data[at + (channels < 3 ? 0 : channel)]!
      }
    }
    return sums.map((sum) => sum / (2 * reach) ** 2)
  })
}

/** How far the quadrants are from their expected colours: the largest difference in any channel. */
export async function colourError(
  image: Buffer,
  expected: readonly (readonly number[])[] = quadrantColours,
): Promise<number> {
  const means = await quadrantMeans(image)
  return Math.max(
    ...means.flatMap((mean, quadrant) => mean.map((value, c) => Math.abs(value - expected[quadrant]![c]!))),
  )
}

/** Decoded pixels, as stored. */
export const pixelsOf = (image: Buffer): Promise<Buffer> => sharp(image).raw().toBuffer()

/** Whether two files have any sixteen consecutive bytes in common. */
export function haveCommonBytes(one: Buffer, other: Buffer): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one]
  const sequences = new Set<string>()
  for (let at = 0; at + 16 <= shorter.length; at++) sequences.add(shorter.toString('latin1', at, at + 16))
  const found = (at: number): boolean => sequences.has(longer.toString('latin1', at, at + 16))
  for (let at = 0; at + 16 <= longer.length; at++) if (found(at)) return true
  return false
}
