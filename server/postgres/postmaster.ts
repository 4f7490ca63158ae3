import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { systemCode } from '../runtime/startup-error.ts'
import { databaseName, openClusterFolder, type Cluster } from './cluster.ts'
import { ownProcessId, parentDeathSignal } from '../runtime/processes.ts'
import { readPidFile } from './pid-file.ts'
import { launcherSetting } from './stale-processes.ts'

/** Parameters of one start of PostgreSQL. */
export interface PostgresLaunch {
  cluster: Cluster
  settings: Record<string, string | number>
  connection: { host: string; port: number; user: string; database: string }
  log: Logger
  /** Cancels the start and stops what has been started. */
  signal?: AbortSignal
}

const postgresStartTimeoutMs = 60_000
const recoveryTimeoutMs = 600_000
const recoveryLogMs = 10_000
const stopSignals = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const
const noSuchDatabase = '3D000'

/** Copies PostgreSQL's output to our log; returns the last lines, which explain why it ended. */
function logPostgresOutput(postmasterProcess: ChildProcess, log: Logger): string[] {
  const lastOutputLines: string[] = []
  if (!postmasterProcess.stderr) return lastOutputLines
  createInterface(postmasterProcess.stderr).on('line', (line) => {
    if (lastOutputLines.push(line) > 12) lastOutputLines.shift()
    if (/^PANIC|was terminated by|could not/.test(line)) log.warn(`PostgreSQL: ${line}`)
    else log.debug(`PostgreSQL: ${line}`)
  })
  return lastOutputLines
}

/** Runs one statement over a new connection. */
async function runStatement(connection: ClientConfig, statement: string): Promise<void> {
  const postgresClient = new Client({ ...connection, connectionTimeoutMillis: 20_000, query_timeout: 60_000 })
  postgresClient.on('error', () => {})
  try {
    await postgresClient.connect()
    await postgresClient.query(statement)
  } finally {
    await postgresClient.end().catch(() => {})
  }
}

/** Creates our database when it is missing. */
async function createDatabaseIfMissing(connection: ClientConfig): Promise<void> {
  try {
    await runStatement(connection, 'select 1')
  } catch (error) {
    if (systemCode(error) !== noSuchDatabase) throw error
    await runStatement({ ...connection, database: 'postgres' }, `create database ${databaseName}`)
  }
}

/** Waits until PostgreSQL is ready. Recovery after a crash may take minutes; a start without a sign of it may not. */
async function waitUntilReady(
  { cluster, log, signal }: PostgresLaunch,
  pid: number | undefined,
  ended: () => boolean,
): Promise<void> {
  const startedAt = performance.now()
  let nextLogMs = recoveryLogMs
  while (!ended()) {
    signal?.throwIfAborted()
    const pidFile = readPidFile(cluster.clusterDir)
    const ownPidFile = pidFile?.pid === pid ? pidFile : undefined
    if (ownPidFile?.status === 'ready') return
    const waitedMs = performance.now() - startedAt
    const readyLimitMs = ownPidFile?.status === 'starting' ? recoveryTimeoutMs : postgresStartTimeoutMs
    if (waitedMs > readyLimitMs) throw new Error(`PostgreSQL was not ready within ${readyLimitMs / 1000} s`)
    if (waitedMs > nextLogMs) {
      log.info('PostgreSQL is still recovering from an unclean shutdown')
      nextLogMs += recoveryLogMs
    }
    await wait(waitedMs < 500 ? 10 : 100)
  }
}

/** A running postmaster. */
export interface Postmaster {
  /** Resolves with a short description when the process has ended for any reason. */
  ended: Promise<string>
  /** Shuts PostgreSQL down: disconnects clients and writes everything to disk. */
  stop(): Promise<void>
}

function watchPostmaster(postmasterProcess: ChildProcess, lastLines: readonly string[]): Postmaster {
  const describeLastOutput = (): string => (lastLines.length ? `; its last output: ${lastLines.join(' | ')}` : '')
  const ended = once(postmasterProcess, 'exit').then(
    ([code, signal]) => (signal ? `it was ended by ${signal}` : `it ended with ${code}${describeLastOutput()}`),
    (error) => String(error),
  )
  // When this program is forced to exit, PostgreSQL is stopped here on systems without a parent-death signal.
  const stopOnExit = (): void => void postmasterProcess.kill('SIGINT')
  process.once('exit', stopOnExit)
  void ended.then(() => process.off('exit', stopOnExit))
  return {
    ended,
    async stop() {
      for (const [signal, waitMs] of stopSignals) {
        postmasterProcess.kill(signal)
        if (await Promise.race([ended.then(() => true), wait(waitMs, false, { ref: false })])) return
      }
    },
  }
}

/**
 * Starts PostgreSQL, waits until it is ready, and creates our database when it is missing. Call it on the main thread.
 * @throws Error with PostgreSQL's last output when it does not start
 */
export async function launchPostgres(launch: PostgresLaunch): Promise<Postmaster> {
  const { cluster, settings, log } = launch
  const clusterFolder = openClusterFolder(cluster.clusterDir, cluster.user)
  const allSettings = { ...settings, [launcherSetting]: ownProcessId() }
  const postgresCommand = [
    ...parentDeathSignal('INT'),
    join(cluster.binariesDir, 'bin', 'postgres'),
    '-D',
    clusterFolder.path,
  ]
  for (const [name, value] of Object.entries(allSettings)) postgresCommand.push('-c', `${name}=${value}`)
  const postmasterProcess = spawn(postgresCommand[0] ?? '', postgresCommand.slice(1), {
    ...cluster.user,
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    // In a process group of its own: otherwise Ctrl-C in a terminal would stop the database before the program.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', ...clusterFolder.fds],
  })
  clusterFolder.close()
  const postmaster = watchPostmaster(postmasterProcess, logPostgresOutput(postmasterProcess, log))
  let endReason: string | undefined
  void postmaster.ended.then((reason) => (endReason = reason))
  try {
    await waitUntilReady(launch, postmasterProcess.pid, () => endReason !== undefined)
    if (endReason === undefined) {
      await createDatabaseIfMissing(launch.connection)
      return postmaster
    }
  } catch (error) {
    await postmaster.stop()
    throw new Error(`PostgreSQL did not start: ${String(error)}; ${await postmaster.ended}`, { cause: error })
  }
  throw new Error(`PostgreSQL did not start: ${await postmaster.ended}`)
}
