import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { link, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { newId } from '../../lib/ids.ts'
import { poison } from '../../images/test/poison.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { killProcess } from '../child-processes.ts'
import { expectConsistent, runOverdueWork, storedFilePath, temporaryFiles } from '../consistency-check.ts'
import { ageLocks, startServer, type TestServer } from '../harness.ts'
import { startServerProcess } from '../server-process.ts'
import { isRecord, promisedMs } from '../statistics.ts'
import { makeUser, type TestUser, upload } from '../test-data.ts'
import { blackPng, sparseGif } from '../../images/test/make-bombs.ts'

let server: TestServer

const photo = await jpeg()

beforeAll(async () => {
  const imageProcessScript = join(import.meta.dirname, '../../images/test/poison-process.ts')
  server = await startServer({ LOG_LEVEL: 'silent' }, { imageProcessScript })
})

afterAll(() => server.close())

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.app.deps.pool.query(text, values)).rows

const photosOf = async ({ token }: TestUser): Promise<Photo[]> =>
  (await server.request({ method: 'GET', url: '/photos', token })).json<Photo[]>()

const completeOf = async (user: TestUser): Promise<boolean[]> =>
  (await photosOf(user)).map(({ processing_complete: isComplete }) => isComplete)

test('a worker that is stopped or killed is replaced, and one that comes back too late changes nothing', async () => {
  /** An animation takes far longer to render than a large still picture, which can be done before the first look at it. */
  const heavy = sparseGif(500, 500, 24)
  const startWorker = () =>
    startServerProcess(onTestFinished, { database: server.database, dir: server.dir, command: ['work'] })
  const childrenOf = (pid: number): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  /** Uploads a photo, and waits until it is being rendered. */
  const begin = async (user: TestUser): Promise<string> => {
    const { id } = (await upload(server, user, heavy)).json<Photo>()
    await expect.poll(async () => (await temporaryFiles(server)).length, { interval: 5 }).toBe(1)
    return id
  }
  const rowOf = (id: string) => query<{ attempt: number }>('select * from photos where id = $1', [id])
  const attemptsOf = async (id: string) => (await rowOf(id))[0]!.attempt
  const [user, other] = [await makeUser(server), await makeUser(server)]

  const first = await startWorker()
  const id = await begin(user)
  killProcess(first.pid, 'SIGSTOP')
  onTestFinished(() => killProcess(first.pid, 'SIGCONT'))
  expect(await completeOf(user)).toEqual([false])
  const second = await startWorker()
  // What the heartbeat takes for dead after eight seconds, it finds dead at once.
  await query(`update workers set heartbeat_at = heartbeat_at - interval '1 minute' where node like $1`, [
    `%:${first.pid}:%`,
  ])
  await ageLocks(server.app.deps.pool, '1 minute')
  await expect.poll(() => completeOf(user), { interval: 50 }).toEqual([true])
  expect(await attemptsOf(id)).toBe(2)
  const before = await rowOf(id)
  killProcess(first.pid, 'SIGCONT')
  await expect.poll(async () => (await query('select from stored_objects')).length, { interval: 50 }).toBe(2)
  expect(await rowOf(id)).toEqual(before)

  const nextId = await begin(other)
  const [claimed] = await query<{ node: string }>(
    'select node from workers where id in (select locked_by from graphile_worker.jobs)',
  )
  const isFirst = claimed!.node.includes(`:${first.pid}:`)
  const [killed, left] = isFirst ? [first, second] : [second, first]
  const images = [first, second].flatMap(({ pid }) => childrenOf(pid))
  expect(images).not.toEqual([])
  killProcess(killed.pid)
  const began = performance.now()
  await killed.ended
  await expect.poll(() => attemptsOf(nextId), { timeout: promisedMs(15_000), interval: 50 }).toBe(2)
  expect(performance.now() - began).toBeLessThan(promisedMs(15_000))
  await expect.poll(() => completeOf(other), { interval: 50 }).toEqual([true])
  killProcess(left.pid, 'SIGTERM')
  await left.ended
  await expect.poll(() => images.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
  await runOverdueWork(server)
  await expectConsistent(server)
})

/** Accepted like any photo; only then its bytes become what makes the decoder do as they say. */
async function uploadPoison(user: TestUser, input: Buffer): Promise<string> {
  const { id } = (await upload(server, user, photo)).json<Photo>()
  const [row] = await query<{ key: string }>(
    'update photos set original_sha256 = $2, original_bytes = $3 where id = $1 returning original_key as key',
    [id, createHash('sha256').update(input).digest(), input.length],
  )
  await writeFile(storedFilePath(server, row!.key), input)
  return id
}

describe('a photo that crashes its decoder', () => {
  const faults = isRecord ? (['segfault', 'abort', 'exit', 'no-thumbnail'] as const) : (['segfault'] as const)

  test.each(faults)(
    'fails with a sentence after three crashes (%s), while photos of others are processed',
    async (fault) => {
      const [bad, good] = [await makeUser(server), await makeUser(server)]
      const id = await uploadPoison(bad, poison(fault))
      await upload(server, good, photo)
      await server.work()
      expect(await completeOf(good)).toEqual([true])
      expect(await photosOf(bad)).toMatchObject([
        {
          processing: false,
          processing_failed: true,
          thumbnail_url: null,
          error_message: expect.stringMatching(/^[A-Z].*again\.$/),
        },
      ])
      expect(await query('select crashes, attempt from photos where id = $1', [id])).toEqual([
        { crashes: 3, attempt: 3 },
      ])
      await runOverdueWork(server)
      await expectConsistent(server)
    },
  )

  test('leaves no thumbnail behind, even when the store is slow to take it', async () => {
    const { storage } = server.app.deps
    const images = await server.images()
    const { moveIn } = storage
    const { renderPhoto } = images
    onTestFinished(() => {
      storage.moveIn = moveIn
      images.renderPhoto = renderPhoto
    })
    const events: string[] = []
    let crashNoticed: Promise<unknown> | undefined
    images.renderPhoto = async (...input) => {
      const job = await renderPhoto(...input)
      crashNoticed = Promise.allSettled([job.result])
      const release = (): Promise<void> => {
        events.push('job released')
        return job.release()
      }
      return { ...job, release }
    }
    // Like a bucket: it stores what it has begun to read, here only after the server has noticed the crash.
    storage.moveIn = async (key, path, options) => {
      const heldPath = join(server.dir, `held-${newId()}`)
      await link(path, heldPath)
      await crashNoticed
      // A server that does not wait for this thumbnail releases the job before the next macrotask.
      await nextMacrotask()
      await moveIn(key, heldPath, options)
      events.push('thumbnail stored')
    }
    const user = await makeUser(server)
    await uploadPoison(user, poison('after-thumbnail', 'segfault'))
    await server.work()
    const attempt = ['thumbnail stored', 'job released']
    expect(events).toEqual([...attempt, ...attempt, ...attempt])
    expect(await photosOf(user)).toMatchObject([{ processing_failed: true, thumbnail_url: null }])
    await expectConsistent(server)
  })
})

// Two seconds of a core and more: images/render/decompression-bombs.test.ts has smaller ones, beside other photos.
test.each(isRecord ? [45_000] : [])('a bomb fails within %i ms, while photos of others are made', async (limitMs) => {
  const [bad, good] = [await makeUser(server), await makeUser(server)]
  // 108 megapixels that take as long as a decoder can take over so few bytes.
  const bomb = blackPng(12_000, 9_000, { bits: 8, colour: 2, interlaced: true })
  const began = performance.now()
  expect((await upload(server, bad, bomb.subarray(0, bomb.length - 20))).statusCode).toBe(201)
  for (let n = 0; n < 4; n++) await upload(server, good, photo)
  await server.work()
  expect(performance.now() - began).toBeLessThan(limitMs)
  expect(await completeOf(good)).toEqual([true, true, true, true])
  expect(await photosOf(bad)).toMatchObject([{ processing_failed: true, error_message: expect.stringMatching(/\.$/) }])
  await runOverdueWork(server)
  await expectConsistent(server)
})
