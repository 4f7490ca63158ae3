import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PhotoPage } from '@keepsnap/contract/customer-api.ts'
import type { User } from '@keepsnap/contract/accounts.ts'
import { rates } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { createKey, getByKey, makeApiUser, makeUserWithKey, uploadByKey } from '../../test/api-keys.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { photoActions, photoFile } from './test/photo-actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { get, uploaded } = photoActions(() => server)
const page = async (key: string, search = ''): Promise<PhotoPage> =>
  (await getByKey(server, key, `/api/photos${search}`)).json<PhotoPage>()

describe('GET /api/photos', () => {
  test('has pages, newest first, with the number of all photos', async () => {
    const { user, key } = await makeUserWithKey(server)
    expect(await page(key)).toEqual({ photos: [], total: 0, skip: 0, limit: 50 })
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.unshift((await uploaded(user)).id)
    const idsOf = async (search: string) => {
      const { photos, ...rest } = await page(key, search)
      return { ids: photos.map(({ id }) => id), ...rest }
    }
    expect(await idsOf('')).toEqual({ ids, total: 5, skip: 0, limit: 50 })
    expect(await idsOf('?skip=1&limit=2')).toEqual({ ids: ids.slice(1, 3), total: 5, skip: 1, limit: 2 })
    expect(await idsOf('?skip=4')).toEqual({ ids: ids.slice(4), total: 5, skip: 4, limit: 50 })
    expect(await idsOf('?skip=5')).toEqual({ ids: [], total: 5, skip: 5, limit: 50 })
    expect(await idsOf('?skip=1000000&limit=1')).toEqual({ ids: [], total: 5, skip: 1_000_000, limit: 1 })
    await server.request({ method: 'DELETE', url: `/photos/${ids[0]}`, token: user.token })
    expect(await idsOf('?limit=1')).toEqual({ ids: [ids[1]], total: 4, skip: 0, limit: 1 })
    expect((await page(key, '?limit=2')).photos).toEqual((await get(user, '/photos?limit=2')).json())
  })

  test.each(['limit=51', 'limit=0', 'limit=x', 'skip=-1', 'skip=1.5', 'skip=1000001', 'before=x', 'limit=1&limit=2'])(
    'refuses %s',
    async (search) => {
      const { key } = await makeUserWithKey(server)
      const answer = await getByKey(server, key, `/api/photos?${search}`)
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([422, 'invalid'])
    },
  )

  test('shows nothing of another user', async () => {
    const [{ user }, { key }] = [await makeUserWithKey(server), await makeUserWithKey(server)]
    await uploaded(user)
    expect(await page(key)).toEqual({ photos: [], total: 0, skip: 0, limit: 50 })
    expect((await getByKey(server, key, '/api/photos/latest')).statusCode).toBe(404)
  })
})

test('GET /api/photos/latest has what the big screen has: the newest photo that is not hidden', async () => {
  const { user, key } = await makeUserWithKey(server)
  const none = await getByKey(server, key, '/api/photos/latest')
  expect([none.statusCode, none.json()]).toEqual([
    404,
    { code: 'not_found', detail: 'No photos found. Upload your first photo!' },
  ])
  const [older, newer] = [await uploaded(user), await uploaded(user)]
  expect((await getByKey(server, key, '/api/photos/latest')).json<Photo>().id).toBe(newer.id)
  await server.request({ method: 'PUT', url: `/photos/${newer.id}`, token: user.token, body: { hidden: true } })
  expect((await getByKey(server, key, '/api/photos/latest')).json<Photo>().id).toBe(older.id)
})

test('GET /user/me by key has the account of the key, as its session has it', async () => {
  const { user, key } = await makeUserWithKey(server)
  const byKey = (await getByKey(server, key, '/user/me')).json<User>()
  expect(byKey).toMatchObject({ id: user.id, email: user.email, first_visit: false })
  expect((await get(user, '/user/me')).json<User>()).toEqual(byKey)
})

test('both header names are the same; two different keys are none, and neither is a good one with a wrong one', async () => {
  const { user, key } = await makeUserWithKey(server)
  const { key: second } = await createKey(server, user)
  const status = async (headers: Record<string, string>) =>
    (await server.request({ method: 'GET', url: '/api/photos', headers })).statusCode
  expect(await status({ 'api-key': key })).toBe(200)
  expect(await status({ 'X-API-KEY': key })).toBe(200)
  expect(await status({ 'api-key': key, 'x-api-key': key })).toBe(200)
  expect(await status({ 'api-key': key, 'x-api-key': second })).toBe(401)
  for (const wrong of [`${key}x`, key.slice(0, -1), key.toLowerCase(), ` ${key}, ${key}`, `Bearer ${key}`])
    expect([wrong, await status({ 'x-api-key': wrong })]).toEqual([wrong, 401])
  expect(await status({ authorization: `Bearer ${key}` })).toBe(401)
  expect((await server.request({ method: 'GET', url: `/api/photos?api-key=${key}` })).statusCode).toBe(401)
})

test('100 calls a minute with one key, over all calls together; another key of the same user has its own', async () => {
  const user = await makeApiUser(server)
  const [{ key }, { key: second }] = [await createKey(server, user), await createKey(server, user)]
  const statuses: number[] = []
  const calls = ['/api/photos', '/user/me', '/api/photos/latest', '/api/photos?limit=51']
  for (let n = 0; n < rates.photos.perMinute - 1; n++)
    statuses.push((await getByKey(server, key, calls[n % calls.length]!)).statusCode)
  expect(statuses.every((status) => [200, 404, 422].includes(status))).toBe(true)
  expect((await uploadByKey(server, key, photoFile)).statusCode).toBe(201)
  expect((await uploadByKey(server, key, photoFile)).statusCode).toBe(429)
  expect((await getByKey(server, key, '/user/me')).statusCode).toBe(429)
  expect((await getByKey(server, second, '/user/me')).statusCode).toBe(200)
  expect((await get(user, '/user/me')).statusCode).toBe(200)
})
