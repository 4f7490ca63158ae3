import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiDocument } from '@keepsnap/contract/api-docs.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { sampleCode, samplePage } from '@keepsnap/contract/sharing.ts'
import { appManifest, pagePreview, robotsFile, sitemap } from '@keepsnap/contract/web-pages.ts'
import { siteInfo } from '@keepsnap/contract/site.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { newClientAddress, publicUrl, startServer, type TestServer } from '../harness.ts'
import {
  grantPlan,
  createGrant,
  makeUser,
  openDemoCheckout,
  upload,
  uploadBrandImage,
  type TestUser,
} from '../test-data.ts'
import { addSupportMessage } from '../support-messages.ts'
import { newestSecret } from '../outbox.ts'
import { refusalOf } from '../refusals.ts'

let server: TestServer
let user: TestUser
let webDist: string
let addresses: Record<string, string>
const called = ({ method, path }: Endpoint): string => `${method} ${path}`
const named = (shapes: readonly Endpoint[]): [string, Endpoint][] => shapes.map((shape) => [called(shape), shape])
const reads = endpoints.filter(({ method }) => method === 'GET')
/** What is the same for everybody. */
const filesOfPages = [pagePreview, appManifest, robotsFile, sitemap]
const sharedPaths = new Set<string>(
  [samplePage, sampleCode, apiDocument, siteInfo, ...filesOfPages].map(({ path }) => path),
)
const ownReads = reads.filter(({ path }) => !sharedPaths.has(path))

beforeAll(async () => {
  webDist = await aWebApp()
  server = await startServer({}, { webDist })
  user = await makeUser(server)
  // So that the calls of operators answer, too.
  await server.app.deps.pool.query('update users set is_admin = true where id = $1', [user.id])
  const { id } = (await upload(server, user, await jpeg({ width: 640, height: 480 }))).json<Photo>()
  await server.work()
  const photo = (await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })).json<Photo>()
  const { secret } = await createGrant(server, { photo: id, owner: user.id })
  await server.request({ method: 'POST', url: '/user/export', token: user.token })
  await server.work()
  await grantPlan(server, user, 'pro_yearly')
  const logo = (await uploadBrandImage(server, user, 'logo', await jpeg())).json<{ url: string }>().url
  const webhook = await server.request({
    method: 'POST',
    url: '/api/webhooks',
    token: user.token,
    body: { url: 'https://booth.example/hook', events: ['photo.ready'] },
  })
  const testCode = server.app.deps.tokens.testCodes.token(user.id, Math.floor(Date.now() / 1000) + 600)
  const path = (address: string): string => new URL(address).pathname + new URL(address).search
  addresses = {
    '/photos/:id': `/photos/${id}`,
    '/api/webhooks/:id/deliveries': `/api/webhooks/${webhook.json<{ id: string }>().id}/deliveries`,
    '/api/admin/users/:user_id': `/api/admin/users/${user.id}`,
    '/api/operator/users/:user_id': `/api/operator/users/${user.id}`,
    '/api/operator/support/:id': `/api/operator/support/${await addSupportMessage(server)}`,
    '/d/:code': path(photo.qr_code_url).replace('/qr', '').replace('.png', ''),
    '/media/:code': path(photo.b2_url!),
    '/b/:code': path(logo),
    '/t/:code': path(photo.thumbnail_url!),
    '/qr/d/:code': path(photo.qr_code_url),
    '/qr/r/:code': path(photo.email_qr_code_url),
    '/photos/:id/public': `/photos/${id}/public`,
    '/request-photo/:id': `/request-photo/${id}`,
    '/g/:grant': `/g/${secret}`,
    '/g/:grant/download': `/g/${secret}/download`,
    '/stop/:secret': `/stop/${server.app.deps.tokens.unsubscribe('a@b.co')}`,
    '/stop/:secret/undo': `/stop/${server.app.deps.tokens.unsubscribe('a@b.co')}/undo`,
    '/export/:secret': `/export/${await newestSecret(server, user.email, '/export/')}`,
    '/qr/t/:token': `/qr/t/${testCode}.svg`,
    '/test-code/:token': `/test-code/${testCode}`,
    '/demo-checkout/:id': `/demo-checkout/${await openDemoCheckout(server)}`,
  }
})
afterAll(async () => {
  await server.close()
  await rm(webDist, { recursive: true, force: true })
})

async function aWebApp(): Promise<string> {
  const dist = await mkdtemp(join(tmpdir(), 'keepsnap-web-'))
  await mkdir(join(dist, 'assets'))
  await writeFile(join(dist, 'index.html'), '<!doctype html><title>Keepsnap</title>')
  await writeFile(join(dist, 'assets/app-1234.js'), 'export {}')
  return dist
}
const addressOf = ({ path }: Endpoint): string => (path.includes(':') ? addresses[path]! : path)
const get = (url: string, headers: Record<string, string> = {}, token = user.token) =>
  server.request({ method: 'GET', url, headers, token, from: newClientAddress() })

describe('caches', () => {
  test('each path with a parameter has a URL here', () => {
    expect(Object.keys(addresses).toSorted()).toEqual(
      [...new Set(ownReads.filter(({ path }) => path.includes(':')).map(({ path }) => path))].toSorted(),
    )
  })

  test.each(named(ownReads))('that are shared do not store %s, whatever the request', async (_, shape) => {
    const url = addressOf(shape)
    const tag = (await get(url)).headers.etag
    const ways: Record<string, string>[] = [
      {},
      { range: 'bytes=0-9' },
      { range: 'bytes=99999999-' },
      { accept: 'text/html' },
      { origin: publicUrl },
      ...(tag === undefined ? [] : [{ 'if-none-match': tag }]),
    ]
    for (const headers of ways) {
      const { statusCode, headers: got } = await get(url, headers)
      const isData = shape.reply !== 'bytes'
      expect([url, headers, statusCode, got['cache-control']]).toEqual([
        url,
        headers,
        statusCode,
        expect.stringMatching(isData ? /^no-store$/ : /^(no-store|private, (no-cache|max-age=86400))$/),
      ])
      expect(got.vary).toMatch(/\borigin\b/)
    }
    const head = await server.request({ method: 'HEAD', url, token: user.token })
    expect(head.headers['cache-control']).toMatch(/no-store|^private/)
  })

  test.each([
    '/sample/dance',
    '/qr/s/dance',
    '/manifest/en.webmanifest',
    ...[apiDocument, siteInfo, robotsFile, sitemap].map(({ path }) => path),
  ])('may keep %s, which is the same with and without an account', async (url) => {
    const [owned, anonymous] = [await get(url), await server.request({ method: 'GET', url })]
    expect(owned.headers['cache-control']).toMatch(/^public, max-age=\d+$/)
    expect(owned.headers.vary).toMatch(/\borigin\b/)
    expect(owned.body).toBe(anonymous.body)
  })

  test.each(named(endpoints.filter((shape) => !accessOf(shape).includes('public'))))(
    'keep no refusal of %s',
    async (_, shape) => {
      const answer = await server.request({ method: shape.method, url: shape.path.replace(/:\w+/, 'x') })
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([refusalOf(shape)[0], 'no-store'])
    },
  )

  const publicBytes = reads.filter((shape) => shape.reply === 'bytes' && accessOf(shape).includes('public'))
  const withoutRefusals = new Set<Endpoint>([apiDocument, robotsFile, sitemap])
  test.each(named(publicBytes.filter((shape) => !withoutRefusals.has(shape))))(
    'keep no refusal of %s either',
    async (_, shape) => {
      const answer = await get(shape.path.replace(/:\w+/, '0'.repeat(22)))
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([404, 'no-store'])
    },
  )

  test.each([
    '/photos/x/..%2f.css',
    '/photos/latest/.css',
    '/photos/latest%2f.css',
    '/photos/latest;.css',
    '/photos/latest/x.js',
    '/photos/latest%00.css',
    '/photos/latest%0a.png',
    '/photos/latest%3f.css',
    '/photos/latest%23.css',
    '/photos/latest.css',
    '/user/me/.css',
    '/user/me%2f.jpg',
    '/user/me/..%2f..%2fassets/app-1234.js',
    '/assets/..%2fuser/me',
    '/photos.css',
    '//user/me',
  ])('do not take %s for a public file (web cache deception)', async (url) => {
    for (const accept of ['*/*', 'text/css', 'text/html']) {
      const answer = await get(url, { accept })
      expect([400, 404]).toContain(answer.statusCode)
      expect(answer.body).not.toContain(user.email)
      expect(answer.headers['cache-control']).toMatch(/^no-(store|cache)$/)
      expect(answer.headers['content-type']).toMatch(/^(application\/json|text\/html)/)
      expect(answer.headers.vary).toMatch(/\borigin\b/)
    }
  })

  test('may store files of the web app for ever, and must revalidate pages', async () => {
    expect((await get('/assets/app-1234.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    for (const path of Object.values(pages).filter((one) => !one.includes(':'))) {
      const { statusCode, headers } = await get(path, { accept: 'text/html' })
      expect([path, statusCode, headers['cache-control']]).toEqual([path, 200, 'no-cache'])
    }
  })

  test('distinguish a page from data at the same URL', async () => {
    for (const [accept, vary] of [
      ['*/*', 'origin, accept'],
      ['text/html', 'origin, accept, accept-encoding, accept-language, cookie'],
    ]) {
      const nothing = await get('/nothing', { accept: accept! })
      expect([nothing.statusCode, nothing.headers.vary]).toEqual([404, vary])
    }
    const page = await get('/photos', { accept: 'text/html' })
    expect([page.statusCode, page.headers['cache-control']]).toEqual([302, 'no-store'])
    expect((await get('/photos', { accept: 'application/json' })).headers['cache-control']).toBe('no-store')
  })
})
