import { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { prerenderToNodeStream } from 'react-dom/static'
import { StaticRouter } from 'react-router'
import { accessOf, type Endpoint, type Input, type Reply } from '@keepsnap/contract/endpoint.ts'
import type { Language } from '@keepsnap/contract/languages.ts'
import { legalDocumentNames, pages, versionParameter } from '@keepsnap/contract/site.ts'
import type { WebPageRenderer } from '@keepsnap/contract/rendering.ts'
import type { AppState } from '../app-state.ts'
import { App } from '../app.tsx'
import { type Api, endpointPath, type ReplyWithHeaders } from '../lib/api.ts'
import type { LocaleData } from '../lib/i18n.tsx'
import { createSession } from '../lib/session.ts'
import { openStorage } from '../lib/storage.ts'
import type { Theme } from '../lib/theme.ts'
import { routes } from '../routes.tsx'
import { legalDocuments } from '../features/site/legal/documents.ts'
import type { Catalogue } from '../messages/en.ts'
import { Head, notFoundHead, pageHeads, type PageName, pageNameOf } from './Head.tsx'

interface Options {
  /** With all their sentences. */
  languages: Readonly<Record<Language, LocaleData & { text: Catalogue }>>
  previewFont: string
}

const namedHeads = Object.entries(pageHeads) as [PageName, (typeof pageHeads)[PageName]][] // its own keys
const publicNames = namedHeads.flatMap(([name, { description }]) => (description ? [name] : []))

/** The texts of which earlier and announced versions can be read, by the paths of their pages. */
const versionsByPath = new Map(legalDocumentNames.map((name) => [pages[name] as string, legalDocuments[name]]))

/** Renders the pages of the web app for visitors, search engines and link previews. */
export function createWebPageRenderer({ languages, previewFont }: Options): WebPageRenderer {
  return {
    async renderWebPage({ path, version, language, load, ...urls }) {
      const name = pageNameOf(path)
      const head = name ? pageHeads[name] : notFoundHead
      const { text } = languages[language]
      const { module = null } = head
      const isPublic = head.description !== undefined
      const tags = renderToStaticMarkup(<Head {...{ name, head, path, language, text, ...urls }} />)
      if (module === null) return { isPublic, head: tags, body: null, module }
      const { html, css } = extractInlineStyles(
        await renderBody(version === null ? path : `${path}?${new URLSearchParams({ [versionParameter]: version })}`, {
          language: languages[language],
          origin: new URL(urls.publicUrl).origin,
          load,
        }),
      )
      return { isPublic, head: css ? `${tags}<style>${css}</style>` : tags, body: html, module }
    },
    publicPages: publicNames.map((name) => ({ name, path: pages[name] })),
    pageVersions: (path) => versionsByPath.get(path)?.map(({ from }) => from) ?? [],
    pagePreview(name, language) {
      const known = publicNames.find((one) => one === name)
      const { text } = languages[language]
      return known ? { title: pageHeads[known].title(text), codeLine: text.pageDescriptions.previewLine } : null
    },
    appManifestTexts(language) {
      const { pageDescriptions, frame } = languages[language].text
      const { upload, latest } = frame.links
      return { description: pageDescriptions.app, upload, latest }
    },
    previewFont,
  }
}

/** How many rounds of dependent calls a page may need. */
const maxRounds = 4

/** Loads the modules that a tree needs: those of lazy components, and of the components in them. */
async function loadModules(tree: ReactNode): Promise<void> {
  const errors: unknown[] = []
  const { prelude } = await prerenderToNodeStream(tree, { onError: (error) => void errors.push(error) })
  prelude.resume()
  // An error within a Suspense boundary would only leave that part out.
  if (errors.length > 0) throw errors[0]
}

/** Runs the pending queries; true if there were any. Rejects when one of them fails. */
async function loadData(queryClient: QueryClient): Promise<boolean> {
  const waiting = queryClient
    .getQueryCache()
    .getAll()
    .filter(({ state, options }) => state.status === 'pending' && !('enabled' in options && options.enabled === false))
  await Promise.all(waiting.map((query) => query.fetch()))
  return waiting.length > 0
}

/** The content of `#root` for a visitor who is not signed in, complete: with all modules and data. */
async function renderBody(
  path: string,
  { language, ...calls }: ServerCalls & { language: LocaleData },
): Promise<string> {
  const state = createServerState(calls)
  const Router = ({ children }: { children: ReactNode }) => <StaticRouter location={path}>{children}</StaticRouter>
  const tree = <App state={state} language={language} routes={routes} Router={Router} />
  for (let round = 0; round < maxRounds; round += 1) {
    await loadModules(tree)
    if (!(await loadData(state.queryClient))) return renderToStaticMarkup(tree)
  }
  throw new Error(`the page ${path} still makes new calls after ${maxRounds} rounds`)
}

/** How a page calls the API while it is rendered. */
interface ServerCalls {
  /** That of PUBLIC_URL, for URLs on the page. */
  origin: string
  /** Answers a GET call that is open to everybody: path and query to the bytes of the reply. */
  load: (path: string) => Promise<string>
}

/** Calls of the API within the server, for what every visitor may read. */
function createServerApi({ origin, load }: ServerCalls): Api {
  const read = async (endpoint: Endpoint, input: object): Promise<string> => {
    if (endpoint.method !== 'GET' || !accessOf(endpoint).includes('public'))
      throw new Error(`${endpoint.method} ${endpoint.path} is not for a page that is rendered by the server`)
    return load(endpointPath(endpoint, input))
  }
  const send = async <S extends Endpoint>(endpoint: S, input: Input<S>): Promise<ReplyWithHeaders<S>> => {
    const body: unknown = JSON.parse(await read(endpoint, input as object)) // Input<S> consists of objects
    return { reply: body as Reply<S>, headers: new Headers() } // the server serialises by the contract
  }
  return {
    origin,
    send,
    call: async (endpoint, input) => (await send(endpoint, input)).reply,
    bytes: async (endpoint, input) => new Blob([await read(endpoint, input as object)]), // as above
    upload: () => Promise.reject(new Error('pages that are rendered by the server upload nothing')),
  }
}

const systemTheme: Theme = { choice: () => 'system', choose: () => {}, subscribe: () => () => {} }

/** The state of the app for a visitor who is not signed in and whose browser stores nothing. */
function createServerState(calls: ServerCalls): AppState {
  const storage = openStorage(() => {
    throw new Error('the server has no storage of a browser')
  })
  return {
    api: createServerApi(calls),
    session: createSession(storage, new EventTarget()),
    theme: systemTheme,
    queryClient: new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } }),
  }
}

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
const unescapeHtml = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => characters[name] ?? '')

/**
 * Moves style attributes into rules: the security policy allows a style element by its hash, but no attributes. In the
 * browser, React sets the same styles without attributes.
 */
export function extractInlineStyles(html: string): { html: string; css: string } {
  const numbers = new Map<string, number>()
  const moved = html.replaceAll(/ style="([^"]*)"/g, (_, escaped: string) => {
    const style = unescapeHtml(escaped)
    const number = numbers.get(style) ?? numbers.size
    numbers.set(style, number)
    return ` data-style="${number}"`
  })
  const rules = Array.from(numbers, ([style, number]) => {
    const declarations = style.split(';').filter(Boolean)
    return `[data-style="${number}"]{${declarations.map((one) => `${one}!important`).join(';')}}`
  })
  // As text of a style element: no value may end it.
  return { html: moved, css: rules.join('').replaceAll('<', '\\3c ') }
}
