import type { IncomingMessage } from 'node:http'
import { fastify, LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { all } from '@keepsnap/contract/all.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Config } from '../config.ts'
import { newId } from '../domain/ids.ts'
import { Fault } from '../faults.ts'
import { boundConnections, connectionOptions, constantHeaders, endWhenIdle, refuseClient } from './connections.ts'
import { acceptBodies } from './forms.ts'
import type { Origins } from './origins.ts'
import { boundBodies } from './patience.ts'
import { answerFault, answerProblems } from './problems.ts'
import { validateStrictly } from './validate.ts'

/** Answered on any Host, so that load balancers need no name. */
const anyHost = new Set(['/health', '/ready'])

const badAddress = (): Fault => new Fault('bad_request', 'The address is not valid.')
const pathOf = (req: { raw: IncomingMessage }): string => (req.raw.url ?? '').split('?', 1)[0] ?? ''

function allowOtherOrigins(app: FastifyInstance, origins: Origins): void {
  app.addHook('onRequest', async (req, reply) => {
    const origin = req.headers.origin
    if (origin === undefined) return
    if (!origins.isOrigin(origin)) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', 'x-next-before, retry-after, content-disposition')
    if (req.method !== 'OPTIONS' || !req.headers['access-control-request-method']) return
    await reply
      .status(204)
      .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
      .header('access-control-allow-headers', 'authorization, content-type, idempotency-key')
      .header('access-control-max-age', 600)
      .send()
  })
}

/** Methods that the contract has for a concrete path. */
function methodsAt(path: string): string[] {
  const parts = path.split('/')
  const fits = (pattern: string): boolean => {
    const wanted = pattern.split('/')
    return wanted.length === parts.length && wanted.every((part, at) => part.startsWith(':') || part === parts[at])
  }
  return [...new Set(all.filter(({ path: pattern }) => fits(pattern)).map(({ method }) => method))]
}

/** The answer when no route fits: the wrong method of a call, or nothing at all. */
export async function answerNothing(req: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('vary', 'origin, accept')
  const methods = methodsAt(pathOf(req))
  if (methods.length === 0) return answerFault(reply, new Fault('not_found', 'There is nothing at this address.'))
  reply.header('allow', methods.join(', '))
  return answerFault(reply, new Fault('method_not_allowed', `This address takes ${methods.join(', ')}.`))
}

/** Fastify with our limits, headers, hosts, bodies and answers to failures; features add their routes. */
export function createHttp({
  config,
  origins,
  log,
}: {
  config: Config
  origins: Origins
  log: Logger
}): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length ? config.trustedProxies : false,
    bodyLimit: limits.jsonBodyBytes,
    genReqId: () => newId(12),
    forceCloseConnections: 'idle',
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 128 },
    http: connectionOptions,
    clientErrorHandler: refuseClient,
    frameworkErrors: (_error, _req, reply) => void answerFault(reply.headers(constantHeaders), badAddress()),
  }) as unknown as FastifyInstance // the logger's type parameter is of no use to features
  boundConnections(app.server)
  endWhenIdle(app)
  const isSecure = config.publicUrl.startsWith('https:')

  app.addHook('onRequest', async (req, reply) => {
    reply.headers(constantHeaders)
    if (isSecure) reply.header('strict-transport-security', 'max-age=31536000')
    if (req.headers.host === undefined && req.raw.httpVersion === '1.1')
      throw new Fault('bad_request', 'The request names no host.')
    if (!origins.isHost(req.headers.host) && !anyHost.has(pathOf(req))) {
      throw new Fault(
        'misdirected',
        'This server does not answer to this name. Its operator can add it to ALLOWED_ORIGINS.',
      )
    }
    if ((req.raw.url?.length ?? 0) > limits.urlChars) throw new Fault('bad_request', 'The address is too long.')
    // PostgreSQL has no such character in its texts, and no address of ours holds one.
    if (req.raw.url?.includes('%00')) throw badAddress()
  })
  allowOtherOrigins(app, origins)
  answerProblems(app)
  acceptBodies(app)
  boundBodies(app)
  validateStrictly(app)
  return app
}
