import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Input, Reply, Shape } from '@keepsnap/contract/endpoint.ts'
import { isCallerGone, type Db } from '../db/connect.ts'
import { signInAgain } from '../faults.ts'
import type { Actor, Doors } from './access.ts'
import { clientOf } from './clients.ts'
import { countCall } from './rates.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined
  }
}

/** What a handler knows of the caller besides the input: `actor` is there exactly when the endpoint is not public. */
export interface Call<S extends Shape = Shape> {
  actor: S['access'] extends 'public' ? undefined : Actor
  /** The caller for limits: an IPv4 address or an IPv6 /64. */
  client: string
  /** For bytes, streams and headers; JSON answers are returned instead. */
  req: FastifyRequest
  reply: FastifyReply
}

/** Answers one endpoint: validated input in, its reply out. */
export type Handler<S extends Shape> = (input: Input<S>, call: Call<S>) => Promise<Reply<S>>
/** Puts one endpoint of the contract on the air. */
export type Serve = <const S extends Shape>(shape: S, handler: Handler<S>) => void

/** Fastify reads a body that these tell of; what comes all the same is thrown away after the answer. */
function leaveBody({ raw }: FastifyRequest): void {
  for (const name of ['content-type', 'content-length', 'transfer-encoding']) delete raw.headers[name]
}

/**
 * What a handler failed with. A row that was to hang on the caller's account or session, and could not, is a refusal when
 * that session ended in this very moment: nothing can be written under it any more. Otherwise it is a bug.
 */
async function failureOf(
  error: unknown,
  { actor, doors }: { actor: Actor | undefined; doors: Doors },
): Promise<unknown> {
  if (!actor || !isCallerGone(error)) return error
  try {
    return (await doors.isLive(actor)) ? error : signInAgain()
  } catch (asking) {
    // A database that is away in this moment can say neither.
    return asking
  }
}

/**
 * The only place that knows both the contract and Fastify. Order of each call: access, rate, body, validation, handler;
 * so strangers are refused before a byte of their body is read. JSON answers hold the declared fields and no others.
 */
export function serveOn(app: FastifyInstance, { doors, db }: { doors: Doors; db: Db }): Serve {
  app.decorateRequest('actor', undefined)
  return (shape, handler) => {
    const { method, path: url, params, query, body, reply: answer, status = 200, rate } = shape
    app.route({
      method,
      url,
      schema: {
        ...(params && { params }),
        ...(query && { querystring: query }),
        ...(body && { body }),
        ...(answer !== 'bytes' && status !== 204 && { response: { [status]: answer } }),
      },
      config: { ...(shape.upload ? { wants: 'file' } : body && { wants: shape.form ? 'form' : 'json' }) },
      async onRequest(req) {
        if (shape.unread) leaveBody(req)
        req.actor = await doors.admit(shape, req)
        if (rate) await countCall(db, rate, clientOf(req.ip))
      },
      async handler(req, reply) {
        // Validated by the schemas that the types come from.
        const input = { params: req.params, query: req.query, body: req.body } as never
        // Admitted as the shape says.
        const call = { actor: req.actor, client: clientOf(req.ip), req, reply } as never
        const result = await handler(input, call).catch(async (error: unknown) => {
          throw await failureOf(error, { actor: req.actor, doors })
        })
        if (answer === 'bytes') return reply
        return reply
          .status(status)
          .header('cache-control', 'no-store')
          .send(status === 204 ? undefined : result)
      },
    })
  }
}
