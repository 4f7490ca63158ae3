import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
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
import { restartPauses, supervisePostgres, type SupervisedPostgres } from './supervise-postgres.ts'
import { postgresSettings } from './settings.ts'
import { databaseUser } from './database-user.ts'

/** For `pg`: `host` is the folder of a Unix socket. It stays the same when PostgreSQL is restarted. */
export interface EmbeddedConnection {
  host: string
  port: number
  user: string
  database: string
}

/** A PostgreSQL server of this program, which restarts it after a crash. Close every connection pool before stopping it. */
export interface EmbeddedPostgres extends SupervisedPostgres {
  connection: EmbeddedConnection
}

export interface EmbeddedOptions {
  dataDir: string
  log: Logger
  /** False, for tests only: no protection against a crash of the machine. */
  durable?: boolean
}

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
    { log: options.log, ...restartPauses },
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
