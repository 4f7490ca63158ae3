import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import type { DB } from '../../db/schema.ts'
import { createLog } from '../../runtime/log.ts'
import { createActivityCounter } from './activity-counter.ts'

afterEach(() => vi.useRealTimers())

/** A counter, and the parameters of the statements that it runs. */
function createTestCounter(beforeQuery: () => void = () => {}) {
  vi.useFakeTimers({ now: new Date('2026-05-01T10:20:00Z') })
  const statements: (readonly unknown[])[] = []
  const db = new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log({ query }) {
      beforeQuery()
      statements.push(query.parameters)
    },
  })
  return { counter: createActivityCounter({ db, log: createLog('silent') }), statements }
}
const quarter = Date.parse('2026-05-01T10:15:00Z') / 1000

test('activities of a photo within a quarter of an hour are added up and written in one statement', async () => {
  const { counter, statements } = createTestCounter()
  counter.add({ photoId: 'a', userId: 'owner' }, 'scans', 'views')
  counter.add({ photoId: 'a', userId: 'owner' }, 'scans')
  counter.add({ photoId: 'b', userId: 'owner' }, 'downloads')
  await counter.flush()
  await counter.flush()
  expect(statements).toEqual([
    [
      ['a', 'b'],
      ['owner', 'owner'],
      [quarter, quarter],
      [2, 0],
      [1, 0],
      [0, 1],
      [0, 0],
    ],
  ])
  await counter.close()
})

test('counts are written every two seconds, and when the program stops', async () => {
  const { counter, statements } = createTestCounter()
  counter.add({ photoId: 'a', userId: 'owner' }, 'scans')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(statements).toHaveLength(1)
  counter.add({ photoId: 'a', userId: 'owner' }, 'requests')
  await counter.close()
  expect(statements).toHaveLength(2)
})
