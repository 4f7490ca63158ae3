// A small program for tests of starting and stopping: locks a data folder, runs the embedded PostgreSQL on it, inserts
// rows and prints the id of each after its commit was acknowledged. Without writers nothing needs to be durable.
// Usage: number-store-program.ts DATA_DIR [WRITERS]
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'pg'
import { lockDataFolder, prepareDataFolder } from '../platform/process/data-folder.ts'
import { startEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts'
import { shutDown, waitForShutdown } from '../platform/process/shutdown.ts'
import { createLog } from '../platform/process/log.ts'
import { StartupError } from '../faults.ts'

const [dataDir = '', writers = '0'] = process.argv.slice(2)
const parentPid = Number(process.env['KEEPSNAP_PARENT']) || undefined
const log = createLog('info', process.stderr)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

async function run(): Promise<void> {
  const shutdownRequest = waitForShutdown(parentPid, () => process.exit(1))
  await prepareDataFolder(dataDir)
  const folderLock = await lockDataFolder(dataDir)
  folderLock.update({ address: 'http://localhost:3000' })
  const database = await startEmbeddedPostgres({ dataDir, log, durable: writers !== '0' })
  const pool = new Pool({ ...database.connection, max: 8, connectionTimeoutMillis: 5_000 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  await pool.query('create table if not exists stored (id bigint generated always as identity primary key, note text)')
  print(`ready ${process.pid} ${database.connection.host}`)
  const stopWriting = new AbortController()
  const insertRows = async (): Promise<void> => {
    while (!stopWriting.signal.aborted) {
      try {
        const { rows } = await pool.query<{ id: string }>("insert into stored (note) values ('kept') returning id")
        print(`kept ${rows[0]?.id}`)
      } catch {
        print('not kept')
        await delay(100)
      }
    }
  }
  const allWriters = Promise.all(Array.from({ length: Number(writers) }, insertRows))
  const reason = await Promise.race([shutdownRequest, folderLock.lost])
  stopWriting.abort()
  folderLock.update({ stopping: true })
  const clean = await shutDown(
    [
      { name: 'the writers', timeoutMs: 5_000, close: () => allWriters },
      { name: 'the pool', timeoutMs: 5_000, close: () => pool.end() },
      { name: 'the database', timeoutMs: 25_000, close: () => database.stop() },
      { name: 'the data folder', timeoutMs: 1_000, close: () => folderLock.release() },
    ],
    log,
  )
  print(`ended ${reason}`)
  process.exit(clean ? 0 : 1)
}

try {
  await run()
} catch (error) {
  process.stderr.write(`${error instanceof StartupError ? error.message : String(error)}\n`)
  process.exit(1)
}
