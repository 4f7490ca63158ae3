import { LRUCache } from 'lru-cache'
import type { Language } from '@keepsnap/contract/languages.ts'
import { unknownVersion } from '@keepsnap/contract/web-pages.ts'
import { composeDocument, encodeDocument, type PageDocument } from './page-document.ts'
import { createRenderQueue } from './render-queue.ts'
import type { LoadWebPageRenderer } from './web-page-renderer.ts'

/** The HTML of the app in one language, without the head and content of a page. */
export interface PageTemplate {
  html: string
  /** The style sheets of a page by its module. */
  stylesOf(module: string): readonly string[]
}

/** What renders the pages. */
export interface WebPageSource {
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
export function createWebPageDocuments({ templates, publicUrl, source, policyOf, onError }: Options) {
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
