import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect, type Database } from '../db/connect.ts'
import { createLog } from '../runtime/log.ts'
import { cloneDatabase } from '../test/cloned-database.ts'
import { removeWorkers, sendHeartbeat } from './heartbeat.ts'
import { enqueue } from './queue.ts'

let database: Database
let dropDatabase: () => Promise<void>
beforeAll(async () => {
  const cloned = await cloneDatabase()
  dropDatabase = cloned.drop
  database = connect(cloned.database, createLog('silent'), 2)
})
afterAll(async () => {
  await database.close()
  await dropDatabase()
})
beforeEach(async () => {
  await database.pool.query('delete from workers; delete from graphile_worker._private_jobs')
  await enqueue(database.db, { name: 'process-photo', payload: { photoId: '1' } })
})

/** Locks the job as if this worker had started it so many seconds ago. */
const lockJob = (workerId: string, seconds: number) =>
  database.pool.query(
    'update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - make_interval(secs => $2)',
    [workerId, seconds],
  )
const jobLockOwner = async (): Promise<string | null | undefined> =>
  (await database.pool.query<{ locked_by: string | null }>('select locked_by from graphile_worker._private_jobs'))
    .rows[0]?.locked_by

test('a job stays locked for as long as its worker sends heartbeats', async () => {
  await sendHeartbeat(database.db, 'node', ['long'])
  await lockJob('long', 3_600)
  await sendHeartbeat(database.db, 'node', ['long'])
  expect(await jobLockOwner()).toBe('long')
})

test('the job of a worker without a heartbeat for eight seconds is unlocked by any other worker', async () => {
  await sendHeartbeat(database.db, 'dead node', ['dead'])
  // Sent later than now, so that it is not old on a slow machine.
  await database.pool.query("update workers set heartbeat_at = now() + interval '1 minute' where id = 'dead'")
  await lockJob('dead', 10)
  await sendHeartbeat(database.db, 'node', ['alive'])
  expect(await jobLockOwner()).toBe('dead')
  await database.pool.query("update workers set heartbeat_at = now() - interval '9 seconds' where id = 'dead'")
  await sendHeartbeat(database.db, 'node', ['alive'])
  expect(await jobLockOwner()).toBeNull()
})

test('a job that was locked just now stays locked although its worker has sent no heartbeat yet', async () => {
  // Later than now, so that it is not long ago on a slow machine.
  await lockJob('new', -60)
  await sendHeartbeat(database.db, 'node', ['alive'])
  expect(await jobLockOwner()).toBe('new')
})

test('a node that stops removes its workers and no others', async () => {
  await sendHeartbeat(database.db, 'stopped node', ['a', 'b'])
  await sendHeartbeat(database.db, 'node', ['c'])
  await removeWorkers(database.db, 'stopped node')
  expect((await database.pool.query('select id from workers')).rows).toEqual([{ id: 'c' }])
})
