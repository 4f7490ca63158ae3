import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { haveCommonBytes } from '../../images/test/pixels.ts'
import { hostileSvgs, plainSvg } from '../../images/test/hostile-svgs.ts'
import { isRecord } from '../../test/statistics.ts'
import {
  fixture,
  jpeg,
  sharpFrom,
  quadrantColours,
  quadrantPixels,
  jpegWithMetadata,
} from '../../images/test/sample-images.ts'
import { partNames } from '../../images/test/file-parts.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import {
  multipartForm,
  grantPlan,
  makeUser,
  upload,
  uploadBrandImage,
  uploadInHalves,
  type TestUser,
} from '../../test/test-data.ts'
import { expectConsistent, runOverdueWork, temporaryFiles } from '../../test/consistency-check.ts'

let server: TestServer
const logoPng = await sharpFrom(quadrantPixels(300, 200)).png().toBuffer()

beforeAll(async () => {
  server = await startServer()
  await server.images()
})
afterAll(() => server.close())

const makePro = async (): Promise<TestUser> => {
  const user = await makeUser(server)
  await grantPlan(server, user, 'pro_monthly')
  return user
}
const fetchUser = async (user: TestUser): Promise<User> =>
  (await server.request({ method: 'GET', url: '/user/me', token: user.token })).json<User>()
const deleteBrandImage = (user: TestUser, what: 'logo' | 'background') =>
  server.request({ method: 'DELETE', url: `/user/${what}`, token: user.token })
const pathOf = (url: string): string => new URL(url).pathname
const getUrl = (url: string) => server.request({ method: 'GET', url: pathOf(url) })
const storedKeys = async (): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of server.app.deps.storage.list()) keys.push(key)
  return keys
}
const brandKeyOf = (url: string): string => `brand/${pathOf(url).split('/').at(-1)}`
const brandFileOf = (url: string): string => {
  const name = pathOf(url).split('/').at(-1)!
  return join(server.dir, 'files', 'brand', name.slice(0, 2), name)
}

describe('a logo and a background', () => {
  test('are refused when the session ends during the upload', async () => {
    const user = await makePro()
    const logo = (await uploadBrandImage(server, user, 'logo', logoPng)).json<{ url: string }>()
    await server.app.deps.pool.query('delete from rate_hits')
    const countedUploads = async () =>
      (await server.app.deps.pool.query('select 1 from rate_hits where key = $1', [`uploads:${user.id}`])).rowCount
    const between = async () => {
      await expect.poll(countedUploads, { interval: 5 }).toBe(1)
      await server.request({ method: 'DELETE', url: '/user/sessions', token: user.token })
    }
    const address = await server.listen()
    const [status] = await uploadInHalves(address, user, { url: '/upload-logo', file: logoPng, between })
    expect(status).toBe(401)
    expect((await getUrl(logo.url)).statusCode).toBe(200)
  })

  test('have a URL that is in the profile and public, with the right type', async () => {
    const user = await makePro()
    const logo = (await uploadBrandImage(server, user, 'logo', logoPng)).json<{ url: string; logo_url: string }>()
    const background = (await uploadBrandImage(server, user, 'background', logoPng)).json<Record<string, string>>()
    expect(logo.url).toBe(logo.logo_url)
    expect(background).toEqual({ url: background.url, background_image_url: background.url })
    expect(await fetchUser(user)).toMatchObject({ logo_url: logo.url, background_image_url: background.url })
    const seen = await getUrl(logo.url)
    expect(seen.statusCode).toBe(200)
    expect(seen.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=86400',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    expect(await sharp(seen.rawPayload).metadata()).toMatchObject({ format: 'png', width: 300, height: 200 })
    expect((await getUrl(background.url!)).headers['content-type']).toBe('image/jpeg')
    await runOverdueWork(server)
    await expectConsistent(server)
  })
  test('replace the previous image, whose bytes are deleted', async () => {
    const user = await makePro()
    const first = (await uploadBrandImage(server, user, 'logo', logoPng)).json<{ url: string }>().url
    const second = (await uploadBrandImage(server, user, 'logo', logoPng)).json<{ url: string }>().url
    expect((await getUrl(first)).statusCode).toBe(404)
    await server.work()
    expect(await storedKeys()).not.toContain(brandKeyOf(first))
    expect((await fetchUser(user)).logo_url).toBe(second)
  })
  test('contain no metadata of the uploaded file', async () => {
    const user = await makePro()
    const file = jpegWithMetadata(await jpeg({ width: 200, height: 200 }))
    for (const what of ['logo', 'background'] as const) {
      const { url } = (await uploadBrandImage(server, user, what, file)).json<{ url: string }>()
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
  ['PNG', async () => logoPng],
  ['GIF', () => sharp(logoPng).gif().toBuffer()],
  ['WebP', () => sharp(logoPng).webp().toBuffer()],
  ['AVIF', () => sharp(logoPng).avif({ effort: 0 }).toBuffer()],
  ['TIFF', () => sharp(logoPng).tiff().toBuffer()],
  ['HEIC', async () => fixture('plain.heic')],
])('a background can be a %s, as a photo can', async (_, makeFile) => {
  const user = await makePro()
  const uploaded = await uploadBrandImage(server, user, 'background', await makeFile())
  expect(uploaded.json()).toMatchObject({ url: expect.stringContaining('/b/') })
  const seen = await getUrl(uploaded.json<{ url: string }>().url)
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

  test('is chosen by the logo’s contrast, on pages, in emails and on the big screen', async () => {
    const user = await makePro()
    const groundsOf = async (file: Buffer) => {
      await uploadBrandImage(server, user, 'logo', file)
      return (await fetchUser(user)).logo_grounds
    }
    expect((await fetchUser(user)).logo_grounds).toBeNull()
    expect(await groundsOf(logoPng)).toEqual({ light: 'none', dark: 'none', stage: 'none' })
    expect(await groundsOf(await onNothing('#888'))).toEqual({ light: 'none', dark: 'none', stage: 'none' })
    expect(await groundsOf(await onNothing('#000'))).toEqual({ light: 'none', dark: 'paper', stage: 'paper' })
    expect(await groundsOf(await onNothing('#fff'))).toEqual({ light: 'ink', dark: 'none', stage: 'none' })
    // The owner's own background may be bright.
    await uploadBrandImage(server, user, 'background', logoPng)
    expect((await fetchUser(user)).logo_grounds).toEqual({ light: 'ink', dark: 'none', stage: 'ink' })
    const { id } = (await upload(server, user, await jpeg())).json<Photo>()
    await server.work()
    const { body } = await server.request({ method: 'GET', url: `/request-photo/${id}` })
    expect(/<img[^>]*data-ground="ink" data-ground-dark="none"/.test(body)).toBe(true)
    const email = { email: 'guest-of-white-logo@example.com' }
    await server.request({ method: 'POST', url: `/photos/${id}/request-email`, body: email })
    await server.work()
    expect((await emailTo(email.email)).html).toMatch(/background-color:#1c1a17[^>]*><img src="cid:logo"/)
  })

  test('is measured by a job for a logo of an earlier version; an unreadable logo counts as dark', async () => {
    const [white, gone] = [await makePro(), await makePro()]
    await uploadBrandImage(server, white, 'logo', await onNothing('#fff'))
    const { url } = (await uploadBrandImage(server, gone, 'logo', await onNothing('#fff'))).json<{ url: string }>()
    await rm(brandFileOf(url))
    const { pool } = server.app.deps
    await pool.query('update brand_images set low_contrast_on_paper = null, low_contrast_on_ink = null')
    expect((await fetchUser(white)).logo_grounds).toEqual({ light: 'none', dark: 'paper', stage: 'paper' })
    await runOverdueWork(server)
    expect((await fetchUser(white)).logo_grounds).toEqual({ light: 'ink', dark: 'none', stage: 'none' })
    expect((await fetchUser(gone)).logo_grounds).toEqual({ light: 'none', dark: 'paper', stage: 'paper' })
    await deleteBrandImage(gone, 'logo')
    const { rows } = await pool.query('select 1 from brand_images where kind = $1 and low_contrast_on_ink is null', [
      'logo',
    ])
    expect(rows).toEqual([])
  })
})

describe('without a plan that includes branding', () => {
  test('an upload is refused with the names of the plans that include it', async () => {
    const user = await makeUser(server)
    for (const what of ['logo', 'background'] as const) {
      const response = await uploadBrandImage(server, user, what, logoPng)
      expect(response.statusCode).toBe(403)
      expect(response.json()).toMatchObject({
        code: 'forbidden',
        detail: expect.stringContaining('Pro Monthly and Pro Yearly'),
      })
    }
    expect(await fetchUser(user)).toMatchObject({ logo_url: null, background_image_url: null })
  })
  test('an image that was uploaded before is not shown, and is shown again when the plan includes it', async () => {
    const user = await makePro()
    const { url } = (await uploadBrandImage(server, user, 'logo', logoPng)).json<{ url: string }>()
    await grantPlan(server, user, 'free')
    expect((await fetchUser(user)).logo_url).toBeNull()
    expect((await getUrl(url)).statusCode).toBe(404)
    await grantPlan(server, user, 'pro_yearly')
    expect((await fetchUser(user)).logo_url).toBe(url)
    expect((await getUrl(url)).statusCode).toBe(200)
  })
  test('a logo can still be deleted', async () => {
    const user = await makePro()
    await uploadBrandImage(server, user, 'logo', logoPng)
    await grantPlan(server, user, 'free')
    expect((await deleteBrandImage(user, 'logo')).json()).toMatchObject({ partial_success: false })
  })
})

describe('a file that is not an accepted image is refused with a sentence', () => {
  const uploadFile = async (what: 'logo' | 'background', file: Buffer, options = {}) => {
    const form = multipartForm(file, options)
    const user = await makePro()
    const response = await server.request({ method: 'POST', url: `/upload-${what}`, token: user.token, ...form })
    expect(await temporaryFiles(server)).toEqual([])
    return response
  }
  test.each([
    ['an empty file', 'logo', Buffer.alloc(0), 415],
    ['an HTML page', 'logo', Buffer.from('<!doctype html><script>alert(1)</script>'), 415],
    ['a text with the name of an image', 'background', Buffer.from('hello'), 415],
    ['a truncated image', 'logo', logoPng.subarray(0, 300), 422],
    ['a truncated HEIC', 'background', fixture('plain.heic').subarray(0, -200), 422],
    [
      'an image of 40,000 by 40,000 pixels',
      'logo',
      Buffer.concat([logoPng.subarray(0, 16), Buffer.from([0, 0, 156, 64, 0, 0, 156, 64]), logoPng.subarray(24)]),
      413,
    ],
  ] as const)('%s', async (_, what, file, status) => {
    const response = await uploadFile(what, file)
    expect(response.statusCode).toBe(status)
    expect(JSON.stringify(response.json())).toMatch(/\w+ \w+.*\./)
  })
  test.each([
    ['background', 'an SVG', Buffer.from(plainSvg), 'JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC'],
    ['background', 'a BMP', Buffer.from('BM\x46\0\0\0'), 'JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC'],
    ['logo', 'a HEIC', fixture('plain.heic'), 'PNG, JPG, SVG or WebP'],
  ] as const)('a %s that is %s, with the formats that it can have', async (what, _, file, formats) => {
    const response = await uploadFile(what, file)
    expect(response.statusCode).toBe(415)
    expect(response.json().detail).toBe(`This file is not an image we can read. Please choose a ${formats} file.`)
  })
  test('a file over 10 MB, also if the image is small', async () => {
    const response = await uploadFile('logo', Buffer.concat([logoPng, Buffer.alloc(10 * 1024 * 1024)]))
    expect(response.statusCode).toBe(413)
    expect(response.json().detail).toContain('10 MB')
  })
  test('a form without a file', async () => {
    expect((await uploadFile('logo', logoPng, { field: 'other' })).statusCode).toBe(422)
  })

  const hostile = hostileSvgs('http://127.0.0.1:9')
  test.each(
    isRecord ? Object.keys(hostile) : ['script', 'event handler', 'foreignObject', 'billion laughs', 'huge view box'],
  )('a hostile SVG: %s', async (name) => {
    const response = await uploadFile('logo', Buffer.from(hostile[name]!))
    expect([415, 422]).toContain(response.statusCode)
  })
  test('an SVG is rendered as a PNG, and its markup is never served', async () => {
    const user = await makePro()
    const { url } = (await uploadBrandImage(server, user, 'logo', Buffer.from(plainSvg))).json<{ url: string }>()
    const response = await getUrl(url)
    expect(response.headers['content-type']).toBe('image/png')
    expect(response.rawPayload.includes('<svg')).toBe(false)
    expect(await sharp(response.rawPayload).metadata()).toMatchObject({ format: 'png', width: 1024, height: 512 })
  })
})

describe('deleting an image', () => {
  test('deletes the bytes; a second time it is not found', async () => {
    const user = await makePro()
    const { url } = (await uploadBrandImage(server, user, 'logo', logoPng)).json<{ url: string }>()
    expect((await deleteBrandImage(user, 'logo')).json()).toEqual({
      partial_success: false,
      detail: 'Logo deleted successfully',
    })
    expect(await storedKeys()).not.toContain(brandKeyOf(url))
    expect((await fetchUser(user)).logo_url).toBeNull()
    expect((await getUrl(url)).statusCode).toBe(404)
    expect((await deleteBrandImage(user, 'logo')).statusCode).toBe(404)
    expect((await deleteBrandImage(user, 'background')).statusCode).toBe(404)
  })
  test('whose bytes are missing removes it from the profile and says so', async () => {
    const user = await makePro()
    const { url } = (await uploadBrandImage(server, user, 'background', logoPng)).json<{ url: string }>()
    await rm(brandFileOf(url))
    const response = await deleteBrandImage(user, 'background')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ partial_success: true, detail: expect.stringContaining('already be gone') })
    expect((await fetchUser(user)).background_image_url).toBeNull()
    await runOverdueWork(server)
    await expectConsistent(server)
  })
  test('while the store fails removes it from the profile, and deletes the bytes later', async () => {
    const user = await makePro()
    const { url } = (await uploadBrandImage(server, user, 'logo', logoPng)).json<{ url: string }>()
    const { storage } = server.app.deps
    const { remove: realRemove } = storage
    storage.remove = () => Promise.reject(new Error('the store is unavailable'))
    try {
      expect((await deleteBrandImage(user, 'logo')).json()).toMatchObject({ partial_success: true })
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
    for (let round = 0; round < 4; round++) {
      await uploadBrandImage(server, user, 'logo', logoPng)
      const responses = await Promise.all([
        deleteBrandImage(user, 'logo'),
        uploadBrandImage(server, user, 'logo', logoPng),
        deleteBrandImage(user, 'logo'),
        uploadBrandImage(server, user, 'logo', logoPng),
      ])
      expect(responses.every(({ statusCode }) => statusCode === 200 || statusCode === 404)).toBe(true)
      const { logo_url: url } = await fetchUser(user)
      const seen = url === null ? 'none' : (await getUrl(url)).statusCode
      expect(['none', 200]).toContain(seen)
    }
    await runOverdueWork(server)
    await expectConsistent(server)
  })
})

test('a third upload at the same time is refused', async () => {
  const user = await makePro()
  const address = await server.listen()
  const { promise: firstAnswer, resolve: release } = Promise.withResolvers<void>()
  const send = async (): Promise<number> => {
    const [status] = await uploadInHalves(address, user, {
      url: '/upload-logo',
      file: logoPng,
      between: () => firstAnswer,
    })
    release()
    return status
  }
  const statuses = await Promise.all([send(), send(), send()])
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 429])
})

/** The newest email to an address. */
async function emailTo(address: string): Promise<Email> {
  const folder = join(server.dir, 'outbox')
  const found: Email[] = []
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.eml'))) {
    const mail = await PostalMime.parse(await readFile(join(folder, name)))
    if (mail.to?.some((to) => to.address === address)) found.push(mail)
  }
  const [newest] = found
  if (!newest) throw new Error('there is no email')
  return newest
}

describe('guests', () => {
  test('get an email with the logo attached, and without it after the plan has ended', async () => {
    const user = await makePro()
    const { url } = (await uploadBrandImage(server, user, 'logo', logoPng)).json<{ url: string }>()
    const { id } = (await upload(server, user, await jpeg())).json<Photo>()
    await server.work()
    const ask = async (email: string): Promise<Email> => {
      await server.request({ method: 'POST', url: `/photos/${id}/request-email`, body: { email } })
      await server.work()
      return emailTo(email)
    }
    const email = await ask('guest-with-logo@example.com')
    const logo = email.attachments.find(({ contentId }) => contentId === '<logo>')!
    expect(logo).toMatchObject({ mimeType: 'image/png', disposition: 'inline' })
    expect(Buffer.from(logo.content as ArrayBuffer).equals((await getUrl(url)).rawPayload)).toBe(true) // bytes, not text
    expect(email.html).toContain('cid:logo')
    expect(email.attachments).toHaveLength(3)
    await grantPlan(server, user, 'free')
    const plain = await ask('guest-without@example.com')
    expect(plain.attachments).toHaveLength(2)
    expect(plain.html).not.toContain('cid:logo')
  })
  test('see the logo on their page while the plan includes it, and never the owner’s name', async () => {
    const user = await makePro()
    const { url } = (await uploadBrandImage(server, user, 'logo', logoPng)).json<{ url: string }>()
    const { id } = (await upload(server, user, await jpeg())).json<Photo>()
    await server.work()
    const page = async (): Promise<string> =>
      (await server.request({ method: 'GET', url: `/request-photo/${id}` })).body
    expect(await server.app.deps.mediaCache.find('id', id)).toMatchObject({
      logo: { key: brandKeyOf(url), width: 300, height: 200 },
    })
    expect(await page()).not.toContain(user.email)
    await grantPlan(server, user, 'free')
    server.app.deps.mediaCache.invalidateUser(user.id)
    expect(await server.app.deps.mediaCache.find('id', id)).toMatchObject({ logo: null })
    expect(await page()).not.toContain(pathOf(url))
  })
})
