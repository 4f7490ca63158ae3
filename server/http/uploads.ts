import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { Fault, invalid } from '../faults.ts'
import { watchSpeed } from './patience.ts'

/** The file of an upload, still arriving. */
export interface IncomingFile {
  /** As the client names it; not to be trusted with anything. */
  filename: string
  stream: Readable
}

const leastGivenBack = 16 * 1024

/**
 * Frees the memory of a received chunk that nobody reads any more. Left to the garbage collector, a photo's chunks cost
 * more time than all the rest of receiving it.
 */
export function giveBack(chunk: Buffer): void {
  const { buffer } = chunk
  // Smaller ones, and slices, may share their memory with others.
  if (chunk.length < leastGivenBack || chunk.length !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return
  buffer.transfer(0)
}

type FormHeaders = IncomingHttpHeaders & { 'content-type': string }

const formOverheadBytes = 64 * 1024

/** How a body may be: `bytes` counts all of it, whatever its parts; `signal` breaks it off with a Fault. */
export interface BodyBounds {
  bytes: number
  tooLarge: () => Fault
  signal?: AbortSignal
}

/**
 * Sends the whole multipart body through a parser. Resolves when both are at their end. Rejects with a Fault when the
 * body is malformed, breaks off, comes too slowly, is too large, or is aborted; what still comes is not read here.
 */
export async function pipeBody(
  req: FastifyRequest,
  parserFor: (headers: FormHeaders) => BusboyInstance,
  { bytes: most, tooLarge, signal }: BodyBounds,
): Promise<void> {
  const type = req.headers['content-type']
  const malformed = (): Fault => new Fault('bad_request', 'The form could not be read: it is malformed or incomplete.')
  const brokeOff = (): Fault => new Fault('bad_request', 'The connection ended before the upload did.')
  // Gone while it waited for its turn or for the database: no event would tell any more.
  if (req.raw.destroyed) throw brokeOff()
  if (type === undefined) throw malformed()
  let parser: BusboyInstance
  try {
    parser = parserFor({ ...req.headers, 'content-type': type })
  } catch {
    throw malformed()
  }
  // It may complain once more after we have stopped listening, which would end the program.
  parser.on('error', () => {})
  const stop = new AbortController()
  const anyStop = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const unwatch = watchSpeed(req, () =>
    stop.abort(
      new Fault(
        'bad_request',
        'The upload came in too slowly and was stopped. Please try again on a better connection.',
      ),
    ),
  )
  const gone = (): void => stop.abort(brokeOff())
  req.raw.once('aborted', gone)
  let bytes = 0
  const count = (chunk: Buffer): void => {
    bytes += chunk.length
    if (bytes > most) stop.abort(tooLarge())
  }
  req.raw.on('data', count)
  try {
    req.raw.pipe(parser)
    await finished(parser, { signal: anyStop })
  } catch (error) {
    req.raw.unpipe(parser)
    if (anyStop.aborted && anyStop.reason instanceof Fault) throw anyStop.reason
    throw error instanceof Fault ? error : malformed()
  } finally {
    unwatch()
    req.raw.off('aborted', gone)
    req.raw.off('data', count)
  }
}

/**
 * Receives one file from the multipart field `file` and hands it to `take` while it arrives. Resolves with what `take`
 * made of it, once the whole body is there. Files over `most.bytes` are refused with the sentence `most.says`, before
 * they come when their length is announced. Other fields are ignored; a second file is refused.
 */
export async function receiveFile<T>(
  req: FastifyRequest,
  most: { bytes: number; says: string },
  take: (file: IncomingFile) => Promise<T>,
): Promise<T> {
  const tooLarge = (): Fault => new Fault('too_large', most.says)
  const bytes = most.bytes + formOverheadBytes
  if (Number(req.headers['content-length'] ?? 0) > bytes) throw tooLarge()
  const stop = new AbortController()
  const taken: Promise<T>[] = []
  const parserFor = (headers: FormHeaders): BusboyInstance => {
    const form = new Busboy({
      headers,
      highWaterMark: 1024 * 1024,
      fileHwm: 1024 * 1024,
      limits: { fileSize: most.bytes, files: 2, fields: 20, parts: 22, fieldSize: 16 * 1024, headerPairs: 50 },
    })
    form.on('file', (field, stream, filename) => {
      // Also heard by whoever reads it, who may not have begun, or may never.
      stream.on('error', () => {})
      if (field !== 'file' || taken.length > 0) {
        stream.resume()
        if (field === 'file') stop.abort(invalid('file', 'Send one file at a time'))
        return
      }
      stream.once('limit', () => stop.abort(tooLarge()))
      stop.signal.addEventListener('abort', () => stream.destroy(stop.signal.reason))
      taken.push(
        take({ filename, stream }).catch((error: unknown) => {
          stop.abort(error)
          throw error
        }),
      )
    })
    return form
  }
  const piped = pipeBody(req, parserFor, { bytes, tooLarge, signal: stop.signal }).catch((error: unknown) => {
    if (!stop.signal.aborted) stop.abort(error)
    throw stop.signal.reason
  })
  const [body] = await Promise.allSettled([piped])
  const [file] = await Promise.allSettled(taken)
  if (body.status === 'rejected') throw body.reason
  if (!file) throw invalid('file', 'Field required')
  if (file.status === 'rejected') throw file.reason
  return file.value
}
