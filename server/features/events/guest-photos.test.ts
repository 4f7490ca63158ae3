import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OwnPhoto, OwnPhotos } from '@keepsnap/contract/event-photos.ts'
import type { EventCode } from '@keepsnap/contract/event-guests.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { rates } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { plans, storageBytes } from '@keepsnap/contract/plans.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import type { PhotoJob } from '../../images/sandbox/image-jobs.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { countLockWaits } from '../../test/cloned-database.ts'
import { eventActions, type TestGuest } from '../../test/event-guests.ts'
import { makeJobsDue, useServer } from '../../test/harness.ts'
import { emailsTo } from '../../test/outbox.ts'
import { photoActions } from '../../test/photo-actions.ts'
import { repetitions } from '../../test/statistics.ts'
import {
  addPhotos,
  callOperator,
  grantPlan,
  makeOperator,
  makeUser,
  multipartForm,
  type TestUser,
  upload,
  uploadInHalves,
} from '../../test/test-data.ts'

const server = useServer()
const { call, ask, joinAnswer, codeOf, createEvent, guestOf, add, mine, statesOf, review, decide } = eventActions(
  () => server,
)
const { get, uploadsThisMonth, runCleanUp } = photoActions(() => server)
const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
// The next test need not process them.
afterEach(() => query("update photos set deleted_at = now() where state = 'queued'"))
const file = await jpeg({ width: 64, height: 48 })
const broken = file.subarray(0, Math.floor(file.length / 2))

/** The photos of guests that count for an account this month. */
const guestsThisMonth = async (user: TestUser): Promise<number> =>
  (await query('select coalesce(sum(uploads), 0)::int as n from guest_months where user_id = $1', [user.id])).rows[0].n
const setGuestsThisMonth = (user: TestUser, count: number) =>
  query("insert into guest_months values ($1, date_trunc('month', now() at time zone 'utc')::date, $2)", [
    user.id,
    count,
  ])
/** Photos of a guest in the database alone, in any state. */
const addRows = (event: Event, guest: string | null, count: number, columns: Record<string, string> = {}) => {
  const more = Object.entries(columns)
  return query(
    `insert into photos (id, user_id, code, filename, state, counted_month, source, event_id, contributor_id, review
       ${more.map(([name]) => `, ${name}`).join('')})
     select left(md5(random()::text), 22), events.user_id, left(md5(random()::text), 22), 'guest-photo.jpg', 'ready',
       date_trunc('month', now() at time zone 'utc')::date, 'guest', events.id, $2, 'waiting' ${more.map(([, value]) => `, ${value}`).join('')}
     from events, generate_series(1, $3) where events.id = $1`,
    [event.id, guest, count],
  )
}
const contributorIds = async (event: Event): Promise<string[]> =>
  (await query('select id from contributors where event_id = $1 order by last_seen_at', [event.id])).rows.map(
    ({ id }) => id,
  )
const addedOk = async (guest: TestGuest, options?: Parameters<typeof add>[2]): Promise<OwnPhoto> => {
  const answer = await add(guest, file, options)
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)])
  return answer.json<OwnPhoto>()
}

let owner: TestUser
beforeAll(async () => {
  owner = await makeUser(server)
  await grantPlan(server, owner, 'pro_yearly')
})

test('a guest joins, adds a photo that nobody else can see, and it is shown once it is approved', async () => {
  const event = await createEvent(owner)
  const guest = await guestOf(codeOf(event), { name: ' Aunt  Ann ', language: 'nl' })
  expect(await mine(guest)).toMatchObject({
    contributor: { name: 'Aunt Ann' },
    adding: { state: 'open', sentence: null, left: 30, reviewed: true },
    photos: [],
  })
  const filename = '../<b>"evil\u202e.html'
  const { token, state } = await addedOk(guest, { filename })
  expect(state).toBe('processing')
  await server.work()
  expect(await statesOf(guest)).toEqual(['waiting'])
  const thumbnail = (await mine(guest)).photos[0]!.thumbnail_path!
  const { headers } = await ask(guest, 'GET', thumbnail.slice(`/e/${guest.code}`.length))
  expect(headers['content-type']).toBe('image/webp')
  // Neither another guest nor a stranger.
  const codes = `/user/events/${event.id}/codes`
  await call(owner, 'POST', codes, { kind: 'table', labels: ['Table 7'] })
  const tables = (await call(owner, 'GET', codes)).json<{ codes: EventCode[] }>().codes
  const other = await guestOf(tables[1]!.code)
  expect((await ask(other, 'GET', `/mine/${token}/thumbnail`)).statusCode).toBe(404)
  expect((await server.request({ method: 'GET', url: thumbnail })).statusCode).toBe(404)
  expect((await ask(other, 'DELETE', `/mine/${token}`)).statusCode).toBe(404)

  const { photos, waiting_count } = await review(owner, event)
  const [waiting] = photos
  expect(waiting_count).toBe(1)
  expect(waiting).toMatchObject({ review: 'waiting', contributor: { name: 'Aunt Ann', photo_count: 1 }, table: null })
  const path = (url: string | null): string => String(url).slice(server.publicUrl.length)
  const bare = path(waiting!.thumbnail_url).split('?')[0]!
  const statusesFor = async (urls: string[]) =>
    Promise.all(urls.map(async (url) => (await server.request({ method: 'GET', url })).statusCode))
  expect(await statusesFor([path(waiting!.thumbnail_url), path(waiting!.screen_url)])).toEqual([200, 200])
  expect(await statusesFor([bare, `/photos/${waiting!.id}/public`, `/request-photo/${waiting!.id}`])).toEqual([
    404, 404, 404,
  ])
  expect((await get(owner, '/photos')).json()).toEqual([])
  expect((await get(owner, `/photos/${waiting!.id}`)).statusCode).toBe(404)
  await addedOk(other)
  await server.work()
  expect((await review(owner, event)).photos.map(({ table }) => table)).toEqual([null, 'Table 7'])
  const [theirs] = (await mine(other)).photos
  expect((await ask(other, 'DELETE', `/mine/${theirs!.token}`)).statusCode).toBe(204)

  const answer = await decide(owner, event, [waiting!.id, 'gone'], ['waiting', 'approved'])
  expect(answer.json()).toEqual({
    results: [
      { id: waiting!.id, outcome: 'done', review: 'approved' },
      { id: 'gone', outcome: 'not found', review: null },
    ],
    waiting_count: 0,
  })
  // The address without a signature works now, but its guest has not learnt it.
  expect(await statusesFor([bare, `/t/${String(headers.etag).replaceAll('"', '')}`])).toEqual([200, 404])
  const again = await decide(owner, event, [waiting!.id], ['waiting', 'rejected'])
  expect(again.json<{ results: object[] }>().results).toEqual([
    { id: waiting!.id, outcome: 'conflict', review: 'approved' },
  ])
  expect(await statesOf(guest)).toEqual(['shown'])
  const [shown] = (await get(owner, '/photos')).json<Photo[]>()
  // Nothing of the guest's file but its pixels.
  expect(shown).toMatchObject({ id: waiting!.id, event_id: event.id, filename: 'guest-photo.jpg' })
  const { rows } = await query('select source, review, reviewed_by, consent, event_code from photos where id = $1', [
    shown!.id,
  ])
  expect(rows).toEqual([
    {
      source: 'guest',
      review: 'approved',
      reviewed_by: 'owner',
      consent: { version: '2026-11', at: expect.stringMatching(/^20.*Z$/), language: 'nl' },
      event_code: null,
    },
  ])
})

test('in direct mode a photo is shown when it is ready, and not before', async () => {
  const event = await createEvent(owner, { guest_photos: 'direct' })
  const guest = await guestOf(codeOf(event))
  await addedOk(guest)
  const before = (await get(owner, '/photos')).json<Photo[]>().length
  await server.work()
  expect(await statesOf(guest)).toEqual(['shown'])
  expect((await get(owner, '/photos')).json<Photo[]>()).toHaveLength(before + 1)
  expect((await review(owner, event)).photos).toEqual([])
  expect((await review(owner, event, '?list=decided')).photos).toMatchObject([
    { review: 'approved', reviewed_by: null, reviewed_at: null },
  ])
})

test('the owner’s screens hear of a photo when it waits, is approved, and is rejected', async () => {
  const event = await createEvent(owner)
  const guest = await guestOf(codeOf(event))
  const messages: { action: string; event_id?: string; waiting_count?: number }[] = []
  const address = await server.listen()
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws?token=${owner.token}`)
  socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data))))
  await vi.waitUntil(() => messages.some(({ action }) => action === 'identified'))
  await addedOk(guest)
  await server.work()
  const counts = () => messages.filter(({ action, event_id }) => action === 'review_changed' && event_id === event.id)
  await vi.waitUntil(() => counts().at(-1)?.waiting_count === 1)
  expect(messages.filter(({ action }) => /photo/.test(action) && action !== 'latest_photo')).toEqual([])
  const [photo] = (await review(owner, event)).photos
  await decide(owner, event, [photo!.id], ['waiting', 'approved'])
  await vi.waitUntil(() => messages.some(({ action }) => action === 'new_photo'))
  await decide(owner, event, [photo!.id], ['approved', 'rejected'])
  await vi.waitUntil(() => messages.some(({ action }) => action === 'photo_deleted'))
  expect(counts().at(-1)?.waiting_count).toBe(0)
  expect(await statesOf(guest)).toEqual(['not_taken'])
  socket.close()
})

test('adding goes on after a lost network without doubles', async () => {
  const guest = await guestOf(codeOf(await createEvent(owner)))
  const first = await addedOk(guest, { key: 'a' })
  expect((await addedOk(guest, { key: 'a' })).token).toBe(first.token)
  // The key of another guest is another one.
  const other = await guestOf(guest.code)
  expect((await addedOk(other, { key: 'a' })).token).not.toBe(first.token)
  expect((await ask(guest, 'DELETE', `/mine/${first.token}`)).statusCode).toBe(204)
  expect((await add(guest, file, { key: 'a' })).statusCode).toBe(409)
})

describe('who may add', () => {
  test('nobody with a name that is too long, or has a link, a direction or a control character', async () => {
    const code = codeOf(await createEvent(owner))
    for (const name of ['x'.repeat(41), 'see evil.example', 'https://x', 'a\u202eb', 'a\u0007b']) {
      const answer = await joinAnswer(code, { name })
      expect([name, answer.statusCode, answer.body]).toEqual([name, 422, expect.stringContaining('name')])
    }
  })

  test('nobody without the consent of now, or from a form of another site', async () => {
    const event = await createEvent(owner)
    const guest = await guestOf(codeOf(event))
    expect((await joinAnswer(guest.code, { consent_version: '2020-01' })).statusCode).toBe(422)
    expect((await add({ ...guest, cookie: '' }, file)).statusCode).toBe(401)
    await query("update contributors set consent_version = '2020-01' where event_id = $1", [event.id])
    expect((await add(guest, file)).statusCode).toBe(401)
    const form = multipartForm(file)
    const headers = {
      ...form.headers,
      cookie: guest.cookie,
      origin: 'https://evil.example',
      'sec-fetch-site': 'same-site',
    }
    expect((await ask(guest, 'POST', '/mine', { headers, body: form.body })).statusCode).toBe(403)
  })

  test('the cookie is for pages of events alone, and not for scripts or other sites', async () => {
    const event = await createEvent(owner)
    const answer = await joinAnswer(codeOf(event))
    expect(answer.headers['set-cookie']).toMatch(
      /^contributor-\w{8}=\w{43}; Max-Age=7776000; Path=\/e\/; HttpOnly; SameSite=Strict$/,
    )
    // Of another event, it is worth nothing.
    const other = await createEvent(owner)
    const cookie = String(answer.headers['set-cookie'])
      .split(';', 1)[0]!
      .replace(event.id.slice(0, 8), other.id.slice(0, 8))
    const asked = await server.request({ method: 'GET', url: `/e/${codeOf(other)}/mine`, headers: { cookie } })
    expect(asked.json<OwnPhotos>().contributor).toBeNull()
  })

  test('joining again changes the name of the same contributor, and the same name is nobody else’s', async () => {
    const event = await createEvent(owner)
    const guest = await guestOf(codeOf(event), { name: 'Ann' })
    const { code, cookie } = guest
    await addedOk(guest)
    expect((await joinAnswer(code, { name: 'Bo' }, { cookie })).json<OwnPhotos>().contributor).toEqual({ name: 'Bo' })
    expect(await contributorIds(event)).toHaveLength(1)
    expect((await joinAnswer(code, { name: 'Bo' })).json<OwnPhotos>().photos).toEqual([])
    expect(await contributorIds(event)).toHaveLength(2)
  })

  test('codes of deleted events, of deactivated accounts and those that are revoked are unknown', async () => {
    const user = await makeUser(server)
    const [deleted, revoked, left] = [await createEvent(user), await createEvent(user), await createEvent(user)]
    const guest = await guestOf(codeOf(left))
    await call(user, 'DELETE', `/user/events/${deleted.id}`)
    await query('update event_codes set revoked_at = now() where event_id = $1', [revoked.id])
    expect((await joinAnswer(codeOf(deleted))).statusCode).toBe(404)
    expect((await joinAnswer(codeOf(revoked))).statusCode).toBe(404)
    expect((await ask(guest, 'GET', '/mine')).statusCode).toBe(200)
    await query('update users set is_active = false where id = $1', [user.id])
    server.app.deps.mediaCache.invalidateUser(user.id)
    expect((await ask(guest, 'GET', '/mine')).statusCode).toBe(404)
    expect((await add(guest, file)).statusCode).toBe(404)
  })

  const ago = (days: number, hours = 0): string =>
    new Date(Date.now() - days * 86_400_000 - hours * 3_600_000).toISOString()
  const day = (daysAgo: number): string => ago(daysAgo, eveningHours).slice(0, 10)
  const eveningHours = 6
  test.each([
    ['off', { guest_photos: 'off' }, 'off'],
    ['paused', { guest_paused: true }, 'paused'],
    ['archived', { archived: true }, 'ended'],
    ['after its end', { closes_at: ago(0, 1) }, 'ended'],
    ['before its end, long after its day', { starts_on: day(9), closes_at: ago(-1) }, 'open'],
    ['on the day after it', { starts_on: day(3), ends_on: day(1) }, 'open'],
    ['two days after it', { starts_on: day(3), ends_on: day(2) }, 'ended'],
    ['two days after its only day', { starts_on: day(2) }, 'ended'],
    ['before it', { starts_on: day(-20) }, 'open'],
  ] as const)('an event that is %s', async (_, settings, state) => {
    const event = await createEvent(owner)
    const guest = await guestOf(codeOf(event))
    expect((await call(owner, 'PUT', `/user/events/${event.id}`, settings)).statusCode).toBe(200)
    const { adding } = await mine(guest)
    expect([adding.state, adding.sentence === null, adding.left > 0]).toEqual([
      state,
      state === 'open',
      state === 'open',
    ])
    expect((await joinAnswer(guest.code)).statusCode).toBe(state === 'open' ? 200 : 409)
    if (state === 'open') return
    const answer = await add(guest, file)
    expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([409, adding.sentence])
  })

  test('without dates, adding ends a week after the first photo of a guest', async () => {
    const event = await createEvent(owner)
    const guest = await guestOf(codeOf(event))
    expect((await mine(guest)).adding.ends_at).toBeNull()
    await addedOk(guest)
    expect((await mine(guest)).adding.state).toBe('open')
    await query("update events set guests_since = now() - interval '7 days 1 second' where id = $1", [event.id])
    expect((await mine(guest)).adding.state).toBe('ended')
  })

  test('thirty photos that wait, and a minute of failed files, are enough', async () => {
    const event = await createEvent(owner)
    const guest = await guestOf(codeOf(event))
    const [id] = await contributorIds(event)
    await addRows(event, id!, 28)
    const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await add(guest, file)).statusCode))
    expect([201, 409].map((status) => statuses.filter((one) => one === status).length)).toEqual([2, 4])
    expect(await mine(guest)).toMatchObject({ adding: { state: 'waiting', left: 0 } })
    expect((await add(guest, file)).statusCode).toBe(409)
    // Others may.
    const other = await guestOf(guest.code)
    await addedOk(other)
    await query('update contributors set failed_ms = 60000 where event_id = $1', [event.id])
    expect(await mine(other)).toMatchObject({ adding: { state: 'blocked', sentence: expect.stringMatching(/files/) } })
    expect((await add(other, file)).statusCode).toBe(403)
  })

  test('thirty a minute from one guest', async () => {
    const event = await createEvent(owner)
    const guest = await guestOf(codeOf(event))
    const [id] = await contributorIds(event)
    for (let n = 0; n < rates.ownPhotos.perMinute; n++) await countRateHit(server.db, 'ownPhotos', id!)
    expect((await add(guest, file)).statusCode).toBe(429)
  })

  test('as many an hour as a venue may send, which has one address', async () => {
    const event = await createEvent(owner)
    const [guest, elsewhere] = [await guestOf(codeOf(event)), await guestOf(codeOf(event))]
    const { rowCount } = await query(
      `update rate_hits set hits = array_fill(now(), array[${rates.guestAdds.calls}]) where key like $1`,
      [`guestAdds:${event.id} ${guest.from}%`],
    )
    expect(rowCount).toBe(1)
    expect([(await add(guest, file)).statusCode, (await add(elsewhere, file)).statusCode]).toEqual([429, 201])
  })
})

describe('counts', () => {
  test('guests have a count of their own, which rejecting, failing and taking back give back', async () => {
    const user = await makeUser(server)
    const event = await createEvent(user)
    const guest = await guestOf(codeOf(event))
    const { token } = await addedOk(guest, { key: 'the same' })
    await addedOk(guest, { key: 'the same' })
    await addedOk(guest)
    await server.app.deps.guestActivity.flush()
    const { rows } = await query('select joins, adds from event_activity where event_id = $1', [event.id])
    expect(rows).toEqual([{ joins: 1, adds: 2 }])
    expect([await guestsThisMonth(user), await uploadsThisMonth(user)]).toEqual([2, 0])
    expect((await ask(guest, 'DELETE', `/mine/${token}`)).statusCode).toBe(204)
    expect(await guestsThisMonth(user)).toBe(1)
    expect((await add(guest, broken)).statusCode).toBe(201)
    expect(await guestsThisMonth(user)).toBe(2)
    await server.work()
    expect(await guestsThisMonth(user)).toBe(1)
    expect((await mine(guest)).photos[0]).toMatchObject({ state: 'failed', error_message: expect.any(String) })
    // The owner never learns of it.
    expect((await get(user, '/photos')).json()).toEqual([])
    const [photo] = (await review(user, event)).photos
    const steps = [
      ['waiting', 'rejected', 0],
      ['rejected', 'approved', 1],
      ['approved', 'rejected', 0],
      ['rejected', 'waiting', 1],
      ['waiting', 'approved', 1],
    ] as const
    for (const [from, to, count] of steps) {
      await decide(user, event, [photo!.id], [from, to])
      expect([from, to, await guestsThisMonth(user)]).toEqual([from, to, count])
    }
    const [own] = (await mine(guest)).photos.filter(({ state }) => state === 'shown')
    expect((await ask(guest, 'DELETE', `/mine/${own!.token}`)).statusCode).toBe(204)
    expect([await guestsThisMonth(user), (await get(user, '/photos')).json()]).toEqual([0, []])
  })

  test('a failed photo that an operator retries counts among those of guests again, while one more fits', async () => {
    const user = await makeUser(server)
    const operator = await makeOperator(server)
    const event = await createEvent(user, { guest_allowance: 1 })
    const guest = await guestOf(codeOf(event))
    await add(guest, broken)
    await server.work()
    const { rows } = await query("select id from photos where event_id = $1 and state = 'failed'", [event.id])
    const retry = () => callOperator(server, operator, `photos/${rows[0].id}/retry`, { reason: 'A bug is mended' })
    const counts = async () => [await guestsThisMonth(user), await uploadsThisMonth(user)]
    await addedOk(guest)
    expect((await retry()).json()).toMatchObject({ code: 'conflict', detail: expect.stringContaining('of guests fit') })
    await query("update photos set deleted_at = now() where event_id = $1 and state <> 'failed'", [event.id])
    const most = plans.free.features.max_photos
    await query('update guest_months set uploads = $2 where user_id = $1', [user.id, most])
    expect((await retry()).statusCode).toBe(409)
    await query('update guest_months set uploads = $2 where user_id = $1', [user.id, most - 1])
    await query('delete from processing_turns where party in ($1, $2)', [user.id, event.id])
    expect((await retry()).statusCode).toBe(200)
    expect(await counts()).toEqual([most, 0])
    const turns = await query('select party from processing_turns where party in ($1, $2)', [user.id, event.id])
    expect(turns.rows).toEqual([{ party: event.id }])
    await server.work()
    expect(await counts()).toEqual([most - 1, 0])
    // One that was rejected has no place, and takes none.
    await query("update photos set review = 'rejected' where id = $1", [rows[0].id])
    expect([(await retry()).statusCode, await counts()]).toEqual([200, [most - 1, 0]])
  })

  test('after an hour a photo cannot be taken back', async () => {
    const event = await createEvent(owner)
    const guest = await guestOf(codeOf(event))
    const { token } = await addedOk(guest)
    await query("update photos set created_at = created_at - interval '61 minutes' where event_id = $1", [event.id])
    expect((await mine(guest)).photos[0]!.take_back_until).toBeNull()
    expect((await ask(guest, 'DELETE', `/mine/${token}`)).statusCode).toBe(409)
  })

  test('200 guests at once get exactly what is left of an allowance or of the month, and the owner is refused nothing', async () => {
    for (const [settings, used, calls] of [
      [{ guest_allowance: 5 }, 0, 200],
      [{}, plans.free.features.max_photos - 5, 40],
    ] as const) {
      const user = await makeUser(server)
      const event = await createEvent(user, settings)
      await setGuestsThisMonth(user, used)
      const guests = await Promise.all(Array.from({ length: calls / 5 }, () => guestOf(codeOf(event))))
      const own = Array.from({ length: 4 }, () => upload(server, user, file))
      const statuses = await Promise.all(
        Array.from({ length: calls }, async (_, n) => (await add(guests[n % guests.length]!, file)).statusCode),
      )
      for (const { statusCode } of await Promise.all(own)) expect(statusCode).toBe(201)
      const counted = Object.groupBy(statuses, (status) => status)
      expect([counted[201]?.length, counted[403]?.length]).toEqual([5, calls - 5])
      expect(await guestsThisMonth(user)).toBe(used + 5)
      expect(await mine(guests[0]!)).toMatchObject({
        adding: { state: 'full', left: 0, sentence: 'No more photos can be added tonight.' },
      })
      expect(await uploadsThisMonth(user)).toBe(own.length)
    }
  }, 60_000)

  test('guests stop at four fifths of the storage, and the owner goes on', async () => {
    const user = await makeUser(server)
    const event = await createEvent(user)
    const guest = await guestOf(codeOf(event))
    const [id] = await addPhotos(server, user, { count: 1 })
    const fill = (bytes: number) => query('update photos set full_bytes = $2 where id = $1', [id, bytes])
    const end = Math.floor(storageBytes(plans.free) * 0.8)
    await fill(end - 10_100_000)
    expect((await mine(guest)).adding.state).toBe('open')
    // Others use the place of a photo that is on its way.
    await fill(end - 1)
    const job = { cpuMs: () => 500, release: () => Promise.resolve() } as PhotoJob
    const started = vi.spyOn(server.app.deps.speculative, 'start').mockResolvedValueOnce(job)
    const answer = await add(guest, file)
    expect(started).toHaveBeenCalledOnce()
    started.mockRestore()
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'quota_photos'])
    expect(await guestsThisMonth(user)).toBe(0)
    const charged = await query('select failed_ms::int from contributors where event_id = $1', [event.id])
    expect(charged.rows).toEqual([{ failed_ms: 0 }])
    await fill(end - 9_900_000)
    expect((await mine(guest)).adding.state).toBe('full')
    expect((await upload(server, user, file)).statusCode).toBe(201)
    await server.work()
    expect(
      (await emailsTo(server, user.email)).filter(({ subject = '' }) => /cannot add more/.test(subject)),
    ).toHaveLength(1)
    // Those who are refused afterwards do not wait for the account's lock.
    const client = await server.app.deps.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from users where id = $1 for no key update', [user.id])
      expect((await add(guest, file)).statusCode).toBe(403)
      // Fails when the server has ended this transaction meanwhile.
      await client.query('rollback')
    } finally {
      client.release(true)
    }
  })

  test('a smaller plan stops guests over its count, and nothing else', async () => {
    const user = await makeUser(server)
    await grantPlan(server, user, 'pro_monthly')
    const event = await createEvent(user)
    const guest = await guestOf(codeOf(event))
    await addRows(event, null, 1)
    await setGuestsThisMonth(user, plans.free.features.max_photos + 3)
    await grantPlan(server, user, 'free')
    expect((await mine(guest)).adding.state).toBe('full')
    const [photo] = (await review(user, event)).photos
    const done = await decide(user, event, [photo!.id], ['waiting', 'approved'])
    expect(done.json()).toMatchObject({ results: [{ outcome: 'done' }] })
    expect((await upload(server, user, file)).statusCode).toBe(201)
  })
})

describe('review', () => {
  test('blocking rejects what waits and hides what is shown, once, and can be undone exactly', async () => {
    const user = await makeUser(server)
    const event = await createEvent(user, { guest_photos: 'direct' })
    const [guest, other] = [await guestOf(codeOf(event)), await guestOf(codeOf(event))]
    await setGuestsThisMonth(user, 5)
    const [contributor = '', another = ''] = await contributorIds(event)
    await addRows(event, contributor, 4)
    const ids = (await review(user, event)).photos.map(({ id }) => id)
    await addRows(event, another, 1)
    const all = (await review(user, event)).photos.map(({ id }) => id)
    await decide(user, event, all, ['waiting', 'approved'])
    await decide(user, event, [ids[0]!], ['approved', 'waiting'])
    await decide(user, event, [ids[1]!], ['approved', 'rejected'])
    await call(user, 'PUT', `/photos/${ids[2]!}`, { hidden: true })
    await addedOk(guest)
    const states = async () =>
      (
        await query(
          'select id, review, hidden_at is not null as hidden, state from photos where user_id = $1 order by id',
          [user.id],
        )
      ).rows
    const before = await states()
    const url = `/user/events/${event.id}/contributors/${contributor}`
    const blocked = await call(user, 'POST', `${url}/block`)
    expect(blocked.json()).toEqual({ rejected: 2, hidden: 1, waiting_count: 0, review_on: true })
    expect((await call(user, 'POST', `${url}/block`)).json()).toMatchObject({ rejected: 0, hidden: 0 })
    expect((await call(user, 'GET', `/user/events/${event.id}`)).json()).toMatchObject({ guest_photos: 'review' })
    expect(new Set(await statesOf(guest))).toEqual(new Set(['not_taken']))
    expect((await add(guest, file)).statusCode).toBe(403)
    expect(await guestsThisMonth(user)).toBe(3)
    expect(await statesOf(other)).toEqual(['shown'])
    const undone = await call(user, 'POST', `${url}/unblock`)
    expect(undone.json()).toEqual({ rejected: 2, hidden: 1, waiting_count: 1, review_on: false })
    expect(await states()).toEqual(before)
    expect(await guestsThisMonth(user)).toBe(5)
    // One that was being processed waits now, because the review is on.
    await server.work()
    expect((await review(user, event)).waiting_count).toBe(2)
  })

  test('blocking works in the review of the event that a photo was moved to, and is about its contributor’s own event', async () => {
    const user = await makeUser(server)
    const [event, other, third] = [
      await createEvent(user, { guest_photos: 'direct' }),
      await createEvent(user, { guest_photos: 'direct' }),
      await createEvent(user),
    ]
    await guestOf(codeOf(event))
    const [contributor] = await contributorIds(event)
    await addRows(event, contributor!, 2)
    const ids = (await review(user, event)).photos.map(({ id }) => id)
    await decide(user, event, ids, ['waiting', 'approved'])
    await call(user, 'POST', '/photos/move', { ids: ids.slice(1), event_id: other.id })
    const of = ({ id }: Event) => `/user/events/${id}/contributors/${contributor}`
    expect((await call(user, 'POST', `${of(third)}/block`)).statusCode).toBe(404)
    expect((await call(user, 'POST', `${of(other)}/block`)).json()).toMatchObject({ hidden: 2, review_on: true })
    const modes = async () =>
      (await query('select guest_photos from events where user_id = $1 order by created_at', [user.id])).rows
    expect(await modes()).toEqual(['review', 'direct', 'review'].map((mode) => ({ guest_photos: mode })))
    expect((await call(user, 'POST', `${of(other)}/unblock`)).json()).toMatchObject({ hidden: 2, review_on: false })
  })

  test('pages of what waits are in the order of adding, those of what was decided the other way', async () => {
    const user = await makeUser(server)
    const event = await createEvent(user)
    await addRows(event, null, 5, { created_at: "now() - random() * interval '1 hour'" })
    const pages: string[][] = []
    for (let after: string | null = ''; after !== null;) {
      const { photos, next } = await review(user, event, `?limit=2${after && `&after=${after}`}`)
      pages.push(photos.map(({ id }) => id))
      after = next
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
    const ids = pages.flat()
    const { rows } = await query('select id from photos where event_id = $1 order by created_at', [event.id])
    expect(ids).toEqual(rows.map(({ id }) => id))
    for (const id of ids) await decide(user, event, [id], ['waiting', 'rejected'])
    const first = await review(user, event, '?list=decided&limit=3')
    const second = await review(user, event, `?list=decided&limit=3&after=${first.next}`)
    expect([...first.photos, ...second.photos].map(({ id }) => id)).toEqual(ids.toReversed())
    expect([second.next, first.photos[0]!.gone_at]).toEqual([null, expect.any(String)])
  })

  test('its pictures, and those of the guest, end with the event, by an operator and with the account, and have signatures of their own', async () => {
    const user = await makeUser(server)
    const event = await createEvent(user)
    const guest = await guestOf(codeOf(event))
    for (let n = 0; n < 2; n++) await addedOk(guest)
    await server.work()
    const { photos } = await review(user, event)
    const [own, other] = photos.map(({ thumbnail_url, screen_url }) =>
      [thumbnail_url, screen_url].map((url) => String(url).slice(server.publicUrl.length)),
    )
    const thumbnail = (await mine(guest)).photos.at(-1)!.thumbnail_path!.slice(`/e/${guest.code}`.length)
    const statusOf = async (url: string) => (await server.request({ method: 'GET', url })).statusCode
    const statuses = async () => {
      server.app.deps.mediaCache.invalidateUser(user.id)
      return [...(await Promise.all(own!.map(statusOf))), (await ask(guest, 'GET', thumbnail)).statusCode]
    }
    expect(await statuses()).toEqual([200, 200, 200])
    const mixed = own!.map((url, at) => `${url.split('?')[0]}?${other![at]!.split('?')[1]}`)
    expect(await Promise.all(mixed.map(statusOf))).toEqual([404, 404])
    await decide(user, event, [photos[0]!.id], ['waiting', 'rejected'])
    expect(await statuses()).toEqual([200, 200, 200])
    const url = `/user/events/${event.id}`
    const set = (change: string) => () => query(`update ${change} = $1`, [user.id])
    const changes = [
      [() => call(user, 'DELETE', url), () => call(user, 'POST', `${url}/undo-delete`)],
      [
        set("photos set operator_decision = 'hide', operator_decided_at = now() where user_id"),
        set('photos set operator_decision = null, operator_decided_at = null where user_id'),
      ],
      [set('users set is_active = false where id'), set('users set is_active = true where id')],
    ] as const
    for (const [close, open] of changes) {
      await close()
      expect(await statuses()).toEqual([404, 404, 404])
      await open()
      expect(await statuses()).toEqual([200, 200, 200])
    }
  })

  test('another account can neither decide nor block through an event of its own', async () => {
    const [user, stranger] = [await makeUser(server), await makeUser(server)]
    const [event, own] = [await createEvent(user), await createEvent(stranger)]
    await guestOf(codeOf(event))
    const [contributor] = await contributorIds(event)
    await addRows(event, contributor!, 1)
    const [photo] = (await review(user, event)).photos
    expect((await decide(stranger, own, [photo!.id], ['waiting', 'approved'])).json()).toMatchObject({
      results: [{ outcome: 'not found' }],
    })
    const block = `/user/events/${own.id}/contributors/${contributor}/block`
    expect((await call(stranger, 'POST', block)).statusCode).toBe(404)
    expect((await review(user, event)).waiting_count).toBe(1)
  })

  test('approving, rejecting, hiding, moving, deleting and blocking at once end without a deadlock, and nothing that is not approved is seen', async () => {
    const user = await makeUser(server)
    const event = await createEvent(user, { gallery: 'link' })
    const other = await createEvent(user, { ask_email: true })
    await guestOf(codeOf(event))
    const gallery = () => server.request({ method: 'GET', url: `/e/${codeOf(event)}/photos` })
    const [contributor] = await contributorIds(event)
    await addRows(event, contributor!, 20, {
      full_key: "'full/' || left(md5(random()::text), 22)",
      thumb_key: "'thumb/' || left(md5(random()::text), 22)",
    })
    const { photos } = await review(user, event)
    const ids = photos.map(({ id }) => id)
    const url = `/user/events/${event.id}/contributors/${contributor}`
    const acts = [
      () => decide(user, event, ids, ['waiting', 'approved']),
      () => decide(user, event, ids.toReversed(), ['approved', 'rejected']),
      () => decide(user, event, ids, ['rejected', 'waiting']),
      () => call(user, 'POST', '/photos/bulk', { action: 'hide', ids: ids.toReversed() }),
      () => call(user, 'POST', '/photos/bulk', { action: 'show', ids }),
      () => call(user, 'POST', '/photos/move', { ids: ids.slice(10, 15).toReversed(), event_id: other.id }),
      () => call(user, 'POST', '/photos/move', { ids: ids.slice(10), event_id: event.id }),
      () => call(user, 'DELETE', `/photos/${ids[0]!}`),
      () => call(user, 'POST', `${url}/block`),
      () => call(user, 'POST', `${url}/unblock`),
      () => call(user, 'GET', '/photos'),
      gallery,
    ]
    for (let round = 0; round < repetitions(8, 100); round++) {
      const answers = await Promise.all(acts.map((act) => act()))
      expect(answers.filter(({ statusCode }) => statusCode >= 500)).toEqual([])
      await query('delete from rate_hits')
    }
    const { rows } = await query(
      `select count(*) filter (where is_listed <> (review = 'approved'))::int as wrong,
         (select photos from photo_counts where user_id = $1) as counted,
         count(*) filter (where is_listed and deleted_at is null)::int as listed,
         count(*) filter (where is_listed and deleted_at is null and hidden_at is null and event_id = $2)::int as seen
       from photos where user_id = $1`,
      [user.id, event.id],
    )
    const listed = (await get(user, '/photos')).json<Photo[]>().length
    await expect.poll(async () => (await gallery()).json<{ photos: object[] }>().photos.length).toBe(rows[0].seen)
    expect(rows[0]).toMatchObject({ wrong: 0, listed, counted: listed })
    await query('delete from photos where user_id = $1', [user.id])
  }, 60_000)
})

test('photos of guests under way do not delay the email about the owner’s month', async () => {
  const user = await makeUser(server)
  await addRows(await createEvent(user), null, 1)
  await query(`update photos set state = 'receiving' where user_id = $1`, [user.id])
  await upload(server, user, file)
  await query('update usage_months set uploads = $2 where user_id = $1', [
    user.id,
    Math.ceil(plans.free.features.max_photos * 0.8) - 1,
  ])
  await upload(server, user, file)
  await server.work()
  expect((await emailsTo(server, user.email)).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('8 of your 10 photos'),
  ])
})

test('blocking does not meet an upload that is given up', async () => {
  const user = await makeUser(server)
  const event = await createEvent(user)
  await addedOk(await guestOf(codeOf(event)))
  const [contributor] = await contributorIds(event)
  await addRows(event, contributor!, 1)
  await query(`update photos set state = 'receiving' where event_id = $1 and state = 'ready'`, [event.id])
  const client = await server.app.deps.pool.connect()
  try {
    // As `dropUpload` does.
    await client.query('begin')
    await client.query('select from guest_months where user_id = $1 for update', [user.id])
    const blocking = call(user, 'POST', `/user/events/${event.id}/contributors/${contributor}/block`)
    await expect.poll(() => countLockWaits(server.app.deps.pool), { interval: 5 }).toBe(1)
    await client.query(`delete from photos where event_id = $1 and state = 'receiving'`, [event.id])
    await client.query('commit')
    expect((await blocking).json()).toMatchObject({ rejected: 1 })
  } finally {
    client.release(true)
  }
})

test.each<[string, number, string]>([
  ['lock of an account', 24, 'select from users where id = $1 for no key update'],
  ['row of the month', 0, 'select from guest_months where user_id = $1 for update'],
])('guests who wait for the %s leave connections to everybody else', async (_, reserved, lock) => {
  const [user, other] = [await makeUser(server), await makeUser(server)]
  await grantPlan(server, user, 'pro_monthly')
  const event = await createEvent(user)
  await setGuestsThisMonth(user, 0)
  const guests = await Promise.all(Array.from({ length: 24 }, () => guestOf(codeOf(event))))
  const { pool } = server.app.deps
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(lock, [user.id])
    const adding = guests.map((guest) => addedOk(guest))
    const receiving = `select from photos where event_id = $1 and state = 'receiving'`
    await expect.poll(async () => (await query(receiving, [event.id])).rowCount, { timeout: 15_000 }).toBe(reserved)
    await expect.poll(() => countLockWaits(pool), { interval: 5 }).toBe(2)
    expect((await upload(server, other, file)).statusCode).toBe(201)
    expect([await countLockWaits(pool), pool.waitingCount]).toEqual([2, 0])
    await client.query('rollback')
    await Promise.all(adding)
  } finally {
    client.release(true)
  }
})

test('a photo that arrives when the account has been deactivated is refused', async () => {
  const user = await makeUser(server)
  const event = await createEvent(user)
  const { code, cookie } = await guestOf(codeOf(event))
  const answer = await uploadInHalves(await server.listen(), user, {
    url: `/e/${code}/mine`,
    file,
    async between() {
      await expect.poll(() => guestsThisMonth(user), { interval: 5 }).toBe(1)
      await query('update users set is_active = false where id = $1', [user.id])
    },
    headers: { cookie },
  })
  expect(answer).toMatchObject([404, { detail: 'This page does not exist, or is open no longer.' }])
  expect(await guestsThisMonth(user)).toBe(0)
})

describe('what goes by itself', () => {
  test('rejected photos after a month, contributors with their names later; photos and consent stay', async () => {
    const user = await makeUser(server)
    const event = await createEvent(user)
    const guest = await guestOf(codeOf(event), { name: 'Ann' })
    await addRows(event, (await contributorIds(event))[0]!, 2, { consent: `'{"version":"2026-11"}'` })
    const [kept, rejected] = (await review(user, event)).photos
    await decide(user, event, [kept!.id], ['waiting', 'approved'])
    await decide(user, event, [rejected!.id], ['waiting', 'rejected'])
    await runCleanUp()
    expect((await review(user, event, '?list=decided')).photos).toHaveLength(2)
    await query("update photos set reviewed_at = now() - interval '31 days' where id = $1", [rejected!.id])
    await query("update contributors set last_seen_at = now() - interval '91 days' where event_id = $1", [event.id])
    await runCleanUp()
    expect(await contributorIds(event)).toEqual([])
    expect((await review(user, event, '?list=decided')).photos).toMatchObject([{ id: kept!.id, contributor: null }])
    expect((await mine(guest)).contributor).toBeNull()
    const { rows } = await query('select consent from photos where id = $1', [kept!.id])
    expect(rows[0].consent.version).toBe('2026-11')
  })

  test('contributors go a month after adding has ended', async () => {
    const event = await createEvent(owner)
    await guestOf(codeOf(event))
    const close = (days: number) =>
      query('update events set closes_at = now() - make_interval(days => $2) where id = $1', [event.id, days])
    await close(29)
    await runCleanUp()
    expect(await contributorIds(event)).toHaveLength(1)
    await close(31)
    await runCleanUp()
    expect(await contributorIds(event)).toHaveLength(0)
  })

  test('an owner is told once of ten photos that have waited for ten minutes, until all are reviewed', async () => {
    const user = await makeUser(server)
    const event = await createEvent(user, { name: 'Lotte & Bram' })
    const told = async (): Promise<number> => {
      await runCleanUp()
      await makeJobsDue(server.app.deps.pool)
      await server.work()
      return (await emailsTo(server, user.email)).filter(({ subject = '' }) => /wait for you: Lotte/.test(subject))
        .length
    }
    const waiting = (count: number) => addRows(event, null, count, { finished_at: "now() - interval '11 minutes'" })
    const dayLater = () =>
      query("update events set review_emailed_at = review_emailed_at - interval '25 hours' where id = $1", [event.id])
    await waiting(9)
    await addRows(event, null, 5, { finished_at: 'now()' })
    expect(await told()).toBe(0)
    await waiting(1)
    expect(await told()).toBe(1)
    await query("update photos set finished_at = now() - interval '40 hours' where event_id = $1", [event.id])
    await dayLater()
    expect(await told()).toBe(1)
    const { photos } = await review(user, event)
    await decide(
      user,
      event,
      photos.map(({ id }) => id),
      ['waiting', 'rejected'],
    )
    await waiting(10)
    expect(await told()).toBe(2)
    await dayLater()
    await dayLater()
    await call(user, 'PUT', `/user/events/${event.id}`, { review_emails: false })
    await query(
      "update photos set finished_at = now() - interval '1 hour' where event_id = $1 and review = 'waiting'",
      [event.id],
    )
    expect(await told()).toBe(2)
  })
})
