/** Files that are a photo and something else as well, over the wire; images/render/render.test.ts has every place in a file. */
import { beforeAll, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import {
  canary,
  jpeg,
  jpegWithMetadata,
  quadrantPixels,
  sampleExif,
  sampleXmp,
  segment,
  sharpFrom,
  withPngChunks,
  withSegments,
} from '../../images/test/sample-images.ts'
import { makeApiUser, type TestUser, upload } from '../test-data.ts'
import { expectConsistent } from '../consistency-check.ts'
import { useServer } from '../harness.ts'

let user: TestUser
const server = useServer()
beforeAll(async () => {
  user = await makeApiUser(server)
})

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
const pdf = `%PDF-1.4\n1 0 obj <</Type /Catalog /OpenAction <</S /JavaScript /JS (${canary})>>>> endobj\n%%EOF`
const png = await picture().png().toBuffer()
const exif = { IFD0: { ImageDescription: canary, Make: `${canary} maker` } }
const xmp = Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${sampleXmp}`)

/** By the names under which they are uploaded. */
const files: Record<string, Buffer> = {
  'holiday.zip': Buffer.concat([plain, zip]),
  'shell.php': withSegments(plain, segment(0xfe, script)),
  'paper.pdf': withSegments(plain, segment(0xfe, pdf)),
  'x.js': withSegments(plain, segment(0xe0, `*/=1;alert("${canary}")/*`)),
  'x.svg': Buffer.concat([await picture().gif().toBuffer(), Buffer.from(`*/=1;alert("${canary}");`)]),
  'x.html': Buffer.concat([withPngChunks(png, ['eXIf', sampleExif()], ['iTXt', xmp]), html]),
  'b.jpg.exe': await picture().withExif(exif).webp().toBuffer(),
  '.htaccess': jpegWithMetadata(plain, 6),
}
/** What 16 bytes of which may not come back. */
const forbidden = [canary, 'PK\x05\x06', '%PDF-', '<script', '<?php', '<html', '<x:xmpmeta', 'serial 4711']

test('what is served of a photo is a picture and nothing else, also when its file is more, whatever its name', async () => {
  for (const [filename, file] of Object.entries(files)) {
    expect([filename, file.includes(canary)]).toEqual([filename, true])
    await upload(server, user, file, { filename, type: 'text/html' })
  }
  await server.work()
  const answer = await server.request({ method: 'GET', url: '/photos', token: user.token })
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.body).not.toContain(canary)
  const photos = answer.json<Photo[]>()
  expect(photos).toHaveLength(Object.keys(files).length)
  for (const photo of photos) {
    expect(photo).toMatchObject({ processing_complete: true, error_message: null })
    const code = photo.qr_code_url
    const svg = [code, photo.email_qr_code_url].map((url) => url.replace('.png', '.svg'))
    const direct = code.replace('/qr', '').replace('.png', '')
    for (const url of [photo.b2_url!, photo.thumbnail_url!, code, photo.email_qr_code_url, direct, ...svg]) {
      const { pathname, search } = new URL(url)
      const { statusCode, headers, rawPayload } = await server.request({ method: 'GET', url: pathname + search })
      const where = `${photo.filename} at ${pathname}`
      expect([where, statusCode]).toEqual([where, 200])
      expect(headers['content-type']).toMatch(/^image\/(jpeg|png|gif|webp|svg\+xml)$/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      const [, offered] = /filename="([^"]*)"/.exec(headers['content-disposition'] ?? 'filename="a.jpg"') ?? []
      expect(offered).toMatch(/\.(jpg|png|gif|webp)$/)
      const found = forbidden.filter((words) => rawPayload.includes(Buffer.from(words, 'latin1')))
      expect([where, found, rawPayload.includes(Buffer.from(canary, 'utf16le'))]).toEqual([where, [], false])
    }
  }
  await expectConsistent(server)
})
