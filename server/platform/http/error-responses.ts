import type { FastifyError } from 'fastify'
import { accessOf } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { type ErrorBody, faultStatus, type FieldError } from '@keepsnap/contract/errors.ts'
import { isDatabaseDown } from '../db/connect.ts'
import type { GuestRenderer } from '@keepsnap/contract/rendering.ts'
import { Fault } from '../../faults.ts'
import { isNavigation } from '../../lib/headers.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { recordRefusal, type SecurityLog } from './security-log.ts'
import { PaymentsDown } from '../../ports/payments/payments.ts'
import { StorageDown } from '../../ports/storage/storage.ts'
import { apiKeyHeaderOf } from './authenticator.ts'
import { jsonPolicy } from './connections.ts'
import { sendGuestPage } from './pages.ts'
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
export function faultOf(error: unknown): Fault | undefined {
  if (error instanceof Fault) return error
  if (error instanceof CountingFailed || isDatabaseDown(error))
    return new Fault('unavailable', 'The service is busy right now. Please try again.', 2)
  if (error instanceof StorageDown)
    return new Fault(
      'unavailable',
      'Photos cannot be stored or read right now. Nothing is lost. Please try again shortly.',
      30,
    )
  if (error instanceof PaymentsDown && error.kind === 'refused')
    return new Fault('unavailable', 'This site cannot take payments at the moment. Please try again later.', 3_600)
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

/** Headers of a stored file that a handler may have set before the file could not be read. The type is replaced. */
const headersOfFiles = ['content-disposition', 'content-range', 'accept-ranges', 'etag']

/** Replaces the headers of what was to be sent by those of a refusal. */
function setFaultHeaders(reply: HttpReply, fault: Fault, retryAfter = fault.retryAfter): void {
  for (const name of headersOfFiles) reply.removeHeader(name)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  if (fault instanceof RateLimitExceeded) addRateLimitHeaders(reply, fault.count)
}

/** Sends a refusal. */
export async function sendFault(reply: HttpReply, fault: Fault): Promise<void> {
  setFaultHeaders(reply, fault)
  if (fault.code === 'unauthorized') reply.header('www-authenticate', 'Bearer')
  const body: ErrorBody = { code: fault.code, detail: fault.detail }
  await reply
    .status(faultStatus[fault.code])
    .header('cache-control', 'no-store')
    .header('content-security-policy', jsonPolicy)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body)
}

/** Forms that browsers without JavaScript send; the answer is a page. */
const formPaths = new Set(
  endpoints.flatMap((one) =>
    one.method === 'POST' && accessOf(one).includes('public') && (one.reply === 'bytes' || one.form === 'or JSON')
      ? one.path
      : [],
  ),
)

/**
 * Whether a browser navigates to this URL or sends a form to it: its user needs a page, not JSON. A browser that navigates
 * sends no credentials; programs with credentials may accept HTML.
 */
function needsPage(req: HttpRequest): boolean {
  const { method, headers, routeOptions } = req
  const hasToken = /^bearer /i.test(headers.authorization ?? '')
  if (!isNavigation(headers) || hasToken || apiKeyHeaderOf(req) !== undefined) return false
  return method === 'POST' ? formPaths.has(routeOptions.url ?? '') : method === 'GET' || method === 'HEAD'
}

interface ErrorOptions {
  metrics: Metrics
  securityLog?: SecurityLog | undefined
  guestRenderer: GuestRenderer
  publicUrl: string
}

/**
 * Turns errors into responses: refusals as they are; bugs are logged once and answered with a fixed sentence. Browsers
 * get a page for a temporary outage and for a rate limit. It reloads itself, but not as the answer to a form.
 */
export function handleErrors(app: HttpServer, { metrics, securityLog, guestRenderer, publicUrl }: ErrorOptions): void {
  app.setErrorHandler(async (error: unknown, req, reply) => {
    const fault = faultOf(error)
    if (fault instanceof RateLimitExceeded)
      metrics.count('keepsnap_rate_limit_refusals_total', { rate: fault.count.rate })
    if (fault && securityLog) recordRefusal(securityLog, req, fault)
    if (error instanceof CountingFailed) logCountingFailed(req.log, error)
    if (error instanceof PaymentsDown)
      req.log.error(
        { err: error, kind: error.kind, route: req.routeOptions.url },
        error.kind === 'refused'
          ? 'the payment provider refused the key or a permission: see `keepsnap billing`'
          : 'the payment provider could not be reached',
      )
    if (!fault)
      req.log.error(
        // An error of a stream may be outside of the request's log context.
        { err: error, reqId: req.id, method: req.method, route: req.routeOptions.url },
        'a request failed with an unexpected error',
      )
    if ((fault?.code === 'unavailable' || fault?.code === 'rate_limited') && needsPage(req)) {
      setFaultHeaders(reply, fault, fault.retryAfter ?? unavailableRetrySeconds)
      const frame = { publicUrl, path: '/', previewUrl: null }
      const page = { page: 'gone', why: 'unavailable' } as const
      await sendGuestPage(reply, guestRenderer, { page, frame, status: fault.status })
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
