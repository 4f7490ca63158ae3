import { createServer, type Server } from 'node:http'
import { promisify } from 'node:util'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { eventPages, pages } from '@keepsnap/contract/site.ts'
import { timingSafeEqualText } from '../../lib/cryptography.ts'
import { type Metrics, noMetrics } from '../metrics/metrics.ts'
import type { HttpRequest, HttpServer } from './http-types.ts'

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

const methods = new Set(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])
const namedRoutes = new Set<string>([
  metricsPath,
  ...endpoints.map(({ path }) => path),
  ...Object.values({ ...pages, ...eventPages }),
])

/** The route template as a metric label, never the URL as sent. All files of the web app share one label. */
function routeOf({ is404, routeOptions: { url } }: HttpRequest): string {
  if (is404 || url === undefined) return 'none'
  return namedRoutes.has(url) ? url : 'file'
}

/** Counts and measures every answered request. */
export function measureRequests(app: HttpServer, metrics: Metrics): void {
  if (metrics === noMetrics) return
  const getConnections = promisify(app.server.getConnections.bind(app.server))
  metrics.addSource({
    part: 'connections',
    names: ['keepsnap_http_connections'],
    read: async () => [{ name: 'keepsnap_http_connections', labels: {}, value: await getConnections() }],
  })
  app.addHook('onResponse', (req, reply, done) => {
    const route = routeOf(req)
    const method = methods.has(req.method) ? req.method : 'other'
    metrics.count('keepsnap_http_requests_total', { method, route, status: String(reply.statusCode) })
    metrics.observe('keepsnap_http_request_duration_seconds', { method, route }, reply.elapsedTime / 1000)
    done()
  })
}
