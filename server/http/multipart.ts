import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { Fault, invalidField } from '../faults.ts'
import type { HttpRequest } from './http-types.ts'
import { watchUploadSpeed } from './upload-speed.ts'

/** The file of an upload that is still arriving. */
export interface IncomingFile {
  /** As sent by the client; untrusted. */
  filename: string
  stream: Readable
}

type FormHeaders = IncomingHttpHeaders & { 'content-type': string }
type CreateParser = (headers: FormHeaders) => BusboyInstance

const formOverheadBytes = 64 * 1024

export interface BodyLimits {
  /** Of the whole body, with all its parts. */
  maxBytes: number
  tooLarge: () => Fault
  /** Stops reading; its reason is a Fault. */
  signal?: AbortSignal
}

const connectionClosed = (): Fault => new Fault('bad_request', 'The connection closed before the upload finished.')
const malformedForm = (): Fault =>
  new Fault('bad_request', 'The form could not be read: it is malformed or incomplete.')

/** Aborts `requestBodyAbort` with a Fault when the body is too large, too slow or cut off; returns a function that ends the checks. */
function watchBody(
  req: HttpRequest,
  requestBodyAbort: AbortController,
  { maxBytes, tooLarge }: BodyLimits,
): () => void {
  const stopSpeedCheck = watchUploadSpeed(req, () =>
    requestBodyAbort.abort(
      new Fault('bad_request', 'The upload was too slow and was cancelled. Please try again on a better connection.'),
    ),
  )
  const onAborted = (): void => requestBodyAbort.abort(connectionClosed())
  let bytes = 0
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length
    if (bytes > maxBytes) requestBodyAbort.abort(tooLarge())
  }
  req.raw.once('aborted', onAborted)
  req.raw.on('data', onData)
  return () => {
    stopSpeedCheck()
    req.raw.off('aborted', onAborted)
    req.raw.off('data', onData)
  }
}

/**
 * Pipes a multipart body into a parser. Resolves when both have ended. Rejects with a Fault when the body is malformed,
 * cut off, too slow, too large or aborted; the rest of the body is not read here.
 */
export async function pipeBody(req: HttpRequest, createParser: CreateParser, limits: BodyLimits): Promise<void> {
  const type = req.headers['content-type']
  // Closed while the upload waited in the queue or for the database: there will be no further event.
  if (req.raw.destroyed) throw connectionClosed()
  if (type === undefined) throw malformedForm()
  let parser: BusboyInstance
  try {
    parser = createParser({ ...req.headers, 'content-type': type })
  } catch {
    throw malformedForm()
  }
  // The parser may emit another error after `finished` has stopped listening; unhandled, it would end the process.
  parser.on('error', () => {})
  const requestBodyAbort = new AbortController()
  const signal = limits.signal ? AbortSignal.any([limits.signal, requestBodyAbort.signal]) : requestBodyAbort.signal
  const endBodyChecks = watchBody(req, requestBodyAbort, limits)
  try {
    req.raw.pipe(parser)
    await finished(parser, { signal })
  } catch (error) {
    req.raw.unpipe(parser)
    if (signal.aborted && signal.reason instanceof Fault) throw signal.reason
    throw error instanceof Fault ? error : malformedForm()
  } finally {
    endBodyChecks()
  }
}

/**
 * Receives one file from the multipart field `file` and passes it to `handleFile` while it arrives. Resolves with the
 * handler's result once the whole body has arrived. A file over `fileLimit.bytes` is refused with `fileLimit.message`: at once
 * when Content-Length says so. Other fields are ignored; a second file is refused.
 */
export async function receiveFile<T>(
  req: HttpRequest,
  fileLimit: { bytes: number; message: string },
  handleFile: (file: IncomingFile) => Promise<T>,
): Promise<T> {
  const tooLarge = (): Fault => new Fault('too_large', fileLimit.message)
  const maxBytes = fileLimit.bytes + formOverheadBytes
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  const requestBodyAbort = new AbortController()
  const handledFiles: Promise<T>[] = []
  const createParser: CreateParser = (headers) => {
    const formParser = new Busboy({
      headers,
      highWaterMark: 1024 * 1024,
      fileHwm: 1024 * 1024,
      limits: { fileSize: fileLimit.bytes, files: 2, fields: 20, parts: 22, fieldSize: 16 * 1024, headerPairs: 50 },
    })
    formParser.on('file', (field, stream, filename) => {
      // The handler may not listen yet, or never; unhandled, an error would end the process.
      stream.on('error', () => {})
      if (field !== 'file' || handledFiles.length > 0) {
        stream.resume()
        if (field === 'file') requestBodyAbort.abort(invalidField('file', 'Send one file at a time'))
        return
      }
      stream.once('limit', () => requestBodyAbort.abort(tooLarge()))
      requestBodyAbort.signal.addEventListener('abort', () => stream.destroy(requestBodyAbort.signal.reason))
      const handledFile = handleFile({ filename, stream })
      handledFile.catch((error: unknown) => requestBodyAbort.abort(error))
      handledFiles.push(handledFile)
    })
    return formParser
  }
  const pipedBody = pipeBody(req, createParser, { maxBytes, tooLarge, signal: requestBodyAbort.signal }).catch(
    (error: unknown) => {
      if (!requestBodyAbort.signal.aborted) requestBodyAbort.abort(error)
      throw requestBodyAbort.signal.reason
    },
  )
  const [body] = await Promise.allSettled([pipedBody])
  const [file] = await Promise.allSettled(handledFiles)
  if (body.status === 'rejected') throw body.reason
  if (!file) throw invalidField('file', 'Field required')
  if (file.status === 'rejected') throw file.reason
  return file.value
}
