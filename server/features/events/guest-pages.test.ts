import { once } from 'node:events'
import { truncate } from 'node:fs/promises'
import { request } from 'node:http'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EventCode, GalleryPhoto } from '@keepsnap/contract/event-guests.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { rates } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { singleKey } from '../../lib/cryptography.ts'
import { encodeQrCode, qrCodePng } from '../../lib/qr-codes.ts'
import { publish } from '../../platform/live/bus.ts'
import { storedFilePath } from '../../test/consistency-check.ts'
import { newClientAddress, publicUrl, type TestRequest, useServer } from '../../test/harness.ts'
import { addPhotos, makeUser, type TestUser, upload } from '../../test/test-data.ts'
import { createTokens } from '../accounts/tokens.ts'

const server = useServer()
const query = async <Row extends object = object>(text: string, values: unknown[] = []) =>
  (await server.app.deps.pool.query<Row>(text, values)).rows
const call = (user: TestUser, method: TestRequest['method'], url: string, body?: object) =>
  server.request({ method, url, token: user.token, ...(body && { body }) })
const get = (url: string, headers: Record<string, string> = {}) => server.request({ method: 'GET', url, headers })
const asPerson = { accept: 'text/html', 'sec-fetch-dest': 'document' }
const pathOf = (url: string): string => new URL(url).pathname
const dayMs = 24 * 60 * 60 * 1000
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString()

/** Puts photos into an event, as moving or uploading does. */
async function putInEvent(owner: TestUser, ids: string[], event: string | null): Promise<void> {
  await query('update photos set event_id = $2 where id = any($1)', [ids, event])
  for (const photo of ids) await publish(server.db, { kind: 'photo', what: 'changed', user: owner.id, photo })
  forget(owner)
}
/** What a change of the product invalidates, after one by SQL. */
const forget = ({ id }: TestUser): void => server.app.deps.mediaCache.invalidateUser(id)

async function makeEvent(owner: TestUser, settings: object = {}) {
  const event = (
    await call(owner, 'POST', '/user/events', { name: 'Lotte & Bram', gallery: 'link', ...settings })
  ).json<Event>()
  const change = async (changes: object): Promise<void> => {
    expect((await call(owner, 'PUT', `/user/events/${event.id}`, changes)).statusCode).toBe(200)
  }
  return { ...event, path: pathOf(event.url), code: event.url.split('/').at(-1)!, change }
}
const listOf = async (path: string, before = '') =>
  (await get(`${path}/photos${before && `?before=${before}`}`)).json<{ photos: GalleryPhoto[]; next: string | null }>()

let owner: TestUser
let photo: Photo
let full: Buffer
beforeAll(async () => {
  owner = await makeUser(server)
  const { id } = (await upload(server, owner, await jpeg({ width: 2100, height: 600 }))).json<Photo>()
  await server.work()
  photo = (await call(owner, 'GET', `/photos/${id}`)).json<Photo>()
  full = (await get(pathOf(photo.b2_url!) + new URL(photo.b2_url!).search)).rawPayload
})

test('the pages of an event and of its photos carry one mark, which says nothing, and those of other photos none', async () => {
  const event = await makeEvent(owner)
  const phone = {
    ...asPerson,
    'user-agent': 'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 Chrome/142 Mobile Safari/537.36',
  }
  const code = photo.qr_code_url.split('/').at(-1)!
  const marks = async (): Promise<(string | undefined)[]> => {
    const htmls = [event.path, `/d/${code}`, `/request-photo/${photo.id}`].map(
      async (path) => (await get(path, phone)).body,
    )
    return (await Promise.all(htmls)).map((html) => /data-scanned="([^"]*)"(?: data-code="[^"]*")?/.exec(html)?.[0])
  }
  await putInEvent(owner, [photo.id], event.id)
  const [mark = ''] = await marks()
  expect(mark).toMatch(/^data-scanned="[\w-]+"$/)
  expect(mark).not.toContain(event.id)
  // Only the page that the code itself has opened has the code.
  expect(await marks()).toEqual([mark, `${mark} data-code="${code}"`, `${mark} data-code="${photo.id}"`])
  await putInEvent(owner, [photo.id], null)
  expect(await marks()).toEqual([mark, undefined, undefined])
})

describe('who may see a photo in a gallery', () => {
  let event: Awaited<ReturnType<typeof makeEvent>>
  let token: string
  beforeEach(async () => {
    await query(
      `update photos set review = 'none', hidden_at = null, operator_decision = null, operator_decided_at = null, deleted_at = null
       where id = $1`,
      [photo.id],
    )
    event = await makeEvent(owner)
    await putInEvent(owner, [photo.id], event.id)
    token = (await listOf(event.path)).photos[0]!.token
  })
  const byQuery = async (text: string): Promise<void> => {
    await query(text, [photo.id])
    await publish(server.db, { kind: 'photo', what: 'changed', user: owner.id, photo: photo.id })
    forget(owner)
  }
  const closed = [404, 404, 404, 404] as const
  test.each<[string, () => Promise<unknown>, readonly number[]]>([
    ['open', async () => {}, [200, 200, 200, 200]],
    ['open with a gate', () => event.change({ ask_email: true }), [200, 200, 302, 302]],
    ['hidden', () => call(owner, 'PUT', `/photos/${photo.id}`, { hidden: true }), closed],
    [
      'hidden by an operator',
      () => byQuery(`update photos set operator_decision = 'hide', operator_decided_at = now() where id = $1`),
      closed,
    ],
    ['waiting for its review', () => byQuery(`update photos set review = 'waiting' where id = $1`), closed],
    ['rejected', () => byQuery(`update photos set review = 'rejected' where id = $1`), closed],
    ['deleted', () => byQuery('update photos set deleted_at = now() where id = $1'), closed],
    ['moved to another event', async () => putInEvent(owner, [photo.id], (await makeEvent(owner)).id), closed],
    ['in a gallery that is switched off', () => event.change({ gallery: 'off' }), closed],
    ['in a gallery that opens later', () => event.change({ gallery_opens_at: inDays(1) }), closed],
    ['in an event that has ended', () => event.change({ closes_at: inDays(-1) }), closed],
    [
      'behind a code that was replaced',
      () => call(owner, 'POST', `/user/events/${event.id}/codes`, { kind: 'event' }),
      closed,
    ],
    ['in a deleted event', () => call(owner, 'DELETE', `/user/events/${event.id}`), closed],
  ])('%s', async (_, enter, expected) => {
    await enter()
    const path = `${event.path}/p/${token}`
    const files = [full.subarray(full.length >> 1, (full.length >> 1) + 64)]
    for (const [method, headers] of [
      ['GET', {}],
      ['HEAD', {}],
      ['GET', { range: 'bytes=0-1000000' }],
      ['GET', { 'if-none-match': '*' }],
      ['GET', asPerson],
    ] as const) {
      const answers = ['', '/thumbnail', '/screen', '/download'].map((below) =>
        server.request({ method, url: path + below, headers }),
      )
      const got = await Promise.all(answers)
      const statuses = got.map(({ statusCode }) => (statusCode === 206 || statusCode === 304 ? 200 : statusCode))
      expect([method, headers, statuses]).toEqual([method, headers, expected])
      const [part] = files
      const sent = got.map(({ rawPayload }) => rawPayload.includes(part!))
      expect([method, headers, sent.includes(true) && expected[3] !== 200]).toEqual([method, headers, false])
    }
    const isOpen = expected[0] === 200
    const listed = async () => ((await listOf(event.path)).photos ?? []).length
    await expect.poll(listed, { interval: 5 }).toBe(isOpen ? 1 : 0)
    for (const [below, body] of [
      ['request-email', { email: 'guest@example.com' }],
      ['report', { reason: 'me' }],
      ['visits', undefined],
    ] as const) {
      const { statusCode } = await server.request({ method: 'POST', url: `${path}/${below}`, body })
      expect([below, statusCode < 300]).toEqual([below, isOpen])
    }
    // Its own code asks neither the gallery nor the event’s end.
    const own = (await get(pathOf(photo.qr_code_url).replace('/qr', ''))).statusCode
    expect(own).toBe(expected[2] === 302 ? 302 : /gallery|ended|code|moved/.test(_) || isOpen ? 200 : 404)
  })

  test('an inactive account answers like an unknown code', async () => {
    const page = () => get(event.path, asPerson)
    const setActive = async (isActive: boolean): Promise<void> => {
      await query('update users set is_active = $2 where id = $1', [owner.id, isActive])
      forget(owner)
    }
    await setActive(false)
    const unknown = await get('/e/aaaaaaaaaaaaaaaaaaaaaa', asPerson)
    expect([(await page()).statusCode, (await page()).body]).toEqual([404, unknown.body])
    await setActive(true)
    expect((await page()).statusCode).toBe(200)
  })

  test('a token opens a photo with its own code alone, and not when it was changed', async () => {
    const tables = (
      await call(owner, 'POST', `/user/events/${event.id}/codes`, { kind: 'table', labels: ['Table 7'] })
    ).json<{ codes: EventCode[] }>()
    const table = pathOf(tables.codes[1]!.url)
    const tableToken = (await listOf(table)).photos[0]!.token
    const other = await makeEvent(owner)
    expect(tableToken).not.toBe(token)
    const thumbnail = async (path: string, of: string) => (await get(`${path}/p/${of}/thumbnail`)).statusCode
    expect(await thumbnail(table, tableToken)).toBe(200)
    const changed = Array.from(
      token,
      (character, at) => token.slice(0, at) + (character === 'A' ? 'B' : 'A') + token.slice(at + 1),
    )
    const { deps } = server.app
    const wrong: [string, string][] = [
      [event.path, tableToken],
      [table, token],
      [other.path, token],
      [event.path, photo.id],
      [event.path, `${token}=`],
      [event.path, token.toLowerCase()],
      [event.path, `${token.slice(0, -1)}${String.fromCharCode(token.charCodeAt(token.length - 1) + 1)}`],
      [event.path, createTokens(singleKey('another key')).galleryPhotos(event.code).encrypt(photo.id)],
      [event.path, deps.tokens.galleryPhotos(other.code).encrypt(photo.id)],
      ...changed.map((one): [string, string] => [event.path, one]),
    ]
    for (const [path, one] of wrong) expect([one, await thumbnail(path, one)]).toEqual([one, 404])
  })

  test('nothing of a gallery opens a photo elsewhere', async () => {
    const [row] = await query<Record<'code' | 'thumb_key' | 'full_key' | 'screen_key', string>>(
      'select code, thumb_key, full_key, screen_key from photos where id = $1',
      [photo.id],
    )
    const secrets = [photo.id, row!.code, ...[row!.thumb_key, row!.full_key].map((key) => key.split('/')[1]!)]
    const path = `${event.path}/p/${token}`
    for (const gate of [false, true]) {
      await event.change({ ask_email: gate })
      for (const url of [
        event.path,
        `${event.path}/photos`,
        path,
        `${path}/thumbnail`,
        `${path}/screen`,
        `${path}/download`,
      ])
        for (const headers of [{}, asPerson]) {
          const answer = await get(url, headers)
          const said = JSON.stringify(answer.headers) + answer.rawPayload.toString('latin1')
          expect([url, secrets.filter((secret) => said.includes(secret))]).toEqual([url, []])
        }
    }
  })

  test('a download under way ends when its event does', async () => {
    const [stored] = await query<{ full_key: string }>('select full_key from photos where id = $1', [photo.id])
    // More than all buffers on the way can take.
    const bytes = 64 * 1024 * 1024
    await truncate(storedFilePath(server, stored!.full_key), bytes)
    await query('update photos set full_bytes = $2 where id = $1', [photo.id, bytes])
    forget(owner)
    try {
      const listening = await server.listen()
      for (const end of [
        () => event.change({ closes_at: new Date(Date.now() + 300).toISOString() }),
        () => event.change({ closes_at: null, gallery: 'off' }),
      ]) {
        await event.change({ closes_at: null, gallery: 'link' })
        const paused = request(`${listening}${event.path}/p/${token}/download`, { headers: { host: 'photos.test' } })
        paused.on('error', () => {}).end()
        const [answer] = await once(paused, 'response')
        expect(answer.headers['content-length']).toBe(String(bytes))
        const ended = once(answer, 'error')
        await end()
        await expect.poll(async () => (await get(`${event.path}/photos`)).statusCode, { interval: 20 }).toBe(404)
        let read = 0
        answer.on('data', (chunk: Buffer) => (read += chunk.length))
        await ended
        expect(read).toBeLessThan(bytes)
      }
    } finally {
      await truncate(storedFilePath(server, stored!.full_key), full.length)
      await query('update photos set full_bytes = $2 where id = $1', [photo.id, full.length])
      forget(owner)
    }
  })

  test('its own pages lead to the gallery while that is open', async () => {
    const own = pathOf(photo.qr_code_url).replace('/qr', '')
    const phone = { ...asPerson, 'user-agent': 'Mozilla/5.0 (Linux; Android 14) Mobile' }
    const links = async () =>
      (await Promise.all([get(own, phone), get(`/request-photo/${photo.id}`, phone)])).map(({ body }) =>
        body.includes(`href="${event.path}#`),
      )
    expect(await links()).toEqual([true, true])
    await event.change({ link_on_photo_pages: false })
    expect(await links()).toEqual([false, false])
    await event.change({ link_on_photo_pages: true, closes_at: inDays(-1) })
    expect(await links()).toEqual([false, false])
  })

  test('what guests do is counted for the event and for the photo, unless a program reads the page', async () => {
    await event.change({ ask_email: false })
    const path = `${event.path}/p/${token}`
    const post = (below: string, headers: Record<string, string> = {}, body?: object) =>
      server.request({ method: 'POST', url: below, headers, body })
    await server.app.deps.guestActivity.flush()
    await query('delete from photo_activity')
    for (const agent of ['Mozilla/5.0 (Linux; Android 14) Mobile', 'WhatsApp/2.23']) {
      const headers = { 'user-agent': agent }
      await post(`${event.path}/visits`, headers)
      await post(`${path}/visits`, headers)
      await get(`${path}/download`, headers)
      await get(`${path}/download`, { ...headers, range: 'bytes=500-' })
    }
    await post(`${path}/request-email`, {}, { email: 'counted@example.com' })
    await server.app.deps.guestActivity.flush()
    expect(
      await query(
        'select scans, views, saves, requests, joins, adds, archives from event_activity where event_id = $1',
        [event.id],
      ),
    ).toEqual([{ scans: 1, views: 1, saves: 1, requests: 1, joins: 0, adds: 0, archives: 0 }])
    expect(await query('select scans, views, downloads, requests from photo_activity')).toEqual([
      { scans: 0, views: 1, downloads: 1, requests: 1 },
    ])
  })

  test('it is requested and reported without JavaScript too, and the page keeps what was entered', async () => {
    await event.change({ ask_email: true })
    const path = `${event.path}/p/${token}`
    const form = async (below: string, fields: Record<string, string>) => {
      const body = new URLSearchParams(fields).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: publicUrl }
      const answer = await server.request({ method: 'POST', url: path + below, headers, body })
      return [answer.statusCode, answer.body] as const
    }
    const emails = () =>
      query('select requester_email from photo_requests where photo_id = $1 and requester_email like $2', [
        photo.id,
        'form%',
      ])
    expect(await form('/request-email', { email: 'form@example' })).toEqual([
      422,
      expect.stringContaining('value="form@example"'),
    ])
    expect(await form('/request-email', { email: 'form-bot@example.com', website: 'x' })).toEqual([
      200,
      expect.stringContaining('Request Submitted'),
    ])
    expect(await emails()).toEqual([])
    expect(await form('/request-email', { email: 'form@example.com' })).toEqual([
      200,
      expect.stringContaining(`href="${path}"`),
    ])
    expect(await emails()).toEqual([{ requester_email: 'form@example.com' }])
    expect(await form('/report', { note: 'in the middle' })).toEqual([422, expect.stringContaining('in the middle')])
    expect(await form('/report', { reason: 'child' })).toEqual([200, expect.stringContaining('Thank you')])
    expect((await server.request({ method: 'POST', url: `${path}/report`, body: { reason: 'x' } })).statusCode).toBe(
      422,
    )
    expect(await query('select reason from photo_reports where reason = $1', ['child'])).toHaveLength(1)
  })
})

test('pages of a gallery follow each other, are the same until something changes, and begin with the newest photo', async () => {
  const user = await makeUser(server)
  const event = await makeEvent(user)
  const ids = await addPhotos(server, user, { count: 130 })
  await query(`update photos set thumb_key = 'thumb/' || id where user_id = $1`, [user.id])
  await putInEvent(user, ids, event.id)
  const tokens = server.app.deps.tokens.galleryPhotos(event.code)
  const seen: string[] = []
  for (let before: string | null = ''; before !== null;) {
    const page = await listOf(event.path, before)
    seen.push(...page.photos.map(({ token }) => tokens.decrypt(token)!))
    expect(page.photos.length).toBe(
      before === ''
        ? eventLimits.galleryPage
        : Math.min(eventLimits.galleryPage, 130 - seen.length + page.photos.length),
    )
    const html = (await get(`${event.path}?before=${before}`.replace(/\?before=$/, ''), asPerson)).body
    expect(html.match(/<li><a href="[^"]+\/p\//g)!.length).toBe(page.photos.length)
    expect(html.includes(`?before=${page.next}`)).toBe(page.next !== null)
    before = page.next
  }
  const expected = await query<{ id: string }>(
    'select id from photos where event_id = $1 order by created_at desc, id desc',
    [event.id],
  )
  expect(seen).toEqual(expected.map(({ id }) => id))

  for (const url of [event.path, `${event.path}/photos`]) {
    const { etag } = (await get(url)).headers
    expect((await get(url, { 'if-none-match': String(etag) })).statusCode).toBe(304)
  }
  const { etag } = (await get(`${event.path}/photos`)).headers
  await call(user, 'PUT', `/photos/${seen[0]}`, { hidden: true })
  await expect
    .poll(async () => (await get(`${event.path}/photos`, { 'if-none-match': String(etag) })).statusCode, {
      interval: 5,
    })
    .toBe(200)
  expect((await listOf(event.path)).photos[0]!.token).toBe(tokens.encrypt(seen[1]!))
  expect((await listOf(event.path, 'x')).photos).toEqual([])
})

test('the page says why there are no photos, and previews of its link show nothing of a closed gallery', async () => {
  const event = await makeEvent(owner, { gallery: 'off' })
  await putInEvent(owner, [photo.id], event.id)
  const page = async () => {
    const { statusCode, body } = await get(event.path, { ...asPerson, 'user-agent': 'WhatsApp/2.23' })
    return [
      statusCode,
      /<h1[^>]*>(.*?)<\/h1>/.exec(body)?.[1],
      /<title>(.*?) -|<title>(.*?)<\/title>/.test(body),
      body.includes('og:image'),
      body.includes('Lotte'),
    ]
  }
  expect(await page()).toEqual([200, 'There are no photos here yet', true, false, false])
  await query(`update users set time_zone = 'Europe/Brussels' where id = $1`, [owner.id])
  await event.change({ gallery: 'link', gallery_opens_at: '2100-01-14T21:30:00Z' })
  expect(await page()).toEqual([200, 'The photos open at 22:30', true, false, true])
  await event.change({ gallery_opens_at: null })
  expect(await page()).toEqual([200, 'Lotte &amp; Bram', true, true, true])
  await event.change({ closes_at: inDays(-1) })
  expect(await page()).toEqual([200, 'This evening has ended. Codes on printed photos still work.', true, false, false])
  await event.change({ gallery: 'off' })
  expect(await page()).toEqual([200, 'There are no photos here yet', true, false, false])
})

test('an event has a code of its own, which is replaced, and codes of tables, which are revoked', async () => {
  const user = await makeUser(server)
  const event = await makeEvent(user)
  const url = `/user/events/${event.id}/codes`
  const codes = async () => (await call(user, 'GET', url)).json<{ codes: EventCode[] }>().codes
  const statusOf = async (path: string) => (await get(path)).statusCode
  const labels = Array.from({ length: 12 }, (_, at) => `Table ${at + 1}`)
  const made = await call(user, 'POST', url, { kind: 'table', labels })
  expect([made.statusCode, made.json().codes.map(({ label }: EventCode) => label)]).toEqual([201, ['', ...labels]])
  const [own, first] = await codes()
  expect(own).toMatchObject({ kind: 'event', url: event.url, image_url: `${publicUrl}/qr/e/${event.code}` })
  const picture = await get(pathOf(first!.image_url))
  expect(picture.rawPayload).toEqual(qrCodePng(encodeQrCode(first!.url)))

  expect((await call(user, 'POST', url, { kind: 'event' })).json().codes[0].url).not.toBe(event.url)
  expect((await call(user, 'DELETE', `${url}/${first!.code}`)).json().codes).toHaveLength(12)
  for (const gone of [event.path, pathOf(own!.image_url), pathOf(first!.url), pathOf(first!.image_url)])
    expect([gone, await statusOf(gone)]).toEqual([gone, 404])
  const [renewed] = await codes()
  expect(await statusOf(pathOf(renewed!.url))).toBe(200)
  expect((await call(user, 'GET', `/user/events/${event.id}`)).json<Event>().url).toBe(renewed!.url)

  const refused: [TestRequest['method'], string, object | undefined, number][] = [
    ['DELETE', `${url}/${renewed!.code}`, undefined, 409],
    ['DELETE', `${url}/${first!.code}`, undefined, 404],
    ['POST', url, { kind: 'table' }, 422],
    ['POST', url, { kind: 'event', labels: ['Table 1'] }, 422],
    ['POST', url, { kind: 'table', labels: [''] }, 422],
    ['POST', url, { kind: 'table', labels: ['see example.com'] }, 422],
    ['POST', url, { kind: 'table', labels: ['\u202eTable'] }, 422],
    ['POST', url, { kind: 'table', labels: Array.from({ length: eventLimits.codesMax - 11 }, () => 'x') }, 409],
  ]
  for (const [method, path, body, status] of refused)
    expect([path, body, (await call(user, method, path, body)).statusCode]).toEqual([path, body, status])
})

test('a client that tries many unknown codes is slowed down, and no other', async () => {
  const event = await makeEvent(owner)
  const from = newClientAddress()
  const attempt = async (url: string, client = from) =>
    (await server.request({ method: 'GET', url, from: client })).statusCode
  const urls = (at: number): string[] => [
    `/e/${String(at).padStart(22, 'a')}`,
    `/e/${String(at).padStart(22, 'a')}/photos`,
    `/qr/e/${String(at).padStart(22, 'a')}`,
    `${event.path}/p/${String(at).padStart(51, 'a')}`,
  ]
  const tried = Array.from({ length: rates.unknownCodes.perMinute + 4 }, (_, at) => urls(at)[at % 4]!)
  const statuses: number[] = []
  for (const url of tried) statuses.push(await attempt(url))
  expect(statuses.slice(0, rates.unknownCodes.perMinute).every((status) => status === 404)).toBe(true)
  expect(statuses.slice(rates.unknownCodes.perMinute)).toEqual([429, 429, 429, 429])
  expect([await attempt(event.path), await attempt(urls(0)[0]!, newClientAddress())]).toEqual([200, 404])
})

test('tokens of a secret key that was replaced still open their photos', () => {
  const before = createTokens(singleKey('first')).galleryPhotos('code')
  const after = createTokens({ ...singleKey('second'), accepted: ['first'] }).galleryPhotos('code')
  expect(after.decrypt(before.encrypt('photo'))).toBe('photo')
  expect(after.encrypt('photo')).not.toBe(before.encrypt('photo'))
  expect(after.encrypt('photo')).toBe(after.encrypt('photo'))
})
