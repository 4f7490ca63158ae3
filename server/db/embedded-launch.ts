import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { systemCode } from '../start-problem.ts'
import { databaseName, wayInto, type Cluster } from './embedded-cluster.ts'
import { endsWithUs, ownProcess } from './embedded-processes.ts'
import { readPidFile } from './embedded-pid-file.ts'
import { launcherSetting } from './embedded-remains.ts'

/** Everything one start of PostgreSQL needs. */
export interface Launch {
  cluster: Cluster
  settings: Record<string, string | number>
  connection: { host: string; port: number; user: string; database: string }
  log: Logger
  /** Aborted, the start is given up and what was started of it ends. */
  signal?: AbortSignal
}

const silentMs = 60_000
const recoveringMs = 600_000
const recoveringWordMs = 10_000
const stopSignals = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const
const noSuchDatabase = '3D000'

/** Lines of PostgreSQL go to our log; the last ones explain an end. */
function follow(child: ChildProcess, log: Logger): string[] {
  const last: string[] = []
  if (!child.stderr) return last
  createInterface(child.stderr).on('line', (line) => {
    if (last.push(line) > 12) last.shift()
    if (/^PANIC|was terminated by|could not/.test(line)) log.warn(`PostgreSQL: ${line}`)
    else log.debug(`PostgreSQL: ${line}`)
  })
  return last
}

/** Runs one statement over a connection of its own. */
async function ask(connection: ClientConfig, statement: string): Promise<void> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 5_000, query_timeout: 60_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Our database, made when it is missing. */
async function checkDatabase(connection: ClientConfig): Promise<void> {
  try {
    await ask(connection, 'select 1')
  } catch (error) {
    if (systemCode(error) !== noSuchDatabase) throw error
    await ask({ ...connection, database: 'postgres' }, `create database ${databaseName}`)
  }
}

/** Waits until PostgreSQL says that it is ready. Recovery after a crash may take minutes; silence may not. */
async function untilReady(
  { cluster, log, signal }: Launch,
  pid: number | undefined,
  ended: () => boolean,
): Promise<void> {
  const begun = performance.now()
  let nextWordMs = recoveringWordMs
  while (!ended()) {
    signal?.throwIfAborted()
    const file = readPidFile(cluster.dir)
    const own = file?.pid === pid ? file : undefined
    if (own?.status === 'ready') return
    const waitedMs = performance.now() - begun
    const limitMs = own?.status === 'starting' ? recoveringMs : silentMs
    if (waitedMs > limitMs) throw new Error(`PostgreSQL was not ready within ${limitMs / 1000} s`)
    if (waitedMs > nextWordMs) {
      log.info('PostgreSQL is still recovering from its last end')
      nextWordMs += recoveringWordMs
    }
    await delay(waitedMs < 500 ? 10 : 100)
  }
}

/** A running postmaster. */
export interface Postmaster {
  /** Resolves when it has ended, whatever the reason, with a short description. */
  ended: Promise<string>
  /** Ends it in order: connections cut, everything written. */
  stop(): Promise<void>
}

function watch(child: ChildProcess, last: readonly string[]): Postmaster {
  // Who was killed had nothing to say about it.
  const words = (): string => (last.length ? `; its last words: ${last.join(' | ')}` : '')
  const ended = once(child, 'exit').then(
    ([code, signal]) => (signal ? `it was ended by ${signal}` : `it ended with ${code}${words()}`),
    (error) => String(error),
  )
  // A forced end of this program still tells PostgreSQL to end, where the kernel does not do so by itself.
  const tell = (): void => void child.kill('SIGINT')
  process.once('exit', tell)
  void ended.then(() => process.off('exit', tell))
  return {
    ended,
    async stop() {
      for (const [signal, waitMs] of stopSignals) {
        child.kill(signal)
        if (await Promise.race([ended.then(() => true), delay(waitMs, false, { ref: false })])) return
      }
    },
  }
}

/**
 * Starts PostgreSQL and waits until it answers, making our database when it is missing. Call it on the main thread.
 * @throws Error with PostgreSQL's last words when it does not come up
 */
export async function launchPostgres(launch: Launch): Promise<Postmaster> {
  const { cluster, settings, log } = launch
  const way = wayInto(cluster.dir, cluster.user)
  const all = { ...settings, [launcherSetting]: ownProcess() }
  const words = [...endsWithUs('INT'), join(cluster.native, 'bin', 'postgres'), '-D', way.path]
  for (const [name, value] of Object.entries(all)) words.push('-c', `${name}=${value}`)
  const child = spawn(words[0] ?? '', words.slice(1), {
    ...cluster.user,
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    // A group of its own, or Ctrl-C at a terminal would end the database before the program has let go of it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', ...way.passed],
  })
  way.close()
  const last = follow(child, log)
  const postmaster = watch(child, last)
  let reason: string | undefined
  void postmaster.ended.then((why) => (reason = why))
  try {
    await untilReady(launch, child.pid, () => reason !== undefined)
    if (reason === undefined) {
      await checkDatabase(launch.connection)
      return postmaster
    }
  } catch (error) {
    await postmaster.stop()
    throw new Error(`PostgreSQL did not start: ${String(error)}; ${await postmaster.ended}`, { cause: error })
  }
  throw new Error(`PostgreSQL did not start: ${await postmaster.ended}`)
}
