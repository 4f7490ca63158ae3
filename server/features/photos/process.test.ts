import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { manyScans, sparseGif } from '../../images/test/make-bombs.ts'
import { jpeg, jpegWithMetadata, quadrantPixels, sharpFrom } from '../../images/test/sample-images.ts'
import { newId } from '../../lib/ids.ts'
import { type Storage, StorageDown, storeStream } from '../../ports/storage/storage.ts'
import { makeUserWithKey, uploadByKey, type TestUser, makeUser, multipartForm, upload } from '../../test/test-data.ts'
import { serverForThisTest, useServer, lockJobs, makeJobsDue, removeJobs } from '../../test/harness.ts'
import { pathOf, photoActions, photoFile } from '../../test/photo-actions.ts'
import { grey, watermarkActions } from '../../test/watermark-actions.ts'
import { cleanUpPhotos } from './clean-up.ts'
import { claimAttempt, failPhoto } from './process.ts'
import { countProcessingTime, photoInTurn, settleTurn } from './processing-turns.ts'
import {
  newStorageKey,
  ownerlessKeys,
  registerKeysForPhoto,
  removeIfUnreferenced,
  unreferencedKeys,
} from './stored-objects.ts'
import { reserveUpload } from './upload.ts'

const black = await grey(1000, 600, 0).jpeg({ quality: 95 }).toBuffer()
const png = await sharpFrom(quadrantPixels(64, 64)).png().toBuffer()
const server = useServer()

const { get, uploaded, processedPhoto, uploadsThisMonth, storedFiles, photoRowsOf, runCleanUp } = photoActions(
  () => server,
)

const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)

const remove = (user: TestUser, id: string) =>
  server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })

const retry = (user: TestUser, id: string) =>
  server.request({ method: 'POST', url: `/photos/${id}/retry`, token: user.token })

const setSlow = (photo: Photo, ms: number) => query('update photos set slow_ms = $2 where id = $1', [photo.id, ms])

const photoOf = async (user: TestUser, id: string) => (await get(user, `/photos/${id}`)).json<Photo>()

const store = (key: string): Promise<unknown> =>
  storeStream(server.app.deps.storage, key, { source: Readable.from([Buffer.from('bytes')]), type: 'image/jpeg' })

const newKeys = () => ({ fullKey: newStorageKey('full'), thumbKey: newStorageKey('thumb') })

/** Complete by its header; its picture ends early. */
const truncated = photoFile.subarray(0, Math.floor(photoFile.length * 0.6))

describe('processing', () => {
  test('makes a full image and a thumbnail, and removes the original', async () => {
    const user = await makeUser(server)
    const before = new Set(await storedFiles())
    const ready = await processedPhoto(user)
    expect(ready).toMatchObject({
      processing: false,
      processing_complete: true,
      processing_failed: false,
      error_message: null,
      can_retry: false,
      width: expect.any(Number),
      height: expect.any(Number),
      thumbhash: expect.any(String),
    })
    const full = await server.request({ method: 'GET', url: pathOf(ready.b2_url) })
    expect([full.statusCode, full.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect(full.rawPayload.length).toBe(ready.size_bytes)
    const thumbnail = await server.request({ method: 'GET', url: pathOf(ready.thumbnail_url) })
    expect(thumbnail.headers['content-type']).toBe('image/webp')
    expect((await get(user, '/user/me')).json().photo_count).toBe(1)
    const added = (await storedFiles()).filter((name) => !before.has(name))
    const served = [ready.b2_url, ready.thumbnail_url].map((url) => new URL(url!).pathname.split('/')[2])
    expect(new Set(added)).toEqual(new Set(served))
  })

  test('that fails gives a reason, and the photo no longer counts towards the monthly quota', async () => {
    const user = await makeUser(server)
    const { id } = await uploaded(user, truncated)
    await server.work()
    expect(await photoOf(user, id)).toMatchObject({
      processing: false,
      processing_complete: false,
      processing_failed: true,
      b2_url: null,
      thumbnail_url: null,
      error_message: expect.stringMatching(/^[A-Z].+\.$/),
      can_retry: false,
    })
    expect(await uploadsThisMonth(user)).toBe(0)
  })
})

describe('the checksum of a stored file', () => {
  const { makeBrandedUser, setWatermark, addPhoto } = watermarkActions(() => server)
  const checksumsOf = async (photoId: string): Promise<{ key: string; sha256: Buffer }[]> =>
    (await query('select key, sha256 from stored_objects where photo_id = $1', [photoId])).rows
  async function expectChecksums(checksums: { key: string; sha256: Buffer }[]): Promise<void> {
    for (const { key, sha256 } of checksums) {
      const bytes = await buffer((await server.app.deps.storage.open(key))!)
      expect(sha256).toEqual(createHash('sha256').update(bytes).digest())
    }
  }

  test('is that of its bytes, as it was received, rebuilt or encoded again, with and without a watermark', async () => {
    const user = await makeBrandedUser()
    const withMetadata = jpegWithMetadata(black)
    const blackPng = await grey(1000, 600, 0).png().toBuffer()
    for (const [file, hasWatermark, files] of [
      [black, false, 2],
      [withMetadata, false, 2],
      [blackPng, false, 2],
      [black, true, 3],
      [withMetadata, true, 3],
    ] as const) {
      await setWatermark(user, hasWatermark)
      const checksums = await checksumsOf((await addPhoto(user, file)).id)
      expect(checksums).toHaveLength(files)
      await expectChecksums(checksums)
    }
  })

  test('is that of the received bytes for an image stored as it was received, which is read only if it is unknown', async () => {
    const user = await makeUser(server)
    const ones = Buffer.alloc(32, 1)
    for (const [received, stored] of [
      [ones, ones],
      [null, expect.any(Buffer)],
    ]) {
      const { id } = await uploaded(user, black)
      await query('update photos set original_sha256 = $2 where id = $1', [id, received])
      await server.work()
      const checksums = await checksumsOf(id)
      expect(checksums).toHaveLength(2)
      const full = checksums.find(({ key }) => key.startsWith('full/'))
      expect(full?.sha256).toEqual(stored)
      await expectChecksums(received ? checksums.filter((one) => one !== full) : checksums)
    }
  })
})

describe('a failed photo', () => {
  test('can be retried while its original is stored, and only then', async () => {
    const user = await makeUser(server)
    const { id } = await uploaded(user, truncated)
    await server.work()
    expect((await retry(user, id)).json()).toMatchObject({
      id,
      processing: true,
      processing_failed: false,
      error_message: null,
      can_retry: false,
    })
    expect(await uploadsThisMonth(user)).toBe(1)
    expect((await retry(user, id)).statusCode).toBe(409)
    await server.work()
    expect(await uploadsThisMonth(user)).toBe(0)
    await query("update photos set finished_at = now() - interval '8 days' where id = $1", [id])
    await runCleanUp()
    const detail = 'The uploaded file has been deleted. Please upload it again.'
    expect((await retry(user, id)).json()).toEqual({ code: 'conflict', detail })
    expect((await retry(user, (await processedPhoto(user)).id)).statusCode).toBe(409)
  })

  test('keeps a small attempt number by a retry, because earlier versions give up those over 25', async () => {
    const user = await makeUser(server)
    const { id } = await uploaded(user)
    await query(
      "update photos set state = 'failed', attempt = 3, error_message = 'No.', retry_helps = true where id = $1",
      [id],
    )
    expect((await retry(user, id)).statusCode).toBe(200)
    expect(await photoRowsOf(user)).toMatchObject([{ attempt: 4 }])
  })

  // 60: earlier versions gave up every retry at once.
  test.each([25, 60])('that was given up after %i attempts gets all of them again by a retry', async (attempts) => {
    const user = await makeUser(server)
    const { id } = await uploaded(user)
    const { db } = server
    const earlier = (await claimAttempt(db, id, newKeys()))!
    await query('update photos set attempt = $2 where id = $1', [id, attempts])
    await server.work()
    expect(await photoOf(user, id)).toMatchObject({ processing_failed: true, can_retry: true })
    const [{ attempt: last }] = await photoRowsOf(user)
    expect((await retry(user, id)).statusCode).toBe(200)
    const failure = { sentence: 'It failed.', retryHelps: true }
    for (const attempt of [1, last]) expect(await failPhoto(db, { ...earlier, attempt }, failure)).toBe(false)
    await server.work()
    expect(await photoOf(user, id)).toMatchObject({ processing_complete: true })
    expect(await uploadsThisMonth(user)).toBe(1)
  })
})

describe('an upload that waits is answered', () => {
  /** Uploads by key; resolves with the answer to come, as soon as the photo is accepted. */
  async function uploadAndWait({ user, key }: { user: TestUser; key: string }, file = photoFile) {
    const answer = uploadByKey(server, key, file, { query: '?wait=30' })
    await expect.poll(async () => (await photoRowsOf(user))[0]?.state, { interval: 10 }).toBe('queued')
    return { answer }
  }
  test('with the photo when its processing has ended, or the reason when it has failed', async () => {
    const { user, key } = await makeUserWithKey(server)
    const { answer } = await uploadAndWait({ user, key })
    await server.work()
    const photo = (await answer).json<Photo>()
    expect([(await answer).statusCode, photo.processing_complete]).toEqual([201, true])
    expect(photo).toEqual((await get(user, `/photos/${photo.id}`)).json())
    const failing = await uploadAndWait(await makeUserWithKey(server), truncated)
    await server.work()
    const failure = { processing_failed: true, error_message: expect.any(String) }
    expect((await failing.answer).json()).toMatchObject(failure)
  })

  test('with 404 when the photo is deleted meanwhile', async () => {
    const { user, key } = await makeUserWithKey(server)
    const { answer } = await uploadAndWait({ user, key })
    const [{ id }] = await photoRowsOf(user)
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    expect((await answer).statusCode).toBe(404)
  })

  test('as it is, when the time is over', async () => {
    const { key } = await makeUserWithKey(server)
    const [over, { timeout }] = [new AbortController(), AbortSignal]
    const timeouts = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => (ms === 17_000 ? over.signal : timeout.call(AbortSignal, ms)))
    onTestFinished(() => timeouts.mockRestore())
    let isAnswered = false
    const answer = uploadByKey(server, key, photoFile, { query: '?wait=17' }).finally(() => (isAnswered = true))
    await expect.poll(() => timeouts.mock.calls, { interval: 10 }).toContainEqual([17_000])
    expect(isAnswered).toBe(false)
    over.abort()
    expect([(await answer).statusCode, (await answer).json<Photo>().processing]).toEqual([201, true])
  })

  test('at once when it does not want to wait, and when a repeated upload is ready already', async () => {
    const { key } = await makeUserWithKey(server)
    const headers = { 'idempotency-key': 'file 1' }
    const first = await uploadByKey(server, key, photoFile, { headers, query: '?wait=0' })
    expect(first.json<Photo>().processing).toBe(true)
    await server.work()
    const again = await uploadByKey(server, key, photoFile, { headers, query: '?wait=30' })
    expect([again.json<Photo>().id, again.json<Photo>().processing_complete]).toEqual([first.json<Photo>().id, true])
  })

  test('as it is, when the server is about to stop: a restart does not wait for it', async () => {
    const own = await serverForThisTest()
    const { key } = await makeUserWithKey(own)
    const { body, headers } = multipartForm(photoFile)
    const answer = fetch(`${await own.listen()}/api/upload?wait=30`, {
      method: 'POST',
      headers: { ...headers, 'x-api-key': key },
      body: Uint8Array.from(body),
    })
    const isQueued = async () =>
      (await own.app.deps.pool.query("select 1 from photos where state = 'queued'")).rowCount === 1
    await expect.poll(isQueued, { interval: 10 }).toBe(true)
    const startedAt = performance.now()
    const begin = ['readiness', 'waiting answers']
    for (const { name, close } of own.app.shutdownSteps) if (begin.includes(name)) await close()
    const photo = (await (await answer).json()) as Photo // what the contract says
    expect([(await answer).status, photo.processing]).toEqual([201, true])
    // Not after the 30 seconds that the upload may wait.
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })
})

describe('an account', () => {
  const failedMs = async (user: TestUser): Promise<number> =>
    Number(
      (await query('select sum(failed_quick_ms) as ms from processing_days where user_id = $1', [user.id])).rows[0].ms,
    )
  const refusal = (sentence: string) => ({ code: 'processing_limit', detail: expect.stringContaining(sentence) })
  // No slow work of one test waits during the next.
  afterEach(() => query("update photos set deleted_at = now() where state = 'queued'"))

  test('with more than a minute of its own slow work waiting is told to come back with slow files, whatever others have', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)]
    await setSlow(await uploaded(user, png), 60_000)
    await setSlow(await uploaded(user, png), 1_000)
    const filesBefore = await storedFiles()
    const refused = await upload(server, user, png)
    expect([refused.statusCode, refused.json()]).toEqual([429, refusal('are waiting')])
    // Until 20 of the 61 seconds are left.
    expect(refused.headers['retry-after']).toBe('41')
    // A JPEG with so many scans that it takes long is a slow file.
    expect((await upload(server, user, manyScans(6_000, 50))).json()).toMatchObject({ code: 'processing_limit' })
    expect([await uploadsThisMonth(user), await storedFiles()]).toEqual([2, filesBefore])
    expect((await upload(server, user, manyScans(600, 50))).statusCode).toBe(201)
    expect((await upload(server, user, photoFile)).statusCode).toBe(201)
    // Of several at once, too: in any order, three of these take the other over its own limit.
    const animations = await Promise.all(
      Array.from({ length: 4 }, () => upload(server, other, sparseGif(500, 500, 160))),
    )
    expect(animations.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 429])
    // Two share the time now.
    expect((await upload(server, user, png)).headers['retry-after']).toBe('82')
  })

  /** A JPEG whose header is that of any camera, and whose coded data is not. */
  const damagedJpeg = Buffer.concat([photoFile.subarray(0, -200), Buffer.alloc(200)])
  const damagedPng = Buffer.concat([png.subarray(0, -40), Buffer.alloc(40)])
  test('has ten minutes a day of files that fail, and all the time of others', async () => {
    const user = await makeUser(server)
    await processedPhoto(user, png)
    expect(await failedMs(user)).toBe(0)
    const { id } = await uploaded(user, damagedJpeg)
    await server.work()
    const byJpeg = await failedMs(user)
    expect(byJpeg).toBeGreaterThan(0)
    expect((await processedPhoto(user, damagedPng)).processing_failed).toBe(true)
    expect(await failedMs(user)).toBeGreaterThan(byJpeg)
    const setFailed = (ms: number) =>
      query('update processing_days set failed_quick_ms = $2 where user_id = $1', [user.id, ms])
    await setFailed(599_999)
    expect((await upload(server, user, photoFile)).statusCode).toBe(201)
    await setFailed(600_000)
    const [filesBefore, uploadsBefore] = [await storedFiles(), await uploadsThisMonth(user)]
    for (const refused of [await upload(server, user, photoFile), await retry(user, id)]) {
      expect([refused.statusCode, refused.json()]).toEqual([429, refusal('took 10 minutes')])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(24 * 60 * 60)
    }
    expect([await storedFiles(), await uploadsThisMonth(user)]).toEqual([filesBefore, uploadsBefore])
    await query('update processing_days set day = day - 1 where user_id = $1', [user.id])
    expect((await retry(user, id)).statusCode).toBe(200)
  })

  test('whose plain JPEG took long has a retry of it counted as slow', async () => {
    const user = await makeUser(server)
    const { id } = await uploaded(user)
    const work = { photoId: id, userId: user.id, wasQuick: true, hasFailed: false }
    for (const [usedMs, slowMs] of [
      [2_000, null],
      [2_500, 2_500],
    ] as const) {
      await countProcessingTime(server.db, { ...work, usedMs })
      expect(await photoRowsOf(user)).toMatchObject([{ slow_ms: slowMs }])
    }
  })
})

describe('deleting a photo', () => {
  test('is done once it is answered, and its bytes are removed by a job, also when the store fails at first', async () => {
    const user = await makeUser(server)
    const { id } = await processedPhoto(user)
    const files = (await storedFiles()).length
    const { storage } = server.app.deps
    const { remove: removeBytes } = storage
    onTestFinished(() => void (storage.remove = removeBytes))
    storage.remove = () => Promise.reject(new StorageDown('the store is down'))
    expect((await remove(user, id)).statusCode).toBe(204)
    expect([(await get(user, `/photos/${id}`)).statusCode, (await remove(user, id)).statusCode]).toEqual([404, 404])
    await server.work()
    expect((await storedFiles()).length).toBe(files)
    storage.remove = removeBytes
    await makeJobsDue(server.app.deps.pool, `delete:${id}`)
    await server.work()
    expect((await storedFiles()).length).toBe(files - 2)
  })

  test('leaves nothing when the program is killed after processing stored one more object', async () => {
    const user = await makeUser(server)
    const files = (await storedFiles()).length
    const { id } = await uploaded(user)
    const keys = newKeys()
    await claimAttempt(server.db, id, keys)
    await remove(user, id)
    await server.work()
    for (const key of Object.values(keys)) await store(key)
    await query("update stored_objects set created_at = created_at - interval '6 minutes' where photo_id = $1", [id])
    await query("update photos set deleted_at = deleted_at - interval '6 minutes' where id = $1", [id])
    await runCleanUp()
    expect((await storedFiles()).length).toBe(files)
    expect((await query('select key from stored_objects where photo_id = $1', [id])).rows).toEqual([])
  })
})

describe('the clean-up', () => {
  const loseAllJobs = () => removeJobs(server.app.deps.pool)

  test('removes an upload whose program was killed, with its bytes and its place in the monthly quota', async () => {
    const user = await makeUser(server)
    const [id, originalKey] = [newId(), newStorageKey('orig')]
    const reserved = { id, userId: user.id, code: newId(), originalKey, idempotencyKey: undefined }
    expect(await reserveUpload(server.db, reserved)).toBeUndefined()
    await store(originalKey)
    const left = async () => [await uploadsThisMonth(user), await server.app.deps.storage.sizeOf(originalKey)]
    await runCleanUp()
    expect(await left()).toEqual([1, 5])
    await query("update photos set expires_at = now() - interval '1 second' where id = $1", [id])
    await runCleanUp()
    expect([await left(), await photoRowsOf(user)]).toEqual([[0, null], []])
  })

  test('has a photo whose job was lost processed', async () => {
    const user = await makeUser(server)
    const { id } = await uploaded(user)
    await loseAllJobs()
    await query("update photos set created_at = now() - interval '2 minutes' where id = $1", [id])
    await runCleanUp()
    expect(await photoOf(user, id)).toMatchObject({ processing_complete: true })
  })

  /** A photo whose processing has failed several times because its images could not be stored, and its job. */
  async function delayedPhoto(user: TestUser) {
    const { storage, pool } = server.app.deps
    const { check, moveIn, stage } = storage
    const restoreStorage = () => void Object.assign(storage, { check, moveIn, stage })
    onTestFinished(restoreStorage)
    const refuse = (): Promise<never> => Promise.reject(new StorageDown('the store does not accept files'))
    const { id } = await uploaded(user)
    storage.moveIn = refuse
    const jobs = async (): Promise<{ run_at: Date; attempts: number }[]> =>
      (await query('select run_at, attempts from graphile_worker.jobs where key = $1', [`photo:${id}`])).rows
    for (let failure = 1; failure <= 6; failure++) {
      await makeJobsDue(pool, `photo:${id}`)
      await server.work()
    }
    expect(await jobs()).toMatchObject([{ attempts: 6 }])
    return { id, storage, jobs, refuse, restoreStorage }
  }

  test.each([
    ['cannot be reached', 'check'],
    ['is full', 'stage'],
  ] as const)(
    'lets photos wait while the store %s, and has them processed as soon as it works again',
    async (_, refusedCall) => {
      const user = await makeUser(server)
      const { id, storage, jobs, refuse, restoreStorage } = await delayedPhoto(user)
      storage[refusedCall] = refuse
      const before = await jobs()
      await runCleanUp()
      expect(await jobs()).toEqual(before)
      restoreStorage()
      const files = await storedFiles()
      await runCleanUp()
      expect(await photoOf(user, id)).toMatchObject({ processing_complete: true })
      // Full image and thumbnail have taken the place of the original, and the file of the check is removed.
      expect(await storedFiles()).toHaveLength(files.length + 1)
    },
  )

  test('keeps the delay of a photo after many attempts, also when the store works', async () => {
    const user = await makeUser(server)
    const { id, jobs, restoreStorage } = await delayedPhoto(user)
    await query('update photos set attempt = attempt + 14 where id = $1', [id])
    restoreStorage()
    await runCleanUp()
    expect(await jobs()).toMatchObject([{ attempts: 6 }])
  })

  test('deletes the bytes of a deleted photo whose job was lost, and a day later its row', async () => {
    const user = await makeUser(server)
    const { id } = await processedPhoto(user)
    const [{ full_key: key }] = await photoRowsOf(user)
    await remove(user, id)
    await loseAllJobs()
    const deletedAgo = (age: string) =>
      query('update photos set deleted_at = now() - $2::interval where id = $1', [id, age])
    await deletedAgo('6 minutes')
    await runCleanUp()
    expect(await server.app.deps.storage.sizeOf(key)).toBeNull()
    expect(await photoRowsOf(user)).toHaveLength(1)
    await deletedAgo('26 hours')
    await runCleanUp()
    expect(await photoRowsOf(user)).toEqual([])
  })

  test('removes objects that no row refers to after 15 minutes, also when another step of the clean-up fails', async () => {
    const user = await makeUser(server)
    const { id } = await processedPhoto(user)
    const key = newStorageKey('full')
    await query(
      "insert into stored_objects (key, photo_id, created_at) values ($1, $2, now() - interval '14 minutes')",
      [key, id],
    )
    await store(key)
    const { storage } = server.app.deps
    await cleanUpPhotos(server.app.deps)
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
    await expect(cleanUpPhotos({ ...server.app.deps, storage: refusing })).rejects.toThrow('the store is down')
    expect(await storage.sizeOf(key)).toBeNull()
  })
})

describe('stored objects', () => {
  /** A photo with an original, and with a full image that no row refers to. */
  async function makePhoto() {
    const { id: userId } = await makeUser(server)
    const [photoId, originalKey, strayKey] = [newId(), newStorageKey('orig'), newStorageKey('full')]
    const upload = { id: photoId, userId, code: newId(), originalKey, idempotencyKey: undefined }
    await reserveUpload(server.db, upload)
    await registerKeysForPhoto(server.db, photoId, [strayKey])
    await query("update stored_objects set created_at = now() - interval '30 minutes' where photo_id = $1", [photoId])
    return { userId, photoId, originalKey, strayKey }
  }

  const setState = (photoId: string, state: string) =>
    query('update photos set state = $2 where id = $1', [photoId, state])

  /** Which of these keys are unreferenced. */
  const unreferencedOf = async (...keys: string[]): Promise<string[]> => {
    const found = await unreferencedKeys(server.db, 1_000)
    return keys.filter((key) => found.includes(key))
  }

  test('a key that no row refers to is found unless its photo is being received or was processed within the last hour', async () => {
    const { photoId, originalKey, strayKey } = await makePhoto()
    expect(await unreferencedOf(originalKey, strayKey)).toEqual([])
    await setState(photoId, 'queued')
    expect(await unreferencedOf(originalKey, strayKey)).toEqual([])
    await setState(photoId, 'ready')
    expect(await unreferencedOf(originalKey, strayKey)).toEqual([strayKey])
    await setState(photoId, 'queued')
    await query("update stored_objects set created_at = now() - interval '2 hours' where photo_id = $1", [photoId])
    expect(await unreferencedOf(originalKey, strayKey)).toEqual([strayKey])
  })

  test('the keys of a deleted photo of a deleted account are ownerless', async () => {
    const { userId, photoId, originalKey, strayKey } = await makePhoto()
    const before = await ownerlessKeys(server.db, '', 1_000)
    expect(before).not.toContain(originalKey)
    await query('delete from photos where id = $1', [photoId])
    await query('delete from users where id = $1', [userId])
    const keys = await ownerlessKeys(server.db, '', 1_000)
    expect(keys).toEqual([...before, strayKey, originalKey].toSorted())
    expect(await ownerlessKeys(server.db, keys[0]!, 1)).toEqual([keys[1]])
  })

  test('an image is removed only when no row refers to it', async () => {
    const { photoId, strayKey } = await makePhoto()
    const { storage } = server.app.deps
    await store(strayKey)
    await query('update photos set full_key = $2 where id = $1', [photoId, strayKey])
    await removeIfUnreferenced({ db: server.db, storage }, strayKey)
    expect(await storage.sizeOf(strayKey)).toBe(5)
    await query('update photos set full_key = null where id = $1', [photoId])
    await removeIfUnreferenced({ db: server.db, storage }, strayKey)
    expect(await storage.sizeOf(strayKey)).toBeNull()
  })
})

describe('turns', () => {
  beforeEach(async () => {
    await query('delete from photos')
    await query('delete from processing_turns')
    await query('delete from graphile_worker._private_jobs')
  })

  /** As when a worker has fetched the job of a photo and starts it; the photo that it takes. */
  async function start(photo: Photo, taskClass: 'quick' | 'slow' | 'long' = 'slow', started: string[] = []) {
    const { rows } = await query(
      "update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker' where key = $1 returning id",
      [`${taskClass === 'long' ? 'long-photo' : 'photo'}:${photo.id}`],
    )
    return photoInTurn(server.db, { id: rows[0].id, taskClass, photoId: photo.id }, started)
  }
  const usedBy = async ({ id }: TestUser): Promise<number> =>
    Number((await query('select used_ms from processing_turns where party = $1', [id])).rows[0]?.used_ms)
  const slowPhoto = async (user: TestUser, ms = 1_000): Promise<Photo> => {
    const photo = await uploaded(user, png)
    await setSlow(photo, ms)
    return photo
  }

  describe('the photo whose turn it is', () => {
    test('is the oldest of the party that has used the least time, whichever job starts', async () => {
      const [busy, other] = [await makeUser(server), await makeUser(server)]
      const [a, b, c, ofOther] = [
        await slowPhoto(busy),
        await slowPhoto(busy),
        await slowPhoto(busy),
        await slowPhoto(other, 2_500),
      ]
      expect(await start(c)).toBe(a.id)
      expect(await start(b)).toBe(ofOther.id)
      // Both are charged for what is being processed, and the estimate of one was too high.
      expect([await usedBy(busy), await usedBy(other)]).toEqual([1_000, 2_500])
      expect(await start(ofOther)).toBe(b.id)
      await settleTurn(server.db, other.id, -2_400)
      const ofOther2 = await slowPhoto(other)
      expect(await start(ofOther2)).toBe(ofOther2.id)
      expect(await start(a)).toBe(c.id)
    })

    test('is, of long files, the one after which its party has used the least time', async () => {
      const slower = await slowPhoto(await makeUser(server), 40_000)
      const faster = await slowPhoto(await makeUser(server), 15_000)
      await query("update graphile_worker._private_jobs set key = replace(key, 'photo:', 'long-photo:')")
      expect(await start(slower, 'long')).toBe(faster.id)
    })

    test('is one that has been rendered here already', async () => {
      const user = await makeUser(server)
      const [first, second] = [await uploaded(user), await uploaded(user)]
      expect(await start(first, 'quick', [second.id])).toBe(second.id)
      expect(await start(second, 'quick')).toBe(first.id)
    })

    test('is of the kind of the job; a job whose photo is of another kind is replaced', async () => {
      const user = await makeUser(server)
      const [quick, slow, long] = [await uploaded(user), await slowPhoto(user), await slowPhoto(user, 5_001)]
      expect(await start(quick, 'quick')).toBe(quick.id)
      expect(await start(slow)).toBe(slow.id)
      // It was added as a slow one, as by an earlier version.
      expect(await start(long)).toBeUndefined()
      await query("delete from graphile_worker._private_jobs where key = 'photo:' || $1", [long.id])
      expect(await start(long, 'long')).toBe(long.id)
    })

    test('is not one that another job processes, also one of an earlier version, which processes the photo of its key', async () => {
      const user = await makeUser(server)
      const [a, b] = [await slowPhoto(user), await slowPhoto(user)]
      await lockJobs(server.app.deps.pool, '0 seconds', `photo:${a.id}`)
      expect(await start(b)).toBe(b.id)
      expect(await start(b)).toBe(b.id)
      // It has ended, and the photo waits again.
      await query('delete from graphile_worker._private_jobs where key = $1', [`photo:${a.id}`])
      expect(await start(b)).toBe(b.id)
      await query('update photos set taken_by_job = null')
      expect(await start(b)).toBe(a.id)
    })

    test('is, for a job that is tried again, the one that it took before', async () => {
      const [user, other] = [await makeUser(server), await makeUser(server)]
      const [a, b] = [await slowPhoto(user), await slowPhoto(user)]
      expect(await start(b)).toBe(a.id)
      await query('update graphile_worker._private_jobs set locked_at = null, locked_by = null')
      const ofOther = await slowPhoto(other)
      expect(await start(a)).toBe(ofOther.id)
      expect(await start(b)).toBe(a.id)
      expect(await start(ofOther)).toBe(b.id)
    })
  })

  describe('a party that becomes busy', () => {
    test('starts at the lowest count of those who wait, and keeps at most ten seconds more', async () => {
      const [one, two, new_] = [await makeUser(server), await makeUser(server), await makeUser(server)]
      await slowPhoto(one)
      await slowPhoto(two)
      await settleTurn(server.db, one.id, 70_000)
      await settleTurn(server.db, two.id, 50_000)
      await slowPhoto(new_)
      expect(await usedBy(new_)).toBe(50_000)
      // It already waits.
      await slowPhoto(one)
      expect(await usedBy(one)).toBe(70_000)
      await query('delete from photos where user_id = $1', [one.id])
      await slowPhoto(one)
      expect(await usedBy(one)).toBe(60_000)
    })

    test('pays nothing for time that nobody else wanted', async () => {
      const user = await makeUser(server)
      await slowPhoto(user)
      await settleTurn(server.db, user.id, 900_000)
      await query('delete from photos')
      await slowPhoto(user)
      expect(await usedBy(user)).toBe(10_000)
    })

    test('is forgotten a day after its last turn, and when its account is deleted', async () => {
      const [user, waiting] = [await makeUser(server), await makeUser(server)]
      await slowPhoto(waiting)
      await query(
        "insert into processing_turns (party, used_ms, turn_at) values ($1, 1, now() - interval '25 hours')",
        [user.id],
      )
      await query("insert into processing_turns (party, used_ms, turn_at) values ('deleted', 1, now())")
      await server.work()
      await runCleanUp()
      expect((await query('select party from processing_turns')).rows).toEqual([{ party: waiting.id }])
      expect(await photoRowsOf(waiting)).toMatchObject([{ state: 'ready', taken_by_job: null }])
    })
  })

  test('files of every kind are processed, by as many jobs', async () => {
    const user = await makeUser(server)
    await uploaded(user, await jpeg({ width: 64, height: 64 }))
    await slowPhoto(user)
    const long = await uploaded(user, png)
    await setSlow(long, 6_000)
    await server.work()
    // The job of the last one was replaced.
    await makeJobsDue(server.app.deps.pool)
    await server.work()
    expect((await photoRowsOf(user)).map(({ state }) => state)).toEqual(['ready', 'ready', 'ready'])
  })
})
