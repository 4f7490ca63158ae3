import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readdirSync, readFileSync } from 'node:fs'
import { Client, Pool, type PoolConfig } from 'pg'
import { inject, onTestFinished } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { type Config, type Env, readConfig } from '../config.ts'
import { erasersFor } from '../operations/backup-commands.ts'
import { newId } from '../lib/ids.ts'
import { openStorageOfSettings } from '../open-ports.ts'
import { backUp, type BackupOptions, type FinishedBackup } from '../operations/back-up.ts'
import { type FinishedRestore, restore, type RestoreOptions } from '../operations/restore.ts'
import type { Progress } from '../lib/operator-texts.ts'
import { jpeg } from '../images/test/sample-images.ts'
import { eraseAddress } from '../features/operators/guests.ts'
import { checkBackup, chooseBackup } from '../operations/check-backup.ts'
import { newStorageKey } from '../features/photos/stored-objects.ts'
import { storeStream } from '../ports/storage/storage.ts'
import { cloneDatabase } from './cloned-database.ts'
import { publicUrl, type TestServer } from './harness.ts'
import { hashTables } from './consistency-check.ts'
import { makeUser, type TestUser, upload, validPassword } from './test-data.ts'

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

export async function photoOf(server: TestServer, owner?: TestUser): Promise<{ user: TestUser; id: string }> {
  const user = owner ?? (await makeUser(server))
  const { id } = (await upload(server, user, await jpeg({ width: 64, height: 48 }))).json<Photo>()
  await server.work()
  return { user, id }
}

async function succeed(answer: ReturnType<TestServer['request']>): Promise<void> {
  const { statusCode, body } = await answer
  if (statusCode >= 300) throw new Error(`answered ${statusCode}: ${body}`)
}

export const deletePhoto = (server: TestServer, { token }: TestUser, id: string): Promise<void> =>
  succeed(server.request({ method: 'DELETE', url: `/photos/${id}`, token }))

export const requestAs = (server: TestServer, photo: string, email: string): Promise<void> =>
  succeed(server.request({ method: 'POST', url: `/photos/${photo}/request-email`, body: { email } }))

/** An operator erases the guest with the mailbox anna@guest.test. */
export const eraseGuestOf = ({ db, app }: TestServer) =>
  db.transaction().execute((tx) => eraseAddress(tx, app.deps.tokens, 'anna@guest.test'))

/**
 * Three photos of two accounts and two requests in a first backup; then one photo and one account are deleted and a guest is
 * erased, and there is a second backup.
 */
export async function deletedAfterBackup(server: TestServer) {
  const kept = await photoOf(server)
  const { id: deleted } = await photoOf(server, kept.user)
  const gone = await photoOf(server)
  for (const email of ['anna@guest.test', 'ben@guest.test']) await requestAs(server, kept.id, email)
  const backups = await temporaryFolder()
  await backUpServer(server, backups)
  await eraseGuestOf(server)
  await deletePhoto(server, kept.user, deleted)
  const { token } = gone.user
  await succeed(server.request({ method: 'DELETE', url: '/user', token, body: { password: validPassword } }))
  await server.work()
  await backUpServer(server, backups)
  return { backups, kept, deleted, gone }
}

/** Why a backup into a folder is refused, or `accepted`. */
export const backupRefusal = (server: TestServer, dir: string): Promise<string> =>
  backUpServer(server, dir).then(
    () => 'accepted',
    (error: Error) => error.message,
  )

/** What is said of a full disk. */
export const fullDisk = (dir: string): string =>
  `The folder ${dir} cannot be used (ENOSPC). Its disk is full, so this backup was not completed. Earlier backups in it are complete, and files that were copied stay. Free some space there, then run the command again to continue.`

/** All files in a folder, except the one that says who holds it. */
export const folderContents = (folder: string): [path: string, base64: string][] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !basename(path).startsWith('holder.json'))
    .map((path) => [path, readFileSync(path, 'base64')])

/** Reads a backup again; rejects when something in it is damaged. */
export const check = async (dir: string, name?: string): Promise<unknown> =>
  checkBackup(dir, await chooseBackup(dir, name), { progress: silent })

const sources = 4

/** An account with so many photos; those after the first four are copies with files of their own. */
export async function accountWithPhotos(server: TestServer, count: number): Promise<{ id: string; token: string }> {
  const { pool, storage } = server.app.deps
  const { user } = await photoOf(server)
  for (let number = 1; number < sources; number++) await photoOf(server, user)
  const { rows } = await pool.query<{ id: string; full_key: string; thumb_key: string }>(
    'select id, full_key, thumb_key from photos where user_id = $1',
    [user.id],
  )
  for (let number = sources; number < count; number++) {
    const source = rows[number % sources]
    if (!source) throw new Error('there are no photos to copy')
    const [id, full, thumb] = [newId(), newStorageKey('full'), newStorageKey('thumb')]
    await pool.query(
      `insert into photos (id, user_id, code, filename, state, created_at, finished_at, counted_month, full_key, full_type, full_bytes,
         thumb_key, thumb_bytes, width, height, thumbhash)
       select $1, user_id, $2, filename, state, created_at, finished_at, counted_month, $3, full_type, full_bytes,
         $4, thumb_bytes, width, height, thumbhash from photos where id = $5`,
      [id, newId(), full, thumb, source.id],
    )
    await pool.query('insert into stored_objects (key, photo_id) values ($1, $3), ($2, $3)', [full, thumb, id])
    for (const [from, to, type] of [
      [source.full_key, full, 'image/jpeg'],
      [source.thumb_key, thumb, 'image/webp'],
    ] as const) {
      const bytes = await storage.open(from)
      if (bytes) await storeStream(storage, to, { source: bytes, type })
    }
  }
  return user
}
