import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Database } from '../db/connect.ts'
import { createLog } from '../process/log.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../../test/database-proxy.ts'
import { cloneDatabase } from '../../test/cloned-database.ts'
import { type Handlers, type JobName, jobRules, pauseBetweenJobsMs } from './jobs.ts'
import { enqueue } from './queue.ts'
import { type JobWorker, startWorker } from './worker.ts'

let proxy: DatabaseProxy
let database: Database
let dropDatabase: () => Promise<void>
const logged: string[] = []
const log = createLog('debug', { write: (line) => logged.push(line) })
beforeAll(async () => {
  const cloned = await cloneDatabase()
  dropDatabase = cloned.drop
  proxy = await openDatabaseProxy(cloned.database)
  database = connect(proxy.database, log, 16)
})
afterAll(async () => {
  await database.close()
  await proxy.close()
  await dropDatabase()
})

const add = (photoId: string): Promise<void> => enqueue(database.db, { name: 'process-photo', payload: { photoId } })

/** Jobs that were unlocked because their worker seemed to be dead. */
let unlockedJobs = 0
/** A worker that processes photos with this function, four at once. */
const startPhotoWorker = async (processPhoto: (photoId: string) => Promise<void>): Promise<JobWorker> => {
  const handlers: Partial<Handlers> = { 'process-photo': ({ photoId }) => processPhoto(photoId) }
  // No other jobs are added, except by the schedule; those may fail.
  return startWorker({
    ...database,
    database: proxy.database,
    log,
    handlers: handlers as Handlers,
    photoConcurrency: 4,
    observer: { run: (_, work) => work(), onUnlocked: (jobs) => void (unlockedJobs += jobs) },
  })
}

const remainingJobs = async (): Promise<number | undefined> => {
  const { rows } = await database.pool.query<{ count: number }>(
    "select count(*)::int as count from graphile_worker.jobs where task_identifier = 'process-photo'",
  )
  return rows[0]?.count
}

test('jobs that finish while the database is away run again, and do not block later jobs', async () => {
  const started: string[] = []
  const finished = new Set<string>()
  const gates = new Map(['1', '2', '3', '4'].map((photoId) => [photoId, Promise.withResolvers<void>()]))
  const worker = await startPhotoWorker(async (photoId) => {
    started.push(photoId)
    await gates.get(photoId)?.promise
    finished.add(photoId)
  })
  for (const photoId of gates.keys()) await add(photoId)
  await expect.poll(() => started.length, { timeout: 25_000 }).toBe(4)

  const failedCompletions = (): number => logged.filter((line) => line.includes('Failed to complete jobs')).length
  await proxy.dropConnectionsDuring(async () => {
    for (const [index, gate] of [...gates.values()].entries()) {
      gate.resolve()
      await expect.poll(failedCompletions, { timeout: 25_000 }).toBe(index + 1)
    }
    expect(finished.size).toBe(4)
  })

  await add('5')
  await expect.poll(remainingJobs, { interval: 100 }).toBe(0)
  expect(unlockedJobs).toBe(0)
  expect([...finished].toSorted()).toEqual(['1', '2', '3', '4', '5'])
  expect(started.length).toBeGreaterThan(5)
  await worker.close()
})

test('the heartbeat names the worker that a running job is locked by', async () => {
  const gate = Promise.withResolvers<void>()
  const worker = await startPhotoWorker(() => gate.promise)
  await add('6')
  const lockedByLiveWorker = async (): Promise<boolean | undefined> => {
    const { rows } = await database.pool.query<{ live: boolean }>(`
      select locked_by in (select id from workers) as live
      from graphile_worker._private_jobs where locked_by is not null`)
    return rows[0]?.live
  }
  await expect.poll(lockedByLiveWorker, { timeout: 25_000 }).toBe(true)
  gate.resolve()
  await expect.poll(remainingJobs, { interval: 100 }).toBe(0)
  expect(unlockedJobs).toBe(0)
  await worker.close()
})

test('a worker pauses after each sync-customer job, so that requests of users have priority', async () => {
  const startedAt: number[] = []
  const handlers: Partial<Handlers> = {
    'sync-customer': async () => void startedAt.push(performance.now()),
  }
  const worker = await startWorker({
    ...database,
    database: proxy.database,
    log,
    handlers: handlers as Handlers,
    photoConcurrency: 1,
  })
  for (const customerId of ['a', 'b', 'c', 'd', 'e'])
    await enqueue(database.db, { name: 'sync-customer', payload: { customerId } })
  await expect.poll(() => startedAt.length, { timeout: 25_000 }).toBe(5)
  await worker.close()
  const restMs = pauseBetweenJobsMs.customers ?? 0
  expect(restMs).toBeGreaterThan(0)
  // Two run at once: the third begins after the rest of the first.
  for (const [index, time] of startedAt.entries())
    expect(time - (startedAt[index - 2] ?? -Infinity)).toBeGreaterThan(restMs - 2)
})

test('every kind of job is run', async () => {
  const names = Object.keys(jobRules) as JobName[] // the keys of the record's type
  const ran = new Set<string>()
  const handlers = Object.fromEntries(names.map((name) => [name, async () => void ran.add(name)]))
  for (const name of names) await enqueue(database.db, { name, payload: {} })
  const worker = await startWorker({
    ...database,
    database: proxy.database,
    log,
    handlers: handlers as unknown as Handlers,
    photoConcurrency: 1,
  })
  await expect.poll(() => names.filter((name) => !ran.has(name)), { timeout: 25_000 }).toEqual([])
  await worker.close()
})
