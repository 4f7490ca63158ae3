import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { limits } from '@keepsnap/contract/limits.ts'
import { Fault, invalidField } from '../../faults.ts'
import type { HttpRequest, HttpServer } from './http-types.ts'

/** The file of an upload that is still arriving. */
export interface IncomingFile {
  /** As sent by the client; untrusted. */
  filename: string
  stream: Readable
}

type FormHeaders = IncomingHttpHeaders & { 'content-type': string }
type CreateParser = (headers: FormHeaders) => BusboyInstance

const formOverheadBytes = 64 * 1024

interface BodyLimits {
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
async function pipeBody(req: HttpRequest, createParser: CreateParser, limits: BodyLimits): Promise<void> {
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

/** Limits for discarding bodies that no handler reads: 16 MB/s in total, after a burst of half a megabyte. */
const discardLimits = { bodyMs: 15_000, bytesPerMs: 16_000, burstMs: 30 }
const minUploadSpeed = { afterMs: 10_000, bytesPerSecond: 10_000, checkMs: 2_000 }

/**
 * Limits how fast bodies are discarded, all together. The result says how many milliseconds to wait after discarding some
 * bytes.
 */
export function createDiscardThrottle(nowMs: () => number = () => performance.now()): (bytes: number) => number {
  let discardedUntilMs = 0
  return (bytes) => {
    discardedUntilMs = Math.max(discardedUntilMs, nowMs()) + bytes / discardLimits.bytesPerMs
    return Math.max(0, discardedUntilMs - nowMs() - discardLimits.burstMs)
  }
}

/**
 * Reads and discards the rest of a body, so that the client can read the response: browsers read it only after they have sent
 * everything. Closes the connection after a while. Slow when many such bodies arrive: strangers can send them too.
 */
function discardBody({ raw }: HttpRequest, discardPauseMs: (bytes: number) => number): void {
  const discardTimeout = setTimeout(() => raw.destroy(), discardLimits.bodyMs)
  discardTimeout.unref()
  raw.once('close', () => clearTimeout(discardTimeout))
  raw.on('data', (chunk: Buffer) => {
    const pauseMs = discardPauseMs(chunk.length)
    if (pauseMs === 0) return
    raw.pause()
    setTimeout(() => raw.resume(), pauseMs)
  })
  raw.resume()
}

/**
 * Calls `onTooSlow` when, after ten seconds, the body has arrived at less than 10 kB/s on average. Time during which the
 * server itself is slow to read does not count against the client. Returns a function that stops the check.
 */
export function watchUploadSpeed(req: HttpRequest, onTooSlow: () => void): () => void {
  const startedAt = Date.now()
  const { socket } = req.raw
  const bytesBefore = socket.bytesRead
  const speedCheckTimer = setInterval(() => {
    const elapsedMs = Date.now() - startedAt
    const isWaitingForClient = !req.raw.complete && req.raw.readableLength === 0
    const bytesPerSecond = (socket.bytesRead - bytesBefore) / (elapsedMs / 1000)
    if (isWaitingForClient && elapsedMs > minUploadSpeed.afterMs && bytesPerSecond < minUploadSpeed.bytesPerSecond)
      onTooSlow()
  }, minUploadSpeed.checkMs)
  return () => clearInterval(speedCheckTimer)
}

const isSmallBody = ({ raw, headers }: HttpRequest): boolean =>
  raw.method !== 'GET' && raw.method !== 'HEAD' && !headers['content-type']?.startsWith('multipart/')

/**
 * Bounds the time that any body may take: small bodies here, multipart bodies in `pipeBody`, and bodies that are refused
 * before they are read to their end.
 */
export function stopSlowBodies(app: HttpServer): void {
  const discardPauseMs = createDiscardThrottle()
  app.addHook('preParsing', async (req, _reply, payload) => {
    if (isSmallBody(req) && !req.raw.complete) {
      const stopWatching = watchUploadSpeed(req, () => req.raw.destroy())
      payload.once('close', stopWatching)
    }
    return payload
  })
  // Runs before the response is sent: afterwards Node would discard an unread body at full speed.
  app.addHook('onSend', async (req) => {
    if (!req.raw.complete) discardBody(req, discardPauseMs)
  })
}

/**
 * The fields of a form by name; the first value of a repeated field. Browsers send CR LF for each line end, which `maxlength`
 * counts as one character. A password stays as it was sent: it is compared.
 */
function fieldsOf(formFields: Iterable<[string, string]>): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of formFields) fields[name] ??= name === 'password' ? value : value.replaceAll('\r\n', '\n')
  return fields
}

const isMultipart = (req: HttpRequest): boolean => (req.headers['content-type'] ?? '').startsWith('multipart/form-data')

/** The text fields of a small multipart form. */
async function readMultipartForm(req: HttpRequest): Promise<Record<string, string>> {
  const tooLarge = (): Fault => new Fault('too_large', 'The form is too large.')
  if (Number(req.headers['content-length'] ?? 0) > limits.jsonBodyBytes) throw tooLarge()
  const formFields: [string, string][] = []
  const createParser: Parameters<typeof pipeBody>[1] = (headers) => {
    const formParser = new Busboy({
      headers,
      limits: { fields: 20, parts: 20, files: 0, fieldSize: 16 * 1024, headerPairs: 50 },
    })
    formParser.on('field', (name, value) => formFields.push([name, value]))
    return formParser
  }
  await pipeBody(req, createParser, { maxBytes: limits.jsonBodyBytes, tooLarge })
  return fieldsOf(formFields)
}

/**
 * The accepted request bodies: JSON (an empty body counts as none), URL-encoded forms and multipart forms. Multipart
 * bodies are not parsed here: small forms are read before validation, uploads are streamed by their handler.
 */
export function addBodyParsers(app: HttpServer): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (req, text, done) =>
    text === '' ? done(null, undefined) : parseJson(req, String(text), done),
  )
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_req, text, done) =>
    done(null, fieldsOf(new URLSearchParams(String(text)))),
  )
  app.addContentTypeParser('multipart/form-data', (_req, _payload, done) => done(null, undefined))

  app.addHook('preValidation', async (req) => {
    const { url, config } = req.routeOptions
    if (!url || !('bodyKind' in config)) return
    const contentType = req.headers['content-type'] ?? ''
    if (
      config.bodyKind === 'json' &&
      (isMultipart(req) || contentType.startsWith('application/x-www-form-urlencoded'))
    ) {
      throw new Fault('unsupported_type', 'Send this as JSON.')
    }
    if (config.bodyKind === 'form' && contentType.startsWith('application/json'))
      throw new Fault('unsupported_type', 'Send this as a form.')
    if ((config.bodyKind === 'form' || config.bodyKind === 'form or JSON') && isMultipart(req))
      req.body = await readMultipartForm(req)
    if ((config.bodyKind === 'file' || config.bodyKind === 'form file') && !isMultipart(req))
      throw new Fault('unsupported_type', 'Send the photo as multipart/form-data, in the field "file".')
  })
}

/**
 * Adds routes whose handlers get the raw bytes of the body in `req.body`, whatever its content type. A body over
 * `limits.webhookBodyBytes` is refused like an invalid one: 400.
 */
export function acceptRawBodies(app: HttpServer, addRoutes: (scope: HttpServer) => void): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: limits.webhookBodyBytes },
      (_req: unknown, body: unknown, done: (error: Error | null, body: unknown) => void) => done(null, body),
    )
    scope.setErrorHandler(async (error: unknown) => {
      const isTooLarge = error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
      throw isTooLarge ? new Fault('bad_request', 'The request body is too large.') : error
    })
    addRoutes(scope)
  })
}
