import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import { Pool, type PoolConfig } from 'pg'
import type { Db } from '../platform/db/connect.ts'
import { newStorageKey, registerKeysForUser, unregisterKeys } from '../features/photos/stored-objects.ts'
import { newId } from '../lib/ids.ts'
import { openStores } from '../open-ports.ts'
import type { Storage } from '../ports/storage/storage.ts'
import type { StoreName, Stores } from '../ports/storage/two-stores.ts'
import { cloneDatabase } from './cloned-database.ts'
import { startServer, type TestServer } from './harness.ts'
import { createBucket, sharedGateway } from './radosgw.ts'
import { makeUser } from './test-data.ts'
import { type MoveCounts, moveFiles, type MoveOptions } from '../operations/move-storage.ts'

/** A server that has its files on disk and knows a bucket, and both stores as they are. */
export interface MovingFixture {
  server: TestServer
  database: PoolConfig
  /** The settings of the server. */
  env: Record<string, string>
  stores: Stores
  scratchDir: string
  move(to: StoreName, options?: Partial<MoveOptions>): Promise<MoveCounts>
  /** Files of a user of the server. */
  createFiles(): Promise<Files>
  close(): Promise<void>
}

export async function createMovingFixture(settings: Record<string, string> = {}): Promise<MovingFixture> {
  const bucketEnv = await createBucket(await sharedGateway())
  const { database, drop } = await cloneDatabase()
  const dir = await mkdtemp(join(tmpdir(), 'keepsnap-moving-'))
  const env = { ...bucketEnv, DATA_DIR: dir, ...settings }
  // As if files were on disk already: otherwise the bucket of the settings would be used from the start.
  const pool = new Pool(database)
  await pool.query(`insert into stored_objects (key) values ('orig/${'0'.repeat(22)}')`)
  await pool.query(`insert into storage_state (store) values ('disk')`)
  const server = await startServer({ LOG_LEVEL: 'silent', ...env }, { database, dir, followStoreEveryMs: 100 })
  await pool.query('delete from stored_objects')
  await pool.end()
  const opened = await openStores(server.app.deps.config)
  if (!opened) throw new Error('the settings name no bucket')
  return {
    server,
    database,
    env,
    ...opened,
    async move(to, options) {
      const counts: MoveCounts = { copied: 0, copiedBytes: 0, removed: 0, different: [] }
      const { signal } = new AbortController()
      const places = { ...opened, db: server.db, to, keepSource: false, graceMs: 0 }
      await moveFiles({ ...places, counts, throttle: async () => {}, reportProgress: () => {}, signal, ...options })
      return counts
    },
    createFiles: async () =>
      createFiles({ db: server.db, storage: server.app.deps.storage, ...opened }, (await makeUser(server)).id),
    async close() {
      await server.close()
      await drop()
    },
  }
}

export async function keysOf(storage: Stores[StoreName]): Promise<string[]> {
  return (await Array.fromAsync(storage.list())).map(({ key }) => key).toSorted()
}

export type Files = ReturnType<typeof createFiles>

/** Files that a user stores, reads and removes, and what each must contain. */
export function createFiles(
  { db, storage, scratchDir }: { db: Db; storage: Storage; scratchDir: string },
  userId: string,
) {
  const live = new Map<string, Buffer>()
  const add = async (bytes: number): Promise<string> => {
    const [key, path, content] = [newStorageKey('full'), join(scratchDir, newId()), randomBytes(bytes)]
    await registerKeysForUser(db, userId, [key])
    await writeFile(path, content)
    await storage.moveIn(key, path, { type: 'image/jpeg' })
    live.set(key, content)
    return key
  }
  const remove = async (key: string): Promise<void> => {
    live.delete(key)
    await storage.remove([key])
    await unregisterKeys(db, [key])
  }
  const expectReadable = async (key: string): Promise<void> => {
    const content = live.get(key)
    const stream = await storage.open(key)
    // Removed while it was asked for.
    if (!content || !live.has(key)) return void stream?.destroy()
    expect(stream, `${key} cannot be read`).not.toBeNull()
    expect((await buffer(stream!)).equals(content), `${key} has other bytes`).toBe(true)
  }
  return { live, add, remove, expectReadable }
}

/** Repeats what users do until `stop`, which resolves with how often; what fails rejects there. */
export function repeatUntilStopped(step: () => Promise<unknown>): { stop(): Promise<number> } {
  const stopped = new AbortController()
  const run = (async () => {
    let steps = 0
    for (; !stopped.signal.aborted; steps++) await step()
    return steps
  })()
  run.catch(() => {})
  return {
    async stop() {
      stopped.abort()
      return run
    },
  }
}

const program = join(import.meta.dirname, '../main.ts')

/** The command as an operator runs it; resolves with what it prints and its exit code, null when it was killed. */
export function startCommand({ env, database }: MovingFixture, ...words: string[]) {
  const { host = '', port, user, database: name } = database
  const settings = {
    ...env,
    DATABASE_URL: `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    SECRET_KEY: 'a secret of the tests, long enough',
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
  }
  const child = spawn(process.execPath, [program, 'move-storage', ...words], { env: settings })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += String(part)))
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, text }))
  return { child, ended }
}
