import { LRUCache } from 'lru-cache'
import type { Language } from '@keepsnap/contract/languages.ts'
import { unknownVersion } from '@keepsnap/contract/web-pages.ts'
import { composeDocument, encodeDocument, type PageDocument } from './page-document.ts'
import { createRenderQueue } from './render-queue.ts'
import type { LoadWebPageRenderer } from './web-page-renderer.ts'

/** The HTML of the app in one language, before anything is said about the page. */
export interface PageTemplate {
  html: string
  /** The style sheets of a page by its module. */
  stylesOf(module: string): readonly string[]
}

/** What renders the pages. */
export interface WebPageSource {
  loadRenderer: LoadWebPageRenderer
  /** Answers GET calls of the API that are open to everybody. */
  read(path: string): Promise<string>
}

/** A document of a page, and when it was made. */
interface StoredDocument extends PageDocument {
  isPublic: boolean
  securityPolicy: string
  madeAt: number
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
  askedVersion: string | null
}
/** One of the documents that exist: whatever is asked, there are few. */
type DocumentKey = Omit<DocumentRequest, 'askedVersion'> & { version: string | null }

/** All pages in all their versions and languages, with and without the language in the URL. */
const maxDocuments = 500
/** Then it is rendered again, while the old one is still sent. */
const freshMs = 60_000
/** After a failure, a page is sent without its content for so long before it is tried again. */
const restMs = 10_000
const unknownPath = '/404'

/** Renders, compresses and keeps the documents of pages: once for all who ask for them, and at most once a minute. */
export function createWebPageDocuments({ templates, publicUrl, source, policyOf, onError }: Options) {
  const documents = new LRUCache<string, StoredDocument>({ max: maxDocuments })
  const running = new Map<string, Promise<StoredDocument>>()
  const failed = new LRUCache<string, true>({ max: maxDocuments, ttl: restMs })
  const renderInTurn = createRenderQueue()

  /** One value for all versions that do not exist, so that they have one document. */
  async function versionOf({ path, askedVersion }: DocumentRequest): Promise<string | null> {
    if (path === null || askedVersion === null) return null
    const { pageVersions } = await source.loadRenderer()
    const versions = pageVersions(path)
    if (versions.length === 0) return null
    return versions.includes(askedVersion) ? askedVersion : unknownVersion
  }
  async function make({ path, ...parts }: DocumentKey, template: PageTemplate) {
    const { renderWebPage } = await source.loadRenderer()
    const request = { path: path ?? unknownPath, ...parts, publicUrl, load: source.read }
    const page = await renderInTurn(() => renderWebPage(request))
    const styles = page.module === null ? [] : template.stylesOf(page.module)
    const html = composeDocument(template.html, page, styles)
    const { isPublic } = page
    return { ...(await encodeDocument(html)), isPublic, securityPolicy: policyOf(html), madeAt: Date.now() }
  }
  function render(key: string, parts: DocumentKey, template: PageTemplate): Promise<StoredDocument> {
    const started = running.get(key)
    if (started) return started
    const made = make(parts, template).finally(() => running.delete(key))
    running.set(key, made)
    return made.then((document) => {
      documents.set(key, document)
      return document
    })
  }
  return async (request: DocumentRequest): Promise<StoredDocument | undefined> => {
    const template = templates.get(request.language)
    if (!template) return undefined
    const { path, language, isLanguageInUrl } = request
    // Without a renderer, every document fails below.
    const version = await versionOf(request).catch(() => null)
    const parts: DocumentKey = { path, language, isLanguageInUrl, version }
    const key = JSON.stringify(parts)
    const stored = documents.get(key)
    if ((stored && Date.now() - stored.madeAt < freshMs) || failed.has(key)) return stored
    const rendered = render(key, parts, template).catch((error: unknown) => {
      if (!failed.has(key)) onError(error)
      failed.set(key, true)
    })
    return stored ?? ((await rendered) || undefined)
  }
}
