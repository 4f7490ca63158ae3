import { Client, type Pool, type PoolConfig } from 'pg'
import type { Logger } from 'pino'
import { afterAll, beforeAll, inject } from 'vitest'
import { connect, type Database } from '../platform/db/connect.ts'
import { newId } from '../lib/ids.ts'
import { createLog } from '../platform/process/log.ts'

let admin: Promise<Client> | undefined

/** The connection of this worker process on which databases are created and dropped; it ends with the process. */
async function connectAdmin(): Promise<Client> {
  const { host, port, user } = inject('cluster')
  // Copying files by the system costs a twentieth of the CPU time of writing each page to the log.
  const client = new Client({ host, port, user, database: 'postgres', options: '-c file_copy_method=clone' })
  // At the end of the run, PostgreSQL may stop before this process.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** A migrated, empty database of its own; with `isBare`, one without any table. */
export async function cloneDatabase({ isBare = false } = {}): Promise<{
  database: PoolConfig
  drop: () => Promise<void>
}> {
  const { host, port, user, template } = inject('cluster')
  const name = `test_${newId().toLowerCase()}`
  admin ??= connectAdmin()
  const client = await admin
  await client.query(`create database ${name} ${isBare ? '' : `template ${template} strategy file_copy`}`)
  return {
    database: { host, port, user, database: name },
    drop: async () => void (await client.query(`drop database ${name} with (force)`)),
  }
}

/** A database of its own for the tests of the file or of the `describe` that calls it. */
export function useDatabase({
  connections = 2,
  log = createLog('silent'),
}: { connections?: number; log?: Logger } = {}): Database {
  let opened: Database
  let dropDatabase: () => Promise<void>
  beforeAll(async () => {
    const { database, drop } = await cloneDatabase()
    dropDatabase = drop
    opened = connect(database, log, connections)
  })
  afterAll(async () => {
    await opened.close()
    await dropDatabase()
  })
  return new Proxy({} as Database, { get: (_, name: keyof Database) => opened[name] }) // of the running tests
}

/**
 * How many statements in the pool's database wait for a lock. Asks outside of any transaction: within one, PostgreSQL
 * does not show connections that were opened after the first question.
 */
export async function countLockWaits(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.count ?? 0
}
