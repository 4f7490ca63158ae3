import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Pool, type PoolConfig } from 'pg'
import { inject, onTestFinished } from 'vitest'
import { readConfig, type Config, type Env } from '../../config.ts'
import { erasersFor } from '../../commands/backup-commands.ts'
import { newId } from '../../lib/ids.ts'
import { openStorageOfSettings } from '../../setup/open-storage.ts'
import { cloneDatabase } from '../../test/cloned-database.ts'
import { publicUrl, type TestServer } from '../../test/harness.ts'
import { hashTables } from '../../test/table-hashes.ts'
import { backUp, type BackupOptions, type FinishedBackup } from '../back-up.ts'
import { restore, type FinishedRestore, type RestoreOptions } from '../restore.ts'
import type { Progress } from '../progress.ts'

export const silent: Progress = { step: () => {}, count: () => {}, end: () => {} }

/** A folder that goes away with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsnap-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A database without any table, which goes away with the test. */
async function emptyDatabase(): Promise<PoolConfig> {
  const { host, port, user } = inject('cluster')
  const name = `test_${newId().toLowerCase()}`
  const admin = async (statement: string): Promise<void> => {
    const client = new Client({ host, port, user, database: 'postgres' })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await admin(`create database ${name}`)
  onTestFinished(() => admin(`drop database ${name} with (force)`))
  return { host, port, user, database: name }
}

export const configOf = (dir: string, env: Env = {}): Config =>
  readConfig(
    { DATA_DIR: dir, PUBLIC_URL: publicUrl, SECRET_KEY: 'a secret of the tests, long enough', ...env },
    { lanAddress: undefined, cwd: dir },
  )

/** Backs up a server that runs. */
export const backUpServer = (
  { app: { deps }, database }: TestServer,
  dir: string,
  options: Partial<BackupOptions> = {},
): Promise<FinishedBackup> =>
  backUp({ dir, keep: 7, config: deps.config, database, storage: deps.storage, progress: silent, ...options })

/** A place for a restored installation: a database and a data folder, both empty. */
export interface Target {
  database: PoolConfig
  dir: string
}

/** An installation that was started and never used; its tables are there, which saves the time of migrating. */
export async function emptyTarget(): Promise<Target> {
  const { database, drop } = await cloneDatabase()
  onTestFinished(drop)
  return { database, dir: await temporaryFolder() }
}

/** One that was never started. */
export const newTarget = async (): Promise<Target> => ({
  database: await emptyDatabase(),
  dir: await temporaryFolder(),
})

/** Restores into a target, as the command does. */
export async function restoreInto(
  { database, dir: dataDir }: Target,
  dir: string,
  { env = {}, ...options }: Partial<RestoreOptions> & { env?: Env } = {},
): Promise<FinishedRestore> {
  const config = configOf(dataDir, env)
  return restore({
    dir,
    keepFiles: false,
    otherKey: false,
    withDeletedPhotos: false,
    erasuresFile: undefined,
    config,
    openTarget: async () => ({ database, storage: await openStorageOfSettings(config) }),
    erasers: erasersFor(config),
    progress: silent,
    announce: () => {},
    ...options,
  })
}

/** Everything in a database that a backup keeps, as hashes; and its jobs, but for what belongs to one queue. */
export async function databaseContents(database: PoolConfig): Promise<object> {
  const pool = new Pool({ ...database, max: 1 })
  try {
    const {
      'graphile_worker._private_jobs': _jobs,
      'public.ws_tickets': _tickets,
      'public.photo_counts': _counts,
      'public.backup_state': _backups,
      ...tables
    } = await hashTables({ app: { deps: { pool } } })
    const { rows: jobs } = await pool.query(
      `select jobs.task_identifier, jobs.queue_name, private.payload, jobs.priority, jobs.run_at, jobs.attempts, jobs.max_attempts,
         jobs.last_error, jobs.key, jobs.created_at, jobs.flags
       from graphile_worker.jobs join graphile_worker._private_jobs private using (id) order by id`,
    )
    return { tables, jobs }
  } finally {
    await pool.end()
  }
}
