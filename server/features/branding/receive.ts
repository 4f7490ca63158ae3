import { createWriteStream } from 'node:fs'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { brandLimits } from '@keepsnap/contract/limits.ts'
import { Fault } from '../../faults.ts'
import { receiveFile } from '../../http/uploads.ts'
import { ImageFailure } from '../../images/failure.ts'
import type { MadePicture } from '../../images/pictures.ts'
import type { ImagePool } from '../../images/pool.ts'
import { sniff } from '../../images/sniff.ts'
import { isSvg } from '../../images/svg-head.ts'
import type { BrandKind } from './queries.ts'

const headBytes = 4096
const waitMostMs = 40_000
const atOnceMost = 2

const taken = { logo: 'PNG, JPG, SVG or WebP', background: 'PNG, JPG or WebP' } as const

const notAPicture = (kind: BrandKind): Fault =>
  new Fault('not_an_image', `This file is not a picture that we can read. Please choose a ${taken[kind]} file.`)
const busy = (): Fault => new Fault('unavailable', 'This takes too long at the moment. Please try again.', 10)
const tooMany = (): Fault =>
  new Fault('rate_limited', 'Too many uploads at once. Please wait for the others to finish.', 5)

/** Stops what is no picture for a brand by its first bytes, whatever its name and type say. */
function judged(kind: BrandKind, stream: Readable): Readable {
  let head = Buffer.alloc(0)
  let isJudged = false
  const judge = (): Fault | null => {
    isJudged = true
    if (head.length === 0) return new Fault('not_an_image', 'This file is empty. Please choose another one.')
    const format = sniff(head)?.format
    const isPicture = format === 'png' || format === 'jpeg' || format === 'webp' || (kind === 'logo' && isSvg(head))
    return isPicture ? null : notAPicture(kind)
  }
  const through = new Transform({
    transform(chunk: Buffer, _, done) {
      if (isJudged) return done(null, chunk)
      head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
      done(head.length >= headBytes ? judge() : null, chunk)
    },
    flush: (done) => done(isJudged ? null : judge()),
  })
  stream.on('error', (error) => through.destroy(error))
  return stream.pipe(through)
}

/** What an image that could not be made means to whoever uploaded it. */
function faultOf(error: ImageFailure, kind: BrandKind): Fault {
  if (error.code === 'format') return notAPicture(kind)
  if (error.code === 'pixels') return new Fault('too_large', error.sentence)
  if (error.kind === 'crashed') return new Fault('unavailable', 'Something went wrong. Please upload it once more.', 1)
  // A 422 about the one field there is.
  return new Fault('invalid', [{ loc: ['body', 'file'], msg: error.sentence }])
}

/**
 * Receives one picture and has it made anew by an image process, in turn with the photos, while its sender waits.
 * Resolves with what `take` made of it; nothing of the upload stays.
 */
export function createReceiving(images: () => Promise<ImagePool>) {
  const underWay = new Map<string, number>()

  const receive = async <T>(
    req: FastifyRequest,
    { kind, take }: { kind: BrandKind; take: (made: MadePicture) => Promise<T> },
  ): Promise<T> => {
    const pool = await images()
    const waited = new AbortController()
    let late: NodeJS.Timeout | undefined
    const most = {
      bytes: brandLimits.fileBytes,
      says: 'This file is larger than 10 MB. Save it smaller and try again.',
    }
    try {
      return await pool.picture({
        work: kind,
        signal: waited.signal,
        async place(path) {
          await receiveFile(req, most, ({ stream }) =>
            pipeline(judged(kind, stream), createWriteStream(path, { flags: 'wx' })),
          )
          late = setTimeout(() => waited.abort(busy()), waitMostMs)
        },
        take(made) {
          clearTimeout(late)
          return take(made)
        },
      })
    } catch (error) {
      throw error instanceof ImageFailure ? faultOf(error, kind) : error
    } finally {
      clearTimeout(late)
    }
  }

  return async <T>(userId: string, req: FastifyRequest, what: Parameters<typeof receive<T>>[1]): Promise<T> => {
    const running = underWay.get(userId) ?? 0
    if (running >= atOnceMost) throw tooMany()
    underWay.set(userId, running + 1)
    try {
      return await receive(req, what)
    } finally {
      const left = (underWay.get(userId) ?? 1) - 1
      if (left === 0) underWay.delete(userId)
      else underWay.set(userId, left)
    }
  }
}
