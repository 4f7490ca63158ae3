import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { quadrantPixels, sharpFrom } from '../../images/test/sample-images.ts'
import { manyScans, sparseGif } from '../../images/test/make-bombs.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, upload, type TestUser } from '../../test/test-data.ts'
import { countProcessingTime } from './processing-budget.ts'
import { photoActions, photoFile } from './test/photo-actions.ts'

let server: TestServer
beforeAll(async () => void (server = await startServer({ PROCESSING_MINUTES_PER_DAY: '2' })))
afterAll(() => server.close())

const { get, processedPhoto, uploaded, uploadsThisMonth, storedFiles } = photoActions(() => server)
const png = await sharpFrom(quadrantPixels(64, 64)).png().toBuffer()
const query = (text: string, values: unknown[]) => server.app.deps.pool.query(text, values)
const setUsed = (user: TestUser, ms: number) =>
  query(
    `insert into processing_days (user_id, day, used_ms) values ($1, (now() at time zone 'utc')::date, $2)
     on conflict (user_id, day) do update set used_ms = $2`,
    [user.id, ms],
  )
const usedBy = async (user: TestUser): Promise<number> =>
  Number(
    (await query('select coalesce(sum(used_ms), 0) as ms from processing_days where user_id = $1', [user.id])).rows[0]
      .ms,
  )
const setSlow = (photo: Photo, ms: number) => query('update photos set slow_ms = $2 where id = $1', [photo.id, ms])
const deletePhotos = (user: TestUser) => query('update photos set deleted_at = now() where user_id = $1', [user.id])

test('files that are not plain JPEGs use the processing time of their owner, plain JPEGs do not', async () => {
  const user = await makeUser(server)
  await processedPhoto(user)
  expect(await usedBy(user)).toBe(0)
  expect((await processedPhoto(user, png)).processing_complete).toBe(true)
  const used = await usedBy(user)
  expect(used).toBeGreaterThan(0)
  await processedPhoto(user, png)
  expect(await usedBy(user)).toBeGreaterThan(used)
})

test('over the budget of the day slow files are refused before they are accepted, and plain JPEGs are not', async () => {
  const user = await makeUser(server)
  await setUsed(user, 2 * 60_000)
  const filesBefore = await storedFiles()
  const refused = await upload(server, user, png)
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toEqual({ code: 'processing_limit', detail: expect.stringContaining('the 2 minutes') })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(24 * 60 * 60)
  expect(await uploadsThisMonth(user)).toBe(0)
  expect(await storedFiles()).toEqual(filesBefore)
  expect((await processedPhoto(user, photoFile)).processing_complete).toBe(true)
  await query('update processing_days set day = day - 1 where user_id = $1', [user.id])
  expect((await upload(server, user, png)).statusCode).toBe(201)
})

test('with more than a minute of slow work waiting, further slow files of that owner are refused; of others only as many as would wait', async () => {
  const [user, other] = [await makeUser(server), await makeUser(server)]
  await setSlow(await uploaded(user, png), 61_000)
  const refused = await upload(server, user, png)
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toMatchObject({ code: 'processing_limit', detail: expect.stringContaining('are waiting') })
  expect(refused.headers['retry-after']).toBe('5')
  expect((await upload(server, user, photoFile)).statusCode).toBe(201)
  expect((await upload(server, other, png)).statusCode).toBe(201)
  // Of several at once, too: in any order, two of these take the owner over the limit.
  const animations = await Promise.all(Array.from({ length: 3 }, () => upload(server, other, sparseGif(500, 500, 160))))
  expect(animations.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 429, 429])
  await deletePhotos(user)
  await deletePhotos(other)
})

test('what was accepted is finished, and a failed photo that cost time does not count towards the month, but is not retried for free', async () => {
  const user = await makeUser(server)
  const damaged = Buffer.concat([png.subarray(0, -40), Buffer.alloc(40)])
  const { id } = await uploaded(user, damaged)
  await setUsed(user, 2 * 60_000)
  await server.work()
  expect((await get(user, `/photos/${id}`)).json<Photo>().processing_failed).toBe(true)
  expect(await uploadsThisMonth(user)).toBe(0)
  expect(await usedBy(user)).toBeGreaterThan(2 * 60_000)
  const retry = () => server.request({ method: 'POST', url: `/photos/${id}/retry`, token: user.token })
  expect((await retry()).json()).toMatchObject({ code: 'processing_limit' })
  await query('delete from processing_days where user_id = $1', [user.id])
  expect((await retry()).statusCode).toBe(200)
  await server.work()
  expect((await get(user, `/photos/${id}`)).json<Photo>().processing_failed).toBe(true)
})

/** A JPEG whose header is that of any camera, and whose coded data is not. */
const damagedJpeg = Buffer.concat([photoFile.subarray(0, -200), Buffer.alloc(200)])

test('the time of a plain JPEG that failed is used, and of others only what is more than two seconds', async () => {
  const user = await makeUser(server)
  const { id } = await uploaded(user, damagedJpeg)
  await server.work()
  expect((await get(user, `/photos/${id}`)).json<Photo>().processing_failed).toBe(true)
  const failedMs = await usedBy(user)
  expect(failedMs).toBeGreaterThan(0)
  const count = (usedMs: number) =>
    countProcessingTime(server.db, { photoId: id, userId: user.id, usedMs, wasQuick: true, hasFailed: false })
  await count(2_000)
  expect(await usedBy(user)).toBe(failedMs)
  await count(2_500)
  expect(await usedBy(user)).toBe(failedMs + 500)
})

test('over the budget by plain JPEGs that failed, no file is accepted and none retried; by slow files, plain JPEGs are', async () => {
  const user = await makeUser(server)
  const { id } = await uploaded(user, damagedJpeg)
  await server.work()
  const retry = () => server.request({ method: 'POST', url: `/photos/${id}/retry`, token: user.token })
  const setFailed = (ms: number) =>
    query('update processing_days set used_ms = 120000, failed_quick_ms = $2 where user_id = $1', [user.id, ms])
  await setFailed(119_999)
  expect((await upload(server, user, photoFile)).statusCode).toBe(201)
  await setFailed(120_000)
  const [filesBefore, uploadsBefore] = [await storedFiles(), await uploadsThisMonth(user)]
  for (const refused of [await upload(server, user, photoFile), await retry()]) {
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({ code: 'processing_limit', detail: expect.stringContaining('took 2 minutes') })
  }
  expect([await storedFiles(), await uploadsThisMonth(user)]).toEqual([filesBefore, uploadsBefore])
  await query('update processing_days set day = day - 1 where user_id = $1', [user.id])
  expect((await retry()).statusCode).toBe(200)
  await server.work()
})

test('a JPEG with so many scans that it takes long is a slow file', async () => {
  const user = await makeUser(server)
  await setUsed(user, 2 * 60_000)
  expect((await upload(server, user, manyScans(6_000, 50))).json()).toMatchObject({ code: 'processing_limit' })
  expect((await upload(server, user, manyScans(600, 50))).statusCode).toBe(201)
  await deletePhotos(user)
})

test("slow photos are processed in turns, an owner's own in the order of their upload, and four of an owner at once", async () => {
  const [busy, other] = [await makeUser(server), await makeUser(server)]
  const ids: string[] = []
  for (const user of [busy, busy, busy, busy, busy, other]) {
    const photo = await uploaded(user, png)
    ids.push(photo.id)
    await setSlow(photo, 5_000)
  }
  const { rows } = await query(
    `select key, queue_name as sequence from graphile_worker.jobs where key = any($1) order by priority, run_at, id`,
    [ids.map((id) => `photo:${id}`)],
  )
  const [first, second, third, fourth, fifth, ofOther] = ids
  expect(rows.map(({ key }) => key.slice('photo:'.length))).toEqual([first, ofOther, second, third, fourth, fifth])
  expect(new Set(rows.filter(({ sequence }) => sequence.includes(busy.id)).map(({ sequence }) => sequence)).size).toBe(
    4,
  )
  await server.work()
  const photos = (await get(busy, '/photos')).json<Photo[]>()
  expect(photos.every(({ processing_complete: done }) => done)).toBe(true)
})
