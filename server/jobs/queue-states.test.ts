import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Database } from '../db/connect.ts'
import { createLog } from '../runtime/log.ts'
import { cloneDatabase } from '../test/cloned-database.ts'
import { enqueue } from './queue.ts'
import { queueStates } from './queue-states.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const cloned = await cloneDatabase()
  drop = cloned.drop
  database = connect(cloned.database, createLog('silent'), 2)
})
afterAll(async () => {
  await database.close()
  await drop()
})

test('the jobs of each group are counted by what they wait for', async () => {
  const { db, pool } = database
  for (const photoId of ['waiting', 'running', 'failed', 'later'])
    await enqueue(db, { name: 'process-photo', payload: { photoId }, key: photoId })
  await enqueue(db, { name: 'send-email', payload: { emailId: 'e' } })
  const change = (key: string, what: string) =>
    pool.query(`update graphile_worker._private_jobs set ${what} where key = $1`, [key])
  await change('waiting', `created_at = now() - interval '41 seconds', run_at = now() - interval '15 minutes'`)
  await change('running', `locked_at = now(), locked_by = 'somebody'`)
  await change('failed', 'attempts = max_attempts')
  await change('later', `run_at = now() + interval '1 hour'`)
  const states = await queueStates(db)
  const photos = states.find(({ name }) => name === 'photos')
  expect(photos).toEqual({
    name: 'photos',
    waiting: 1,
    running: 1,
    failed: 1,
    oldestWaitingSeconds: expect.any(Number),
  })
  expect(Math.round(photos?.oldestWaitingSeconds ?? 0)).toBeLessThan(60)
  expect(photos?.oldestWaitingSeconds).toBeGreaterThanOrEqual(41)
  expect(states.find(({ name }) => name === 'emails')).toMatchObject({ waiting: 1, running: 0, failed: 0 })
  expect(states.find(({ name }) => name === 'payments')).toMatchObject({ waiting: 0, oldestWaitingSeconds: null })
})
