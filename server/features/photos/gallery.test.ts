import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '@keepsnap/contract/accounts.ts'
import type { PhotoPage } from '@keepsnap/contract/integrations.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import type { changePhotos, Photo, photoChanges } from '@keepsnap/contract/photos.ts'
import { addPhotos, getByKey, makeUserWithKey, makeUser, type TestUser } from '../../test/test-data.ts'
import { useServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { photoActions } from '../../test/photo-actions.ts'
import { photoRowColumns } from './photo-view.ts'

let address: string
const server = useServer()
beforeAll(async () => {
  address = await server.listen()
})

const { get } = photoActions(() => server)
/** The ids of photos whose files do not matter, newest first. */
const makePhotos = (user: TestUser, count: number) => addPhotos(server, user, { count, daysAgo: 1 })
const setHidden = (user: TestUser, id: string, hidden: boolean) =>
  server.request({ method: 'PUT', url: `/photos/${id}`, token: user.token, body: { hidden } })
const noPhotos = [404, { code: 'not_found', detail: 'No photos found. Upload your first photo!' }]

/** The ids of a page of the list, and the values of `before` and `after` for the pages beside it. */
async function list(user: TestUser, search = '') {
  const answer = await get(user, `/photos${search}`)
  return [answer.json<Photo[]>().map(({ id }) => id), answer.headers['x-next-before'], answer.headers['x-next-after']]
}

test('photos are listed newest first, in pages, and the latest is the first of them', async () => {
  const user = await makeUser(server)
  expect((await get(user, '/photos')).json()).toEqual([])
  const none = await get(user, '/photos/latest')
  expect([none.statusCode, none.json()]).toEqual(noPhotos)
  const ids = await makePhotos(user, 5)
  expect(await list(user)).toEqual([ids, undefined, undefined])
  expect(await list(user, '?limit=2')).toEqual([ids.slice(0, 2), ids[1], undefined])
  expect(await list(user, `?limit=3&before=${ids[1]}`)).toEqual([ids.slice(2), undefined, ids[2]])
  expect((await get(user, '/photos/latest')).json<Photo>().id).toBe(ids[0])
})

test('pages beside a photo go both ways, also from one that is hidden or deleted, and never to those of others', async () => {
  const user = await makeUser(server)
  const ids = await makePhotos(user, 6)
  expect(await list(user, `?limit=2&after=${ids[4]}`)).toEqual([ids.slice(2, 4), ids[3], ids[2]])
  expect(await list(user, `?limit=4&after=${ids[4]}`)).toEqual([ids.slice(0, 4), ids[3], undefined])
  expect(await list(user, `?after=${ids[0]}`)).toEqual([[], undefined, undefined])
  expect(await list(user, `?before=${ids[5]}`)).toEqual([[], undefined, undefined])
  await setHidden(user, ids[1] ?? '', true)
  for (const id of [ids[0], ids[5]]) await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
  expect(await list(user, `?limit=2&before=${ids[0]}`)).toEqual([ids.slice(1, 3), ids[2], undefined])
  expect(await list(user, `?limit=2&after=${ids[5]}`)).toEqual([ids.slice(3, 5), undefined, ids[3]])
  expect(await list(user, `?limit=1&before=${ids[1]}`)).toEqual([[ids[2]], ids[2], ids[2]])
  for (const place of ['before', 'after']) {
    expect(await list(await makeUser(server), `?${place}=${ids[3]}`)).toEqual([[], undefined, undefined])
    expect(await list(user, `?${place}=nothing`)).toEqual([[], undefined, undefined])
  }
  for (const search of [`before=${ids[1]}&after=${ids[2]}`, `after=${ids[2]}&from=2026-11-14`]) {
    const answer = await get(user, `/photos?${search}`)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { detail: [{ msg: 'Give only one of before, after and from.' }] },
    ])
  }
})

test('photos are found by a part of their file name, whatever its case, and by nothing else', async () => {
  const user = await makeUser(server)
  const ids = await makePhotos(user, 4)
  const names = ['Été 100%.jpg', 'ete_100.jpg', 'SOIRÉE\\DSC_0042.JPG', 'DSC-0042.jpg']
  for (const [at, id] of ids.entries())
    await server.app.deps.pool.query('update photos set filename = $2 where id = $1', [id, names[at]])
  for (const [name, found] of [
    ['0042', [2, 3]],
    ['dsc_', [2]],
    ['%', [0]],
    ['_', [1, 2]],
    ['\\d', [2]],
    ['e\u0301t\u00e9', [0]],
    ['.jpg', [0, 1, 2, 3]],
    ["' or true --", []],
  ] as const)
    expect([name, await list(user, `?name=${encodeURIComponent(name)}`)]).toEqual([
      name,
      [found.map((at) => ids[at]), undefined, undefined],
    ])
  expect(await list(user, `?name=jpg&limit=1&before=${ids[0]}`)).toEqual([[ids[1]], ids[1], ids[1]])
  expect(await list(user, `?name=dsc&limit=1&after=${ids[3]}`)).toEqual([[ids[2]], ids[2], undefined])
})

test.each([
  ['Europe/Brussels', '2026-03-29', '2026-03-29T04:00:00Z'],
  ['Europe/Brussels', '2026-03-28', '2026-03-28T05:00:00Z'],
  ['Europe/Brussels', '2026-10-25', '2026-10-25T05:00:00Z'],
  ['Europe/Brussels', '2026-10-24', '2026-10-24T04:00:00Z'],
  ['Asia/Kolkata', '2026-06-14', '2026-06-14T00:30:00Z'],
  ['Australia/Lord_Howe', '2026-04-04', '2026-04-03T19:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T19:30:00Z'],
  ['Pacific/Chatham', '2026-01-02', '2026-01-01T16:15:00Z'],
  ['America/Havana', '2026-11-01', '2026-11-01T11:00:00Z'],
  [null, '2026-01-01', '2026-01-01T06:00:00Z'],
  ['Atlantis/Nowhere', '2026-01-01', '2026-01-01T06:00:00Z'],
])('in %s, the evening of %s begins at %s', async (zone, day, start) => {
  const user = await makeUser(server)
  const { pool } = server.app.deps
  await pool.query('update users set time_zone = $2 where id = $1', [user.id, zone])
  const ids = await makePhotos(user, 3)
  for (const [at, seconds] of [0, -1, -86_400 * 3].entries())
    await pool.query(`update photos set created_at = $2::timestamptz + $3 * interval '1 second' where id = $1`, [
      ids[at],
      start,
      seconds,
    ])
  const dayBefore = (days: number) => new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)
  const time_zone = zone === 'Atlantis/Nowhere' ? 'UTC' : (zone ?? 'UTC')
  const days = [day, dayBefore(1), expect.stringMatching(/^\d{4}-\d\d-\d\d$/)].map((one) => ({ day: one, count: 1 }))
  const answer = (await get(user, '/user/photo-days')).json<{ days: { day: string }[] }>()
  expect(answer).toEqual({ days, next: null, time_zone })
  expect((await get(user, '/user/photo-days?limit=1')).json()).toEqual({ days: days.slice(0, 1), next: day, time_zone })
  expect((await get(user, `/user/photo-days?before=${day}`)).json()).toEqual({
    days: days.slice(1),
    next: null,
    time_zone,
  })
  for (const [at, { day: shown }] of answer.days.entries())
    expect(await list(user, `?on=${shown}`)).toEqual([[ids[at]], undefined, undefined])
  expect(await list(user, `?from=${day}&limit=1`)).toEqual([[ids[0]], ids[0], undefined])
  expect(await list(user, `?from=${dayBefore(1)}`)).toEqual([ids.slice(1), undefined, ids[1]])
  // No photos on that evening: those of the one before.
  expect(await list(user, `?from=${dayBefore(2)}`)).toEqual([ids.slice(2), undefined, ids[2]])
  expect(await list(user, `?on=${dayBefore(2)}`)).toEqual([[], undefined, undefined])
})

test('evenings have their photos only, the newest first, and a day that does not exist is refused', async () => {
  const user = await makeUser(server)
  expect((await get(user, '/user/photo-days')).json()).toEqual({ days: [], next: null, time_zone: 'UTC' })
  const { pool } = server.app.deps
  const ids = await addPhotos(server, user, { count: 5 })
  await addPhotos(server, user, { count: 1, isDeleted: true })
  await addPhotos(server, user, { count: 1, state: 'receiving' })
  await makePhotos(await makeUser(server), 1)
  await pool.query(`update photos set created_at = '2026-06-14T20:00Z' where user_id = $1`, [user.id])
  await pool.query(`update photos set created_at = '2026-06-13T20:00Z' where id = any($1)`, [ids.slice(2)])
  expect((await get(user, '/user/photo-days')).json()).toMatchObject({
    days: [
      { day: '2026-06-14', count: 2 },
      { day: '2026-06-13', count: 3 },
    ],
  })
  for (const url of ['/photos?from=2026-02-31', '/photos?on=0000-00-00', '/user/photo-days?before=2026-13-01']) {
    const answer = await get(user, url)
    expect([url, answer.statusCode, answer.json()]).toMatchObject([
      url,
      422,
      { detail: [{ msg: 'Please give a day as yyyy-mm-dd' }] },
    ])
  }
})

test('an index alone counts the photos of an account', async () => {
  const client = await server.app.deps.pool.connect()
  try {
    await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off')
    const { rows } = await client.query(`explain select count(*) from photos
      where user_id = 'x' and deleted_at is null and state <> 'receiving' and is_listed`)
    expect(JSON.stringify(rows)).toContain('Index Only Scan using photos_shown')
  } finally {
    client.release(true)
  }
})

describe('many photos in one call', () => {
  type Action = 'delete' | 'hide' | 'show'
  const change = (user: TestUser, action: Action, ids: (string | undefined)[]) =>
    server.request({ method: 'POST', url: '/photos/bulk', token: user.token, body: { action, ids } })
  const outcomesOf = async (...call: Parameters<typeof change>) => {
    const { results, photo_count } = (await change(...call)).json<Reply<typeof changePhotos>>()
    expect(results.map(({ id }) => id)).toEqual(call[2])
    return [results.map(({ outcome }) => outcome), photo_count] as const
  }

  test('are hidden, shown and deleted, with what became of each and the number that is left', async () => {
    const user = await makeUser(server)
    const [theirs] = await makePhotos(await makeUser(server), 1)
    const ids = await makePhotos(user, 5)
    const [receiving] = await addPhotos(server, user, { count: 1, state: 'receiving' })
    await setHidden(user, ids[0] ?? '', true)
    await server.app.deps.pool.query(
      "update photos set operator_decision = 'hide', operator_decided_at = now(), hidden_at = now() where id = $1",
      [ids[4]],
    )
    const asked = [ids[0], ids[1], theirs, ids[1], 'nothing', receiving, ids[4]]
    const others = ['not found', 'unchanged', 'not found', 'not found']
    expect(await outcomesOf(user, 'hide', asked)).toEqual([['unchanged', 'done', ...others, 'unchanged'], 5])
    expect(await outcomesOf(user, 'show', asked)).toEqual([['done', 'done', ...others, 'refused'], 5])
    expect((await get(user, '/photos')).json<Photo[]>().map(({ hidden }) => hidden)).toEqual([
      ...Array(4).fill(false),
      true,
    ])
    expect(await outcomesOf(user, 'delete', asked)).toEqual([['done', 'done', ...others, 'done'], 2])
    expect(await outcomesOf(user, 'delete', [ids[0], ids[2]])).toEqual([['not found', 'done'], 1])
    expect(await list(user)).toEqual([[ids[3]], undefined, undefined])
  })

  test('come with a message about each and one about all, of 200 as of one', async () => {
    const user = await makeUser(server)
    const ids = await makePhotos(user, 201)
    const [last = ''] = ids.splice(200)
    const screen = await connectLive(address, user.token)
    await change(user, 'hide', [last, 'nothing'])
    // The message's count is read when it is sent: after a deletion that begins too early it would be smaller.
    await screen.next((message) => message.action === 'photos_changed' && message.change === 'hide')
    await change(user, 'delete', ids)
    // It is hidden already: nothing changes, and nothing is said.
    await change(user, 'hide', [last])
    const about = { action: 'photos_changed', photo_count: 1, change: 'delete', ids }
    await screen.next((message) => message.action === 'photos_changed' && message.change === 'delete')
    const told = screen.received.filter(({ action }) => /^photos?_(update|deleted|changed)$/.test(action))
    expect(told).toEqual([
      expect.objectContaining({ action: 'photo_update' }),
      { action: 'photos_changed', photo_count: 201, change: 'hide', ids: [last] },
      ...ids.map((id) => ({ action: 'photo_deleted', type: 'photo_deleted', id })),
      about,
    ])
    screen.socket.close()
  })

  test('and by others at once, in the same and in opposite orders, are deleted once each', async () => {
    const user = await makeUser(server)
    const ids = await makePhotos(user, 40)
    const [single, ...calls] = await Promise.all([
      Promise.all(
        ids
          .toReversed()
          .map((id) => server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token }))
          .map(async (answer) => ((await answer).statusCode === 204 ? 'done' : 'not found')),
      ),
      ...[ids, ids.toReversed()].map((order) => outcomesOf(user, 'delete', order)),
    ])
    const outcomes = [...single, ...calls.flatMap(([of]) => of)]
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(40)
    expect(new Set(outcomes)).toEqual(new Set(['done', 'not found']))
  })

  test('one that fails does not keep the others from being changed', async () => {
    const user = await makeUser(server)
    const ids = await makePhotos(user, 3)
    const { pool } = server.app.deps
    await pool.query(`
      create function fail_one() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger fail_one before update on photos for each row when (old.id = '${ids[1]}') execute function fail_one()`)
    expect(await outcomesOf(user, 'delete', ids)).toEqual([['done', 'failed', 'done'], 1])
    await pool.query('drop trigger fail_one on photos')
    expect(await list(user)).toEqual([[ids[1]], undefined, undefined])
  })

  test('are changed until the connection is cut, and no further', async () => {
    const user = await makeUser(server)
    const ids = await makePhotos(user, 30)
    const screen = await connectLive(address, user.token)
    const lock = await server.app.deps.pool.connect()
    await lock.query('begin')
    await lock.query('select from photos where id = $1 for update', [ids[3]])
    const controller = new AbortController()
    const cut = fetch(`${address}/photos/bulk`, {
      method: 'POST',
      signal: controller.signal,
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'delete', ids }),
    })
    await screen.next((message) => message.action === 'photo_deleted' && message.id === ids[2])
    controller.abort()
    await expect(cut).rejects.toThrow()
    // Another request over the wire: the end of the connection has been read by then.
    await fetch(`${address}/health`)
    await lock.query('rollback')
    lock.release()
    const about = await screen.next(({ action }) => action === 'photos_changed')
    expect(about).toMatchObject({ ids: ids.slice(0, 4), photo_count: 26 })
    expect((await list(user))[0]).toEqual(ids.slice(4))
    screen.socket.close()
  })
})

describe('changes', () => {
  type Changes = Reply<typeof photoChanges>
  const changes = async (user: TestUser, since?: string) => {
    const answer = await get(user, `/photos/changes${since === undefined ? '' : `?since=${encodeURIComponent(since)}`}`)
    const { photos, deleted, ...rest } = answer.json<Changes>()
    return { ...rest, photos, deleted, ids: photos.map(({ id }) => id) }
  }
  /** A value of `since` after all that has changed. Transactions of other tests, in databases of the same cluster, hold it back. */
  const sinceNow = async (user: TestUser): Promise<string> => {
    let next = ''
    await expect
      .poll(async () => {
        ;({ next } = await changes(user))
        const { ids, deleted, reset } = await changes(user, next)
        return [...ids, ...deleted, reset]
      })
      .toEqual([false])
    return next
  }
  const change = (ids: readonly string[], set: string) =>
    server.app.deps.pool.query(`update photos set ${set} where id = any($1)`, [ids])

  test('are the photos that were added, changed, deleted or put back, once they can be seen', async () => {
    const user = await makeUser(server)
    const [first = '', second = ''] = await makePhotos(user, 2)
    let next = await sinceNow(user)
    const steps: [step: () => Promise<unknown>, changed: string[], deleted: string[]][] = [
      [() => makePhotos(user, 0), [], []],
      [() => setHidden(user, first, true), [first], []],
      [() => change([second], "state = 'failed', thumb_key = null"), [second], []],
      [() => server.request({ method: 'DELETE', url: `/photos/${first}`, token: user.token }), [], [first]],
      [() => change([first], 'deleted_at = null'), [first], []],
      // Not seen: an attempt, the picture for screens, photos of others.
      [() => change([second], "attempt = attempt + 1, screen_key = 's', screen_bytes = 1, screen_of = 'full'"), [], []],
      [() => makeUser(server).then((other) => makePhotos(other, 1)), [], []],
    ]
    for (const [step, changed, deleted] of steps) {
      await step()
      const answer = await changes(user, next)
      expect([step.toString(), answer]).toMatchObject([step.toString(), { ids: changed, deleted, reset: false }])
      next = await sinceNow(user)
    }
    const [receiving = ''] = await addPhotos(server, user, { count: 1, state: 'receiving' })
    expect(await changes(user, next)).toMatchObject({ ids: [], deleted: [] })
    await change([receiving], "state = 'queued'")
    const { photos } = await changes(user, next)
    expect(photos).toEqual([(await get(user, `/photos/${receiving}`)).json()])
    expect(await changes(user)).toMatchObject({ photos: [], deleted: [], reset: false })
  })

  test('none is missed when transactions end in another order than they began', async () => {
    const user = await makeUser(server)
    const [early = '', late = ''] = await makePhotos(user, 2)
    const start = await sinceNow(user)
    const slow = await server.app.deps.pool.connect()
    await slow.query('begin')
    await slow.query('update photos set hidden_at = now() where id = $1', [early])
    await setHidden(user, late, true)
    const during = await changes(user, start)
    expect(during.ids).toEqual([late])
    await slow.query('commit')
    slow.release()
    expect((await changes(user, during.next)).ids).toContain(early)
  })

  test('cannot be told since another database, the future or a day ago, nor when they are too many', async () => {
    const user = await makeUser(server)
    const ids = await makePhotos(user, 1_001)
    const next = await sinceNow(user)
    const [epoch, transaction = '', seconds] = next.split('.')
    const at = (change: number) => `${epoch}.${transaction}.${Number(seconds) + change}`
    for (const since of [
      '',
      'nonsense',
      `${'0'.repeat(32)}.${transaction}.${seconds}`,
      `${epoch}.${Number(transaction) + 1_000_000}.${seconds}`,
      `${epoch}.9999999999999999999.${seconds}`,
      `${epoch}.-1.${seconds}`,
      at(3_600),
      at(-24 * 3_600 - 60),
      `${next}.1`,
    ])
      expect([since, await changes(user, since)]).toMatchObject([since, { ids: [], deleted: [], reset: true }])
    for (const since of [next, at(-23 * 3_600)]) expect(await changes(user, since)).toMatchObject({ reset: false })
    await change(ids.slice(1), 'hidden_at = now()')
    expect((await changes(user, next)).ids).toHaveLength(1_000)
    await change(ids, 'hidden_at = now()')
    const tooMany = await changes(user, next)
    expect(tooMany).toMatchObject({ ids: [], deleted: [], reset: true })
    await sinceNow(user)
  })

  test('are noticed in every column that the view of a photo reads', async () => {
    const { rows } = await server.app.deps.pool.query<{ name: string }>(
      `select attname as name from pg_trigger join pg_attribute on attrelid = tgrelid and attnum = any(tgattr::smallint[])
       where tgname = 'photo_changes'`,
    )
    const read = photoRowColumns.flatMap((name) => (name.startsWith('photos.') ? [name.slice('photos.'.length)] : []))
    const never = ['id', 'user_id']
    // What decides whether and where it is in lists.
    const inLists = ['deleted_at', 'review', 'shown_at', 'is_listed']
    expect(new Set(rows.map(({ name }) => name))).toEqual(
      new Set([...read.filter((name) => !never.includes(name)), ...inLists]),
    )
  })
})

describe('by an API key', () => {
  test('photos have pages, newest first, with the number of all photos', async () => {
    const { user, key } = await makeUserWithKey(server)
    const page = async (search = '') => {
      const { photos, ...rest } = (await getByKey(server, key, `/api/photos${search}`)).json<PhotoPage>()
      return { ids: photos.map(({ id }) => id), ...rest }
    }
    expect(await page()).toEqual({ ids: [], total: 0, skip: 0, limit: 50 })
    const ids = await makePhotos(user, 5)
    expect(await page()).toEqual({ ids, total: 5, skip: 0, limit: 50 })
    expect(await page('?skip=1&limit=2')).toEqual({ ids: ids.slice(1, 3), total: 5, skip: 1, limit: 2 })
    expect(await page('?skip=5')).toEqual({ ids: [], total: 5, skip: 5, limit: 50 })
    expect(await page('?skip=1000000&limit=1')).toEqual({ ids: [], total: 5, skip: 1_000_000, limit: 1 })
    await server.request({ method: 'DELETE', url: `/photos/${ids[0]}`, token: user.token })
    expect(await page('?limit=1')).toEqual({ ids: [ids[1]], total: 4, skip: 0, limit: 1 })
    const { photos } = (await getByKey(server, key, '/api/photos?limit=2')).json<PhotoPage>()
    expect(photos).toEqual((await get(user, '/photos?limit=2')).json())
  })

  test('all photos are read once each while photos are added, hidden and deleted', async () => {
    const { user, key } = await makeUserWithKey(server)
    const ids = await makePhotos(user, 9)
    const read = async (search: string) => {
      const answer = await getByKey(server, key, `/api/photos?limit=3${search}`)
      return { ...answer.json<PhotoPage>(), next: answer.headers['x-next-before'] }
    }
    const seen: string[] = []
    let page = await read('')
    for (; ; page = await read(`&before=${String(page.next)}`)) {
      seen.push(...page.photos.map(({ id }) => id))
      if (page.next === undefined) break
      await addPhotos(server, user, { count: 1 })
      await setHidden(user, String(page.next), true)
      await server.request({ method: 'DELETE', url: `/photos/${String(page.next)}`, token: user.token })
    }
    expect(seen).toEqual(ids)
    expect(page).toMatchObject({ total: 9, skip: 0, limit: 3 })
    // The only photo of its page, and then nothing.
    expect(await read(`&before=${ids[7]}`)).toMatchObject({ photos: [{ id: ids[8] }], next: undefined })
    expect(await read(`&before=${ids[8]}`)).toMatchObject({ photos: [], total: 9, next: undefined })
    const skipped = await read('&skip=1')
    expect(skipped.next).toBe(skipped.photos[2]?.id)
  })

  test('a page that cannot be is refused with a sentence', async () => {
    const { user, key } = await makeUserWithKey(server)
    const [own] = await makePhotos(user, 1)
    const [theirs] = await makePhotos(await makeUser(server), 1)
    const unknown = {
      loc: ['query', 'before'],
      msg: expect.stringMatching(/^You have no photo with this id.* Start again/),
    }
    for (const [search, detail] of [
      [`before=${theirs}`, unknown],
      ['before=', unknown],
      [`before=${own}&skip=1`, { loc: ['query', 'skip'], msg: 'Use either before or skip.' }],
    ] as const) {
      const answer = await getByKey(server, key, `/api/photos?${search}`)
      expect([search, answer.statusCode, answer.json()]).toMatchObject([
        search,
        422,
        { code: 'invalid', detail: [detail] },
      ])
    }
    expect((await getByKey(server, key, `/api/photos?before=${own}&skip=0`)).statusCode).toBe(200)
  })

  test('the latest photo is that of the big screen: the newest that is not hidden', async () => {
    const { user, key } = await makeUserWithKey(server)
    const latest = () => getByKey(server, key, '/api/photos/latest')
    expect([(await latest()).statusCode, (await latest()).json()]).toEqual(noPhotos)
    const [newer = '', older] = await makePhotos(user, 2)
    expect((await latest()).json<Photo>().id).toBe(newer)
    await setHidden(user, newer, true)
    expect((await latest()).json<Photo>().id).toBe(older)
  })

  test('the account is that of the key, as its session has it', async () => {
    const { user, key } = await makeUserWithKey(server)
    const byKey = (await getByKey(server, key, '/user/me')).json<User>()
    expect(byKey).toMatchObject({ id: user.id, email: user.email, first_visit: false })
    expect((await get(user, '/user/me')).json<User>()).toEqual(byKey)
  })
})
