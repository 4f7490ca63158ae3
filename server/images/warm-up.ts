import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'

/** Loads and links what the first picture would otherwise wait for. */
export async function warmUp(): Promise<void> {
  const small = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#888' } })
    .resize(16, 16)
    .webp()
    .toBuffer()
  rgbaToThumbHash(1, 1, [small.length & 255, 0, 0, 255])
}
