import { createHash } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { prepareDataFolder } from '../process/data-folder.ts'
import { StartupError, systemCode } from '../../faults.ts'
import { databaseUser, type DatabaseUser, isOwnFolder, isReachable, locateBinaries } from './binaries.ts'
import {
  clusterProcesses,
  launchPostgres,
  type PostgresLaunch,
  type Postmaster,
  readPidFile,
  restartPauses,
  stopStaleProcesses,
  type SupervisedPostgres,
  supervisePostgres,
} from './postmaster.ts'
import { type Cluster, databaseName, postgresSettings, prepareCluster, superuser } from './cluster.ts'

/** For `pg`: `host` is the folder of a Unix socket. It stays the same when PostgreSQL is restarted. */
export interface EmbeddedConnection {
  host: string
  port: number
  user: string
  database: string
}

/** A PostgreSQL server of this program, which restarts it after a crash. Close every connection pool before stopping it. */
interface EmbeddedPostgres extends SupervisedPostgres {
  connection: EmbeddedConnection
}

interface EmbeddedOptions {
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

/** The limit of socket paths: 107 bytes on Linux and 103 on macOS, for the folder, a slash and the name. */
const maxSocketBytes = 103
const socketName = '.s.PGSQL.5432'

/** A name that identifies a folder, whichever path it is reached by. */
function clusterName(clusterDir: string): string {
  const { dev, ino } = statSync(clusterDir, { bigint: true })
  return `keepsnap-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 12)}`
}

/** Finds or creates the private folder of the cluster's socket, in the temporary folder because socket paths must be short. */
function prepareSocketFolder(clusterDir: string, user: DatabaseUser | undefined): string {
  // `mkdtemp` below adds seven bytes.
  const isShortEnough = Buffer.byteLength(join(tmpdir(), clusterName(clusterDir), socketName)) <= maxSocketBytes - 7
  const socketParent = isShortEnough && (!user || isReachable(tmpdir(), user)) ? realpathSync(tmpdir()) : '/tmp'
  const uid = user?.uid ?? process.geteuid?.() ?? 0
  const socketFolder = join(socketParent, clusterName(clusterDir))
  // Another user's folder must not be trusted.
  if (isOwnFolder(socketFolder, uid, 0o077)) return socketFolder
  const createSocketFolder = (): string => {
    try {
      mkdirSync(socketFolder, { mode: 0o700 })
      return socketFolder
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
      return mkdtempSync(`${socketFolder}-`)
    }
  }
  const createdFolder = createSocketFolder()
  chmodSync(createdFolder, 0o700)
  if (user) chownSync(createdFolder, user.uid, user.gid)
  return createdFolder
}
