import { rm } from 'node:fs/promises'
import type { Email } from 'postal-mime'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { HttpRequest } from '../../platform/http/http-types.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import { partNames } from '../../images/test/file-parts.ts'
import { hostileSvgs, plainSvg } from '../../images/test/hostile-svgs.ts'
import {
  fixture,
  haveCommonBytes,
  jpeg,
  jpegWithMetadata,
  quadrantColours,
  quadrantPixels,
  sharpFrom,
} from '../../images/test/sample-images.ts'
import { newId } from '../../lib/ids.ts'
import { expectConsistent, runOverdueWork, storedFilePath, temporaryFiles } from '../../test/consistency-check.ts'
import { useServer } from '../../test/harness.ts'
import { emailsTo } from '../../test/outbox.ts'
import { isRecord } from '../../test/statistics.ts'
import {
  grantPlan,
  makeUser,
  multipartForm,
  type TestUser,
  upload,
  uploadBrandImage,
  uploadInHalves,
} from '../../test/test-data.ts'
import { createBrandImageReceiver } from './brand-images.ts'

const logoPng = await sharpFrom(quadrantPixels(300, 200)).png().toBuffer()
const heic = fixture('plain.heic')
const server = useServer()
beforeAll(async () => {
  await server.images()
})

type What = 'logo' | 'background'
async function makePro(): Promise<TestUser> {
  const user = await makeUser(server)
  await grantPlan(server, user, 'pro_monthly')
  return user
}
const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const fetchUser = async ({ token }: TestUser): Promise<User> =>
  (await server.request({ method: 'GET', url: '/user/me', token })).json<User>()
/** Uploads a file that is accepted; its URL. */
const addImage = async (user: TestUser, what: What = 'logo', file: Buffer = logoPng): Promise<string> =>
  (await uploadBrandImage(server, user, what, file)).json<{ url: string }>().url
const deleteImage = ({ token }: TestUser, what: What = 'logo') =>
  server.request({ method: 'DELETE', url: `/user/${what}`, token })
const getUrl = (url: string) => server.request({ method: 'GET', url: new URL(url).pathname })
const statusOf = async (url: string) => (await getUrl(url)).statusCode
const storedKeys = async (): Promise<string[]> =>
  (await Array.fromAsync(server.app.deps.storage.list())).map(({ key }) => key)
const brandKeyOf = (url: string): string => `brand/${url.split('/').at(-1)}`
async function checkEverything(): Promise<void> {
  await runOverdueWork(server)
  await expectConsistent(server)
}

describe('a logo and a background', () => {
  test('are refused when the session ends during the upload', async () => {
    const user = await makePro()
    const logo = await addImage(user)
    await query('delete from rate_hits')
    const countedUploads = async () =>
      (await query('select from rate_hits where key = $1', [`brandImages:${user.id}`])).rowCount
    const between = async () => {
      await expect.poll(countedUploads, { interval: 5 }).toBe(1)
      await server.request({ method: 'DELETE', url: '/user/sessions', token: user.token })
    }
    const address = await server.listen()
    const [status] = await uploadInHalves(address, user, { url: '/upload-logo', file: logoPng, between })
    expect([status, await statusOf(logo)]).toEqual([401, 200])
  })

  test('have a URL that is in the profile and public, with the right type', async () => {
    const user = await makePro()
    const logo = (await uploadBrandImage(server, user, 'logo', logoPng)).json<Record<string, string>>()
    const background = (await uploadBrandImage(server, user, 'background', logoPng)).json<Record<string, string>>()
    expect(logo['url']).toBe(logo['logo_url'])
    expect(background).toEqual({ url: background['url'], background_image_url: background['url'] })
    expect(await fetchUser(user)).toMatchObject({ logo_url: logo['url'], background_image_url: background['url'] })
    const seen = await getUrl(logo['url']!)
    expect(seen.statusCode).toBe(200)
    expect(seen.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=86400',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    expect(await sharp(seen.rawPayload).metadata()).toMatchObject({ format: 'png', width: 300, height: 200 })
    expect((await getUrl(background['url']!)).headers['content-type']).toBe('image/jpeg')
    await checkEverything()
  })

  test('replace the previous image, whose bytes are deleted', async () => {
    const user = await makePro()
    const [first, second] = [await addImage(user), await addImage(user)]
    expect(await statusOf(first)).toBe(404)
    await server.work()
    expect(await storedKeys()).not.toContain(brandKeyOf(first))
    expect((await fetchUser(user)).logo_url).toBe(second)
  })

  test('contain no metadata of the uploaded file', async () => {
    const user = await makePro()
    const file = jpegWithMetadata(await jpeg({ width: 200, height: 200 }))
    for (const what of ['logo', 'background'] as const) {
      const { url } = { url: await addImage(user, what, file) }
      const bytes = (await getUrl(url)).rawPayload
      expect(haveCommonBytes(bytes, file.subarray(-30))).toBe(false)
      expect(partNames(bytes)).not.toContain('e1')
      expect(partNames(bytes)).not.toContain('eXIf')
      expect(bytes.includes('canary')).toBe(false)
    }
  })
})

test.each([
  ['JPEG', () => jpeg({ width: 300, height: 200 })],
  ['AVIF', () => sharp(logoPng).avif({ effort: 0 }).toBuffer()],
  ['HEIC', async () => heic],
])('a background can be a %s, as a photo can', async (_, makeFile) => {
  const seen = await getUrl(await addImage(await makePro(), 'background', await makeFile()))
  expect(seen.headers['content-type']).toBe('image/jpeg')
  const { data, info } = await sharp(seen.rawPayload).raw().toBuffer({ resolveWithObject: true })
  const corners = [0, info.width - 1, info.width * (info.height - 1), info.width * info.height - 1]
  for (const [corner, at] of corners.entries())
    for (const [channel, value] of quadrantColours[corner]!.entries())
      expect(Math.abs(data[at * info.channels + channel]! - value)).toBeLessThan(30)
  expect(await temporaryFiles(server)).toEqual([])
})

describe('the ground of a logo', () => {
  const onNothing = (colour: string): Promise<Buffer> =>
    sharp({ create: { width: 300, height: 200, channels: 4, background: '#0000' } })
      .composite([{ input: { create: { width: 200, height: 60, channels: 4, background: colour } } }])
      .png()
      .toBuffer()
  const groundsOf = async (user: TestUser) => (await fetchUser(user)).logo_grounds
  const [onPaper, onInk] = [
    { light: 'none', dark: 'paper', stage: 'paper' },
    { light: 'ink', dark: 'none', stage: 'none' },
  ]

  test('is chosen by the logo’s contrast, on pages, in emails and on the big screen', async () => {
    const user = await makePro()
    expect(await groundsOf(user)).toBeNull()
    const none = { light: 'none', dark: 'none', stage: 'none' }
    for (const [file, grounds] of [
      [logoPng, none],
      [await onNothing('#888'), none],
      [await onNothing('#000'), onPaper],
      [await onNothing('#fff'), onInk],
    ] as const) {
      await addImage(user, 'logo', file)
      expect(await groundsOf(user)).toEqual(grounds)
    }
    // The owner's own background may be bright.
    await addImage(user, 'background')
    expect(await groundsOf(user)).toEqual({ ...onInk, stage: 'ink' })
    const { id } = (await upload(server, user, await jpeg())).json<Photo>()
    await server.work()
    const { body } = await server.request({ method: 'GET', url: `/request-photo/${id}` })
    expect(body).toMatch(/<img[^>]*data-ground="ink" data-ground-dark="none"/)
    expect((await emailAbout(id)).html).toMatch(/background-color:#1c1a17[^>]*><img src="cid:logo"/)
  })

  test('is measured by a job for a logo of an earlier version; an unreadable logo counts as dark', async () => {
    const [white, gone] = [await makePro(), await makePro()]
    await addImage(white, 'logo', await onNothing('#fff'))
    await rm(storedFilePath(server, brandKeyOf(await addImage(gone, 'logo', await onNothing('#fff')))))
    await query('update brand_images set low_contrast_on_paper = null, low_contrast_on_ink = null')
    expect(await groundsOf(white)).toEqual(onPaper)
    await runOverdueWork(server)
    expect([await groundsOf(white), await groundsOf(gone)]).toEqual([onInk, onPaper])
    await deleteImage(gone)
    const { rows } = await query("select from brand_images where kind = 'logo' and low_contrast_on_ink is null")
    expect(rows).toEqual([])
  })
})

describe('without a plan that includes branding', () => {
  test('an upload is refused with the names of the plans that include it', async () => {
    const user = await makeUser(server)
    const refusal = { code: 'forbidden', detail: expect.stringContaining('Pro Monthly and Pro Yearly') }
    for (const what of ['logo', 'background'] as const) {
      const answer = await uploadBrandImage(server, user, what, logoPng)
      expect([answer.statusCode, answer.json()]).toEqual([403, refusal])
    }
    expect(await fetchUser(user)).toMatchObject({ logo_url: null, background_image_url: null })
  })

  test('an image that was uploaded before is shown again when the plan includes it, and can be deleted', async () => {
    const user = await makePro()
    const url = await addImage(user)
    const seen = async () => [(await fetchUser(user)).logo_url, await statusOf(url)]
    await grantPlan(server, user, 'free')
    expect(await seen()).toEqual([null, 404])
    await grantPlan(server, user, 'pro_yearly')
    expect(await seen()).toEqual([url, 200])
    await grantPlan(server, user, 'free')
    expect((await deleteImage(user)).json()).toMatchObject({ partial_success: false })
  })
})

describe('a file that is not an accepted image is refused with a sentence', () => {
  const refuse = async (what: What, file: Buffer, options = {}) => {
    const form = multipartForm(file, options)
    const { token } = await makePro()
    const answer = await server.request({ method: 'POST', url: `/upload-${what}`, token, ...form })
    expect(await temporaryFiles(server)).toEqual([])
    return [answer.statusCode, JSON.stringify(answer.json<{ detail: unknown }>().detail)]
  }
  const photoFormats = 'JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC'
  const unreadable = (formats: string) => `This file is not an image we can read. Please choose a ${formats} file.`
  test.each([
    ['an empty file', 'logo', Buffer.alloc(0), 415, /\w+ \w+.*\./],
    ['a text with the name of an image', 'background', Buffer.from('hello'), 415, /\w+ \w+.*\./],
    ['a truncated image', 'logo', logoPng.subarray(0, 300), 422, /\w+ \w+.*\./],
    ['a truncated HEIC', 'background', heic.subarray(0, -200), 422, /\w+ \w+.*\./],
    [
      'an image of 40,000 by 40,000 pixels',
      'logo',
      Buffer.concat([logoPng.subarray(0, 16), Buffer.from([0, 0, 156, 64, 0, 0, 156, 64]), logoPng.subarray(24)]),
      413,
      /\w+ \w+.*\./,
    ],
    ['a background that is an SVG', 'background', Buffer.from(plainSvg), 415, unreadable(photoFormats)],
    ['a logo that is a HEIC', 'logo', heic, 415, unreadable('PNG, JPG, SVG or WebP')],
    [
      'a file over 10 MB, also if the image is small',
      'logo',
      Buffer.concat([logoPng, Buffer.alloc(10 * 1024 ** 2)]),
      413,
      '10 MB',
    ],
  ] as const)('%s', async (_, what, file, status, sentence) => {
    const [code, detail] = await refuse(what, file)
    expect(code).toBe(status)
    expect(detail).toMatch(sentence)
  })

  test('a form without a file', async () => {
    expect((await refuse('logo', logoPng, { field: 'other' }))[0]).toBe(422)
  })

  const hostile = hostileSvgs('http://127.0.0.1:9')
  test.each(
    isRecord ? Object.keys(hostile) : ['script', 'event handler', 'foreignObject', 'billion laughs', 'huge view box'],
  )('a hostile SVG: %s', async (name) => {
    expect([415, 422]).toContain((await refuse('logo', Buffer.from(hostile[name]!)))[0])
  })

  test('and an SVG that is accepted is rendered as a PNG: its markup is never served', async () => {
    const { headers, rawPayload } = await getUrl(await addImage(await makePro(), 'logo', Buffer.from(plainSvg)))
    expect([headers['content-type'], rawPayload.includes('<svg')]).toEqual(['image/png', false])
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width: 1024, height: 512 })
  })
})

describe('deleting an image', () => {
  test('deletes the bytes; a second time it is not found', async () => {
    const user = await makePro()
    const url = await addImage(user)
    const deleted = { partial_success: false, detail: 'Logo deleted successfully' }
    expect((await deleteImage(user)).json()).toEqual(deleted)
    expect(await storedKeys()).not.toContain(brandKeyOf(url))
    expect([(await fetchUser(user)).logo_url, await statusOf(url)]).toEqual([null, 404])
    expect((await deleteImage(user)).statusCode).toBe(404)
  })

  test('whose bytes are missing removes it from the profile and says so', async () => {
    const user = await makePro()
    await rm(storedFilePath(server, brandKeyOf(await addImage(user, 'background'))))
    const answer = await deleteImage(user, 'background')
    const detail = expect.stringContaining('already be gone')
    expect([answer.statusCode, answer.json()]).toEqual([200, { partial_success: true, detail }])
    expect((await fetchUser(user)).background_image_url).toBeNull()
    await checkEverything()
  })

  test('while the store fails removes it from the profile, and deletes the bytes later', async () => {
    const user = await makePro()
    const url = await addImage(user)
    const { storage } = server.app.deps
    const { remove: realRemove } = storage
    storage.remove = () => Promise.reject(new Error('the store is unavailable'))
    try {
      expect((await deleteImage(user)).json()).toMatchObject({ partial_success: true })
    } finally {
      storage.remove = realRemove
    }
    expect((await fetchUser(user)).logo_url).toBeNull()
    expect(await storedKeys()).toContain(brandKeyOf(url))
    await runOverdueWork(server)
    expect(await storedKeys()).not.toContain(brandKeyOf(url))
    await expectConsistent(server)
  })

  test('and uploading it at the same time leaves profile and store consistent', async () => {
    const user = await makePro()
    for (let round = 0; round < 3; round++) {
      await addImage(user)
      const send = () => uploadBrandImage(server, user, 'logo', logoPng)
      const answers = await Promise.all([deleteImage(user), send(), deleteImage(user), send()])
      for (const { statusCode } of answers) expect([200, 404]).toContain(statusCode)
      const { logo_url: url } = await fetchUser(user)
      expect(url === null || (await statusOf(url)) === 200).toBe(true)
    }
    await checkEverything()
  })
})

test('a third concurrent upload of a user is refused, until one of the others has ended', async () => {
  // The pools are never available, so that no request is read.
  const request = {} as HttpRequest
  const logo = { kind: 'logo', save: async () => 'saved' } as const
  const pools: PromiseWithResolvers<ImagePool>[] = []
  const receive = createBrandImageReceiver(() => {
    const pool = Promise.withResolvers<ImagePool>()
    pools.push(pool)
    return pool.promise
  })
  const uploads = [receive('ann', request, logo), receive('ann', request, logo)]
  const outcomes = Promise.allSettled(uploads)
  await expect(receive('ann', request, logo)).rejects.toMatchObject({ code: 'rate_limited' })
  const otherUser = receive('ben', request, logo)
  const stopped = new Error('the image processes have been stopped')
  pools[0]?.reject(stopped)
  await expect(uploads[0]).rejects.toBe(stopped)
  const next = receive('ann', request, logo)
  expect(pools).toHaveLength(4)
  for (const pool of pools) pool.reject(stopped)
  for (const rejected of [otherUser, next]) await expect(rejected).rejects.toBe(stopped)
  await outcomes
})

/** The email about a photo that a new guest gets. */
async function emailAbout(photoId: string): Promise<Email> {
  const email = `guest-${newId(8).toLowerCase()}@example.com`
  await server.request({ method: 'POST', url: `/photos/${photoId}/request-email`, body: { email } })
  await server.work()
  const [received] = await emailsTo(server, email)
  if (!received) throw new Error('there is no email')
  return received
}

test('guests get the logo in emails and on their page while the plan includes it, and never the owner’s name', async () => {
  const user = await makePro()
  const url = await addImage(user)
  const { id } = (await upload(server, user, await jpeg())).json<Photo>()
  await server.work()
  const page = async () => (await server.request({ method: 'GET', url: `/request-photo/${id}` })).body
  const { mediaCache } = server.app.deps
  const shown = { logo: { key: brandKeyOf(url), width: 300, height: 200 } }
  expect(await mediaCache.find('id', id)).toMatchObject(shown)
  expect(await page()).not.toContain(user.email)
  const email = await emailAbout(id)
  const logo = email.attachments.find(({ contentId }) => contentId === '<logo>')!
  expect(logo).toMatchObject({ mimeType: 'image/png', disposition: 'inline' })
  expect(Buffer.from(logo.content as ArrayBuffer).equals((await getUrl(url)).rawPayload)).toBe(true) // bytes, not text
  expect(email.html).toContain('cid:logo')
  expect(email.attachments).toHaveLength(3)

  await grantPlan(server, user, 'free')
  mediaCache.invalidateUser(user.id)
  expect(await mediaCache.find('id', id)).toMatchObject({ logo: null })
  expect(await page()).not.toContain(new URL(url).pathname)
  const plain = await emailAbout(id)
  expect(plain.attachments).toHaveLength(2)
  expect(plain.html).not.toContain('cid:logo')
})
