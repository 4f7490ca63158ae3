import { beforeAll, expect, test } from 'vitest'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type { eventPhotos } from '@keepsnap/contract/event-guests.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { endOfHour, type Photo, type photoDays, type photoHours } from '@keepsnap/contract/photos.ts'
import { publish } from '../../platform/live/bus.ts'
import { eventActions } from '../../test/event-guests.ts'
import { useServer } from '../../test/harness.ts'
import { addPhotos, makeUser, type TestUser } from '../../test/test-data.ts'

const server = useServer()
const { call, createEvent } = eventActions(() => server)
const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)

let owner: TestUser
beforeAll(async () => {
  owner = await makeUser(server)
  await query("update users set time_zone = 'Europe/Brussels' where id = $1", [owner.id])
})

/** A photo that was added at one time and taken at another, and how it differs from one that everybody sees. */
interface Taken {
  added: string
  taken: string | null
  more?: string
}

async function makeEvent(
  settings: object,
  photos: readonly Taken[],
): Promise<{ event: Event; ids: string[]; path: string }> {
  const event = await createEvent(owner, { gallery: 'link', ...settings })
  const ids = await addPhotos(server, owner, { count: photos.length })
  for (const [at, photo] of photos.entries()) await change(ids[at]!, event, photo)
  return { event, ids, path: new URL(event.url).pathname }
}
async function change(id: string, event: Event, { added, taken, more = 'id = id' }: Taken): Promise<void> {
  await query(
    `update photos set event_id = $2, created_at = $3, captured_at = $4, thumb_key = 'thumb/' || id, full_key = 'full/' || id, ${more} where id = $1`,
    [id, event.id, added, taken],
  )
  await publish(server.db, { kind: 'photo', what: 'changed', user: owner.id, photo: id })
  server.app.deps.mediaCache.invalidateUser(owner.id)
}

const guestPage = async (path: string, search = ''): Promise<Reply<typeof eventPhotos>> =>
  (await server.request({ method: 'GET', url: `${path}/photos${search}` })).json()
const html = async (path: string, search = ''): Promise<string> =>
  (await server.request({ method: 'GET', url: path + search, headers: { accept: 'text/html' } })).body
/** The times of a list: when each photo was taken, else added. */
const times = ({ photos }: Reply<typeof eventPhotos>): string[] =>
  photos.map(({ shown_at, taken_at }) => (taken_at ?? shown_at).slice(11, 16))
const listed = async (search: string): Promise<Photo[]> => (await call(owner, 'GET', `/photos?${search}`)).json()
const hoursOf = async (event: Event, order: string): Promise<[string, number][]> => {
  const { hours } = (await call(owner, 'GET', `/user/photo-hours?event=${event.id}&order=${order}`)).json<
    Reply<typeof photoHours>
  >()
  return hours.map(({ at, count }) => [at.slice(11, 16), count])
}
/** The hours that a page for guests leads to, with their counts. */
const linksIn = (page: string): [string, string][] =>
  Array.from(
    page.matchAll(/until=[^"]+"[^>]*><b translate="no">([^<]+)<\/b> <span>(\d+)/g),
    ([, hour, count]) => [hour!, count!] as [string, string],
  )

const day = '2026-11-14'
const dated = { starts_on: day }
const at = (hour: number, minute = 0): string => new Date(Date.UTC(2026, 10, 14, hour, minute)).toISOString()

test('both orders, for owner and guests, and every photo once through all pages', async () => {
  const photos = [
    { added: at(22), taken: `${day}T18:00:58.250Z` },
    { added: at(21), taken: at(20) },
    { added: at(20, 30), taken: null },
    { added: at(20), taken: `${day}T18:00:59.750Z` },
  ]
  const { event, ids, path } = await makeEvent(dated, photos)
  expect(times(await guestPage(path))).toEqual(['22:00', '21:00', '20:30', '20:00'])
  // Guests get the minute, and cannot find out more.
  expect(times(await guestPage(path, `?order=taken&until=${day}T18:00:59Z`))).toEqual([])
  const forGuests = await guestPage(path, '?order=taken')
  expect(forGuests.photos.map(({ taken_at }) => taken_at)).toEqual([undefined, at(20), at(18), at(18)])
  const encryption = server.app.deps.tokens.galleryPhotos(path.slice('/e/'.length))
  expect(forGuests.photos.map(({ token }) => ids.indexOf(encryption.decrypt(token) ?? ''))).toEqual([2, 1, 3, 0])
  const inOrder = async (search: string): Promise<number[]> =>
    (await listed(`event=${event.id}&${search}`)).map(({ id }) => ids.indexOf(id))
  expect(await inOrder('order=added')).toEqual([0, 1, 2, 3])
  expect(await inOrder('order=taken')).toEqual([2, 1, 3, 0])
  expect(await inOrder(`order=taken&after=${ids[3]}`)).toEqual([2, 1])
  expect(await inOrder(`order=taken&before=${ids[1]}&limit=1`)).toEqual([3])
  expect(await inOrder(`order=taken&until=${at(20)}`)).toEqual([3, 0])
  expect(await inOrder(`order=taken&from=${day}`)).toEqual([2, 1, 3, 0])
  expect(await inOrder(`order=taken&on=2026-11-13`)).toEqual([])
  const [first] = await listed(`event=${event.id}`)
  expect(first).toMatchObject({ created_at: at(22), taken_at: photos[0]!.taken })
  expect((await call(owner, 'GET', `/photos/${ids[2]}`)).json()).toMatchObject({ taken_at: null })
})

test('photos that come while a guest reads neither hide nor repeat others', async () => {
  const count = eventLimits.galleryPage + 20
  const { event, path } = await makeEvent(
    dated,
    // Taken in the reverse order.
    Array.from({ length: count }, (_, n) => ({ added: at(12, n), taken: at(20, -n) })),
  )
  for (const order of ['added', 'taken'] as const) {
    const first = await guestPage(path, `?order=${order}`)
    const ids = await addPhotos(server, owner, { count: 2 })
    await change(ids[0]!, event, { added: at(23), taken: at(22) })
    await change(ids[1]!, event, { added: at(11), taken: at(10) })
    const second = await guestPage(path, `?order=${order}&before=${first.next}`)
    const tokens = [...first.photos, ...second.photos].map(({ token }) => token)
    expect([tokens.length, new Set(tokens).size, second.next]).toEqual([count + 1, count + 1, null])
    expect(times(second).at(-1)).toBe(order === 'added' ? at(11).slice(11, 16) : at(10).slice(11, 16))
    expect(times(await guestPage(path, `?order=${order}`))[0]).toBe(order === 'added' ? '23:00' : '22:00')
    await query('update photos set deleted_at = now() where id = any($1)', [ids])
    await publish(server.db, { kind: 'photo', what: 'changed', user: owner.id, photo: ids[0]! })
  }
})

test.each<[string, object, string, boolean]>([
  ['on the day of the event', dated, at(10), true],
  ['the day before it', dated, '2026-11-13T12:00:00Z', true],
  ['the day after it', dated, '2026-11-15T20:00:00Z', true],
  ['the day after its last one', { starts_on: '2026-11-12', ends_on: day }, '2026-11-15T20:00:00Z', true],
  ['two days before it', dated, '2026-11-12T00:00:00Z', false],
  ['a week after it', dated, '2026-11-21T12:00:00Z', false],
  ['by a clock that is a year behind', dated, '2025-11-14T20:00:00Z', false],
  ['29 days before the upload, without a date', {}, '2026-10-16T23:00:00Z', true],
  ['31 days before it', {}, '2026-10-14T21:00:00Z', false],
])('a photo taken %s counts, or is of the time of its upload', async (_, settings, taken, counts) => {
  const added = '2026-11-14T23:00:00.000Z'
  const { event, ids } = await makeEvent(settings, [{ added, taken }])
  const [photo] = await listed(`event=${event.id}&order=taken`)
  expect(photo).toMatchObject({ id: ids[0], taken_at: counts ? new Date(taken).toISOString() : null })
  const { days } = (await call(owner, 'GET', `/user/photo-days?event=${event.id}&order=taken`)).json<
    Reply<typeof photoDays>
  >()
  expect(days).toEqual([{ day: (counts ? taken : added).slice(0, 10), count: 1 }])
  // The dates of an event can change afterwards.
  await call(owner, 'PUT', `/user/events/${event.id}`, { starts_on: taken.slice(0, 10), ends_on: null })
  expect((await listed(`event=${event.id}&order=taken`))[0]!.taken_at).not.toBeNull()
})

test('hours count what guests see, in the time zone of the account, and each leads to its photos', async () => {
  const hidden = `hidden_at = now()`
  const { event, ids, path } = await makeEvent(dated, [
    { added: at(19, 59), taken: at(18) },
    { added: at(20), taken: at(18, 59) },
    { added: at(20, 30), taken: at(23, 30) },
    { added: at(20, 40), taken: at(18, 30), more: hidden },
    { added: at(20, 41), taken: at(18, 31), more: `review = 'waiting', source = 'guest'` },
    { added: at(20, 42), taken: at(18, 32), more: `review = 'rejected', source = 'guest'` },
    { added: at(20, 43), taken: at(18, 33), more: `operator_decision = 'hide', operator_decided_at = now()` },
    { added: at(20, 44), taken: at(18, 34), more: 'deleted_at = now()' },
    { added: at(20, 45), taken: at(18, 35), more: `state = 'failed'` },
  ])
  // An hour ahead of UTC.
  expect(linksIn(await html(path))).toEqual([
    ['21:00', '2'],
    ['20:00', '1'],
  ])
  const byTaken = await html(path, '?order=taken')
  expect(linksIn(byTaken)).toEqual([
    ['00:00', '1'],
    ['19:00', '2'],
  ])
  const lastLink = [...byTaken.matchAll(/href="([^"]*until=[^"]*)"/g)].at(-1)![1]!.replaceAll('&amp;', '&')
  const search = lastLink.slice(lastLink.indexOf('?'))
  expect(times(await guestPage(path, search))).toEqual(['18:59', '18:00'])
  expect((await html(path, search)).match(/<img src="\/e\//g)).toHaveLength(2)
  // The owner sees what is hidden or failed, and not what waits.
  expect(await hoursOf(event, 'taken')).toEqual([
    ['23:00', 1],
    ['18:00', 5],
  ])
  await call(owner, 'PUT', `/photos/${ids[0]}`, { hidden: true })
  await expect
    .poll(async () => linksIn(await html(path, '?order=taken')))
    .toEqual([
      ['00:00', '1'],
      ['19:00', '1'],
    ])
  const other = await makeUser(server)
  expect((await call(other, 'GET', `/user/photo-hours?event=${event.id}`)).statusCode).toBe(422)
})

test('an hour that the clock shows twice is two, and one in a zone of half hours begins at its half', async () => {
  const night = { starts_on: '2026-10-25' }
  const shown = ['00:30', '01:30'].map((time) => ({ added: `2026-10-25T${time}:00.000Z`, taken: null }))
  const { event, path } = await makeEvent(night, shown)
  expect(await hoursOf(event, 'added')).toEqual([
    ['01:00', 1],
    ['00:00', 1],
  ])
  expect(linksIn(await html(path)).map(([hour]) => hour)).toEqual(['02:00', '02:00'])
  await query("update users set time_zone = 'Asia/Kolkata' where id = $1", [owner.id])
  const { hours } = (await call(owner, 'GET', `/user/photo-hours?event=${event.id}`)).json<Reply<typeof photoHours>>()
  await query("update users set time_zone = 'Europe/Brussels' where id = $1", [owner.id])
  expect(hours.map((hour) => [hour.at, hour.evening, endOfHour(hour)])).toEqual([
    ['2026-10-25T01:30:00.000Z', '2026-10-25', '2026-10-25T02:30:00.000Z'],
    ['2026-10-25T00:30:00.000Z', '2026-10-25', '2026-10-25T01:30:00.000Z'],
  ])
})

test('what cannot be ordered or read is refused with a sentence', async () => {
  const { event, path } = await makeEvent({}, [])
  const orderRefused = { detail: [{ msg: expect.stringContaining('Give the event') }] }
  for (const search of ['order=taken', 'order=taken&event=none'])
    expect((await call(owner, 'GET', `/photos?${search}`)).json()).toMatchObject(orderRefused)
  expect((await call(owner, 'GET', '/user/photo-hours?event=none')).json()).toMatchObject(orderRefused)
  for (const until of ['soon', '2026-02-31T99:00', '+275760-09-13T00:00:00Z', '1e9']) {
    const refused = { detail: [{ loc: ['query', 'until'], msg: expect.stringContaining('Please give a moment') }] }
    const search = `until=${encodeURIComponent(until)}`
    expect((await call(owner, 'GET', `/photos?event=${event.id}&${search}`)).json()).toMatchObject(refused)
    expect((await server.request({ method: 'GET', url: `${path}/photos?${search}` })).json()).toMatchObject(refused)
  }
  expect((await server.request({ method: 'GET', url: `${path}?order=best` })).statusCode).toBe(422)
})
