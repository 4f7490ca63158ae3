import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { connect, type Database } from '../db/connect.ts'
import { createLog } from '../process/log.ts'
import { cloneDatabase } from '../../test/cloned-database.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../../test/database-proxy.ts'
import { enqueue, enqueueAll, startWakeUps } from './queue.ts'

const log = createLog('silent')
let database: Database
let proxy: DatabaseProxy
const cleanups: (() => Promise<void>)[] = []
const woken: string[] = []
beforeAll(async () => {
  const cloned = await cloneDatabase()
  proxy = await openDatabaseProxy(cloned.database)
  database = connect(cloned.database, log, 2)
  const wakeUps = startWakeUps({
    db: database.db,
    database: proxy.database,
    log,
    wake: (group, jobs) => void woken.push(`${group} ${jobs}`),
  })
  cleanups.push(wakeUps.close, database.close, proxy.close, cloned.drop)
  // It listens once a job wakes its group without being in the queue any more.
  await vi.waitUntil(wokenByRemovedJob, { timeout: 60_000 })
})
afterAll(async () => {
  for (const cleanUp of cleanups) await cleanUp()
})
beforeEach(async () => {
  await sql`delete from graphile_worker._private_jobs`.execute(database.db)
  woken.length = 0
})

async function wokenByRemovedJob(): Promise<boolean> {
  await database.db.transaction().execute(async (tx) => {
    await enqueue(tx, { name: 'clean-up', payload: {} })
    await sql`delete from graphile_worker._private_jobs`.execute(tx)
  })
  return woken.includes('maintenance 1')
}

test('a new job wakes its group and no other; each job of a transaction counts', async () => {
  await database.db.transaction().execute(async (tx) => {
    for (const emailId of ['1', '2']) await enqueue(tx, { name: 'send-email', payload: { emailId } })
    await enqueueAll(
      tx,
      ['a', 'b', 'c'].map((customerId) => ({ name: 'sync-customer' as const, payload: { customerId } })),
    )
    // What the query for all groups finds would be counted too.
    await sql`delete from graphile_worker._private_jobs`.execute(tx)
  })
  // A message of `wokenByRemovedJob` may arrive late.
  const others = () => woken.filter((one) => one !== 'maintenance 1')
  await expect.poll(others).toEqual(['emails 1', 'emails 1', 'customers 3'])
})

test('jobs that became due without a message wake their group, later ones do not', async () => {
  await sql`select graphile_worker.add_job('process-photo', '{}'::json, run_at => now() + interval '1 hour')`.execute(
    database.db,
  )
  await sql`select graphile_worker.add_job('build-archive', '{}'::json)`.execute(database.db)
  await expect.poll(() => woken).toContain('archives 1')
  expect(woken.filter((one) => one.startsWith('photos'))).toEqual([])
})

test('after the connection was lost, new jobs wake their group again', async () => {
  await proxy.dropConnectionsDuring(async () => {})
  await expect.poll(wokenByRemovedJob, { interval: 100 }).toBe(true)
})
