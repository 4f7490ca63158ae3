import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { shareARun } from '../../images/test/looking.ts'
import { hostileSvgs, plainSvg } from '../../images/test/hostile-svgs.ts'
import { isRecord } from '../../images/test/making.ts'
import { jpeg, opened, quartered, tellingJpeg } from '../../images/test/pictures.ts'
import { names } from '../../images/test/structure.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { formWith, givePlan, makeUser, upload, uploadBrand, uploadInHalves, type TestUser } from '../../test/makers.ts'
import { expectConsistent, letTimePass, temporaryFiles } from '../../test/oracle.ts'

let server: TestServer
const png = await opened(quartered(300, 200)).png().toBuffer()

beforeAll(async () => {
  server = await startServer()
  await server.images()
})
afterAll(() => server.close())

const makePro = async (): Promise<TestUser> => {
  const user = await makeUser(server)
  await givePlan(server, user, 'pro_monthly')
  return user
}
const me = async (user: TestUser): Promise<User> =>
  (await server.request({ method: 'GET', url: '/user/me', token: user.token })).json<User>()
const remove = (user: TestUser, what: 'logo' | 'background') =>
  server.request({ method: 'DELETE', url: `/user/${what}`, token: user.token })
const path = (url: string): string => new URL(url).pathname
const get = (url: string) => server.request({ method: 'GET', url: path(url) })
const stored = async (): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of server.app.deps.storage.list()) keys.push(key)
  return keys
}
const keyOf = (url: string): string => `brand/${path(url).split('/').at(-1)}`
const fileOf = (url: string): string => {
  const name = path(url).split('/').at(-1)!
  return join(server.dir, 'files', 'brand', name.slice(0, 2), name)
}

describe('a logo and a background', () => {
  test('that come in after their session has ended change nothing', async () => {
    const user = await makePro()
    const logo = (await uploadBrand(server, user, 'logo', png)).json<{ url: string }>()
    await server.app.deps.pool.query('delete from rate_hits')
    const isComing = async () =>
      (await server.app.deps.pool.query('select 1 from rate_hits where key = $1', [`uploads:${user.id}`])).rowCount ===
      1
    const between = async () => {
      while (!(await isComing())) await delay(5)
      await server.request({ method: 'DELETE', url: '/user/sessions', token: user.token })
    }
    const address = await server.listen()
    const [status] = await uploadInHalves(address, user, { url: '/upload-logo', file: png, between })
    expect(status).toBe(401)
    expect((await get(logo.url)).statusCode).toBe(200)
  })

  test('are answered with their address, shown in the profile and to everybody, as what they are', async () => {
    const user = await makePro()
    const logo = (await uploadBrand(server, user, 'logo', png)).json<{ url: string; logo_url: string }>()
    const background = (await uploadBrand(server, user, 'background', png)).json<Record<string, string>>()
    expect(logo.url).toBe(logo.logo_url)
    expect(background).toEqual({ url: background.url, background_image_url: background.url })
    expect(await me(user)).toMatchObject({ logo_url: logo.url, background_image_url: background.url })
    const seen = await get(logo.url)
    expect(seen.statusCode).toBe(200)
    expect(seen.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=86400',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    expect(await sharp(seen.rawPayload).metadata()).toMatchObject({ format: 'png', width: 300, height: 200 })
    expect((await get(background.url!)).headers['content-type']).toBe('image/jpeg')
    await letTimePass(server)
    await expectConsistent(server)
  })
  test('take the place of the one before, whose bytes go', async () => {
    const user = await makePro()
    const first = (await uploadBrand(server, user, 'logo', png)).json<{ url: string }>().url
    const second = (await uploadBrand(server, user, 'logo', png)).json<{ url: string }>().url
    expect((await get(first)).statusCode).toBe(404)
    await server.work()
    expect(await stored()).not.toContain(keyOf(first))
    expect((await me(user)).logo_url).toBe(second)
  })
  test('hold no word of what was uploaded, and nothing that was hung on it', async () => {
    const user = await makePro()
    const file = tellingJpeg(await jpeg({ width: 200, height: 200 }))
    for (const what of ['logo', 'background'] as const) {
      const { url } = (await uploadBrand(server, user, what, file)).json<{ url: string }>()
      const bytes = (await get(url)).rawPayload
      expect(shareARun(bytes, file.subarray(-30))).toBe(false)
      expect(names(bytes)).not.toContain('e1')
      expect(names(bytes)).not.toContain('eXIf')
      expect(bytes.includes('canary')).toBe(false)
    }
  })
})

describe('without a plan for it', () => {
  test('nothing is taken, before a byte of it is read, and the sentence names the plans that would', async () => {
    const user = await makeUser(server)
    for (const what of ['logo', 'background'] as const) {
      const answer = await uploadBrand(server, user, what, png)
      expect(answer.statusCode).toBe(403)
      expect(answer.json()).toMatchObject({
        code: 'forbidden',
        detail: expect.stringContaining('Pro Monthly and Pro Yearly'),
      })
    }
    expect(await me(user)).toMatchObject({ logo_url: null, background_image_url: null })
  })
  test('what was uploaded before is seen by nobody, and is there again when the plan is', async () => {
    const user = await makePro()
    const { url } = (await uploadBrand(server, user, 'logo', png)).json<{ url: string }>()
    await givePlan(server, user, 'free')
    expect((await me(user)).logo_url).toBeNull()
    expect((await get(url)).statusCode).toBe(404)
    await givePlan(server, user, 'pro_yearly')
    expect((await me(user)).logo_url).toBe(url)
    expect((await get(url)).statusCode).toBe(200)
  })
  test('a logo can still be deleted', async () => {
    const user = await makePro()
    await uploadBrand(server, user, 'logo', png)
    await givePlan(server, user, 'free')
    expect((await remove(user, 'logo')).json()).toMatchObject({ partial_success: false })
  })
})

describe('what is no picture is refused with a sentence', () => {
  const say = async (what: 'logo' | 'background', file: Buffer, options = {}) => {
    const form = formWith(file, options)
    const user = await makePro()
    const answer = await server.request({ method: 'POST', url: `/upload-${what}`, token: user.token, ...form })
    expect(await temporaryFiles(server)).toEqual([])
    return answer
  }
  test.each([
    ['an empty file', 'logo', Buffer.alloc(0), 415],
    ['a page', 'logo', Buffer.from('<!doctype html><script>alert(1)</script>'), 415],
    ['a text with a picture in its name', 'background', Buffer.from('hello'), 415],
    ['half a picture', 'logo', png.subarray(0, 300), 422],
    ['a drawing as a background', 'background', Buffer.from(plainSvg), 415],
    [
      'a picture of 40,000 by 40,000',
      'logo',
      Buffer.concat([png.subarray(0, 16), Buffer.from([0, 0, 156, 64, 0, 0, 156, 64]), png.subarray(24)]),
      413,
    ],
  ] as const)('%s', async (_, what, file, status) => {
    const answer = await say(what, file)
    expect(answer.statusCode).toBe(status)
    expect(JSON.stringify(answer.json())).toMatch(/\w+ \w+.*\./)
  })
  test('a file over 10 MB, however small the picture', async () => {
    const answer = await say('logo', Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024)]))
    expect(answer.statusCode).toBe(413)
    expect(answer.json().detail).toContain('10 MB')
  })
  test('a form without a file', async () => {
    expect((await say('logo', png, { field: 'other' })).statusCode).toBe(422)
  })

  const hostile = hostileSvgs('http://127.0.0.1:9')
  test.each(
    isRecord ? Object.keys(hostile) : ['script', 'handler', 'foreignObject', 'billion laughs', 'huge view box'],
  )('an SVG with a stranger in it: %s', async (name) => {
    const answer = await say('logo', Buffer.from(hostile[name]!))
    expect([415, 422]).toContain(answer.statusCode)
  })
  test('a plain SVG becomes a picture, and markup is never served', async () => {
    const user = await makePro()
    const { url } = (await uploadBrand(server, user, 'logo', Buffer.from(plainSvg))).json<{ url: string }>()
    const answer = await get(url)
    expect(answer.headers['content-type']).toBe('image/png')
    expect(answer.rawPayload.includes('<svg')).toBe(false)
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'png', width: 1024, height: 512 })
  })
})

describe('deleting', () => {
  test('removes the bytes and says so; a second time there is none', async () => {
    const user = await makePro()
    const { url } = (await uploadBrand(server, user, 'logo', png)).json<{ url: string }>()
    expect((await remove(user, 'logo')).json()).toEqual({ partial_success: false, detail: 'Logo deleted successfully' })
    expect(await stored()).not.toContain(keyOf(url))
    expect((await me(user)).logo_url).toBeNull()
    expect((await get(url)).statusCode).toBe(404)
    expect((await remove(user, 'logo')).statusCode).toBe(404)
    expect((await remove(user, 'background')).statusCode).toBe(404)
  })
  test('of what was gone from storage already cleans the profile and says so', async () => {
    const user = await makePro()
    const { url } = (await uploadBrand(server, user, 'background', png)).json<{ url: string }>()
    await rm(fileOf(url))
    const answer = await remove(user, 'background')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ partial_success: true, detail: expect.stringContaining('already be gone') })
    expect((await me(user)).background_image_url).toBeNull()
    await letTimePass(server)
    await expectConsistent(server)
  })
  test('while the store fails cleans the profile, and the bytes go later', async () => {
    const user = await makePro()
    const { url } = (await uploadBrand(server, user, 'logo', png)).json<{ url: string }>()
    const { storage } = server.app.deps
    const whole = storage.remove
    storage.remove = () => Promise.reject(new Error('the store is away'))
    try {
      expect((await remove(user, 'logo')).json()).toMatchObject({ partial_success: true })
    } finally {
      storage.remove = whole
    }
    expect((await me(user)).logo_url).toBeNull()
    expect(await stored()).toContain(keyOf(url))
    await letTimePass(server)
    expect(await stored()).not.toContain(keyOf(url))
    await expectConsistent(server)
  })
  test('and uploading at once, again and again, leaves one truth', async () => {
    const user = await makePro()
    for (let round = 0; round < 4; round++) {
      await uploadBrand(server, user, 'logo', png)
      const answers = await Promise.all([
        remove(user, 'logo'),
        uploadBrand(server, user, 'logo', png),
        remove(user, 'logo'),
        uploadBrand(server, user, 'logo', png),
      ])
      expect(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 404)).toBe(true)
      const { logo_url: url } = await me(user)
      const seen = url === null ? 'none' : (await get(url)).statusCode
      expect(['none', 200]).toContain(seen)
    }
    await letTimePass(server)
    await expectConsistent(server)
  })
})

test('a third upload at the same time waits outside', async () => {
  const user = await makePro()
  const answers = await Promise.all([1, 2, 3].map(() => uploadBrand(server, user, 'logo', png)))
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 429])
})

/** The newest letter to an address. */
async function letterTo(address: string): Promise<Email> {
  const folder = join(server.dir, 'outbox')
  const found: Email[] = []
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.eml'))) {
    const mail = await PostalMime.parse(await readFile(join(folder, name)))
    if (mail.to?.some((to) => to.address === address)) found.push(mail)
  }
  const [newest] = found
  if (!newest) throw new Error('there is no letter')
  return newest
}

describe('guests', () => {
  test('get the logo with the letter, inside of it, and after the plan ended the plain one', async () => {
    const user = await makePro()
    const { url } = (await uploadBrand(server, user, 'logo', png)).json<{ url: string }>()
    const { id } = (await upload(server, user, await jpeg())).json<Photo>()
    await server.work()
    const ask = async (email: string): Promise<Email> => {
      await server.request({ method: 'POST', url: `/photos/${id}/request-email`, body: { email } })
      await server.work()
      return letterTo(email)
    }
    const letter = await ask('guest-with-logo@example.com')
    const logo = letter.attachments.find(({ contentId }) => contentId === '<logo>')!
    expect(logo).toMatchObject({ mimeType: 'image/png', disposition: 'inline' })
    expect(Buffer.from(logo.content as ArrayBuffer).equals((await get(url)).rawPayload)).toBe(true) // bytes, not text
    expect(letter.html).toContain('cid:logo')
    expect(letter.attachments).toHaveLength(2)
    await givePlan(server, user, 'free')
    const plain = await ask('guest-without@example.com')
    expect(plain.attachments).toHaveLength(1)
    expect(plain.html).not.toContain('cid:')
  })
  test('see the logo on their page as long as the plan has it, and never a name', async () => {
    const user = await makePro()
    const { url } = (await uploadBrand(server, user, 'logo', png)).json<{ url: string }>()
    const { id } = (await upload(server, user, await jpeg())).json<Photo>()
    await server.work()
    const page = async (): Promise<string> =>
      (await server.request({ method: 'GET', url: `/request-photo/${id}` })).body
    expect(await server.app.deps.media.by('id', id)).toMatchObject({
      logo: { key: keyOf(url), width: 300, height: 200 },
    })
    expect(await page()).not.toContain(user.email)
    await givePlan(server, user, 'free')
    server.app.deps.media.forgetAll()
    expect(await server.app.deps.media.by('id', id)).toMatchObject({ logo: null })
    expect(await page()).not.toContain(path(url))
  })
})
