import type { FastifyError } from 'fastify'
import { faultStatus, type FieldError, type ErrorBody } from '@keepsnap/contract/errors.ts'
import { isDatabaseDown } from '../db/connect.ts'
import type { GuestRenderer } from '@keepsnap/contract/guest.ts'
import { Fault } from '../faults.ts'
import { isNavigation } from '../lib/user-agent.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { PaymentsDown } from '../ports/payments/payments.ts'
import { StorageDown } from '../ports/storage/storage.ts'
import { sendGuestPage } from './guest-pages.ts'
import type { HttpReply, HttpRequest, HttpServer } from './http-types.ts'
import { addRateLimitHeaders, CountingFailed, logCountingFailed, RateLimitExceeded } from './rate-limits.ts'

/** Retry-After of an error page whose fault has none. */
const unavailableRetrySeconds = 5

/** Refusals of Fastify and its parsers, by their codes. */
const parserFaults: Record<string, () => Fault> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Fault('unsupported_type', 'This content type is not accepted here.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Fault('too_large', 'The request body is too large.'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new Fault('bad_request', 'The body is not valid JSON.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Fault('bad_request', 'The body does not match its Content-Length.'),
  FST_ERR_BAD_URL: () => new Fault('bad_request', 'The URL is not valid.'),
}

function validationErrors(error: FastifyError): FieldError[] {
  const part = error.validationContext === 'querystring' ? 'query' : (error.validationContext ?? 'body')
  return (error.validation ?? []).map(({ instancePath, params, message, keyword }) => {
    const path = instancePath.split('/').filter(Boolean)
    if (keyword === 'required') return { loc: [part, ...path, String(params.missingProperty)], msg: 'Field required' }
    if (keyword === 'additionalProperties')
      return { loc: [part, ...path, String(params.additionalProperty)], msg: 'Unknown field' }
    return { loc: [part, ...path], msg: message ?? 'Not valid' }
  })
}

/** The refusal that an error means; undefined when it is a bug. */
function faultOf(error: unknown): Fault | undefined {
  if (error instanceof Fault) return error
  if (error instanceof CountingFailed || isDatabaseDown(error))
    return new Fault('unavailable', 'The service is busy right now. Please try again.', 2)
  if (error instanceof StorageDown)
    return new Fault(
      'unavailable',
      'Photos cannot be stored or read right now. Nothing is lost. Please try again shortly.',
      30,
    )
  if (error instanceof PaymentsDown)
    return new Fault(
      'unavailable',
      'The payment provider cannot be reached right now. Please try again in a minute; nothing is paid twice.',
      30,
    )
  if (!(error instanceof Error)) return undefined
  const fastifyError = error as FastifyError // only its optional fields are read
  if (fastifyError.validation) return new Fault('invalid', validationErrors(fastifyError))
  const parserFault = fastifyError.code && parserFaults[fastifyError.code]
  if (parserFault) return parserFault()
  if (fastifyError.statusCode && fastifyError.statusCode >= 400 && fastifyError.statusCode < 500)
    return new Fault('bad_request', 'The request could not be understood.')
  return undefined
}

/** Sends a refusal. */
export async function sendFault(reply: HttpReply, fault: Fault): Promise<void> {
  if (fault.retryAfter !== undefined) reply.header('retry-after', fault.retryAfter)
  if (fault instanceof RateLimitExceeded) addRateLimitHeaders(reply, fault.count)
  if (fault.code === 'unauthorized') reply.header('www-authenticate', 'Bearer')
  const body: ErrorBody = { code: fault.code, detail: fault.detail }
  await reply
    .status(faultStatus[fault.code])
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body)
}

/** Whether a browser navigates to this URL: its user needs a page, not JSON. */
const isPageLoad = ({ method, headers }: HttpRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && isNavigation(headers)

interface ErrorOptions {
  metrics: Metrics
  guestRenderer: GuestRenderer
  publicUrl: string
}

/**
 * Turns errors into responses: refusals as they are; bugs are logged once and answered with a fixed sentence. Browsers
 * get a page for a temporary outage, which reloads itself.
 */
export function handleErrors(app: HttpServer, { metrics, guestRenderer, publicUrl }: ErrorOptions): void {
  app.setErrorHandler(async (error: unknown, req, reply) => {
    const fault = faultOf(error)
    if (fault instanceof RateLimitExceeded)
      metrics.count('keepsnap_rate_limit_refusals_total', { rate: fault.count.rate })
    if (error instanceof CountingFailed) logCountingFailed(req.log, error)
    if (!fault)
      req.log.error(
        // An error of a stream may be outside of the request's log context.
        { err: error, reqId: req.id, method: req.method, route: req.routeOptions.url },
        'a request failed with an unexpected error',
      )
    if (fault?.code === 'unavailable' && isPageLoad(req)) {
      reply.header('retry-after', fault.retryAfter ?? unavailableRetrySeconds)
      const frame = { publicUrl, path: '/', previewUrl: null }
      await sendGuestPage(reply, guestRenderer, { page: { page: 'gone', why: 'unavailable' }, frame, status: 503 })
      return reply
    }
    await sendFault(
      reply,
      fault ??
        new Fault(
          'internal',
          `Something went wrong on our side. Please try again; if the problem persists, quote this reference: ${req.id}`,
        ),
    )
    return reply
  })
}
