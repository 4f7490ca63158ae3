import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { faultStatus, type Complaint, type Failure } from '@keepsnap/contract/errors.ts'
import { isDatabaseDown } from '../db/connect.ts'
import { Fault } from '../faults.ts'
import { StorageDown } from '../ports/storage/storage.ts'

/** What Fastify and its parsers refuse, in our words. */
const parserFaults: Record<string, () => Fault> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Fault('unsupported_type', 'This content type is not accepted here.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Fault('too_large', 'The request body is too large.'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new Fault('bad_request', 'The body is not valid JSON.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Fault('bad_request', 'The body is not as long as it says.'),
  FST_ERR_BAD_URL: () => new Fault('bad_request', 'The address is not valid.'),
}

function complaints(error: FastifyError): Complaint[] {
  const part = error.validationContext === 'querystring' ? 'query' : (error.validationContext ?? 'body')
  return (error.validation ?? []).map(({ instancePath, params, message, keyword }) => {
    const path = instancePath.split('/').filter(Boolean)
    if (keyword === 'required') return { loc: [part, ...path, String(params.missingProperty)], msg: 'Field required' }
    if (keyword === 'additionalProperties')
      return { loc: [part, ...path, String(params.additionalProperty)], msg: 'Unknown field' }
    return { loc: [part, ...path], msg: message ?? 'Not valid' }
  })
}

/** Any failure as a refusal; undefined when it is a bug. */
function faultOf(error: unknown): Fault | undefined {
  if (error instanceof Fault) return error
  if (isDatabaseDown(error)) return new Fault('unavailable', 'The service is busy for a moment. Please try again.', 2)
  if (error instanceof StorageDown)
    return new Fault(
      'unavailable',
      'Photos cannot be stored or read at the moment. Nothing is lost; please try again shortly.',
      30,
    )
  if (!(error instanceof Error)) return undefined
  const known = error as FastifyError // only its optional fields are read
  if (known.validation) return new Fault('invalid', complaints(known))
  const parser = known.code && parserFaults[known.code]
  if (parser) return parser()
  if (known.statusCode && known.statusCode >= 400 && known.statusCode < 500)
    return new Fault('bad_request', 'The request could not be understood.')
  return undefined
}

/** Writes a refusal. */
export async function answerFault(reply: FastifyReply, fault: Fault): Promise<void> {
  if (fault.retryAfter !== undefined) reply.header('retry-after', fault.retryAfter)
  if (fault.code === 'unauthorized') reply.header('www-authenticate', 'Bearer')
  const body: Failure = { code: fault.code, detail: fault.detail }
  await reply
    .status(faultStatus[fault.code])
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body)
}

/** One place where failures become answers: refusals as they are, bugs logged once and answered with a fixed sentence. */
export function answerProblems(app: FastifyInstance): void {
  app.setErrorHandler(async (error: unknown, req: FastifyRequest, reply: FastifyReply) => {
    const fault = faultOf(error)
    if (!fault)
      req.log.error({ err: error, method: req.method, route: req.routeOptions.url }, 'a request failed by a bug')
    await answerFault(
      reply,
      fault ??
        new Fault(
          'internal',
          `Something went wrong on our side. Please try again; if it stays, tell us this number: ${req.id}`,
        ),
    )
    return reply
  })
}
