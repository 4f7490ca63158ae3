import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { release } from './bytes.ts'
import { decline, type Source } from './decoders.ts'
import { drawPicture } from './draw.ts'
import { readExif } from './exif.ts'
import { described } from './described.ts'
import { writeFull, type Picture } from './full.ts'
import { decodeHeic } from './heic.ts'
import { countScans, maxScans } from './jpeg-scan.ts'
import type { PlainJpeg } from './jpeg-reading.ts'
import { isRebuilt, readJpeg, rebuildOver } from './jpeg.ts'
import { files, type FullType, type Work } from './protocol.ts'
import { decodeScaled } from './scaled.ts'
import { sniff, sniffBytes, type Sniffed } from './sniff.ts'
import { thumbnailSide, writeThumbnail } from './thumbnail.ts'
import { isLargeEnough } from './watermark.ts'

export interface Job {
  maxMegapixels: number
  work: Work
  watermark: boolean
}

/** Told as the work goes on, in this order. */
export interface Telling {
  sized(megapixels: number): void
  thumbnail(made: { width: number; height: number; thumbhash: string }): void
  full(made: { type: FullType; kept: boolean; marked: boolean; untouched: boolean }): void
  /** Instead of the two before. */
  picture(made: { type: FullType; width: number; height: number }): void
}

/** Far above any plan's limit; some formats are read into memory as a whole. */
const maxInputBytes = 256 * 1024 * 1024

/** Decoded pixels of formats that libvips cannot read. */
const pixelsFile = 'pixels'
/** A plain JPEG, rebuilt, when it was not so already. */
const rebuiltFile = 'rebuilt'

/**
 * Makes what the job asks for of the file `in` in the working folder, under the names of `files`. Rejects with a
 * `Refusal` for what is no picture of ours, is damaged, or has too many pixels.
 */
export async function render(job: Job, telling: Telling): Promise<void> {
  if (job.work === 'photo') return renderPhoto(job, telling)
  telling.picture(await drawPicture(job.work, job, (megapixels) => telling.sized(megapixels)))
}

async function renderPhoto(job: Job, telling: Telling): Promise<void> {
  const maxPixels = job.maxMegapixels * 1_000_000
  const seen = sniff(headOf(files.input)) ?? decline('format')
  if ((seen.width ?? 0) * (seen.height ?? 0) > maxPixels) decline('pixels')
  const watermark = job.watermark && isLargeEnough({ width: seen.width ?? Infinity, height: seen.height ?? Infinity })
  const rebuilt = seen.format === 'jpeg' ? rebuild(maxPixels) : null
  const thumbnail = rebuilt && (await keep(rebuilt, maxPixels, telling))
  await rebuilt?.written
  if (rebuilt) release(rebuilt.bytes)
  if (rebuilt && thumbnail) {
    telling.thumbnail(thumbnail)
    const untouched = rebuilt.path === files.input
    if (!watermark) {
      if (!untouched) renameSync(rebuilt.path, files.full)
      return telling.full({ type: 'image/jpeg', kept: true, marked: false, untouched })
    }
    const type = await writeFull(await inspected(seen, maxPixels, rebuilt), files.full, files.logo)
    if (!untouched) renameSync(rebuilt.path, files.plain)
    return telling.full({ type, kept: false, marked: true, untouched })
  }
  const picture =
    seen.format === 'heic' ? await unpacked(maxPixels, telling) : await inspected(seen, maxPixels, rebuilt)
  telling.sized(picture.pixels / 1_000_000)
  const { thumbhash, warnings } = await writeThumbnail({ ...picture, animated: false }, files.thumbnail, picture)
  if (seen.format === 'jpeg' && !warnings.every(isHarmless)) decline('damaged')
  telling.thumbnail({ width: picture.width, height: picture.height, thumbhash })
  // The size told by the file's start may have been none.
  const marked = watermark && isLargeEnough(picture)
  const type = await writeFull(picture, marked ? files.plain : files.full, null)
  if (marked) await writeFull(picture, files.full, files.logo)
  telling.full({ type, kept: false, marked, untouched: false })
}

interface Rebuilt {
  jpeg: PlainJpeg
  bytes: Uint8Array
  /** The file that they are in, once `written` has resolved. */
  path: string
  written: Promise<void>
}

/**
 * Reads a JPEG strictly and puts it together anew, unless it is what that would give, as it is when its start was cleaned
 * while it came in; null when it is not a plain one.
 */
function rebuild(maxPixels: number): Rebuilt | null {
  const b = readFileSync(files.input)
  const jpeg = readJpeg(b)
  if (!jpeg.plain && countScans(b) > maxScans) decline('damaged')
  if (!jpeg.plain || jpeg.width * jpeg.height > maxPixels) return null
  if (isRebuilt(b, jpeg)) return { jpeg, bytes: b, path: files.input, written: Promise.resolve() }
  const bytes = rebuildOver(b, jpeg)
  const written = writeRebuilt(bytes)
  written.catch(() => {})
  return { jpeg, bytes, path: rebuiltFile, written }
}

/**
 * Writes the rebuilt file, and sends it on its way to the disk while its thumbnail is being made: our parent, who makes
 * the full image last before anybody hears of it, then waits less.
 */
async function writeRebuilt(bytes: Uint8Array): Promise<void> {
  const file = await open(rebuiltFile, 'w')
  try {
    await writeFile(file, bytes)
  } catch (error) {
    await file.close()
    throw error
  }
  void file
    .datasync()
    .catch(() => {})
    .then(() => file.close())
}

/**
 * The bit-for-bit path: the thumbnail, when the rebuilt file can be kept; otherwise null. The thumbnail is decoded from
 * the very bytes that will be served, and they must decode without a word of complaint.
 */
async function keep(
  { jpeg, bytes }: Rebuilt,
  maxPixels: number,
  telling: Telling,
): Promise<Parameters<Telling['thumbnail']>[0] | null> {
  const { width, height, exif } = jpeg
  telling.sized((width * height) / 1_000_000)
  const upright = exif.orientation >= 5 ? { width: height, height: width } : { width, height }
  const scaled = await decodeScaled(bytes, jpeg, thumbnailSide)
  const source: Source = { path: scaled ?? bytes, maxPixels, failOn: 'error' }
  const made = await writeThumbnail(source, files.thumbnail, { deepWithProfile: false, of: upright }).catch(() => null)
  return made && made.warnings.length === 0 ? { ...upright, thumbhash: made.thumbhash } : null
}

/**
 * What libjpeg has against a file is damage, but for what some phones' files are known for and what harms no pixel:
 * said once, and nothing else said. What others say (about profiles, say) is no matter of the pixels.
 */
const isHarmless = (warning: string): boolean =>
  !/VipsJpeg|read gave/.test(warning) ||
  /^read gave 1 warnings\s*$/.test(warning) ||
  /Invalid SOS parameters for sequential JPEG|extraneous bytes before marker 0xd9/.test(warning)

function headOf(path: string): Uint8Array {
  const file = openSync(path, 'r')
  try {
    if (fstatSync(file).size > maxInputBytes) decline('memory')
    const head = Buffer.alloc(sniffBytes)
    return head.subarray(0, readSync(file, head))
  } finally {
    closeSync(file)
  }
}

async function unpacked(maxPixels: number, telling: Telling): Promise<Picture> {
  const b = await readFile(files.input)
  const { width, height } = sniff(b) ?? decline('format')
  telling.sized(((width ?? 1) * (height ?? 1)) / 1_000_000)
  const credit = await decodeHeic(b, pixelsFile, maxPixels)
  return described({ path: pixelsFile, maxPixels }, credit)
}

async function inspected({ format }: Sniffed, maxPixels: number, rebuilt: Rebuilt | null): Promise<Picture> {
  // A rebuilt file is the better source: it has the profile that its camera only hinted at.
  if (rebuilt) return described({ path: rebuilt.path, maxPixels, failOn: 'error' }, rebuilt.jpeg.exif.credit)
  const source: Source = { path: files.input, maxPixels, failOn: format === 'jpeg' ? 'error' : 'warning' }
  const credit = format === 'tiff' ? readExif(await readFile(files.input)).credit : null
  const animated = format === 'gif' || format === 'webp'
  return described({ ...source, animated }, credit)
}
