import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { idempotencyKeyOfOtherFile as otherFile } from '@keepsnap/contract/public-api.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { readJpeg, rebuildJpeg } from '../../images/jpeg/jpeg.ts'
import { hashOf, newId, newSecret } from '../../lib/ids.ts'
import {
  makeUserWithKey,
  uploadByKey,
  grantPlan,
  makeUser,
  multipartForm,
  type TestUser,
  upload,
  uploadInHalves,
  validPassword,
} from '../../test/test-data.ts'
import { expectConsistent, runOverdueWork } from '../../test/consistency-check.ts'
import { startServer, type TestServer, useServer } from '../../test/harness.ts'
import { emailsTo } from '../../test/outbox.ts'
import { logWithSeed, repetitions } from '../../test/statistics.ts'
import { changeAccount } from '../accounts/operator-changes.ts'
import { addSession } from '../accounts/sessions.ts'
import { photoActions, photoFile } from '../../test/photo-actions.ts'
import { reachedPercent } from '../plans/usage.ts'
import { newStorageKey } from './stored-objects.ts'
import { createUploadSlots, reserveUpload } from './upload.ts'

/** Another node on the same database. */
let otherNode: TestServer
let address: string
const server = useServer()
beforeAll(async () => {
  otherNode = await startServer({}, { database: server.database })
  address = await server.listen()
})
afterAll(async () => {
  await otherNode.close()
})

const { get, uploaded, processedPhoto, uploadsThisMonth, storedFiles, photoRowsOf } = photoActions(() => server)
const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const statusOfUpload = async (user: TestUser, file = photoFile, options: Parameters<typeof upload>[3] = {}) =>
  (await upload(server, user, file, options)).statusCode
const isReceiving = async (user: TestUser): Promise<boolean> =>
  (await photoRowsOf(user)).some(({ state }) => state === 'receiving')
/** Uploads a photo, and runs `between` when its place in the month is taken and its body is not complete. */
const uploadDuring = (
  user: TestUser,
  between: () => Promise<unknown>,
  {
    url = '/photos/upload',
    file = photoFile,
    headers = {},
  }: { url?: string; file?: Buffer; headers?: Record<string, string> } = {},
) =>
  uploadInHalves(address, user, {
    url,
    file,
    headers,
    async between() {
      await expect.poll(() => isReceiving(user), { interval: 5 }).toBe(true)
      await between()
    },
  })
/** As if a user had uploaded so many photos in this month. */
const useUploads = (user: TestUser, uploads: number) =>
  query(
    `insert into usage_months values ($1, date_trunc('month', now() at time zone 'utc')::date, $2)
   on conflict (user_id, month) do update set uploads = excluded.uploads`,
    [user.id, uploads],
  )

describe('an upload', () => {
  test('is answered with the photo, stored and queued', async () => {
    const user = await makeUser(server)
    const response = await upload(server, user, photoFile, { filename: 'IMG_4380.jpg' })
    expect(response.statusCode).toBe(201)
    expect(response.json()).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      filename: 'IMG_4380.jpg',
      b2_url: null,
      screen_url: null,
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

  test('with the same Idempotency-Key is the same photo, by the page and by an API key', async () => {
    const { user, key } = await makeUserWithKey(server)
    const headers = { 'idempotency-key': 'a key of the client' }
    const answers = [
      await upload(server, user, photoFile, { headers }),
      await upload(server, user, photoFile, { headers }),
      await uploadByKey(server, key, photoFile, { headers }),
    ]
    const first = answers[0]!.json<Photo>()
    expect(answers.map((answer) => answer.json<Photo>().id)).toEqual([first.id, first.id, first.id])
    expect(answers.map((answer) => answer.headers['idempotent-replayed'])).toEqual([undefined, 'true', 'true'])
    expect((await uploaded(user, photoFile)).id).not.toBe(first.id)
    expect((await uploaded(await makeUser(server), photoFile, { headers })).id).not.toBe(first.id)
    expect(await uploadsThisMonth(user)).toBe(2)
    const atOnce = { headers: { 'idempotency-key': 'at once' } }
    const both = await Promise.all([1, 2].map(() => statusOfUpload(user, photoFile, atOnce)))
    expect(both.toSorted((a, b) => a - b)).toEqual([201, 409])
    await server.request({ method: 'DELETE', url: `/photos/${first.id}`, token: user.token })
    expect(await statusOfUpload(user, photoFile, { headers })).toBe(409)
    for (const key of ['', 'x'.repeat(129)])
      expect(await statusOfUpload(user, photoFile, { headers: { 'idempotency-key': key } })).toBe(400)
  })

  test('with the Idempotency-Key of another file is refused and changes nothing, by the page and by an API key', async () => {
    const { user, key } = await makeUserWithKey(server)
    const headers = { 'idempotency-key': 'of another file' }
    // Stored alike: the comment is metadata.
    const withComment = (comment: string) =>
      Buffer.concat([Buffer.from(`\xff\xd8\xff\xfe\0\x05${comment}`, 'latin1'), photoFile.subarray(2)])
    const file = withComment('one')
    const first = await uploaded(user, file, { headers })
    const before = [await photoRowsOf(user), await uploadsThisMonth(user), await storedFiles()]
    const refusal = [422, { code: 'invalid', detail: [{ loc: ['header', 'Idempotency-Key'], msg: otherFile }] }]
    for (const other of [withComment('two'), file.subarray(0, -1), Buffer.from('no photo'), Buffer.alloc(0)])
      for (const answer of [
        await upload(server, user, other, { headers }),
        await uploadByKey(server, key, other, { headers }),
      ])
        expect([answer.statusCode, answer.json()]).toEqual(refusal)
    expect([await photoRowsOf(user), await uploadsThisMonth(user), await storedFiles()]).toEqual(before)
    // The plan of the first request may have allowed more.
    const large = Buffer.concat([photoFile, Buffer.alloc(50 * 1024 ** 2)])
    await grantPlan(server, user, 'free')
    expect((await upload(server, user, large, { headers })).json()).toEqual(refusal[1])
    await server.request({ method: 'DELETE', url: `/photos/${first.id}`, token: user.token })
    expect(await statusOfUpload(user, file, { headers })).toBe(409)
    expect(await statusOfUpload(user, photoFile, { headers })).toBe(422)
  })

  test('that is still under way has its Idempotency-Key to itself, and a key from before hashes were stored names any file', async () => {
    const user = await makeUser(server)
    const headers = { 'idempotency-key': 'under way' }
    const other = Buffer.concat([photoFile, Buffer.alloc(1)])
    const between = async (): Promise<void> => {
      const answer = await upload(otherNode, user, other, { headers })
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([409, '2'])
    }
    const [status, first] = await uploadDuring(user, between, { headers })
    expect(status).toBe(201)
    expect(await statusOfUpload(user, other, { headers })).toBe(422)
    await query('update photos set upload_sha256 = null where user_id = $1', [user.id])
    expect(await uploaded(user, other, { headers })).toEqual(first)
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

  test('is shown under the name of its file, without folders', async () => {
    const user = await makeUser(server)
    for (const [filename, shown] of [
      ['../../../etc/cron.d/evil.jpg', 'evil.jpg'],
      ['Ballonnen – été.jpg', 'Ballonnen – été.jpg'],
      ['', 'photo'],
    ] as const)
      expect((await uploaded(user, photoFile, { filename })).filename).toBe(shown)
  })

  test('by an API key is processed as by the page, and refused for the same reasons', async () => {
    const { user, key } = await makeUserWithKey(server)
    const { id } = (await uploadByKey(server, key, photoFile)).json<Photo>()
    await server.work()
    expect((await get(user, `/photos/${id}`)).json()).toMatchObject({
      filename: 'photo.jpg',
      processing_complete: true,
    })
    const text = await uploadByKey(server, key, Buffer.from('not an image'))
    expect([text.statusCode, text.json()]).toMatchObject([415, { code: 'not_an_image' }])
    await query('update usage_months set uploads = 1000 where user_id = $1', [user.id])
    const full = await uploadByKey(server, key, photoFile)
    expect([full.statusCode, full.json()]).toMatchObject([403, { code: 'quota_photos' }])
    expect(await photoRowsOf(user)).toHaveLength(1)
    await query('delete from users where id = $1', [user.id])
  })
})

describe('an upload that is not a photo is refused, and nothing of it is stored', () => {
  const html = Buffer.from('<!doctype html><script>alert(1)</script>'.padEnd(500))
  const pngOf16kPixels = Buffer.from('89504e470d0a1a0a0000000d494844520000400000004000080200000000000000', 'hex')
  test.each([
    ['an empty file', Buffer.alloc(0), 415, 'not_an_image'],
    ['HTML named .jpg', html, 415, 'not_an_image'],
    ['a PDF', Buffer.from('%PDF-1.7\n'.padEnd(300)), 415, 'not_an_image'],
    ['two bytes', Buffer.from([0xff, 0xd8]), 415, 'not_an_image'],
    ['a PNG of 268 megapixels', Buffer.concat([pngOf16kPixels, Buffer.alloc(300)]), 413, 'too_large'],
  ])('%s', async (_, file, status, code) => {
    const user = await makeUser(server)
    const files = (await storedFiles()).length
    const answer = await upload(server, user, file)
    expect([answer.statusCode, answer.json()]).toEqual([status, { code, detail: expect.stringMatching(/^[A-Z].+\.$/) }])
    expect([await photoRowsOf(user), await uploadsThisMonth(user)]).toEqual([[], 0])
    expect((await storedFiles()).length).toBe(files)
  })

  test('a file over the 50 MB of the plan, with and without a Content-Length', async () => {
    const user = await makeUser(server)
    const form = multipartForm(Buffer.concat([photoFile, Buffer.alloc(50 * 1024 * 1024)]))
    const call = { method: 'POST', url: '/photos/upload' } as const
    const answer = await server.request({ ...call, token: user.token, ...form })
    const detail = 'This file is larger than 50 MB, the limit of your plan, Free. Reduce its size and try again.'
    expect([answer.statusCode, answer.json()]).toMatchObject([413, { detail }])
    function* chunks(): Generator<Buffer> {
      for (let at = 0; at < form.body.length; at += 1024 * 1024) yield form.body.subarray(at, at + 1024 * 1024)
    }
    const streamed = await fetch(address + call.url, {
      method: 'POST',
      headers: { ...form.headers, authorization: `Bearer ${user.token}` },
      body: ReadableStream.from(chunks()),
      duplex: 'half',
    })
    expect(streamed.status).toBe(413)
    expect(await photoRowsOf(user)).toEqual([])
  })

  const part = (name: string): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.jpg"\r\n\r\n`
  const twoFiles = ['file', 'file'].flatMap((name) => [Buffer.from(part(name)), photoFile, Buffer.from('\r\n')])
  test.each([
    ['a form without a file', '--b--\r\n', 422],
    ['a file in another field', `${part('photo')}abc\r\n--b--\r\n`, 422],
    ['two files at once', Buffer.concat([...twoFiles, Buffer.from('--b--\r\n')]), 422],
  ])('%s', async (_, body, status) => {
    const user = await makeUser(server)
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const answer = await server.request({ method: 'POST', url: '/photos/upload', token: user.token, headers, body })
    expect(answer.statusCode).toBe(status)
    expect([await photoRowsOf(user), await uploadsThisMonth(user)]).toEqual([[], 0])
  })
})

describe('an upload is refused and leaves nothing when meanwhile', () => {
  const signedOut = [401, { code: 'unauthorized', detail: 'Please sign in.' }]
  const wrongKey = [401, { code: 'unauthorized', detail: 'Invalid or missing API key' }]
  const noAccess = [403, { code: 'forbidden', detail: 'API access not available with your current subscription' }]
  const call = (user: TestUser, method: 'POST' | 'DELETE', url: string, body?: object) =>
    server.request({ method, url, token: user.token, body })
  const newPassword = { current_password: validPassword, new_password: 'Better.Battery.7' }

  test.each<[string, (user: TestUser) => Promise<unknown>]>([
    ['its user signs out', (user) => call(user, 'POST', '/logout')],
    ['its user signs out everywhere', (user) => call(user, 'DELETE', '/user/sessions')],
    ['its user changes the password', (user) => call(user, 'POST', '/user/password', newPassword)],
    ['the account is closed', (user) => changeAccount(server.db, user.email, { is_active: false })],
  ])('%s', async (_, end) => {
    const user = await makeUser(server)
    const earlier = await uploaded(user)
    expect(await uploadDuring(user, () => end(user))).toEqual(signedOut)
    expect((await photoRowsOf(user)).map(({ id }) => id)).toEqual([earlier.id])
    expect(await uploadsThisMonth(user)).toBe(1)
  })

  test.each<[string, (user: TestUser, keyId: string) => Promise<unknown>, unknown[]]>([
    ['its API key is deleted', (user, id) => call(user, 'DELETE', `/api/keys/${id}`), wrongKey],
    ['its API key expires', (_, id) => query('update api_keys set expires_at = now() where id = $1', [id]), wrongKey],
    ['the plan of its API key loses API access', (user) => grantPlan(server, user, 'pro_monthly'), noAccess],
    ['the account of its API key is deleted', (user) => query('delete from users where id = $1', [user.id]), wrongKey],
  ])('%s', async (_, end, refusal) => {
    const { user, key, keyId } = await makeUserWithKey(server)
    const byKey = { url: '/api/upload', headers: { 'x-api-key': key, authorization: '' } }
    expect(await uploadDuring(user, () => end(user, keyId), byKey)).toEqual(refusal)
    expect(await photoRowsOf(user)).toEqual([])
  })

  test('and afterwards all files, rows and counters agree', async () => {
    await server.work()
    await runOverdueWork(server)
    await expectConsistent(server)
  })

  test('its Idempotency-Key stays unused, and that of an acknowledged upload stays in use', async () => {
    const user = await makeUser(server)
    const headers = { 'idempotency-key': 'an event' }
    const newSession = async (): Promise<TestUser> => {
      const token = newSecret()
      await addSession(server.db, { tokenHash: hashOf(token), userId: user.id, userAgent: undefined })
      return { ...user, token }
    }
    const [status] = await uploadDuring(user, () => call(user, 'POST', '/logout'), { headers })
    expect(status).toBe(401)
    const second = await newSession()
    const accepted = await upload(server, second, photoFile, { headers })
    expect(accepted.statusCode).toBe(201)
    await call(second, 'POST', '/logout')
    expect((await uploaded(await newSession(), photoFile, { headers })).id).toBe(accepted.json<Photo>().id)
  })
})

describe('files that were chosen together', () => {
  const order = (position: number, selection = 'evening') => ({
    query: `?selection=${selection}&position=${position}`,
  })
  test('are listed in the chosen order, whichever arrives first', async () => {
    const user = await makeUser(server)
    const add = (filename: string, options = {}) => uploaded(user, photoFile, { filename, ...options })
    await add('before.jpg')
    for (const position of [2, 0, 1]) await add(`${position}.jpg`, order(position))
    await add('other.jpg', order(0, 'morning'))
    const names = (await get(user, '/photos')).json<Photo[]>().map(({ filename }) => filename)
    expect(names).toEqual(['other.jpg', '2.jpg', '1.jpg', '0.jpg', 'before.jpg'])
  })

  test('have times in the chosen order, also fifty of them at once', async () => {
    const user = await makeUser(server)
    await grantPlan(server, user, 'pro_monthly')
    const positions = Array.from({ length: 50 }, (_, index) => (index * 37) % 50)
    const reserve = (position: number) => {
      const upload = { id: newId(), userId: user.id, code: newId(), originalKey: newStorageKey('orig') }
      return reserveUpload(server.db, {
        ...upload,
        idempotencyKey: undefined,
        order: { selection: 'fifty', position },
      })
    }
    await Promise.all(positions.map(reserve))
    const rows: { selection_position: number; created_at: Date }[] = await photoRowsOf(user)
    // As clients see them: in milliseconds.
    const inOrder = rows.toSorted((a, b) => a.selection_position - b.selection_position)
    const times = inOrder.map(({ created_at }) => created_at.getTime())
    expect(times).toHaveLength(50)
    for (const [index, time] of times.slice(1).entries()) expect(time).toBeGreaterThan(times[index]!)
  })

  test('are in the order of their arrival after an hour', async () => {
    const user = await makeUser(server)
    const first = await uploaded(user, photoFile, order(5))
    await query("update photos set created_at = created_at - interval '2 hours' where id = $1", [first.id])
    const late = await uploaded(user, photoFile, order(1))
    expect(Date.parse(late.created_at)).toBeGreaterThan(Date.parse(first.created_at) - 60_000)
  })
})

describe('the quota of a month', () => {
  test('returns no place when a photo is deleted, and has more places on a larger plan', async () => {
    const user = await makeUser(server)
    await useUploads(user, 9)
    const { id } = await uploaded(user)
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    const refused = await upload(server, user, photoFile)
    const detail = expect.stringContaining('Your plan, Free, includes 10 photos a month')
    expect([refused.statusCode, refused.json()]).toEqual([403, { code: 'quota_photos', detail }])
    await grantPlan(server, user, 'pro_monthly')
    expect(await statusOfUpload(user)).toBe(201)
  })

  test('gives its last place to one of many concurrent uploads to two nodes', async () => {
    const [rounds, uploads] = [repetitions(1, 50), repetitions(20, 50)]
    for (let round = 0; round < rounds; round++) {
      const user = await makeUser(server)
      await useUploads(user, 9)
      const answers = await Promise.all(
        Array.from({ length: uploads }, (_, n) => upload(n % 2 ? server : otherNode, user, photoFile)),
      )
      const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
      expect(statuses).toEqual([201, ...Array.from({ length: uploads - 1 }, () => 403)])
      expect(await photoRowsOf(user)).toHaveLength(1)
      await query('delete from rate_hits')
    }
    logWithSeed(`${rounds} rounds of ${uploads} uploads for one place`)
  })

  test('is that of the plan that counts when the upload begins', async () => {
    const user = await makeUser(server)
    await grantPlan(server, user, 'pro_monthly')
    await useUploads(user, 10)
    // Taken with the larger plan, the place stays, although the plan ends before the photo is complete.
    expect(await uploadDuring(user, () => grantPlan(server, user, 'free'))).toMatchObject([201, {}])
    const refused = await upload(server, user, photoFile)
    expect(refused.json()).toMatchObject({ detail: expect.stringContaining('Your plan, Free,') })
    await grantPlan(server, user, 'pro_monthly')
    expect(await statusOfUpload(user)).toBe(201)
  })

  test('has all its places again when the next one begins', async () => {
    const user = await makeUser(server)
    await useUploads(user, 10)
    await query("update usage_months set month = (month - interval '1 day')::date where user_id = $1", [user.id])
    expect(await statusOfUpload(user)).toBe(201)
  })

  test('counts an upload in the month in which it began, also when the next one begins before its end', async () => {
    const user = await makeUser(server)
    await useUploads(user, 9)
    const monthEnds = () =>
      query(
        `with moved as (update usage_months set month = (month - interval '1 month')::date where user_id = $1 returning month)
       update photos set counted_month = moved.month from moved where user_id = $1`,
        [user.id],
      )
    expect(await uploadDuring(user, monthEnds)).toMatchObject([201, {}])
    const counts = async () =>
      (await query('select uploads from usage_months where user_id = $1 order by month', [user.id])).rows
    expect(await counts()).toEqual([{ uploads: 10 }])
    expect(await statusOfUpload(user)).toBe(201)
    expect(await counts()).toEqual([{ uploads: 10 }, { uploads: 1 }])
  })
})

describe('the quota of storage', () => {
  const setSize = ({ id }: Photo, bytes: number) =>
    query('update photos set full_bytes = $2 where id = $1', [id, bytes])

  test('that is full refuses the next photo, and deleting a photo frees it', async () => {
    const user = await makeUser(server)
    const large = await processedPhoto(user)
    await setSize(large, 1024 ** 3 - 10)
    const refused = await upload(server, user, photoFile)
    const detail = expect.stringContaining('includes 1 GB of storage')
    expect([refused.statusCode, refused.json()]).toEqual([403, { code: 'quota_storage', detail }])
    expect(await photoRowsOf(user)).toHaveLength(1)
    await server.request({ method: 'DELETE', url: `/photos/${large.id}`, token: user.token })
    expect(await statusOfUpload(user)).toBe(201)
  })

  test('is that of the plan that counts when the photo is complete, whichever way the plan changed', async () => {
    const user = await makeUser(server)
    await grantPlan(server, user, 'pro_monthly')
    await setSize(await processedPhoto(user), 2 * 1024 ** 3)
    const uploadWhile = (plan: 'free' | 'pro_monthly') => uploadDuring(user, () => grantPlan(server, user, plan))
    const detail = expect.stringContaining('Your plan, Free, includes 1 GB')
    expect(await uploadWhile('free')).toMatchObject([403, { code: 'quota_storage', detail }])
    expect(await uploadWhile('pro_monthly')).toMatchObject([201, {}])
    expect(await photoRowsOf(user)).toHaveLength(2)
  })

  test('admits one of many uploads to two nodes that would each fit', async () => {
    const user = await makeUser(server)
    const large = await processedPhoto(user)
    const [{ thumb_bytes: thumbnail }] = await photoRowsOf(user)
    await setSize(large, 1024 ** 3 - thumbnail - photoFile.length - 10)
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, n) => upload(n % 2 ? server : otherNode, user, photoFile)),
    )
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    expect(statuses).toEqual([201, ...Array.from({ length: 8 }, () => 403)])
  })
})

test('a file that the plan allowed when its upload began is accepted after the plan has ended', async () => {
  const user = await makeUser(server)
  await grantPlan(server, user, 'pro_monthly')
  const file = Buffer.concat([photoFile, Buffer.alloc(50 * 1024 ** 2)])
  expect(await uploadDuring(user, () => grantPlan(server, user, 'free'), { file })).toMatchObject([201, {}])
})

test('the thresholds of usage are reached exactly', () => {
  expect([0, 7, 8, 9, 10, 11].map((used) => reachedPercent(used, 10))).toEqual([0, 0, 80, 80, 100, 100])
})

/** What the emails about usage say that a user got, oldest first. */
async function warningsOf({ id }: TestUser): Promise<string[]> {
  const what = "payload->>'subject' || ' ' || (payload->>'percent')"
  const ofUser = "from emails where user_id = $1 and kind = 'usage' order by created_at"
  return (await query(`select ${what} as what ${ofUser}`, [id])).rows.map((row) => row.what)
}

describe('the email about the photos of a month', () => {
  test('is sent once at 80 % and once at 100 %, and names what is used', async () => {
    const user = await makeUser(server)
    await useUploads(user, 7)
    for (let n = 0; n < 3; n++) await uploaded(user)
    expect(await warningsOf(user)).toEqual(['photos 80', 'photos 100'])
    await upload(server, user, photoFile)
    expect(await warningsOf(user)).toHaveLength(2)
    await server.work()
    const emails = await emailsTo(server, user.email)
    const subjects = ['You’ve used 8 of your 10 photos this month', 'You’ve used all 10 photos of this month']
    expect(new Set(emails.map(({ subject }) => subject))).toEqual(new Set(subjects))
    expect(emails[0]?.text).toContain('http://photos.test/pricing')
  })

  test('is one, the higher one, when a single upload reaches both, and none for a deactivated account', async () => {
    const user = await makeUser(server)
    await useUploads(user, 9)
    await uploaded(user)
    expect(await warningsOf(user)).toEqual(['photos 100'])
    await query('update users set is_active = false where id = $1', [user.id])
    await server.work()
    expect(await emailsTo(server, user.email)).toEqual([])
  })

  test('is sent again in the next month, and for a larger plan', async () => {
    const user = await makeUser(server)
    await useUploads(user, 7)
    await uploaded(user)
    await query("update usage_warnings set month = (month - interval '1 month')::date where user_id = $1", [user.id])
    await uploaded(user)
    expect(await warningsOf(user)).toEqual(['photos 80', 'photos 80'])
    await grantPlan(server, user, 'pro_monthly')
    await uploaded(user)
    expect(await warningsOf(user)).toHaveLength(2)
    await useUploads(user, 79)
    await uploaded(user)
    expect(await warningsOf(user)).toHaveLength(3)
  })

  test('counts no upload that is still in progress', async () => {
    const user = await makeUser(server)
    await useUploads(user, 8)
    await query(
      `insert into photos (id, user_id, code, filename, state, counted_month, expires_at)
     select 'receiving' || n || $1, $1, 'code' || n || $1, '', 'receiving', date_trunc('month', now() at time zone 'utc')::date, now() + interval '1 hour'
     from generate_series(1, 3) as n`,
      [user.id],
    )
    await uploaded(user)
    expect(await warningsOf(user)).toEqual([])
    await uploaded(user)
    expect(await warningsOf(user)).toEqual([])
  })

  test('is queued once when uploads to two nodes reach the threshold together', async () => {
    const user = await makeUser(server)
    await useUploads(user, 6)
    const uploads = Array.from({ length: 4 }, (_, n) => upload(n % 2 ? server : otherNode, user, photoFile))
    for (const { statusCode } of await Promise.all(uploads)) expect(statusCode).toBe(201)
    // The two nodes may queue them in either order.
    expect((await warningsOf(user)).toSorted().toReversed()).toEqual(['photos 80', 'photos 100'])
  })
})

describe('the email about storage', () => {
  /** Makes a photo so large that so many percent of a gigabyte are used. */
  const useStorage = (photoId: string, percent: number) =>
    query(
      "update photos set full_key = coalesce(full_key, 'full/' || id), thumb_bytes = 0, full_bytes = $2 where id = $1",
      [photoId, Math.round((1024 ** 3 * percent) / 100)],
    )

  test('is sent once for each time that a threshold is crossed', async () => {
    const user = await makeUser(server)
    const [large, small] = [await uploaded(user), await uploaded(user)]
    await useStorage(large.id, 79.999)
    for (let n = 0; n < 2; n++) await uploaded(user)
    expect(await warningsOf(user)).toEqual(['storage 80'])
    // Still above after this deletion, then below.
    await server.request({ method: 'DELETE', url: `/photos/${small.id}`, token: user.token })
    await uploaded(user)
    expect(await warningsOf(user)).toHaveLength(1)
    await useStorage(large.id, 60)
    const { id } = await uploaded(user)
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    await useStorage(large.id, 85)
    await uploaded(user)
    expect(await warningsOf(user)).toEqual(['storage 80', 'storage 80'])
  })

  test('says that the storage is full when a photo no longer fits, once', async () => {
    const user = await makeUser(server)
    await useStorage((await processedPhoto(user)).id, 99.9999)
    for (let n = 0; n < 3; n++) expect(await statusOfUpload(user)).toBe(403)
    expect(await warningsOf(user)).toEqual(['storage 100'])
    await server.work()
    const subjects = (await emailsTo(server, user.email)).map(({ subject }) => subject)
    expect(subjects).toEqual(['Your storage of 1\u{a0}GB is full'])
  })
})

describe('upload slots', () => {
  /** Uploads of Anna that use all slots, until the function that is returned ends them. */
  function useAllSlots(withUploadSlot: ReturnType<typeof createUploadSlots>) {
    const finish = Promise.withResolvers<void>()
    const uploads = Array.from({ length: limits.uploadsAtOncePerUser }, () =>
      withUploadSlot('anna', () => finish.promise),
    )
    return async () => {
      finish.resolve()
      await Promise.all(uploads)
    }
  }

  test('an upload over the limit of its user waits for another one of that user', async () => {
    const withUploadSlot = createUploadSlots()
    const endAll = useAllSlots(withUploadSlot)
    let hasBegun = false
    const waiting = withUploadSlot('anna', async () => (hasBegun = true))
    await withUploadSlot('ben', async () => {})
    expect(hasBegun).toBe(false)
    await endAll()
    expect(await waiting).toBe(true)
  })

  test('an upload that waits too long is refused, and the slots stay usable', async () => {
    const withUploadSlot = createUploadSlots({ maxWaitMs: 10 })
    const endAll = useAllSlots(withUploadSlot)
    const late = withUploadSlot('anna', () => Promise.reject(new Error('it has begun')))
    await expect(late).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 5 })
    await endAll()
    expect(await withUploadSlot('anna', async () => 'stored')).toBe('stored')
  })

  test('the hundred-and-first upload that would wait is refused at once', async () => {
    const withUploadSlot = createUploadSlots()
    const endAll = useAllSlots(withUploadSlot)
    const waiting = Array.from({ length: 100 }, () => withUploadSlot('anna', async () => {}))
    await expect(withUploadSlot('anna', async () => {})).rejects.toMatchObject({ code: 'rate_limited' })
    await endAll()
    await Promise.all(waiting)
  })

  test('an upload that fails passes its error on and frees its slot', async () => {
    const withUploadSlot = createUploadSlots()
    for (let count = 0; count <= limits.uploadsAtOncePerUser; count++)
      await expect(withUploadSlot('anna', () => Promise.reject(new Error('no photo')))).rejects.toThrow('no photo')
  })
})
