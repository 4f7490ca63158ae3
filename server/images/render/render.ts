import { renameSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { exceedsAnimationLimits, type Sniffed } from '../formats/sniff.ts'
import { readExif } from '../metadata/exif.ts'
import {
  imageFiles,
  type ImageReply,
  type ImageRequest,
  memoryExitCode,
  Refusal,
  refuseFile,
  type WatermarkLayout,
  type WorkKind,
} from '../protocol.ts'
import { isLargeEnough, type SourceImage, writeFullImage } from './full-image.ts'
import {
  convertColours,
  failOnOf,
  openHeic,
  readableInput,
  readImageMetadata,
  refuseIfDamaged,
  sniffInput,
} from './open-picture.ts'
import type { Source } from './libvips.ts'
import {
  freeBytes,
  rebuildInput,
  type RebuiltJpeg,
  uprightSize,
  writeLosslessThumbnail,
  writeThumbnail,
} from './lossless.ts'
import { renderSingleImage, type WrittenImage } from './single-image.ts'

export interface RenderRequest {
  maxMegapixels: number
  work: WorkKind
  watermark: WatermarkLayout | null
}

type RenderedFull = Omit<Extract<ImageReply, { type: 'full' }>, 'id' | 'type'>

/** Called while a request is rendered, in this order. The meanings are those of `ImageReply`. */
export interface RenderProgress {
  onSized(megapixels: number, isAnimated?: boolean): void
  onThumbnail(thumbnail: { width: number; height: number; thumbhash: string }): void
  onFull(full: RenderedFull): void
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
  const { capturedAt } = jpeg.exif
  if (watermark) {
    const contentType = await writeFullImage(await openPicture(photo, rebuilt), imageFiles.full, watermark)
    if (!inputUnchanged) renameSync(path, imageFiles.unmarked)
    progress.onFull({ contentType, lossless: false, watermarked: true, inputUnchanged, capturedAt })
  } else {
    if (!inputUnchanged) renameSync(path, imageFiles.full)
    progress.onFull({ contentType: 'image/jpeg', lossless: true, watermarked: false, inputUnchanged, capturedAt })
  }
  return true
}

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
  progress.onFull({ contentType, lossless: false, watermarked, inputUnchanged: false, capturedAt: picture.capturedAt })
}

async function openPicture({ sniffed, maxPixels, progress }: Photo, input: RebuiltJpeg | string): Promise<SourceImage> {
  // The rebuilt file is the better source: it has the profile that the camera only implied.
  if (typeof input !== 'string')
    return readImageMetadata({ input: input.path, maxPixels, failOn: 'error' }, input.jpeg.exif)
  const { format } = sniffed
  const source: Source = {
    input: (await readableInput(format, maxPixels)) ?? input,
    maxPixels,
    failOn: failOnOf(format),
  }
  const converted = await convertColours(format, source, progress.onSized)
  if (converted) return converted
  const exif = format === 'tiff' ? readExif(await readFile(imageFiles.input)) : null
  const picture = await readImageMetadata({ ...source, isAnimated: format === 'gif' || format === 'webp' }, exif)
  if (picture.isAnimated && exceedsAnimationLimits(picture, maxPixels / 1_000_000)) refuseFile('animation')
  return picture
}

type Render = (request: RenderRequest, progress: RenderProgress) => Promise<void>

/** Without /proc the parent process cannot measure this one, so it measures itself. */
const memoryCheckMs = 200

/**
 * The main loop of an image process: reports that it is ready, then handles one request after the other until its input
 * ends. Nothing else may write to standard output.
 */
export function serveRequests(render: Render, { maxOwnBytes }: { maxOwnBytes: number | null }): void {
  const sendReply = (reply: ImageReply): void => void process.stdout.write(`${JSON.stringify(reply)}\n`)
  // A library that logs to standard output would break the protocol.
  for (const name of ['log', 'info', 'warn', 'debug'] as const) console[name] = () => {}
  const lines = createInterface({ input: process.stdin })
  // SIGKILL does not wait for the threads of libvips.
  lines.on('close', () => process.kill(process.pid, 'SIGKILL'))
  lines.on('line', (line) => {
    // Our own parent process writes these lines.
    const request = JSON.parse(line) as ImageRequest
    void handleRequest(render, request, sendReply)
  })
  if (maxOwnBytes) {
    setInterval(() => {
      if (process.memoryUsage.rss() > maxOwnBytes) process.exit(memoryExitCode)
    }, memoryCheckMs)
  }
  sendReply({ type: 'ready' })
}

/** System errors that a full or failing machine causes. */
const machineFaultCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

function describeError(error: unknown): { machineFault: boolean; message: string } {
  if (!(error instanceof Error)) return { machineFault: false, message: String(error) }
  return {
    machineFault: 'code' in error && machineFaultCodes.has(String(error.code)),
    message: error.stack ?? error.message,
  }
}

async function handleRequest(
  render: Render,
  { id, ...request }: ImageRequest,
  sendReply: (reply: ImageReply) => void,
): Promise<void> {
  try {
    await render(request, {
      onSized: (megapixels, animated = false) => sendReply({ id, type: 'sized', megapixels, animated }),
      onThumbnail: (thumbnail) => sendReply({ id, type: 'thumbnail', ...thumbnail }),
      onFull: (full) => sendReply({ id, type: 'full', ...full }),
      onImage: (image) => sendReply({ id, type: 'image', ...image }),
    })
  } catch (error) {
    if (error instanceof Refusal) sendReply({ id, type: 'refused', code: error.code, reason: reasonOf(error) })
    else sendReply({ id, type: 'failed', ...describeError(error) })
  }
  // Frees the memory of the input file. A full collection would take a sixth of the time of a photo.
  globalThis.gc?.({ type: 'minor', execution: 'sync' })
}

const reasonOf = ({ cause }: Refusal): string => (cause instanceof Error ? cause.message : '')
