import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleNames } from '@keepsnap/contract/samples.ts'
import { publicUrl, startServer, type TestServer } from '../../test/harness.ts'
import { hashTables } from '../../test/table-hashes.ts'
import { encodeQrCode, qrCodePng, qrCodeSvg } from '../../lib/qr-codes.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const getUrl = (url: string, headers: Record<string, string> = {}) => server.request({ method: 'GET', url, headers })

test.each(sampleNames)('the code of %s leads to a page that shows the picture and saves it', async (name) => {
  const modules = encodeQrCode(`${publicUrl}/sample/${name}`)
  const [svg, png] = [await getUrl(`/qr/s/${name}.svg`), await getUrl(`/qr/s/${name}`)]
  expect([svg.statusCode, svg.headers['content-type'], svg.body]).toEqual([200, 'image/svg+xml', qrCodeSvg(modules)])
  expect([png.headers['content-type'], png.rawPayload]).toEqual(['image/png', qrCodePng(modules)])
  const page = await getUrl(`/sample/${name}`, { accept: 'text/html' })
  expect(page.statusCode).toBe(200)
  const [, picture = ''] = /<img class="guest__picture" src="(\/assets\/[^"]+\.webp)"/.exec(page.body) ?? []
  expect(picture).toContain(`/assets/${name}-`)
  expect(page.body).toContain(`href="${picture}" download="keepsnap-${name}.webp"`)
  expect(page.body).not.toContain('/report-photo')
})

test.each([
  ['/sample/dance', 60],
  ['/qr/s/dance.svg', 3600],
  ['/qr/s/dance', 3600],
])('%s may be cached by everybody for %i s, and is not sent again to those who have it', async (url, seconds) => {
  const { headers } = await getUrl(url)
  expect(headers['cache-control']).toBe(`public, max-age=${seconds}`)
  const again = await getUrl(url, { 'if-none-match': String(headers.etag) })
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', headers.etag])
  expect((await getUrl(url, { 'if-none-match': '"another"' })).statusCode).toBe(200)
})

test('an iPhone gets the page with the share sheet, under its own tag', async () => {
  const iPhone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1'
  const [other, page] = [await getUrl('/sample/dance'), await getUrl('/sample/dance', { 'user-agent': iPhone })]
  expect(page.body).toMatch(/data-save="\/assets\/dance-[^"]+\.webp"/)
  expect(other.body).not.toContain('data-save=')
  expect(page.headers.etag).not.toBe(other.headers.etag)
  expect(page.headers.vary).toContain('user-agent')
})

test('nothing is written or counted', async () => {
  const before = await hashTables(server)
  for (const url of ['/sample/dance', '/qr/s/dance.svg', '/sample/nothing', '/qr/s/nothing']) await getUrl(url)
  expect(await hashTables(server)).toEqual(before)
  expect(await server.db.selectFrom('rate_hits').selectAll().execute()).toEqual([])
})

test('an unknown name is not found', async () => {
  const page = await getUrl('/sample/constructor', { accept: 'text/html' })
  expect([page.statusCode, page.headers['cache-control'], page.headers['content-type']]).toEqual([
    404,
    'no-store',
    'text/html; charset=utf-8',
  ])
  const code = await getUrl('/qr/s/toString.svg')
  expect([code.statusCode, code.json()]).toEqual([
    404,
    { code: 'not_found', detail: 'There is no sample picture with this name.' },
  ])
})
