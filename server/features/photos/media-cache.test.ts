import { beforeAll, expect, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { newId } from '../../lib/ids.ts'
import { publish } from '../../platform/live/bus.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { useServer } from '../../test/harness.ts'
import { makeUser, type TestUser, upload } from '../../test/test-data.ts'
import { createMediaCache, type MediaCache } from './photo-access.ts'

const file = await jpeg({ width: 64, height: 48 })
const server = useServer()
beforeAll(async () => {
  // Until then nothing is cached, and events do not arrive.
  await vi.waitUntil(() => server.app.deps.bus.isListening(), { timeout: 60_000, interval: 5 })
})

/** A cache of the server's database and bus in which no time passes. */
function createTestCache(): MediaCache {
  const { db, pool, bus } = server.app.deps
  return createMediaCache({ db, pool, bus, clock: { now: () => 1_000 } })
}
async function addPhoto(): Promise<{ user: TestUser; id: string }> {
  const user = await makeUser(server)
  const { id } = (await upload(server, user, file)).json<Photo>()
  await receiveEvents()
  return { user, id }
}
/** Waits until this server has received all events that were published so far: they arrive in order. */
async function receiveEvents(): Promise<void> {
  const { db, bus } = server.app.deps
  const marker = newId()
  const received = new Promise<void>((resolve) =>
    bus.onEvent((event) => void (event.kind === 'test' && event.user === marker && resolve())),
  )
  await publish(db, { kind: 'test', user: marker })
  await received
}
/** Changes photos without an event of the bus. */
const renameUnannounced = (filename: string) =>
  server.app.deps.pool.query('update photos set filename = $1', [filename])
const filenameIn = async (cache: MediaCache, id: string): Promise<string | undefined> =>
  (await cache.find('id', id))?.filename

test('a change of settings invalidates the photos of that user only', async () => {
  const [changed, other] = [await addPhoto(), await addPhoto()]
  const cache = createTestCache()
  await renameUnannounced('old.jpg')
  for (const { id } of [changed, other]) expect(await filenameIn(cache, id)).toBe('old.jpg')
  await renameUnannounced('new.jpg')
  for (const { id } of [changed, other]) expect(await filenameIn(cache, id)).toBe('old.jpg')

  const settings = { ask_email_to_receive_photo: true }
  const { token } = changed.user
  const answer = await server.request({ method: 'PUT', url: '/user/settings', token, body: settings })
  expect(answer.statusCode).toBe(200)
  await expect.poll(() => filenameIn(cache, changed.id)).toBe('new.jpg')
  expect(await filenameIn(cache, other.id)).toBe('old.jpg')
})

test('a change of settings invalidates the cache of this server before its response is sent', async () => {
  const { user, id } = await addPhoto()
  const { mediaCache } = server.app.deps
  expect(await mediaCache.find('id', id)).toMatchObject({ emailRequired: false })
  const body = { ask_email_to_receive_photo: true }
  await server.request({ method: 'PUT', url: '/user/settings', token: user.token, body })
  expect(await mediaCache.find('id', id)).toMatchObject({ emailRequired: true })
})

test('a deletion invalidates the photo under its id, its code and its keys', async () => {
  const { user, id } = await addPhoto()
  await server.work()
  const { mediaCache } = server.app.deps
  const media = await mediaCache.find('id', id)
  const names = [
    ['id', id],
    ['code', media?.code],
    ['full_key', media?.fullKey],
    ['thumb_key', media?.thumbKey],
  ] as const
  for (const [column, value] of names) expect(await mediaCache.find(column, value ?? '')).toMatchObject({ photoId: id })
  await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
  for (const [column, value] of names) expect(await mediaCache.find(column, value ?? '')).toBeUndefined()
})
