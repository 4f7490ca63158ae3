import { open, readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { decline, decode, Refusal, whileDrawing, type Source } from './decoders.ts'
import { described } from './described.ts'
import { writeFull } from './full.ts'
import { files, type FullType, type Work } from './protocol.ts'
import { sniff, sniffBytes, type ImageFormat } from './sniff.ts'
import { isSvg } from './svg-head.ts'
import { judgeSvg, maxSvgBytes } from './svg.ts'
import { isLargeEnough, logoLayer } from './watermark.ts'

/** A picture as it was written to `files.full`. */
interface Drawn {
  type: FullType
  width: number
  height: number
}
interface Bounds {
  maxMegapixels: number
  watermark: boolean
}
type Sized = (megapixels: number) => void

/** The longest sides, in pixels. */
export const longest = { logo: 1024, background: 2560, preview: 1280 } as const

/** What logos and backgrounds may be made of, besides SVG for logos. */
const brandFormats: ReadonlySet<ImageFormat> = new Set(['jpeg', 'png', 'webp'])

/** Makes one picture of the file `in`; as `render` otherwise. */
export function drawPicture(work: Exclude<Work, 'photo'>, bounds: Bounds, sized: Sized): Promise<Drawn> {
  switch (work) {
    case 'logo':
      return drawLogo(bounds, sized)
    case 'background':
      return drawBackground(bounds, sized)
    case 'marked':
      return drawMarked(bounds, sized)
    case 'preview':
      return drawPreview(bounds, sized)
  }
}

const within = (side: number) => ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffBytes))
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** A picture out of pixels, judged by its first bytes and its header. */
async function uploaded({ maxMegapixels }: Bounds, sized: Sized) {
  const maxPixels = maxMegapixels * 1_000_000
  const seen = sniff(await headOf(files.input))
  if (!seen || !brandFormats.has(seen.format)) decline('format')
  if ((seen.width ?? 0) * (seen.height ?? 0) > maxPixels) decline('pixels')
  const picture = await described({ path: files.input, maxPixels, failOn: 'error' }, null)
  sized(picture.pixels / 1_000_000)
  return picture
}

/** Pixels and nothing else: no profile, no words. */
async function shrunk(source: Source & { deepWithProfile?: boolean }, side: number, type: FullType): Promise<Drawn> {
  const { made } = await decode(source, (image) => {
    const small = image.autoOrient().resize(within(side))
    const coloured = source.deepWithProfile ? small.withIccProfile('srgb', { attach: false }) : small
    const plain = coloured.toColourspace('srgb')
    return (type === 'image/png' ? plain.png() : plain.flatten({ background: '#fff' }).jpeg({ quality: 85 })).toBuffer({
      resolveWithObject: true,
    })
  })
  await writeFile(files.full, made.data)
  return { type, width: made.info.width, height: made.info.height }
}

async function drawLogo(bounds: Bounds, sized: Sized): Promise<Drawn> {
  if (!isSvg(await headOf(files.input))) return shrunk(await uploaded(bounds, sized), longest.logo, 'image/png')
  const file = await readFile(files.input)
  if (file.length > maxSvgBytes) decline('drawing')
  judgeSvg(file)
  return whileDrawing(() => drawSvg(file, sized)).catch((error: unknown) => {
    throw new Refusal('drawing', error instanceof Refusal ? (error.cause ?? error) : error)
  })
}

/** Drawn once, at the size at which it is kept. */
async function drawSvg(file: Buffer, sized: Sized): Promise<Drawn> {
  const side = longest.logo
  const source: Source = { path: file, maxPixels: 25_000_000, failOn: 'none' }
  const { made: meta } = await decode({ ...source, maxPixels: 1e9 }, (image) => image.metadata())
  const density = Math.min(100_000, Math.max(1, (72 * side) / Math.max(meta.width, meta.height)))
  sized(side ** 2 / 1_000_000)
  return shrunk({ ...source, density }, side, 'image/png')
}

const drawBackground = async (bounds: Bounds, sized: Sized): Promise<Drawn> =>
  shrunk(await uploaded(bounds, sized), longest.background, 'image/jpeg')

/** One of our own full images, with all its frames. */
async function ownPicture({ maxMegapixels }: Bounds, sized: Sized) {
  const seen = sniff(await headOf(files.input)) ?? decline('format')
  const source: Source = { path: files.input, maxPixels: maxMegapixels * 1_000_000, failOn: 'error' }
  const picture = await described({ ...source, animated: seen.format === 'gif' }, null)
  sized(picture.pixels / 1_000_000)
  return picture
}

async function drawMarked(bounds: Bounds, sized: Sized): Promise<Drawn> {
  const picture = await ownPicture(bounds, sized)
  const type = await writeFull(picture, files.full, files.logo)
  return { type, width: picture.width, height: picture.height }
}

/** What a photo would become, small enough for a screen; of an animation, the first frame. */
async function drawPreview(bounds: Bounds, sized: Sized): Promise<Drawn> {
  const picture = await ownPicture(bounds, sized)
  const { made } = await decode({ ...picture, animated: false }, (image) =>
    image
      .autoOrient()
      .resize(within(longest.preview))
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true }),
  )
  const { width, height, channels } = made.info
  const isMarked = bounds.watermark && isLargeEnough(picture)
  const layer = isMarked ? await logoLayer(files.logo, { width, height, animated: false, isCopy: true }) : null
  const small = sharp(made.data, { raw: { width, height, channels } })
  const jpeg = (layer ? small.composite([layer]) : small).removeAlpha().jpeg({ quality: 85 })
  await writeFile(files.full, await jpeg.toBuffer())
  return { type: 'image/jpeg', width, height }
}
