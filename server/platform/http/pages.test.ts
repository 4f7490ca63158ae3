import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { fastify, type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { GuestPage, GuestRenderer } from '@keepsnap/contract/rendering.ts'
import { createRenderQueue, guestPagePolicy, loadGuestRenderer, sendGuestPage, sendKeptGuestPage } from './pages.ts'

describe('guest pages', () => {
  const rendererPath = join(import.meta.dirname, '../../../web/dist-guest/guest.js')
  const publicUrl = 'https://fotos.example'
  const photo = {
    callsPath: '/photos/Jx0Qz8vN3mWq5tRb7yKc1a',
    pagePath: '/request-photo/Jx0Qz8vN3mWq5tRb7yKc1a',
    formPath: '/request-photo/Jx0Qz8vN3mWq5tRb7yKc1a',
    filename: 'keepsnap-2026-11-17-2251.jpg',
    thumbnailUrl: `${publicUrl}/t/abc`,
    width: 1500,
    height: 1000,
    thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
  }
  const report = { action: '/report-photo/Jx0Qz8vN3mWq5tRb7yKc1a', reasons: ['me', 'other'] as const }
  const request: GuestPage = {
    page: 'request',
    state: 'form',
    photo,
    processing: false,
    email: '',
    problem: null,
    report,
  }
  const frame = { publicUrl, path: photo.pagePath, previewUrl: null }

  let renderer: GuestRenderer
  let app: FastifyInstance
  beforeAll(async () => {
    renderer = await loadGuestRenderer(rendererPath)
    app = fastify()
    app.get('/page', async (_, reply) => {
      await sendGuestPage(reply.header('vary', 'user-agent'), renderer, { page: request, frame })
      return reply
    })
    app.get('/cached', async (_, reply) => {
      await sendGuestPage(reply, renderer, { page: request, frame, cacheControl: 'public, max-age=60' })
      return reply
    })
    app.get('/gone', async (_, reply) => {
      const page = { page: 'gone', why: 'photo' } as const
      await sendGuestPage(reply, renderer, { page, frame, status: 404, cacheControl: 'private, max-age=5' })
      return reply
    })
  })
  afterAll(() => app.close())

  test('a guest page is not cached, not indexed, sends no referrer, contains no React and does not name the owner', async () => {
    const { statusCode, headers, body } = await app.inject('/page')
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      vary: 'user-agent, accept-language, cookie, accept-encoding',
    })
    expect(body).toContain('Where should we send your photo?')
    expect(body.match(/.{0,60}(react|useState|owner|username).{0,40}/gi)).toBeNull()
    // The caller may set the status and the cache control.
    const gone = await app.inject('/gone')
    expect([gone.statusCode, gone.headers['cache-control']]).toEqual([404, 'private, max-age=5'])
  })

  test('a kept page is made once for each language until its source is another object, and always without one', async () => {
    let source: object | undefined = {}
    let filename = 'first.jpg'
    let made = 0
    const keepingApp = fastify()
    onTestFinished(() => keepingApp.close())
    keepingApp.get('/kept', async (_, reply) => {
      const make = () => {
        made += 1
        return { page: { ...request, photo: { ...photo, filename } }, frame }
      }
      await sendKeptGuestPage(reply, renderer, { name: 'kept', source, publicUrl, make })
      return reply
    })
    const open = async (language = 'en') => {
      const { headers, body } = await keepingApp.inject({ url: '/kept', headers: { 'accept-language': language } })
      return [headers['content-language'], /[a-z]+(?=\.jpg)/.exec(body)?.[0], made]
    }
    expect([await open(), await open(), await open('de'), await open('de')]).toEqual([
      ['en', 'first', 1],
      ['en', 'first', 1],
      ['de', 'first', 2],
      ['de', 'first', 2],
    ])
    filename = 'second.jpg'
    source = {}
    expect([await open(), await open()]).toEqual([
      ['en', 'second', 3],
      ['en', 'second', 3],
    ])
    source = undefined
    expect([await open(), await open()]).toEqual([
      ['en', 'second', 4],
      ['en', 'second', 5],
    ])
  })

  test('the policy allows exactly our inline styles and the script of the page', async () => {
    const { headers, body } = await app.inject('/page')
    const policy = String(headers['content-security-policy'])
    const hashesOf = (tag: string): string[] =>
      Array.from(body.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, 'g')), ([, text = '']) =>
        createHash('sha256').update(text).digest('base64'),
      )
    const [scripts, styles] = [hashesOf('script'), hashesOf('style')]
    expect([scripts, styles].map((list) => list.length)).toEqual([1, 1])
    expect(renderer.inlineStyles).toContain(`'sha256-${styles[0]}'`)
    expect(renderer.inlineScripts).toContain(`'sha256-${scripts[0]}'`)
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${renderer.inlineScripts.join(' ')}`,
      // Pages of different kinds have different styles; the policy allows those of all.
      `style-src ${renderer.inlineStyles.join(' ')}`,
      "font-src 'self'",
      `img-src 'self' ${publicUrl} data: blob:`,
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(policy).toBe(guestPagePolicy(renderer, publicUrl))
  })

  test('the page is compressed for browsers that accept gzip', async () => {
    const plain = await app.inject('/page')
    const gzipped = await app.inject({ url: '/page', headers: { 'accept-encoding': 'gzip, deflate, br' } })
    expect([plain.headers['content-encoding'], gzipped.headers['content-encoding']]).toEqual([undefined, 'gzip'])
    expect(gunzipSync(gzipped.rawPayload).toString()).toBe(plain.body)
    expect(gzipped.rawPayload.length).toBeLessThan(16 * 1024)
  })

  test('pages that contain input or a secret are rendered for each request, shared pages once', async () => {
    const rendered: GuestPage[] = []
    const counting: GuestRenderer = {
      ...renderer,
      renderGuestPage: (page, pageFrame) => {
        rendered.push(page)
        return renderer.renderGuestPage(page, pageFrame)
      },
    }
    const file = {
      downloadUrl: '/g/secret/download',
      screenUrl: '/g/secret/download?screen=1',
      inlineUrl: '/g/secret/download?inline=1',
      bytes: 1,
      type: 'image/jpeg',
    }
    const photoPage = { page: 'photo', photo, file, expiresAt: null, ios: true, timeZone: null, report } as const
    const pages: [GuestPage, times: number][] = [
      [request, 1],
      [{ ...request, processing: true }, 1],
      [{ ...request, state: 'sent', email: 'lotte@example.com' }, 2],
      [{ ...photoPage, by: 'grant' }, 2],
      [{ ...photoPage, by: 'code' }, 1],
      [{ page: 'gone', why: 'photo' }, 1],
    ]
    const own = fastify()
    onTestFinished(() => own.close())
    own.get('/:at', async (req, reply) => {
      const { at } = req.params as { at: string } // of the path above
      await sendGuestPage(reply, counting, { page: pages[Number(at)]![0], frame })
      return reply
    })
    for (const [at, [page, times]] of pages.entries()) {
      const [first, second] = [await own.inject(`/${at}`), await own.inject(`/${at}`)]
      expect(first.body).toBe(second.body)
      expect(rendered.filter((one) => one === page)).toHaveLength(times)
    }
  })

  test('loading fails with advice when the guest pages are not built, or of another version', async () => {
    await expect(loadGuestRenderer('/nowhere/guest.js')).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringContaining('Run "npm run build"') as string,
    })
    const folder = mkdtempSync(join(tmpdir(), 'keepsnap-pages-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'guest.mjs'), 'export const renderGuestPage = () => ""')
    await expect(loadGuestRenderer(join(folder, 'guest.mjs'))).rejects.toMatchObject({ name: 'StartupError' })
  })

  describe('the language of a guest page', () => {
    const pageIn = async (options: { url?: string; headers?: Record<string, string>; method?: 'GET' | 'POST' }) => {
      const { headers, body } = await app.inject({ url: '/page', ...options })
      const [, lang] = /^<!doctype html><html lang="(\w+)">/.exec(body) ?? []
      return { lang, headers, body }
    }

    test('is chosen, said in the headers, and links to the others', async () => {
      const { lang, headers, body } = await pageIn({ headers: { 'accept-language': 'fr-BE, nl;q=0.5' } })
      expect([lang, headers['content-language'], headers['set-cookie']]).toEqual(['fr', 'fr', undefined])
      expect(Array.from(body.matchAll(/href="\?lang=(\w+)"/g), ([, one]) => one)).toEqual(['en', 'nl', 'de'])
    })

    test('is stored when it was chosen by such a link, and the answer is not cached', async () => {
      const { lang, headers } = await pageIn({ url: '/cached?lang=de', headers: { cookie: 'language=nl' } })
      expect([lang, headers['set-cookie']]).toEqual(['de', 'language=de; Max-Age=31536000; Path=/; SameSite=Lax'])
      expect(headers['cache-control']).toBe('no-store')
      const overHttps = await pageIn({ url: '/cached?lang=de', headers: { host: new URL(publicUrl).host } })
      expect(overHttps.headers['set-cookie']).toMatch(/; SameSite=Lax; Secure$/)
    })

    test('has its own entity tag and its own place in the cache', async () => {
      const tags = await Promise.all(
        ['en', 'nl', 'fr', 'de', 'nl'].map(
          async (tag) => (await pageIn({ url: '/cached', headers: { cookie: `language=${tag}` } })).headers.etag,
        ),
      )
      expect(new Set(tags).size).toBe(4)
      expect(tags[4]).toBe(tags[1])
    })
  })
})

describe('render queue', () => {
  test('tasks run in order, each in an iteration of the event loop of its own', async () => {
    const runInOwnIteration = createRenderQueue()
    const done: number[] = []
    const all = Promise.all([1, 2, 3].map((task) => runInOwnIteration(() => done.push(task))))
    const afterEach: number[] = []
    while (done.length < 3) {
      await nextIteration()
      afterEach.push(done.length)
    }
    expect(afterEach.filter((count) => count > 0)).toEqual([1, 2, 3])
    expect(done).toEqual([1, 2, 3])
    expect(await all).toEqual([1, 2, 3])
  })

  test('a task that throws rejects for its caller only', async () => {
    const runInOwnIteration = createRenderQueue()
    const failed = runInOwnIteration(() => {
      throw new Error('cannot be rendered')
    })
    const [first, second] = await Promise.allSettled([failed, runInOwnIteration(() => 'page')])
    expect([first.status, second]).toEqual(['rejected', { status: 'fulfilled', value: 'page' }])
    expect(await runInOwnIteration(() => 'later')).toBe('later')
  })

  test('more tasks than may wait are refused, with advice to try again', async () => {
    const runInOwnIteration = createRenderQueue(2)
    const results = await Promise.allSettled([1, 2, 3].map((task) => runInOwnIteration(() => task)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(results[2]).toMatchObject({ reason: { code: 'unavailable', retryAfter: 2 } })
  })
})
