import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { changeAccount } from '../accounts/operator-changes.ts'
import { readJpeg, rebuildJpeg } from '../../images/jpeg/jpeg.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { newClientAddress, startServer, type TestServer } from '../../test/harness.ts'
import { multipartForm, makeUser, upload, type TestUser } from '../../test/test-data.ts'

let server: TestServer
const photo = await jpeg()
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const get = (user: TestUser, url: string) => server.request({ method: 'GET', url, token: user.token })
const uploaded = async (user: TestUser, file = photo, options: Parameters<typeof upload>[3] = {}): Promise<Photo> =>
  (await upload(server, user, file, options)).json<Photo>()
/** An uploaded photo, processed. */
const processedPhoto = async (user: TestUser, file = photo): Promise<Photo> => {
  const { id } = await uploaded(user, file)
  await server.work()
  return (await get(user, `/photos/${id}`)).json<Photo>()
}
const pathOf = (address: string | null): string => new URL(address!).pathname + new URL(address!).search
const usedThisMonth = async (user: TestUser): Promise<number> =>
  (
    await server.app.deps.pool.query(
      'select coalesce(sum(uploads), 0)::int as n from usage_months where user_id = $1',
      [user.id],
    )
  ).rows[0].n
const storedFiles = async (): Promise<string[]> =>
  (await readdir(join(server.dir, 'files'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
const rowsOf = async (user: TestUser) =>
  (await server.app.deps.pool.query('select * from photos where user_id = $1', [user.id])).rows

describe('an upload', () => {
  test('is answered with the photo, stored and queued', async () => {
    const user = await makeUser(server)
    const response = await upload(server, user, photo, { filename: 'IMG_4380.jpg' })
    expect(response.statusCode).toBe(201)
    expect(response.json()).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      filename: 'IMG_4380.jpg',
      b2_url: null,
      thumbnail_url: null,
      qr_code_url: expect.stringMatching(/^http:\/\/photos\.test\/qr\/d\/[0-9A-Za-z]{22}$/),
      email_qr_code_url: expect.stringMatching(/^http:\/\/photos\.test\/qr\/r\/[0-9A-Za-z]{22}$/),
      created_at: expect.stringMatching(/Z$/),
      processing: true,
      processing_complete: false,
      processing_failed: false,
      error_message: null,
      width: null,
      height: null,
      thumbhash: null,
      hidden: false,
      size_bytes: null,
    })
    const [row] = await rowsOf(user)
    // The hash of the stored bytes, which are those of the upload without its metadata.
    const read = readJpeg(photo)
    const hash = createHash('sha256')
    for (const part of read.lossless ? rebuildJpeg(read) : []) hash.update(part)
    expect(row.original_sha256).toEqual(hash.digest())
  })

  test('becomes a full image, a thumbnail and two QR codes', async () => {
    const user = await makeUser(server)
    const ready = await processedPhoto(user)
    expect(ready).toMatchObject({
      processing: false,
      processing_complete: true,
      processing_failed: false,
      error_message: null,
      width: expect.any(Number),
      height: expect.any(Number),
      thumbhash: expect.any(String),
    })
    const full = await server.request({ method: 'GET', url: pathOf(ready.b2_url) })
    expect(full.statusCode).toBe(200)
    expect(full.headers['content-type']).toBe('image/jpeg')
    expect(full.rawPayload.length).toBe(ready.size_bytes)
    const thumbnail = await server.request({ method: 'GET', url: pathOf(ready.thumbnail_url) })
    expect(thumbnail.headers['content-type']).toBe('image/webp')
    expect((await get(user, '/user/me')).json().photo_count).toBe(1)
  })

  test('leaves only the served files: the original is removed once the photo is ready', async () => {
    const user = await makeUser(server)
    const before = new Set(await storedFiles())
    const ready = await processedPhoto(user)
    const added = (await storedFiles()).filter((name) => !before.has(name))
    expect(added.sort()).toEqual(
      [pathOf(ready.b2_url).split('/')[2]!.split('?')[0]!, pathOf(ready.thumbnail_url).split('/')[2]!].sort(),
    )
  })

  test('with the same Idempotency-Key is the same photo', async () => {
    const user = await makeUser(server)
    const headers = { 'idempotency-key': 'a key of the client' }
    const first = await uploaded(user, photo, { headers })
    expect((await uploaded(user, photo, { headers })).id).toBe(first.id)
    expect((await uploaded(user, photo)).id).not.toBe(first.id)
    expect((await uploaded(await makeUser(server), photo, { headers })).id).not.toBe(first.id)
    expect(await usedThisMonth(user)).toBe(2)
    const both = await Promise.all(
      [1, 2].map(() => upload(server, user, photo, { headers: { 'idempotency-key': 'at once' } })),
    )
    expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409])
    await server.request({ method: 'DELETE', url: `/photos/${first.id}`, token: user.token })
    expect((await upload(server, user, photo, { headers })).statusCode).toBe(409)
    expect((await upload(server, user, photo, { headers: { 'idempotency-key': 'x'.repeat(129) } })).statusCode).toBe(
      400,
    )
  })

  test.each([
    ['../../../etc/cron.d/evil.jpg', 'evil.jpg'],
    ['C:\\\\Users\\\\anna\\\\photo.jpg', 'photo.jpg'],
    ['Ballonnen – été.jpg', 'Ballonnen – été.jpg'],
    ['', 'photo'],
  ])('named %j is shown as %j', async (filename, shown) => {
    expect((await uploaded(await makeUser(server), photo, { filename })).filename).toBe(shown)
  })
})

describe('an upload that is not a photo is refused, and nothing of it is stored', () => {
  const html = Buffer.from('<!doctype html><script>alert(1)</script>'.padEnd(500))
  const pngOf16kPixels = Buffer.from('89504e470d0a1a0a0000000d494844520000400000004000080200000000000000', 'hex')
  test.each([
    ['an empty file', Buffer.alloc(0), 415, 'not_an_image'],
    ['HTML named .jpg', html, 415, 'not_an_image'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'.padEnd(200)), 415, 'not_an_image'],
    ['a PDF', Buffer.from('%PDF-1.7\n'.padEnd(300)), 415, 'not_an_image'],
    ['a ZIP', Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(300)]), 415, 'not_an_image'],
    ['two bytes', Buffer.from([0xff, 0xd8]), 415, 'not_an_image'],
    ['a PNG of 268 megapixels', Buffer.concat([pngOf16kPixels, Buffer.alloc(300)]), 413, 'too_large'],
  ])('%s', async (_, file, status, code) => {
    const user = await makeUser(server)
    const files = (await storedFiles()).length
    const response = await upload(server, user, file)
    expect(response.statusCode).toBe(status)
    expect(response.json()).toEqual({ code, detail: expect.stringMatching(/^[A-Z].+\.$/) })
    expect(await rowsOf(user)).toEqual([])
    expect(await usedThisMonth(user)).toBe(0)
    expect((await storedFiles()).length).toBe(files)
  })

  test('a file over the 50 MB of the plan, with and without a Content-Length', async () => {
    const user = await makeUser(server)
    const large = Buffer.concat([photo, Buffer.alloc(50 * 1024 * 1024)])
    const response = await upload(server, user, large)
    expect(response.statusCode).toBe(413)
    expect(response.json().detail).toBe(
      'This file is larger than 50 MB, the limit of your plan, Free. Reduce its size and try again.',
    )
    const form = multipartForm(large)
    const address = await server.listen()
    const streamed = await fetch(`${address}/photos/upload`, {
      method: 'POST',
      headers: { ...form.headers, authorization: `Bearer ${user.token}` },
      body: new ReadableStream({
        start(controller) {
          for (let at = 0; at < form.body.length; at += 1024 * 1024)
            controller.enqueue(form.body.subarray(at, at + 1024 * 1024))
          controller.close()
        },
      }),
      duplex: 'half',
    })
    expect(streamed.status).toBe(413)
    expect(await rowsOf(user)).toEqual([])
  })

  test.each([
    ['JSON', 'application/json', '{}', 415],
    ['no boundary', 'multipart/form-data', 'x', 400],
    [
      'a truncated form',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nabc',
      400,
    ],
    [
      'a form without a file',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\nabc\r\n--b--\r\n',
      422,
    ],
    [
      'a file in another field',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\nabc\r\n--b--\r\n',
      422,
    ],
    ['an empty body', 'multipart/form-data; boundary=b', '', 400],
  ])('%s', async (_, type, body, status) => {
    const user = await makeUser(server)
    const response = await server.request({
      method: 'POST',
      url: '/photos/upload',
      token: user.token,
      headers: { 'content-type': type },
      body,
    })
    expect(response.statusCode).toBe(status)
    expect(await rowsOf(user)).toEqual([])
    expect(await usedThisMonth(user)).toBe(0)
  })

  test('two files at once', async () => {
    const user = await makeUser(server)
    const [one, two] = [multipartForm(photo), multipartForm(photo)]
    const boundary = /boundary=(.+)$/.exec(one.headers['content-type']!)![1]!
    const second = two.body.toString('latin1').replaceAll(/------test\w+/g, `--${boundary}`)
    const body = Buffer.concat([
      one.body.subarray(0, one.body.length - boundary.length - 6),
      Buffer.from(second, 'latin1'),
    ])
    const response = await server.request({
      method: 'POST',
      url: '/photos/upload',
      token: user.token,
      headers: one.headers,
      body,
    })
    expect(response.statusCode).toBe(422)
    expect(await rowsOf(user)).toEqual([])
  })

  test('a photo that cannot be decoded fails with a reason and returns its place in the month', async () => {
    const user = await makeUser(server)
    const truncated = photo.subarray(0, Math.floor(photo.length * 0.6))
    const { id } = await uploaded(user, truncated)
    await server.work()
    const failed = (await get(user, `/photos/${id}`)).json<Photo>()
    expect(failed).toMatchObject({
      processing: false,
      processing_complete: false,
      processing_failed: true,
      b2_url: null,
      thumbnail_url: null,
      error_message: expect.stringMatching(/^[A-Z].+\.$/),
    })
    expect(await usedThisMonth(user)).toBe(0)
  })
})

describe('a failed photo', () => {
  test('can be retried while its original is stored, and only then', async () => {
    const user = await makeUser(server)
    const { id } = await uploaded(user, photo.subarray(0, Math.floor(photo.length * 0.6)))
    await server.work()
    const retry = () => server.request({ method: 'POST', url: `/photos/${id}/retry`, token: user.token })
    expect((await retry()).json()).toMatchObject({
      id,
      processing: true,
      processing_failed: false,
      error_message: null,
    })
    expect(await usedThisMonth(user)).toBe(1)
    expect((await retry()).statusCode).toBe(409)
    await server.work()
    expect(await usedThisMonth(user)).toBe(0)
    await server.app.deps.pool.query("update photos set finished_at = now() - interval '8 days' where id = $1", [id])
    await cleanUp()
    expect((await retry()).json()).toEqual({
      code: 'conflict',
      detail: 'The uploaded file has been deleted. Please upload it again.',
    })
    const ready = await processedPhoto(user)
    expect(
      (await server.request({ method: 'POST', url: `/photos/${ready.id}/retry`, token: user.token })).statusCode,
    ).toBe(409)
  })
})

const cleanUp = async (): Promise<void> => {
  await server.app.deps.pool.query("select graphile_worker.add_job('clean-up', '{}'::json)")
  await server.work()
}

describe('the month', () => {
  test('has ten places on the free plan; deleting a photo returns none', async () => {
    const user = await makeUser(server)
    const first = await uploaded(user)
    for (let n = 1; n < 10; n++) expect((await upload(server, user, photo)).statusCode).toBe(201)
    await server.request({ method: 'DELETE', url: `/photos/${first.id}`, token: user.token })
    const refused = await upload(server, user, photo)
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({
      code: 'quota_photos',
      detail: expect.stringContaining('Your plan, Free, includes 10 photos a month'),
    })
    await changeAccount(server.db, user.email, { granted_plan: 'pro_monthly', granted_until: null })
    expect((await upload(server, user, photo)).statusCode).toBe(201)
  })

  test('gives its last place to one of fifty concurrent uploads', async () => {
    const user = await makeUser(server)
    await server.app.deps.pool.query(
      "insert into usage_months values ($1, date_trunc('month', now() at time zone 'utc')::date, 9)",
      [user.id],
    )
    const responses = await Promise.all(Array.from({ length: 50 }, () => upload(server, user, photo)))
    expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(responses.filter(({ statusCode }) => statusCode === 403)).toHaveLength(49)
  })

  test('has all its places again when the next one begins', async () => {
    const user = await makeUser(server)
    await server.app.deps.pool.query(
      "insert into usage_months values ($1, (date_trunc('month', now() at time zone 'utc') - interval '1 day')::date, 10)",
      [user.id],
    )
    expect((await upload(server, user, photo)).statusCode).toBe(201)
  })
})

describe('storage', () => {
  test('that is full refuses the next photo, and deleting a photo frees it', async () => {
    const user = await makeUser(server)
    const large = await uploaded(user)
    await server.work()
    await server.app.deps.pool.query('update photos set full_bytes = $2 where id = $1', [large.id, 1024 ** 3 - 10])
    const refused = await upload(server, user, photo)
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({
      code: 'quota_storage',
      detail: expect.stringContaining('includes 1 GB of storage'),
    })
    expect(await rowsOf(user)).toHaveLength(1)
    await server.request({ method: 'DELETE', url: `/photos/${large.id}`, token: user.token })
    expect((await upload(server, user, photo)).statusCode).toBe(201)
  })
})

describe('lists', () => {
  test('are newest first, in pages, and the latest is the first of them', async () => {
    const user = await makeUser(server)
    const ids = []
    for (let n = 0; n < 5; n++) ids.unshift((await uploaded(user)).id)
    const all = await get(user, '/photos')
    expect(all.json<Photo[]>().map(({ id }) => id)).toEqual(ids)
    expect(all.headers['x-next-before']).toBeUndefined()
    const page = await get(user, '/photos?limit=2')
    expect(page.json<Photo[]>().map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(page.headers['x-next-before']).toBe(ids[1])
    const rest = await get(user, `/photos?limit=3&before=${ids[1]}`)
    expect(rest.json<Photo[]>().map(({ id }) => id)).toEqual(ids.slice(2))
    expect(rest.headers['x-next-before']).toBeUndefined()
    expect((await get(user, '/photos/latest')).json<Photo>().id).toBe(ids[0])
  })

  test.each(['limit=0', 'limit=1001', 'limit=x', 'limit=1.5', 'skip=1', `before=${'x'.repeat(200)}`])(
    'refuse the invalid query %s',
    async (query) => {
      const response = await get(await makeUser(server), `/photos?${query}`)
      expect(response.statusCode).toBe(422)
    },
  )

  test('are empty for a new user, whose latest photo does not exist', async () => {
    const user = await makeUser(server)
    expect((await get(user, '/photos')).json()).toEqual([])
    const latest = await get(user, '/photos/latest')
    expect(latest.statusCode).toBe(404)
    expect(latest.json().detail).toBe('No photos found. Upload your first photo!')
  })
})

describe('another user', () => {
  test.each([
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/retry'],
  ] as const)(
    '%s /photos/{id}%s is answered as if the photo did not exist, and changes nothing',
    async (method, suffix) => {
      const [owner, other] = [await makeUser(server), await makeUser(server)]
      const { id } = await processedPhoto(owner)
      const before = await rowsOf(owner)
      const foreign = await server.request({ method, url: `/photos/${id}${suffix}`, token: other.token })
      const unknown = await server.request({ method, url: `/photos/${'0'.repeat(22)}${suffix}`, token: other.token })
      expect([foreign.statusCode, foreign.body]).toEqual([404, unknown.body])
      expect(unknown.statusCode).toBe(404)
      expect(await rowsOf(owner)).toEqual(before)
      expect((await get(other, '/photos')).body).not.toContain(id)
      expect((await get(other, `/photos?before=${id}`)).json()).toEqual([])
    },
  )
})

describe('deletion', () => {
  test('removes the photo from every read at once, and its bytes by a job', async () => {
    const user = await makeUser(server)
    const ready = await processedPhoto(user)
    const addresses = [
      ready.b2_url,
      ready.thumbnail_url,
      ready.qr_code_url,
      ready.email_qr_code_url,
      ready.qr_code_url.replace('/qr', ''),
    ].map(pathOf)
    for (const url of addresses) expect((await server.request({ method: 'GET', url })).statusCode).toBe(200)
    expect((await server.request({ method: 'DELETE', url: `/photos/${ready.id}`, token: user.token })).statusCode).toBe(
      204,
    )
    for (const url of addresses)
      expect((await server.request({ method: 'GET', url, from: newClientAddress() })).statusCode).toBe(404)
    expect((await get(user, `/photos/${ready.id}`)).statusCode).toBe(404)
    expect((await server.request({ method: 'DELETE', url: `/photos/${ready.id}`, token: user.token })).statusCode).toBe(
      404,
    )
    await server.work()
    const files = await storedFiles()
    for (const url of addresses.slice(0, 2)) expect(files).not.toContain(url.split('/')[2]!.split('?')[0])
  })

  test('while the photo is being processed leaves nothing', async () => {
    const user = await makeUser(server)
    const files = (await storedFiles()).length
    const { id } = await uploaded(user)
    const work = server.work()
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    await work
    await server.work()
    await server.app.deps.pool.query("update stored_objects set created_at = now() - interval '2 hours'")
    await cleanUp()
    expect((await get(user, `/photos/${id}`)).statusCode).toBe(404)
    expect((await storedFiles()).length).toBe(files)
  })

  test('finally leaves no row', async () => {
    const user = await makeUser(server)
    const { id } = await processedPhoto(user)
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    await server.work()
    await server.app.deps.pool.query("update photos set deleted_at = now() - interval '26 hours' where id = $1", [id])
    await cleanUp()
    expect(await rowsOf(user)).toEqual([])
  })
})
