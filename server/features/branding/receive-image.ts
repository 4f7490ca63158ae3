import { createWriteStream } from 'node:fs'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { brandLimits } from '@keepsnap/contract/limits.ts'
import { Fault } from '../../faults.ts'
import type { HttpRequest } from '../../http/http-types.ts'
import { receiveFile } from '../../http/multipart.ts'
import { isSvg, sniff } from '../../images/formats/formats.ts'
import { ImageFailure } from '../../images/sandbox/image-failure.ts'
import type { RenderedImage } from '../../images/sandbox/image-jobs.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import type { BrandKind } from './queries.ts'

/** Enough to detect the format. */
const headBytes = 4096
/** From the end of the upload to the rendered image. */
const renderTimeoutMs = 40_000
const maxUploadsPerUser = 2

const acceptedFormats = { logo: 'PNG, JPG, SVG or WebP', background: 'PNG, JPG or WebP' } as const

const notAnImage = (kind: BrandKind): Fault =>
  new Fault('not_an_image', `This file is not an image we can read. Please choose a ${acceptedFormats[kind]} file.`)
const renderTimeout = (): Fault => new Fault('unavailable', 'This is taking too long right now. Please try again.', 10)
const tooManyUploads = (): Fault =>
  new Fault('rate_limited', 'Too many uploads at once. Please wait for the others to finish.', 5)

/** Why the first bytes of a file are not an accepted image, whatever its name and type say; null if they are. */
function checkHead(kind: BrandKind, head: Buffer): Fault | null {
  if (head.length === 0) return new Fault('not_an_image', 'This file is empty. Please choose another one.')
  const format = sniff(head)?.format
  const isAccepted = format === 'png' || format === 'jpeg' || format === 'webp' || (kind === 'logo' && isSvg(head))
  return isAccepted ? null : notAnImage(kind)
}

/** Passes a file on, and fails as soon as its first bytes are not those of an accepted image. */
function acceptImages(kind: BrandKind, stream: Readable): Readable {
  let head = Buffer.alloc(0)
  let isChecked = false
  const check = (): Fault | null => {
    isChecked = true
    return checkHead(kind, head)
  }
  const checked = new Transform({
    transform(chunk: Buffer, _, done) {
      if (isChecked) return done(null, chunk)
      head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
      done(head.length >= headBytes ? check() : null, chunk)
    },
    flush: (done) => done(isChecked ? null : check()),
  })
  stream.on('error', (error) => checked.destroy(error))
  return stream.pipe(checked)
}

/** The answer to an upload whose image could not be rendered. */
function faultOf(error: ImageFailure, kind: BrandKind): Fault {
  if (error.code === 'format') return notAnImage(kind)
  if (error.code === 'pixels') return new Fault('too_large', error.sentence)
  if (error.kind === 'crashed') return new Fault('unavailable', 'Something went wrong. Please upload it again.', 1)
  // A 422 about the only field.
  return new Fault('invalid', [{ loc: ['body', 'file'], msg: error.sentence }])
}

const sizeLimit = {
  bytes: brandLimits.fileBytes,
  message: 'This file is larger than 10 MB. Reduce its size and try again.',
}

export interface ImageUpload<T> {
  kind: BrandKind
  /** Saves the rendered file, which is deleted afterwards. */
  save: (image: RenderedImage) => Promise<T>
}

async function renderUpload<T>(pool: ImagePool, req: HttpRequest, { kind, save }: ImageUpload<T>): Promise<T> {
  const timeout = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const writeInput = async (path: string): Promise<void> => {
    await receiveFile(req, sizeLimit, ({ stream }) =>
      pipeline(acceptImages(kind, stream), createWriteStream(path, { flags: 'wx' })),
    )
    timer = setTimeout(() => timeout.abort(renderTimeout()), renderTimeoutMs)
  }
  try {
    const job = await pool.renderSingle(kind, { writeInput }, timeout.signal)
    try {
      const image = await job.result
      clearTimeout(timer)
      return await save(image)
    } finally {
      await job.release()
    }
  } catch (error) {
    throw error instanceof ImageFailure ? faultOf(error, kind) : error
  } finally {
    clearTimeout(timer)
  }
}

export type ReceiveImage = <T>(userId: string, req: HttpRequest, upload: ImageUpload<T>) => Promise<T>

/**
 * Receives an image and renders it in an image process, with the priority of photos, while the client waits. Resolves with
 * what `save` returns; no temporary file remains.
 */
export function createImageReceiver(images: () => Promise<ImagePool>): ReceiveImage {
  const uploadsByUser = new Map<string, number>()
  return async (userId, req, upload) => {
    const running = uploadsByUser.get(userId) ?? 0
    if (running >= maxUploadsPerUser) throw tooManyUploads()
    uploadsByUser.set(userId, running + 1)
    try {
      return await renderUpload(await images(), req, upload)
    } finally {
      const left = (uploadsByUser.get(userId) ?? 1) - 1
      if (left === 0) uploadsByUser.delete(userId)
      else uploadsByUser.set(userId, left)
    }
  }
}
