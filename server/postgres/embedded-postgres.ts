import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { prepareDataFolder } from '../runtime/data-folder.ts'
import { StartupError, systemCode } from '../runtime/startup-error.ts'
import { locateBinaries } from './binaries.ts'
import { databaseName, prepareCluster, superuser, type Cluster } from './cluster.ts'
import { clusterName, prepareSocketFolder } from './socket-folder.ts'
import { launchPostgres, type Launch, type Postmaster } from './postmaster.ts'
import { readPidFile } from './pid-file.ts'
import { clusterProcesses } from './cluster-processes.ts'
import { stopStaleProcesses } from './stale-processes.ts'
import { postgresSettings } from './settings.ts'
import { databaseUser } from './database-user.ts'

/** For `pg`: `host` is the folder of a Unix socket. It stays the same when PostgreSQL is restarted. */
export interface EmbeddedConnection {
  host: string
  port: number
  user: string
  database: string
}

/** A PostgreSQL server of this program, which restarts it after a crash. */
export interface EmbeddedPostgres {
  connection: EmbeddedConnection
  /** `down` while it is being restarted after a crash. */
  state(): 'up' | 'down' | 'stopped'
  /** Resolves with a message when it crashed and could not be restarted: the program must exit. */
  lost: Promise<string>
  /** Shuts PostgreSQL down within 30 s. Close every connection pool first. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: Logger
  /** False, for tests only: no protection against a crash of the machine. */
  durable?: boolean
}

const restartPausesMs = [0, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000]
const stableAfterMs = 60_000
const clusterIn = (dataDir: string): string => join(resolve(dataDir), 'postgres')
const connectionTo = (host: string, port: number): EmbeddedConnection => ({
  host,
  port,
  user: superuser,
  database: databaseName,
})

/** Prepares everything that PostgreSQL needs; returns a function that starts it, which may be called again. */
async function prepareStart({ dataDir, log, durable = true }: EmbeddedOptions) {
  await prepareDataFolder(dataDir)
  const dir = clusterIn(dataDir)
  const user = databaseUser(dir, log)
  const { native, major } = locateBinaries(resolve(dataDir), user, log)
  const cluster: Cluster = { native, dir, user }
  await prepareCluster(cluster, major, durable)
  const name = clusterName(dir)
  const start = async (signal?: AbortSignal): Promise<{ postmaster: Postmaster; connection: EmbeddedConnection }> => {
    const socketDir = prepareSocketFolder(dir, user)
    await stopStaleProcesses({ clusterDir: dir, name, socketDir }, log)
    const connection = connectionTo(socketDir, 5432)
    const launch: Launch = {
      cluster,
      settings: postgresSettings({ socketDir, name, durable }),
      connection,
      log,
      ...(signal && { signal }),
    }
    return { postmaster: await launchPostgres(launch), connection }
  }
  return start
}

type Start = (signal: AbortSignal) => Promise<Postmaster>

/** Tries to start PostgreSQL after increasing pauses; undefined when all attempts failed or `signal` was aborted. */
async function restart(start: Start, pausesMs: number[], options: { signal: AbortSignal; log: Logger }) {
  const { signal, log } = options
  for (let pauseMs = pausesMs.shift(); pauseMs !== undefined; pauseMs = pausesMs.shift()) {
    try {
      await delay(pauseMs, undefined, { signal })
      return await start(signal)
    } catch (error) {
      if (signal.aborted) return undefined
      log.error(`${error instanceof Error ? error.message : String(error)}. Trying again.`)
    }
  }
  return undefined
}

function supervise(first: Postmaster, start: Start, log: Logger): Omit<EmbeddedPostgres, 'connection'> {
  const stopping = new AbortController()
  const { promise: lost, resolve: onLost } = Promise.withResolvers<string>()
  let current = first
  let state: 'up' | 'down' | 'stopped' = 'up'
  const restartWhenEnded = async (): Promise<void> => {
    let pausesMs = [...restartPausesMs]
    for (;;) {
      const startedAt = performance.now()
      const reason = await current.ended
      if (stopping.signal.aborted) return
      state = 'down'
      log.error(`PostgreSQL crashed (${reason}). Starting it again.`)
      if (performance.now() - startedAt > stableAfterMs) pausesMs = [...restartPausesMs]
      const next = await restart(start, pausesMs, { signal: stopping.signal, log })
      if (!next) return void onLost('PostgreSQL crashed and did not start again.')
      current = next
      if (stopping.signal.aborted) return next.stop()
      state = 'up'
      log.info('PostgreSQL is running again')
    }
  }
  const supervised = restartWhenEnded()
  return {
    lost,
    state: () => state,
    async stop() {
      stopping.abort()
      state = 'stopped'
      await current.stop()
      await supervised
    },
  }
}

/**
 * Starts the embedded PostgreSQL with its data in `dataDir`/postgres. Creates the cluster when it is missing and stops what
 * a killed program left running. Lock the data folder (`lockDataFolder`) before.
 * @throws StartupError that the operator can fix; Error with PostgreSQL's last output when it does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const start = await prepareStart(options)
  const { postmaster, connection } = await start()
  const server = supervise(postmaster, async (signal) => (await start(signal)).postmaster, options.log)
  return {
    ...server,
    connection,
    async stop() {
      await server.stop()
      rmSync(connection.host, { recursive: true, force: true })
    },
  }
}

/**
 * The embedded PostgreSQL of a running server with this data folder, for operator commands.
 * @returns undefined when none is running or it is not ready
 * @throws StartupError when this user may not read the data folder
 */
export function findEmbeddedPostgres(dataDir: string): EmbeddedConnection | undefined {
  const dir = clusterIn(dataDir)
  try {
    const file = readPidFile(dir)
    if (file?.status !== 'ready') return undefined
    const alive = clusterProcesses(dir, clusterName(dir)).some(({ pid }) => pid === file.pid)
    return alive ? connectionTo(file.socketDir, file.port) : undefined
  } catch (error) {
    throw new StartupError(
      `The data folder ${dataDir} cannot be read (${systemCode(error) || String(error)}). Run this as the user that runs Keepsnap, or as root.`,
    )
  }
}
