import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import {
  canary,
  jpeg,
  sharpFrom,
  quadrantPixels,
  sampleExif,
  jpegWithMetadata,
  sampleXmp,
  withPngChunks,
  withSegments,
  segment,
} from '../../images/test/sample-images.ts'
import { makeApiUser } from '../api-keys.ts'
import { startServer, type TestServer } from '../harness.ts'
import { upload, type TestUser } from '../test-data.ts'
import { expectConsistent } from '../consistency-check.ts'

let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await startServer()
  user = await makeApiUser(server)
})
afterAll(() => server.close())

const picture = () => sharpFrom(quadrantPixels(320, 240))
const plain = await jpeg()
const script = `<script>alert("${canary}")</script><?php system("${canary}"); ?>`
const html = Buffer.from(`<!doctype html><html><body>${script}</body></html>`)
/** What a ZIP begins and ends with, one stored file in between. */
const zip = Buffer.concat([
  Buffer.from('PK\x03\x04\x0a\0\0\0\0\0', 'latin1'),
  Buffer.from(`${canary}/shell.php ${script}`),
  Buffer.from('PK\x05\x06', 'latin1'),
  Buffer.alloc(18),
])
const pdf = Buffer.from(
  `%PDF-1.4\n1 0 obj <</Type /Catalog /OpenAction <</S /JavaScript /JS (${canary})>>>> endobj\n%%EOF`,
)
const phar = Buffer.from(`<?php ${canary}; __HALT_COMPILER(); ?>\r\n${canary} manifest GBMB`)
const gif = await picture().gif().toBuffer()
const png = await picture().png().toBuffer()
const webp = await picture()
  .withExif({ IFD0: { ImageDescription: canary, Make: `${canary} maker` } })
  .webp()
  .toBuffer()

/** Files that are a photo and something else as well, or that tell what nobody should hear. */
const files: [string, string, Buffer][] = [
  ['a JPEG and a ZIP', 'holiday.zip', Buffer.concat([plain, zip])],
  ['a JPEG with a page after it', 'page.html', Buffer.concat([plain, html])],
  ['a JPEG with a megabyte after it', 'x.jpg', Buffer.concat([plain, Buffer.alloc(1024 * 1024, `${canary} payload `)])],
  ['a JPEG with PHP in its comment', 'shell.php', withSegments(plain, segment(0xfe, script))],
  ['a JPEG and a PDF', 'paper.pdf', withSegments(plain, segment(0xfe, pdf))],
  ['a JPEG and a PHAR', 'app.phar', withSegments(plain, segment(0xe9, phar))],
  ['a JPEG that is a script', 'x.js', withSegments(plain, segment(0xe0, `*/=1;alert("${canary}")/*`))],
  ['a GIF and JavaScript', 'x.svg', Buffer.concat([gif, Buffer.from(`*/=1;alert("${canary}");`)])],
  [
    'a PNG with a page in a text',
    'x.htm',
    withPngChunks(png, ['tEXt', Buffer.concat([Buffer.from('Comment\0'), html])]),
  ],
  ['a PNG with a page after it', 'x.xhtml', Buffer.concat([png, html])],
  [
    'a PNG that tells',
    'a.png',
    withPngChunks(png, ['eXIf', sampleExif()], ['iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${sampleXmp}`)]),
  ],
  ['a WebP that tells', 'b.webp', webp],
  ['a JPEG with place, serial numbers and names', 'c.jpg', jpegWithMetadata(plain, 6)],
]
/** What 16 bytes of which may not come back. */
const forbidden = [
  canary,
  'PK\x05\x06',
  '%PDF-',
  '__HALT_COMPILER',
  '<script',
  '<?php',
  '<html',
  '<x:xmpmeta',
  'serial 4711',
]

/** All that anybody can get of a photo, by address. */
async function everythingOf(photo: Photo) {
  const code = photo.qr_code_url
  const direct = code.replace('/qr', '').replace('.png', '')
  const svg = [code, photo.email_qr_code_url].map((address) => `${address.replace('.png', '')}.svg`)
  const addresses = [photo.b2_url!, photo.thumbnail_url!, code, photo.email_qr_code_url, direct, ...svg]
  return Promise.all(
    addresses.map(async (address) => {
      const { pathname, search } = new URL(address)
      return { pathname, answer: await server.request({ method: 'GET', url: pathname + search }) }
    }),
  )
}

describe('what is served of a photo is a picture and nothing else', () => {
  test.each(files)('%s, called %s', async (_, filename, file) => {
    expect(file.includes(canary)).toBe(true)
    const { id } = (await upload(server, user, file, { filename, type: 'text/html' })).json<Photo>()
    await server.work()
    const api = await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })
    const photo = api.json<Photo>()
    expect(photo).toMatchObject({ processing_complete: true, error_message: null })
    expect(api.headers['content-type']).toBe('application/json; charset=utf-8')
    for (const { pathname, answer } of await everythingOf(photo)) {
      expect([pathname, answer.statusCode]).toEqual([pathname, 200])
      expect(answer.headers['content-type']).toMatch(/^image\/(jpeg|png|gif|webp|svg\+xml)$/)
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      const offered = /filename="([^"]*)"/.exec(answer.headers['content-disposition'] ?? 'filename="a.jpg"')
      expect(offered?.[1]).toMatch(/\.(jpg|png|gif|webp)$/)
      const found = forbidden.filter((words) => answer.rawPayload.includes(Buffer.from(words, 'latin1')))
      expect([pathname, found]).toEqual([pathname, []])
      const wide = answer.rawPayload.includes(Buffer.from(canary, 'utf16le'))
      expect(wide).toBe(false)
    }
    expect(api.body).not.toContain(canary)
  })

  test('a download has the content type of the picture, whatever its filename', async () => {
    for (const filename of ['x.html', 'x.php', 'x.svg', 'x.jpg.exe', 'x.js\0.jpg', '.htaccess', 'x'])
      await upload(server, user, plain, { filename, type: 'image/svg+xml' })
    await server.work()
    const photos = (await server.request({ method: 'GET', url: '/photos', token: user.token })).json<Photo[]>()
    for (const { b2_url: url } of photos.slice(0, 7)) {
      const { pathname, search } = new URL(url!)
      const { headers } = await server.request({ method: 'GET', url: pathname + search })
      expect(headers['content-type']).toBe('image/jpeg')
      expect(headers['content-disposition']).toMatch(/filename="[^"]*\.jpg"/)
    }
  })

  test('and all stored data is consistent', () => expectConsistent(server))
})
