import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect, type Database, isDatabaseDown } from '../db/connect.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../process/log.ts'
import { cloneDatabase } from '../../test/cloned-database.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../../test/database-proxy.ts'
import { type Bus, createBus, publish } from './bus.ts'
import { createRowCache, type RowCache } from './row-cache.ts'

interface Row {
  photo: string
  user: string
  version: number
}

const log = createLog('silent')
let proxy: DatabaseProxy
let database: Database
let dropDatabase: () => Promise<void>
let bus: Bus
const clock = { time: 1_000, now: () => clock.time }
beforeAll(async () => {
  const cloned = await cloneDatabase()
  dropDatabase = cloned.drop
  database = connect(cloned.database, log, 2)
  proxy = await openDatabaseProxy(cloned.database)
  bus = createBus(proxy.database, log)
  await vi.waitUntil(bus.isListening, 60_000)
})
afterAll(async () => {
  await bus.close()
  await database.close()
  await proxy.close()
  await dropDatabase()
})

const createCache = (): RowCache<Row> =>
  createRowCache<Row>({
    bus,
    maxRows: 3,
    ttlMs: 1_000,
    tagsOf: ({ photo, user }) => [`photo ${photo}`, `user ${user}`],
    clock,
  })
/** A photo whose version counts how often it was read. */
const createRow = (user = newId()) => {
  const row = { photo: newId(), user, version: 0 }
  return { ...row, load: async (): Promise<Row> => ({ ...row, version: (row.version += 1) }) }
}
const versionIn = async (cache: RowCache<Row>, row: ReturnType<typeof createRow>): Promise<number | undefined> =>
  (await cache.find(row.photo, row.load))?.version

test('reads a row once, and again when its time to live has passed', async () => {
  const cache = createCache()
  const row = createRow()
  // That a row does not exist is not cached.
  expect(await cache.find(row.photo, async () => undefined)).toBeUndefined()
  expect([await versionIn(cache, row), await versionIn(cache, row)]).toEqual([1, 1])
  clock.time += 1_001
  expect(await versionIn(cache, row)).toBe(2)
})

test('evicts the row that was used least recently', async () => {
  const cache = createCache()
  const rows = [createRow(), createRow(), createRow(), createRow()] as const
  for (const row of rows.slice(0, 3)) await cache.find(row.photo, row.load)
  await versionIn(cache, rows[0])
  await versionIn(cache, rows[3])
  expect([await versionIn(cache, rows[0]), await versionIn(cache, rows[2]), await versionIn(cache, rows[1])]).toEqual([
    1, 1, 2,
  ])
})

test('removes the rows of one user and keeps those of others', async () => {
  const cache = createCache()
  const user = newId()
  const [first, second, other] = [createRow(user), createRow(user), createRow()]
  for (const row of [first, second, other]) expect(await versionIn(cache, row)).toBe(1)
  cache.invalidate(`user ${user}`)
  expect([await versionIn(cache, first), await versionIn(cache, second), await versionIn(cache, other)]).toEqual([
    2, 2, 1,
  ])
})

test('an event removes the row of its photo and no other', async () => {
  const cache = createCache()
  const user = newId()
  const [changed, other] = [createRow(user), createRow(user)]
  for (const row of [changed, other]) expect(await versionIn(cache, row)).toBe(1)
  await publish(database.db, { kind: 'photo', what: 'changed', user, photo: changed.photo })
  await expect.poll(() => versionIn(cache, changed)).toBe(2)
  expect(await versionIn(cache, other)).toBe(1)
})

test('does not cache a row that changed while it was read, but does cache the rows of other users', async () => {
  const cache = createCache()
  const [changed, other] = [createRow(), createRow()]
  const gate = Promise.withResolvers<void>()
  const reads = [changed, other].map((row) =>
    cache.find(row.photo, async () => {
      const found = await row.load()
      await gate.promise
      return found
    }),
  )
  cache.invalidate(`user ${changed.user}`)
  gate.resolve()
  await Promise.all(reads)
  expect([await versionIn(cache, changed), await versionIn(cache, other)]).toEqual([2, 1])
})

test('while the bus is disconnected every call reads the row, and the old rows are gone afterwards', async () => {
  const cache = createCache()
  const row = createRow()
  expect(await versionIn(cache, row)).toBe(1)
  await proxy.dropConnectionsDuring(async () => {
    await expect.poll(bus.isListening).toBe(false)
    expect([await versionIn(cache, row), await versionIn(cache, row)]).toEqual([2, 3])
  })
  await expect.poll(bus.isListening).toBe(true)
  expect([await versionIn(cache, row), await versionIn(cache, row)]).toEqual([4, 4])
})

test('reads at most four rows at once; a read that fails makes room for the next', async () => {
  const cache = createCache()
  let [running, most] = [0, 0]
  const loadNothing = async (): Promise<undefined> => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    if (running % 2) throw new Error('the database is down')
  }
  await Promise.allSettled(Array.from({ length: 20 }, () => cache.find(newId(), loadNothing)))
  expect([running, most]).toEqual([0, 4])
})

test('a read that waits too long for its start fails as if the database were down', async () => {
  const cache = createRowCache<Row>({ bus, maxRows: 3, ttlMs: 1_000, tagsOf: () => [], maxWaitMs: 1 })
  const gate = Promise.withResolvers<undefined>()
  const running = Array.from({ length: 4 }, () => cache.find(newId(), () => gate.promise))
  const refused: unknown = await cache.find(newId(), () => gate.promise).catch((error: unknown) => error)
  expect(isDatabaseDown(refused)).toBe(true)
  gate.resolve(undefined)
  expect(await Promise.all(running)).toEqual([undefined, undefined, undefined, undefined])
})
