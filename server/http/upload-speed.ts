import type { HttpRequest, HttpServer } from './http-types.ts'

const discardMs = 15_000
const minUploadSpeed = { afterMs: 10_000, bytesPerSecond: 10_000, checkMs: 2_000 }

/** Reads and discards the rest of a body, so that the client can read the response; closes the connection after a while. */
function discardBody(req: HttpRequest): void {
  const discardTimeout = setTimeout(() => req.raw.destroy(), discardMs)
  discardTimeout.unref()
  req.raw.once('close', () => clearTimeout(discardTimeout))
  req.raw.resume()
}

/**
 * Calls `onTooSlow` when, after ten seconds, the body has arrived at less than 10 kB/s on average. Time during which the
 * server itself is slow to read does not count against the client. Returns a function that stops the check.
 */
export function watchUploadSpeed(req: HttpRequest, onTooSlow: () => void): () => void {
  const startedAt = Date.now()
  const { socket } = req.raw
  const bytesBefore = socket.bytesRead
  const speedCheckTimer = setInterval(() => {
    const elapsedMs = Date.now() - startedAt
    const isWaitingForClient = !req.raw.complete && req.raw.readableLength === 0
    const bytesPerSecond = (socket.bytesRead - bytesBefore) / (elapsedMs / 1000)
    if (isWaitingForClient && elapsedMs > minUploadSpeed.afterMs && bytesPerSecond < minUploadSpeed.bytesPerSecond)
      onTooSlow()
  }, minUploadSpeed.checkMs)
  return () => clearInterval(speedCheckTimer)
}

const isSmallBody = ({ raw, headers }: HttpRequest): boolean =>
  raw.method !== 'GET' && raw.method !== 'HEAD' && !headers['content-type']?.startsWith('multipart/')

/**
 * Bounds the time that any body may take: small bodies here, multipart bodies in `pipeBody`, and after the response
 * bodies that were not read.
 */
export function stopSlowBodies(app: HttpServer): void {
  app.addHook('preParsing', async (req, _reply, payload) => {
    if (isSmallBody(req) && !req.raw.complete) {
      const stopWatching = watchUploadSpeed(req, () => req.raw.destroy())
      payload.once('close', stopWatching)
    }
    return payload
  })
  app.addHook('onResponse', (req, _reply, done) => {
    if (!req.raw.complete) discardBody(req)
    done()
  })
}
