import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { fastify, type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveWebApp } from './web-app.ts'

const script = "document.documentElement.dataset.theme = 'dark'"
const html = `<!doctype html><script>${script}</script><script type="module" src="/assets/index.js"></script>`
let dist: string
let app: FastifyInstance

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'keepsnap-web-app-'))
  await mkdir(join(dist, 'assets'))
  await writeFile(join(dist, 'index.html'), html)
  // Its script differs, as it would if a translation stood in it.
  await writeFile(join(dist, 'index.nl.html'), html.replace('dark', 'donker'))
  await writeFile(join(dist, 'assets/index.js'), 'start()')
  await writeFile(join(dist, 'assets/index.js.br'), brotliCompressSync('start()'))
  app = fastify()
  await serveWebApp(app, { webDist: dist, publicUrl: 'https://photos.example', photoOrigin: null, analytics: null })
})
afterAll(async () => {
  await app.close()
  await rm(dist, { recursive: true, force: true })
})

const load = (url: string) => app.inject({ url, headers: { accept: 'text/html' } })

describe('the Content-Security-Policy of pages', () => {
  test('allows files of this origin, the inline script of the page, media of the page, images of the public URL and the WebSocket', async () => {
    const { headers } = await load('/latest')
    const hash = createHash('sha256').update(script).digest('base64')
    expect(String(headers['content-security-policy']).split('; ')).toEqual(
      expect.arrayContaining([
        `script-src 'self' 'sha256-${hash}'`,
        "style-src 'self'",
        'media-src data: blob:',
        "img-src 'self' data: blob: https://photos.example",
        "connect-src 'self' wss://photos.example",
      ]),
    )
  })
})

describe('with analytics, the Content-Security-Policy', () => {
  test.each(['matomo', 'plausible'] as const)('allows the host of %s where its script needs it', async (provider) => {
    const withAnalytics = fastify()
    const analytics = { provider, host: 'https://stats.example', site: '1' }
    await serveWebApp(withAnalytics, {
      webDist: dist,
      publicUrl: 'https://photos.example',
      photoOrigin: 'https://s3.example',
      analytics,
    })
    const { headers } = await withAnalytics.inject({ url: '/', headers: { accept: 'text/html' } })
    await withAnalytics.close()
    const rules = String(headers['content-security-policy']).split('; ')
    const rulesWithHost = rules.filter((rule) => rule.endsWith(' https://stats.example'))
    expect(rulesWithHost.map((rule) => rule.split(' ')[0])).toEqual(
      provider === 'matomo' ? ['script-src', 'img-src', 'connect-src'] : ['script-src', 'connect-src'],
    )
    expect(rules.filter((rule) => rule.includes('stats.example'))).toEqual(rulesWithHost)
  })
})

test('a page that this installation does not have is answered as an unknown one', async () => {
  const other = fastify()
  const hosts = { publicUrl: 'https://photos.example', photoOrigin: null, analytics: null }
  await serveWebApp(other, { webDist: dist, ...hosts, missingPages: ['/withdraw'] })
  const statusOf = async (url: string) => (await other.inject({ url, headers: { accept: 'text/html' } })).statusCode
  expect([await statusOf('/withdraw'), await statusOf('/support')]).toEqual([404, 200])
  await other.close()
})

test('a file with a compressed copy is sent compressed to browsers that accept it, under one URL', async () => {
  const request = (url: string, encoding: string) => app.inject({ url, headers: { 'accept-encoding': encoding } })
  const [plain, compressed] = [
    await request('/assets/index.js', 'identity'),
    await request('/assets/index.js', 'gzip, deflate, br'),
  ]
  expect([plain.body, plain.headers['content-encoding']]).toEqual(['start()', undefined])
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe('start()')
  expect(compressed.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': plain.headers['content-type'],
  })
  expect((await request('/assets/index.js.br', 'br')).statusCode).toBe(404)
})

describe('the language of pages', () => {
  const documentOf = async (url: string, headers: Record<string, string>) => {
    const { body, headers: got } = await app.inject({ url, headers: { accept: 'text/html', ...headers } })
    return [body, got['content-language'], got['vary']]
  }
  const vary = 'origin, accept, accept-encoding, accept-language, cookie'
  const dutch = [html.replace('dark', 'donker'), 'nl', vary]

  test.each([
    ['the preference of the browser', '/', { 'accept-language': 'nl-BE,fr;q=0.5' }],
    ['the choice in the cookie', '/pricing', { cookie: 'language=nl', 'accept-language': 'en' }],
    ['the parameter of the URL', '/?lang=nl', { cookie: 'language=en', 'accept-language': 'en' }],
    ['the same for a page that does not exist', '/nowhere', { 'accept-language': 'nl' }],
  ])('is %s', async (_, url, headers) => {
    expect(await documentOf(url, headers)).toEqual(dutch)
  })

  test('is English for others, and where a language was not built', async () => {
    expect(await documentOf('/', {})).toEqual([html, 'en', vary])
    expect(await documentOf('/', { 'accept-language': 'fr' })).toEqual([html, 'en', vary])
  })

  test('has its own Content-Security-Policy', async () => {
    const { headers } = await app.inject({ url: '/?lang=nl', headers: { accept: 'text/html' } })
    const hash = createHash('sha256').update(script.replace('dark', 'donker')).digest('base64')
    expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}'`)
  })

  test('is not a file under its own name', async () => {
    expect((await load('/index.nl.html')).statusCode).toBe(404)
  })
})

test('a browser that opens /photos is redirected to the latest photo', async () => {
  const { statusCode, headers } = await load('/photos')
  expect([statusCode, headers.location]).toEqual([302, '/latest'])
})

test.each([
  ['/latest/', '/latest'],
  ['/gallery/?photo=a?b', '/gallery?photo=a?b'],
])('%s is redirected to the page without the slash', async (url, page) => {
  const { statusCode, headers } = await load(url)
  expect([statusCode, headers.location]).toEqual([308, page])
})

test('no other address is redirected: neither / nor an unknown page with a slash', async () => {
  for (const [url, status] of [
    ['/', 200],
    ['/nowhere/', 404],
    ['//latest/', 404],
  ] as const)
    expect((await load(url)).statusCode).toBe(status)
})

test('hashed files are cached for a year, pages are revalidated', async () => {
  const file = await app.inject('/assets/index.js')
  expect(file.headers['cache-control']).toContain('immutable')
  expect((await load('/latest')).headers['cache-control']).toBe('no-cache')
})

test.each(['/assets/none.js', '/assets/', '/assets/..%2findex.html', '/assets/%2e%2e/index.html', '/assets/%00'])(
  'no file is sent for %s',
  async (url) => {
    const { statusCode, body } = await app.inject(url)
    expect(statusCode).toBe(404)
    expect(body).not.toContain('<!doctype')
  },
)

test('a part of a file is sent when it is asked for, and nothing when it is known', async () => {
  const get = (headers: Record<string, string>) => app.inject({ url: '/assets/index.js', headers })
  const part = await get({ range: 'bytes=0-4' })
  expect([part.statusCode, part.body, part.headers['vary']]).toEqual([206, 'start', 'accept-encoding'])
  const { headers } = await get({})
  expect((await get({ 'if-none-match': String(headers['etag']) })).statusCode).toBe(304)
})

test('HEAD of a file has its headers only', async () => {
  const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/assets/index.js' })
  expect([statusCode, headers['content-length'], body]).toEqual([200, '7', ''])
})

test('for a browser, an unknown page, or a file that does not exist, is the web app with status 404', async () => {
  for (const url of ['/nowhere', '/assets/none.js']) {
    const { statusCode, body } = await load(url)
    expect([statusCode, body]).toEqual([404, html])
  }
})
