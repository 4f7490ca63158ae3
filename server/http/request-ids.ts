import type { IncomingMessage } from 'node:http'
import { newId } from '../lib/ids.ts'
import { runInLogContext } from '../runtime/log-context.ts'
import { createAddressList } from './connections-per-address.ts'
import type { HttpServer } from './http-types.ts'

const requestIdHeader = 'x-request-id'
/** What proxies make: UUIDs, hexadecimal numbers, nginx's $request_id. */
const proxyIdPattern = /^[\w-]{8,64}$/

/**
 * Makes the id of each request, which its lines in the log and its response have. The id of a trusted proxy is kept, so that
 * its log and ours name the same request; that of anybody else is ignored: who could choose ids could forge traces.
 */
export function requestIds(trustedProxies: readonly string[]): (req: IncomingMessage) => string {
  const isTrusted = createAddressList(trustedProxies)
  return ({ headers, socket }) => {
    const proxyId = headers[requestIdHeader]
    if (typeof proxyId !== 'string' || !proxyIdPattern.test(proxyId)) return newId(12)
    return socket.remoteAddress !== undefined && isTrusted(socket.remoteAddress) ? proxyId : newId(12)
  }
}

/** Sends the id of each request back, and puts it into each line of the log that the request causes. */
export function addRequestContext(app: HttpServer): void {
  app.addHook('onRequest', (req, reply, done) => {
    reply.header(requestIdHeader, req.id)
    runInLogContext({ reqId: req.id }, done)
  })
  // The body arrives in events of the connection, which several requests share.
  app.addHook('preValidation', (req, _reply, done) => runInLogContext({ reqId: req.id }, done))
}
