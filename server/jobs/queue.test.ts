import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect, type Database } from '../db/connect.ts'
import { createLog } from '../runtime/log.ts'
import { cloneDatabase } from '../test/cloned-database.ts'
import { jobRules } from './jobs.ts'
import { enqueue, enqueueAll } from './queue.ts'

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
  await database.pool.query('delete from graphile_worker._private_jobs')
})

const queuedJobs = async () =>
  (
    await database.pool.query(
      `select jobs.task_identifier as name, jobs.key, payload, jobs.priority, jobs.max_attempts, jobs.run_at
       from graphile_worker._private_jobs as private join graphile_worker.jobs using (id) order by payload::text`,
    )
  ).rows

test('a job has the priority and the number of attempts of its kind, less urgent by the offset', async () => {
  await enqueue(database.db, { name: 'process-photo', payload: { photoId: '1' }, priorityOffset: 7 })
  const { priority, maxAttempts } = jobRules['process-photo']
  expect(await queuedJobs()).toMatchObject([
    { name: 'process-photo', payload: { photoId: '1' }, priority: priority + 7, max_attempts: maxAttempts },
  ])
})

test('a job replaces one with the same key that has not started', async () => {
  const at = new Date('2099-01-01T00:00:00Z')
  await enqueue(database.db, { name: 'send-email', payload: { emailId: '1' }, key: 'email:1' })
  await enqueue(database.db, { name: 'send-email', payload: { emailId: '1' }, key: 'email:1', at })
  expect(await queuedJobs()).toMatchObject([{ key: 'email:1', run_at: at }])
})

test('a job exists only if its transaction commits', async () => {
  const failed = database.db.transaction().execute(async (tx) => {
    await enqueue(tx, { name: 'clean-up', payload: {} })
    throw new Error('the transaction fails')
  })
  await expect(failed).rejects.toThrow('the transaction fails')
  expect(await queuedJobs()).toEqual([])
})

test('many jobs are added together; none needs no statement', async () => {
  await enqueueAll(database.db, [])
  await enqueueAll(
    database.db,
    ['1', '2'].map((emailId) => ({ name: 'send-email' as const, payload: { emailId }, key: `email:${emailId}` })),
  )
  expect(await queuedJobs()).toMatchObject([
    { name: 'send-email', payload: { emailId: '1' }, key: 'email:1' },
    { name: 'send-email', payload: { emailId: '2' }, key: 'email:2' },
  ])
})
