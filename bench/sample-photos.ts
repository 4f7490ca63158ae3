import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

/** The sizes that the product's numbers are stated for. */
export const sizes = { '12 MP': [4000, 3000], '24 MP': [6000, 4000] } as const
export type Size = keyof typeof sizes

/** A sample in both forms: the very same coded picture. */
export interface Sample {
  /** A plain JPEG, whose pixels the product keeps. */
  kept: Buffer<ArrayBuffer>
  /** With a comment after its scan: every decoder reads it alike, the product's strict reader sends it to be re-encoded. */
  reencoded: Buffer<ArrayBuffer>
}

const folder = join(tmpdir(), 'keepsnap-bench-pictures')
/** Part of the file names, so that a change of the recipe makes new files. */
const recipe = 2

/** Repeatable noise from -1 to 1, denser around 0, as a sensor's is. */
function grain(): () => number {
  let state = 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return ((state & 255) + ((state >>> 8) & 255) - 255) / 255
  }
}

/** Soft shapes of many sizes under a sensor's grain: about as many bytes a pixel as a phone's photo. */
async function picture(width: number, height: number): Promise<Buffer<ArrayBuffer>> {
  const random = grain()
  const small = { width: Math.round(width / 40), height: Math.round(height / 40) }
  const seeds = Buffer.from(Array.from({ length: small.width * small.height * 3 }, () => 128 + random() * 110))
  const soft = await sharp(seeds, { raw: { ...small, channels: 3 } })
    .blur(1.2)
    .resize(width, height, { kernel: 'cubic', fit: 'fill' })
    .raw()
    .toBuffer()
  for (let at = 0; at < soft.length; at += 3) {
    const shift = random() * 19
    for (let channel = at; channel < at + 3; channel++)
      soft[channel] = Math.max(0, Math.min(255, soft[channel]! + shift))
  }
  const jpeg = await sharp(soft, { raw: { width, height, channels: 3 } })
    .withExif({ IFD0: { Make: 'Bench', Model: 'Sample' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' } })
    .jpeg({ quality: 92, chromaSubsampling: '4:2:0', optimiseCoding: false })
    .toBuffer()
  return Buffer.from(jpeg)
}

/** A sample photo, made once on this machine and kept in the system's temporary folder. */
export async function sampleOf(size: Size): Promise<Sample> {
  const [width, height] = sizes[size]
  const path = join(folder, `${recipe}-${width}x${height}.jpg`)
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${path}.${process.pid}`, await picture(width, height))
    renameSync(`${path}.${process.pid}`, path)
  }
  const kept = Buffer.from(readFileSync(path))
  const comment = Buffer.from([0xff, 0xfe, 0x00, 0x06, 0x62, 0x65, 0x6e, 0x63])
  return { kept, reencoded: Buffer.concat([kept.subarray(0, -2), comment, kept.subarray(-2)]) }
}

/** A small plain JPEG, for lists that need photos in them. */
export const smallPhoto = async (): Promise<Buffer<ArrayBuffer>> => picture(800, 600)
