import { createWriteStream } from 'node:fs'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { brandLimits } from '@keepsnap/contract/limits.ts'
import { Fault } from '../../faults.ts'
import type { HttpRequest } from '../../http/http-types.ts'
import { receiveFile } from '../../http/multipart.ts'
import { isSvg } from '../../images/formats/svg.ts'
import { sniff } from '../../images/formats/sniff.ts'
import { ImageFailure } from '../../images/sandbox/image-failure.ts'
import type { RenderedImage } from '../../images/sandbox/image-jobs.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import type { BrandKind } from './queries.ts'

/** Enough to detect the format. */
const imageHeadBytes = 4096
/** From the end of the upload to the rendered image. */
const renderTimeoutMs = 40_000
const maxUploadsPerUser = 2

const acceptedFormats = {
  logo: 'PNG, JPG, SVG or WebP',
  background: 'JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC',
} as const

const notABrandImage = (kind: BrandKind): Fault =>
  new Fault('not_an_image', `This file is not an image we can read. Please choose a ${acceptedFormats[kind]} file.`)
const renderTimeout = (): Fault => new Fault('unavailable', 'This is taking too long right now. Please try again.', 10)
const tooManyUploads = (): Fault =>
  new Fault('rate_limited', 'Too many uploads at once. Please wait for the others to finish.', 5)

/** Why the first bytes of a file are not an accepted image, whatever its name and type say; null if they are. */
function checkImageHead(kind: BrandKind, imageHead: Buffer): Fault | null {
  if (imageHead.length === 0) return new Fault('not_an_image', 'This file is empty. Please choose another one.')
  const format = sniff(imageHead)?.format
  const isAcceptedLogo = format === 'png' || format === 'jpeg' || format === 'webp' || isSvg(imageHead)
  const isAcceptedFormat = kind === 'logo' ? isAcceptedLogo : format !== undefined
  return isAcceptedFormat ? null : notABrandImage(kind)
}

/** Passes a stream through, and fails as soon as its first bytes are not those of an accepted image format. */
function acceptImages(kind: BrandKind, stream: Readable): Readable {
  let imageHead = Buffer.alloc(0)
  let isHeadChecked = false
  const checkHeadOnce = (): Fault | null => {
    isHeadChecked = true
    return checkImageHead(kind, imageHead)
  }
  const checkedStream = new Transform({
    transform(chunk: Buffer, _, done) {
      if (isHeadChecked) return done(null, chunk)
      imageHead = Buffer.concat([imageHead, chunk.subarray(0, imageHeadBytes - imageHead.length)])
      done(imageHead.length >= imageHeadBytes ? checkHeadOnce() : null, chunk)
    },
    flush: (done) => done(isHeadChecked ? null : checkHeadOnce()),
  })
  stream.on('error', (error) => checkedStream.destroy(error))
  return stream.pipe(checkedStream)
}

/** The answer to an upload whose image could not be rendered. */
function brandImageFault(error: ImageFailure, kind: BrandKind): Fault {
  if (error.code === 'format') return notABrandImage(kind)
  if (error.code === 'pixels') return new Fault('too_large', error.sentence)
  if (error.kind === 'crashed') return new Fault('unavailable', 'Something went wrong. Please upload it again.', 1)
  // A 422 about the only field.
  return new Fault('invalid', [{ loc: ['body', 'file'], msg: error.sentence }])
}

const brandFileLimit = {
  bytes: brandLimits.fileBytes,
  message: 'This file is larger than 10 MB. Reduce its size and try again.',
}

export interface BrandImageUpload<T> {
  kind: BrandKind
  /** Saves the rendered file, which is deleted afterwards. */
  save: (image: RenderedImage) => Promise<T>
}

async function renderUpload<T>(
  imagePool: ImagePool,
  req: HttpRequest,
  { kind, save }: BrandImageUpload<T>,
): Promise<T> {
  const brandImageDeadline = new AbortController()
  let renderTimer: NodeJS.Timeout | undefined
  const writeInput = async (path: string): Promise<void> => {
    await receiveFile(req, brandFileLimit, ({ stream }) =>
      pipeline(acceptImages(kind, stream), createWriteStream(path, { flags: 'wx' })),
    )
    renderTimer = setTimeout(() => brandImageDeadline.abort(renderTimeout()), renderTimeoutMs)
  }
  try {
    const renderJob = await imagePool.renderSingle(kind, { writeInput }, brandImageDeadline.signal)
    try {
      const image = await renderJob.result
      clearTimeout(renderTimer)
      return await save(image)
    } finally {
      await renderJob.release()
    }
  } catch (error) {
    throw error instanceof ImageFailure ? brandImageFault(error, kind) : error
  } finally {
    clearTimeout(renderTimer)
  }
}

export type ReceiveBrandImage = <T>(userId: string, req: HttpRequest, upload: BrandImageUpload<T>) => Promise<T>

/**
 * Receives an image and renders it in an image process, with the priority of photos, while the client waits. Resolves with
 * what `save` returns; no temporary file remains.
 */
export function createBrandImageReceiver(images: () => Promise<ImagePool>): ReceiveBrandImage {
  const uploadsByUser = new Map<string, number>()
  return async (userId, req, upload) => {
    const runningUploads = uploadsByUser.get(userId) ?? 0
    if (runningUploads >= maxUploadsPerUser) throw tooManyUploads()
    uploadsByUser.set(userId, runningUploads + 1)
    try {
      return await renderUpload(await images(), req, upload)
    } finally {
      const remainingUploads = (uploadsByUser.get(userId) ?? 1) - 1
      if (remainingUploads === 0) uploadsByUser.delete(userId)
      else uploadsByUser.set(userId, remainingUploads)
    }
  }
}
