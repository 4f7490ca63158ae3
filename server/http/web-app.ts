import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { Analytics } from '@keepsnap/contract/analytics.ts'
import { pages, photosPage } from '@keepsnap/contract/pages.ts'
import type { HttpReply, HttpRequest, HttpServer } from './http-types.ts'
import { sendNotFound } from './server.ts'

/** Whether a browser navigates to this URL, rather than a program requesting data. */
const acceptsHtml = (req: HttpRequest): boolean =>
  (req.method === 'GET' || req.method === 'HEAD') && (req.headers.accept ?? '').trimStart().startsWith('text/html')

/** What the web app may load besides its own files. */
interface WebAppHosts {
  publicUrl: string
  /** Null unless it is configured: the script of the provider is inserted only after consent. */
  analytics: Analytics | null
}

/**
 * The Content-Security-Policy of the web app: its own files, images of the public URL and of the page itself, and the host of
 * analytics. Matomo sends page views as images where beacons are missing.
 */
function webAppPolicy(indexHtml: string, { publicUrl, analytics }: WebAppHosts): string {
  const analyticsHost = analytics ? ` ${analytics.host}` : ''
  const scriptHashes = [...indexHtml.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  )
  const webSocketUrl = publicUrl.replace(/^http/, 'ws')
  return [
    "default-src 'self'",
    `script-src 'self' ${scriptHashes.join(' ')}`.trim() + analyticsHost,
    "style-src 'self'",
    `img-src 'self' data: blob: ${publicUrl}${analytics?.provider === 'matomo' ? analyticsHost : ''}`,
    'media-src data: blob:',
    `connect-src 'self' ${webSocketUrl}${analyticsHost}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** One page has one URL: /latest/ is /latest. */
function redirectTrailingSlashes(app: HttpServer): void {
  const pagePaths = new Set<string>(Object.values(pages))
  app.addHook('onRequest', async (req, reply) => {
    const [path = '', ...query] = (req.raw.url ?? '').split('?')
    const page = path.replace(/\/$/, '')
    if (page !== path && pagePaths.has(page) && acceptsHtml(req)) await reply.redirect([page, ...query].join('?'), 308)
  })
}

/** Serves the built web app: its files, and index.html for its pages; for other pages too, with status 404. */
export async function serveWebApp(
  app: HttpServer,
  { dist, publicUrl, analytics }: WebAppHosts & { dist: string },
): Promise<void> {
  const indexPath = join(dist, 'index.html')
  if (!existsSync(indexPath)) {
    app.setNotFoundHandler(sendNotFound)
    return
  }
  const indexHtml = readFileSync(indexPath, 'utf8')
  const securityPolicy = webAppPolicy(indexHtml, { publicUrl, analytics })
  await app.register(fastifyStatic, {
    root: dist,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['index.html*', '.*'],
    setHeaders(reply, path) {
      reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      )
    },
  })
  const sendApp = async (reply: HttpReply, status: number): Promise<void> => {
    reply
      .header('content-security-policy', securityPolicy)
      .header('cache-control', 'no-cache')
      .header('vary', 'origin, accept')
    await reply.status(status).type('text/html; charset=utf-8').send(indexHtml)
  }
  for (const path of Object.values(pages)) app.get(path, async (_, reply) => sendApp(reply, 200).then(() => reply))

  redirectTrailingSlashes(app)

  // GET /photos is an endpoint of the API; a browser that navigates there followed an old link.
  app.addHook('onRequest', async (req, reply) => {
    if (req.raw.url?.split('?', 1)[0] === photosPage && acceptsHtml(req))
      await reply.header('cache-control', 'no-store').redirect(pages.latest, 302)
  })
  app.setNotFoundHandler(async (req, reply) => {
    await (acceptsHtml(req) ? sendApp(reply, 404) : sendNotFound(req, reply))
    return reply
  })
}
