import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Database } from '../db/connect.ts'
import { createLog } from '../log.ts'
import { openDatabaseProxy, type DatabaseProxy } from '../test/database-proxy.ts'
import { cloneDatabase } from '../test/harness.ts'
import { jobRules, type Handlers, type JobName } from './jobs.ts'
import { enqueue } from './queue.ts'
import { startWorker, type JobWorker } from './worker.ts'

let proxy: DatabaseProxy
let database: Database
let drop: () => Promise<void>
const log = createLog('silent')
beforeAll(async () => {
  const cloned = await cloneDatabase()
  drop = cloned.drop
  proxy = await openDatabaseProxy(cloned.database)
  database = connect(proxy.database, log, 16)
})
afterAll(async () => {
  await database.close()
  await proxy.close()
  await drop()
})

const add = (photoId: string): Promise<void> => enqueue(database.db, { name: 'process-photo', payload: { photoId } })

/** Works on photos, four at once, in the way given. */
const work = async (processPhoto: (photoId: string) => Promise<void>): Promise<JobWorker> => {
  const handlers: Partial<Handlers> = { 'process-photo': ({ photoId }) => processPhoto(photoId) }
  // The others are never enqueued here, but for the chores of each minute, which may fail.
  return startWorker({ ...database, log, handlers: handlers as Handlers, photosAtOnce: 4 })
}

const left = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ left: number }>(
    "select count(*)::int as left from graphile_worker.jobs where task_identifier = 'process-photo'",
  )
  return rows[0]!.left
}

test('jobs that end while the database is away, for less than a heartbeat, hold nothing up', async () => {
  const began: string[] = []
  const done = new Set<string>()
  const gates = new Map(['1', '2', '3', '4'].map((photoId) => [photoId, Promise.withResolvers<void>()]))
  const worker = await work(async (photoId) => {
    began.push(photoId)
    await gates.get(photoId)?.promise
    done.add(photoId)
  })
  for (const photoId of gates.keys()) await add(photoId)
  await expect.poll(() => began.length, { timeout: 10_000 }).toBe(4)

  await proxy.beAway(async () => {
    for (const gate of gates.values()) {
      gate.resolve()
      // Long enough for the note of this one to fail before the next is done.
      await delay(150)
    }
    expect(done.size).toBe(4)
  })

  await add('5')
  await expect.poll(left, { timeout: 6_000, interval: 100 }).toBe(0)
  expect([...done].toSorted()).toEqual(['1', '2', '3', '4', '5'])
  // Those whose end could not be noted were done again.
  expect(began.length).toBeGreaterThan(5)
  await worker.close()
}, 40_000)

test('a job that takes longer than the dead are waited for is not begun a second time while its worker lives', async () => {
  const gate = Promise.withResolvers<void>()
  let times = 0
  const worker = await work(async () => {
    times += 1
    await gate.promise
  })
  await add('6')
  await expect.poll(() => times).toBe(1)
  await database.pool.query("update graphile_worker._private_jobs set locked_at = now() - interval '10 seconds'")
  // Longer than it takes until the next heartbeat looks for the dead and the queue for what they held.
  await delay(5_000)
  gate.resolve()
  await expect.poll(left, { timeout: 6_000, interval: 100 }).toBe(0)
  expect(times).toBe(1)
  await worker.close()
}, 40_000)

test('each kind of job is run', async () => {
  const names = Object.keys(jobRules) as JobName[]
  const ran = new Set<string>()
  const handlers = Object.fromEntries(names.map((name) => [name, async () => void ran.add(name)]))
  for (const name of names) await enqueue(database.db, { name, payload: {} })
  const worker = await startWorker({ ...database, log, handlers: handlers as unknown as Handlers, photosAtOnce: 1 })
  await expect.poll(() => names.filter((name) => !ran.has(name)), { timeout: 10_000 }).toEqual([])
  await worker.close()
}, 20_000)
