import { setImmediate as nextIteration } from 'node:timers/promises'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import PQueue from 'p-queue'
import { LRUCache } from 'lru-cache'
import type { GuestPage, GuestPageContext, GuestRenderer, WebPageRenderer } from '@keepsnap/contract/rendering.ts'
import type { Language } from '@keepsnap/contract/languages.ts'
import { Fault, StartupError } from '../../faults.ts'
import { isGzipAccepted, languageOf, matchesTag, rememberRequestedLanguage, varyByLanguage } from './request-headers.ts'
import type { HttpReply } from './http-types.ts'

/**
 * Loads the renderer that `web/guest` is built into, by the path of its module (`web/dist-guest/guest.js`).
 * @throws StartupError when the module is missing or belongs to another version
 */
export async function loadGuestRenderer(path: string): Promise<GuestRenderer> {
  if (!existsSync(path))
    throw new StartupError(`The guest pages are not built: ${path} is missing. Run "npm run build".`)
  const builtRenderer = (await import(pathToFileURL(path).href)) as Partial<GuestRenderer> // checked in the next lines
  const { renderGuestPage, renderEmail, translateCsv, inlineStyles, checkoutStyles, inlineScripts } = builtRenderer
  if (!renderGuestPage || !renderEmail || !translateCsv || !inlineStyles || !checkoutStyles || !inlineScripts)
    throw new StartupError(`The guest pages at ${path} are of another version. Run "npm run build".`)
  return { renderGuestPage, renderEmail, translateCsv, inlineStyles, checkoutStyles, inlineScripts }
}

/** What the page of demo payments may do in addition: its form may be redirected to these origins. */
interface CheckoutPolicy {
  returnOrigins: readonly string[]
}

/** The Content-Security-Policy of a guest page: its own inline styles and script by their hashes, images, its font. */
export function guestPagePolicy(
  { inlineStyles, checkoutStyles, inlineScripts }: GuestRenderer,
  publicUrl: string,
  checkout?: CheckoutPolicy,
): string {
  return [
    "default-src 'none'",
    `script-src ${inlineScripts.join(' ')}`,
    ['style-src', ...inlineStyles, ...(checkout ? checkoutStyles : [])].join(' '),
    "font-src 'self'",
    `img-src 'self' ${publicUrl} data: blob:`,
    "connect-src 'self'",
    ["form-action 'self'", ...(checkout?.returnOrigins ?? [])].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

interface GuestPageOptions {
  page: GuestPage
  frame: Omit<GuestPageContext, 'language' | 'hasLanguageLinks'>
  /** The language of the email that links to the page; takes precedence over the browser's. */
  linkLanguage?: string | null
  /** 200 when left out. */
  status?: number
  /** Of the page of demo payments. */
  checkout?: CheckoutPolicy
  /** `no-store` when left out: access is decided again for each request. Otherwise the page has an entity tag. */
  cacheControl?: string
}

interface RenderedPage {
  html: string
  gzipped: Promise<Buffer>
  /** A hash of `html`, in quotation marks. */
  entityTag: string
}

/** How the pages of a renderer are rendered. */
interface PageRendering {
  /** Pages by their contents. */
  cache: LRUCache<string, Promise<RenderedPage>>
  /** Pages by their names, with the objects that they were made from. */
  kept: LRUCache<string, { source: object; rendered: RenderedPage }>
  enqueueRender: RenderQueue
  /** The usual policies by their public URLs: one, outside of tests. */
  policies: Map<string, string>
}

const maxCachedGuestPages = 100
/** Freed together with their renderers. */
const renderings = new WeakMap<GuestRenderer, PageRendering>()

function renderingOf(renderer: GuestRenderer): PageRendering {
  const known = renderings.get(renderer)
  if (known) return known
  const rendering: PageRendering = {
    cache: new LRUCache({ max: maxCachedGuestPages }),
    kept: new LRUCache({ max: maxCachedGuestPages }),
    enqueueRender: createRenderQueue(),
    policies: new Map(),
  }
  renderings.set(renderer, rendering)
  return rendering
}

/** Whether a page is the same for every guest: it contains no input of a guest and no secret. */
function isSharedPage(page: GuestPage): boolean {
  if (['demo-checkout', 'support', 'withdraw', 'withdrawal-link', 'event-grant'].includes(page.page)) return false
  if (page.page === 'request') return page.email === ''
  if (page.page === 'event') return !page.emails?.answer && !page.archive?.url?.includes('?')
  if (page.page === 'unsubscribe') return page.action === null
  return page.page !== 'photo' || page.by !== 'grant'
}

/** Renders and compresses a page; shared pages once for the many guests who scan one code. */
function renderPage(renderer: GuestRenderer, page: GuestPage, frame: GuestPageContext): Promise<RenderedPage> {
  const { cache, enqueueRender } = renderingOf(renderer)
  const render = (): Promise<RenderedPage> =>
    enqueueRender(() => {
      const html = renderer.renderGuestPage(page, frame)
      const hash = createHash('sha256').update(html).digest('base64url').slice(0, 22)
      return { html, gzipped: promisify(gzip)(html, { level: 4 }), entityTag: `"${hash}"` }
    })
  if (!isSharedPage(page)) return render()
  const key = JSON.stringify([page, frame])
  const cachedPage = cache.get(key)
  if (cachedPage) return cachedPage
  const renderedPage = render()
  cache.set(key, renderedPage)
  renderedPage.catch(() => cache.delete(key))
  return renderedPage
}

type SentPage = Pick<GuestPageOptions, 'status' | 'checkout' | 'cacheControl'> & {
  rendered: RenderedPage
  language: Language
  publicUrl: string
}

/** Sends a rendered page with its security policy, compressed when the browser accepts gzip. */
async function sendRenderedPage(
  reply: HttpReply,
  renderer: GuestRenderer,
  { rendered, language, publicUrl, status = 200, checkout, cacheControl: usualCacheControl = 'no-store' }: SentPage,
): Promise<void> {
  const { request } = reply
  const { html, gzipped, entityTag } = rendered
  const { policies } = renderingOf(renderer)
  const policy = (checkout ? undefined : policies.get(publicUrl)) ?? guestPagePolicy(renderer, publicUrl, checkout)
  if (!checkout) policies.set(publicUrl, policy)
  const vary = [reply.getHeader('vary'), varyByLanguage, 'accept-encoding'].filter(Boolean).join(', ')
  const cacheControl = rememberRequestedLanguage(reply, publicUrl) ? 'no-store' : usualCacheControl
  reply
    .header('content-language', language)
    .status(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('cache-control', cacheControl)
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex')
    .header('vary', vary)
  if (cacheControl !== 'no-store') {
    // Weak: the same for the compressed page.
    reply.header('etag', `W/${entityTag}`)
    if (status === 200 && matchesTag(request.headers['if-none-match'], entityTag))
      return void (await reply.status(304).removeHeader('content-type').send())
  }
  if (isGzipAccepted(request.headers['accept-encoding']))
    await reply.header('content-encoding', 'gzip').send(await gzipped)
  else await reply.send(html)
}

/** Sends a guest page in the language of the request. */
export async function sendGuestPage(
  reply: HttpReply,
  renderer: GuestRenderer,
  { page, frame, linkLanguage, ...options }: GuestPageOptions,
): Promise<void> {
  const { request } = reply
  const language = languageOf(request, linkLanguage)
  const hasLanguageLinks = request.method === 'GET' || request.method === 'HEAD'
  const rendered = await renderPage(renderer, page, { ...frame, language, hasLanguageLinks })
  await sendRenderedPage(reply, renderer, { rendered, language, publicUrl: frame.publicUrl, ...options })
}

interface KeptPageOptions extends Pick<GuestPageOptions, 'linkLanguage' | 'cacheControl' | 'status'> {
  /** Of the page and everything that distinguishes it from others with the same source, but the language. */
  name: string
  /** What the page is made from: its cache returns the same object until that has changed. Undefined for a page that is not kept. */
  source: object | undefined
  publicUrl: string
  make(): Pick<GuestPageOptions, 'page' | 'frame'>
}

/** Sends a guest page that is made again only when its source is another object than before. */
export async function sendKeptGuestPage(
  reply: HttpReply,
  renderer: GuestRenderer,
  { name, source, publicUrl, make, linkLanguage, ...options }: KeptPageOptions,
): Promise<void> {
  const { request } = reply
  const language = languageOf(request, linkLanguage)
  const hasLanguageLinks = request.method === 'GET' || request.method === 'HEAD'
  const { kept } = renderingOf(renderer)
  const key = `${language} ${hasLanguageLinks} ${name}`
  const known = source && kept.get(key)
  let rendered = known?.source === source ? known?.rendered : undefined
  if (!rendered) {
    const { page, frame } = make()
    rendered = await renderPage(renderer, page, { ...frame, language, hasLanguageLinks })
    if (source) kept.set(key, { source, rendered })
  }
  await sendRenderedPage(reply, renderer, { rendered, language, publicUrl, ...options })
}

/** Runs a synchronous task; rejects with what it throws, or with a Fault when too many tasks wait. */
type RenderQueue = <T>(task: () => T) => Promise<T>

const maxWaitingTasks = 2_000

/**
 * Runs tasks that each block the event loop for milliseconds, one per iteration of the event loop: calls of others are
 * answered in between, however many such tasks a client asks for.
 */
export function createRenderQueue(maxWaiting = maxWaitingTasks): RenderQueue {
  const queue = new PQueue({ concurrency: 1 })
  return async <T>(task: () => T) => {
    if (queue.size + queue.pending >= maxWaiting)
      throw new Fault('unavailable', 'Too many people are opening pages right now. Please try again in a moment.', 2)
    return queue.add(async () => {
      await nextIteration()
      return task()
    })
  }
}

/** Resolves with the renderer of the web app's pages; it is loaded when the first page needs it. */
export type LoadWebPageRenderer = () => Promise<WebPageRenderer>

const requiredExports = [
  'renderWebPage',
  'publicPages',
  'pageVersions',
  'pagePreview',
  'appManifestTexts',
  'previewFont',
] as const

/**
 * The renderer that `web/prerender` is built into, by the path of its module (`web/dist-pages/pages.js`).
 * @throws StartupError when the module is missing
 */
export function webPageRendererAt(path: string): LoadWebPageRenderer {
  if (!existsSync(path))
    throw new StartupError(`The pages of the web app are not built: ${path} is missing. Run "npm run build".`)
  let renderer: Promise<WebPageRenderer> | undefined
  const load = async (): Promise<WebPageRenderer> => {
    const built = (await import(pathToFileURL(path).href)) as Partial<WebPageRenderer> // checked in the next line
    if (requiredExports.some((one) => built[one] === undefined))
      throw new StartupError(`The pages at ${path} are of another version. Run "npm run build".`)
    return built as WebPageRenderer // has all exports
  }
  return () => (renderer ??= load())
}
