import type { IncomingMessage } from 'node:http'
import { Ajv, type ErrorObject } from 'ajv'
import build from 'fast-json-stringify'
import { fastify, LogController } from 'fastify'
import type { Logger } from 'pino'
import { accessOf } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import type { GuestRenderer } from '@keepsnap/contract/rendering.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { repeatedHeader } from '@keepsnap/contract/photos.ts'
import { endpointNotFound, Fault } from '../../faults.ts'
import { newId } from '../../lib/ids.ts'
import { runInLogContext } from '../process/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { HttpReply, HttpRequest, HttpServer } from './http-types.ts'
import type { Origins } from './origins.ts'
import {
  closeIdleOnShutdown,
  connectionOptions,
  constantHeaders,
  createAddressList,
  handleClientError,
  hasSeveralHosts,
  limitConnections,
} from './connections.ts'
import { recordOperatorActs, type SecurityLog } from './security-log.ts'
import { addBodyParsers, stopSlowBodies } from './request-bodies.ts'
import { handleErrors, sendFault } from './error-responses.ts'
import { measureRequests, metricsPath } from './metrics-page.ts'
import { endUnreadAnswers } from './unread-answers.ts'

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

interface HttpServerOptions {
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
  // Writes declared fields only, as Fastify does by itself. A schema is compiled for its first response, so that a program starts
  // without compiling those of all endpoints.
  app.setSerializerCompiler(
    ({ schema }) =>
      (value) =>
        serializerOf(schema)(value),
  )
  return app
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/** Whether a browser says that the request comes from a page of another site, or of another host of this site. */
function isCrossOrigin({ headers }: HttpRequest, origins: Origins): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  // `null` is inconclusive: our own pages send it too, because of their Referrer-Policy.
  const isNamed = origin !== undefined && origin !== 'null'
  if (isNamed && (origins.isOrigin(origin) || hostOf(origin) === headers.host)) return false
  if (site !== undefined) return site === 'cross-site' || site === 'same-site'
  return isNamed
}

/** Uploads of guests are among them: a cookie says who adds the photo. */
const formKinds: ReadonlySet<unknown> = new Set(['form', 'form or JSON', 'form file'])

/**
 * CSRF protection: refuses forms that pages of other origins submit through a visitor's browser, which CORS does not
 * prevent. Runs before rate limits, so that they do not count against the visitor. Programs send none of these headers.
 * docs/security.md T31.
 */
function refuseCrossOriginForms(app: HttpServer, origins: Origins): void {
  app.addHook('onRequest', async (req) => {
    const { config } = req.routeOptions
    const takesForms = 'bodyKind' in config && formKinds.has(config.bodyKind)
    if (takesForms && req.method === 'POST' && isCrossOrigin(req, origins))
      throw new Fault(
        'forbidden',
        'This form was sent from another website. Please open the page here and send it again.',
      )
  })
}

const requestIdHeader = 'x-request-id'
/** The ids that proxies generate: UUIDs, hexadecimal numbers, nginx's $request_id. */
const proxyIdPattern = /^[\w-]{8,64}$/

/**
 * Generates the id of each request for its log lines and its response. An id from a trusted proxy is kept, so that both
 * logs can be correlated; other clients' ids are ignored, because they could be used to forge log entries.
 */
function requestIds(trustedProxies: readonly string[]): (req: IncomingMessage) => string {
  const isTrusted = createAddressList(trustedProxies)
  return ({ headers, socket }) => {
    const proxyId = headers[requestIdHeader]
    if (typeof proxyId !== 'string' || !proxyIdPattern.test(proxyId)) return newId(12)
    return socket.remoteAddress !== undefined && isTrusted(socket.remoteAddress) ? proxyId : newId(12)
  }
}

/** Sends the id of each request back, and puts it into each line of the log that the request causes. */
function addRequestContext(app: HttpServer): void {
  app.addHook('onRequest', (req, reply, done) => {
    reply.header(requestIdHeader, req.id)
    runInLogContext({ reqId: req.id }, done)
  })
  // The body arrives in events of the connection, which several requests share.
  app.addHook('preValidation', (req, _reply, done) => runInLogContext({ reqId: req.id }, done))
}

const ajvOptions = { strict: false, allErrors: false, removeAdditional: false, useDefaults: false } as const

// Each compiles a schema once, however many servers a process creates.
const strictAjv = new Ajv({ ...ajvOptions, coerceTypes: false })
const convertingAjv = new Ajv({ ...ajvOptions, coerceTypes: true })

interface Validate {
  (data: unknown): boolean
  errors?: ErrorObject[] | null
}

/**
 * Validates bodies without changing them; query strings, which are text, may be converted to numbers and booleans. A
 * schema is compiled for its first request, so that a program starts without compiling those of all endpoints.
 */
function useStrictValidation(app: HttpServer): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const ajv = httpPart === 'querystring' ? convertingAjv : strictAjv
    const validate: Validate = (data) => {
      // The contract's values are JSON Schema objects. Ajv compiles each of them once.
      const compiled = ajv.compile(schema as object)
      const isValid = compiled(data)
      validate.errors = compiled.errors ?? null
      return isValid
    }
    return validate
  })
}

type Serialize = (value: unknown) => string

// Each schema is compiled once, however many servers a process creates.
const compiled = new WeakMap<object, Serialize>()

/** The serializer of a schema, compiled once; throws when the schema is invalid. */
function serializerOf(schema: object): Serialize {
  const known = compiled.get(schema)
  if (known) return known
  const serialize = build(schema)
  compiled.set(schema, serialize)
  return serialize
}
