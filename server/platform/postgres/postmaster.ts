import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Logger } from 'pino'
import { Client, type ClientConfig } from 'pg'
import {
  hasProc,
  isRunning,
  isSameProcess,
  ownProcessId,
  parentDeathSignal,
  readProcessStat,
} from '../process/processes.ts'
import { StartupError, systemCode } from '../../faults.ts'
import { type Cluster, databaseName, openClusterFolder } from './cluster.ts'

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

/** A running PostgreSQL process; zombies are left out. */
interface PostgresProcess {
  pid: number
  command: string
}

const processTitleOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function listPostgresProcesses(): PostgresProcess[] {
  if (hasProc) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => readProcessStat(pid).name === 'postgres' && isRunning(pid))
      .map((pid) => ({ pid, command: processTitleOf(pid) }))
  }
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,state=,command='], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, command = ''] = /^\s*(\d+)\s+[^\sZ]\S*\s(.*)$/.exec(line) ?? []
    return command.includes('postgres') ? [{ pid: Number(pid), command: command.trimStart() }] : []
  })
}

const hasWorkingDirectory = (pid: number, clusterFolder: { dev: number; ino: number }): boolean => {
  const workingDirectory = hasProc ? statSync(`/proc/${pid}/cwd`, { throwIfNoEntry: false }) : undefined
  return workingDirectory?.dev === clusterFolder.dev && workingDirectory.ino === clusterFolder.ino
}

/**
 * The running processes of a cluster. Their titles contain its name (the setting cluster_name), which every user can read.
 * A process that was started without the name is found by its working directory, where that is readable.
 */
export function clusterProcesses(clusterDir: string, name: string): PostgresProcess[] {
  const clusterFolder = statSync(clusterDir)
  return listPostgresProcesses().filter(({ pid, command }) => {
    if (command.includes(name)) return true
    try {
      return hasWorkingDirectory(pid, clusterFolder)
    } catch {
      return false
    }
  })
}

/** The contents of postmaster.pid, which a postmaster writes into its cluster. The file of a killed postmaster remains. */
interface PidFile {
  pid: number
  port: number
  socketDir: string
  /** `starting`, `ready`, `stopping` or `standby`; empty at first. */
  status: string
}

/** @returns undefined when the file does not exist; other errors are thrown */
export function readPidFile(clusterDir: string): PidFile | undefined {
  try {
    const [pid, , , port, socketDir = '', , , status = ''] = readFileSync(
      join(clusterDir, 'postmaster.pid'),
      'utf8',
    ).split('\n')
    return { pid: Number(pid), port: Number(port), socketDir, status: status.trim() }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return undefined
    throw error
  }
}

/** A custom PostgreSQL setting with the `ownProcessId` of the program that started the postmaster. */
const launcherSetting = 'keepsnap.launcher'

const stopTimeoutsMs = { stop: 25_000, quit: 3_000, kill: 20_000 }
const exitCheckMs = 25

const sendSignal = (processes: readonly PostgresProcess[], name: NodeJS.Signals): void => {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name)
    } catch {
      // It has just ended.
    }
  }
}

/**
 * Stops the processes that an earlier program left running in this cluster and removes stale lock files, so that PostgreSQL
 * can start: a postmaster whose program was killed, backends whose postmaster was killed, a postmaster that is a zombie.
 * @throws StartupError when the program that started them is still running, or when they cannot be stopped
 */
export async function stopStaleProcesses(
  { clusterDir, name, socketDir }: { clusterDir: string; name: string; socketDir: string },
  log: Logger,
): Promise<void> {
  const aliveProcesses = (): PostgresProcess[] => clusterProcesses(clusterDir, name)
  const endedWithin = async (ms: number): Promise<boolean> => {
    for (const waitEnd = performance.now() + ms; performance.now() < waitEnd; await wait(exitCheckMs))
      if (aliveProcesses().length === 0) return true
    return false
  }
  const staleProcesses = aliveProcesses()
  if (staleProcesses.length > 0) {
    const postmaster = staleProcesses.find(({ pid }) => pid === readPidFile(clusterDir)?.pid)
    const launcher = new RegExp(`${launcherSetting}=(\\d+-\\d+)`).exec(postmaster?.command ?? '')?.[1]
    if (launcher && isSameProcess(launcher)) {
      throw new StartupError(
        `The database in ${clusterDir} is in use by process ${launcher.split('-')[0]}. Stop that one first.`,
      )
    }
    log.info('stopping the PostgreSQL processes of a program that was killed')
    if (postmaster) sendSignal([postmaster], 'SIGINT')
    if (!(await endedWithin(postmaster ? stopTimeoutsMs.stop : stopTimeoutsMs.quit))) {
      sendSignal(aliveProcesses(), 'SIGQUIT')
      if (!(await endedWithin(stopTimeoutsMs.quit))) sendSignal(aliveProcesses(), 'SIGKILL')
      if (!(await endedWithin(stopTimeoutsMs.kill))) {
        throw new StartupError(
          `The database in ${clusterDir} is still in use by process ${aliveProcesses()[0]?.pid}, which cannot be stopped. Restart the machine or the container.`,
        )
      }
    }
  }
  // No process of the cluster is left, so these are stale even if another process has the same id by now.
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true })
  for (const socketFile of readdirSync(socketDir))
    if (socketFile.startsWith('.s.PGSQL.')) rmSync(join(socketDir, socketFile), { force: true })
}

/** `down` while PostgreSQL is being restarted after a crash. */
type PostgresState = 'up' | 'down' | 'stopped'

/** A PostgreSQL that is started again after every crash. */
export interface SupervisedPostgres {
  state(): PostgresState
  /** Shuts it down, and ends the attempts to start it. */
  stop(): Promise<void>
}

/** How fast PostgreSQL is started again. */
interface RestartPauses {
  /** Before the first attempt, the second, and so on; the last one repeats. */
  pausesMs: readonly number[]
  /** After it has run for this long, the next crash is the first one again. */
  stableRunMs: number
}

/** Those of the program; shorter in tests. */
export const restartPauses: RestartPauses = { pausesMs: [0, 200, 500, 1_000, 2_000, 5_000, 10_000], stableRunMs: 2_000 }

type StartPostgres = (abortSignal: AbortSignal) => Promise<Postmaster>

/**
 * Starts PostgreSQL again after each crash, for as long as the program runs. Meanwhile requests are answered 503, and clients
 * that try again are served once it is back. If the program gave up, a person would have to start it.
 */
export function supervisePostgres(
  firstPostmaster: Postmaster,
  startPostgres: StartPostgres,
  { log, pausesMs, stableRunMs }: { log: Logger } & RestartPauses,
): SupervisedPostgres {
  const stopRequested = new AbortController()
  const { signal } = stopRequested
  let currentPostmaster = firstPostmaster
  let postgresState: PostgresState = 'up'
  let attempts = 0
  /** Undefined when the program stops. */
  const startAgain = async (): Promise<Postmaster | undefined> => {
    while (!signal.aborted) {
      try {
        await wait(pausesMs[Math.min(attempts++, pausesMs.length - 1)], undefined, { signal })
        return await startPostgres(signal)
      } catch (error) {
        if (!signal.aborted) log.error(`${error instanceof Error ? error.message : String(error)}. Trying again.`)
      }
    }
    return undefined
  }
  const restartWhenEnded = async (): Promise<void> => {
    for (;;) {
      const startedAt = performance.now()
      const crashReason = await currentPostmaster.ended
      if (signal.aborted) return
      postgresState = 'down'
      log.error(`PostgreSQL crashed (${crashReason}). Starting it again.`)
      if (performance.now() - startedAt > stableRunMs) attempts = 0
      const nextPostmaster = await startAgain()
      if (!nextPostmaster) return
      currentPostmaster = nextPostmaster
      if (signal.aborted) return nextPostmaster.stop()
      postgresState = 'up'
      log.info('PostgreSQL is running again')
    }
  }
  const supervised = restartWhenEnded()
  return {
    state: () => postgresState,
    async stop() {
      stopRequested.abort()
      postgresState = 'stopped'
      await currentPostmaster.stop()
      await supervised
    },
  }
}
