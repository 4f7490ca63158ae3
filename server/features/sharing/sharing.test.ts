import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { changeAccount } from '../accounts/operator.ts'
import { jpeg } from '../../images/test/pictures.ts'
import { publish } from '../../live/bus.ts'
import { publicUrl, startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, upload, type TestUser } from '../../test/makers.ts'
import { modulesOf, pngOf, svgOf } from './codes.ts'

let server: TestServer
let user: TestUser
let photo: Photo
let direct: string
let full: string
const scratch = await mkdtemp(join(tmpdir(), 'keepsnap-sharing-'))
const file = await jpeg({ width: 1500, height: 1000 })

const pathOf = (address: string): string => new URL(address).pathname + new URL(address).search
const get = (url: string, headers: Record<string, string> = {}) => server.request({ method: 'GET', url, headers })
const head = (url: string, headers: Record<string, string> = {}) => server.request({ method: 'HEAD', url, headers })
const makePhoto = async (owner: TestUser): Promise<Photo> => {
  const { id } = (await upload(server, owner, file, { filename: 'Trouwfeest – été.HEIC' })).json<Photo>()
  await server.work()
  return (await server.request({ method: 'GET', url: `/photos/${id}`, token: owner.token })).json<Photo>()
}

beforeAll(async () => {
  server = await startServer()
  user = await makeUser(server)
  photo = await makePhoto(user)
  direct = pathOf(photo.qr_code_url).replace('/qr', '')
  full = pathOf(photo.b2_url!)
})
afterAll(async () => {
  await server.close()
  await rm(scratch, { recursive: true, force: true })
})

/** Switches the setting as any node would: the news travel with the change. */
const askForEmail = (owner: TestUser, asks: boolean): Promise<void> =>
  server.db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ ask_email_to_receive_photo: asks }).where('id', '=', owner.id).execute()
    await publish(tx, { kind: 'user', user: owner.id })
  })

/** What an independent reader makes of a picture of a code. */
async function scanned(picture: Buffer): Promise<string> {
  const path = join(scratch, 'code.png')
  await writeFile(path, picture)
  return execFileSync('zbarimg', ['-q', '--raw', '-Sdisable', '-Sqrcode.enable', path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}

describe('codes', () => {
  test('say the direct and the request address, to an independent reader, as PNG and as SVG', async () => {
    const says = {
      [photo.qr_code_url]: `${publicUrl}${direct}`,
      [photo.email_qr_code_url]: `${publicUrl}/request-photo/${photo.id}`,
    }
    for (const [address, text] of Object.entries(says)) {
      const png = await get(pathOf(address))
      expect(png.headers['content-type']).toBe('image/png')
      expect(await scanned(png.rawPayload)).toBe(text)
      const svg = await get(`${pathOf(address)}.svg`)
      expect(svg.headers['content-type']).toBe('image/svg+xml')
      expect(await scanned(await sharp(svg.rawPayload, { density: 600 }).png().toBuffer())).toBe(text)
      expect((await get(`${pathOf(address)}.png`)).rawPayload).toEqual(png.rawPayload)
    }
  })

  test('are dark on white with four modules of quiet zone, whole pixels a module, 512 pixels or more', async () => {
    const { data, info } = await sharp((await get(pathOf(photo.qr_code_url))).rawPayload)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(info.width).toBeGreaterThanOrEqual(512)
    const at = (x: number, y: number): number => data[y * info.width + x]!
    const first = Array.from({ length: info.width }, (_, n) => n).find((n) => at(n, n) < 128)!
    expect(info.width % (first / 4)).toBe(0)
    for (let n = 0; n < info.width; n++)
      expect(Math.min(at(n, first - 1), at(first - 1, n), at(n, info.width - first), at(info.width - first, n))).toBe(
        255,
      )
  })

  test.each([5, 40, 120, 300])('of %i characters can be read back', async (length) => {
    const text = `https://a.example/${'k'.repeat(length)}`
    expect(await scanned(pngOf(modulesOf(text)))).toBe(text)
    expect(svgOf(modulesOf(text))).not.toMatch(/<script|href/)
  })

  test('hold ASCII only', () => {
    expect(() => modulesOf('https://é.example/')).toThrow('ASCII')
  })
})

describe('the direct download', () => {
  test('is the photo as an attachment under a neutral name', async () => {
    const answer = await get(direct)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-length': String(photo.size_bytes),
    })
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="keepsnap-\d{4}-\d\d-\d\d-\d{4}\.jpg"$/,
    )
    expect(answer.headers.vary).toMatch(/user-agent/)
    expect(answer.rawPayload.subarray(0, 2).toString('hex')).toBe('ffd8')
  })

  test('answers HEAD, ranges and repeated requests', async () => {
    const whole = (await get(direct)).rawPayload
    const short = await head(direct)
    expect([short.statusCode, short.rawPayload.length, short.headers['content-length']]).toEqual([
      200,
      0,
      String(whole.length),
    ])
    const part = await get(direct, { range: 'bytes=100-199' })
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 100-199/${whole.length}`])
    expect(part.rawPayload).toEqual(whole.subarray(100, 200))
    const beyond = await get(direct, { range: `bytes=${whole.length}-` })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${whole.length}`])
    const etag = String(short.headers.etag)
    expect((await get(direct, { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await get(direct, { range: 'bytes=0-1', 'if-range': '"another"' })).statusCode).toBe(200)
    expect((await get(direct, { range: 'bytes=0-1', 'if-range': etag })).statusCode).toBe(206)
    expect((await get(direct, { range: 'bytes=0-1,5-6' })).rawPayload).toEqual(whole)
  })

  test('of a photo in the making waits with the guest', async () => {
    const { qr_code_url: code } = (await upload(server, user, file)).json<Photo>()
    const url = pathOf(code).replace('/qr', '')
    const page = await get(url, { accept: 'text/html,application/xhtml+xml' })
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(page.body).toMatch(/<noscript>.*http-equiv="refresh"/s)
    expect(page.body).toContain('Still developing.')
    const program = await get(url)
    expect([program.statusCode, program.headers['retry-after']]).toEqual([503, '2'])
    await server.work()
    expect((await get(url)).statusCode).toBe(200)
  })

  test('is closed while the owner asks for e-mail, and open again after', async () => {
    const owner = await makeUser(server)
    const own = await makePhoto(owner)
    const url = pathOf(own.qr_code_url).replace('/qr', '')
    await askForEmail(owner, true)
    await expect.poll(async () => (await get(url)).statusCode, { timeout: 5_000, interval: 5 }).toBe(302)
    for (const [headers, method] of [
      [{}, 'GET'],
      [{}, 'HEAD'],
      [{ range: 'bytes=0-9' }, 'GET'],
      [{ 'if-none-match': '*' }, 'GET'],
    ] as const) {
      const answer = await server.request({ method, url, headers })
      expect([
        answer.statusCode,
        answer.headers.location,
        answer.headers['cache-control'],
        answer.rawPayload.length,
      ]).toEqual([302, `${publicUrl}/request-photo/${own.id}`, 'no-store', 0])
    }
    await askForEmail(owner, false)
    await expect.poll(async () => (await get(url)).statusCode, { timeout: 5_000, interval: 5 }).toBe(200)
  })

  test.each(['/d/', '/d/x', `/d/${'0'.repeat(22)}`, `/d/${'0'.repeat(500)}`, '/d/%00', '/d/..%2f..%2fetc%2fpasswd'])(
    '%s gives nothing',
    async (url) => {
      const answer = await get(url)
      expect([400, 404]).toContain(answer.statusCode)
      expect(answer.json()).toMatchObject({ detail: expect.any(String) })
    },
  )
})

describe('addresses of the owner', () => {
  test('stay the same string until the media epoch changes, then the old one is void', async () => {
    const owner = await makeUser(server)
    const own = await makePhoto(owner)
    const again = async (): Promise<Photo> =>
      (await server.request({ method: 'GET', url: '/photos/latest', token: owner.token })).json<Photo>()
    expect((await again()).b2_url).toBe(own.b2_url)
    await server.app.deps.pool.query('update users set media_epoch = media_epoch + 1 where id = $1', [owner.id])
    expect((await get(pathOf(own.b2_url!))).statusCode).toBe(404)
    const { b2_url: next } = await again()
    expect(next).not.toBe(own.b2_url)
    expect((await get(pathOf(next!))).statusCode).toBe(200)
    expect((await get(pathOf(own.thumbnail_url!))).statusCode).toBe(200)
  })

  test('work without a header, are cached privately, and save under the own name', async () => {
    const answer = await get(full)
    expect(answer.headers).toMatchObject({ 'cache-control': 'private, max-age=86400', 'content-type': 'image/jpeg' })
    expect(answer.headers['content-disposition']).toBe(
      'inline; filename="Trouwfeest _ e_te_.jpg"; filename*=UTF-8\'\'Trouwfeest%20%E2%80%93%20%C3%A9t%C3%A9.jpg',
    )
    expect(answer.headers['content-security-policy']).toContain('sandbox')
  })

  test('cannot be forged, nor carried over to another photo', async () => {
    const other = await makePhoto(user)
    const [path, signature] = full.split('?s=')
    const forged = [
      path!,
      `${path}?s=`,
      `${path}?s=${'A'.repeat(22)}`,
      `${path}?s=${signature!.slice(1)}`,
      `${path}?s=${signature}x`,
      `${path}?S=${signature}`,
      `${pathOf(other.b2_url!).split('?')[0]}?s=${signature}`,
      `${path}?s=${createHash('sha256').update(photo.id).digest('base64url').slice(0, 22)}`,
    ]
    for (const url of forged) expect((await get(url)).statusCode).toBe(404)
    expect((await get(`${path}?s=${signature}&s=${signature}`)).statusCode).toBeGreaterThanOrEqual(400)
    expect((await get(full.replace('/media/', '/t/'))).statusCode).toBe(404)
  })

  test('of a deactivated account lead nowhere', async () => {
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
      expect((await get(pathOf(url!))).statusCode).toBe(404)
    }
  })
})

describe('the thumbnail', () => {
  test('is a WebP of 480 pixels, public, cached privately', async () => {
    const answer = await get(pathOf(photo.thumbnail_url!))
    expect(answer.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, max-age=86400' })
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 480, height: 320 })
  })
})

describe('facts that are remembered for a moment', () => {
  const addressesOf = ({ b2_url: full, thumbnail_url: thumb, qr_code_url: code }: Photo): string[] =>
    [full!, thumb!, code, code.replace('/qr', '')].map(pathOf)
  const statuses = (urls: string[]): Promise<number[]> =>
    Promise.all(urls.map(async (url) => (await get(url)).statusCode))

  test('a deleted photo is gone with the answer, from addresses that were in use', async () => {
    const own = await makePhoto(user)
    const urls = addressesOf(own)
    for (let round = 0; round < 3; round++) expect(await statuses(urls)).toEqual([200, 200, 200, 200])
    const busy = Array.from({ length: 40 }, () => statuses(urls))
    const gone = await server.request({ method: 'DELETE', url: `/photos/${own.id}`, token: user.token })
    expect(gone.statusCode).toBe(204)
    expect(await statuses(urls)).toEqual([404, 404, 404, 404])
    await Promise.all(busy)
    expect(await statuses(urls)).toEqual([404, 404, 404, 404])
  })

  test('a change elsewhere shows by itself, even without any news of it', async () => {
    const own = await makePhoto(user)
    const urls = addressesOf(own)
    expect(await statuses(urls)).toEqual([200, 200, 200, 200])
    await server.app.deps.pool.query('update photos set deleted_at = now() where id = $1', [own.id])
    await expect.poll(() => statuses(urls), { timeout: 5_000, interval: 20 }).toEqual([404, 404, 404, 404])
  })

  test('nothing is remembered while changes cannot be heard', async () => {
    const { bus, pool } = server.app.deps
    const own = await makePhoto(user)
    const urls = addressesOf(own)
    expect(await statuses(urls)).toEqual([200, 200, 200, 200])
    await pool.query('update photos set deleted_at = now() where id = $1', [own.id])
    // What it said last is to listen, or, every ten seconds, the question whether it is alive.
    await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and (query ilike 'listen%' or query = 'select 1') and application_name = ''`)
    await expect.poll(() => bus.isListening(), { timeout: 5_000, interval: 1 }).toBe(false)
    expect(await statuses(urls)).toEqual([404, 404, 404, 404])
    await expect.poll(() => bus.isListening(), { timeout: 5_000 }).toBe(true)
  })
})
