import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { fastify, type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { GuestPage, GuestRenderer } from '@keepsnap/contract/guest.ts'
import { guestPolicy, loadGuestRenderer, sendGuestPage } from './pages.ts'

const artefact = join(import.meta.dirname, '../../web/dist-guest/guest.js')
const publicUrl = 'https://fotos.example'
const photo = {
  id: 'Jx0Qz8vN3mWq5tRb7yKc1a',
  filename: 'keepsnap-2026-11-17-2251.jpg',
  thumbnailUrl: `${publicUrl}/t/abc`,
  width: 1500,
  height: 1000,
  thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
}
const report = { action: `/report-photo/${photo.id}`, reasons: ['me', 'other'] as const }
const request: GuestPage = {
  page: 'request',
  state: 'form',
  photo,
  processing: false,
  email: '',
  problem: null,
  report,
}
const frame = { publicUrl, path: `/request-photo/${photo.id}`, previewUrl: null }

let renderer: GuestRenderer
let app: FastifyInstance
beforeAll(async () => {
  renderer = await loadGuestRenderer(artefact)
  app = fastify()
  app.get('/page', async (_, reply) => {
    await sendGuestPage(reply.header('vary', 'user-agent'), renderer, { page: request, frame })
    return reply
  })
  app.get('/gone', async (_, reply) => {
    const page = { page: 'gone', why: 'photo' } as const
    await sendGuestPage(reply, renderer, { page, frame, status: 404, cacheControl: 'private, max-age=5' })
    return reply
  })
})
afterAll(() => app.close())

test('a guest page is kept by nobody, and says nothing of itself to others', async () => {
  const { statusCode, headers, body } = await app.inject('/page')
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    vary: 'user-agent, accept-encoding',
  })
  expect(body).toContain('Where shall we send your photo?')
})

test('status and caching are the caller’s to choose', async () => {
  const { statusCode, headers } = await app.inject('/gone')
  expect([statusCode, headers['cache-control']]).toEqual([404, 'private, max-age=5'])
})

test('the policy allows exactly the style and the script that are in the page', async () => {
  const { headers, body } = await app.inject('/page')
  const policy = String(headers['content-security-policy'])
  const hashesOf = (tag: string): string[] =>
    Array.from(body.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, 'g')), ([, text = '']) =>
      createHash('sha256').update(text).digest('base64'),
    )
  const [scripts, styles] = [hashesOf('script'), hashesOf('style')]
  expect([scripts, styles].map((list) => list.length)).toEqual([1, 1])
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${scripts[0]}'`,
    `style-src 'sha256-${styles[0]}'`,
    "font-src 'self'",
    `img-src 'self' ${publicUrl} data: blob:`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ])
  expect(policy).toBe(guestPolicy(renderer, publicUrl))
})

test('the page is packed for browsers that take it', async () => {
  const plain = await app.inject('/page')
  const packed = await app.inject({ url: '/page', headers: { 'accept-encoding': 'gzip, deflate, br' } })
  expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip'])
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
  expect(packed.rawPayload.length).toBeLessThan(16 * 1024)
})

test('pages with something of their own are drawn for one guest only, the others once for all', async () => {
  const drawn: GuestPage[] = []
  const counting: GuestRenderer = {
    ...renderer,
    renderGuestPage: (page, around) => {
      drawn.push(page)
      return renderer.renderGuestPage(page, around)
    },
  }
  const file = {
    downloadUrl: '/g/secret/download',
    inlineUrl: '/g/secret/download?inline=1',
    bytes: 1,
    type: 'image/jpeg',
  }
  const photoPage = { page: 'photo', photo, file, expiresAt: null, ios: true, report } as const
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
    expect(drawn.filter((one) => one === page)).toHaveLength(times)
  }
})

test('nothing of React goes to the guest, and the owner has no place on the page', async () => {
  const { body } = await app.inject('/page')
  expect(body).not.toMatch(/react|useState|data-theme|owner|username/i)
})

test('a start without the built pages says what to do', async () => {
  await expect(loadGuestRenderer('/nowhere/guest.js')).rejects.toMatchObject({
    name: 'StartProblem',
    message: expect.stringContaining('Run "npm run build"') as string,
  })
})

test('so does one with pages of another version', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsnap-pages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'guest.mjs'), 'export const renderGuestPage = () => ""')
  await expect(loadGuestRenderer(join(folder, 'guest.mjs'))).rejects.toMatchObject({ name: 'StartProblem' })
})
