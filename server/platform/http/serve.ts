import { gzip } from 'node:zlib'
import { createHash } from 'node:crypto'
import { accessOf, type Endpoint, type Input, type Reply } from '@keepsnap/contract/endpoint.ts'
import { type Rate, type RateName, rates } from '@keepsnap/contract/limits.ts'
import { type Db, isCallerForeignKeyViolation } from '../db/connect.ts'
import { Fault, invalidApiKey, unauthorized } from '../../faults.ts'
import { isGzipAccepted, matchesTag } from './request-headers.ts'
import type { HttpReply, HttpRequest, HttpServer } from './http-types.ts'
import type { Actor, ActorOf, Authenticator } from './authenticator.ts'
import { acceptRawBodies } from './request-bodies.ts'
import { clientKey } from './client-address.ts'
import { jsonPolicy } from './connections.ts'
import { addRateLimitHeaders, CountingFailed, countRateHit, logCountingFailed } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined
  }
}

/** The request of a handler, besides its validated input. */
export interface Call<S extends Endpoint = Endpoint> {
  /** Who called. Undefined only when the endpoint is public; where several kinds are allowed, `by` tells them apart. */
  actor: ActorOf<S>
  /** The client for rate limits: an IPv4 address or an IPv6 /64 network. */
  client: string
  req: HttpRequest
  /** For bytes, streams and headers; JSON responses are returned instead. */
  reply: HttpReply
}

/** Handles one endpoint: receives validated input, returns the reply; nothing if it sends bytes. */
type Handler<S extends Endpoint> = (
  input: Input<S>,
  call: Call<S>,
) => Promise<undefined extends Reply<S> ? Reply<S> | void : Reply<S>>
/** Adds the route of one endpoint of the contract. */
export type Serve = <const S extends Endpoint>(endpoint: S, handler: Handler<S>) => void

/** Without these headers Fastify does not parse the body; any bytes sent are discarded after the response. */
function ignoreBody({ raw }: HttpRequest): void {
  for (const name of ['content-type', 'content-length', 'transfer-encoding']) delete raw.headers[name]
}

const bodyKindOf = ({ form }: Endpoint): 'form' | 'form or JSON' | 'json' =>
  form === 'or JSON' ? 'form or JSON' : form ? 'form' : 'json'

interface ServeOptions {
  authenticator: Authenticator
  db: Db
  /** The id of a browser that has a device cookie, from the header Cookie. */
  knownBrowser?: (cookies: string | undefined) => string | undefined
}

/** The key, user or client that a rate limit counts a request for; undefined when it does not count this caller. */
function rateSubject(rate: RateName, { actor, ip }: Pick<HttpRequest, 'actor' | 'ip'>): string | undefined {
  const counted = rates[rate].per
  if (counted === 'key') return actor && actor.by !== 'session' ? actor.keyId : undefined
  if (counted === 'user' && actor && 'userId' in actor) return actor.userId
  return clientKey(ip)
}

/** Counts a call against the limit of its endpoint, and says in the response what is left. */
async function countCall(
  { db, knownBrowser }: ServeOptions,
  { rate, method, deviceCookie }: Endpoint,
  { req, reply }: { req: HttpRequest; reply: HttpReply },
): Promise<void> {
  const browser = deviceCookie === 'counted' ? knownBrowser?.(req.headers.cookie) : undefined
  const subject = browser === undefined ? rate && rateSubject(rate, req) : `browser ${browser}`
  if (!rate || subject === undefined) return
  try {
    addRateLimitHeaders(reply, await countRateHit(db, rate, subject))
  } catch (error) {
    const { failsOpenForReads }: Rate = rates[rate]
    if (!(error instanceof CountingFailed) || !failsOpenForReads || method !== 'GET') throw error
    logCountingFailed(req.log, error)
  }
}

/**
 * A foreign-key error on the caller's account or session means 401 if that session has just ended; otherwise it is a
 * bug. A 401 to a caller with a key has the sentence about keys.
 */
async function translateError(
  error: unknown,
  { actor, authenticator }: { actor: Actor | undefined; authenticator: Authenticator },
): Promise<unknown> {
  if (!actor) return error
  const ended = actor.by === 'session' ? unauthorized() : invalidApiKey()
  if (error instanceof Fault) return error.code === 'unauthorized' ? ended : error
  if (!isCallerForeignKeyViolation(error)) return error
  try {
    return (await authenticator.isLive(actor)) ? error : ended
  } catch (databaseError) {
    return databaseError
  }
}

/** Sends a reply that is the same for everybody, or 304 to those who have it. */
function sendShared(seconds: number, result: unknown, { req, reply }: { req: HttpRequest; reply: HttpReply }) {
  const hash = createHash('sha256').update(JSON.stringify(result)).digest('base64url').slice(0, 22)
  const entityTag = `"${hash}"`
  // Weak: the same for a compressed reply.
  reply.headers({ 'cache-control': `public, max-age=${seconds}`, etag: `W/${entityTag}` })
  return matchesTag(req.headers['if-none-match'], entityTag) ? reply.status(304).send() : reply.send(result)
}

/**
 * Serves endpoints of the contract over HTTP. The order of each call: access, rate limit, body, validation, handler; so
 * strangers are refused before their body is read. JSON responses contain the declared fields and no others.
 */
export function serveOn(app: HttpServer, options: ServeOptions): Serve {
  const { authenticator } = options
  app.decorateRequest('actor', undefined)
  return (endpoint, handler) => {
    const { method, path: url, params, query, body, reply: response, status = 200 } = endpoint
    const addRoute = (scope: HttpServer): unknown =>
      scope.route({
        method,
        url,
        schema: {
          ...(params && { params }),
          ...(query && { querystring: query }),
          ...(body && { body }),
          ...(response !== 'bytes' && status !== 204 && { response: { [status]: response } }),
        },
        config: {
          ...(endpoint.upload
            ? { bodyKind: accessOf(endpoint).includes('public') ? 'form file' : 'file' }
            : body && { bodyKind: bodyKindOf(endpoint) }),
        },
        ...(method === 'GET' && response !== 'bytes' && { onSend: compressJson }),
        async onRequest(req, reply) {
          if (endpoint.ignoreBody) ignoreBody(req)
          req.actor = await authenticator.authenticate(endpoint, req)
          await countCall(options, endpoint, { req, reply })
        },
        async handler(req, reply) {
          // Validated by the schemas that the types are derived from.
          const input = { params: req.params, query: req.query, body: req.body } as never
          // `authenticate` has set the actor as the endpoint's access requires.
          const call = { actor: req.actor, client: clientKey(req.ip), req, reply } as never
          const result = await handler(input, call).catch(async (error: unknown) => {
            throw await translateError(error, { actor: req.actor, authenticator })
          })
          // A handler that answers a form with a page has sent it already.
          if (response === 'bytes' || reply.sent) return reply
          reply.header('content-security-policy', jsonPolicy)
          if (endpoint.clearsCache) reply.header('clear-site-data', '"cache"')
          if (endpoint.cacheMaxAgeSeconds !== undefined)
            return sendShared(endpoint.cacheMaxAgeSeconds, result, { req, reply })
          return reply
            .status(status)
            .header('cache-control', 'no-store')
            .send(status === 204 ? undefined : result)
        },
      })
    if (endpoint.rawBody) acceptRawBodies(app, addRoute)
    else addRoute(app)
  }
}

/** Smaller replies fit into few packets anyway. */
const smallestCharacters = 4_096

/**
 * Compresses a long JSON reply for clients that accept it; a hook of Fastify. Only of replies to GET: those to other methods
 * may repeat what was sent beside a secret.
 */
function compressJson<Payload>(
  req: Pick<HttpRequest, 'headers'>,
  reply: Pick<HttpReply, 'header' | 'getHeader' | 'removeHeader'>,
  payload: Payload,
  done: (error?: Error | null, payload?: Payload | Buffer) => void,
): void {
  if (typeof payload !== 'string' || payload.length < smallestCharacters) return done(null, payload)
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`)
  if (!isGzipAccepted(req.headers['accept-encoding'])) return done(null, payload)
  gzip(payload, { level: 4 }, (error, compressed) => {
    if (error) return done(error)
    reply.header('content-encoding', 'gzip')
    reply.removeHeader('content-length')
    done(null, compressed)
  })
}

/** A signal that aborts when the client has closed the connection. */
export function disconnectSignal({ raw }: HttpReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  return controller.signal
}
