import { Object, String } from 'typebox'
import { endpoint } from './endpoint.ts'
import type { Language } from './languages.ts'

/** A page of the web app as the server sends it; the app takes over in the browser. */
export interface RenderedWebPage {
  /** Whether search engines may show it. */
  isPublic: boolean
  /** Elements of `<head>`: title, description, canonical URL, alternates in other languages, link preview, structured data. */
  head: string
  /** The content of the page for a visitor who is not signed in; null for pages that need JavaScript. */
  body: string | null
  /** The page's module in the manifest of the build, such as `pages/HomePage.tsx`; null for unknown pages. */
  module: string | null
}

/** What the content of a page depends on. */
export interface WebPageRequest {
  /** Without query. */
  path: string
  /** Of `?version=`: one of `pageVersions`, or `unknownVersion`; null for the one that applies. */
  version: string | null
  language: Language
  /** Whether the URL named the language: such a URL stands for this language only. */
  isLanguageInUrl: boolean
  /** The setting PUBLIC_URL. */
  publicUrl: string
  /** Answers a GET call of the API that is open to everybody: path and query to the bytes of the reply. */
  load(path: string): Promise<string>
}

/** Stands for every version that does not exist, whose pages are all the same. */
export const unknownVersion = 'unknown'

/** A page that search engines may show. */
export interface PublicPage {
  /** In the address of its preview picture. */
  name: string
  path: string
}

/** The texts of the picture that chats and social networks show with a link to a page. */
export interface PagePreview {
  title: string
  /** Beside the QR code. */
  codeLine: string
}

/** A web app manifest (W3C), as far as it depends on the language. */
export interface AppManifestTexts {
  description: string
  /** Names of pages that the system offers on the icon of the app. */
  upload: string
  latest: string
}

/** What the module built from `web/prerender/` exports. */
export interface WebPageRenderer {
  renderWebPage(request: WebPageRequest): Promise<RenderedWebPage>
  publicPages: readonly PublicPage[]
  /** The versions of a page that `?version=` can name; empty for pages that have none. */
  pageVersions(path: string): readonly string[]
  /** Null for a name that is not one of `publicPages`. */
  pagePreview(name: string, language: Language): PagePreview | null
  appManifestTexts(language: Language): AppManifestTexts
  /** URL of the file, in the build of the web app, of the font that preview pictures are drawn with. */
  previewFont: string
}

/** The path of the preview picture of a page. */
export const pagePreviewPath = (name: string, language: string): string => `/preview/${name}.${language}.jpg`
/** Size of preview pictures in pixels, as Open Graph recommends. */
export const pagePreviewSize = { width: 1200, height: 630 } as const

/** The picture that chats and social networks show with a link to a page of the web app; JPEG. */
export const pagePreview = endpoint({
  method: 'GET',
  path: '/preview/:name',
  access: 'public',
  summary: 'Get the preview picture of a public page.',
  // Any text is accepted: an unknown page is a 404, not a validation error.
  params: Object({ name: String({ maxLength: 128 }) }),
  reply: 'bytes',
})
/** What search engines and other robots may read (RFC 9309). */
export const robotsFile = endpoint({
  method: 'GET',
  path: '/robots.txt',
  access: 'public',
  summary: 'Get the rules for robots.',
  reply: 'bytes',
})
/** The public pages in all languages (sitemaps.org). */
export const sitemap = endpoint({
  method: 'GET',
  path: '/sitemap.xml',
  access: 'public',
  summary: 'Get the list of public pages.',
  reply: 'bytes',
})
/** The path of the app's manifest in a language. */
export const appManifestPath = (language: string): string => `/manifest/${language}.webmanifest`
/** The name, icons and shortcuts of the web app when it is installed, in one language. */
export const appManifest = endpoint({
  method: 'GET',
  path: '/manifest/:name',
  access: 'public',
  summary: 'Get the manifest of the web app.',
  params: Object({ name: String({ maxLength: 128 }) }),
  reply: 'bytes',
})
