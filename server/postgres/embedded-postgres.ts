import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { prepareDataFolder } from '../runtime/data-folder.ts'
import { StartupError, systemCode } from '../runtime/startup-error.ts'
import { locateBinaries } from './binaries.ts'
import { databaseName, prepareCluster, superuser, type Cluster } from './cluster.ts'
import { clusterName, prepareSocketFolder } from './socket-folder.ts'
import { launchPostgres, type PostgresLaunch, type Postmaster } from './postmaster.ts'
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
const stableRunMs = 60_000
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
  const clusterDir = clusterIn(dataDir)
  const user = databaseUser(clusterDir, log)
  const { binariesDir, major } = locateBinaries(resolve(dataDir), user, log)
  const cluster: Cluster = { binariesDir, clusterDir, user }
  await prepareCluster(cluster, major, durable)
  const name = clusterName(clusterDir)
  const startPostgres = async (
    abortSignal?: AbortSignal,
  ): Promise<{ postmaster: Postmaster; connection: EmbeddedConnection }> => {
    const socketDir = prepareSocketFolder(clusterDir, user)
    await stopStaleProcesses({ clusterDir, name, socketDir }, log)
    const connection = connectionTo(socketDir, 5432)
    const launch: PostgresLaunch = {
      cluster,
      settings: postgresSettings({ socketDir, name, durable }),
      connection,
      log,
      ...(abortSignal && { signal: abortSignal }),
    }
    return { postmaster: await launchPostgres(launch), connection }
  }
  return startPostgres
}

type StartPostgres = (abortSignal: AbortSignal) => Promise<Postmaster>

/** Tries to start PostgreSQL after increasing pauses; undefined when all attempts failed or `abortSignal` was aborted. */
async function restartPostgres(
  startPostgres: StartPostgres,
  restartPausesLeftMs: number[],
  options: { signal: AbortSignal; log: Logger },
) {
  const { signal: abortSignal, log } = options
  for (
    let restartPauseMs = restartPausesLeftMs.shift();
    restartPauseMs !== undefined;
    restartPauseMs = restartPausesLeftMs.shift()
  ) {
    try {
      await wait(restartPauseMs, undefined, { signal: abortSignal })
      return await startPostgres(abortSignal)
    } catch (error) {
      if (abortSignal.aborted) return undefined
      log.error(`${error instanceof Error ? error.message : String(error)}. Trying again.`)
    }
  }
  return undefined
}

function supervisePostgres(
  firstPostmaster: Postmaster,
  startPostgres: StartPostgres,
  log: Logger,
): Omit<EmbeddedPostgres, 'connection'> {
  const stopRequested = new AbortController()
  const { promise: lost, resolve: onLost } = Promise.withResolvers<string>()
  let currentPostmaster = firstPostmaster
  let postgresState: 'up' | 'down' | 'stopped' = 'up'
  const restartWhenEnded = async (): Promise<void> => {
    let restartPausesLeftMs = [...restartPausesMs]
    for (;;) {
      const startedAt = performance.now()
      const crashReason = await currentPostmaster.ended
      if (stopRequested.signal.aborted) return
      postgresState = 'down'
      log.error(`PostgreSQL crashed (${crashReason}). Starting it again.`)
      if (performance.now() - startedAt > stableRunMs) restartPausesLeftMs = [...restartPausesMs]
      const nextPostmaster = await restartPostgres(startPostgres, restartPausesLeftMs, {
        signal: stopRequested.signal,
        log,
      })
      if (!nextPostmaster) return void onLost('PostgreSQL crashed and did not start again.')
      currentPostmaster = nextPostmaster
      if (stopRequested.signal.aborted) return nextPostmaster.stop()
      postgresState = 'up'
      log.info('PostgreSQL is running again')
    }
  }
  const supervised = restartWhenEnded()
  return {
    lost,
    state: () => postgresState,
    async stop() {
      stopRequested.abort()
      postgresState = 'stopped'
      await currentPostmaster.stop()
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
  const startPostgres = await prepareStart(options)
  const { postmaster, connection } = await startPostgres()
  const supervisedPostgres = supervisePostgres(
    postmaster,
    async (abortSignal) => (await startPostgres(abortSignal)).postmaster,
    options.log,
  )
  return {
    ...supervisedPostgres,
    connection,
    async stop() {
      await supervisedPostgres.stop()
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
  const clusterDir = clusterIn(dataDir)
  try {
    const pidFile = readPidFile(clusterDir)
    if (pidFile?.status !== 'ready') return undefined
    const isAlive = clusterProcesses(clusterDir, clusterName(clusterDir)).some(({ pid }) => pid === pidFile.pid)
    return isAlive ? connectionTo(pidFile.socketDir, pidFile.port) : undefined
  } catch (error) {
    throw new StartupError(
      `The data folder ${dataDir} cannot be read (${systemCode(error) || String(error)}). Run this as the user that runs Keepsnap, or as root.`,
    )
  }
}
