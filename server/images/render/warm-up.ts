import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'

/** Loads and links the libraries, so that the first photo does not wait for that. */
export async function warmUp(): Promise<void> {
  const tiny = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#888' } })
    .resize(16, 16)
    .webp()
    .toBuffer()
  rgbaToThumbHash(1, 1, [tiny.length & 255, 0, 0, 255])
}
