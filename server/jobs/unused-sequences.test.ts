import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../test/harness.ts'
import { enqueue } from './queue.ts'

let server: TestServer
beforeAll(async () => void (server = await startServer()))
afterAll(() => server.close())

const query = async <Row>(text: string): Promise<Row[]> => (await server.app.deps.pool.query<Row & object>(text)).rows
const sequences = async (): Promise<string[]> =>
  (await query<{ name: string }>('select queue_name as name from graphile_worker._private_job_queues order by 1')).map(
    ({ name }) => name,
  )
/** Adds a job that is due in an hour. */
const addToSequence = (sequence: string): Promise<void> =>
  enqueue(server.db, {
    name: 'process-slow-photo',
    payload: { photoId: 'none' },
    key: sequence,
    sequence,
    at: new Date(Date.now() + 3_600_000),
  })
async function cleanUp(): Promise<void> {
  await enqueue(server.db, { name: 'clean-up', payload: {} })
  await server.work()
}

test('the clean-up removes sequences without jobs, and keeps those that have some', async () => {
  for (const name of ['used up', 'waiting']) await addToSequence(name)
  await query("delete from graphile_worker._private_jobs where key = 'used up'")
  expect(await sequences()).toEqual(['used up', 'waiting'])
  await cleanUp()
  expect(await sequences()).toEqual(['waiting'])
})

test('a job whose sequence was removed while it was being added is run all the same', async () => {
  await addToSequence('removed')
  await query(`
    delete from graphile_worker._private_job_queues where queue_name = 'removed';
    update graphile_worker._private_jobs set run_at = now() where key = 'removed'`)
  await server.work()
  const waiting = () => query("select 1 from graphile_worker.jobs where key = 'removed'")
  expect(await waiting()).toHaveLength(1)
  await cleanUp()
  await server.work()
  expect(await waiting()).toHaveLength(0)
})
