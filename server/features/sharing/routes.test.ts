import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { changeAccount } from '../accounts/operator-changes.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { publish } from '../../live/bus.ts'
import { publicUrl, startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, upload, type TestUser } from '../../test/test-data.ts'
import { encodeQrCode, qrCodePng, qrCodeSvg } from '../../lib/qr-codes.ts'
import { promisedMs } from '../../test/statistics.ts'

let server: TestServer
let user: TestUser
let photo: Photo
let directUrl: string
let fullImageUrl: string
const photoFile = await jpeg({ width: 1500, height: 1000 })

const pathOf = (url: string | null): string => new URL(String(url)).pathname + new URL(String(url)).search
const getUrl = (url: string, headers: Record<string, string> = {}) => server.request({ method: 'GET', url, headers })
const headUrl = (url: string, headers: Record<string, string> = {}) => server.request({ method: 'HEAD', url, headers })
const makePhoto = async (owner: TestUser): Promise<Photo> => {
  const { id } = (await upload(server, owner, photoFile, { filename: 'Trouwfeest – été.HEIC' })).json<Photo>()
  await server.work()
  return (await server.request({ method: 'GET', url: `/photos/${id}`, token: owner.token })).json<Photo>()
}

beforeAll(async () => {
  server = await startServer()
  user = await makeUser(server)
  photo = await makePhoto(user)
  directUrl = pathOf(photo.qr_code_url).replace('/qr', '')
  fullImageUrl = pathOf(photo.b2_url)
})
afterAll(async () => {
  await server.close()
})

/** Changes the setting as another node would: with an event of the bus. */
const requireEmail = (owner: TestUser, isRequired: boolean): Promise<void> =>
  server.db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ ask_email_to_receive_photo: isRequired }).where('id', '=', owner.id).execute()
    await publish(tx, { kind: 'user', user: owner.id })
  })

test('the QR codes lead to the direct download and to the request page, as PNG and as SVG', async () => {
  const texts = {
    [photo.qr_code_url]: `${publicUrl}${directUrl}`,
    [photo.email_qr_code_url]: `${publicUrl}/request-photo/${photo.id}`,
  }
  for (const [url, text] of Object.entries(texts)) {
    const modules = encodeQrCode(text)
    const png = await getUrl(pathOf(url))
    expect([png.headers['content-type'], png.rawPayload]).toEqual(['image/png', qrCodePng(modules)])
    expect((await getUrl(`${pathOf(url)}.png`)).rawPayload).toEqual(png.rawPayload)
    const svg = await getUrl(`${pathOf(url)}.svg`)
    expect([svg.headers['content-type'], svg.body]).toEqual(['image/svg+xml', qrCodeSvg(modules)])
  }
})

test('a picture of a QR code has a tag, and neither the tag nor a cache shows the code of a photo that is no longer shared', async () => {
  const own = await makePhoto(user)
  const urls = [own.qr_code_url, own.email_qr_code_url].flatMap((url) => [pathOf(url), `${pathOf(url)}.svg`])
  const tags = new Map<string, string>()
  for (const url of urls) {
    const [first, second] = [await getUrl(url), await getUrl(url)]
    expect(first.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    })
    expect([second.headers.etag, second.rawPayload]).toEqual([first.headers.etag, first.rawPayload])
    tags.set(url, String(first.headers.etag))
    const unchanged = await getUrl(url, { 'if-none-match': `"another", W/${first.headers.etag}` })
    expect([unchanged.statusCode, unchanged.rawPayload.length, unchanged.headers.etag]).toEqual([
      304,
      0,
      first.headers.etag,
    ])
    expect((await getUrl(url, { 'if-none-match': '"another"' })).statusCode).toBe(200)
  }
  expect(new Set(tags.values()).size).toBe(4)
  await server.request({ method: 'DELETE', url: `/photos/${own.id}`, token: user.token })
  for (const [url, tag] of tags) {
    const gone = await getUrl(url, { 'if-none-match': tag })
    expect([gone.statusCode, gone.headers.etag]).toEqual([404, undefined])
    expect((await getUrl(url, { 'if-none-match': '*' })).statusCode).toBe(404)
  }
})

describe('the direct download', () => {
  test('is an attachment with a neutral name', async () => {
    const response = await getUrl(directUrl)
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-length': String(photo.size_bytes),
    })
    expect(response.headers['content-disposition']).toMatch(
      /^attachment; filename="keepsnap-\d{4}-\d\d-\d\d-\d{4}\.jpg"$/,
    )
    expect(response.headers.vary).toMatch(/user-agent/)
    expect(response.rawPayload.subarray(0, 2).toString('hex')).toBe('ffd8')
  })

  test('answers HEAD, ranges and repeated requests', async () => {
    const whole = (await getUrl(directUrl)).rawPayload
    const short = await headUrl(directUrl)
    expect([short.statusCode, short.rawPayload.length, short.headers['content-length']]).toEqual([
      200,
      0,
      String(whole.length),
    ])
    const part = await getUrl(directUrl, { range: 'bytes=100-199' })
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 100-199/${whole.length}`])
    expect(part.rawPayload).toEqual(whole.subarray(100, 200))
    const beyond = await getUrl(directUrl, { range: `bytes=${whole.length}-` })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${whole.length}`])
    const etag = String(short.headers.etag)
    expect((await getUrl(directUrl, { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await getUrl(directUrl, { range: 'bytes=0-1', 'if-range': '"another"' })).statusCode).toBe(200)
    expect((await getUrl(directUrl, { range: 'bytes=0-1', 'if-range': etag })).statusCode).toBe(206)
    expect((await getUrl(directUrl, { range: 'bytes=0-1,5-6' })).rawPayload).toEqual(whole)
  })

  test('of a photo that is being processed shows a page that waits; programs get 503', async () => {
    const { qr_code_url: code } = (await upload(server, user, photoFile)).json<Photo>()
    const url = pathOf(code).replace('/qr', '')
    const page = await getUrl(url, { accept: 'text/html,application/xhtml+xml' })
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(page.body).toMatch(/<noscript>.*http-equiv="refresh"/s)
    expect(page.body).toContain('Still processing.')
    const program = await getUrl(url)
    expect([program.statusCode, program.headers['retry-after']]).toEqual([503, '2'])
    await server.work()
    // A cached photo is read again when the event about it has arrived.
    await expect.poll(async () => (await getUrl(url)).statusCode, { timeout: promisedMs(5_000), interval: 5 }).toBe(200)
  })

  test('redirects to the request page while the owner requires an email address', async () => {
    const owner = await makeUser(server)
    const own = await makePhoto(owner)
    const url = pathOf(own.qr_code_url).replace('/qr', '')
    await requireEmail(owner, true)
    await expect.poll(async () => (await getUrl(url)).statusCode, { timeout: promisedMs(5_000), interval: 5 }).toBe(302)
    for (const [headers, method] of [
      [{}, 'GET'],
      [{}, 'HEAD'],
      [{ range: 'bytes=0-9' }, 'GET'],
      [{ 'if-none-match': '*' }, 'GET'],
    ] as const) {
      const response = await server.request({ method, url, headers })
      expect([
        response.statusCode,
        response.headers.location,
        response.headers['cache-control'],
        response.rawPayload.length,
      ]).toEqual([302, `${publicUrl}/request-photo/${own.id}`, 'no-store', 0])
    }
    await requireEmail(owner, false)
    await expect.poll(async () => (await getUrl(url)).statusCode, { timeout: promisedMs(5_000), interval: 5 }).toBe(200)
  })

  test.each(['/d/', '/d/x', `/d/${'0'.repeat(22)}`, `/d/${'0'.repeat(500)}`, '/d/%00', '/d/..%2f..%2fetc%2fpasswd'])(
    '%s is not found',
    async (url) => {
      const response = await getUrl(url)
      expect([400, 404]).toContain(response.statusCode)
      expect(response.json()).toMatchObject({ detail: expect.any(String) })
    },
  )
})

describe('the signed URL of the full-size image', () => {
  test('stays the same until the media epoch changes, and is then no longer valid', async () => {
    const owner = await makeUser(server)
    const own = await makePhoto(owner)
    const again = async (): Promise<Photo> =>
      (await server.request({ method: 'GET', url: '/photos/latest', token: owner.token })).json<Photo>()
    expect((await again()).b2_url).toBe(own.b2_url)
    await server.app.deps.pool.query('update users set media_epoch = media_epoch + 1 where id = $1', [owner.id])
    expect((await getUrl(pathOf(own.b2_url))).statusCode).toBe(404)
    const { b2_url: next } = await again()
    expect(next).not.toBe(own.b2_url)
    expect((await getUrl(pathOf(next))).statusCode).toBe(200)
    expect((await getUrl(pathOf(own.thumbnail_url))).statusCode).toBe(200)
  })

  test('works without headers, is cached privately, and saves under the uploaded name', async () => {
    const response = await getUrl(fullImageUrl)
    expect(response.headers).toMatchObject({ 'cache-control': 'private, max-age=86400', 'content-type': 'image/jpeg' })
    expect(response.headers['content-disposition']).toBe(
      'inline; filename="Trouwfeest _ e_te_.jpg"; filename*=UTF-8\'\'Trouwfeest%20%E2%80%93%20%C3%A9t%C3%A9.jpg',
    )
    expect(response.headers['content-security-policy']).toContain('sandbox')
  })

  test('cannot be forged, and is not valid for another photo', async () => {
    const other = await makePhoto(user)
    const [path, signature] = fullImageUrl.split('?s=')
    const forged = [
      path!,
      `${path}?s=`,
      `${path}?s=${'A'.repeat(22)}`,
      `${path}?s=${signature!.slice(1)}`,
      `${path}?s=${signature}x`,
      `${path}?S=${signature}`,
      `${pathOf(other.b2_url).split('?')[0]}?s=${signature}`,
      `${path}?s=${createHash('sha256').update(photo.id).digest('base64url').slice(0, 22)}`,
    ]
    for (const url of forged) expect((await getUrl(url)).statusCode).toBe(404)
    expect((await getUrl(`${path}?s=${signature}&s=${signature}`)).statusCode).toBeGreaterThanOrEqual(400)
    expect((await getUrl(fullImageUrl.replace('/media/', '/t/'))).statusCode).toBe(404)
  })

  test('is not found for a deactivated account, like all other URLs of the photo', async () => {
    const owner = await makeUser(server)
    const own = await makePhoto(owner)
    await changeAccount(server.db, owner.email, { is_active: false })
    for (const url of [
      own.b2_url,
      own.thumbnail_url,
      own.qr_code_url,
      own.email_qr_code_url,
      own.qr_code_url.replace('/qr', ''),
    ]) {
      expect((await getUrl(pathOf(url))).statusCode).toBe(404)
    }
  })
})

describe('the thumbnail', () => {
  test('is a WebP image of 480 pixels, public, cached privately', async () => {
    const response = await getUrl(pathOf(photo.thumbnail_url))
    expect(response.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, max-age=86400' })
    expect(await sharp(response.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 480, height: 320 })
  })
})

describe('a cached photo', () => {
  const urlsOf = ({ b2_url: fullImageUrl, thumbnail_url: thumbnail, qr_code_url: code }: Photo): string[] =>
    [fullImageUrl, thumbnail, code, code.replace('/qr', '')].map(pathOf)
  const statuses = (urls: string[]): Promise<number[]> =>
    Promise.all(urls.map(async (url) => (await getUrl(url)).statusCode))

  test('is not found at any of its URLs as soon as its deletion is answered', async () => {
    const own = await makePhoto(user)
    const urls = urlsOf(own)
    for (let round = 0; round < 3; round++) expect(await statuses(urls)).toEqual([200, 200, 200, 200])
    const busy = Array.from({ length: 40 }, () => statuses(urls))
    const gone = await server.request({ method: 'DELETE', url: `/photos/${own.id}`, token: user.token })
    expect(gone.statusCode).toBe(204)
    expect(await statuses(urls)).toEqual([404, 404, 404, 404])
    await Promise.all(busy)
    expect(await statuses(urls)).toEqual([404, 404, 404, 404])
  })

  test('is not found soon after another program deleted it without an event', async () => {
    const own = await makePhoto(user)
    const urls = urlsOf(own)
    expect(await statuses(urls)).toEqual([200, 200, 200, 200])
    await server.app.deps.pool.query('update photos set deleted_at = now() where id = $1', [own.id])
    await expect.poll(() => statuses(urls), { timeout: promisedMs(5_000), interval: 20 }).toEqual([404, 404, 404, 404])
  })

  test('is not used while the bus is disconnected', async () => {
    const { bus, pool } = server.app.deps
    const own = await makePhoto(user)
    const urls = urlsOf(own)
    expect(await statuses(urls)).toEqual([200, 200, 200, 200])
    await pool.query('update photos set deleted_at = now() where id = $1', [own.id])
    // The last query of the bus's connection is LISTEN, or the keep-alive query of every ten seconds.
    await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and (query ilike 'listen%' or query = 'select 1') and application_name = ''`)
    await expect.poll(() => bus.isListening(), { timeout: 5_000, interval: 1 }).toBe(false)
    expect(await statuses(urls)).toEqual([404, 404, 404, 404])
    await expect.poll(() => bus.isListening()).toBe(true)
  })
})
