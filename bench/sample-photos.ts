import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

/** Width and height of the sizes that are measured. */
const photoSizes = { '12 MP': [4000, 3000], '24 MP': [6000, 4000] } as const
export type PhotoSize = keyof typeof photoSizes

/** Two files with the same coded image data. */
export interface SamplePhoto {
  /** A JPEG that the product stores without re-encoding. */
  kept: Buffer<ArrayBuffer>
  /** The same with a comment after its scan: decoders ignore it, but the product's strict reader has such files re-encoded. */
  reencoded: Buffer<ArrayBuffer>
}

const sampleFolder = join(tmpdir(), 'keepsnap-bench-pictures')
/** Part of the file names: increment it to regenerate the files. */
const formatVersion = 2

/** Reproducible noise from -1 to 1, mostly near 0, like that of a sensor. */
function createNoise(): () => number {
  let state = 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return ((state & 255) + ((state >>> 8) & 255) - 255) / 255
  }
}

/** Soft shapes with sensor noise: about as many bytes per pixel as photos of phones have. */
async function createPhoto(width: number, height: number): Promise<Buffer<ArrayBuffer>> {
  const noise = createNoise()
  const seedSize = { width: Math.round(width / 40), height: Math.round(height / 40) }
  const seeds = Buffer.from(Array.from({ length: seedSize.width * seedSize.height * 3 }, () => 128 + noise() * 110))
  const blurredPixels = await sharp(seeds, { raw: { ...seedSize, channels: 3 } })
    .blur(1.2)
    .resize(width, height, { kernel: 'cubic', fit: 'fill' })
    .raw()
    .toBuffer()
  let shift = 0
  for (const [index, value] of blurredPixels.entries()) {
    // The same for the three channels of a pixel.
    if (index % 3 === 0) shift = noise() * 19
    blurredPixels[index] = Math.max(0, Math.min(255, value + shift))
  }
  const jpeg = await sharp(blurredPixels, { raw: { width, height, channels: 3 } })
    .withExif({ IFD0: { Make: 'Bench', Model: 'Sample' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' } })
    .jpeg({ quality: 92, chromaSubsampling: '4:2:0', optimiseCoding: false })
    .toBuffer()
  return Buffer.from(jpeg)
}

/** A sample photo, created once and cached in the system's temporary folder. */
export async function sampleOf(size: PhotoSize): Promise<SamplePhoto> {
  const [width, height] = photoSizes[size]
  const samplePath = join(sampleFolder, `${formatVersion}-${width}x${height}.jpg`)
  if (!existsSync(samplePath)) {
    mkdirSync(sampleFolder, { recursive: true })
    writeFileSync(`${samplePath}.${process.pid}`, await createPhoto(width, height))
    renameSync(`${samplePath}.${process.pid}`, samplePath)
  }
  const keptJpeg = Buffer.from(readFileSync(samplePath))
  const comment = Buffer.from([0xff, 0xfe, 0x00, 0x06, 0x62, 0x65, 0x6e, 0x63])
  return { kept: keptJpeg, reencoded: Buffer.concat([keptJpeg.subarray(0, -2), comment, keptJpeg.subarray(-2)]) }
}

/** A small JPEG, for lists. */
export const smallPhoto = async (): Promise<Buffer<ArrayBuffer>> => createPhoto(800, 600)
