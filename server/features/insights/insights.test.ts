import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { OwnPhoto } from '@keepsnap/contract/event-photos.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import type { Insights } from '@keepsnap/contract/insights.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { DB } from '../../platform/db/schema.ts'
import { createLog } from '../../platform/process/log.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { eventActions } from '../../test/event-guests.ts'
import { useServer } from '../../test/harness.ts'
import { addPhotos, createGrant, grantPlan, makeUser, type TestUser, upload } from '../../test/test-data.ts'
import { createActivityCounter } from './insights.ts'

test('activities of a photo within a quarter of an hour are added up, and written every two seconds and when the program stops', async () => {
  vi.useFakeTimers({ now: new Date('2026-05-01T10:20:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const statements: (readonly unknown[])[] = []
  const db = new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.parameters),
  })
  const counter = createActivityCounter({ db, log: createLog('silent') })
  counter.add({ photoId: 'a', userId: 'owner' }, 'scans', 'views')
  counter.add({ photoId: 'a', userId: 'owner' }, 'scans')
  counter.add({ photoId: 'b', userId: 'owner' }, 'downloads')
  await vi.advanceTimersByTimeAsync(4_000)
  const quarter = Date.parse('2026-05-01T10:15:00Z') / 1000
  const [ids, owners, times] = [
    ['a', 'b'],
    ['owner', 'owner'],
    [quarter, quarter],
  ] // then the four kinds
  expect(statements).toEqual([[ids, owners, times, [2, 0], [1, 0], [0, 1], [0, 0]]])
  counter.add({ photoId: 'a', userId: 'owner' }, 'requests')
  await counter.close()
  expect(statements).toHaveLength(2)
})

describe('routes', () => {
  let owner: TestUser
  let photo: Photo
  const server = useServer()
  beforeAll(async () => {
    owner = await makeUser(server)
    await grantPlan(server, owner, 'pro_monthly')
    photo = (await upload(server, owner, await jpeg())).json<Photo>()
    await server.work()
  })

  const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
  const request = ({ token }: TestUser, search = '') =>
    server.request({ method: 'GET', url: `/user/insights${search}`, token })
  const insights = async (search = ''): Promise<Insights> => {
    await server.app.deps.guestActivity.flush()
    return (await request(owner, search)).json<Insights>()
  }
  const get = (url: string, headers: Record<string, string> = {}) => server.request({ method: 'GET', url, headers })

  test('insights are part of the Pro plans', async () => {
    expect((await request(await makeUser(server))).json()).toMatchObject({ code: 'forbidden' })
  })

  const iPhone = { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2)' }
  /** What the script of a page calls. */
  const visit = (by: string, headers: Record<string, string> = {}) =>
    server.request({ method: 'POST', url: `/photos/${photo.id}/visits?by=${by}`, headers })
  const codeOf = ({ qr_code_url: url }: Photo): string => new URL(url).pathname.replace('/qr', '')

  test('scans, views, downloads and requests are counted, and nothing about the guest is stored', async () => {
    const code = codeOf(photo)
    await get(code)
    await get(`${code}?download=1`)
    // A HEAD request, a later part of the file and the revalidation of a copy do not count as downloads.
    await get(code, { 'if-none-match': '"a copy"' })
    await server.request({ method: 'HEAD', url: code })
    await get(code, { range: 'bytes=500-' })
    expect((await visit('code', iPhone)).statusCode).toBe(204)
    await visit('code')
    await visit('grant')
    const body = { email: 'lotte@example.com' }
    await server.request({ method: 'POST', url: `/photos/${photo.id}/request-email`, body })
    const seen = await insights()
    expect(seen.totals).toEqual({ scans: 3, views: 3, downloads: 2, requests: 1 })
    expect(seen).toMatchObject({
      conversion_percent: 100,
      best_photos: [{ id: photo.id, filename: photo.filename, scans: 3 }],
    })
    const { rows } = await query('select * from photo_activity order by scans desc')
    expect(seen.peak_hour).toBe(rows[0].hour.getUTCHours())
    expect(Object.keys(rows[0]).toSorted()).toEqual([
      'downloads',
      'hour',
      'photo_id',
      'requests',
      'scans',
      'user_id',
      'views',
    ])
  })

  test('pages are not counted by reading them, and nothing that a program does which draws previews of links', async () => {
    const other = (await upload(server, owner, await jpeg())).json<Photo>()
    const { secret } = await createGrant(server, { photo: other.id, owner: owner.id })
    const before = await insights()
    const pages = [`/request-photo/${other.id}`, `/g/${secret}`, codeOf(other)]
    const page = expect.stringMatching(/^<!doctype html>[^]*<meta property="og:image" content="[^"]+\/t\//)
    await server.work()
    for (const url of pages) expect((await get(url, iPhone)).body).toEqual(page)
    const preview = { 'user-agent': 'WhatsApp/2.24.20.89 A' }
    // The file is for guests: a preview gets the page, wherever it asks.
    for (const url of [...pages, `${codeOf(other)}?download=1&visit=1`, `${codeOf(other)}?inline=1`])
      expect([url, (await get(url, preview)).body]).toEqual([url, page])
    const file = await get(`/g/${secret}/download?visit=1`, preview)
    expect([file.statusCode, new URL(file.headers.location!).pathname]).toEqual([302, `/g/${secret}`])
    await visit('code', { 'user-agent': 'Mozilla/5.0 Chrome/140.0.0.0 (compatible; Googlebot/2.1)' })
    expect((await insights()).totals).toEqual(before.totals)
  })

  test('without a script, the visit is counted with the first thing that a guest clicks', async () => {
    const { secret } = await createGrant(server, { photo: photo.id, owner: owner.id })
    const links: (string | undefined)[] = []
    for (const url of [codeOf(photo), `/g/${secret}`])
      links.push(/href="([^"]*visit=1)"/.exec((await get(url, iPhone)).body)?.[1]?.replaceAll('&amp;', '&'))
    const added = async (act: () => Promise<unknown>): Promise<number[]> => {
      const { totals: before } = await insights()
      await act()
      const { totals } = await insights()
      return (['scans', 'views', 'downloads', 'requests'] as const).map((name) => totals[name] - before[name])
    }
    expect(await added(() => get(links[0]!, iPhone))).toEqual([1, 1, 1, 0])
    expect(await added(() => get(links[1]!, iPhone))).toEqual([0, 1, 1, 0])
    const send = (email: string) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return server.request({ method: 'POST', url: `/request-photo/${photo.id}`, headers, body: `email=${email}` })
    }
    expect(await added(() => send('wrong'))).toEqual([0, 0, 0, 0])
    expect(await added(() => send('noor@example.com'))).toEqual([1, 1, 0, 1])
  })

  test('every day of the range and every hour is shown, in the owner’s time zone', async () => {
    await query("insert into photo_activity (photo_id, user_id, hour, scans) values ($1, $2, '2026-03-28T23:00Z', 7)", [
      photo.id,
      owner.id,
    ])
    const there = await insights('?from=2026-03-28&to=2026-03-30&tz=Europe/Brussels')
    expect(there.days.map(({ day, scans }) => [day, scans])).toEqual([
      ['2026-03-28', 0],
      ['2026-03-29', 7],
      ['2026-03-30', 0],
    ])
    expect(there.peak_hour).toBe(0)
    expect(there.hours).toHaveLength(24)
    const here = await insights('?from=2026-03-28&to=2026-03-30')
    expect(here.days[0]).toMatchObject({ day: '2026-03-28', scans: 7 })
    expect((await insights()).days).toHaveLength(30)
  })

  test.each([
    // The second row is one of an earlier version: a whole hour.
    ['Asia/Kolkata', '2026-04-10T18:35:00Z', '2026-04-10T17:00Z'],
    ['Asia/Kathmandu', '2026-04-10T18:20:00Z', '2026-04-10T17:00Z'],
  ])('in %s, a scan shortly after midnight counts on the new day', async (tz, scannedAt, earlierHour) => {
    await query('insert into photo_activity (photo_id, user_id, hour, scans) values ($1, $2, $3, 5)', [
      photo.id,
      owner.id,
      earlierHour,
    ])
    vi.setSystemTime(scannedAt)
    server.app.deps.guestActivity.add({ photoId: photo.id, userId: owner.id }, 'scans')
    vi.useRealTimers()
    const seen = await insights(`?from=2026-04-10&to=2026-04-11&tz=${tz}`)
    expect(seen.days.map(({ scans }) => scans)).toEqual([5, 1])
    expect([seen.hours[0]?.scans, seen.hours[22]?.scans]).toEqual([1, 5])
    await query("delete from photo_activity where hour < '2026-05-01'")
  })

  test.each([
    // Daylight saving time begins: no 2:00 to 3:00.
    { tz: 'Europe/Brussels', day: '2026-03-28', scans: 92, hour: 2, inHour: 0 },
    // It ends: that hour twice, at midnight in Havana, and half an hour of it on Lord Howe Island.
    { tz: 'Europe/Brussels', day: '2026-10-24', scans: 100, hour: 2, inHour: 8 },
    { tz: 'America/Havana', day: '2026-10-31', scans: 100, hour: 0, inHour: 8 },
    { tz: 'Australia/Lord_Howe', day: '2026-04-04', scans: 98, hour: 1, inHour: 6 },
    { tz: 'Asia/Kolkata', day: '2026-10-24', scans: 96, hour: 5, inHour: 4 },
    { tz: 'Pacific/Kiritimati', day: '2026-10-24', scans: 96, hour: 5, inHour: 4 },
    { tz: 'Etc/GMT+12', day: '2026-10-24', scans: 96, hour: 5, inHour: 4 },
  ])('in $tz, the evening of $day lasts until 6:00 of the clock and has each count once', async (row) => {
    const { tz, day, scans, hour, inHour } = row
    const at = [photo.id, owner.id, day]
    const quarters =
      "generate_series($3::timestamptz - interval '1 day', $3::timestamptz + interval '3 days', '15 minutes')"
    const { rowCount } = await query(
      `insert into photo_activity (photo_id, user_id, hour, scans) select $1, $2, at, 1 from ${quarters} as at`,
      at,
    )
    const zone = `tz=${encodeURIComponent(tz)}`
    const oneDay = `?from=${day}&to=${day}&${zone}`
    const added = async (time: string): Promise<number | undefined> => {
      const createdAt = `(($2::date + 1) || ' ${time}')::timestamp at time zone $3`
      await query(`update photos set created_at = ${createdAt} where id = $1`, [photo.id, day, tz])
      return (await insights(oneDay)).evenings[0]?.photos
    }
    expect([await added('05:59'), await added('06:00')]).toEqual([1, 0])
    const { evenings, days } = await insights(oneDay)
    expect(evenings.map((one) => [one.day, one.scans, one.first_hour, one.hours.scans[(hour + 18) % 24]])).toEqual([
      [day, scans, 6, inHour],
    ])
    expect(days).toHaveLength(1)
    const all = await insights(`?from=2026-03-20&to=2026-11-10&${zone}`)
    const sum = (list: { scans: number }[]) => list.reduce((total, one) => total + one.scans, 0)
    expect([all.totals.scans, sum(all.days), sum(all.hours), sum(all.evenings)]).toEqual(
      Array.from({ length: 4 }, () => rowCount),
    )
    expect(all.evenings.map((one) => one.day)).toEqual(
      all.evenings
        .map((one) => one.day)
        .toSorted()
        .toReversed(),
    )
    await query('delete from photo_activity where user_id = $1', [owner.id])
  })

  test('the best photos are the most wanted that exist, also while deleted ones still have counts', async () => {
    const user = await makeUser(server)
    await grantPlan(server, user, 'pro_monthly')
    // The three with the most downloads are deleted; the last two have as many as each other.
    await query(
      `insert into photos (id, user_id, code, filename, state, counted_month, created_at, deleted_at)
      select 'best' || n, $1, 'best' || n, n || '.jpg', 'ready', now(), now() + n * interval '1 second', case when n < 3 then now() end
      from generate_series(0, 11) as n`,
      [user.id],
    )
    await query(
      `insert into photo_activity (photo_id, user_id, hour, downloads)
      select id, $1, now(), 20 - least(10, split_part(filename, '.', 1)::int) from photos where user_id = $1`,
      [user.id],
    )
    const { best_photos: best } = (await request(user)).json<Insights>()
    expect(best.map(({ filename }) => Number.parseInt(filename))).toEqual([3, 4, 5, 6, 7, 8, 9, 11, 10])
  })

  test('are of one event, or of photos without one', async () => {
    const user = await makeUser(server)
    await grantPlan(server, user, 'pro_monthly')
    const event = await server.request({
      method: 'POST',
      url: '/user/events',
      token: user.token,
      body: { name: 'Party' },
    })
    const { id } = event.json<{ id: string }>()
    const photos = await addPhotos(server, user, { count: 3 })
    await query('update photos set event_id = $2 where id = $1', [photos[0], id])
    for (const [at, photo] of photos.entries())
      await query('insert into photo_activity (photo_id, user_id, hour, scans) values ($1, $2, now(), $3)', [
        photo,
        user.id,
        10 ** at,
      ])
    const of = async (search: string) => {
      const { totals, days, evenings, best_photos } = (await request(user, search)).json<Insights>()
      const photosOf = evenings.reduce((sum, evening) => sum + evening.photos, 0)
      return [totals.scans, days.reduce((sum, { scans }) => sum + scans, 0), photosOf, best_photos.length]
    }
    expect(await of('')).toEqual([111, 111, 3, 3])
    expect(await of(`?event=${id}`)).toEqual([1, 1, 1, 1])
    expect(await of('?event=none')).toEqual([110, 110, 2, 2])
    await server.request({ method: 'DELETE', url: `/user/events/${id}`, token: user.token })
    expect((await request(user, `?event=${id}`)).statusCode).toBe(422)
  })

  test('guests are served while counts cannot be written, and the counts are written later', async () => {
    const before = (await insights()).totals.scans
    await query('alter table photo_activity rename to photo_activity_moved')
    for (let n = 0; n < 5; n++) expect((await visit('code')).statusCode).toBe(204)
    await server.app.deps.guestActivity.flush()
    await query('alter table photo_activity_moved rename to photo_activity')
    expect((await insights()).totals.scans).toBe(before + 5)
  })

  test('the days are the last thirty by default, at most a year; other days or time zones are refused with a sentence', async () => {
    for (const [search, from, to] of [
      ['?to=2026-01-30', '2026-01-01', '2026-01-30'],
      ['?from=2025-12-31&to=2026-12-31', '2025-12-31', '2026-12-31'],
    ] as const)
      expect(await insights(search)).toMatchObject({ from, to })
    for (const [search, sentence] of [
      ['?tz=Mars/Olympus', 'Please give a time zone'],
      ['?from=2026-02-30', 'Please give a day'],
      ['?from=0000-01-01&to=0000-01-20', 'Please give a day'],
      ['?from=2026-05-02&to=2026-05-01', 'The first day must not be after the last'],
      ['?from=2025-12-30&to=2026-12-31', 'At most 366 days'],
    ] as const) {
      const answer = await request(owner, search)
      const detail = [{ msg: expect.stringContaining(sentence) }]
      expect([search, answer.statusCode, answer.json()]).toMatchObject([search, 422, { detail }])
    }
  })
})

describe('an event by hour', () => {
  const server = useServer()
  const { createEvent, guestOf, add, decide, call } = eventActions(() => server)
  const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
  const get = (url: string, headers: Record<string, string> = {}) => server.request({ method: 'GET', url, headers })
  const post = (url: string, body?: object) => server.request({ method: 'POST', url, ...(body && { body }) })
  const none = { photo_scans: 0, event_scans: 0, views: 0, downloads: 0, requests: 0, joins: 0, photos: 0 }

  let owner: TestUser
  let event: Event
  beforeAll(async () => {
    owner = await makeUser(server)
    await grantPlan(server, owner, 'pro_monthly')
    event = await createEvent(owner, {
      name: 'Zoë / Bram',
      gallery: 'link',
      guest_archive: true,
      guest_photos: 'review',
    })
    await call(owner, 'PUT', '/user/current-event', { event_id: event.id })
  })
  const read = async (search: string, of = event): Promise<Insights> =>
    (await call(owner, 'GET', `/user/insights?event=${of.id}${search}`)).json<Insights>()

  test('has exactly what an evening did, and its CSV too', async () => {
    const photo = (await upload(server, owner, await jpeg())).json<Photo>()
    await upload(server, owner, await jpeg())
    await server.work()
    const code = new URL(photo.qr_code_url).pathname.replace('/qr', '')
    const gallery = new URL(event.url).pathname
    const scan = (hour: string) => vi.setSystemTime(`2026-11-14T${hour}Z`)
    onTestFinished(() => void vi.useRealTimers())
    // 19:00 in Brussels: two scans of the event, one photo is opened in its gallery and saved, then all of them as one file.
    scan('18:10')
    await post(`${gallery}/visits`)
    await post(`${gallery}/visits`)
    const [{ token } = { token: '' }] = (await get(`${gallery}/photos`)).json<{ photos: { token: string }[] }>().photos
    await post(`${gallery}/p/${token}/visits?by=gallery`)
    expect((await get(`${gallery}/p/${token}/download`)).statusCode).toBe(200)
    expect((await get(`${gallery}/archive`)).statusCode).toBe(200)
    // 20:00: a photo's code is scanned, its page opened and the photo requested; a guest joins and adds two.
    scan('19:59')
    await post(`/photos/${photo.id}/visits?by=code`)
    await post(`/photos/${photo.id}/request-email`, { email: 'lotte@example.com' })
    const guest = await guestOf(event.url.split('/').at(-1)!)
    vi.useRealTimers()
    const added = [await add(guest, await jpeg()), await add(guest, await jpeg())].map((one) => one.json<OwnPhoto>())
    await server.work()
    // 1:00 of the night: the file of its code.
    vi.setSystemTime('2026-11-15T00:30Z')
    await get(code)
    await get(`${code}?download=1`)
    vi.useRealTimers()
    expect(added).toHaveLength(2)
    const { rows } = await query("select id from photos where source = 'guest' and event_id = $1 order by created_at", [
      event.id,
    ])
    await decide(owner, event, [rows[0].id], ['waiting', 'approved'])
    await query(`update photos set created_at = '2026-11-14T18:30Z' where event_id = $1 and source <> 'guest'`, [
      event.id,
    ])
    await query(`update photos set shown_at = '2026-11-14T19:45Z' where review = 'approved'`)

    const zone = '&tz=Europe/Brussels&from=2026-11-14&to=2026-11-14'
    const { event_hours: hours } = await read(zone)
    const evening = '2026-11-14'
    expect(hours).toEqual([
      { at: '2026-11-14T18:00:00.000Z', evening, hour: 19, ...none, event_scans: 2, views: 1, downloads: 2, photos: 2 },
      {
        at: '2026-11-14T19:00:00.000Z',
        evening,
        hour: 20,
        ...none,
        photo_scans: 1,
        views: 1,
        requests: 1,
        joins: 1,
        photos: 1,
      },
      { at: '2026-11-15T00:00:00.000Z', evening, hour: 1, ...none, photo_scans: 1, downloads: 2 },
    ])
    const table = await call(owner, 'GET', `/user/insights/export?event=${event.id}${zone}`)
    expect(table.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringContaining('Zo%C3%AB%20-%20Bram%20insights-2026-11-14-2026-11-14.csv'),
    })
    expect(table.body.slice(1).split('\r\n')).toEqual([
      '"Evening","Hour","Hour (UTC)","Scans of photos","Scans of the event","Views","Downloads","Requests","Guests who joined","Photos added","Per 100 scans"',
      '"2026-11-14","19:00","2026-11-14 18:00:00","0","2","1","2","0","0","2","100"',
      '"2026-11-14","20:00","2026-11-14 19:00:00","1","0","1","0","1","1","1","100"',
      '"2026-11-14","1:00","2026-11-15 00:00:00","1","0","0","2","0","0","0","100"',
      '',
    ])
    // Another evening, and another event.
    expect((await read('&from=2026-11-15&to=2026-11-15&tz=Europe/Brussels')).event_hours).toEqual([])
    const other = await createEvent(owner, { name: '📷'.repeat(60) })
    expect((await read(zone, other)).event_hours).toEqual([])
    const { headers } = await call(owner, 'GET', `/user/insights/export?event=${other.id}${zone}`)
    expect(headers['content-disposition']).toContain('%20insights-2026-11-14-2026-11-14.csv')
  })

  test('has an hour that the clock shows twice as two, and is asked for with an event and a plan', async () => {
    const event2 = await createEvent(owner)
    await query(
      `insert into event_activity (event_id, user_id, hour, scans)
       select $1, $2, at, 1 from unnest(array['2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-25T05:00Z']::timestamptz[]) as at`,
      [event2.id, owner.id],
    )
    const { event_hours: hours } = await read('&tz=Europe/Brussels&from=2026-10-24&to=2026-10-25', event2)
    expect(hours?.map(({ evening, hour, event_scans }) => [evening, hour, event_scans])).toEqual([
      ['2026-10-24', 2, 1],
      ['2026-10-24', 2, 1],
      ['2026-10-25', 6, 1],
    ])
    for (const search of ['', '?event=none'])
      expect((await call(owner, 'GET', `/user/insights${search}`)).json()).not.toHaveProperty('event_hours')
    expect((await call(owner, 'GET', '/user/insights/export?event=none')).statusCode).toBe(422)
    const free = await makeUser(server)
    const own = await createEvent(free)
    expect((await call(free, 'GET', `/user/insights/export?event=${own.id}`)).statusCode).toBe(403)
  })
})
