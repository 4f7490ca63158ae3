import { accessOf, type Endpoint, type Reply } from '@keepsnap/contract/endpoint.ts'
import { pages, productName, siteInfo } from '@keepsnap/contract/site.ts'
import { isLanguage, languageParameter, languages } from '@keepsnap/contract/languages.ts'
import {
  appManifest,
  type AppManifestTexts,
  type PublicPage,
  robotsFile,
  sitemap,
} from '@keepsnap/contract/rendering.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import type { ApiDependencies, Dependencies } from '../../dependencies.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { isSampleOperator } from '../../ports/mail/mail-settings.ts'
import { Fault } from '../../faults.ts'
import { sendSharedFile } from '../../platform/http/send-object.ts'

/** Serves what public pages say about this installation. Only settings: it needs no database. */
export function siteRoutes(serve: Serve, { config }: Dependencies): void {
  const facts: Reply<typeof siteInfo> = {
    operator: { ...config.operator, is_sample: isSampleOperator(config) },
    team: config.team,
    support_email: config.supportEmail,
    emails: config.mail.kind,
    payments: config.payments.kind,
    storage_host: config.storage.kind === 's3' ? new URL(config.storage.endpoint).host : null,
    analytics: config.analytics,
  }
  serve(siteInfo, async () => facts)
}

/** The paper of the light theme, as in web/styles/tokens.css. The format has one colour for both themes. */
const paper = '#faf7f2'

const icon = (name: string, side: number, purpose: 'any' | 'maskable') => ({
  src: `/${name}-${side}.png`,
  sizes: `${side}x${side}`,
  type: 'image/png',
  purpose,
})
const icons = [
  { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ...[192, 512].map((side) => icon('icon', side, 'any')),
  ...[192, 512].map((side) => icon('icon-maskable', side, 'maskable')),
]

/** The web app manifest (W3C) in one language. */
const manifestJson = (language: string, { description, upload, latest }: AppManifestTexts): string =>
  JSON.stringify({
    // The same app in every language.
    id: pages.home,
    name: productName,
    short_name: productName,
    description,
    lang: language,
    dir: 'ltr',
    start_url: `${pages.home}?${languageParameter}=${language}`,
    scope: '/',
    display: 'standalone',
    theme_color: paper,
    background_color: paper,
    categories: ['photo', 'entertainment'],
    icons,
    shortcuts: [
      { name: upload, url: pages.upload },
      { name: latest, url: pages.latest },
    ].map((one) => ({ ...one, icons: [icon('icon', 192, 'any')] })),
  })

/** Short: an update of the program, or other settings, can change what they say. */
const cacheControl = 'public, max-age=3600'

/** What search engines and systems read about the web app: rules for robots, the sitemap, and the app's manifest. */
export function webPageRoutes(serve: Serve, { config, loadRenderer }: ApiDependencies): void {
  const { publicUrl } = config
  serve(robotsFile, async (_, call) => {
    await sendSharedFile(call, { type: 'text/plain; charset=utf-8', body: robotsText(publicUrl), cacheControl })
    return undefined
  })
  serve(sitemap, async (_, call) => {
    const { publicPages } = await loadRenderer()
    const body = sitemapXml(publicUrl, publicPages)
    await sendSharedFile(call, { type: 'application/xml; charset=utf-8', body, cacheControl })
    return undefined
  })
  serve(appManifest, async ({ params }, call) => {
    const language = params.name.replace(/\.webmanifest$/, '')
    if (!isLanguage(language)) throw new Fault('not_found', 'There is no manifest for this language.')
    const body = manifestJson(language, (await loadRenderer()).appManifestTexts(language))
    await sendSharedFile(call, { type: 'application/manifest+json; charset=utf-8', body, cacheControl })
    return undefined
  })
}

/** The first segment of a path: `/g/` of `/g/:grant`; of a path with one segment, that path only. */
function ruleFor(path: string): string {
  const [, segment = '', ...rest] = path.split('/')
  return rest.length > 0 ? `/${segment}/` : `/${segment}$`
}

/**
 * Calls of the API that need a session or a key. Pages of guests and of users are not among them: they say `noindex`, which
 * a robot can only obey if it may read them.
 */
function disallowedPaths(): string[] {
  const isOpen = (one: Endpoint): boolean => one.method === 'GET' && accessOf(one).includes('public')
  const open = new Set([...endpoints.filter(isOpen).map(({ path }) => path), ...Object.values(pages)].map(ruleFor))
  return [...new Set(endpoints.map(({ path }) => ruleFor(path)))].filter((rule) => !open.has(rule)).toSorted()
}

/** The file /robots.txt (RFC 9309). */
const robotsText = (publicUrl: string): string =>
  [
    'User-agent: *',
    ...disallowedPaths().map((path) => `Disallow: ${path}`),
    'Allow: /',
    '',
    `Sitemap: ${new URL('/sitemap.xml', publicUrl).href}`,
    '',
  ].join('\n')

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The file /sitemap.xml (sitemaps.org): each public page in each language, with its other languages. */
function sitemapXml(publicUrl: string, publicPages: readonly PublicPage[]): string {
  const entries = publicPages.flatMap(({ path }) => {
    const page = new URL(path, publicUrl).href
    const versions = languages.map((language) => [language, `${page}?${languageParameter}=${language}`] as const)
    const alternates = [...versions, ['x-default', page] as const]
      .map(([language, url]) => `<xhtml:link rel="alternate" hreflang="${language}" href="${escapeXml(url)}"/>`)
      .join('')
    return [page, ...versions.map(([, url]) => url)].map(
      (url) => `<url><loc>${escapeXml(url)}</loc>${alternates}</url>`,
    )
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n')
}
