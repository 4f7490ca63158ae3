import { Busboy } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '@keepsnap/contract/limits.ts'
import { Fault } from '../faults.ts'
import { pipeBody } from './uploads.ts'

/** Named fields of a form; of a repeated one, the first. */
function fieldsOf(pairs: Iterable<[string, string]>): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of pairs) fields[name] ??= value
  return fields
}

const isMultipart = (req: FastifyRequest): boolean =>
  (req.headers['content-type'] ?? '').startsWith('multipart/form-data')

/** The text fields of a small multipart form. */
async function readMultipartForm(req: FastifyRequest): Promise<Record<string, string>> {
  const tooLarge = (): Fault => new Fault('too_large', 'The form is too large.')
  if (Number(req.headers['content-length'] ?? 0) > limits.jsonBodyBytes) throw tooLarge()
  const pairs: [string, string][] = []
  const parserFor: Parameters<typeof pipeBody>[1] = (headers) => {
    const form = new Busboy({
      headers,
      limits: { fields: 20, parts: 20, files: 0, fieldSize: 16 * 1024, headerPairs: 50 },
    })
    form.on('field', (name, value) => pairs.push([name, value]))
    return form
  }
  await pipeBody(req, parserFor, { bytes: limits.jsonBodyBytes, tooLarge })
  return fieldsOf(pairs)
}

/**
 * Bodies we read: JSON (an empty one is no body), urlencoded and multipart forms. A multipart body is left alone until
 * its endpoint wants it: small forms are collected before validation, uploads are streamed by their handler.
 */
export function acceptBodies(app: FastifyInstance): void {
  const json = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (req, text, done) =>
    text === '' ? done(null, undefined) : json(req, String(text), done),
  )
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_req, text, done) =>
    done(null, fieldsOf(new URLSearchParams(String(text)))),
  )
  app.addContentTypeParser('multipart/form-data', (_req, _payload, done) => done(null, undefined))

  app.addHook('preValidation', async (req) => {
    const { url, config } = req.routeOptions
    if (!url || !('wants' in config)) return
    const type = req.headers['content-type'] ?? ''
    if (config.wants === 'json' && (isMultipart(req) || type.startsWith('application/x-www-form-urlencoded'))) {
      throw new Fault('unsupported_type', 'Send this as JSON.')
    }
    if (config.wants === 'form' && type.startsWith('application/json'))
      throw new Fault('unsupported_type', 'Send this as a form.')
    if (config.wants === 'form' && isMultipart(req)) req.body = await readMultipartForm(req)
    if (config.wants === 'file' && !isMultipart(req))
      throw new Fault('unsupported_type', 'Send the photo as multipart/form-data, in the field "file".')
  })
}
