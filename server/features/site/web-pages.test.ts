import { type SiteInfo, legalVersions, pages } from '@keepsnap/contract/site.ts'
import { serverForThisTest, useServer } from '../../test/harness.ts'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { languages } from '@keepsnap/contract/languages.ts'
import { pagePreviewSize } from '@keepsnap/contract/rendering.ts'
import { scratchFolder } from '../../test/child-processes.ts'

/** The real build, as in production. */
const webDist = join(import.meta.dirname, '../../../web/dist')
const publicUrl = 'https://photos.example'
const server = useServer({ PUBLIC_URL: publicUrl }, { webDist })

const get = (url: string, headers: Record<string, string> = {}) =>
  server.request({ method: 'GET', url, headers: { host: 'photos.example', accept: 'text/html', ...headers } })
const first = (html: string, pattern: RegExp): string | undefined => pattern.exec(html)?.[1]
const titleOf = (html: string) => first(html, /<title>([^<]*)<\/title>/)
const robotsOf = (html: string) => first(html, /<meta name="robots" content="([^"]*)"/)
const canonicalOf = (html: string) => first(html, /<link rel="canonical" href="([^"]*)"/)
const descriptionOf = (html: string) => first(html, /<meta name="description" content="([^"]*)"/)
const contentOf = (html: string): string => html.slice(html.indexOf('<div id="root" data-rendered>'))
const dataIn = (html: string): Record<string, unknown>[] =>
  [...html.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)].map(
    ([, json = '']) => JSON.parse(json) as Record<string, unknown>, // an object of schema.org
  )
const publicPaths =
  '/ /pricing /about /support /privacy /terms /accessibility /api-docs /demo-screen /login /register /forgot-password'.split(
    ' ',
  )
const privatePaths = Object.values<string>(pages).filter((path) => !publicPaths.includes(path))

describe('the document of a page', () => {
  const descriptions = new Set<string | undefined>()
  const titles = new Set<string | undefined>()

  test.each(publicPaths)('%s says what the page is, in each language', async (path) => {
    const url = new URL(path, publicUrl).href
    for (const language of languages) {
      const { statusCode, body, headers } = await get(`${path}?lang=${language}`)
      expect(statusCode).toBe(200)
      expect(body).toContain(`<html lang="${language}">`)
      expect(titleOf(body)).toMatch(/^\S.* · Keepsnap$/)
      if (language === 'en') titles.add(titleOf(body))
      expect(descriptionOf(body)?.length).toBeGreaterThan(40)
      descriptions.add(descriptionOf(body))
      expect(canonicalOf(body)).toBe(`${url}?lang=${language}`)
      const alternates = [...body.matchAll(/<link rel="alternate" hrefLang="([^"]*)" href="([^"]*)"/g)]
      expect(alternates.map(([, tag, href]) => [tag, href])).toEqual([
        ...languages.map((one) => [one, `${url}?lang=${one}`]),
        ['x-default', url],
      ])
      const image = first(body, /<meta property="og:image" content="([^"]*)"/)
      expect(image).toMatch(new RegExp(`^${publicUrl}/preview/\\w+\\.${language}\\.jpg$`))
      expect([robotsOf(body), headers['x-robots-tag']]).toEqual([undefined, undefined])
      expect(body).toContain(`<link rel="manifest" href="/manifest/${language}.webmanifest"/>`)
    }
  })

  test('differs between pages and languages', () => {
    expect([descriptions.size, titles.size]).toEqual([publicPaths.length * languages.length, publicPaths.length])
  })

  test('without a language in the URL stands for all languages', async () => {
    const { body } = await get('/pricing?plan=pro_yearly', { 'accept-language': 'nl' })
    expect([canonicalOf(body), titleOf(body)]).toEqual([`${publicUrl}/pricing`, 'Prijzen · Keepsnap'])
  })

  test('of a private page has a title, and is not for search engines', async () => {
    for (const path of privatePaths.filter((one) => one !== pages.withdraw)) {
      const { statusCode, body, headers } = await get(path)
      expect([statusCode, robotsOf(body), headers['x-robots-tag']]).toEqual([200, 'noindex', 'noindex'])
      expect(titleOf(body)).toMatch(/^\S.* · Keepsnap$/)
      expect([descriptionOf(body), canonicalOf(body)]).toEqual([undefined, undefined])
    }
  })

  test('of an unknown path has status 404 and its own title', async () => {
    // Here plans are not sold: nobody can withdraw from a contract.
    for (const path of ['/nowhere', '/pricing/x', '/%3Cscript%3E', pages.withdraw]) {
      const { statusCode, body } = await get(path)
      expect([statusCode, titleOf(body), robotsOf(body)]).toEqual([404, 'Page not found · Keepsnap', 'noindex'])
      expect(body).not.toContain('script%3E')
    }
  })
})

describe('the content of a page', () => {
  test.each([
    ['/', 'en', 'A photo on the screen, one scan, and it’s theirs to keep.', '$149.99'],
    ['/pricing', 'en', 'Is there a setup fee?', 'No setup fee.'],
    ['/pricing', 'de', 'Starte kostenlos.', 'Pro'],
    ['/accessibility', 'fr', 'Contraste du contenu non textuel', '9.1.4.11'],
    ['/privacy', 'en', 'Privacy Policy', 'data'],
    ['/terms', 'nl', 'Keepsnap', 'artikel'],
    ['/terms', 'fr', 'Ce texte est une traduction', '&amp;lang=nl'],
    ['/privacy', 'de', 'Dieser Text ist eine Übersetzung', '&amp;lang=en'],
    ['/about', 'nl', 'Keepsnap', 'Over'],
    ['/support', 'en', 'What should I do if the screen loses its connection?', 'action="/support?lang=en"'],
    ['/support', 'fr', 'action="/support?lang=fr"'],
    ['/api-docs', 'en', 'POST', '/api/upload'],
  ])('of %s in %s is there without JavaScript', async (path, language, ...sentences) => {
    const { body } = await get(`${path}?lang=${language}`)
    for (const sentence of [...sentences, '<h1']) expect(contentOf(body)).toContain(sentence)
    expect(body).not.toContain('<noscript>')
  })

  test.each(['/privacy', '/terms'])('of %s is that of the version that the URL names', async (path) => {
    const [current] = Object.values(legalVersions)
    const unknownVersion = 'There is no version of this date'
    const shown = (await get(`${path}?version=${current}&lang=en`)).body
    expect(shown).toContain('In force since 23 November 2026')
    expect(canonicalOf(shown)).toBe(`${publicUrl}${path}?lang=en`)
    for (const html of [shown, (await get(`${path}?lang=en`)).body]) expect(html).not.toContain(unknownVersion)
    const unknown = contentOf((await get(`${path}?version=1999-01-01&lang=en`)).body)
    for (const part of [unknownVersion, '<article']) expect(unknown).toContain(part)
    const dutch = await get(`${path}?version=1999-01-01&lang=nl`)
    expect(dutch.body).toContain('Er is geen versie van deze datum')
  })

  test('is the same for all versions that do not exist, and on pages without versions', async () => {
    const tagOf = async (url: string) => (await get(url)).headers.etag
    const tags = ['1999-01-01', '', '%3Cscript%3E', 'x'.repeat(500)].map((version) =>
      tagOf(`/terms?version=${version}`),
    )
    expect(new Set(await Promise.all(tags)).size).toBe(1)
    expect(await tagOf('/pricing')).toBe(await tagOf('/pricing?version=2026-11-23'))
  })

  test('brings its style sheets, and nothing that the security policy forbids', async () => {
    const { body, headers } = await get('/')
    expect([...body.matchAll(/<link rel="stylesheet"[^>]*href="\/assets\/[^"]*\.css"/g)].length).toBeGreaterThan(1)
    expect(body).not.toMatch(/ style="| on\w+="/)
    const inline = [...body.matchAll(/<(script|style)>/g)]
    expect(String(headers['content-security-policy']).match(/'sha256-/g)).toHaveLength(inline.length)
  })

  test('needs JavaScript where the page is a form, and a browser of 2022, which the visitor is told in their language', async () => {
    const sentences = {
      en: ['Keepsnap needs JavaScript.', 'Keepsnap needs a newer browser'],
      nl: ['Keepsnap heeft JavaScript nodig.', 'Keepsnap heeft een nieuwere browser nodig'],
    }
    for (const [language, [withoutScript, inOldBrowser]] of Object.entries(sentences)) {
      const { body } = await get(`/login?lang=${language}`)
      expect(body).toContain(`<noscript><p class="noscript">${withoutScript}`)
      expect(body).toContain(`<p id="unsupported" class="noscript" hidden>${inOldBrowser}`)
    }
  })

  test('is sent compressed, and not again while it is the same', async () => {
    const page = await get('/', { 'accept-encoding': 'gzip, br' })
    expect([page.headers['content-encoding'], page.headers['cache-control']]).toEqual(['br', 'no-cache'])
    const again = await get('/', { 'if-none-match': String(page.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
})

describe('structured data', () => {
  test('says what the home page and the plans are', async () => {
    const [website, application] = dataIn((await get('/')).body)
    expect(website).toMatchObject({ '@type': 'WebSite', name: 'Keepsnap', url: `${publicUrl}/` })
    expect(application).toMatchObject({ '@type': 'SoftwareApplication', offers: { length: 3 } })
    const offers = application?.['offers'] as { price: string; priceCurrency: string }[] // as the line above has checked
    expect(offers.map(({ price, priceCurrency }) => `${price} ${priceCurrency}`)).toEqual([
      '0.00 USD',
      '14.99 USD',
      '149.99 USD',
    ])
  })

  test('has the questions of a page, and is not on pages that say no such thing', async () => {
    for (const [path, question] of [
      ['/pricing', 'Is there a setup fee?'],
      ['/support', 'How do I keep the screen on?'],
    ] as const) {
      const questions = dataIn((await get(`${path}?lang=en`)).body).find((one) => one['@type'] === 'FAQPage')
      expect(JSON.stringify(questions)).toContain(question)
    }
    expect((await get('/login')).body).not.toContain('ld+json')
  })
})

describe('what robots read', () => {
  test('the sitemap lists every public page in every language, and nothing that cannot be opened', async () => {
    const { body, headers } = await get('/sitemap.xml')
    expect(headers['content-type']).toContain('application/xml')
    const urls = [...body.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url)
    expect(urls).toHaveLength(publicPaths.length * (languages.length + 1))
    for (const url of urls) {
      expect(url.startsWith(`${publicUrl}/`)).toBe(true)
      const page = await get(url.slice(publicUrl.length))
      expect([url, page.statusCode, canonicalOf(page.body)]).toEqual([url, 200, url])
    }
    expect(body.match(/<url>/g)).toHaveLength(body.match(/<\/url>/g)?.length ?? 0)
  })

  test('robots.txt names the sitemap, and closes calls of the API only', async () => {
    const lines = (await get('/robots.txt')).body.split('\n')
    expect(lines).toContain(`Sitemap: ${publicUrl}/sitemap.xml`)
    const closed = lines.flatMap((line) => (line.startsWith('Disallow: ') ? [line.slice('Disallow: '.length)] : []))
    expect(closed).toEqual(expect.arrayContaining(['/api/', '/user/', '/token$']))
    const isClosed = (path: string): boolean =>
      closed.some((rule) => (rule.endsWith('$') ? path === rule.slice(0, -1) : path.startsWith(rule)))
    // A page that says noindex must be readable, otherwise nobody can know.
    const open = [...Object.values(pages), '/request-photo/x', '/g/x', '/d/x', '/t/x', '/preview/home.en.jpg', '/site']
    expect(open.filter(isClosed)).toEqual([])
  })

  test('pages of guests and answers of the API are never indexed', async () => {
    for (const url of '/request-photo/x /g/x /d/x /g/x/download /t/x /media/x /qr/d/x /photos/x /health'.split(' '))
      expect([url, (await get(url)).headers['x-robots-tag']]).toEqual([url, 'noindex'])
  })
})

describe('the manifest of the app', () => {
  test('names icons and shortcuts that exist, in each language and no other', async () => {
    const icons = new Map<string, { sizes: string; type: string }>()
    for (const language of languages) {
      const { statusCode, headers, body } = await get(`/manifest/${language}.webmanifest`)
      expect([statusCode, headers['content-type']]).toEqual([200, 'application/manifest+json; charset=utf-8'])
      const manifest = JSON.parse(body) as {
        lang: string
        start_url: string
        icons: { src: string; sizes: string; type: string }[]
        shortcuts: { name: string; url: string }[]
      } // the members that the test reads
      expect([manifest.lang, manifest.start_url]).toEqual([language, `/?lang=${language}`])
      for (const { url } of manifest.shortcuts) expect((await get(url)).statusCode).toBe(200)
      for (const { src, ...icon } of manifest.icons) icons.set(src, icon)
    }
    for (const [src, { sizes, type }] of icons) {
      const { headers, rawPayload } = await get(src)
      expect(headers['content-type']).toContain(type)
      if (sizes === 'any') continue
      const { width, height } = await sharp(rawPayload).metadata()
      expect(`${width}x${height}`).toBe(sizes)
    }
    expect((await get('/manifest/xx.webmanifest')).statusCode).toBe(404)
  })
})

describe('the preview picture', () => {
  test('has the size that networks want, and a code that leads to the site', async () => {
    const { statusCode, headers, rawPayload } = await get('/preview/home.nl.jpg')
    expect([statusCode, headers['content-type'], headers['x-robots-tag']]).toEqual([200, 'image/jpeg', undefined])
    const { width, height, format } = await sharp(rawPayload).metadata()
    expect([{ width, height }, format]).toEqual([pagePreviewSize, 'jpeg'])
    expect(rawPayload.length).toBeLessThan(250_000)
    const path = join(scratchFolder(onTestFinished), 'preview.jpg')
    writeFileSync(path, rawPayload)
    const code = execFileSync('zbarimg', ['--quiet', '--raw', path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(code.trim()).toBe(publicUrl)
    const again = await get('/preview/home.nl.jpg', { 'if-none-match': String(headers.etag) })
    expect(again.statusCode).toBe(304)
  })

  test('exists for pages and languages only', async () => {
    for (const name of ['home.xx.jpg', 'latest.en.jpg', 'home.en.png', '__proto__.en.jpg', 'home.jpg'])
      expect([name, (await get(`/preview/${name}`)).statusCode]).toEqual([name, 404])
  })
})

const facts: SiteInfo = {
  operator: {
    name: 'Foto BV',
    address: '1 Sample Street, 1000 Sample Town',
    vat: 'SAMPLE 0000.000.000',
    email: 'info@foto.example',
    is_sample: true,
  },
  team: [
    { role: 'Support', name: 'Ann Peeters' },
    { role: 'Photography', name: 'Bert: Claes' },
  ],
  support_email: 'info@foto.example',
  emails: 'outbox',
  payments: 'off',
  storage_host: null,
  analytics: { provider: 'plausible', host: 'https://stats.example', site: 'foto.example' },
}

test('pages get the facts of the settings, once a minute, and not again while they are the same', async () => {
  const server = await serverForThisTest({
    PAYMENTS: 'off',
    OPERATOR_NAME: 'Foto BV',
    OPERATOR_EMAIL: 'info@foto.example',
    ANALYTICS_PROVIDER: 'plausible',
    ANALYTICS_HOST: 'https://stats.example',
    ANALYTICS_SITE: 'foto.example',
    OPERATOR_TEAM: ' Support: Ann Peeters; Photography : Bert: Claes ;',
  })
  const get = (headers: Record<string, string> = {}) => server.request({ method: 'GET', url: '/site', headers })
  const answer = await get()
  expect(answer.json()).toEqual(facts)
  expect(answer.headers).toMatchObject({ 'cache-control': 'public, max-age=60', etag: expect.stringMatching(/^W\/"/) })
  const again = await get({ 'if-none-match': String(answer.headers.etag) })
  expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([304, '', 'public, max-age=60'])
  expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200)
})
