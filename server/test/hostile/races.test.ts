import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { newId } from '../../lib/ids.ts'
import { newStorageKey } from '../../domain/stored-objects.ts'
import { claimAttempt, failPhoto, finishPhoto, recordThumbnail } from '../../features/photos/processing-queries.ts'
import { dropUpload, reserveUpload } from '../../features/photos/queries.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { seededRandom, repetitions, logWithSeed } from '../statistics.ts'
import { newClientAddress, startServer, type TestServer } from '../harness.ts'
import { countLockWaits } from '../lock-waits.ts'
import { makeUser, upload, type TestUser } from '../test-data.ts'
import { expectConsistent, runOverdueWork } from '../consistency-check.ts'

let server: TestServer
const photo = await jpeg({ width: 800, height: 600 })
const broken = photo.subarray(0, photo.length / 2)
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
  await server.images()
})
afterAll(() => server.close())

const ask = (user: TestUser, method: 'GET' | 'DELETE' | 'POST', url: string) =>
  server.request({ method, url, token: user.token })

async function userWithLargePlan(): Promise<TestUser> {
  const user = await makeUser(server)
  await server.app.deps.pool.query("update users set granted_plan = 'pro_yearly' where id = $1", [user.id])
  return user
}

interface RaceContext {
  user: TestUser
  id: string
  /** Short, by chance. */
  moment(): Promise<void>
}

/** Repeats a race; afterwards the photo is gone for everybody, and all data is consistent. */
async function race(name: string, first: Buffer | null, run: (scene: RaceContext) => Promise<void>): Promise<void> {
  const random = seededRandom(name)
  const rounds = repetitions(5, 200)
  for (let n = 0; n < rounds; n++) {
    if (n % 20 === 0) await server.app.deps.pool.query('delete from rate_hits')
    const user = await userWithLargePlan()
    const id = first ? (await upload(server, user, first)).json<Photo>().id : ''
    await run({ user, id, moment: () => delay(random.next() * 60) })
    for (const url of ['/photos', `/photos?before=${'0'.repeat(22)}`])
      expect((await ask(user, 'GET', url)).json()).toEqual([])
    expect((await ask(user, 'GET', `/photos/${id || 'none'}`)).statusCode).toBe(404)
  }
  await runOverdueWork(server)
  const { rows } = await server.app.deps.pool.query('select id from photos where deleted_at is null')
  expect(rows).toEqual([])
  await expectConsistent(server)
  logWithSeed(`${rounds} deletions against ${name}`)
}

describe('a photo that is deleted stays deleted and leaves nothing', () => {
  test('while it is being processed', () =>
    race('processing', photo, async ({ user, id, moment }) => {
      const work = server.work()
      await moment()
      expect((await ask(user, 'DELETE', `/photos/${id}`)).statusCode).toBe(204)
      await work
      await server.work()
    }))

  test('while its decoder is failing', () =>
    race('failing', broken, async ({ user, id, moment }) => {
      const work = server.work()
      await moment()
      expect((await ask(user, 'DELETE', `/photos/${id}`)).statusCode).toBe(204)
      await work
    }))

  test('while its owner retries it', () =>
    race('another try', broken, async ({ user, id, moment }) => {
      await server.work()
      const again = moment().then(() => ask(user, 'POST', `/photos/${id}/retry`))
      const gone = moment().then(() => ask(user, 'DELETE', `/photos/${id}`))
      expect([200, 404]).toContain((await again).statusCode)
      expect((await gone).statusCode).toBe(204)
      await server.work()
    }))

  test('while its upload is repeated with the same idempotency key', () =>
    race('the same upload', null, async ({ user, moment }) => {
      const headers = { 'idempotency-key': 'once' }
      const { id } = (await upload(server, user, photo, { headers })).json<Photo>()
      const again = moment().then(() => upload(server, user, photo, { headers }))
      const gone = moment().then(() => ask(user, 'DELETE', `/photos/${id}`))
      const repeated = await again
      expect([201, 404, 409]).toContain(repeated.statusCode)
      expect(repeated.statusCode === 201 ? repeated.json<Photo>().id : id).toBe(id)
      expect((await gone).statusCode).toBe(204)
      expect((await upload(server, user, photo, { headers })).statusCode).toBe(409)
    }))

  test('while guests download it: they get all of it or nothing', () =>
    race('downloads', photo, async ({ user, id, moment }) => {
      await server.work()
      const made = (await ask(user, 'GET', `/photos/${id}`)).json<Photo>()
      const url = new URL(made.qr_code_url).pathname.replace('/qr', '').replace('.png', '')
      const whole = (await server.request({ method: 'GET', url })).rawPayload
      const guests = Array.from({ length: 6 }, () =>
        moment().then(() => server.request({ method: 'GET', url, from: newClientAddress() })),
      )
      await moment()
      expect((await ask(user, 'DELETE', `/photos/${id}`)).statusCode).toBe(204)
      const work = server.work()
      for (const { statusCode, rawPayload } of await Promise.all(guests)) {
        expect([200, 404, 503]).toContain(statusCode)
        expect(statusCode !== 200 || rawPayload.equals(whole)).toBe(true)
      }
      await work
    }))

  test('when many deletions run at once: one takes effect', () =>
    race('itself', photo, async ({ user, id }) => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask(user, 'DELETE', `/photos/${id}`)))
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
        204,
        ...Array.from({ length: 9 }, () => 404),
      ])
    }))
})

describe('a processing attempt that has been superseded', () => {
  test('changes nothing, whatever it reports', async () => {
    const user = await userWithLargePlan()
    const { id } = (await upload(server, user, photo)).json<Photo>()
    const { db } = server.app.deps
    const keys = () => ({ fullKey: newStorageKey('full'), thumbKey: newStorageKey('thumb') })
    const late = (await claimAttempt(db, id, keys()))!
    await server.work()
    const before = (await ask(user, 'GET', `/photos/${id}`)).body
    expect(JSON.parse(before)).toMatchObject({ processing_complete: true })
    const measured = { width: 1, height: 1, thumbhash: 'x', bytes: 1 }
    expect(await recordThumbnail(db, late, measured)).toBe(false)
    expect(
      await finishPhoto(db, late, {
        type: 'image/gif',
        bytes: 1,
        unmarkedBytes: null,
        checksums: [],
        thumbnail: measured,
      }),
    ).toBeUndefined()
    expect(await failPhoto(db, late, { sentence: 'It failed.', retryHelps: true })).toBe(false)
    expect((await ask(user, 'GET', `/photos/${id}`)).body).toBe(before)
    await runOverdueWork(server)
    await expectConsistent(server)
  })

  test('removes its own files and keeps those of the current attempt', async () => {
    const { storage, pool } = server.app.deps
    const { moveIn } = storage
    onTestFinished(() => void (storage.moveIn = moveIn))
    const user = await userWithLargePlan()
    const { id } = (await upload(server, user, photo)).json<Photo>()
    let stored = 0
    storage.moveIn = async (key, path, options) => {
      await moveIn(key, path, options)
      stored += 1
      // Another worker takes the photo over between the attempt's thumbnail and its full image.
      if (stored === 2) await pool.query('update photos set attempt = attempt + 1 where id = $1', [id])
    }
    await server.work()
    expect(stored).toBe(2)
    expect((await ask(user, 'GET', `/photos/${id}`)).json()).toMatchObject({ processing: true, b2_url: null })
    storage.moveIn = moveIn
    await runOverdueWork(server)
    expect((await ask(user, 'GET', `/photos/${id}`)).json()).toMatchObject({ processing_complete: true })
    await expectConsistent(server)
  })
})

test('dropping an upload and repeating it with its idempotency key do not deadlock', async () => {
  const user = await userWithLargePlan()
  const { db, pool } = server.app.deps
  const intent = (id: string) =>
    reserveUpload(db, {
      id,
      userId: user.id,
      code: newId(),
      originalKey: newStorageKey('orig'),
      idempotencyKey: 'again',
    })
  const id = newId()
  expect(await intent(id)).toBeUndefined()
  const other = await pool.connect()
  onTestFinished(() => other.release(true))
  // As the second one does it: its place in the month first, then its row.
  await other.query('begin')
  await other.query('update usage_months set uploads = uploads + 1 where user_id = $1', [user.id])
  const taken = dropUpload(db, id)
  await expect.poll(() => countLockWaits(pool)).toBe(1)
  const row = `insert into photos (id, user_id, code, filename, state, idempotency_key, counted_month)
    select 'x' || id, user_id, 'x' || code, filename, state, idempotency_key, counted_month from photos where id = $1`
  await expect(other.query(row, [id])).rejects.toMatchObject({ code: '23505' })
  await other.query('rollback')
  expect(await taken).toBe(true)
  expect(await intent(newId())).toBeUndefined()
  await pool.query('delete from stored_objects where photo_id in (select id from photos where user_id = $1)', [user.id])
  expect(
    await dropUpload(
      db,
      (await pool.query<{ id: string }>('select id from photos where user_id = $1', [user.id])).rows[0]!.id,
    ),
  ).toBe(true)
  await runOverdueWork(server)
  await expectConsistent(server)
})
