import { createServer, type Server } from 'node:http'
import { timingSafeEqualText } from '../lib/hmac.ts'
import type { HttpServer } from './http-types.ts'

export const metricsPath = '/metrics'

/** What Prometheus reads, and the token that it must send. */
export interface MetricsPage {
  readonly token: string
  readonly contentType: string
  render(): Promise<string>
}

const isAuthorized = (header: string | undefined, token: string): boolean =>
  timingSafeEqualText(`Bearer ${token}`, header ?? '')

/**
 * Serves /metrics to clients with the token. Without it the answer is that of a URL that does not exist, as if no token were
 * set: strangers do not learn whether there are metrics.
 */
export function serveMetricsPage(app: HttpServer, { token, contentType, render }: MetricsPage): void {
  app.get(metricsPath, async (req, reply) => {
    if (!isAuthorized(req.headers.authorization, token)) {
      reply.callNotFound()
      return reply
    }
    return reply
      .header('cache-control', 'no-store')
      .type(contentType)
      .send(await render())
  })
}

const listenerLimits = { connections: 16, headersMs: 5_000, requestMs: 10_000, headerBytes: 8 * 1024 }

/** An HTTP server that answers /metrics and nothing else, for nodes that only run jobs and for networks of their own. */
export function createMetricsListener({ token, contentType, render }: MetricsPage): Server {
  const server = createServer(
    {
      headersTimeout: listenerLimits.headersMs,
      requestTimeout: listenerLimits.requestMs,
      maxHeaderSize: listenerLimits.headerBytes,
    },
    async (req, res) => {
      const isPage = req.method === 'GET' && req.url === metricsPath
      if (!isPage || !isAuthorized(req.headers.authorization, token)) return void res.writeHead(404).end()
      const text = await render()
      res.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text)
    },
  )
  server.maxConnections = listenerLimits.connections
  return server
}
