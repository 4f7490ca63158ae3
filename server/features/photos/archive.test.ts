import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { truncate } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { callOperator, makeOperator, makeUser, type TestUser, upload } from '../../test/test-data.ts'
import { useServer } from '../../test/harness.ts'
import { storedFilePath } from '../../test/consistency-check.ts'
import { photoFile } from '../../test/photo-actions.ts'
import { entriesOf, longBytes, zipDownloads } from '../../test/zip-downloads.ts'

const server = useServer({ LOG_LEVEL: 'silent' })

const { query, photosOf, lengthen, download, begin } = zipDownloads(server)
const ask = ({ token }: TestUser, body: object) =>
  server.request({ method: 'POST', url: '/photos/archive', token, body })
const linkOf = async (user: TestUser, body: object): Promise<string> => {
  const answer = await ask(user, body)
  expect([answer.statusCode, answer.body]).toEqual([201, expect.stringContaining('"url"')])
  return new URL(answer.json<{ url: string }>().url).pathname
}
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

describe('photos as one ZIP file', () => {
  const files = Array.from({ length: 12 }, (_, number) => ({
    name: `IMG_${number}.jpg`,
    bytes: randomBytes(20_000 + number * 977),
  }))

  test('are whole, with a name, a length and times by the clock of the account; 40 cuts resumed give the same bytes', async () => {
    const user = await makeUser(server)
    await query(
      `update users set time_zone = 'Europe/Brussels', brand_name = 'Foto Huis', language = 'nl' where id = $1`,
      [user.id],
    )
    const ids = await photosOf(user, files)
    const answer = await ask(user, { ids: ids.toReversed() })
    const { url, size_bytes: size } = answer.json<{ url: string; size_bytes: number }>()
    const link = new URL(url).pathname
    const whole = await download(link)
    expect(whole.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(size),
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="Foto Huis 2026-06-14 12 foto_s.zip"; filename*=UTF-8''Foto%20Huis%202026-06-14%2012%20foto%E2%80%99s.zip`,
      etag: expect.stringMatching(/^"\w{22}"$/),
    })
    expect(whole.rawPayload).toHaveLength(size)
    const entries = await entriesOf(whole.rawPayload)
    expect(
      entries.map(({ fileName, uncompressedSize, crc32: checksum }) => [fileName, uncompressedSize, checksum]),
    ).toEqual(files.map(({ name, bytes }) => [name, bytes.length, crc32(bytes)]))
    for (const { bytes } of files) expect(whole.rawPayload.includes(bytes)).toBe(true)
    const dosTime = entries[1]!.lastModFileTime
    expect([dosTime >> 11, (dosTime >> 5) & 63]).toEqual([22, 0])
    // What is known from now on.
    const known = await query<{ crc32: string }>('select crc32 from stored_objects where key = $1', [`full/${ids[0]}`])
    expect(Number(known[0]!.crc32)).toBe(crc32(files[0]!.bytes))
    const head = await download(link, {}, 'HEAD')
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, String(size), ''])
    expect((await download(link, { range: `bytes=${size}-` })).statusCode).toBe(416)

    const etag = String(whole.headers.etag)
    const pieces: Buffer[] = []
    let received = 0
    for (let cut = 0; received < size; cut += 1) {
      const resumed = await begin(link, received === 0 ? {} : { range: `bytes=${received}-`, 'if-range': etag })
      expect(resumed.statusCode).toBe(received === 0 ? 200 : 206)
      const stopAt = cut < 40 ? received + Math.ceil((Math.random() * (size - received)) / (40 - cut)) : size
      for await (const chunk of resumed as AsyncIterable<Buffer>) {
        pieces.push(chunk.subarray(0, stopAt - received))
        received += pieces.at(-1)!.length
        if (received >= stopAt) break
      }
      resumed.destroy()
    }
    expect(sha256(Buffer.concat(pieces))).toBe(sha256(whole.rawPayload))
  })

  test('are those of an evening until 6:00, without what is not ready, failed or blocked', async () => {
    const user = await makeUser(server)
    await query(`update users set time_zone = 'Asia/Kolkata' where id = $1`, [user.id])
    const times = ['2026-06-14T00:29:59Z', '2026-06-14T00:30:00Z', '2026-06-15T00:29:59Z', '2026-06-15T00:30:00Z']
    const ids = await photosOf(
      user,
      [...times, '2026-06-14T12:00:00Z', '2026-06-14T12:00:01Z', '2026-06-14T12:00:02Z'].map((at, number) => ({
        ...files[number]!,
        at,
      })),
    )
    await query(`update photos set hidden_at = now() where id = $1`, [ids[1]])
    await query(`update photos set state = 'failed' where id = $1`, [ids[4]])
    await query(`update photos set operator_decision = 'hide', operator_decided_at = now() where id = $1`, [ids[5]])
    await query(`update photos set deleted_at = now() where id = $1`, [ids[6]])
    const whole = await download(await linkOf(user, { on: '2026-06-14' }))
    expect(whole.headers['content-disposition']).toBe('attachment; filename="Keepsnap 2026-06-14 2 photos.zip"')
    expect((await entriesOf(whole.rawPayload)).map(({ fileName }) => fileName)).toEqual(['IMG_1.jpg', 'IMG_2.jpg'])
    const [blocked, none] = [await ask(user, { ids: [ids[4], ids[5]] }), await ask(user, { on: '2026-06-16' })]
    expect([blocked.statusCode, none.statusCode]).toEqual([409, 404])
  })

  test('have names that differ in every file system', async () => {
    const user = await makeUser(server)
    const names = { 'a.jpg': 'a.jpg', 'A.JPG': 'A (2).jpg', '../passwd': 'passwd.jpg', 'été.jpg': 'été.jpg' }
    const shown = Object.entries({ ...names, 'e\u0301te\u0301.PNG': 'été (2).jpg', '': 'photo.jpg' })
    const ids = await photosOf(
      user,
      shown.map(([name], number) => ({ ...files[number]!, name })),
    )
    const { rawPayload } = await download(await linkOf(user, { ids }))
    expect((await entriesOf(rawPayload)).map(({ fileName }) => fileName)).toEqual(shown.map(([, name]) => name))
  })

  test('that were processed by this version need not be read again', async () => {
    const user = await makeUser(server)
    const { id } = (await upload(server, user, photoFile)).json<{ id: string }>()
    await server.work()
    const known = await query<{ key: string; crc32: string }>(
      'select key, crc32 from stored_objects join photos on full_key = key where photos.id = $1',
      [id],
    )
    const { rawPayload } = await download(await linkOf(user, { ids: [id] }))
    const [entry] = await entriesOf(rawPayload)
    const start = 30 + entry!.fileNameLength + 9
    expect(Number(known[0]!.crc32)).toBe(crc32(rawPayload.subarray(start, start + entry!.uncompressedSize)))
  })

  test('are refused with a reason, and nobody else can ask for them', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)]
    const [mine, gone, damaged] = await photosOf(user, files.slice(0, 3))
    const [theirs] = await photosOf(other, files.slice(3, 4))
    const refused = async (body: object) => {
      const answer = await ask(user, body)
      const { detail } = answer.json<{ detail: string | { msg: string }[] }>()
      return [answer.statusCode, typeof detail === 'string' ? detail : detail[0]!.msg]
    }
    expect(await refused({})).toEqual([422, 'Give one of ids, on and event'])
    expect(await refused({ ids: [mine], on: '2026-06-14' })).toEqual([422, 'Give one of ids, on and event'])
    expect(await refused({ on: '2026-02-30' })).toEqual([422, 'Please give a day as yyyy-mm-dd'])
    expect(await refused({ ids: [mine, '../../x'] })).toEqual([422, 'These are not the ids of photos'])
    await query('update photos set deleted_at = now() where id = $1', [gone])
    const one = 'One of these photos no longer exists. Please select them again.'
    expect(await refused({ ids: [mine, theirs] })).toEqual([404, one])
    expect(await refused({ ids: [mine, gone, theirs, mine] })).toEqual([
      404,
      '2 of these photos no longer exist. Please select them again.',
    ])
    await truncate(storedFilePath(server, `full/${damaged}`), 5)
    expect(await refused({ ids: [mine, damaged] })).toEqual([
      409,
      'IMG_2.jpg cannot be read. Please leave it out, or try again later.',
    ])
    expect((await ask(user, { ids: [mine, mine] })).statusCode).toBe(201)
  })

  test('have a link of ten minutes; who began in time resumes for six hours; it ends with the account and the password', async () => {
    const user = await makeUser(server)
    const [id] = await photosOf(user, files.slice(0, 1))
    const link = await linkOf(user, { ids: [id] })
    const etag = String((await download(link)).headers.etag)
    const age = (minutes: number) =>
      query(`update photo_archives set created_at = now() - make_interval(mins => $2) where user_id = $1`, [
        user.id,
        minutes,
      ])
    const answers = async () => [
      (await download(link)).statusCode,
      (await download(link, {}, 'HEAD')).statusCode,
      (await download(link, { range: 'bytes=9-' })).statusCode,
      (await download(link, { range: 'bytes=9-', 'if-range': '"another"' })).statusCode,
      (await download(link, { range: 'bytes=9-', 'if-match': '*' })).statusCode,
      (await download(link, { range: 'bytes=9-', 'if-range': etag })).statusCode,
      (await download(link, { range: 'bytes=9-', 'if-match': etag })).statusCode,
    ]
    await age(9)
    expect(await answers()).toEqual([200, 200, 206, 200, 206, 206, 206])
    await age(11)
    expect(await answers()).toEqual([404, 404, 404, 404, 404, 206, 206])
    await age(361)
    expect(await answers()).toEqual(Array.from({ length: 7 }, () => 404))
    await query("select graphile_worker.add_job('clean-up', '{}'::json)")
    await server.work()
    expect(await query('select 1 from photo_archives where user_id = $1', [user.id])).toEqual([])

    const second = await linkOf(user, { ids: [id] })
    await query('update users set is_active = false where id = $1', [user.id])
    expect((await download(second)).statusCode).toBe(404)
    await query('update users set is_active = true, media_epoch = media_epoch + 1 where id = $1', [user.id])
    expect((await download(second)).statusCode).toBe(404)
    const third = await linkOf(user, { ids: [id] })
    await query('update photos set deleted_at = now() where id = $1', [id])
    expect((await download(third)).statusCode).toBe(404)
    expect((await download(`${third}x`)).statusCode).toBe(404)
  })

  test.each(['deleted', 'hidden by an operator', 'hidden when the next one begins', 'replaced', 'cut off'] as const)(
    'end in the middle when a photo is %s',
    async (what) => {
      const [user, operator] = [await makeUser(server), await makeOperator(server)]
      const [first, second] = await photosOf(user, files.slice(0, 2))
      await lengthen(first!)
      const answer = await begin(await linkOf(user, { ids: [first, second] }))
      const length = Number(answer.headers['content-length'])
      const ended = once(answer, 'error')
      const hide = (id: string | undefined) => async () => {
        await server.request({ method: 'POST', url: `/photos/${id}/report`, body: { reason: 'me' } })
        const decided = await callOperator(server, operator, `photos/${id}/hide`, {
          reason: 'Complaint',
          message: 'Asked for',
        })
        expect(decided.statusCode).toBe(200)
      }
      const act: Record<typeof what, () => Promise<unknown>> = {
        deleted: () => server.request({ method: 'DELETE', url: `/photos/${first}`, token: user.token }),
        'hidden by an operator': hide(first),
        'hidden when the next one begins': hide(second),
        replaced: () => query(`update photos set full_key = 'full/' || id || 'x' where id = $1`, [second]),
        'cut off': () => truncate(storedFilePath(server, `full/${second}`), 5),
      }
      await act[what]()
      if (what === 'replaced') server.app.deps.mediaCache.invalidatePhoto(second!)
      let read = 0
      answer.on('data', (chunk: Buffer) => (read += chunk.length))
      await ended
      expect(read).toBeLessThan(length)
      expect(read > longBytes).toBe(what !== 'deleted' && what !== 'hidden by an operator')
    },
  )

  test('are sent six times at once to one account', async () => {
    const user = await makeUser(server)
    const [id] = await photosOf(user, files.slice(0, 1))
    await lengthen(id!)
    const link = await linkOf(user, { ids: [id] })
    const answers: IncomingMessage[] = []
    for (let count = 0; count < 7; count += 1) answers.push(await begin(link))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200, 429])
    answers[0]!.destroy()
    await expect.poll(async () => (await begin(link)).statusCode).toBe(200)
    for (const answer of answers) answer.destroy()
  })
})
