import type { IncomingMessage } from 'node:http'
import { accessOf } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import type { GuestRenderer } from '@keepsnap/contract/guest.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { repeatedHeader } from '@keepsnap/contract/photos.ts'
import { fastify, LogController } from 'fastify'
import type { Logger } from 'pino'
import { endpointNotFound, Fault } from '../faults.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { SecurityLog } from './security-log.ts'
import { addBodyParsers } from './body-parsers.ts'
import {
  closeIdleOnShutdown,
  connectionOptions,
  constantHeaders,
  handleClientError,
  hasSeveralHosts,
  limitConnections,
} from './connections.ts'
import { refuseCrossOriginForms } from './cross-origin-forms.ts'
import { handleErrors, sendFault } from './error-responses.ts'
import type { HttpReply, HttpRequest, HttpServer } from './http-types.ts'
import { measureRequests } from './measure-requests.ts'
import { metricsPath } from './metrics-page.ts'
import type { Origins } from './origins.ts'
import { addRequestContext, requestIds } from './request-ids.ts'
import { recordOperatorActs } from './security-events.ts'
import { endUnreadAnswers } from './unread-answers.ts'
import { stopSlowBodies } from './upload-speed.ts'
import { useSharedSerializers, useStrictValidation } from './schema-compilation.ts'

/** Answered for any Host header: load balancers and Prometheus do not send our host name. */
const pathsOnAnyHost = new Set(['/health', '/ready', metricsPath])

const invalidUrl = (): Fault => new Fault('bad_request', 'The URL is not valid.')
const pathOf = (req: { raw: IncomingMessage }): string => (req.raw.url ?? '').split('?', 1)[0] ?? ''

function addCorsHeaders(app: HttpServer, origins: Origins): void {
  app.addHook('onRequest', async (req, reply) => {
    const origin = req.headers.origin
    if (origin === undefined) return
    if (!origins.isOrigin(origin)) return
    reply.header('access-control-allow-origin', origin)
    reply.header(
      'access-control-expose-headers',
      `x-next-before, x-request-id, ${repeatedHeader}, retry-after, ratelimit, ratelimit-policy, content-disposition`,
    )
    if (req.method !== 'OPTIONS' || !req.headers['access-control-request-method']) return
    await reply
      .status(204)
      .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
      .header('access-control-allow-headers', 'authorization, api-key, x-api-key, content-type, idempotency-key')
      .header('access-control-max-age', 600)
      .send()
  })
}

/** The methods that the contract defines for a request path. Endpoints of operators are not revealed. */
function methodsOf(path: string): string[] {
  const parts = path.split('/')
  const matchesPath = (pattern: string): boolean => {
    const segments = pattern.split('/')
    return segments.length === parts.length && segments.every((part, at) => part.startsWith(':') || part === parts[at])
  }
  const known = endpoints.filter((one) => matchesPath(one.path) && !accessOf(one).includes('operator'))
  return [...new Set(known.map(({ method }) => method))]
}

/** The response when no route matches: 405 for the wrong method of an endpoint, otherwise 404. */
export async function sendNotFound(req: HttpRequest, reply: HttpReply): Promise<void> {
  reply.header('vary', 'origin, accept')
  const methods = methodsOf(pathOf(req))
  if (methods.length === 0) return sendFault(reply, endpointNotFound())
  reply.header('allow', methods.join(', '))
  return sendFault(reply, new Fault('method_not_allowed', `This URL accepts ${methods.join(', ')}.`))
}

export interface HttpServerOptions {
  config: { publicUrl: string; trustedProxies: string[]; hstsSubdomains: boolean }
  origins: Origins
  log: Logger
  metrics: Metrics
  securityLog?: SecurityLog
  /** Renders the page for people while something is not available. */
  guestRenderer: GuestRenderer
}

/** Creates the HTTP server with its limits, headers, body parsers and error responses; features add their routes. */
export function createHttpServer({
  config,
  origins,
  log,
  metrics,
  securityLog,
  guestRenderer,
}: HttpServerOptions): HttpServer {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length ? config.trustedProxies : false,
    bodyLimit: limits.jsonBodyBytes,
    genReqId: requestIds(config.trustedProxies),
    // The log has the request's id from its context, which costs less than a logger for each request.
    childLoggerFactory: (logger) => logger,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 128 },
    http: connectionOptions,
    clientErrorHandler: handleClientError,
    frameworkErrors: (_error, _req, reply) => void sendFault(reply.headers(constantHeaders), invalidUrl()),
  }) as unknown as HttpServer // differs only in the type parameter of the logger
  const transportSecurity =
    config.publicUrl.startsWith('https:') && `max-age=31536000${config.hstsSubdomains ? '; includeSubDomains' : ''}`
  limitConnections(app.server, config.trustedProxies)
  addRequestContext(app)
  measureRequests(app, metrics)
  closeIdleOnShutdown(app)
  endUnreadAnswers(app)

  app.addHook('onRequest', async (req, reply) => {
    reply.headers(constantHeaders)
    if (transportSecurity) reply.header('strict-transport-security', transportSecurity)
    if (hasSeveralHosts(req.raw)) throw new Fault('bad_request', 'The request has more than one Host header.')
    if (req.headers.host === undefined && req.raw.httpVersion === '1.1')
      throw new Fault('bad_request', 'The request has no Host header.')
    if (!origins.isHost(req.headers.host) && !pathsOnAnyHost.has(pathOf(req))) {
      throw new Fault(
        'misdirected',
        'This server does not serve this host name. Its operator can add it to ALLOWED_ORIGINS.',
      )
    }
    if ((req.raw.url?.length ?? 0) > limits.urlChars) throw new Fault('bad_request', 'The URL is too long.')
    // PostgreSQL cannot store NUL in text, and no URL of ours contains it.
    if (req.raw.url?.includes('%00')) throw invalidUrl()
  })
  addCorsHeaders(app, origins)
  refuseCrossOriginForms(app, origins)
  handleErrors(app, { metrics, securityLog, guestRenderer, publicUrl: config.publicUrl })
  if (securityLog) recordOperatorActs(app, securityLog)
  addBodyParsers(app)
  stopSlowBodies(app)
  useStrictValidation(app)
  useSharedSerializers(app)
  return app
}
