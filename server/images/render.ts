import { open, readFile, writeFile } from 'node:fs/promises'
import { decline, decode, type Source } from './decoders.ts'
import { noCredit, readExif, type Credit } from './exif.ts'
import { writeFull, type Picture } from './full.ts'
import { decodeHeic } from './heic.ts'
import { countScans, maxScans } from './jpeg-scan.ts'
import { readJpeg, rebuildJpeg } from './jpeg.ts'
import { files, type FullType } from './protocol.ts'
import { sniff, sniffBytes, type Sniffed } from './sniff.ts'
import { writeThumbnail } from './thumbnail.ts'
import { isLargeEnough } from './watermark.ts'

export interface Job {
  maxMegapixels: number
  watermark: boolean
}

/** Told as the work goes on, in this order. */
export interface Telling {
  sized(megapixels: number): void
  thumbnail(made: { width: number; height: number; thumbhash: string }): void
  full(made: { type: FullType; kept: boolean }): void
}

/** Decoded pixels of formats that libvips cannot read. */
const pixelsFile = 'pixels'

/**
 * Makes thumbnail and full image of the file `in` in the working folder, under the names of `files`. Rejects with a
 * `Refusal` for what is no picture of ours, is damaged, or has too many pixels.
 */
export async function render(job: Job, telling: Telling): Promise<void> {
  const maxPixels = job.maxMegapixels * 1_000_000
  const seen = sniff(await headOf(files.input)) ?? decline('format')
  if ((seen.width ?? 0) * (seen.height ?? 0) > maxPixels) decline('pixels')
  const watermark = job.watermark && isLargeEnough({ width: seen.width ?? Infinity, height: seen.height ?? Infinity })
  if (seen.format === 'jpeg' && !watermark && (await keep(maxPixels, telling))) return
  const picture = seen.format === 'heic' ? await unpacked(maxPixels, telling) : await inspected(seen, maxPixels)
  telling.sized(picture.pixels / 1_000_000)
  const { thumbhash, warnings } = await writeThumbnail({ ...picture, animated: false }, files.thumbnail, picture)
  if (seen.format === 'jpeg' && !warnings.every(isHarmless)) decline('damaged')
  telling.thumbnail({ width: picture.width, height: picture.height, thumbhash })
  const type = await writeFull(picture, files.full, watermark ? files.logo : null)
  telling.full({ type, kept: false })
}

/**
 * The bit-for-bit path: true when the file was a plain JPEG and could be kept. The thumbnail is decoded from the very
 * bytes that will be served, and must decode without a word of complaint.
 */
async function keep(maxPixels: number, telling: Telling): Promise<boolean> {
  const jpeg = readJpeg(await readFile(files.input))
  if (!jpeg.plain || jpeg.width * jpeg.height > maxPixels) return false
  telling.sized((jpeg.width * jpeg.height) / 1_000_000)
  await writeFile(files.full, rebuildJpeg(jpeg))
  const source: Source = { path: files.full, maxPixels, failOn: 'error' }
  const made = await writeThumbnail(source, files.thumbnail, { deepWithProfile: false }).catch(() => null)
  if (!made || made.warnings.length > 0) return false
  const [width, height] = jpeg.exif.orientation >= 5 ? [jpeg.height, jpeg.width] : [jpeg.width, jpeg.height]
  telling.thumbnail({ width, height, thumbhash: made.thumbhash })
  telling.full({ type: 'image/jpeg', kept: true })
  return true
}

/**
 * What libjpeg has against a file is damage, but for what some phones' files are known for and what harms no pixel:
 * said once, and nothing else said. What others say (about profiles, say) is no matter of the pixels.
 */
const isHarmless = (warning: string): boolean =>
  !/VipsJpeg|read gave/.test(warning) ||
  /^read gave 1 warnings\s*$/.test(warning) ||
  /Invalid SOS parameters for sequential JPEG|extraneous bytes before marker 0xd9/.test(warning)

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffBytes))
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function unpacked(maxPixels: number, telling: Telling): Promise<Picture> {
  const b = await readFile(files.input)
  const { width, height } = sniff(b) ?? decline('format')
  telling.sized(((width ?? 1) * (height ?? 1)) / 1_000_000)
  const credit = await decodeHeic(b, pixelsFile, maxPixels)
  return described({ path: pixelsFile, maxPixels }, credit)
}

async function inspected({ format }: Sniffed, maxPixels: number): Promise<Picture> {
  const source: Source = { path: files.input, maxPixels, failOn: format === 'jpeg' ? 'error' : 'warning' }
  if (format === 'jpeg' && countScans(await readFile(files.input)) > maxScans) decline('damaged')
  const credit = format === 'tiff' ? readExif(await readFile(files.input)).credit : null
  const animated = format === 'gif' || format === 'webp'
  return described({ ...source, animated }, credit)
}

/** What libvips says about a file before decoding it. */
async function described(source: Source, credit: Credit | null): Promise<Picture> {
  const { made: meta } = await decode(source, (image) => image.metadata())
  const animated = source.animated === true && (meta.pages ?? 1) > 1
  const { width, height } = animated ? { width: meta.width, height: meta.pageHeight ?? meta.height } : meta.autoOrient
  return {
    ...source,
    animated,
    width,
    height,
    pixels: width * height * (animated ? (meta.pages ?? 1) : 1),
    hasAlpha: meta.hasAlpha,
    deepWithProfile: meta.depth !== 'uchar' && meta.hasProfile,
    credit: credit ?? (meta.exif ? readExif(withoutMark(meta.exif)).credit : noCredit),
  }
}

const withoutMark = (exif: Buffer): Buffer => (exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif)
