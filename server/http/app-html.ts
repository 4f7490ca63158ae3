import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Analytics } from '@keepsnap/contract/analytics.ts'
import { defaultLanguage, languages, type Language } from '@keepsnap/contract/languages.ts'
import type { HttpReply } from './http-types.ts'
import { languageOf, varyByLanguage } from './language.ts'

/** The HTML of the web app in one language; its script has the sentences of that language only. */
interface AppDocument {
  language: Language
  html: string
  securityPolicy: string
}
/** Sends the HTML of the web app in the language of the request. */
export type SendAppHtml = (reply: HttpReply, status: number) => Promise<void>

/** What the web app may load besides its own files. */
export interface WebAppHosts {
  publicUrl: string
  /** Null unless it is configured: the script of the provider is inserted only after consent. */
  analytics: Analytics | null
}

/**
 * The Content-Security-Policy of the web app: its own files, images of the public URL and of the page itself, and the host of
 * analytics. Matomo sends page views as images where beacons are missing.
 */
function webAppPolicy(html: string, { publicUrl, analytics }: WebAppHosts): string {
  const analyticsHost = analytics ? ` ${analytics.host}` : ''
  const scriptHashes = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
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

/** `index.html` in English, `index.nl.html` and so on in the others; scripts/web-build.mjs names them. */
const fileOf = (language: Language): string => (language === defaultLanguage ? 'index.html' : `index.${language}.html`)

function readDocument(dist: string, language: Language, hosts: WebAppHosts): AppDocument | undefined {
  const path = join(dist, fileOf(language))
  if (!existsSync(path)) return undefined
  const html = readFileSync(path, 'utf8')
  return { language, html, securityPolicy: webAppPolicy(html, hosts) }
}

/** Reads the built HTML of all languages; null if there is none. A language that was not built is answered in English. */
export function readAppHtml(dist: string, hosts: WebAppHosts): SendAppHtml | null {
  const english = readDocument(dist, defaultLanguage, hosts)
  if (!english) return null
  const documents = new Map(languages.map((one) => [one, readDocument(dist, one, hosts) ?? english]))
  return async (reply, status) => {
    const { language, html, securityPolicy } = documents.get(languageOf(reply.request)) ?? english
    reply
      .header('content-security-policy', securityPolicy)
      .header('content-language', language)
      .header('cache-control', 'no-cache')
      .header('vary', `origin, accept, ${varyByLanguage}`)
    await reply.status(status).type('text/html; charset=utf-8').send(html)
  }
}
