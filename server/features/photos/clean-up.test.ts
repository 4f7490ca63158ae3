import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newStorageKey } from '../../domain/stored-objects.ts'
import { newId } from '../../lib/ids.ts'
import { noMetrics } from '../../metrics/metrics.ts'
import { StorageDown, storeStream, type Storage } from '../../ports/storage/storage.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'
import { cleanUpPhotos } from './clean-up.ts'
import { reserveUpload } from './queries.ts'
import { photoActions } from './test/photo-actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { get, uploaded, processedPhoto, photoRowsOf, uploadsThisMonth, storedFiles, runCleanUp } = photoActions(
  () => server,
)
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

/** A photo whose processing has failed several times because its images could not be stored, and its job. */
async function delayedPhoto(user: TestUser) {
  const { storage } = server.app.deps
  const { check, moveIn, stage } = storage
  const restoreStorage = () => void Object.assign(storage, { check, moveIn, stage })
  onTestFinished(restoreStorage)
  const refuse = (): Promise<never> => Promise.reject(new StorageDown('the store does not accept files'))
  const { id } = await uploaded(user)
  storage.moveIn = refuse
  const jobs = async (): Promise<{ run_at: Date; attempts: number }[]> =>
    (await query('select run_at, attempts from graphile_worker.jobs where key = $1', [`photo:${id}`])).rows
  for (let failure = 1; failure <= 6; failure++) {
    await query('update graphile_worker._private_jobs set run_at = now() where key = $1', [`photo:${id}`])
    await server.work()
  }
  expect(await jobs()).toMatchObject([{ attempts: 6 }])
  return { id, storage, jobs, refuse, restoreStorage }
}

test.each([
  ['cannot be reached', 'check'],
  ['is full', 'stage'],
] as const)('photos wait while the store %s, and are processed as soon as it works again', async (_, refusedCall) => {
  const user = await makeUser(server)
  const { id, storage, jobs, refuse, restoreStorage } = await delayedPhoto(user)
  storage[refusedCall] = refuse
  const before = await jobs()
  await runCleanUp()
  expect(await jobs()).toEqual(before)
  restoreStorage()
  const files = await storedFiles()
  await runCleanUp()
  expect((await get(user, `/photos/${id}`)).json()).toMatchObject({ processing_complete: true })
  // Full image and thumbnail have taken the place of the original, and the file of the check is removed.
  expect(await storedFiles()).toHaveLength(files.length + 1)
})

test('after many attempts, a photo keeps its delay also when the store works', async () => {
  const user = await makeUser(server)
  const { id, jobs, restoreStorage } = await delayedPhoto(user)
  await query('update photos set attempt = attempt + 14 where id = $1', [id])
  restoreStorage()
  await runCleanUp()
  expect(await jobs()).toMatchObject([{ attempts: 6 }])
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
