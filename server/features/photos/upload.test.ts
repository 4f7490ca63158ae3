import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readJpeg, rebuildJpeg } from '../../images/jpeg/jpeg.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { newId } from '../../lib/ids.ts'
import { makeUser, multipartForm, upload } from '../../test/test-data.ts'
import { photoFile, photoActions } from './test/photo-actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { uploaded, uploadsThisMonth, storedFiles, photoRowsOf } = photoActions(() => server)

describe('an upload', () => {
  test('is answered with the photo, stored and queued', async () => {
    const user = await makeUser(server)
    const response = await upload(server, user, photoFile, { filename: 'IMG_4380.jpg' })
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
      can_retry: false,
      width: null,
      height: null,
      thumbhash: null,
      hidden: false,
      operator_decision: null,
      size_bytes: null,
    })
    const [row] = await photoRowsOf(user)
    // The hash of the stored bytes, which are those of the upload without its metadata.
    const read = readJpeg(photoFile)
    const hash = createHash('sha256')
    for (const part of read.lossless ? rebuildJpeg(read) : []) hash.update(part)
    expect(row.original_sha256).toEqual(hash.digest())
  })

  test('with the same Idempotency-Key is the same photo', async () => {
    const user = await makeUser(server)
    const headers = { 'idempotency-key': 'a key of the client' }
    const first = await uploaded(user, photoFile, { headers })
    expect((await uploaded(user, photoFile, { headers })).id).toBe(first.id)
    expect((await uploaded(user, photoFile)).id).not.toBe(first.id)
    expect((await uploaded(await makeUser(server), photoFile, { headers })).id).not.toBe(first.id)
    expect(await uploadsThisMonth(user)).toBe(2)
    const both = await Promise.all(
      [1, 2].map(() => upload(server, user, photoFile, { headers: { 'idempotency-key': 'at once' } })),
    )
    expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409])
    await server.request({ method: 'DELETE', url: `/photos/${first.id}`, token: user.token })
    expect((await upload(server, user, photoFile, { headers })).statusCode).toBe(409)
    expect(
      (await upload(server, user, photoFile, { headers: { 'idempotency-key': 'x'.repeat(129) } })).statusCode,
    ).toBe(400)
  })

  test('whose node ended can be sent again with the same Idempotency-Key, and counts once', async () => {
    const user = await makeUser(server)
    const headers = { 'idempotency-key': 'sent again' }
    const { pool } = server.app.deps
    const receiving = (silentSeconds: number) =>
      pool.query(
        `with counted as (
           insert into usage_months (user_id, month, uploads) values ($1, date_trunc('month', now() at time zone 'utc')::date, 1)
           on conflict (user_id, month) do update set uploads = 1 returning month)
         insert into photos (id, user_id, code, filename, state, counted_month, idempotency_key, expires_at, original_key)
         select $2, $1, $3, '', 'receiving', month, 'sent again', now() + interval '15 minutes' - make_interval(secs => $4), $5
         from counted on conflict (id) do update set expires_at = excluded.expires_at`,
        [user.id, lost, code, silentSeconds, `orig/${lost}`],
      )
    const [lost, code] = [newId(), newId()]
    await receiving(5)
    expect((await upload(server, user, photoFile, { headers })).statusCode).toBe(409)
    await receiving(16)
    expect((await uploaded(user, photoFile, { headers })).id).not.toBe(lost)
    expect(await uploadsThisMonth(user)).toBe(1)
    expect((await pool.query('select from photos where id = $1', [lost])).rowCount).toBe(0)
  })

  test.each([
    ['../../../etc/cron.d/evil.jpg', 'evil.jpg'],
    ['C:\\\\Users\\\\anna\\\\photo.jpg', 'photo.jpg'],
    ['Ballonnen – été.jpg', 'Ballonnen – été.jpg'],
    ['', 'photo'],
  ])('named %j is shown as %j', async (filename, shown) => {
    expect((await uploaded(await makeUser(server), photoFile, { filename })).filename).toBe(shown)
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
    expect(await photoRowsOf(user)).toEqual([])
    expect(await uploadsThisMonth(user)).toBe(0)
    expect((await storedFiles()).length).toBe(files)
  })

  test('a file over the 50 MB of the plan, with and without a Content-Length', async () => {
    const user = await makeUser(server)
    const large = Buffer.concat([photoFile, Buffer.alloc(50 * 1024 * 1024)])
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
    expect(await photoRowsOf(user)).toEqual([])
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
    expect(await photoRowsOf(user)).toEqual([])
    expect(await uploadsThisMonth(user)).toBe(0)
  })

  test('two files at once', async () => {
    const user = await makeUser(server)
    const [one, two] = [multipartForm(photoFile), multipartForm(photoFile)]
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
    expect(await photoRowsOf(user)).toEqual([])
  })
})
