import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { publicUrl, startServer, type TestServer } from '../../test/harness.ts'
import { createGrant, makeUser, upload, type TestUser } from '../../test/test-data.ts'

let server: TestServer
let owner: TestUser
let photo: Photo
/** The link of an email, and one that has expired. */
let link: string
let expiredLink: string

const browser = { accept: 'text/html', 'sec-fetch-dest': 'document' }
/** Browsers before 2023 do not say what they load. */
const oldBrowser = { accept: 'text/html,application/xhtml+xml' }
const getUrl = (url: string, headers: Record<string, string> = {}) => server.request({ method: 'GET', url, headers })
const makePhoto = async (): Promise<Photo> => (await upload(server, owner, await jpeg())).json<Photo>()
const linkTo = async ({ id }: Photo, hours = 72): Promise<string> =>
  `/g/${(await createGrant(server, { photo: id, owner: owner.id, hours })).secret}`
const setHidden = (hidden: boolean) =>
  server.request({ method: 'PUT', url: `/photos/${photo.id}`, token: owner.token, body: { hidden } })

beforeAll(async () => {
  server = await startServer()
  owner = await makeUser(server)
  photo = await makePhoto()
  await server.work()
  link = await linkTo(photo)
  expiredLink = await linkTo(photo, -1)
})
afterAll(() => server.close())

describe('the download of a link in an email', () => {
  afterEach(() => setHidden(false))

  test.each([
    ['an expired link', () => expiredLink, 'This link has expired'],
    ['an unknown link', () => `/g/${'x'.repeat(43)}`, 'This link has expired'],
    ['a hidden photo', () => link, 'The photo may not exist or may be private.'],
  ])('of %s is a page in browsers, and an error for programs', async (_, url, sentence) => {
    await setHidden(true)
    for (const headers of [browser, oldBrowser]) {
      const page = await getUrl(`${url()}/download`, headers)
      expect([page.statusCode, page.headers['cache-control']]).toEqual([404, 'no-store'])
      expect(page.headers['content-type']).toContain('text/html')
      expect(page.headers['content-disposition']).toBeUndefined()
      expect(page.body).toContain(sentence)
    }
    for (const headers of [{}, { accept: '*/*', 'sec-fetch-dest': 'empty' }]) {
      const error = await getUrl(`${url()}/download?inline=1`, headers)
      expect([error.statusCode, error.json()]).toMatchObject([404, { code: 'not_found' }])
    }
  })

  test('of a photo that is being processed leads browsers to the page that waits for it', async () => {
    const url = await linkTo(await makePhoto())
    const redirect = await getUrl(`${url}/download`, browser)
    expect(redirect.statusCode).toBe(302)
    expect(redirect.headers).toMatchObject({ location: publicUrl + url, 'cache-control': 'no-store' })
    expect((await getUrl(url, browser)).body).toContain('Still processing.')
    const program = await getUrl(`${url}/download`)
    expect([program.statusCode, program.headers['retry-after']]).toEqual([503, '2'])
    await server.work()
  })
})

describe('a photo that was saved with the share sheet', () => {
  /** What the page requests afterwards. */
  const countRequest = { accept: '*/*', 'sec-fetch-dest': 'empty', range: 'bytes=0-0' }
  const countedDownloads = async (): Promise<number> => {
    await server.app.deps.guestActivity.flush()
    const sum = 'select coalesce(sum(downloads), 0)::int as downloads from photo_activity'
    return (await server.app.deps.pool.query<{ downloads: number }>(sum)).rows[0]!.downloads
  }
  const urls = () => [`${link}/download`, `${new URL(photo.qr_code_url).pathname.replace('/qr', '')}?download=1`]
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test('is counted as one download by a request for one byte', async () => {
    for (const url of urls()) {
      const before = await countedDownloads()
      // The page fetched the file with this one.
      await getUrl(url.replace(/(\?download=1)?$/, '?inline=1'), { 'sec-fetch-dest': 'empty' })
      expect(await countedDownloads()).toBe(before)
      const answer = await getUrl(url, countRequest)
      expect([answer.statusCode, answer.rawPayload.length]).toEqual([206, 1])
      expect(await countedDownloads()).toBe(before + 1)
    }
  })

  test('is counted also where the store sends files, which the page does not request', async () => {
    vi.spyOn(server.app.deps.storage, 'presign').mockResolvedValue('https://store.example/photo')
    for (const url of urls()) {
      const before = await countedDownloads()
      const answer = await getUrl(url, countRequest)
      expect([answer.statusCode, answer.headers.location]).toEqual([302, 'https://store.example/photo'])
      expect(await countedDownloads()).toBe(before + 1)
    }
  })
})
