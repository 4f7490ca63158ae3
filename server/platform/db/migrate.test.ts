import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../../test/cloned-database.ts'
import { createLog } from '../process/log.ts'
import { connect, type Database, type Db } from './connect.ts'
import { migrate, newerMigrations } from './migrate.ts'
import { migrations } from './migrations/all.ts'

async function openDatabase(): Promise<Database> {
  const { database, drop } = await cloneDatabase()
  const opened = connect(database, createLog('silent'), 2)
  onTestFinished(() => opened.close().then(drop))
  return opened
}

test('a migration has no time limit, and other statements have theirs', async () => {
  const { db, pool } = await openDatabase()
  const timeLimit = sql<{ limit: string }>`select current_setting('statement_timeout') as limit`
  let limitDuring: string | undefined
  const added = {
    up: async (tx: Db) => void (limitDuring = (await timeLimit.execute(tx)).rows[0]?.limit),
  }
  expect(await migrate(db, pool, { ...migrations, '9999_added': added })).toEqual(['9999_added'])
  expect(limitDuring).toBe('0')
  expect((await timeLimit.execute(db)).rows).toEqual([{ limit: '15s' }])
})

test('a version starts on a database that a newer version has migrated', async () => {
  const { db, pool } = await openDatabase()
  const added = { up: async (tx: Db) => void (await sql`create table added ()`.execute(tx)) }
  expect(await newerMigrations(db)).toEqual([])
  expect(await migrate(db, pool, { ...migrations, '9999_added': added })).toEqual(['9999_added'])
  expect(await migrate(db, pool)).toEqual([])
  expect(await newerMigrations(db)).toEqual(['9999_added'])
  // The newer version finds what it did.
  expect(await migrate(db, pool, { ...migrations, '9999_added': added })).toEqual([])
})

test('a migration that was merged after a later one is run on a database that has the later one', async () => {
  const { db, pool } = await openDatabase()
  const between = { up: async (tx: Db) => void (await sql`create table between_them ()`.execute(tx)) }
  expect(await migrate(db, pool, { ...migrations, '0029_between': between })).toEqual(['0029_between'])
  expect(await migrate(db, pool, { ...migrations, '0029_between': between })).toEqual([])
})
