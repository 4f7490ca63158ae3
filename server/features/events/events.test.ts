import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Event, eventGone, unknownEvent } from '@keepsnap/contract/events.ts'
import type { ApiKey, PhotoPage } from '@keepsnap/contract/integrations.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type { Photo, photoChanges, photoDays } from '@keepsnap/contract/photos.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import type { User } from '@keepsnap/contract/accounts.ts'
import type { TestRequest } from '../../test/harness.ts'
import { useServer } from '../../test/harness.ts'
import { actionsReceivedBy, connectLive } from '../../test/live-client.ts'
import { pathOf, photoActions, photoFile } from '../../test/photo-actions.ts'
import {
  addPhotos,
  createGrant,
  createKey,
  getByKey,
  makeApiUser,
  makeUser,
  type TestUser,
  upload,
  uploadByKey,
  uploadInHalves,
} from '../../test/test-data.ts'
import { purgeEvents } from './events.ts'

let address: string
const server = useServer()
beforeAll(async () => {
  address = await server.listen()
})

const { get, processedPhoto, uploadsThisMonth, photoRowsOf } = photoActions(() => server)
const query = (text: string, values: unknown[]) => server.app.deps.pool.query(text, values)
// The next test need not process them.
afterEach(() => query("update photos set deleted_at = now() where state = 'queued'", []))
const call = (user: TestUser, method: TestRequest['method'], url: string, body?: object) =>
  server.request({ method, url, token: user.token, ...(body && { body }) })
/** The answer, which has to be a good one. */
async function done<Answer>(user: TestUser, method: TestRequest['method'], url: string, body?: object) {
  const answer = await call(user, method, url, body)
  if (answer.statusCode >= 300) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.body}`)
  return answer.json<Answer>()
}
const create = (user: TestUser, settings: object = {}) =>
  done<Event>(user, 'POST', '/user/events', { name: 'Lotte & Bram', ...settings })
const change = (user: TestUser, { id }: Event, body: object) => done<Event>(user, 'PUT', `/user/events/${id}`, body)
const remove = (user: TestUser, { id }: Event, photos = '') =>
  done<Event>(user, 'DELETE', `/user/events/${id}${photos && `?photos=${photos}`}`)
const undo = (user: TestUser, { id }: Event) => call(user, 'POST', `/user/events/${id}/undo-delete`, {})
const choose = (user: TestUser, event: Event | null) =>
  done(user, 'PUT', '/user/current-event', { event_id: event?.id ?? null })
type Moved = { id: string; outcome: string; from: string | null }[]
const move = async (user: TestUser, ids: string[], event: Event | null): Promise<Moved> =>
  (await done<{ results: Moved }>(user, 'POST', '/photos/move', { ids, event_id: event?.id ?? null })).results
/** Photos without files, in an event, newest first. */
async function photosIn(user: TestUser, event: Event | null, count: number, review = 'none'): Promise<string[]> {
  const ids = await addPhotos(server, user, { count, daysAgo: 1 })
  await query('update photos set event_id = $2, review = $3 where id = any($1)', [ids, event?.id ?? null, review])
  return ids
}
const listed = async (user: TestUser, search = ''): Promise<string[]> =>
  (await done<Photo[]>(user, 'GET', `/photos${search}`)).map(({ id }) => id)
const eventOf = async (id: string) =>
  (await query('select event_id, source, deleted_at from photos where id = $1', [id])).rows[0]
/** How often URLs that were handed out were withdrawn. */
const withdrawals = async ({ id }: TestUser): Promise<number> =>
  (await query('select media_epoch - 1 as n from users where id = $1', [id])).rows[0].n

describe('an event', () => {
  test('needs a name alone, and an account without events is shown none', async () => {
    const user = await makeUser(server)
    const [photo = ''] = await addPhotos(server, user, { count: 1 })
    expect(await done<Photo>(user, 'GET', `/photos/${photo}`)).not.toHaveProperty('event_id')
    expect(await done<User>(user, 'GET', '/user/me')).not.toHaveProperty('current_event_id')
    expect(await done(user, 'GET', '/user/events')).toEqual({ events: [] })
    const event = await create(user, { name: '  Lotte &  Bram ' })
    expect(event).toMatchObject({
      name: 'Lotte & Bram',
      starts_on: null,
      gallery: 'off',
      guest_photos: 'off',
      state: null,
    })
    expect(event).toMatchObject({ is_current: false, link_on_photo_pages: true, photo_count: 0, deleted_at: null })
    expect(new URL(event.url).pathname).toMatch(/^\/e\/[0-9A-Za-z]{22}$/)
    expect(await done(user, 'GET', '/user/events')).toEqual({ events: [event] })
    expect(await done(user, 'GET', `/photos/${photo}`)).toMatchObject({ event_id: null })
    expect(await done(user, 'GET', '/user/me')).toMatchObject({ current_event_id: null })
  })

  test('keeps what is set, and what is not given stays', async () => {
    const user = await makeUser(server)
    const settings = { starts_on: '2026-11-14', ends_on: '2026-11-15', ask_email: false, guest_allowance: 40 }
    const event = await create(user, settings)
    const closes = { closes_at: '2026-12-01T01:30:00+02:00' }
    expect(await change(user, event, closes)).toMatchObject({ ...settings, closes_at: '2026-11-30T23:30:00.000Z' })
    expect(await change(user, event, { ends_on: null })).toMatchObject({ starts_on: '2026-11-14', ends_on: null })
    expect(await change(user, event, {})).toMatchObject({ starts_on: '2026-11-14' })
  })

  const mistakes = [
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ name: 'see party.example' }, 'name'],
    [{ name: 'a\u202eb' }, 'name'],
    [{ starts_on: '2026-02-30' }, 'starts_on'],
    [{ ends_on: '2026-02-20' }, 'starts_on'],
    [{ starts_on: '2026-02-20', ends_on: '2026-02-19' }, 'ends_on'],
    [{ closes_at: '2026-02-20' }, 'closes_at'],
    [{ closes_at: '2026-02-30T12:00:00Z' }, 'closes_at'],
    [{ closes_at: '2026-02-20T12:00:00' }, 'closes_at'],
    [{ closes_at: '9999-02-20T12:00:00Z' }, 'closes_at'],
    [{ gallery_opens_at: '2026-02-20T12:00:00Z', closes_at: '2026-02-20T12:00:00Z' }, 'closes_at'],
  ] as [object, string][]
  test('is refused with a name, days, times or an order of them that cannot be', async () => {
    const user = await makeUser(server)
    const event = await create(user)
    for (const [settings, field] of mistakes) {
      const answer = await call(user, 'POST', '/user/events', { name: 'Party', ...settings })
      expect([settings, answer.statusCode, answer.json().detail[0].loc]).toEqual([settings, 422, ['body', field]])
      expect((await call(user, 'PUT', `/user/events/${event.id}`, settings)).statusCode).toBe(422)
    }
    expect(await done(user, 'GET', '/user/events')).toEqual({ events: [event] })
  })

  test('of another account does not exist', async () => {
    const event = await create(await makeUser(server))
    const user = await makeUser(server)
    const photos = await photosIn(user, null, 1)
    const calls = [
      call(user, 'PUT', '/user/current-event', { event_id: event.id }),
      call(user, 'POST', '/photos/move', { ids: photos, event_id: event.id }),
    ]
    for (const { statusCode, body } of await Promise.all(calls))
      expect([statusCode, JSON.parse(body)]).toEqual([404, { code: 'not_found', detail: 'This event does not exist.' }])
    for (const url of ['/photos', '/photos/latest', '/user/photo-days'])
      expect((await get(user, `${url}?event=${event.id}`)).json().detail).toEqual([
        { loc: ['query', 'event'], msg: unknownEvent },
      ])
    expect(await listed(user)).toEqual(photos)
  })

  test('is one of 500', async () => {
    const user = await makeUser(server)
    await query(
      `insert into events (id, user_id, name) select 'e' || n || $1, $1, 'E' from generate_series(2, $2::int) as n`,
      [user.id, eventLimits.eventsMax],
    )
    const answers = await Promise.all([1, 2, 3].map(() => call(user, 'POST', '/user/events', { name: 'One more' })))
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 201)).toEqual([201])
  })

  test.each([
    ['coming', 1, 2, null],
    ['on_now', 0, null, null],
    ['on_now', -1, 0, null],
    ['past', -3, -2, null],
    ['closed', 0, null, -1],
    [null, null, null, null],
  ])('is %s by its dates', async (state, starts, ends, closes) => {
    const user = await makeUser(server)
    const event = await create(user)
    // As `eveningOf`, in UTC.
    const day = `((now() at time zone 'utc') - interval '6 hours')::date`
    await query(
      `update events set starts_on = ${day} + $2::int, ends_on = ${day} + $3::int, closes_at = now() + make_interval(hours => $4) where id = $1`,
      [event.id, starts, ends, closes],
    )
    expect((await done<Event>(user, 'GET', `/user/events/${event.id}`)).state).toBe(state)
  })
})

describe('the current event', () => {
  test('gets new photos, and the latest photo is of it', async () => {
    const user = await makeUser(server)
    const [wedding, party] = [await create(user), await create(user)]
    const [old] = await photosIn(user, wedding, 1)
    const live = await connectLive(address, user.token)
    const [newer] = await photosIn(user, null, 2)
    expect(await done(user, 'GET', '/photos/latest')).toMatchObject({ id: newer })
    await choose(user, wedding)
    const actions = await actionsReceivedBy(live, server, user)
    expect(actions.slice(-2)).toEqual(['current_event', 'latest_photo'])
    expect(live.received[actions.length - 1]).toMatchObject({ photo: { id: old, event_id: wedding.id } })
    expect(await done(user, 'GET', '/photos/latest')).toMatchObject({ id: old })
    expect(await done(user, 'GET', '/photos/latest?event=none')).toMatchObject({ id: newer })
    expect(await done(user, 'GET', `/user/events/${wedding.id}`)).toMatchObject({ is_current: true })
    const photo = (await upload(server, user, photoFile)).json<Photo>()
    expect(photo.event_id).toBe(wedding.id)
    expect(await eventOf(photo.id)).toMatchObject({ source: 'owner' })
    await choose(user, party)
    expect((await get(user, '/photos/latest')).statusCode).toBe(404)
    await choose(user, null)
    expect(await done(user, 'GET', '/photos/latest')).toMatchObject({ id: photo.id })
    live.socket.close()
  })

  test.each(['archived', 'deleted'])('becomes none when it is %s, and cannot be that again before', async (what) => {
    const user = await makeUser(server)
    const event = await create(user)
    await choose(user, event)
    const live = await connectLive(address, user.token)
    if (what === 'deleted') await remove(user, event)
    else await change(user, event, { archived: true })
    expect(await done(user, 'GET', '/user/me')).toMatchObject({ current_event_id: null })
    // That of its choice may come after the socket is open.
    const actions = new Set(await actionsReceivedBy(live, server, user))
    expect(actions).toEqual(new Set(['identified', 'current_event', 'events_changed']))
    expect((await call(user, 'PUT', '/user/current-event', { event_id: event.id })).statusCode).toBe(409)
    if (what === 'deleted') await undo(user, event)
    else await change(user, event, { archived: false })
    await choose(user, event)
    live.socket.close()
  })

  test('ends the hold of a photo of another one', async () => {
    const user = await makeUser(server)
    const [wedding, party] = [await create(user), await create(user)]
    const [photo] = await photosIn(user, wedding, 1)
    const holds = async () =>
      (await done<{ hold: { photo_id: string } | null }>(user, 'GET', '/user/hold')).hold?.photo_id
    await done(user, 'PUT', '/user/hold', { photo_id: photo })
    await choose(user, wedding)
    await choose(user, null)
    expect(await holds()).toBe(photo)
    const live = await connectLive(address, user.token)
    await choose(user, party)
    expect(await live.next(({ action }) => action === 'photo_hold')).toMatchObject({ hold: null })
    expect(await holds()).toBeUndefined()
    live.socket.close()
  })
})

describe('a deleted event', () => {
  test('closes its photos on every path at once, which count on, and an undo brings back what was there', async () => {
    const user = await makeUser(server)
    const event = await create(user)
    const photo = await processedPhoto(user)
    const { secret } = await createGrant(server, { photo: photo.id, owner: user.id })
    await move(user, [photo.id], event)
    const [rejected = '', approved = ''] = [
      ...(await photosIn(user, event, 1, 'rejected')),
      ...(await photosIn(user, event, 1, 'approved')),
    ]
    const elsewhere = await photosIn(user, null, 1)
    await done(user, 'PUT', '/user/hold', { photo_id: photo.id })
    const archive = await done<{ url: string }>(user, 'POST', '/photos/archive', { ids: [photo.id] })
    const code = pathOf(photo.qr_code_url).replace('/qr', '').replace('.png', '')
    const guests = [code, pathOf(photo.thumbnail_url), `/g/${secret}`, `/request-photo/${photo.id}`]
    const paths = [pathOf(photo.b2_url), pathOf(photo.qr_code_url), pathOf(archive.url), ...guests]
    const statuses = () =>
      Promise.all(paths.map(async (url) => (await server.request({ method: 'GET', url })).statusCode))
    const before = [await statuses(), await listed(user), await uploadsThisMonth(user)]
    const { next } = await done<Reply<typeof photoChanges>>(user, 'GET', '/photos/changes')
    expect(before[0]).toEqual(paths.map(() => 200))
    const live = await connectLive(address, user.token)

    const deleted = await remove(user, event)
    expect(deleted).toMatchObject({ photo_count: 2, thumbnails: [] })
    expect(Date.parse(deleted.gone_at!) - Date.parse(deleted.deleted_at!)).toBe(eventLimits.undoDays * 86_400_000)
    expect(await statuses()).toEqual(paths.map(() => 404))
    expect(await listed(user)).toEqual(elsewhere)
    expect((await get(user, `/photos/${photo.id}`)).statusCode).toBe(404)
    expect((await call(user, 'PUT', '/user/hold', { photo_id: approved })).statusCode).toBe(404)
    const changes = await done<Reply<typeof photoChanges>>(user, 'GET', `/photos/changes?since=${next}`)
    expect(new Set(changes.deleted)).toEqual(new Set([photo.id, approved, rejected]))
    const latest = await live.next((message) => message.action === 'latest_photo' && message.photo.id === elsewhere[0])
    expect(latest).toBeDefined()
    expect(live.received).toContainEqual({ action: 'photo_hold', hold: null })
    expect(await done(user, 'GET', '/user/me')).toMatchObject({ photo_count: 1 })
    expect(await uploadsThisMonth(user)).toBe(before[2])
    expect((await call(user, 'PUT', `/user/events/${event.id}`, { name: 'Again' })).statusCode).toBe(409)
    expect(await move(user, [photo.id, rejected], null)).toEqual([
      { id: photo.id, outcome: 'not found', from: null },
      { id: rejected, outcome: 'not found', from: null },
    ])

    expect((await undo(user, event)).json()).toMatchObject({ deleted_at: null, photo_count: 2 })
    expect([await statuses(), await listed(user), await uploadsThisMonth(user)]).toEqual(before)
    expect(await done(user, 'GET', '/user/me')).toMatchObject({ photo_count: 3 })
    live.socket.close()
  })

  test('can leave its photos without an event, but for those that wait for a review or were rejected', async () => {
    const user = await makeUser(server)
    const event = await create(user)
    const kept = await photosIn(user, event, 2)
    const [waiting = ''] = await photosIn(user, event, 1, 'waiting')
    await remove(user, event, 'keep')
    expect(await listed(user, '?event=none')).toEqual(kept)
    await undo(user, event)
    expect(await listed(user, '?event=none')).toEqual(kept)
    expect(await eventOf(waiting)).toMatchObject({ event_id: event.id })
    expect(await done(user, 'GET', `/user/events/${event.id}`)).toMatchObject({ photo_count: 0, waiting_count: 1 })
  })

  test('is gone with its photos after 7 days', async () => {
    const user = await makeUser(server)
    const [event, other] = [await create(user), await create(user)]
    const photo = await processedPhoto(user)
    await move(user, [photo.id], event)
    const ids = [photo.id, ...(await photosIn(user, event, 5)), ...(await photosIn(user, event, 1, 'rejected'))]
    const [removed] = ids.slice(1)
    // Removed after the end of a plan, which can be undone otherwise.
    await query(
      `with removed as (insert into photo_removals (photo_id, user_id, clock, restorable_until, by_operator)
         values ($1, $2, 'database', now() + interval '1 day', false) returning photo_id)
      update photos set deleted_at = now() from removed where id = photo_id`,
      [removed, user.id],
    )
    const kept = await photosIn(user, other, 1)
    await remove(user, event)
    await remove(user, other)
    await query(`update events set deleted_at = now() - interval '7 days' where id = $1`, [event.id])
    await query(`update events set deleted_at = now() - interval '6 days 23 hours' where id = $1`, [other.id])
    expect((await get(user, `/user/events/${event.id}`)).statusCode).toBe(404)
    expect((await undo(user, event)).statusCode).toBe(404)
    // A run has a limit, and the next goes on.
    await purgeEvents(server.app.deps, { events: 9, photosAtOnce: 2, photos: 3 })
    expect((await photoRowsOf(user)).filter(({ deleted_at }) => deleted_at === null)).toHaveLength(4)
    await query(`select graphile_worker.add_job('purge-events', '{}'::json)`, [])
    await server.work()
    const rows = await photoRowsOf(user)
    expect(rows.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id)).toEqual(kept)
    expect((await query('select id from events where user_id = $1', [user.id])).rows).toEqual([{ id: other.id }])
    expect((await query('select from stored_objects where photo_id = $1', [photo.id])).rows).toEqual([])
    expect((await query('select from photo_removals where user_id = $1', [user.id])).rows).toEqual([])
    await undo(user, other)
    expect(await listed(user)).toEqual(kept)
  })
})

describe('who gives an email address to get photos', () => {
  test.each([
    [null, true, 1],
    [null, false, 0],
    [true, false, 1],
    [true, null, 1],
    [false, null, 0],
  ])('is decided by the event: from %s to %s withdraws URLs %s times', async (from, to, times) => {
    const user = await makeUser(server)
    const event = await create(user, { ask_email: from })
    const live = await connectLive(address, user.token)
    await change(user, event, { ask_email: to })
    expect(await withdrawals(user)).toBe(times)
    const actions = await actionsReceivedBy(live, server, user)
    expect(actions.filter((action) => action === 'user_update')).toHaveLength(times)
    live.socket.close()
  })

  test('is decided when a code is scanned, also after a photo was moved', async () => {
    const user = await makeUser(server)
    const asks = await create(user, { ask_email: true })
    const photo = await processedPhoto(user)
    const code = pathOf(photo.qr_code_url).replace('/qr', '').replace('.png', '')
    const status = async (url: string) => (await server.request({ method: 'GET', url })).statusCode
    expect(await status(code)).toBe(200)
    await move(user, [photo.id], asks)
    expect([await status(code), await status(pathOf(photo.b2_url)), await withdrawals(user)]).toEqual([302, 404, 1])
    await move(user, [photo.id], await create(user, { ask_email: true }))
    expect(await withdrawals(user)).toBe(1)
    await change(user, asks, { ask_email: false })
    expect(await status(code)).toBe(302)
    await move(user, [photo.id], asks)
    expect([await status(code), await withdrawals(user)]).toEqual([200, 3])
    // What is kept has the gate of the account again.
    await done(user, 'PUT', '/user/settings', { ask_email_to_receive_photo: true })
    await remove(user, asks, 'keep')
    expect([await status(code), await withdrawals(user)]).toEqual([302, 5])
  })
})

describe('photos are moved', () => {
  test('together, and back; each answer says where it was', async () => {
    const user = await makeUser(server)
    const [from, to] = [await create(user), await create(user)]
    const [a = '', b = ''] = await photosIn(user, from, 2)
    const [c = ''] = await photosIn(user, to, 1)
    const [waiting = '', rejected = ''] = [
      ...(await photosIn(user, from, 1, 'waiting')),
      ...(await photosIn(user, from, 1, 'rejected')),
    ]
    const [foreign = ''] = await addPhotos(server, await makeUser(server), { count: 1 })
    await change(user, to, { archived: true })
    const live = await connectLive(address, user.token)
    expect(await move(user, [a, c, waiting, rejected, foreign, 'nothing', a, b], to)).toEqual([
      { id: a, outcome: 'done', from: from.id },
      { id: c, outcome: 'unchanged', from: to.id },
      { id: waiting, outcome: 'refused', from: from.id },
      { id: rejected, outcome: 'refused', from: from.id },
      { id: foreign, outcome: 'not found', from: null },
      { id: 'nothing', outcome: 'not found', from: null },
      { id: a, outcome: 'unchanged', from: from.id },
      { id: b, outcome: 'done', from: from.id },
    ])
    expect(await listed(user, `?event=${from.id}`)).toEqual([])
    expect(await eventOf(waiting)).toMatchObject({ event_id: from.id })
    expect((await actionsReceivedBy(live, server, user)).filter((action) => !action.startsWith('latest'))).toEqual([
      'identified',
      'photo_update',
      'photo_update',
      'events_changed',
    ])
    expect(live.received).toContainEqual(
      expect.objectContaining({ action: 'photo_update', photo: expect.objectContaining({ id: a, event_id: to.id }) }),
    )
    await move(user, [a, b], from)
    expect(await listed(user, `?event=${from.id}`)).toEqual([a, b])
    expect(await move(user, [a], null)).toMatchObject([{ outcome: 'done' }])
    expect(await listed(user, '?event=none')).toEqual([a])
    live.socket.close()
  })

  test('never into a deleted event', async () => {
    const user = await makeUser(server)
    const event = await create(user)
    const ids = await photosIn(user, null, 1)
    await remove(user, event)
    expect((await call(user, 'POST', '/photos/move', { ids, event_id: event.id })).statusCode).toBe(409)
    expect(await listed(user)).toEqual(ids)
  })
})

describe('an upload', () => {
  test('goes to the event that it names, and is refused before its body is read when there is none', async () => {
    const user = await makeApiUser(server)
    const [current, event] = [await create(user), await create(user)]
    const foreign = await create(await makeUser(server))
    await choose(user, current)
    const { key } = await createKey(server, user)
    const byPage = async (query: string) => (await upload(server, user, photoFile, { query })).json<Photo>().event_id
    const byProgram = async (query = '') => (await uploadByKey(server, key, photoFile, { query })).json<Photo>()
    expect(await byPage(`?event=${event.id}`)).toBe(event.id)
    expect(await byPage('?event=none')).toBeNull()
    expect(await byPage('')).toBe(current.id)
    expect((await byProgram(`?event=${event.id}`)).event_id).toBe(event.id)
    const ofKey = await byProgram()
    expect(await eventOf(ofKey.id)).toMatchObject({ event_id: current.id, source: 'key' })
    const refusal = [422, { code: 'invalid', detail: [{ loc: ['query', 'event'], msg: unknownEvent }] }]
    for (const id of [foreign.id, 'nothing']) {
      // A body that nobody could read.
      const headers = { 'content-type': 'multipart/form-data; boundary=none' }
      const url = `/photos/upload?event=${id}`
      const answer = await server.request({ method: 'POST', url, token: user.token, headers, body: 'broken' })
      expect([answer.statusCode, answer.json()]).toEqual(refusal)
      const byKey = await uploadByKey(server, key, photoFile, { query: `?event=${id}` })
      expect([byKey.statusCode, byKey.json()]).toEqual(refusal)
    }
    await remove(user, event)
    expect(await byPage(`?event=${event.id}`)).toBeNull()
  })

  test('whose event is deleted while it arrives is stored without an event, and of a switch in between knows nothing', async () => {
    const user = await makeUser(server)
    const [event, other] = [await create(user), await create(user)]
    await choose(user, event)
    const send = (between: () => Promise<unknown>) =>
      uploadInHalves(address, user, { url: '/photos/upload', file: photoFile, between })
    expect(await send(() => choose(user, other))).toMatchObject([201, { event_id: event.id }])
    await choose(user, event)
    expect(await send(() => remove(user, event))).toMatchObject([201, { event_id: null }])
  })

  test('that is repeated gets the first answer, whatever has become of the event', async () => {
    const user = await makeUser(server)
    const [event, other] = [await create(user), await create(user)]
    const send = (query: string) =>
      upload(server, user, photoFile, { query, headers: { 'idempotency-key': 'the same' } })
    const first = (await send(`?event=${event.id}`)).json<Photo>()
    for (const query of [`?event=${other.id}`, '?event=nothing', ''])
      expect((await send(query)).json()).toMatchObject({ id: first.id, event_id: event.id })
    await remove(user, event)
    const again = await send(`?event=${event.id}`)
    expect([again.statusCode, again.json().detail]).toEqual([
      409,
      'This photo was already uploaded and has since been deleted.',
    ])
    await undo(user, event)
    expect((await send('')).json()).toMatchObject({ id: first.id })
  })
})

describe('an API key that is bound to an event', () => {
  test('reads and adds photos of it alone', async () => {
    const user = await makeApiUser(server)
    const unbound = await createKey(server, user)
    expect(unbound).not.toHaveProperty('event_id')
    const [event, current] = [await create(user), await create(user)]
    const ids = await photosIn(user, event, 3)
    const others = [...(await photosIn(user, current, 2)), ...(await photosIn(user, null, 2))]
    await choose(user, current)
    const { key, event_id } = await createKey(server, user, { event_id: event.id })
    expect(event_id).toBe(event.id)
    expect((await done<ApiKey[]>(user, 'GET', '/api/keys')).map((one) => one.event_id)).toEqual([event.id, null])
    const page = async (search: string, which = key) => {
      const answer = await getByKey(server, which, `/api/photos${search}`)
      const { photos, total } = answer.json<PhotoPage>()
      return [photos.map(({ id }) => id), total, answer.headers['x-next-before']]
    }
    expect(await page('')).toEqual([ids, 3, undefined])
    expect(await page('?limit=2')).toEqual([ids.slice(0, 2), 3, ids[1]])
    expect(await page(`?limit=2&before=${ids[1]}`)).toEqual([ids.slice(2), 3, undefined])
    expect(await page('?skip=2')).toEqual([ids.slice(2), 3, undefined])
    expect(await page('?skip=9')).toEqual([[], 3, undefined])
    expect(await page(`?event=${event.id}`)).toEqual([ids, 3, undefined])
    expect(await page(`?event=${current.id}`, unbound.key)).toEqual([others.slice(0, 2), 2, undefined])
    expect((await page('', unbound.key))[1]).toBe(7)
    const latest = async (which: string) => (await getByKey(server, which, '/api/photos/latest')).json<Photo>().id
    expect([await latest(key), await latest(unbound.key)]).toEqual([ids[0], others[0]])
    for (const other of [current.id, 'none', 'nothing'])
      for (const url of ['/api/photos', '/api/photos/latest'])
        expect((await getByKey(server, key, `${url}?event=${other}`)).statusCode).toBe(422)
    const refused = await uploadByKey(server, key, photoFile, { query: `?event=${current.id}` })
    expect(refused.json().detail[0].msg).toBe(
      'This API key belongs to another event. Leave event out, or use another key.',
    )
    expect((await uploadByKey(server, key, photoFile)).json()).toMatchObject({ event_id: event.id })
    // Nor does it get a photo of another event by repeating its upload.
    const again = { headers: { 'idempotency-key': 'of another key' } }
    const repeats = [unbound.key, unbound.key, key].map((which) => () => uploadByKey(server, which, photoFile, again))
    for (const [at, status] of [201, 201, 409].entries()) expect((await repeats[at]!()).statusCode).toBe(status)
  })

  test('is refused while its event is deleted and when it is gone, also for a file that arrives meanwhile', async () => {
    const user = await makeApiUser(server)
    const event = await create(user)
    const { key } = await createKey(server, user, { event_id: event.id })
    const refusal = [409, { code: 'event_gone', detail: eventGone }]
    const headers = { 'x-api-key': key, authorization: '' }
    const sent = uploadInHalves(address, user, {
      url: '/api/upload',
      file: photoFile,
      between: () => remove(user, event),
      headers,
    })
    expect(await sent).toEqual(refusal)
    expect([await photoRowsOf(user), await uploadsThisMonth(user)]).toEqual([[], 0])
    const expectRefusal = async () => {
      const answers = [
        uploadByKey(server, key, photoFile),
        getByKey(server, key, '/api/photos'),
        getByKey(server, key, '/api/photos/latest'),
      ]
      for (const answer of await Promise.all(answers)) expect([answer.statusCode, answer.json()]).toEqual(refusal)
    }
    await expectRefusal()
    await undo(user, event)
    expect((await uploadByKey(server, key, photoFile)).json()).toMatchObject({ event_id: event.id })
    await query('delete from events where id = $1', [event.id])
    await expectRefusal()
  })

  test('cannot be created for an event that is deleted, unknown or of another account', async () => {
    const user = await makeApiUser(server)
    const event = await create(user)
    await remove(user, event)
    const foreign = await create(await makeUser(server))
    for (const [id, status] of [
      [event.id, 409],
      [foreign.id, 404],
      ['nothing', 404],
    ] as const)
      expect((await call(user, 'POST', '/api/keys', { name: 'Booth', event_id: id })).statusCode).toBe(status)
    expect(await done(user, 'GET', '/api/keys')).toEqual([])
  })
})

test('lists have the photos of an event, of none, or all', async () => {
  const user = await makeUser(server)
  const [event, deleted] = [await create(user), await create(user)]
  const older = await photosIn(user, event, 2)
  const loose = await photosIn(user, null, 2)
  const newer = await photosIn(user, event, 2)
  const all = await listed(user)
  const ofEvent = all.filter((id) => [...older, ...newer].includes(id))
  expect(all).toHaveLength(6)
  const search = (more = '') => listed(user, `?event=${event.id}${more}`)
  expect(await search()).toEqual(ofEvent)
  expect(await listed(user, '?event=none')).toEqual(all.filter((id) => loose.includes(id)))
  const page = await get(user, `/photos?event=${event.id}&limit=2`)
  expect(page.headers['x-next-before']).toBe(ofEvent[1])
  expect(await search(`&limit=2&before=${ofEvent[1]}`)).toEqual(ofEvent.slice(2))
  expect(await search(`&after=${ofEvent[2]}`)).toEqual(ofEvent.slice(0, 2))
  const days = async (filter: string) =>
    (await done<Reply<typeof photoDays>>(user, 'GET', `/user/photo-days${filter}`)).days
  const [day] = await days('')
  expect(day?.count).toBe(6)
  expect(await days(`?event=${event.id}`)).toEqual([{ ...day, count: 4 }])
  expect(await days('?event=none')).toEqual([{ ...day, count: 2 }])
  expect(await search(`&on=${day?.day}`)).toEqual(ofEvent)
  await query(
    `insert into stored_objects (key, photo_id, crc32) select full_key, id, 7 from photos where user_id = $1`,
    [user.id],
  )
  const archive = (body: object) => call(user, 'POST', '/photos/archive', body)
  const sizeOf = async (body: object) => (await archive(body)).json<{ size_bytes: number }>().size_bytes
  expect(await sizeOf({ on: day?.day, event: event.id })).toBe(await sizeOf({ ids: ofEvent }))
  expect((await archive({ ids: ofEvent, event: event.id })).statusCode).toBe(422)
  await remove(user, deleted)
  for (const url of [`/photos?event=${deleted.id}`, '/photos?event=nothing', '/photos?event='])
    expect((await get(user, url)).statusCode).toBe(422)
  expect((await archive({ on: day?.day, event: deleted.id })).json().detail[0].loc).toEqual(['body', 'event'])
})

describe('at the same moment', () => {
  const rounds = 12

  test('an undo and the removal: all photos are there, or none', async () => {
    let undone = 0
    for (let round = 0; round < rounds; round++) {
      const user = await makeUser(server)
      const event = await create(user)
      await photosIn(user, event, 6)
      await remove(user, event)
      // Gone in some milliseconds.
      await query(
        `update events set deleted_at = now() - interval '7 days' + make_interval(secs => $2) where id = $1`,
        [event.id, (round % 5) / 500],
      )
      const purge = async () => {
        await purgeEvents(server.app.deps, { events: 9, photosAtOnce: 2, photos: 99 })
      }
      const [answer] = await Promise.all([undo(user, event), purge(), purge()])
      await purge()
      const rows = await query('select id from photos where event_id = $1 and is_listed and deleted_at is null', [
        event.id,
      ])
      expect([answer.statusCode, rows.rows.length]).toEqual(answer.statusCode === 200 ? [200, 6] : [404, 0])
      undone += Number(answer.statusCode === 200)
    }
    expect(undone).toBeLessThan(rounds)
  })

  test('uploads and the deletion of their event: every photo is there', async () => {
    for (let round = 0; round < rounds / 2; round++) {
      const user = await makeApiUser(server)
      const event = await create(user)
      const uploads = [1, 2, 3].map(() => upload(server, user, photoFile, { query: `?event=${event.id}` }))
      const [answers] = await Promise.all([Promise.all(uploads), remove(user, event)])
      await undo(user, event)
      const there = await listed(user)
      // 404: it was deleted with the event before its answer.
      expect(answers.filter(({ statusCode }) => statusCode !== 201 && statusCode !== 404)).toEqual([])
      const accepted = answers.filter(({ statusCode }) => statusCode === 201).map((answer) => answer.json<Photo>().id)
      expect(there).toEqual(expect.arrayContaining(accepted))
      expect(there).toHaveLength(3)
    }
  })

  test('moves, deletions and switches: no photo is in a deleted event, and none is lost', async () => {
    for (let round = 0; round < rounds / 2; round++) {
      const user = await makeUser(server)
      const [from, to] = [await create(user), await create(user)]
      const ids = await photosIn(user, from, 4)
      const changes = [
        call(user, 'POST', '/photos/move', { ids, event_id: to.id }),
        call(user, 'POST', '/photos/move', { ids: ids.toReversed(), event_id: null }),
        call(user, 'DELETE', `/user/events/${to.id}`),
        call(user, 'POST', '/photos/bulk', { action: 'delete', ids: ids.slice(0, 1) }),
        call(user, 'PUT', '/user/current-event', { event_id: to.id }),
      ]
      for (const { statusCode } of await Promise.all(changes)) expect([200, 409]).toContain(statusCode)
      const { rows } = await query(
        `select photos.id, is_listed = (events.deleted_at is null) as is_right from photos left join events on events.id = event_id
         where photos.id = any($1) and photos.deleted_at is null`,
        [ids],
      )
      expect(rows.every(({ is_right }) => is_right)).toBe(true)
      expect([3, 4]).toContain(rows.length)
      expect(await done(user, 'GET', '/user/me')).toMatchObject({ current_event_id: null })
      await undo(user, to)
    }
  })
})
