import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { TestCode } from '@keepsnap/contract/guests.ts'
import { sampleNames } from '@keepsnap/contract/site.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { encodeQrCode, qrCodePng, qrCodeSvg } from '../../lib/qr-codes.ts'
import { publish } from '../../platform/live/bus.ts'
import { publicUrl, useServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { promisedMs } from '../../test/statistics.ts'
import { hashTables } from '../../test/consistency-check.ts'
import { createGrant, grantPlan, makeUser, type TestUser, upload } from '../../test/test-data.ts'
import { changeAccount } from '../accounts/operator-changes.ts'

let user: TestUser
let photo: Photo
let directUrl: string
let fullImageUrl: string
const photoFile = await jpeg({ width: 900, height: 600 })

const pathOf = (url: string | null): string => new URL(String(url)).pathname + new URL(String(url)).search
const getUrl = (url: string, headers: Record<string, string> = {}) => server.request({ method: 'GET', url, headers })
const statusOf = async (url: string, headers?: Record<string, string>) => (await getUrl(url, headers)).statusCode
const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const remove = ({ id }: Photo) => server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
const uploadPhoto = async (owner: TestUser): Promise<Photo> =>
  (await upload(server, owner, photoFile, { filename: 'Trouwfeest – été.HEIC' })).json<Photo>()
const makePhoto = async (owner: TestUser): Promise<Photo> => {
  const { id } = await uploadPhoto(owner)
  await server.work()
  return (await server.request({ method: 'GET', url: `/photos/${id}`, token: owner.token })).json<Photo>()
}
const directUrlOf = ({ qr_code_url: code }: Photo): string => pathOf(code).replace('/qr', '')
const waiting = { timeout: promisedMs(5_000), interval: 5 }

const server = useServer()
beforeAll(async () => {
  user = await makeUser(server)
  await grantPlan(server, user, 'pro_yearly')
  photo = await makePhoto(user)
  directUrl = directUrlOf(photo)
  fullImageUrl = pathOf(photo.b2_url)
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
    const etag = String(first.headers.etag)
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    expect([second.headers.etag, second.rawPayload]).toEqual([etag, first.rawPayload])
    tags.set(url, etag)
    const unchanged = await getUrl(url, { 'if-none-match': `"another", W/${etag}` })
    expect([unchanged.statusCode, unchanged.rawPayload.length, unchanged.headers.etag]).toEqual([304, 0, etag])
    expect(await statusOf(url, { 'if-none-match': '"another"' })).toBe(200)
  }
  expect(new Set(tags.values()).size).toBe(4)
  await remove(own)
  for (const [url, tag] of tags) {
    const gone = await getUrl(url, { 'if-none-match': tag })
    expect([gone.statusCode, gone.headers.etag]).toEqual([404, undefined])
    expect(await statusOf(url, { 'if-none-match': '*' })).toBe(404)
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

  test('of a photo that is being processed shows a page that waits; programs get 503', async () => {
    const url = directUrlOf(await uploadPhoto(user))
    const page = await getUrl(url, { accept: 'text/html,application/xhtml+xml' })
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(page.body).toMatch(/<noscript>.*http-equiv="refresh"/s)
    expect(page.body).toContain('Still processing.')
    const program = await getUrl(url)
    expect([program.statusCode, program.headers['retry-after']]).toEqual([503, '2'])
    await server.work()
    // A cached photo is read again when the event about it has arrived.
    await expect.poll(() => statusOf(url), waiting).toBe(200)
  })

  test('redirects to the request page while the owner requires an email address, also by an event of another node', async () => {
    const owner = await makeUser(server)
    const own = await makePhoto(owner)
    const url = directUrlOf(own)
    const requireEmail = (isRequired: boolean): Promise<void> =>
      server.db.transaction().execute(async (tx) => {
        const setting = { ask_email_to_receive_photo: isRequired }
        await tx.updateTable('users').set(setting).where('id', '=', owner.id).execute()
        await publish(tx, { kind: 'user', user: owner.id })
      })
    await requireEmail(true)
    await expect.poll(() => statusOf(url), waiting).toBe(302)
    const location = `${publicUrl}/request-photo/${own.id}`
    expect((await getUrl(url)).headers).toMatchObject({ location, 'cache-control': 'no-store' })
    await requireEmail(false)
    await expect.poll(() => statusOf(url), waiting).toBe(200)
  })
})

test('the signed URL of the full-size image works without headers, is cached privately, and saves under the uploaded name', async () => {
  const { headers } = await getUrl(fullImageUrl)
  expect(headers).toMatchObject({ 'cache-control': 'private, max-age=86400', 'content-type': 'image/jpeg' })
  expect(headers['content-disposition']).toBe(
    'inline; filename="Trouwfeest _ e_te_.jpg"; filename*=UTF-8\'\'Trouwfeest%20%E2%80%93%20%C3%A9t%C3%A9.jpg',
  )
  expect(headers['content-security-policy']).toContain('sandbox')
})

describe('a cached photo', () => {
  let own: Photo
  let urls: string[]
  const urlsOf = (of: Photo): string[] =>
    [of.b2_url, of.thumbnail_url, of.qr_code_url, of.email_qr_code_url].map(pathOf).concat(directUrlOf(of))
  const statuses = (): Promise<number[]> => Promise.all(urls.map((url) => statusOf(url)))
  const [open, gone] = [Array(5).fill(200), Array(5).fill(404)]
  async function prepare(owner = user): Promise<void> {
    own = await makePhoto(owner)
    urls = urlsOf(own)
    expect(await statuses()).toEqual(open)
  }

  test('is not found at any of its URLs as soon as its deletion is answered', async () => {
    await prepare()
    // Answers under way are cut off.
    const busy = Array.from({ length: 20 }, () => statuses().catch(() => gone))
    expect((await remove(own)).statusCode).toBe(204)
    expect(await statuses()).toEqual(gone)
    await Promise.all(busy)
    expect(await statuses()).toEqual(gone)
  })

  test('is not found soon after another program deleted it without an event', async () => {
    await prepare()
    await query('update photos set deleted_at = now() where id = $1', [own.id])
    await expect.poll(statuses, waiting).toEqual(gone)
  })

  test('is not used while the bus is disconnected', async () => {
    await prepare()
    const { bus } = server.app.deps
    await query('update photos set deleted_at = now() where id = $1', [own.id])
    // The last query of the bus's connection is LISTEN, or the keep-alive query of every ten seconds.
    await query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and (query ilike 'listen%' or query = 'select 1') and application_name = ''`)
    await expect.poll(() => bus.isListening(), { timeout: 5_000, interval: 1 }).toBe(false)
    expect(await statuses()).toEqual(gone)
    await expect.poll(() => bus.isListening()).toBe(true)
  })

  test('is not found for a deactivated account', async () => {
    const owner = await makeUser(server)
    await prepare(owner)
    await changeAccount(server.db, owner.email, { is_active: false })
    await expect.poll(statuses, waiting).toEqual(gone)
  })
})

describe('the link of an email', () => {
  const browser = { accept: 'text/html', 'sec-fetch-dest': 'document' }
  /** Browsers before 2023 do not say what they load. */
  const oldBrowser = { accept: 'text/html,application/xhtml+xml' }
  let link: string
  const linkTo = async ({ id }: Pick<Photo, 'id'>, hours = 72): Promise<string> =>
    `/g/${(await createGrant(server, { photo: id, owner: user.id, hours })).secret}`
  const setHidden = (hidden: boolean) =>
    server.request({ method: 'PUT', url: `/photos/${photo.id}`, token: user.token, body: { hidden } })
  beforeAll(async () => void (link = await linkTo(photo)))
  afterEach(async () => {
    vi.restoreAllMocks()
    await setHidden(false)
  })

  test('that is invalid, expired or of a hidden photo is a page in browsers, and an error for programs', async () => {
    await setHidden(true)
    const expired = 'This link has expired'
    for (const [url, sentence] of [
      [await linkTo(photo, -1), expired],
      [`/g/${'x'.repeat(43)}`, expired],
      [link, 'The photo may not exist or may be private.'],
    ] as const) {
      for (const headers of [browser, oldBrowser]) {
        const page = await getUrl(`${url}/download`, headers)
        expect([page.statusCode, page.headers['cache-control']]).toEqual([404, 'no-store'])
        expect(page.headers['content-type']).toContain('text/html')
        expect(page.headers['content-disposition']).toBeUndefined()
        expect(page.body).toContain(sentence)
      }
      for (const headers of [{}, { accept: '*/*', 'sec-fetch-dest': 'empty' }]) {
        const error = await getUrl(`${url}/download?inline=1`, headers)
        expect([error.statusCode, error.json()]).toMatchObject([404, { code: 'not_found' }])
      }
    }
  })

  test('leads browsers to a page that waits while the photo is being processed', async () => {
    const url = await linkTo(await uploadPhoto(user))
    const redirect = await getUrl(`${url}/download`, browser)
    expect(redirect.statusCode).toBe(302)
    expect(redirect.headers).toMatchObject({ location: publicUrl + url, 'cache-control': 'no-store' })
    expect((await getUrl(url, browser)).body).toContain('Still processing.')
    const program = await getUrl(`${url}/download`)
    expect([program.statusCode, program.headers['retry-after']]).toEqual([503, '2'])
    await server.work()
  })

  test('counts a photo saved with the share sheet as one download, by a request for one byte, also where the store sends it', async () => {
    /** What the page requests afterwards. */
    const countRequest = { accept: '*/*', 'sec-fetch-dest': 'empty', range: 'bytes=0-0' }
    const countedDownloads = async (): Promise<number> => {
      await server.app.deps.guestActivity.flush()
      return (await query('select coalesce(sum(downloads), 0)::int as downloads from photo_activity')).rows[0].downloads
    }
    const urls = [`${link}/download`, `${directUrl}?download=1`]
    for (const url of urls) {
      const before = await countedDownloads()
      // The page fetched the file with this one.
      await getUrl(url.replace(/(\?download=1)?$/, '?inline=1'), { 'sec-fetch-dest': 'empty' })
      expect(await countedDownloads()).toBe(before)
      const answer = await getUrl(url, countRequest)
      expect([answer.statusCode, answer.rawPayload.length]).toEqual([206, 1])
      expect(await countedDownloads()).toBe(before + 1)
    }
    const inStore = 'https://store.example/photo'
    vi.spyOn(server.app.deps.storage, 'presign').mockResolvedValue(inStore)
    for (const url of urls) {
      const before = await countedDownloads()
      const answer = await getUrl(url, countRequest)
      expect([answer.statusCode, answer.headers.location]).toEqual([302, inStore])
      expect(await countedDownloads()).toBe(before + 1)
    }
  })
})

describe('a test code', () => {
  const isOpened = ({ action }: ServerMessage): boolean => action === 'test_code_opened'
  async function codeOf({ token }: TestUser): Promise<string> {
    const answer = await server.request({ method: 'POST', url: '/user/test-code', token })
    expect(answer.statusCode).toBe(201)
    const { image_url, expires_at } = answer.json<TestCode>()
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(14 * 60_000)
    return new URL(image_url).pathname.slice('/qr/t/'.length, -'.svg'.length)
  }

  test('has a picture; opening it tells the pages of its owner only, and shows a sample picture', async () => {
    const address = await server.listen()
    const [owner, other] = [await makeUser(server), await makeUser(server)]
    const [live, stranger] = [await connectLive(address, owner.token), await connectLive(address, other.token)]
    const code = await codeOf(owner)
    const picture = await getUrl(`/qr/t/${code}.svg`)
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(live.received.some(isOpened)).toBe(false)
    expect(await statusOf(`/test-code/${code}`, { 'user-agent': 'WhatsApp/2.24.20.89 A' })).toBe(200)
    const opened = await getUrl(`/test-code/${code}`)
    expect([opened.statusCode, opened.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(opened.body).toContain('topper')
    await live.next(isOpened)
    stranger.socket.send('{"action":"ping"}')
    await stranger.next(({ action }) => action === 'pong')
    expect(stranger.received.some(isOpened)).toBe(false)
    // A program that draws a preview of the link is not told as a scan.
    expect(live.received.filter(isOpened)).toHaveLength(1)
    for (const { socket } of [live, stranger]) socket.close()
  })

  test('that is altered, expired, or of an account that is gone shows that it does not work', async () => {
    const owner = await makeUser(server)
    const code = await codeOf(owner)
    const expired = server.app.deps.tokens.testCodes.token(owner.id, Math.floor(Date.now() / 1000) - 1)
    await query('update users set is_active = false where id = $1', [owner.id])
    for (const token of [`${code}x`, 'x', expired, code]) {
      const answer = await getUrl(`/test-code/${token}`)
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    }
    expect(await statusOf('/qr/t/x.svg')).toBe(404)
  })
})

describe('sample pictures', () => {
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

  test('are read without writing or counting anything, and an unknown one is not found', async () => {
    const before = await hashTables(server)
    for (const url of ['/sample/dance', '/qr/s/dance.svg']) await getUrl(url)
    const page = await getUrl('/sample/constructor', { accept: 'text/html' })
    expect([page.statusCode, page.headers['cache-control']]).toEqual([404, 'no-store'])
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    const code = await getUrl('/qr/s/toString.svg')
    const detail = 'There is no sample picture with this name.'
    expect([code.statusCode, code.json()]).toEqual([404, { code: 'not_found', detail }])
    expect(await hashTables(server)).toEqual(before)
  })
})
