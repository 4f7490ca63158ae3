import { Busboy } from '@fastify/busboy'
import { limits } from '@keepsnap/contract/limits.ts'
import { Fault } from '../faults.ts'
import type { HttpRequest, HttpServer } from './http-types.ts'
import { pipeBody } from './multipart.ts'

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
    if (config.bodyKind === 'file' && !isMultipart(req))
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
