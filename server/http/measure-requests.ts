import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { noMetrics, type Metrics, type MetricSource } from '../metrics/metrics.ts'
import type { HttpRequest, HttpServer } from './http-types.ts'
import { metricsPath } from './metrics-page.ts'

const methods = new Set(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])
const namedRoutes = new Set<string>([metricsPath, ...endpoints.map(({ path }) => path), ...Object.values(pages)])

/** The route template as a metric label, never the URL as sent. All files of the web app share one label. */
function routeOf({ is404, routeOptions: { url } }: HttpRequest): string {
  if (is404 || url === undefined) return 'none'
  return namedRoutes.has(url) ? url : 'file'
}

/** The open connections of the HTTP server. */
const connectionSource = (server: HttpServer['server']): MetricSource => ({
  part: 'connections',
  names: ['keepsnap_http_connections'],
  read: () =>
    new Promise((resolve, reject) => {
      server.getConnections((error, value) => {
        if (error) reject(error)
        else resolve([{ name: 'keepsnap_http_connections', labels: {}, value }])
      })
    }),
})

/** Counts and measures every answered request. */
export function measureRequests(app: HttpServer, metrics: Metrics): void {
  if (metrics === noMetrics) return
  metrics.addSource(connectionSource(app.server))
  app.addHook('onResponse', (req, reply, done) => {
    const route = routeOf(req)
    const method = methods.has(req.method) ? req.method : 'other'
    metrics.count('keepsnap_http_requests_total', { method, route, status: String(reply.statusCode) })
    metrics.observe('keepsnap_http_request_duration_seconds', { method, route }, reply.elapsedTime / 1000)
    done()
  })
}
