import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { serverForThisTest } from './harness.ts'
import { hashTables } from './table-hashes.ts'

test('a changed row, or a new job, changes the hash of its table and no other', async () => {
  const server = await serverForThisTest()
  const before = await hashTables(server)
  await sql`update plans set name = 'Changed' where id = 'free'`.execute(server.db)
  const changed = await hashTables(server)
  await sql`select graphile_worker.add_job('anything')`.execute(server.db)
  const withJob = await hashTables(server)
  expect(Object.keys(before).filter((name) => changed[name] !== before[name])).toEqual(['public.plans'])
  expect(Object.keys(before).filter((name) => withJob[name] !== changed[name])).toEqual([
    'graphile_worker._private_jobs',
  ])
  expect(before['public.rate_hits']).toBeUndefined()
})
