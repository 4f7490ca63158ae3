import { beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../process/log.ts'
import { useDatabase } from '../../test/cloned-database.ts'
import { createJobRunner } from '../../test/harness.ts'
import { removeUnusedSequences, removeWorkers, sendHeartbeat } from './worker.ts'
import { type Handlers, jobRules } from './jobs.ts'
import { enqueue, enqueueAll, queueStates } from './queue.ts'

const log = createLog('silent')
const database = useDatabase({ connections: 4, log })
beforeEach(async () => {
  await database.pool.query('delete from workers; delete from graphile_worker._private_jobs')
})

const queuedJobs = async () =>
  (
    await database.pool.query(
      `select jobs.task_identifier as name, jobs.key, payload, jobs.priority, jobs.max_attempts, jobs.run_at
       from graphile_worker._private_jobs as private join graphile_worker.jobs using (id) order by payload::text`,
    )
  ).rows

test('a job has the priority and the number of attempts of its kind', async () => {
  await enqueue(database.db, { name: 'process-photo', payload: { photoId: '1' } })
  const { priority, maxAttempts } = jobRules['process-photo']
  expect(await queuedJobs()).toMatchObject([
    { name: 'process-photo', payload: { photoId: '1' }, priority, max_attempts: maxAttempts },
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
  expect(photos).toMatchObject({ waiting: 1, running: 1, failed: 1 })
  expect(Math.round(photos?.oldestWaitingSeconds ?? 0)).toBeLessThan(60)
  expect(photos?.oldestWaitingSeconds).toBeGreaterThanOrEqual(41)
  expect(states.find(({ name }) => name === 'emails')).toMatchObject({ waiting: 1, running: 0, failed: 0 })
  expect(states.find(({ name }) => name === 'payments')).toMatchObject({ waiting: 0, oldestWaitingSeconds: null })
})

describe('a job whose worker', () => {
  /** Locks a job as if this worker had started it so many seconds ago. */
  const lockJob = async (workerId: string, seconds: number): Promise<void> => {
    await enqueue(database.db, { name: 'process-photo', payload: { photoId: '1' } })
    await database.pool.query(
      'update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - make_interval(secs => $2)',
      [workerId, seconds],
    )
  }
  const lockOwner = async (): Promise<string | null | undefined> =>
    (await database.pool.query<{ locked_by: string | null }>('select locked_by from graphile_worker._private_jobs'))
      .rows[0]?.locked_by

  test('sends heartbeats stays locked', async () => {
    await sendHeartbeat(database.db, 'node', ['long'])
    await lockJob('long', 3_600)
    await sendHeartbeat(database.db, 'node', ['long'])
    expect(await lockOwner()).toBe('long')
  })

  test('has sent no heartbeat for eight seconds is unlocked by any other worker', async () => {
    await sendHeartbeat(database.db, 'dead node', ['dead'])
    // Sent later than now, so that it is not old on a slow machine.
    await database.pool.query("update workers set heartbeat_at = now() + interval '1 minute' where id = 'dead'")
    await lockJob('dead', 10)
    await sendHeartbeat(database.db, 'node', ['alive'])
    expect(await lockOwner()).toBe('dead')
    await database.pool.query("update workers set heartbeat_at = now() - interval '9 seconds' where id = 'dead'")
    await sendHeartbeat(database.db, 'node', ['alive'])
    expect(await lockOwner()).toBeNull()
  })

  test('has just locked it stays locked, although there was no heartbeat yet', async () => {
    // Later than now, so that it is not long ago on a slow machine.
    await lockJob('new', -60)
    await sendHeartbeat(database.db, 'node', ['alive'])
    expect(await lockOwner()).toBe('new')
  })

  test('belongs to a node that stops has no heartbeat any more, those of other nodes have', async () => {
    await sendHeartbeat(database.db, 'stopped node', ['a', 'b'])
    await sendHeartbeat(database.db, 'node', ['c'])
    await removeWorkers(database.db, 'stopped node')
    expect((await database.pool.query('select id from workers')).rows).toEqual([{ id: 'c' }])
  })
})

test('sequences without jobs are removed; a job that was being added to one meanwhile is run all the same', async () => {
  const { db, pool } = database
  for (const sequence of ['used up', 'waiting', 'removed'])
    await enqueue(db, { name: 'process-slow-photo', payload: { photoId: sequence }, key: sequence, sequence })
  await pool.query(`
    delete from graphile_worker._private_jobs where key = 'used up';
    update graphile_worker._private_jobs set run_at = now() + interval '1 hour' where key = 'waiting';
    delete from graphile_worker._private_job_queues where queue_name = 'removed'`)
  const ran: string[] = []
  const handlers: Partial<Handlers> = { 'process-slow-photo': async ({ photoId }) => void ran.push(photoId) }
  const runJobs = createJobRunner(pool)
  await runJobs(handlers as Handlers) // no other jobs are added
  expect(ran).toEqual([])
  await removeUnusedSequences({ pool, log })
  await runJobs(handlers as Handlers)
  expect(ran).toEqual(['removed'])
  const { rows } = await pool.query('select queue_name from graphile_worker._private_job_queues')
  expect(rows).toEqual([{ queue_name: 'waiting' }])
})
