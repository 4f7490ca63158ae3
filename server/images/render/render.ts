import { renameSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { decodeHeic, exceedsAnimationLimits, sniff, type Sniffed } from '../formats/formats.ts'
import { readExif } from '../metadata/exif.ts'
import { imageFiles, type FullType, type WorkKind } from '../protocol.ts'
import { refuseFile } from '../refusal.ts'
import { writeFullImage, type SourceImage } from './full-image.ts'
import { readImageMetadata } from './image-metadata.ts'
import type { Source } from './libvips.ts'
import { readHead } from './read-head.ts'
import { freeBytes, rebuildInput, uprightSize, writeLosslessThumbnail, type RebuiltJpeg } from './lossless.ts'
import { renderSingleImage, type WrittenImage } from './single-image.ts'
import { writeThumbnail } from './thumbnail.ts'
import { isLargeEnough } from './watermark.ts'

/** What to make of the file `in`. */
export interface RenderRequest {
  maxMegapixels: number
  work: WorkKind
  watermark: boolean
}

/** Called while a request is rendered, in this order. The meanings are those of `ImageReply`. */
export interface RenderProgress {
  onSized(megapixels: number, isAnimated?: boolean): void
  onThumbnail(thumbnail: { width: number; height: number; thumbhash: string }): void
  onFull(full: { contentType: FullType; lossless: boolean; watermarked: boolean; inputUnchanged: boolean }): void
  /** For a single image, instead of `onThumbnail` and `onFull`. */
  onImage(image: WrittenImage): void
}

/** The decoded pixels of a format that libvips cannot read. */
const pixelsFile = 'pixels'

/**
 * Renders the file `in` in the working folder to the names of `imageFiles`. Rejects with a `Refusal` when its format is not
 * accepted, when it is damaged, or when it has too many pixels.
 */
export async function render(request: RenderRequest, progress: RenderProgress): Promise<void> {
  if (request.work === 'photo') return renderPhoto(request, progress)
  progress.onImage(await renderSingleImage(request.work, request, progress.onSized))
}

async function renderPhoto(request: RenderRequest, progress: RenderProgress): Promise<void> {
  const maxPixels = request.maxMegapixels * 1_000_000
  const sniffed = sniff(readHead(imageFiles.input)) ?? refuseFile('format')
  const { width, height } = sniffed
  if ((width ?? 0) * (height ?? 0) > maxPixels) refuseFile('pixels')
  const watermark = request.watermark && isLargeEnough({ width: width ?? Infinity, height: height ?? Infinity })
  const photo: Photo = { sniffed, maxPixels, watermark, progress }
  const rebuilt = sniffed.format === 'jpeg' ? rebuildInput(maxPixels) : null
  if (!rebuilt || !(await renderLossless(photo, rebuilt))) await renderEncoded(photo, rebuilt)
}

interface Photo {
  sniffed: Sniffed
  maxPixels: number
  watermark: boolean
  progress: RenderProgress
}

/** Serves the rebuilt file as it is, or with a watermark. False when it must be encoded instead. */
async function renderLossless(photo: Photo, rebuilt: RebuiltJpeg): Promise<boolean> {
  const { maxPixels, watermark, progress } = photo
  const { jpeg, path, written } = rebuilt
  progress.onSized((jpeg.width * jpeg.height) / 1_000_000)
  const thumbhash = await writeLosslessThumbnail(rebuilt, maxPixels)
  await written
  freeBytes(rebuilt)
  if (thumbhash === null) return false
  progress.onThumbnail({ ...uprightSize(jpeg), thumbhash })
  const inputUnchanged = path === imageFiles.input
  if (watermark) {
    const contentType = await writeFullImage(await openPicture(photo, rebuilt), imageFiles.full, imageFiles.logo)
    if (!inputUnchanged) renameSync(path, imageFiles.unmarked)
    progress.onFull({ contentType, lossless: false, watermarked: true, inputUnchanged })
  } else {
    if (!inputUnchanged) renameSync(path, imageFiles.full)
    progress.onFull({ contentType: 'image/jpeg', lossless: true, watermarked: false, inputUnchanged })
  }
  return true
}

/** Decodes the picture and encodes it again. */
async function renderEncoded(photo: Photo, rebuilt: RebuiltJpeg | null): Promise<void> {
  const { sniffed, watermark, progress } = photo
  const picture = sniffed.format === 'heic' ? await openHeic(photo) : await openPicture(photo, rebuilt)
  progress.onSized(picture.pixels / 1_000_000, picture.isAnimated)
  const { thumbhash, warnings } = await writeThumbnail({ ...picture, isAnimated: false }, imageFiles.thumbnail, picture)
  if (sniffed.format === 'jpeg' && !warnings.every(isHarmless)) refuseFile('damaged')
  progress.onThumbnail({ width: picture.width, height: picture.height, thumbhash })
  // The size in the first bytes may have been wrong.
  const watermarked = watermark && isLargeEnough(picture)
  const contentType = await writeFullImage(picture, watermarked ? imageFiles.unmarked : imageFiles.full, null)
  if (watermarked) await writeFullImage(picture, imageFiles.full, imageFiles.logo)
  progress.onFull({ contentType, lossless: false, watermarked, inputUnchanged: false })
}

/**
 * Warnings of libjpeg mean damage, except for flaws that the files of some phones are known for and that change no pixel, if
 * there is no other warning. Warnings of other origin (about profiles, for example) do not concern the pixels.
 */
const isHarmless = (warning: string): boolean =>
  !/VipsJpeg|read gave/.test(warning) ||
  /^read gave 1 warnings\s*$/.test(warning) ||
  /Invalid SOS parameters for sequential JPEG|extraneous bytes before marker 0xd9/.test(warning)

async function openHeic({ maxPixels, progress }: Photo): Promise<SourceImage> {
  const file = await readFile(imageFiles.input)
  const { width, height } = sniff(file) ?? refuseFile('format')
  progress.onSized(((width ?? 1) * (height ?? 1)) / 1_000_000)
  const credit = await decodeHeic(file, pixelsFile, maxPixels)
  return readImageMetadata({ input: pixelsFile, maxPixels }, credit)
}

async function openPicture({ sniffed, maxPixels }: Photo, rebuilt: RebuiltJpeg | null): Promise<SourceImage> {
  // The rebuilt file is the better source: it has the profile that the camera only implied.
  if (rebuilt) return readImageMetadata({ input: rebuilt.path, maxPixels, failOn: 'error' }, rebuilt.jpeg.exif.credit)
  const { format } = sniffed
  const source: Source = { input: imageFiles.input, maxPixels, failOn: format === 'jpeg' ? 'error' : 'warning' }
  const credit = format === 'tiff' ? readExif(await readFile(imageFiles.input)).credit : null
  const picture = await readImageMetadata({ ...source, isAnimated: format === 'gif' || format === 'webp' }, credit)
  if (picture.isAnimated && exceedsAnimationLimits(picture, maxPixels / 1_000_000)) refuseFile('animation')
  return picture
}
