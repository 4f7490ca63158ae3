import sharp from 'sharp'
import { quarters } from './pictures.ts'

/** The mean colour in the middle of each quarter of an image, as a viewer would show it. */
export async function quartersOf(image: Buffer): Promise<number[][]> {
  const { data, info } = await sharp(image)
    .autoOrient()
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return [0, 1, 2, 3].map((quarter) => {
    const [x, y] = [Math.round(width * (quarter % 2 ? 0.75 : 0.25)), Math.round(height * (quarter > 1 ? 0.75 : 0.25))]
    const reach = Math.max(1, Math.floor(Math.min(width, height) / 10))
    const sums = [0, 0, 0]
    let count = 0
    for (let row = y - reach; row < y + reach; row++) {
      for (let column = x - reach; column < x + reach; column++) {
        count++
        for (let c = 0; c < 3; c++) sums[c]! += data[(row * width + column) * channels + (channels < 3 ? 0 : c)]!
      }
    }
    return sums.map((sum) => sum / count)
  })
}

/** How far the quarters are from those of the test picture: the largest difference in any channel. */
export async function offBy(image: Buffer, expected: readonly (readonly number[])[] = quarters): Promise<number> {
  const seen = await quartersOf(image)
  return Math.max(...seen.flatMap((colour, i) => colour.map((value, c) => Math.abs(value - expected[i]![c]!))))
}

/** Decoded pixels, as stored. */
export const pixelsOf = (image: Buffer): Promise<Buffer> => sharp(image).raw().toBuffer()

/** Whether two byte strings have any sixteen bytes in a row in common. */
export function shareARun(one: Buffer, other: Buffer): boolean {
  const runs = new Set<string>()
  for (let at = 0; at + 16 <= other.length; at++) runs.add(other.toString('latin1', at, at + 16))
  for (let at = 0; at + 16 <= one.length; at++) if (runs.has(one.toString('latin1', at, at + 16))) return true
  return false
}
