import { beforeEach, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg, quadrantPixels, sharpFrom } from '../../images/test/sample-images.ts'
import { lockJobs, makeJobsDue, useServer } from '../../test/harness.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'
import { photoActions } from '../../test/photo-actions.ts'
import { photoInTurn, settleTurn } from './processing-turns.ts'

const server = useServer()
const { uploaded, photoRowsOf, runCleanUp } = photoActions(() => server)
const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const png = await sharpFrom(quadrantPixels(64, 64)).png().toBuffer()

beforeEach(async () => {
  await query('delete from photos')
  await query('delete from processing_turns')
  await query('delete from graphile_worker._private_jobs')
})

const jobId = async (photo: Photo): Promise<string> =>
  (await query("select id from graphile_worker._private_jobs where key = 'photo:' || $1", [photo.id])).rows[0].id
/** As when a worker has fetched the job of a photo and starts it; the photo that it takes. */
async function start(photo: Photo, taskClass: 'quick' | 'slow' | 'long' = 'slow', started: string[] = []) {
  const id = await jobId(photo)
  await query("update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker' where id = $1", [id])
  return photoInTurn(server.db, { id, taskClass, photoId: photo.id }, started)
}
const setSlow = (photo: Photo, ms: number) => query('update photos set slow_ms = $2 where id = $1', [photo.id, ms])
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
    const { rows } = await query("select id from graphile_worker._private_jobs where key = 'long-photo:' || $1", [
      slower.id,
    ])
    expect(await photoInTurn(server.db, { id: rows[0].id, taskClass: 'long', photoId: slower.id })).toBe(faster.id)
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
    const { rows } = await query("select id from graphile_worker._private_jobs where key = 'long-photo:' || $1", [
      long.id,
    ])
    expect(await photoInTurn(server.db, { id: rows[0].id, taskClass: 'long', photoId: long.id })).toBe(long.id)
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
    await query("insert into processing_turns (party, used_ms, turn_at) values ($1, 1, now() - interval '25 hours')", [
      user.id,
    ])
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
