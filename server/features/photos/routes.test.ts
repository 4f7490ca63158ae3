import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '@keepsnap/contract/accounts.ts'
import type { PhotoPage } from '@keepsnap/contract/customer-api.ts'
import type { PhotoHold } from '@keepsnap/contract/holds.ts'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { addPhotos } from '../../test/add-photos.ts'
import { getByKey, makeUserWithKey } from '../../test/api-keys.ts'
import { useServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'
import { photoActions } from './test/photo-actions.ts'

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

test('photos are listed newest first, in pages, and the latest is the first of them', async () => {
  const user = await makeUser(server)
  expect((await get(user, '/photos')).json()).toEqual([])
  const none = await get(user, '/photos/latest')
  expect([none.statusCode, none.json()]).toEqual(noPhotos)
  const ids = await makePhotos(user, 5)
  const list = async (search = '') => {
    const answer = await get(user, `/photos${search}`)
    return [answer.json<Photo[]>().map(({ id }) => id), answer.headers['x-next-before']]
  }
  expect(await list()).toEqual([ids, undefined])
  expect(await list('?limit=2')).toEqual([ids.slice(0, 2), ids[1]])
  expect(await list(`?limit=3&before=${ids[1]}`)).toEqual([ids.slice(2), undefined])
  expect((await get(user, '/photos/latest')).json<Photo>().id).toBe(ids[0])
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
      ['limit=51', { loc: ['query', 'limit'] }],
      [`before=${'x'.repeat(129)}`, { loc: ['query', 'before'] }],
      ['before=a&before=b', { loc: ['query', 'before'] }],
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

describe('a hold', () => {
  const call = (user: TestUser, method: 'GET' | 'PUT' | 'DELETE', photo_id?: string) =>
    server.request({ method, url: '/user/hold', token: user.token, body: photo_id && { photo_id } })
  const held = async (user: TestUser): Promise<string | undefined> =>
    (await call(user, 'GET')).json<{ hold: { photo_id: string } | null }>().hold?.photo_id
  const isHold = (message: ServerMessage): boolean => message.action === 'photo_hold' && message.hold !== null
  const isRelease = (message: ServerMessage): boolean => message.action === 'photo_hold' && message.hold === null
  test('is sent to all screens of its owner, with the end that the server keeps, and so is its release', async () => {
    const [owner, other] = [await makeUser(server), await makeUser(server)]
    const [id] = await makePhotos(owner, 1)
    const screens = await Promise.all([owner, owner, other].map(({ token }) => connectLive(address, token)))
    const { hold } = (await call(owner, 'PUT', id)).json<{ hold: PhotoHold }>()
    expect(hold.remaining_ms).toBeGreaterThan(9.5 * 60_000)
    expect(hold.remaining_ms).toBeLessThanOrEqual(10 * 60_000)
    const told = { action: 'photo_hold', hold: { ...hold, remaining_ms: expect.any(Number) } }
    for (const screen of screens.slice(0, 2)) expect(await screen.next(isHold)).toEqual(told)
    expect((await call(owner, 'GET')).json()).toMatchObject({ hold: { photo_id: id, until: hold.until } })
    expect((await call(owner, 'DELETE')).json()).toEqual({ hold: null })
    for (const screen of screens.slice(0, 2))
      expect(await screen.next(isRelease)).toEqual({ action: 'photo_hold', hold: null })
    expect(await held(other)).toBeUndefined()
    for (const { socket } of screens) socket.close()
  })

  test('is sent to a screen that missed its event while the database connection was lost', async () => {
    const owner = await makeUser(server)
    const [id] = await makePhotos(owner, 1)
    const screen = await connectLive(address, owner.token)
    const { pool } = server.app.deps
    const hold =
      "insert into photo_holds (user_id, photo_id, held_until) values ($1, $2, now() + interval '10 minutes')"
    await pool.query(hold, [owner.id, id])
    await pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    expect(await screen.next(isHold)).toMatchObject({ hold: { photo_id: id } })
    screen.socket.close()
  })

  test('ends after ten minutes, and when guests may not see its photo any more', async () => {
    const owner = await makeUser(server)
    const [first = '', second = ''] = await makePhotos(owner, 2)
    for (const id of [first, second]) await call(owner, 'PUT', id)
    expect(await held(owner)).toBe(second)
    await server.app.deps.pool.query('update photo_holds set held_until = now() where user_id = $1', [owner.id])
    expect(await held(owner)).toBeUndefined()
    await call(owner, 'PUT', second)
    await setHidden(owner, second, true)
    expect(await held(owner)).toBeUndefined()
    await call(owner, 'PUT', first)
    await server.request({ method: 'DELETE', url: `/photos/${first}`, token: owner.token })
    expect(await held(owner)).toBeUndefined()
  })

  test("is not possible of another user's photo, a hidden one and one in processing", async () => {
    const [owner, other] = [await makeUser(server), await makeUser(server)]
    const [[theirs], [hidden = '']] = [await makePhotos(other, 1), await makePhotos(owner, 1)]
    await setHidden(owner, hidden, true)
    const [processing] = await addPhotos(server, owner, { count: 1, state: 'queued' })
    const detail = 'Only a photo of yours that guests can see can be held.'
    for (const id of [theirs, hidden, processing]) {
      const answer = await call(owner, 'PUT', id)
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail }])
    }
    expect(await held(owner)).toBeUndefined()
  })
})
