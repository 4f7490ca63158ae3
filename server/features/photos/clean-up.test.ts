import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newStorageKey } from '../../domain/stored-objects.ts'
import { newId } from '../../lib/ids.ts'
import { noMetrics } from '../../metrics/metrics.ts'
import { storeStream, type Storage } from '../../ports/storage/storage.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { makeUser } from '../../test/test-data.ts'
import { cleanUpPhotos } from './clean-up.ts'
import { reserveUpload } from './queries.ts'
import { photoActions } from './test/photo-actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { get, uploaded, processedPhoto, photoRowsOf, uploadsThisMonth, runCleanUp } = photoActions(() => server)
const store = (key: string): Promise<unknown> =>
  storeStream(server.app.deps.storage, key, { source: Readable.from([Buffer.from('bytes')]), type: 'image/jpeg' })
const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const loseAllJobs = () => query('delete from graphile_worker._private_jobs')

test('an upload whose program was killed is removed, with its bytes and its place in the monthly quota', async () => {
  const user = await makeUser(server)
  const [id, originalKey] = [newId(), newStorageKey('orig')]
  const upload = { id, userId: user.id, code: newId(), originalKey, idempotencyKey: undefined }
  expect(await reserveUpload(server.db, upload)).toBeUndefined()
  await store(originalKey)
  await runCleanUp()
  expect([await uploadsThisMonth(user), await server.app.deps.storage.sizeOf(originalKey)]).toEqual([1, 5])
  await query("update photos set expires_at = now() - interval '1 second' where id = $1", [id])
  await runCleanUp()
  expect([await uploadsThisMonth(user), await server.app.deps.storage.sizeOf(originalKey)]).toEqual([0, null])
  expect(await photoRowsOf(user)).toEqual([])
})

test('a photo whose job was lost is processed', async () => {
  const user = await makeUser(server)
  const { id } = await uploaded(user)
  await loseAllJobs()
  await query("update photos set created_at = now() - interval '2 minutes' where id = $1", [id])
  await runCleanUp()
  expect((await get(user, `/photos/${id}`)).json()).toMatchObject({ processing_complete: true })
})

test('a deleted photo whose job was lost loses its bytes, and a day later its row', async () => {
  const user = await makeUser(server)
  const { id } = await processedPhoto(user)
  const [{ full_key: key }] = await photoRowsOf(user)
  await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
  await loseAllJobs()
  await query("update photos set deleted_at = now() - interval '6 minutes' where id = $1", [id])
  await runCleanUp()
  expect(await server.app.deps.storage.sizeOf(key)).toBeNull()
  expect(await photoRowsOf(user)).toHaveLength(1)
  await query("update photos set deleted_at = now() - interval '26 hours' where id = $1", [id])
  await runCleanUp()
  expect(await photoRowsOf(user)).toEqual([])
})

test('objects that no row refers to are removed after 15 minutes, also when another step of the clean-up fails', async () => {
  const user = await makeUser(server)
  const { id } = await processedPhoto(user)
  const key = newStorageKey('full')
  await query("insert into stored_objects (key, photo_id, created_at) values ($1, $2, now() - interval '14 minutes')", [
    key,
    id,
  ])
  await store(key)
  const { db, storage } = server.app.deps
  await cleanUpPhotos({ db, storage, metrics: noMetrics })
  expect(await storage.sizeOf(key)).toBe(5)
  await query("update stored_objects set created_at = created_at - interval '2 minutes' where key = $1", [key])
  const abandoned = { id: newId(), userId: user.id, code: newId(), originalKey: newStorageKey('orig') }
  await reserveUpload(server.db, { ...abandoned, idempotencyKey: undefined })
  await query("update photos set expires_at = now() - interval '1 second' where id = $1", [abandoned.id])
  const refusing: Storage = {
    ...storage,
    remove: async (keys) => {
      if (keys.includes(abandoned.originalKey)) throw new Error('the store is down')
      return storage.remove(keys)
    },
  }
  await expect(cleanUpPhotos({ db, storage: refusing, metrics: noMetrics })).rejects.toThrow('the store is down')
  expect(await storage.sizeOf(key)).toBeNull()
})
