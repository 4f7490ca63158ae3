import type { FastifyInstance, FastifyRequest } from 'fastify'

const lingerMs = 15_000
const slow = { afterMs: 10_000, bytesPerSecond: 10_000, checkMs: 2_000 }

/** Reads and forgets what is still coming, so that the client can hear the answer; gives up after a while. */
function discardBody(req: FastifyRequest): void {
  const giveUp = setTimeout(() => req.raw.destroy(), lingerMs)
  giveUp.unref()
  req.raw.once('close', () => clearTimeout(giveUp))
  req.raw.resume()
}

/**
 * Calls `tooSlow` when, after ten seconds, the body has come in at under 10 kB/s on the whole. What we are too slow to
 * take is not the client's fault. Watches until the function that it returns is called.
 */
export function watchSpeed(req: FastifyRequest, tooSlow: () => void): () => void {
  const began = Date.now()
  const { socket } = req.raw
  const before = socket.bytesRead
  const timer = setInterval(() => {
    const ms = Date.now() - began
    const isTheirs = !req.raw.complete && req.raw.readableLength === 0
    if (isTheirs && ms > slow.afterMs && (socket.bytesRead - before) / (ms / 1000) < slow.bytesPerSecond) tooSlow()
  }, slow.checkMs)
  return () => clearInterval(timer)
}

const isSmallBody = ({ raw, headers }: FastifyRequest): boolean =>
  raw.method !== 'GET' && raw.method !== 'HEAD' && !headers['content-type']?.startsWith('multipart/')

/** Waits for no body for ever: small ones are watched here, forms with files by who receives them, refused ones after the answer. */
export function boundBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async (req, _reply, payload) => {
    if (isSmallBody(req) && !req.raw.complete) {
      const unwatch = watchSpeed(req, () => req.raw.destroy())
      payload.once('close', unwatch)
    }
    return payload
  })
  app.addHook('onResponse', (req, _reply, done) => {
    if (!req.raw.complete) discardBody(req)
    done()
  })
}
