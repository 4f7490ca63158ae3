import type { IncomingMessage } from 'node:http'
import { newId } from '../lib/ids.ts'
import { runInLogContext } from '../runtime/log-context.ts'
import { createAddressList } from './connections-per-address.ts'
import type { HttpServer } from './http-types.ts'

const requestIdHeader = 'x-request-id'
/** The ids that proxies generate: UUIDs, hexadecimal numbers, nginx's $request_id. */
const proxyIdPattern = /^[\w-]{8,64}$/

/**
 * Generates the id of each request for its log lines and its response. An id from a trusted proxy is kept, so that both
 * logs can be correlated; other clients' ids are ignored, because they could be used to forge log entries.
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
