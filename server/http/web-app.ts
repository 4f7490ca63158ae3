import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { pages, photosPage } from '@keepsnap/contract/pages.ts'
import { readAppHtml, type WebAppHosts } from './app-html.ts'
import type { HttpRequest, HttpServer } from './http-types.ts'
import { callPublicEndpoint } from './call-public-endpoint.ts'
import { sendNotFound } from './server.ts'
import type { LoadWebPageRenderer } from './web-page-renderer.ts'

/** Whether a browser navigates to this URL, rather than a program requesting data. */
const acceptsHtml = (req: HttpRequest): boolean =>
  (req.method === 'GET' || req.method === 'HEAD') && (req.headers.accept ?? '').trimStart().startsWith('text/html')

/** One page has one URL: /latest/ is /latest. */
function redirectTrailingSlashes(app: HttpServer): void {
  const pagePaths = new Set<string>(Object.values(pages))
  app.addHook('onRequest', async (req, reply) => {
    const [path = '', ...query] = (req.raw.url ?? '').split('?')
    const page = path.replace(/\/$/, '')
    if (page !== path && pagePaths.has(page) && acceptsHtml(req)) await reply.redirect([page, ...query].join('?'), 308)
  })
}

interface WebAppOptions extends WebAppHosts {
  /** The built web app. */
  webDist: string
  /** Without it, in tests, pages have no content before their script has loaded. */
  loadRenderer?: LoadWebPageRenderer
}

/** Serves the files that are in a folder at the start at /assets. One route for all: its hundreds of files would take 11 MB. */
function serveAssets(app: HttpServer, folder: string): void {
  const names = new Set(existsSync(folder) ? readdirSync(folder).filter((name) => !/\.(br|gz)$/.test(name)) : [])
  app.get<{ Params: { name: string } }>('/assets/:name', (req, reply) =>
    names.has(req.params.name) ? reply.sendFile(req.params.name, folder) : reply.callNotFound(),
  )
}

/** Serves the built web app: its files, and its HTML for its pages; for other pages too, with status 404. */
export async function serveWebApp(app: HttpServer, { webDist, loadRenderer, ...hosts }: WebAppOptions): Promise<void> {
  const onError = (error: unknown): void =>
    app.log.error({ err: error }, 'a page could not be rendered, and is sent without its content')
  const read = (path: string): Promise<string> => callPublicEndpoint(app, { path, publicUrl: hosts.publicUrl })
  const source = loadRenderer ? { loadRenderer, read } : null
  const sendApp = readAppHtml({ dist: webDist, ...hosts, source, onError })
  if (!sendApp) {
    app.setNotFoundHandler(sendNotFound)
    return
  }
  await app.register(fastifyStatic, {
    root: webDist,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    // Compressed files are sent in place of their originals; the files of assets/ share one route.
    globIgnore: ['index*.html*', '.*', '**/*.{br,gz}', 'assets/**'],
    setHeaders(reply, path) {
      // Search engines may index the pictures of public pages.
      reply.removeHeader('x-robots-tag')
      reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      )
    },
  })
  serveAssets(app, join(webDist, 'assets'))
  for (const path of Object.values(pages)) app.get(path, async (_, reply) => sendApp(reply, path).then(() => reply))

  redirectTrailingSlashes(app)

  // GET /photos is an endpoint of the API; a browser that navigates there followed an old link.
  app.addHook('onRequest', async (req, reply) => {
    if (req.raw.url?.split('?', 1)[0] === photosPage && acceptsHtml(req))
      await reply.header('cache-control', 'no-store').redirect(pages.latest, 302)
  })
  app.setNotFoundHandler(async (req, reply) => {
    await (acceptsHtml(req) ? sendApp(reply, null) : sendNotFound(req, reply))
    return reply
  })
}
