import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { allowDecoders } from './libvips.ts'
import { render, serveRequests } from './render.ts'

process.title = 'keepsnap-image'
// A terminal sends Ctrl-C to the whole process group, and a service manager may send SIGTERM to it, but photos in progress
// must be finished. This process ends when its parent kills it or closes its input.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
allowDecoders()
await warmUp()
if (process.argv[2] === 'compile-only') process.exit()
serveRequests(render, { maxOwnBytes: Number(process.argv[2]) || null })

/** Loads and links the libraries, so that the first photo does not wait for that. */
async function warmUp(): Promise<void> {
  const tiny = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#888' } })
    .resize(16, 16)
    .webp()
    .toBuffer()
  rgbaToThumbHash(1, 1, [tiny.length & 255, 0, 0, 255])
}
