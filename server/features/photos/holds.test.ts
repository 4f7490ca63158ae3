import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PhotoHold } from '@keepsnap/contract/holds.ts'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'
import { photoActions } from './test/photo-actions.ts'

let server: TestServer
let address: string
beforeAll(async () => {
  server = await startServer()
  address = await server.listen()
})
afterAll(() => server.close())

const { processedPhoto, uploaded } = photoActions(() => server)
const call = (user: TestUser, method: 'GET' | 'PUT' | 'DELETE', photo_id?: string) =>
  server.request({ method, url: '/user/hold', token: user.token, ...(photo_id && { body: { photo_id } }) })
const held = async (user: TestUser): Promise<string | undefined> =>
  (await call(user, 'GET')).json<{ hold: { photo_id: string } | null }>().hold?.photo_id
const isHold = (message: ServerMessage): boolean => message.action === 'photo_hold' && message.hold !== null
const isRelease = (message: ServerMessage): boolean => message.action === 'photo_hold' && message.hold === null

test('a held photo is sent to all screens of its owner, with the end that the server keeps, and so is its release', async () => {
  const [owner, other] = await Promise.all([makeUser(server), makeUser(server)])
  const { id } = await processedPhoto(owner)
  const screens = await Promise.all([owner, owner, other].map(({ token }) => connectLive(address, token)))
  const { hold } = (await call(owner, 'PUT', id)).json<{ hold: PhotoHold }>()
  expect(hold.remaining_ms).toBeGreaterThan(9.5 * 60_000)
  expect(hold.remaining_ms).toBeLessThanOrEqual(10 * 60_000)
  for (const screen of screens.slice(0, 2)) {
    expect(await screen.next(isHold)).toEqual({
      action: 'photo_hold',
      hold: { ...hold, remaining_ms: expect.any(Number) },
    })
  }
  expect((await call(owner, 'GET')).json()).toMatchObject({ hold: { photo_id: id, until: hold.until } })
  expect((await call(owner, 'DELETE')).json()).toEqual({ hold: null })
  for (const screen of screens.slice(0, 2))
    expect(await screen.next(isRelease)).toEqual({ action: 'photo_hold', hold: null })
  expect(await held(other)).toBeUndefined()
  for (const { socket } of screens) socket.close()
})

test('a screen is sent a hold whose event was missed while the database connection was lost', async () => {
  const owner = await makeUser(server)
  const { id } = await processedPhoto(owner)
  const screen = await connectLive(address, owner.token)
  const { pool } = server.app.deps
  await pool.query(
    "insert into photo_holds (user_id, photo_id, held_until) values ($1, $2, now() + interval '10 minutes')",
    [owner.id, id],
  )
  await pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  expect(await screen.next(isHold)).toMatchObject({ hold: { photo_id: id } })
  screen.socket.close()
})

test('a hold ends after ten minutes, and when guests may not see its photo any more', async () => {
  const owner = await makeUser(server)
  const [first, second] = [await processedPhoto(owner), await processedPhoto(owner)]
  await call(owner, 'PUT', first.id)
  await call(owner, 'PUT', second.id)
  expect(await held(owner)).toBe(second.id)
  await server.app.deps.pool.query('update photo_holds set held_until = now()')
  expect(await held(owner)).toBeUndefined()
  await call(owner, 'PUT', second.id)
  const url = `/photos/${second.id}`
  await server.request({ method: 'PUT', url, token: owner.token, body: { hidden: true } })
  expect(await held(owner)).toBeUndefined()
  await call(owner, 'PUT', first.id)
  await server.request({ method: 'DELETE', url: `/photos/${first.id}`, token: owner.token })
  expect(await held(owner)).toBeUndefined()
})

test("another user's photo, a hidden one and one in processing are not held", async () => {
  const [owner, other] = await Promise.all([makeUser(server), makeUser(server)])
  const theirs = await processedPhoto(other)
  const hidden = await processedPhoto(owner)
  await server.request({ method: 'PUT', url: `/photos/${hidden.id}`, token: owner.token, body: { hidden: true } })
  const processing = await uploaded(owner)
  for (const { id } of [theirs, hidden, processing]) {
    const answer = await call(owner, 'PUT', id)
    expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([
      404,
      'Only a photo of yours that guests can see can be held.',
    ])
  }
  expect(await held(owner)).toBeUndefined()
})
