import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import fastifyStatic from '@fastify/static'
import { type RenderedWebPage, unknownVersion } from '@keepsnap/contract/rendering.ts'
import { defaultLanguage, type Language, languages } from '@keepsnap/contract/languages.ts'
import { type Analytics, eventPages, pages, photosPage, versionParameter } from '@keepsnap/contract/site.ts'
import { createRenderQueue, type LoadWebPageRenderer } from './pages.ts'
import {
  isCodingAccepted,
  languageOf,
  matchesTag,
  parameterOf,
  requestedLanguage,
  varyByLanguage,
} from './request-headers.ts'
import type { HttpReply, HttpRequest, HttpServer } from './http-types.ts'
import { sendNotFound } from './server.ts'

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
  /** Paths of pages that this installation does not have: answered as unknown ones. */
  missingPages?: readonly string[]
}

/** Serves the files that are in a folder at the start at /assets. One route for all: its hundreds of files would take 11 MB. */
function serveAssets(app: HttpServer, folder: string): void {
  const names = new Set(existsSync(folder) ? readdirSync(folder).filter((name) => !/\.(br|gz)$/.test(name)) : [])
  app.get<{ Params: { name: string } }>('/assets/:name', (req, reply) =>
    names.has(req.params.name) ? reply.sendFile(req.params.name, folder) : reply.callNotFound(),
  )
}

/** Serves the built web app: its files, and its HTML for its pages; for other pages too, with status 404. */
export async function serveWebApp(
  app: HttpServer,
  { webDist, loadRenderer, missingPages = [], ...hosts }: WebAppOptions,
): Promise<void> {
  const onError = (error: unknown): void =>
    app.log.error({ err: error }, 'a page could not be rendered, and is sent without its content')
  /** Calls a public GET endpoint in-process, without a session. */
  const read = async (path: string): Promise<string> => {
    const headers = { host: new URL(hosts.publicUrl).host, accept: 'application/json' }
    const { statusCode, body } = await app.inject({ method: 'GET', url: path, headers })
    if (statusCode !== 200) throw new Error(`GET ${path} answered ${statusCode}`)
    return body
  }
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
  for (const path of Object.values(pages))
    app.get(path, async (_, reply) => sendApp(reply, missingPages.includes(path) ? null : path).then(() => reply))
  for (const path of Object.values(eventPages))
    app.get(path, async (_, reply) => sendApp(reply, pages.events).then(() => reply))

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

/** A page as it is sent, in every encoding. */
interface PageDocument {
  html: string
  brotli: Buffer
  gzipped: Buffer
  /** A hash of `html`, in quotation marks. */
  entityTag: string
}

/** The parts of index.html that differ between pages, between a comment and its end. */
const partOf = (name: string): RegExp => new RegExp(`<!--${name}-->[\\s\\S]*?<!--/${name}-->`)
const parts = { head: partOf('head'), body: partOf('body'), noscript: partOf('noscript') }

/** Functions, because `$` has a meaning in replacement texts. */
const replacePart = (html: string, name: keyof typeof parts, text: string): string =>
  html.replace(parts[name], () => text)

/**
 * The document of a page: index.html with the page's head, content and style sheets. Its scripts are not preloaded: the
 * content needs none, and its pictures would load later (Lighthouse on home: 94 instead of 97).
 */
function composeDocument(indexHtml: string, { head, body }: RenderedWebPage, styleFiles: readonly string[]): string {
  const styles = styleFiles.map((file) => `<link rel="stylesheet" crossorigin href="${file}">`)
  const html = replacePart(indexHtml, 'head', head).replace('</head>', () => `${styles.join('')}</head>`)
  if (body === null) return html
  const rendered = html.replace('<div id="root">', '<div id="root" data-rendered>')
  return replacePart(replacePart(rendered, 'body', body), 'noscript', '')
}

/** Compresses a document once for all who ask for it. */
async function encodeDocument(html: string): Promise<PageDocument> {
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(html, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(html) },
    }),
    promisify(gzip)(html, { level: 9 }),
  ])
  const hash = createHash('sha256').update(html).digest('base64url').slice(0, 22)
  return { html, brotli, gzipped, entityTag: `"${hash}"` }
}

/** The HTML of the app in one language, without the head and content of a page. */
interface PageTemplate {
  html: string
  /** The style sheets of a page by its module. */
  stylesOf(module: string): readonly string[]
}

/** What renders the pages. */
interface WebPageSource {
  loadRenderer: LoadWebPageRenderer
  /** Calls public GET endpoints of the API. */
  read(path: string): Promise<string>
}

/** A cached document of a page. */
interface CachedDocument extends PageDocument {
  isPublic: boolean
  securityPolicy: string
  renderedAt: number
}

interface Options {
  templates: ReadonlyMap<Language, PageTemplate>
  publicUrl: string
  source: WebPageSource
  policyOf(html: string): string
  /** A page could not be rendered. */
  onError(error: unknown): void
}
interface DocumentRequest {
  /** Null for a path without a page. */
  path: string | null
  language: Language
  isLanguageInUrl: boolean
  /** What `?version=` says, which may be anything; null without it. */
  requestedVersion: string | null
}
/** The cache key of a document. All unknown versions share one, so that the number of documents is bounded. */
type DocumentKey = Omit<DocumentRequest, 'requestedVersion'> & { version: string | null }

/** All pages in all their versions and languages, with and without the language in the URL. */
const maxDocuments = 500
/** A cached document older than this is rendered again while the stale one is still sent. */
const maxAgeMs = 60_000
/** After a failure, a page is sent without its content for this long before rendering is retried. */
const failureTtlMs = 10_000
const unknownPath = '/404'

/** Renders, compresses and caches documents of pages; coalesces concurrent requests, renders at most once a minute. */
function createWebPageDocuments({ templates, publicUrl, source, policyOf, onError }: Options) {
  const documents = new LRUCache<string, CachedDocument>({ max: maxDocuments })
  const running = new Map<string, Promise<CachedDocument>>()
  const failed = new LRUCache<string, true>({ max: maxDocuments, ttl: failureTtlMs })
  const enqueueRender = createRenderQueue()

  /** One value for all versions that do not exist, so that they have one document. */
  async function versionOf({ path, requestedVersion }: DocumentRequest): Promise<string | null> {
    if (path === null || requestedVersion === null) return null
    const { pageVersions } = await source.loadRenderer()
    const versions = pageVersions(path)
    if (versions.length === 0) return null
    return versions.includes(requestedVersion) ? requestedVersion : unknownVersion
  }
  async function renderDocument({ path, ...parts }: DocumentKey, template: PageTemplate) {
    const { renderWebPage } = await source.loadRenderer()
    const request = { path: path ?? unknownPath, ...parts, publicUrl, load: source.read }
    const page = await enqueueRender(() => renderWebPage(request))
    const styles = page.module === null ? [] : template.stylesOf(page.module)
    const html = composeDocument(template.html, page, styles)
    const { isPublic } = page
    return { ...(await encodeDocument(html)), isPublic, securityPolicy: policyOf(html), renderedAt: Date.now() }
  }
  function render(key: string, parts: DocumentKey, template: PageTemplate): Promise<CachedDocument> {
    const started = running.get(key)
    if (started) return started
    const made = renderDocument(parts, template).finally(() => running.delete(key))
    running.set(key, made)
    return made.then((document) => {
      documents.set(key, document)
      return document
    })
  }
  return async (request: DocumentRequest): Promise<CachedDocument | undefined> => {
    const template = templates.get(request.language)
    if (!template) return undefined
    const { path, language, isLanguageInUrl } = request
    // Without a renderer, every document fails below.
    const version = request.requestedVersion === null ? null : await versionOf(request).catch(() => null)
    const parts: DocumentKey = { path, language, isLanguageInUrl, version }
    const key = `${language} ${isLanguageInUrl} ${version} ${path}`
    const stored = documents.get(key)
    if ((stored && Date.now() - stored.renderedAt < maxAgeMs) || failed.has(key)) return stored
    const rendered = render(key, parts, template).catch((error: unknown) => {
      if (!failed.has(key)) onError(error)
      failed.set(key, true)
    })
    return stored ?? ((await rendered) || undefined)
  }
}

/** What the web app may load besides its own files. */
interface WebAppHosts {
  publicUrl: string
  /** Where the server redirects to for photos; null when it sends them itself. */
  photoOrigin: string | null
  /** Null unless it is configured: the script of the provider is inserted only after consent. */
  analytics: Analytics | null
}

/**
 * The Content-Security-Policy of the web app: its own files, images of the public URL, of the store of photos and of the page
 * itself, and the host of analytics. Matomo sends page views as images where beacons are missing.
 */
function webAppPolicy(html: string, { publicUrl, photoOrigin, analytics }: WebAppHosts): string {
  const pictureOrigins = photoOrigin === null ? publicUrl : `${publicUrl} ${photoOrigin}`
  const analyticsHost = analytics ? ` ${analytics.host}` : ''
  const hashesOf = (element: RegExp): string =>
    [...html.matchAll(element)]
      .map(([, text = '']) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`)
      .join('')
  const webSocketUrl = publicUrl.replace(/^http/, 'ws')
  return [
    "default-src 'self'",
    `script-src 'self'${hashesOf(/<script>([\s\S]*?)<\/script>/g)}${analyticsHost}`,
    `style-src 'self'${hashesOf(/<style>([\s\S]*?)<\/style>/g)}`,
    `img-src 'self' data: blob: ${pictureOrigins}${analytics?.provider === 'matomo' ? analyticsHost : ''}`,
    'media-src data: blob:',
    `connect-src 'self' ${webSocketUrl}${analyticsHost}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** `index.html` in English, `index.nl.html` and so on in the others; scripts/web-build.mjs names them. */
const fileOf = (language: Language): string => (language === defaultLanguage ? 'index.html' : `index.${language}.html`)

function readTemplate(dist: string, language: Language): PageTemplate | undefined {
  const path = join(dist, fileOf(language))
  if (!existsSync(path)) return undefined
  const manifest = language === defaultLanguage ? 'manifest.json' : `manifest.${language}.json`
  return { html: readFileSync(path, 'utf8'), stylesOf: createPageStyles(join(dist, '.vite', manifest)) }
}

async function sendDocument(reply: HttpReply, document: PageDocument, status: number): Promise<void> {
  // Weak: the same for the compressed page.
  reply.header('etag', `W/${document.entityTag}`).type('text/html; charset=utf-8')
  const { headers } = reply.request
  if (status === 200 && matchesTag(headers['if-none-match'], document.entityTag))
    return void (await reply.status(304).removeHeader('content-type').send())
  const accepted = headers['accept-encoding']
  const encoding = (['br', 'gzip'] as const).find((one) => isCodingAccepted(accepted, one))
  if (encoding) reply.header('content-encoding', encoding)
  const { html, brotli, gzipped } = document
  await reply.status(status).send(encoding === 'br' ? brotli : encoding === 'gzip' ? gzipped : html)
}

interface AppHtmlOptions extends WebAppHosts {
  dist: string
  /** What renders the pages; null in tests that need none. */
  source: WebPageSource | null
  /** A page could not be rendered, and is sent without its content. */
  onError(error: unknown): void
}

/** Reads the built HTML of all languages; null if there is none. A language that was not built is answered in English. */
function readAppHtml({ dist, source, onError, ...hosts }: AppHtmlOptions) {
  const english = readTemplate(dist, defaultLanguage)
  if (!english) return null
  const templates = new Map(
    languages.flatMap((one) => {
      const template = readTemplate(dist, one)
      return template ? [[one, template] as const] : []
    }),
  )
  const policyOf = (html: string): string => webAppPolicy(html, hosts)
  const plain = new Map<Language, Promise<PageDocument>>()
  /** The document without server-rendered content. */
  const plainDocument = (language: Language): Promise<PageDocument> => {
    const made = plain.get(language) ?? encodeDocument((templates.get(language) ?? english).html)
    plain.set(language, made)
    return made
  }
  const documents =
    source && createWebPageDocuments({ templates, publicUrl: hosts.publicUrl, source, policyOf, onError })
  /** Sends the HTML of a page in the language of the request; null for a path without a page. */
  return async (reply: HttpReply, path: string | null): Promise<void> => {
    const req = reply.request
    const preferredLanguage = languageOf(req)
    const language = templates.has(preferredLanguage) ? preferredLanguage : defaultLanguage
    const requestedVersion = parameterOf(req.raw.url ?? '', versionParameter)
    const isLanguageInUrl = requestedLanguage(req) !== undefined
    const rendered = await documents?.({ path, language, isLanguageInUrl, requestedVersion })
    const document = rendered ?? (await plainDocument(language))
    if (rendered?.isPublic) reply.removeHeader('x-robots-tag')
    reply
      .header('content-security-policy', rendered?.securityPolicy ?? policyOf(document.html))
      .header('content-language', language)
      .header('cache-control', 'no-cache')
      .header('vary', `origin, accept, accept-encoding, ${varyByLanguage}`)
    await sendDocument(reply, document, path === null ? 404 : 200)
  }
}

/** One entry of the manifest of the web build (Vite's format). */
interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}
type Manifest = Readonly<Record<string, Chunk>>

/** The chunks that these modules need before they run. */
function staticChunks(manifest: Manifest, keys: readonly string[], found = new Map<string, Chunk>()) {
  for (const key of keys) {
    const chunk = manifest[key]
    if (!chunk || found.has(key)) continue
    found.set(key, chunk)
    staticChunks(manifest, chunk.imports ?? [], found)
  }
  return found
}

/**
 * Reads from the manifest of a build which style sheets a page needs besides those of every page: its own, and those of the parts
 * that it loads by itself.
 */
function createPageStyles(manifestPath: string): (module: string) => string[] {
  if (!existsSync(manifestPath)) return () => []
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest // written by the build
  const shared = staticChunks(manifest, ['index.html'])
  const sharedStyles = new Set(Array.from(shared.values()).flatMap(({ css = [] }) => css))
  return (module) => {
    const chunks = Array.from(staticChunks(manifest, [module])).filter(([key]) => !shared.has(key))
    const parts = chunks.flatMap(([, { dynamicImports = [] }]) => dynamicImports)
    const withParts = staticChunks(manifest, [...chunks.map(([key]) => key), ...parts])
    const styles = Array.from(withParts.values()).flatMap(({ css = [] }) => css)
    return [...new Set(styles)].filter((file) => !sharedStyles.has(file)).map((file) => `/${file}`)
  }
}
