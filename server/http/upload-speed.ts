import type { HttpRequest, HttpServer } from './http-types.ts'

/** Limits for discarding bodies that no handler reads: 16 MB/s in total, after a burst of half a megabyte. */
const discardLimits = { bodyMs: 15_000, bytesPerMs: 16_000, burstMs: 30 }
const minUploadSpeed = { afterMs: 10_000, bytesPerSecond: 10_000, checkMs: 2_000 }

/**
 * Limits how fast bodies are discarded, all together. The result says how many milliseconds to wait after discarding some
 * bytes.
 */
export function createDiscardThrottle(nowMs: () => number = () => performance.now()): (bytes: number) => number {
  let discardedUntilMs = 0
  return (bytes) => {
    discardedUntilMs = Math.max(discardedUntilMs, nowMs()) + bytes / discardLimits.bytesPerMs
    return Math.max(0, discardedUntilMs - nowMs() - discardLimits.burstMs)
  }
}

/**
 * Reads and discards the rest of a body, so that the client can read the response: browsers read it only after they have sent
 * everything. Closes the connection after a while. Slow when many such bodies arrive: strangers can send them too.
 */
function discardBody({ raw }: HttpRequest, discardPauseMs: (bytes: number) => number): void {
  const discardTimeout = setTimeout(() => raw.destroy(), discardLimits.bodyMs)
  discardTimeout.unref()
  raw.once('close', () => clearTimeout(discardTimeout))
  raw.on('data', (chunk: Buffer) => {
    const pauseMs = discardPauseMs(chunk.length)
    if (pauseMs === 0) return
    raw.pause()
    setTimeout(() => raw.resume(), pauseMs)
  })
  raw.resume()
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
 * Bounds the time that any body may take: small bodies here, multipart bodies in `pipeBody`, and bodies that are refused
 * before they are read to their end.
 */
export function stopSlowBodies(app: HttpServer): void {
  const discardPauseMs = createDiscardThrottle()
  app.addHook('preParsing', async (req, _reply, payload) => {
    if (isSmallBody(req) && !req.raw.complete) {
      const stopWatching = watchUploadSpeed(req, () => req.raw.destroy())
      payload.once('close', stopWatching)
    }
    return payload
  })
  // Runs before the response is sent: afterwards Node would discard an unread body at full speed.
  app.addHook('onSend', async (req) => {
    if (!req.raw.complete) discardBody(req, discardPauseMs)
  })
}
