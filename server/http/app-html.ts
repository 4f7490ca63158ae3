import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Analytics } from '@keepsnap/contract/analytics.ts'
import { defaultLanguage, type Language, languages } from '@keepsnap/contract/languages.ts'
import { versionParameter } from '@keepsnap/contract/legal.ts'
import { isCodingAccepted } from './accepted-encoding.ts'
import { matchesTag } from './entity-tag.ts'
import type { HttpReply } from './http-types.ts'
import { languageOf, parameterOf, requestedLanguage, varyByLanguage } from './language.ts'
import { encodeDocument, type PageDocument } from './page-document.ts'
import { createWebPageDocuments, type PageTemplate, type WebPageSource } from './web-page-documents.ts'

/** Sends the HTML of a page in the language of the request; null for a path without a page. */
export type SendAppHtml = (reply: HttpReply, path: string | null) => Promise<void>

/** What the web app may load besides its own files. */
export interface WebAppHosts {
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
  return { html: readFileSync(path, 'utf8'), stylesOf: createPageStyles(manifestPathOf(dist, language)) }
}

/** The document in the best encoding that the browser accepts. */
function encodingFor({ brotli, gzipped, html }: PageDocument, accepted: string): [string | undefined, string | Buffer] {
  if (isCodingAccepted(accepted, 'br')) return ['br', brotli]
  return isCodingAccepted(accepted, 'gzip') ? ['gzip', gzipped] : [undefined, html]
}

async function sendDocument(reply: HttpReply, document: PageDocument, status: number): Promise<void> {
  // Weak: the same for the compressed page.
  reply.header('etag', `W/${document.entityTag}`).type('text/html; charset=utf-8')
  const { headers } = reply.request
  if (status === 200 && matchesTag(headers['if-none-match'], document.entityTag))
    return void (await reply.status(304).removeHeader('content-type').send())
  const [encoding, body] = encodingFor(document, headers['accept-encoding'] ?? '')
  if (encoding) reply.header('content-encoding', encoding)
  await reply.status(status).send(body)
}

interface AppHtmlOptions extends WebAppHosts {
  dist: string
  /** What renders the pages; null in tests that need none. */
  source: WebPageSource | null
  /** A page could not be rendered, and is sent without its content. */
  onError(error: unknown): void
}

/** Reads the built HTML of all languages; null if there is none. A language that was not built is answered in English. */
export function readAppHtml({ dist, source, onError, ...hosts }: AppHtmlOptions): SendAppHtml | null {
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
  return async (reply, path) => {
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

/** The manifest of the build in one language; English is the build without a language in its name. */
const manifestPathOf = (dist: string, language: string): string =>
  join(dist, '.vite', language === 'en' ? 'manifest.json' : `manifest.${language}.json`)
