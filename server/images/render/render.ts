import { renameSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { exceedsAnimationLimits } from '../formats/animation-limits.ts'
import type { Sniffed } from '../formats/sniff.ts'
import { readExif } from '../metadata/exif.ts'
import { imageFiles, type FullType, type WorkKind } from '../protocol.ts'
import { refuseFile } from '../refusal.ts'
import type { WatermarkLayout } from '../watermark-layout.ts'
import { writeFullImage, type SourceImage } from './full-image.ts'
import { readImageMetadata } from './image-metadata.ts'
import type { Source } from './libvips.ts'
import { sniffInput } from './read-head.ts'
import { convertColours, failOnOf, openHeic, readableInput, refuseIfDamaged } from './open-picture.ts'
import { freeBytes, rebuildInput, uprightSize, writeLosslessThumbnail, type RebuiltJpeg } from './lossless.ts'
import { renderSingleImage, type WrittenImage } from './single-image.ts'
import { writeThumbnail } from './thumbnail.ts'
import { isLargeEnough } from './watermark.ts'

/** What to make of the file `in`. */
export interface RenderRequest {
  maxMegapixels: number
  work: WorkKind
  watermark: WatermarkLayout | null
}

/** Called while a request is rendered, in this order. The meanings are those of `ImageReply`. */
export interface RenderProgress {
  onSized(megapixels: number, isAnimated?: boolean): void
  onThumbnail(thumbnail: { width: number; height: number; thumbhash: string }): void
  onFull(full: { contentType: FullType; lossless: boolean; watermarked: boolean; inputUnchanged: boolean }): void
  /** For a single image, instead of `onThumbnail` and `onFull`. */
  onImage(image: WrittenImage): void
}

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
  const sniffed = sniffInput(maxPixels)
  const { width, height } = sniffed
  const isLarge = isLargeEnough({ width: width ?? Infinity, height: height ?? Infinity })
  const watermark = isLarge ? request.watermark : null
  const photo: Photo = { sniffed, maxPixels, watermark, progress }
  const source = sniffed.format === 'jpeg' ? rebuildInput(maxPixels) : imageFiles.input
  if (typeof source === 'string' || !(await renderLossless(photo, source))) await renderEncoded(photo, source)
}

interface Photo {
  sniffed: Sniffed
  maxPixels: number
  watermark: WatermarkLayout | null
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
    const contentType = await writeFullImage(await openPicture(photo, rebuilt), imageFiles.full, watermark)
    if (!inputUnchanged) renameSync(path, imageFiles.unmarked)
    progress.onFull({ contentType, lossless: false, watermarked: true, inputUnchanged })
  } else {
    if (!inputUnchanged) renameSync(path, imageFiles.full)
    progress.onFull({ contentType: 'image/jpeg', lossless: true, watermarked: false, inputUnchanged })
  }
  return true
}

/** Decodes the picture and encodes it again. */
async function renderEncoded(photo: Photo, input: RebuiltJpeg | string): Promise<void> {
  const { sniffed, maxPixels, watermark, progress } = photo
  const isHeic = sniffed.format === 'heic'
  const picture = isHeic ? await openHeic(maxPixels, progress.onSized) : await openPicture(photo, input)
  progress.onSized(picture.pixels / 1_000_000, picture.isAnimated)
  const { thumbhash, warnings } = await writeThumbnail({ ...picture, isAnimated: false }, imageFiles.thumbnail, picture)
  refuseIfDamaged(sniffed.format, warnings)
  progress.onThumbnail({ width: picture.width, height: picture.height, thumbhash })
  // The size in the first bytes may have been wrong.
  const watermarked = watermark !== null && isLargeEnough(picture)
  const contentType = await writeFullImage(picture, watermarked ? imageFiles.unmarked : imageFiles.full, null)
  if (watermarked) await writeFullImage(picture, imageFiles.full, watermark)
  progress.onFull({ contentType, lossless: false, watermarked, inputUnchanged: false })
}

async function openPicture({ sniffed, maxPixels, progress }: Photo, input: RebuiltJpeg | string): Promise<SourceImage> {
  // The rebuilt file is the better source: it has the profile that the camera only implied.
  if (typeof input !== 'string')
    return readImageMetadata({ input: input.path, maxPixels, failOn: 'error' }, input.jpeg.exif.credit)
  const { format } = sniffed
  const source: Source = {
    input: (await readableInput(format, maxPixels)) ?? input,
    maxPixels,
    failOn: failOnOf(format),
  }
  const converted = await convertColours(format, source, progress.onSized)
  if (converted) return converted
  const credit = format === 'tiff' ? readExif(await readFile(imageFiles.input)).credit : null
  const picture = await readImageMetadata({ ...source, isAnimated: format === 'gif' || format === 'webp' }, credit)
  if (picture.isAnimated && exceedsAnimationLimits(picture, maxPixels / 1_000_000)) refuseFile('animation')
  return picture
}
