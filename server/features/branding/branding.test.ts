import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Email } from 'postal-mime'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '@keepsnap/contract/accounts.ts'
import type { WatermarkRun } from '@keepsnap/contract/branding.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { HttpRequest } from '../../platform/http/http-types.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import { partNames } from '../../images/test/file-parts.ts'
import { hostileSvgs, plainSvg } from '../../images/test/hostile-svgs.ts'
import {
  haveCommonBytes,
  pixelsOf,
  fixture,
  jpeg,
  jpegWithMetadata,
  quadrantColours,
  quadrantPixels,
  sharpFrom,
} from '../../images/test/sample-images.ts'
import { hashOf, newId } from '../../lib/ids.ts'
import { currentStorageUse } from '../photos/upload.ts'
import { storeStream } from '../../ports/storage/storage.ts'
import { expectConsistent, runOverdueWork, temporaryFiles, storedFilePath } from '../../test/consistency-check.ts'
import { useServer, removeJobs } from '../../test/harness.ts'
import { emailsTo } from '../../test/outbox.ts'
import { isRecord } from '../../test/statistics.ts'
import { type TestUser, grantPlan, makeUser, upload, uploadBrandImage, uploadInHalves } from '../../test/test-data.ts'
import { brightnessOfLogo, grey, watermarkActions } from '../../test/watermark-actions.ts'
import { createBrandImageReceiver } from './brand-images.ts'
import { watermarkNextPhoto } from './watermark.ts'

const logoPng = await sharpFrom(quadrantPixels(300, 200)).png().toBuffer()
const black = await grey(1000, 600, 0).jpeg({ quality: 95 }).toBuffer()
const blackPng = await grey(1000, 600, 0).png().toBuffer()
const low = await grey(1000, 399, 0).jpeg().toBuffer()
const otherLogo = await grey(100, 100, 255).png().toBuffer()
const server = useServer()

const heic = fixture('plain.heic')
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
      const bytes = (await getUrl(await addImage(user, what, file))).rawPayload
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
  const refuse = async (what: What, file: Buffer) => {
    const answer = await uploadBrandImage(server, await makePro(), what, file)
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

describe('the watermark', () => {
  const { call, makeBrandedUser, setWatermark, addPhoto, fullImage, watermarkRunOf, startRun } = watermarkActions(
    () => server,
  )

  const brightnessOf = async (user: TestUser, { id }: { id: string }) => brightnessOfLogo(await fullImage(user, id))

  /** The brightness of a white logo with 70 % opacity on a black photo. */
  const expectWatermarked = (brightness: number) => expect(Math.abs(brightness - 178)).toBeLessThan(9)

  const isBlack = (pixels: Iterable<number>): boolean => [...pixels].every((value) => value < 12)

  describe('a photo processed while the setting is on', () => {
    test('shows the logo with 70 % opacity, 24 % of its shorter side, 3 % from both edges; its thumbnail does not', async () => {
      const user = await makeBrandedUser()
      await setWatermark(user, true)
      const photo = await addPhoto(user)
      const pixels = await pixelsOf(await fullImage(user, photo.id))
      const at = (x: number, y: number): number => pixels[(y * 1000 + x) * 3]!
      // 144 by 72 pixels, 18 from both edges.
      expectWatermarked(at(1000 - 18 - 54, 600 - 18 - 27))
      for (const [x, y] of [
        [1000 - 9, 600 - 45],
        [1000 - 72, 600 - 9],
        [1000 - 18 - 144 - 12, 600 - 45],
        [1000 - 72, 600 - 18 - 72 - 12],
      ] as const)
        expect(at(x, y)).toBeLessThan(12)
      const thumbnail = await server.request({ method: 'GET', url: new URL(photo.thumbnail_url!).pathname })
      expect(isBlack(await pixelsOf(thumbnail.rawPayload))).toBe(true)
      await checkEverything()
    })

    test('counts once as used storage, with the larger of its two images, and both are deleted with it', async () => {
      const user = await makeBrandedUser()
      await setWatermark(user, true)
      const { id } = await addPhoto(user)
      const { rows } = await query('select * from photos where id = $1', [id])
      const { full_bytes: marked, unmarked_bytes: unmarked, thumb_bytes: thumbnail, full_key, unmarked_key } = rows[0]
      const actor = { by: 'session', userId: user.id, sessionHash: hashOf(user.token) } as const
      expect((await currentStorageUse(server.db, actor))?.bytes).toBe(Math.max(marked, unmarked) + thumbnail)
      await call(user, 'DELETE', `/photos/${id}`)
      await server.work()
      for (const key of [full_key, unmarked_key]) expect(await server.app.deps.storage.sizeOf(key)).toBeNull()
    })

    test.each([
      ['on a plan without branding', async () => makeBrandedUser('free'), black],
      ['without a logo', async () => makeUser(server), black],
      ['under 400 px', async () => makeBrandedUser(), low],
    ] as const)('is not changed %s', async (reason, makeOwner, file) => {
      const user = await makeOwner()
      if (reason === 'without a logo') await grantPlan(server, user, 'pro_monthly')
      expect((await setWatermark(user, true)).statusCode).toBe(200)
      const { id } = await addPhoto(user, file)
      expect(isBlack(await pixelsOf(await fullImage(user, id)))).toBe(true)
      expect((await query('select unmarked_key from photos where id = $1', [id])).rows).toEqual([
        { unmarked_key: null },
      ])
    })

    test('has no metadata except the credit, and neither has its image without the watermark', async () => {
      const user = await makeBrandedUser()
      await setWatermark(user, true)
      const { id } = await addPhoto(user, jpegWithMetadata(black))
      const watermarked = await fullImage(user, id)
      await startRun(user, 'undo')
      await server.work()
      for (const file of [watermarked, await fullImage(user, id)]) {
        expect(partNames(file).filter((name) => /^(?:e[2-9a-f]|fe|trailing)$/.test(name))).toEqual([])
        expect((await sharp(file).metadata()).xmp).toBeUndefined()
      }
    })
  })

  describe('existing photos', () => {
    const runStep = async (user: TestUser): Promise<void> => watermarkNextPhoto(server.app.deps, user.id)
    const keysOf = async ({ id }: { id: string }): Promise<{ full_key: string; unmarked_key: string }> =>
      (await query('select full_key, unmarked_key from photos where id = $1', [id])).rows[0]

    test('get the watermark, and without it are the same as before, bit for bit', async () => {
      const user = await makeBrandedUser()
      const photos = [await addPhoto(user), await addPhoto(user, blackPng)]
      const small = await addPhoto(user, await grey(300, 300, 0).jpeg().toBuffer())
      const before = await Promise.all(photos.map(({ id }) => fullImage(user, id)))
      expect(await watermarkRunOf(user)).toMatchObject({ state: 'idle', what: null, applicable: 2, undoable: 0 })
      const started = (await startRun(user, 'apply')).json<WatermarkRun>()
      expect(started).toMatchObject({ state: 'running', what: 'apply', total: 2, done: 0 })
      await server.work()
      const counts = { state: 'done', total: 2, done: 2, failed: 0 }
      expect(await watermarkRunOf(user)).toMatchObject({ ...counts, applicable: 0, undoable: 2 })
      for (const photo of photos) expectWatermarked(await brightnessOf(user, photo))
      expect(isBlack(await pixelsOf(await fullImage(user, small.id)))).toBe(true)
      await expectConsistent(server)
      await startRun(user, 'undo')
      await server.work()
      expect(await watermarkRunOf(user)).toMatchObject({ ...counts, what: 'undo', applicable: 2, undoable: 0 })
      const after = await Promise.all(photos.map(({ id }) => fullImage(user, id)))
      expect(after.map((file, at) => file.equals(before[at]!))).toEqual([true, true])
      await checkEverything()
    })

    test('keep the watermark when the image without it is not in the store', async () => {
      const user = await makeBrandedUser()
      await setWatermark(user, true)
      const [lost, kept] = [await addPhoto(user), await addPhoto(user)]
      const watermarked = await fullImage(user, lost.id)
      const keys = await keysOf(lost)
      await server.app.deps.storage.remove([keys.unmarked_key])
      await startRun(user, 'undo')
      await server.work()
      expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', done: 1, failed: 1, undoable: 1 })
      expect((await fullImage(user, lost.id)).equals(watermarked)).toBe(true)
      expect(await brightnessOf(user, kept)).toBeLessThan(12)
      expect(await keysOf(lost)).toEqual(keys)
      await call(user, 'DELETE', `/photos/${lost.id}`)
      await server.work()
    })

    test('get a new logo, size, corner and strength in place of the old ones', async () => {
      const user = await makeBrandedUser()
      await setWatermark(user, true)
      const photo = await addPhoto(user)
      const old = await fullImage(user, photo.id)
      const again = async () => {
        expect(await watermarkRunOf(user)).toMatchObject({ applicable: 1, undoable: 1 })
        await startRun(user, 'apply')
        await server.work()
        expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', done: 1, applicable: 0 })
        return fullImage(user, photo.id)
      }
      await uploadBrandImage(server, user, 'logo', otherLogo)
      const withOtherLogo = await again()
      expect(withOtherLogo.equals(old)).toBe(false)
      // Not in addition to the old one.
      expectWatermarked(await brightnessOfLogo(withOtherLogo))
      const layout = { watermark_size: 'large', watermark_corner: 'top-left', watermark_strength: 'strong' }
      expect((await call(user, 'PUT', '/user/settings', layout)).json()).toMatchObject(layout)
      const pixels = await pixelsOf(await again())
      // 192 pixels, 18 from both edges, with an opacity of 95 %.
      expect(Math.abs(pixels[((18 + 48) * 1000 + 18 + 96) * 3]! - 242)).toBeLessThan(9)
      expect(await brightnessOf(user, photo)).toBeLessThan(12)
      await checkEverything()
    })

    test('can be read at any time during a run', async () => {
      const user = await makeBrandedUser()
      const photos = [await addPhoto(user), await addPhoto(user), await addPhoto(user)]
      const codes = photos.map(({ qr_code_url: url }) => /\/qr\/d\/(\w+)/.exec(url)![1]!)
      await startRun(user, 'apply')
      const runEnded = new AbortController()
      const reading = (async () => {
        let reads = 0
        while (!runEnded.signal.aborted) {
          for (const code of codes) {
            const response = await server.request({ method: 'GET', url: `/d/${code}?download=1` })
            expect(response.statusCode).toBe(200)
            expect(await sharp(response.rawPayload).metadata()).toMatchObject({ width: 1000 })
            reads++
          }
        }
        return reads
      })()
      await server.work()
      runEnded.abort()
      expect(await reading).toBeGreaterThan(2)
      expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', done: 3 })
    })

    test('are not processed after the run is stopped, and then by the next run', async () => {
      const user = await makeBrandedUser()
      for (let count = 0; count < 3; count++) await addPhoto(user)
      await startRun(user, 'apply')
      await runStep(user)
      expect(await watermarkRunOf(user)).toMatchObject({ state: 'running', done: 1, total: 3 })
      expect((await startRun(user, 'apply')).statusCode).toBe(409)
      const stop = async () => (await call(user, 'DELETE', '/user/watermark')).json<WatermarkRun>()
      expect(await stop()).toMatchObject({ state: 'stopping' })
      await server.work()
      const stopped = { state: 'stopped', done: 1, total: 3, applicable: 2, undoable: 1 }
      expect(await watermarkRunOf(user)).toMatchObject(stopped)
      expect(await stop()).toMatchObject({ state: 'stopped' })
      expect((await startRun(user, 'apply')).json<WatermarkRun>()).toMatchObject({ total: 2 })
      await server.work()
      expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', done: 2, applicable: 0 })
    })

    test('get the watermark once when several workers do the same step, and when a worker is killed', async () => {
      const user = await makeBrandedUser()
      const photos = [await addPhoto(user), await addPhoto(user)]
      await startRun(user, 'apply')
      await Promise.all([runStep(user), runStep(user), runStep(user)])
      expect([1, 2]).toContain((await watermarkRunOf(user)).done)
      // The job of the next step is lost, as after kill -9 and a restored queue; the clean-up job continues the run.
      await removeJobs(server.app.deps.pool)
      await query("select graphile_worker.add_job('clean-up', '{}'::json)")
      await server.work()
      await server.work()
      expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', done: 2, failed: 0 })
      for (const photo of photos) expectWatermarked(await brightnessOf(user, photo))
      await checkEverything()
    })

    test('are counted by their outcome when one is deleted meanwhile and one has no image', async () => {
      const user = await makeBrandedUser()
      const [missing, deleted, intact] = [await addPhoto(user), await addPhoto(user), await addPhoto(user)]
      await startRun(user, 'apply')
      await call(user, 'DELETE', `/photos/${deleted.id}`)
      const { storage } = server.app.deps
      const { full_key: key } = await keysOf(missing)
      const bytes = await buffer((await storage.open(key))!)
      await storage.remove([key])
      await server.work()
      expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', total: 2, done: 1, failed: 1 })
      expectWatermarked(await brightnessOf(user, intact))
      await storeStream(storage, key, { source: Readable.from([Buffer.from(bytes)]), type: 'image/jpeg' })
      await checkEverything()
    })

    test('need a logo and a plan to get a watermark, but not to lose it', async () => {
      const user = await makeUser(server)
      expect((await startRun(user, 'apply')).statusCode).toBe(403)
      await grantPlan(server, user, 'pro_monthly')
      expect((await startRun(user, 'apply')).statusCode).toBe(409)
      const watermarked = await makeBrandedUser()
      const photo = await addPhoto(watermarked)
      // The plan ends during a run, which then stops.
      await startRun(watermarked, 'apply')
      await grantPlan(server, watermarked, 'free')
      await server.work()
      expect(await watermarkRunOf(watermarked)).toMatchObject({ state: 'stopped', done: 0 })
      expect((await startRun(watermarked, 'apply')).statusCode).toBe(403)
      await grantPlan(server, watermarked, 'pro_monthly')
      await startRun(watermarked, 'apply')
      await server.work()
      expectWatermarked(await brightnessOf(watermarked, photo))
      await grantPlan(server, watermarked, 'free')
      expect((await startRun(watermarked, 'undo')).json<WatermarkRun>()).toMatchObject({ total: 1 })
      await server.work()
      expect(await brightnessOf(watermarked, photo)).toBeLessThan(12)
    })
  })

  describe('the preview', () => {
    const preview = (user: TestUser) => call(user, 'GET', '/user/watermark/preview')

    test('shows the newest photo with the logo, before the setting is on', async () => {
      const user = await makeBrandedUser()
      const photo = await addPhoto(user)
      const first = await preview(user)
      expect(first.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'no-store' })
      expectWatermarked(await brightnessOfLogo(first.rawPayload))
      expect(await brightnessOf(user, photo)).toBeLessThan(12)
      await call(user, 'PUT', '/user/settings', { watermark_strength: 'strong' })
      expect((await preview(user)).rawPayload.equals(first.rawPayload)).toBe(false)
      await call(user, 'PUT', '/user/settings', { watermark_strength: 'medium', use_logo_as_watermark: true })
      await addPhoto(user, await grey(2000, 1200, 0).jpeg().toBuffer())
      const { rawPayload } = await preview(user)
      expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 1280, height: 768 })
      // 138 by 69 pixels, 23 from both edges: added once, not twice.
      const pixels = await pixelsOf(rawPayload)
      expect(Math.abs(pixels[((768 - 23 - 35) * 1280 + 1280 - 23 - 69) * 3]! - 178)).toBeLessThan(12)
    })

    test('does not exist without a photo, without a logo, or on a plan without branding', async () => {
      const user = await makeUser(server)
      expect((await preview(user)).statusCode).toBe(403)
      await grantPlan(server, user, 'pro_monthly')
      await addPhoto(user)
      expect((await preview(user)).statusCode).toBe(404)
      expect((await preview(await makeBrandedUser())).statusCode).toBe(404)
    })
  })
})
