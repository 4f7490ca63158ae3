/** Deletions, attempts and crashes in the middle of what happens to a photo. */
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { pino } from 'pino'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { connect } from '../../platform/db/connect.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { newStorageKey } from '../../features/photos/stored-objects.ts'
import { deletePhotoObjects } from '../../features/photos/delete.ts'
import { claimAttempt, failPhoto, finishPhoto, processPhoto, recordThumbnail } from '../../features/photos/process.ts'
import { dropUpload, reserveUpload } from '../../features/photos/upload.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { newId } from '../../lib/ids.ts'
import { type Storage, StorageDown } from '../../ports/storage/storage.ts'
import { type EmbeddedConnection, startEmbeddedPostgres } from '../../platform/postgres/embedded-postgres.ts'
import { copyClusterTo } from '../copied-cluster.ts'
import { makeApiUser, type TestUser, upload } from '../test-data.ts'
import { scratchFolder } from '../child-processes.ts'
import { expectConsistent, runOverdueWork } from '../consistency-check.ts'
import { newClientAddress, startServer, type TestServer, useServer } from '../harness.ts'
import { countLockWaits } from '../cloned-database.ts'
import { logWithSeed, repetitions, seededRandom } from '../statistics.ts'

const photo = await jpeg({ width: 800, height: 600 })
const broken = photo.subarray(0, photo.length / 2)
const server = useServer({ LOG_LEVEL: 'silent' })
beforeAll(async () => {
  await server.images()
})

const ask = ({ token }: TestUser, method: 'GET' | 'DELETE' | 'POST', url: string) =>
  server.request({ method, url, token })
const newPhoto = async (user: TestUser, file: Buffer = photo, of = server): Promise<string> =>
  (await upload(of, user, file)).json<Photo>().id

interface RaceContext {
  user: TestUser
  id: string
  /** Short, by chance. */
  moment(): Promise<void>
}

/** Repeats a race; afterwards the photo is gone for everybody, and all data is consistent. */
async function race(name: string, first: Buffer | null, run: (scene: RaceContext) => Promise<void>): Promise<void> {
  const random = seededRandom(name)
  const rounds = repetitions(1, 200)
  for (let n = 0; n < rounds; n++) {
    if (n % 20 === 0) await server.app.deps.pool.query('delete from rate_hits')
    const user = await makeApiUser(server)
    const id = first ? await newPhoto(user, first) : ''
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
  test.each([
    ['it is being processed', photo],
    ['its decoder is failing', broken],
  ])('while %s', (name, file) =>
    race(name, file, async ({ user, id, moment }) => {
      const work = server.work()
      await moment()
      expect((await ask(user, 'DELETE', `/photos/${id}`)).statusCode).toBe(204)
      await work
      await server.work()
    }),
  )

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

  test('while guests download it: they get all of it, nothing, or an answer that is cut off', () =>
    race('downloads', photo, async ({ user, id, moment }) => {
      await server.work()
      const made = (await ask(user, 'GET', `/photos/${id}`)).json<Photo>()
      const url = new URL(made.qr_code_url).pathname.replace('/qr', '').replace('.png', '')
      const download = () => server.request({ method: 'GET', url, from: newClientAddress() })
      const whole = (await download()).rawPayload
      const guests = Array.from({ length: 6 }, () =>
        moment()
          .then(download)
          .then(
            ({ statusCode, rawPayload }) => (statusCode === 200 ? rawPayload.equals(whole) : statusCode),
            (error: unknown) => String(error),
          ),
      )
      await moment()
      expect((await ask(user, 'DELETE', `/photos/${id}`)).statusCode).toBe(204)
      const work = server.work()
      for (const outcome of await Promise.all(guests))
        expect([true, 404, 503, 'Error: response destroyed before completion']).toContain(outcome)
      await work
    }))

  test('when many deletions run at once: one takes effect', () =>
    race('itself', photo, async ({ user, id }) => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask(user, 'DELETE', `/photos/${id}`)))
      const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
      expect(statuses).toEqual([204, ...Array.from({ length: 9 }, () => 404)])
    }))
})

describe('a processing attempt that has been superseded', () => {
  test('changes nothing, whatever it reports', async () => {
    const user = await makeApiUser(server)
    const id = await newPhoto(user)
    const { db } = server.app.deps
    const claim = () => claimAttempt(db, id, { fullKey: newStorageKey('full'), thumbKey: newStorageKey('thumb') })
    const late = (await claim())!
    const thumbnail = { width: 1, height: 1, thumbhash: 'x', bytes: 1 }
    const result = {
      type: 'image/gif',
      bytes: 1,
      unmarkedBytes: null,
      capturedAt: null,
      checksums: [],
      thumbnail,
    } as const
    const report = async () => [
      await recordThumbnail(db, late, thumbnail),
      await finishPhoto(db, late, result),
      await failPhoto(db, late, { sentence: 'It failed.', retryHelps: true }),
    ]
    await claim()
    expect(await report()).toEqual([false, undefined, false])
    await server.work()
    const before = (await ask(user, 'GET', `/photos/${id}`)).body
    expect(JSON.parse(before)).toMatchObject({ processing_complete: true })
    expect(await report()).toEqual([false, undefined, false])
    expect((await ask(user, 'GET', `/photos/${id}`)).body).toBe(before)
    await runOverdueWork(server)
    await expectConsistent(server)
  })

  test('removes its own files and keeps those of the current attempt', async () => {
    const { storage, pool } = server.app.deps
    const { moveIn } = storage
    onTestFinished(() => void (storage.moveIn = moveIn))
    const user = await makeApiUser(server)
    const id = await newPhoto(user)
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
  const user = await makeApiUser(server)
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
  const repeated = newId()
  expect(await intent(repeated)).toBeUndefined()
  await pool.query('delete from stored_objects where photo_id = $1', [repeated])
  expect(await dropUpload(db, repeated)).toBe(true)
  await runOverdueWork(server)
  await expectConsistent(server)
})

const rowOf = async (id: string, of = server) =>
  (
    await of.app.deps.pool.query<{ state: string; seen: boolean; width: number | null }>(
      'select state, thumb_key is not null as seen, width from photos where id = $1',
      [id],
    )
  ).rows[0]!

/** Runs `work` instead of the next move of a file of this kind into the store. */
function replaceMove(kind: 'thumb' | 'full', work: (moveIn: () => Promise<void>) => Promise<void>, of = server): void {
  const { storage } = of.app.deps
  const { moveIn } = storage
  const replaced: Storage['moveIn'] = async (key, path, options) => {
    const move = () => moveIn(key, path, options)
    if (!key.startsWith(`${kind}/`)) return move()
    storage.moveIn = moveIn
    await work(move)
  }
  storage.moveIn = replaced
  onTestFinished(() => void (storage.moveIn = moveIn))
}

describe('a thumbnail that cannot be stored', () => {
  test('leaves its photo queued, and the photo is processed in the end', async () => {
    const id = await newPhoto(await makeApiUser(server))
    replaceMove('thumb', async (moveIn) => {
      await moveIn()
      throw new StorageDown('not durable')
    })
    await server.work()
    expect(await rowOf(id)).toMatchObject({ state: 'queued', seen: false })
    await runOverdueWork(server)
    expect(await rowOf(id)).toMatchObject({ state: 'ready', seen: true })
    await expectConsistent(server)
  })

  test('is not left behind when its photo is deleted at the same time', async () => {
    const user = await makeApiUser(server)
    const id = await newPhoto(user)
    const path = join(server.dir, 'any')
    await writeFile(path, '')
    const file = await open(path)
    await file.close()
    replaceMove('thumb', async (moveIn) => {
      await ask(user, 'DELETE', `/photos/${id}`)
      await deletePhotoObjects(server.app.deps, id)
      const sync = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, 'sync') // what `open` gives is one
      sync.mockRejectedValue(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' }))
      await moveIn().finally(() => sync.mockRestore())
    })
    await server.work()
    await runOverdueWork(server)
    await expectConsistent(server)
  })
})

/** A connection whose backend can be killed: PostgreSQL starts anew when any of its processes dies. */
async function connectVictim(connection: EmbeddedConnection): Promise<() => Promise<void>> {
  const victim = new Client(connection)
  victim.on('error', () => {})
  const disconnected = new Promise<void>((resolve) => victim.once('end', resolve))
  await victim.connect()
  const { pid } = (await victim.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!
  return async () => {
    process.kill(pid, 'SIGKILL')
    await disconnected
  }
}

async function acceptsConnections(connection: EmbeddedConnection): Promise<boolean> {
  const client = new Client(connection)
  client.on('error', () => {})
  const isConnected = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return isConnected
}

/**
 * Crashes PostgreSQL when the thumbnail of a new photo has just been published. Resolves with whether the photo was finished
 * nevertheless, and whether the thumbnail was lost before that.
 */
async function crashAfterThumbnail(own: TestServer, connection: EmbeddedConnection) {
  const id = await newPhoto(await makeApiUser(own), photo, own)
  const crash = await connectVictim(connection)
  let isLost = false
  const finish = async (moveIn: () => Promise<void>): Promise<void> => {
    await moveIn()
    await expect.poll(async () => (await rowOf(id, own)).seen, { interval: 1 }).toBe(true)
    await crash()
    // New connections are refused until all others have ended and the database has recovered.
    await expect.poll(() => acceptsConnections(connection)).toBe(true)
    await expect.poll(() => rowOf(id, own).catch(() => null)).not.toBeNull()
    isLost = !(await rowOf(id, own)).seen
  }
  replaceMove('full', finish, own)
  // The database may crash after the commit and before its reply: then this attempt fails, as that of a job does.
  const isFinished = await processPhoto(own.app.deps, id).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ message: 'Connection terminated unexpectedly' })
      return false
    },
  )
  return { id, isFinished, isLost: isFinished && isLost }
}

test('a database that crashes between a thumbnail and its photo loses neither', async () => {
  const log = pino({ level: 'silent' })
  const dataDir = join(scratchFolder(onTestFinished), 'data')
  await copyClusterTo(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  onTestFinished(() => postgres.stop())
  const { connection } = postgres
  const first = connect(connection, log, 2)
  await migrate(first.db, first.pool)
  // What is committed without waiting is not on the disk for long enough.
  await first.pool.query("alter system set wal_writer_delay = '10s'")
  await first.pool.query('select pg_reload_conf()')
  await first.close()
  const own = await startServer({ LOG_LEVEL: 'silent' }, { database: connection })
  onTestFinished(() => own.close())
  // PostgreSQL may still write to the disk right before it is killed, more so on a busy machine, or not reply: then another photo is tried.
  for (let attempt = 1; ; attempt++) {
    const { id, isFinished, isLost } = await crashAfterThumbnail(own, connection)
    if (!isFinished) await runOverdueWork(own)
    expect(await rowOf(id, own)).toMatchObject({ state: 'ready', seen: true, width: expect.any(Number) })
    await runOverdueWork(own)
    await expectConsistent(own)
    if (isLost) return
    expect(attempt, 'crashes that lost nothing').toBeLessThan(15)
  }
})
