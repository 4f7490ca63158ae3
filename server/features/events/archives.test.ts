import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import type { EventGrant } from '@keepsnap/contract/event-archives.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { storeStream } from '../../ports/storage/storage.ts'
import { useServer } from '../../test/harness.ts'
import { emailsTo, newestSecret } from '../../test/outbox.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'
import { entriesOf, longBytes, zipDownloads } from '../../test/zip-downloads.ts'
import { guestArchiveOffer } from './archives.ts'
import { findGallery } from './guest-gallery.ts'

const server = useServer({ LOG_LEVEL: 'silent' })
const { query, photosOf, lengthen, download, begin } = zipDownloads(server)
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const call = ({ token }: TestUser, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  server.request({ method, url, token, ...(body && { body }) })
const codeOf = ({ url }: Event): string => url.split('/').at(-1)!
const files = Array.from({ length: 8 }, (_, number) => ({
  name: `IMG_${number}.jpg`,
  bytes: randomBytes(20_000 + number * 977),
}))

/** An account with an event whose guests may download everything, and photos in it. */
async function makeEvent(count = 4, settings: object = {}) {
  const user = await makeUser(server)
  const body = { name: 'Lotte & Bram', gallery: 'link', guest_archive: true, ...settings }
  const event = (await call(user, 'POST', '/user/events', body)).json<Event>()
  const ids = await photosOf(user, files.slice(0, count))
  await withThumbnails(ids)
  await query('update photos set event_id = $2 where id = any($1)', [ids, event.id])
  server.app.deps.mediaCache.invalidateUser(user.id)
  return { user, event, ids, guestUrl: `/e/${codeOf(event)}/archive` }
}
async function withThumbnails(ids: readonly string[]): Promise<void> {
  const { storage } = server.app.deps
  for (const id of ids)
    await storeStream(storage, `thumb/${id}`, { source: Readable.from([Buffer.from('RIFF')]), type: 'image/webp' })
  await query(`update photos set thumb_key = 'thumb/' || id, thumb_bytes = 4 where id = any($1)`, [ids])
}
const ownerLink = async (user: TestUser, event: Event): Promise<string> => {
  const answer = await call(user, 'POST', '/photos/archive', { event: event.id })
  expect([answer.statusCode, answer.body]).toEqual([201, expect.stringContaining('"url"')])
  return new URL(answer.json<{ url: string }>().url).pathname
}
const change = async (user: TestUser, event: Event, settings: object): Promise<void> =>
  expect((await call(user, 'PUT', `/user/events/${event.id}`, settings)).statusCode).toBe(200)
const grantTo = (user: TestUser, event: Event, email: string) =>
  call(user, 'POST', `/user/events/${event.id}/grants`, { email })
let couples = 0
/** A link to all photos of an event, as the email has it. */
async function sendGrant(user: TestUser, event: Event) {
  const email = `couple-${(couples += 1)}@example.com`
  const answer = await grantTo(user, event, email)
  expect([answer.statusCode, answer.body]).toEqual([201, expect.stringContaining(email)])
  await server.work()
  return { grant: answer.json<EventGrant>(), email, path: `/a/${await newestSecret(server, email, '/a/')}` }
}
const namesIn = async (url: string): Promise<string[]> =>
  (await entriesOf((await download(url)).rawPayload)).map(({ fileName }) => fileName)

describe('all photos of an event as one file', () => {
  test('are the owner’s with their own names, also hidden ones, however many; without those of others, blocked, waiting and failed ones', async () => {
    const { user, event, ids } = await makeEvent(7, { name: 'Lotte / Bram' })
    await photosOf(user, files.slice(7))
    await query('update photos set hidden_at = now() where id = $1', [ids[1]])
    await query(`update photos set operator_decision = 'hide', operator_decided_at = now() where id = $1`, [ids[2]])
    await query(`update photos set review = 'waiting' where id = $1`, [ids[3]])
    await query(`update photos set state = 'failed' where id = $1`, [ids[4]])
    await query(`update photos set deleted_at = now() where id = $1`, [ids[5]])
    const size = await call(user, 'GET', `/user/events/${event.id}/archive`)
    const kept = [files[0]!, files[1]!, files[6]!]
    expect(size.json()).toEqual({ photos: 3, size_bytes: kept.reduce((sum, { bytes }) => sum + bytes.length, 0) })
    const link = await ownerLink(user, event)
    const whole = await download(link)
    expect(whole.headers['content-disposition']).toBe('attachment; filename="Lotte - Bram 3 photos.zip"')
    expect((await entriesOf(whole.rawPayload)).map(({ fileName }) => fileName)).toEqual(kept.map(({ name }) => name))
    for (const { bytes } of kept) expect(whole.rawPayload.includes(bytes)).toBe(true)
  })

  test('are whole after cuts at random offsets, and new and whole when a photo has closed meanwhile', async () => {
    const { user, event, ids, guestUrl } = await makeEvent(8)
    const links = [guestUrl, await ownerLink(user, event), `${(await sendGrant(user, event)).path}/archive`]
    for (const link of links) {
      const whole = await download(link)
      const [etag, size] = [String(whole.headers.etag), whole.rawPayload.length]
      const pieces: Buffer[] = []
      let received = 0
      for (let cut = 0; received < size; cut += 1) {
        const headers = received === 0 ? {} : { range: `bytes=${received}-`, 'if-range': etag }
        const answer = await begin(link, headers)
        expect(answer.statusCode).toBe(received === 0 ? 200 : 206)
        const stopAt = cut < 6 ? received + Math.ceil((Math.random() * (size - received)) / (6 - cut)) : size
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          pieces.push(chunk.subarray(0, stopAt - received))
          received += pieces.at(-1)!.length
          if (received >= stopAt) break
        }
        answer.destroy()
      }
      expect(sha256(Buffer.concat(pieces))).toBe(sha256(whole.rawPayload))
    }
    const tags = await Promise.all(links.map(async (link) => String((await download(link, {}, 'HEAD')).headers.etag)))
    await call(user, 'DELETE', `/photos/${ids[2]}`)
    for (const [index, condition] of ['if-range', 'if-range', 'if-match'].entries())
      await expect
        .poll(async () => {
          const again = await download(links[index]!, { range: 'bytes=9-', [condition]: tags[index]! })
          return [again.statusCode, again.statusCode === 200 && (await entriesOf(again.rawPayload)).length]
        })
        .toEqual([200, 7])
  })

  test('have a link of ten minutes; who began in time goes on, also when photos have changed', async () => {
    const { user, event, ids } = await makeEvent(3)
    const link = await ownerLink(user, event)
    const etag = String((await download(link)).headers.etag)
    await query(`update photo_archives set created_at = now() - interval '11 minutes' where user_id = $1`, [user.id])
    const resume = (proof: string) => download(link, { range: 'bytes=9-', 'if-range': proof })
    expect([(await download(link)).statusCode, (await resume('"another"')).statusCode]).toEqual([404, 404])
    expect((await resume(etag)).statusCode).toBe(206)
    await call(user, 'DELETE', `/photos/${ids[0]}`)
    await expect.poll(async () => (await resume(etag)).statusCode).toBe(200)
    await query('update users set media_epoch = media_epoch + 1 where id = $1', [user.id])
    expect((await resume(etag)).statusCode).toBe(404)
  })

  test('have names that stay in their folder and differ, and tell guests nothing of the owner’s', async () => {
    const { user, event, ids, guestUrl } = await makeEvent(4)
    const names = ['../../etc/passwd', '..\\..\\x.jpg', 'a\u202egpj.exe', 'A.JPG']
    for (const [index, name] of names.entries())
      await query('update photos set filename = $2, created_at = $3 where id = $1', [
        ids[index],
        name,
        new Date(Date.UTC(2026, 5, 14, 20, 0, index)),
      ])
    await query(`update users set time_zone = 'Europe/Brussels' where id = $1`, [user.id])
    expect(await namesIn(await ownerLink(user, event))).toEqual(['passwd.jpg', 'x.jpg', 'agpj.jpg', 'A.jpg'])
    const neutral = 'keepsnap-2026-06-14-2200'
    expect(await namesIn(guestUrl)).toEqual([
      `${neutral}.jpg`,
      `${neutral} (2).jpg`,
      `${neutral} (3).jpg`,
      `${neutral} (4).jpg`,
    ])
  })

  test('leave out a photo whose file is damaged', async () => {
    const { user, event, ids } = await makeEvent(3)
    await query('update photos set full_bytes = 5 where id = $1', [ids[1]])
    expect(await namesIn(await ownerLink(user, event))).toEqual(['IMG_0.jpg', 'IMG_2.jpg'])
  })

  test('belong to an event of this account that is not deleted and has photos', async () => {
    const { user, event } = await makeEvent(1)
    const other = await makeUser(server)
    const link = await ownerLink(user, event)
    for (const who of [other, user]) {
      if (who === user) await call(user, 'DELETE', `/user/events/${event.id}`)
      const answers = [
        await call(who, 'POST', '/photos/archive', { event: event.id }),
        await call(who, 'GET', `/user/events/${event.id}/archive`),
      ]
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404])
    }
    await expect.poll(async () => (await download(link)).statusCode).toBe(404)
    const empty = (await call(user, 'POST', '/user/events', { name: 'Empty' })).json<Event>()
    const answer = await call(user, 'POST', '/photos/archive', { event: empty.id })
    expect([answer.statusCode, answer.body]).toEqual([404, expect.stringContaining('no photos to download yet')])
  })
})

describe('guests download all photos of an event', () => {
  const closed: Record<string, object> = {
    'the owner does not allow it': { guest_archive: false },
    'the gallery is off': { gallery: 'off' },
    'the gallery opens later': { gallery_opens_at: '2199-01-01T00:00:00Z' },
    'the gallery has closed': { closes_at: '2020-01-01T00:00:00Z' },
    'an email address is asked for': { ask_email: true },
  }
  test.each(Object.entries(closed))('not while %s, and a download under way ends', async (_, settings) => {
    const { user, event, ids, guestUrl } = await makeEvent(2)
    await lengthen(ids[0]!)
    expect((await download(guestUrl, {}, 'HEAD')).statusCode).toBe(200)
    const offer = async () => guestArchiveOffer(server.db, (await findGallery(server.db, codeOf(event)))!)
    expect(await offer()).toEqual({ photos: 2, bytes: longBytes + files[1]!.bytes.length, url: guestUrl })
    const pageFor = async (agent: string): Promise<string> =>
      (await server.request({ method: 'GET', url: `/e/${codeOf(event)}`, headers: { 'user-agent': agent } })).body
    expect(await pageFor('Mozilla/5.0 (X11) Firefox/140')).toContain(`/e/${codeOf(event)}/archive`)
    expect(await pageFor('Mozilla/5.0 (iPhone)')).not.toContain('/archive')
    const answer = await begin(guestUrl)
    const ended = once(answer, 'error')
    await change(user, event, settings)
    let read = 0
    answer.on('data', (chunk: Buffer) => (read += chunk.length))
    await ended
    expect(read).toBeLessThan(longBytes)
    expect((await offer())?.url ?? null).toBe(null)
    for (const headers of [{}, { range: 'bytes=9-' }, { 'if-none-match': '*' }] as Record<string, string>[])
      for (const method of ['GET', 'HEAD'] as const)
        expect((await download(guestUrl, headers, method)).statusCode).toBe(404)
    const page = await download(guestUrl, { accept: 'text/html' })
    expect([page.statusCode, page.body]).toEqual([404, expect.stringContaining('<!doctype html>')])
  })

  test.each(['hidden', 'moved', 'with its event deleted'] as const)(
    'until a photo that comes next is %s',
    async (what) => {
      const { user, event, ids, guestUrl } = await makeEvent(3)
      await lengthen(ids[0]!)
      const answer = await begin(guestUrl)
      const ended = once(answer, 'error')
      const next = ids[1]
      const act: Record<typeof what, () => Promise<unknown>> = {
        hidden: () => call(user, 'PUT', `/photos/${next}`, { hidden: true }),
        moved: () => query('update photos set event_id = null where id = $1', [next]),
        'with its event deleted': () => call(user, 'DELETE', `/user/events/${event.id}`),
      }
      await act[what]()
      server.app.deps.mediaCache.invalidateUser(user.id)
      let read = 0
      answer.on('data', (chunk: Buffer) => (read += chunk.length))
      await ended
      expect(read).toBeLessThan(Number(answer.headers['content-length']))
      expect(read > longBytes).toBe(what !== 'with its event deleted')
    },
  )

  test('twenty at a time, beside two of the owner and two of each link; a page tells people to come back', async () => {
    const { user, event, ids, guestUrl } = await makeEvent(1)
    await lengthen(ids[0]!)
    const [link, { path }] = [await ownerLink(user, event), await sendGrant(user, event)]
    const statusesOf = async (url: string, count: number): Promise<IncomingMessage[]> =>
      Promise.all(Array.from({ length: count }, () => begin(url)))
    const all = [
      await statusesOf(guestUrl, eventLimits.guestDownloadsAtOnce + 5),
      await statusesOf(link, eventLimits.downloadsAtOnce + 1),
      await statusesOf(`${path}/archive`, eventLimits.downloadsAtOnce + 1),
    ]
    const taken = all.map((answers) => answers.filter(({ statusCode }) => statusCode === 200).length)
    expect(taken).toEqual([eventLimits.guestDownloadsAtOnce, eventLimits.downloadsAtOnce, eventLimits.downloadsAtOnce])
    const refused = await download(guestUrl, { accept: 'text/html' })
    expect([refused.statusCode, refused.headers['retry-after'], refused.body]).toEqual([
      429,
      '30',
      expect.stringContaining('One moment'),
    ])
    for (const answer of all.flat()) answer.destroy()
    await expect.poll(async () => (await begin(guestUrl)).statusCode).toBe(200)
  })

  test('by a code of this event alone', async () => {
    const [one, other] = [await makeEvent(1), await makeEvent(1, { guest_archive: false })]
    expect((await download(one.guestUrl)).statusCode).toBe(200)
    expect((await download(one.guestUrl, { range: 'bytes=9-' })).statusCode).toBe(206)
    expect((await download(one.guestUrl, { range: 'bytes=0-0' })).statusCode).toBe(206)
    expect((await download(one.guestUrl, { 'user-agent': 'facebookexternalhit/1.1' })).statusCode).toBe(200)
    expect((await download(other.guestUrl)).statusCode).toBe(404)
    await server.app.deps.guestActivity.flush()
    const counted = 'select user_id, archives from event_activity where event_id = any($1)'
    const rows = await query(counted, [[one.event.id, other.event.id]])
    expect(rows).toEqual([{ user_id: one.user.id, archives: 1 }])
    await query('update event_codes set revoked_at = now() where event_id = $1', [one.event.id])
    expect((await download(one.guestUrl)).statusCode).toBe(404)
    expect((await download('/e/0000000000000000000000/archive')).statusCode).toBe(404)
  })
})

describe('a link to all photos of an event', () => {
  let made: Awaited<ReturnType<typeof makeEvent>>
  beforeEach(async () => {
    made = await makeEvent(3)
  })

  test('shows and gives what is open, whatever the gate and the gallery say, in the language of the reader', async () => {
    const { user, event, ids } = made
    await change(user, event, { ask_email: true, gallery: 'off', guest_archive: false })
    await query('update photos set hidden_at = now() where id = $1', [ids[2]])
    server.app.deps.mediaCache.invalidateUser(user.id)
    const { path } = await sendGrant(user, event)
    const page = await download(path)
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(page.body).toContain('Lotte &amp; Bram')
    expect(page.body).toContain('2 photos')
    for (const secret of [...ids, event.id]) expect(page.body).not.toContain(secret)
    const tiles = [...page.body.matchAll(/href="(\/a\/[\w-]+\/p\/[\w-]+)"/g)].map(([, url]) => url!)
    expect(tiles).toHaveLength(2)
    // The newest first.
    const photo = await download(tiles[0]!)
    expect(photo.rawPayload.equals(files[1]!.bytes)).toBe(true)
    expect((await download(`${tiles[0]}?download=1`)).headers['content-disposition']).toMatch(
      /^attachment; filename="keepsnap-/,
    )
    expect((await namesIn(`${path}/archive`)).length).toBe(2)
    expect((await download(path, { 'accept-language': 'nl' })).body).toContain('Alles downloaden')

    // Tokens work with their own link alone, and for open photos alone.
    const { path: otherPath } = await sendGrant(user, event)
    expect((await download(tiles[0]!.replace(path, otherPath))).statusCode).toBe(404)
    const hidden = server.app.deps.tokens.galleryPhotos(`grant ${(await grantsOf(user, event)).at(-1)!.id}`)
    expect((await download(`${path}/p/${hidden.encrypt(ids[2]!)}`)).statusCode).toBe(404)
    expect((await download(`${path}/p/${hidden.encrypt(ids[1]!)}`)).statusCode).toBe(200)
    const { ids: others } = await makeEvent(1)
    expect((await download(`${path}/p/${hidden.encrypt(others[0]!)}`)).statusCode).toBe(404)
  })
  test('hands out nothing that opens a thumbnail without it', async () => {
    const { user, event, ids } = made
    const { path } = await sendGrant(user, event)
    const [, tile] = /href="(\/a\/[\w-]+\/p\/[\w-]+)"/.exec((await download(path)).body)!
    const tag = String((await download(`${tile}/thumbnail`)).headers.etag)
    expect((await download(`${tile}/thumbnail`, { 'if-none-match': tag })).statusCode).toBe(304)
    expect((await download(`/t/${ids.at(-1)}`)).statusCode).toBe(200)
    expect((await download(`/t/${tag.replaceAll('"', '')}`)).statusCode).toBe(404)
  })
  const grantsOf = async (user: TestUser, event: Event): Promise<EventGrant[]> =>
    (await call(user, 'GET', `/user/events/${event.id}/grants`)).json<{ grants: EventGrant[] }>().grants

  test('shows pages of photos, and says when there are none yet', async () => {
    const { user, event, ids } = made
    const { path } = await sendGrant(user, event)
    await query(`update photos set event_id = null where id = any($1)`, [ids])
    expect((await download(path)).body).toContain('There are no photos yet')
    await query(`update photos set event_id = $2, state = 'queued' where id = $1`, [ids[0], event.id])
    expect((await download(path)).body).toContain('1 more photo is being prepared.')
    const many = await photosOf(
      user,
      Array.from({ length: eventLimits.grantPagePhotos + 1 }, () => files[0]!),
    )
    await query(`update photos set event_id = $2, created_at = now(), thumb_key = 'thumb/' || id where id = any($1)`, [
      many,
      event.id,
    ])
    const first = (await download(path)).body
    expect(first.match(/<img/g)).toHaveLength(eventLimits.grantPagePhotos)
    const older = /href="([^"]+\?before=[^"]+)"/.exec(first)![1]!
    const second = (await download(older)).body
    expect([second.match(/<img/g)?.length, second.includes(`href="${path}"`)]).toEqual([1, true])
  })

  test('ends when it is revoked or expired, its event is deleted or its account deactivated, and a download with it', async () => {
    const { user, event, ids } = made
    await lengthen(ids[0]!)
    const statuses = async (path: string, tile: string) => [
      (await download(path)).statusCode,
      (await download(`${path}/archive`, {}, 'HEAD')).statusCode,
      (await download(tile, {}, 'HEAD')).statusCode,
      (await download(`${tile}/thumbnail`, {}, 'HEAD')).statusCode,
    ]
    const ends: Record<string, (grant: EventGrant) => Promise<unknown>> = {
      revoked: ({ id }) => call(user, 'DELETE', `/user/events/${event.id}/grants/${id}`),
      'revoked after a review': ({ id }) => call(user, 'POST', '/user/event-grants/revocation', { ids: [id] }),
      expired: ({ id }) => query('update event_grants set expires_at = now() where id = $1', [id]),
      deactivated: () => query('update users set is_active = false where id = $1', [user.id]),
    }
    for (const [what, end] of Object.entries(ends)) {
      const { grant, path } = await sendGrant(user, event)
      const tiles = [...(await download(path)).body.matchAll(/href="(\/a\/[\w-]+\/p\/[\w-]+)"/g)].map(([, url]) => url!)
      const tile = tiles[0]!
      expect(await statuses(path, tile)).toEqual([200, 200, 200, 200])
      const answers = [await begin(`${path}/archive`), await begin(tiles.at(-1)!)]
      const ended = answers.map((answer) => once(answer, 'error'))
      await end(grant)
      server.app.deps.mediaCache.invalidateUser(user.id)
      for (const answer of answers) answer.resume()
      await Promise.all(ended)
      expect([what, ...(await statuses(path, tile))]).toEqual([what, 404, 404, 404, 404])
      expect((await download(path)).body).toContain('This link doesn’t work any more')
      await query('update users set is_active = true where id = $1', [user.id])
    }
    const { path } = await sendGrant(user, event)
    await call(user, 'DELETE', `/user/events/${event.id}`)
    expect((await download(path)).statusCode).toBe(404)
    await call(user, 'POST', `/user/events/${event.id}/undo-delete`)
    expect((await download(path)).statusCode).toBe(200)
    await query(`update event_grants set revoked_at = now() - interval '8 days' where event_id = $1`, [event.id])
    await query("select graphile_worker.add_job('clean-up', '{}'::json)")
    await server.work()
    expect(await grantsOf(user, event)).toEqual([])
  })

  test('is sent after a recent password alone, tells the owner, and is sent again with the same link', async () => {
    const { user, event } = made
    await query(`update sessions set created_at = now() - interval '11 minutes' where user_id = $1`, [user.id])
    const unconfirmed = await grantTo(user, event, 'couple@example.com')
    expect(unconfirmed.json()).toMatchObject({ code: 'confirm_password' })
    await query(`update sessions set created_at = now() where user_id = $1`, [user.id])
    const { grant, email, path } = await sendGrant(user, event)
    const [first] = await emailsTo(server, email)
    expect([first!.subject, first!.text]).toEqual([
      'All photos of Lotte & Bram',
      expect.stringContaining('3 photos now'),
    ])
    const told = (await emailsTo(server, user.email)).map(({ text = '' }) => text)
    expect(told.some((text) => text.includes(email))).toBe(true)
    expect((await grantTo(user, event, email.toUpperCase())).statusCode).toBe(409)
    expect((await grantTo(user, event, 'nobody')).statusCode).toBe(422)
    const resend = () => call(user, 'POST', `/user/events/${event.id}/grants/${grant.id}/resend`)
    expect((await resend()).json()).toMatchObject({ id: grant.id, state: 'queued' })
    await server.work()
    expect(`/a/${await newestSecret(server, email, '/a/')}`).toBe(path)
    expect(await grantsOf(user, event)).toMatchObject([{ id: grant.id, email, state: 'sent', revoked_at: null }])
    await query(
      `insert into emails (id, kind, user_id, recipient, recipient_key, state, give_up_at)
       select 'x' || n || $1, 'event-grant', $1, 'a@b.co', 'a@b.co', 'sent', now() from generate_series(1, 30) as n`,
      [user.id],
    )
    expect((await resend()).statusCode).toBe(429)
    expect((await call(user, 'GET', '/user/event-grants')).json()).toMatchObject({
      grants: [{ id: grant.id, event_id: event.id, event_name: 'Lotte & Bram' }],
    })
    await query(
      `insert into event_grants (id, event_id, email, secret_hash, expires_at)
       select 'g' || n || $1, $1, 'a@b.co', sha256(convert_to('g' || n || $1, 'utf8')), now() + interval '1 day' from generate_series(2, $2::int) as n`,
      [event.id, eventLimits.grantsMax],
    )
    const oneMore = await grantTo(user, event, 'one-more@example.com')
    expect([oneMore.statusCode, oneMore.body]).toEqual([409, expect.stringContaining('the most there can be')])
  })
})
