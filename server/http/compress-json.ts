import { gzip } from 'node:zlib'
import { isGzipAccepted } from './accepted-encoding.ts'
import type { HttpReply, HttpRequest } from './http-types.ts'

/** Smaller replies fit into few packets anyway. */
const smallestCharacters = 4_096

/**
 * Compresses a long JSON reply for clients that accept it; a hook of Fastify. Only of replies to GET: those to other methods
 * may repeat what was sent beside a secret.
 */
export function compressJson<Payload>(
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
