// A small program for tests of starting and stopping: holds a data folder, runs the embedded PostgreSQL on it, stores
// numbers and prints each one after its commit was acknowledged. Without
// writers nothing needs to be durable. Usage: number-store-program.ts DATA_DIR [WRITERS]
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'pg'
import { lockDataFolder, prepareDataFolder } from '../runtime/data-folder.ts'
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import { shutDown, waitForShutdown } from '../runtime/shutdown.ts'
import { createLog } from '../runtime/log.ts'
import { StartupError } from '../runtime/startup-error.ts'

const [dataDir = '', writers = '0'] = process.argv.slice(2)
const parentPid = Number(process.env['KEEPSNAP_PARENT']) || undefined
const log = createLog('info', process.stderr)
const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function run(): Promise<void> {
  const told = waitForShutdown(parentPid, () => process.exit(1))
  await prepareDataFolder(dataDir)
  const hold = await lockDataFolder(dataDir, { address: 'http://localhost:3000' })
  const database = await startEmbeddedPostgres({ dataDir, log, durable: writers !== '0' })
  const pool = new Pool({ ...database.connection, max: 8, connectionTimeoutMillis: 5_000 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  await pool.query('create table if not exists stored (id bigint generated always as identity primary key, note text)')
  say(`ready ${process.pid} ${database.connection.host}`)
  const ending = new AbortController()
  const store = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        const { rows } = await pool.query<{ id: string }>("insert into stored (note) values ('kept') returning id")
        say(`kept ${rows[0]?.id}`)
      } catch {
        say('not kept')
        await delay(100)
      }
    }
  }
  const storing = Promise.all(Array.from({ length: Number(writers) }, store))
  const reason = await Promise.race([told, database.lost, hold.lost])
  ending.abort()
  hold.update({ stopping: true })
  const clean = await shutDown(
    [
      { name: 'storing', timeoutMs: 5_000, close: () => storing },
      { name: 'the pool', timeoutMs: 5_000, close: () => pool.end() },
      { name: 'the database', timeoutMs: 25_000, close: () => database.stop() },
      { name: 'the data folder', timeoutMs: 1_000, close: () => hold.release() },
    ],
    log,
  )
  say(`ended ${reason}`)
  process.exit(clean ? 0 : 1)
}

try {
  await run()
} catch (error) {
  process.stderr.write(`${error instanceof StartupError ? error.message : String(error)}\n`)
  process.exit(1)
}
