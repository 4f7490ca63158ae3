import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { prepareDataFolder } from '../data-folder.ts'
import { StartProblem, systemCode } from '../start-problem.ts'
import { openBinaries } from './embedded-binaries.ts'
import { databaseName, prepareCluster, superuser, type Cluster } from './embedded-cluster.ts'
import { clusterName, socketFolder } from './embedded-folders.ts'
import { launchPostgres, type Launch, type Postmaster } from './embedded-launch.ts'
import { readPidFile } from './embedded-pid-file.ts'
import { clusterProcesses } from './embedded-processes.ts'
import { settleRemains } from './embedded-remains.ts'
import { postgresSettings } from './embedded-settings.ts'
import { databaseUser } from './embedded-user.ts'

/** For `pg`: `host` is the folder of a unix socket. It stays the same when PostgreSQL is started again. */
export interface EmbeddedConnection {
  host: string
  port: number
  user: string
  database: string
}

/** A PostgreSQL that belongs to this program and is started again when it dies. */
export interface EmbeddedDatabase {
  connection: EmbeddedConnection
  /** `down` while it is being started again after it died. */
  state(): 'up' | 'down' | 'stopped'
  /** Resolves, with a sentence, when it died and could not be brought back: end the program. */
  lost: Promise<string>
  /** Ends PostgreSQL in order, within 30 s. Close every pool first. */
  stop(): Promise<void>
}

/** Where the embedded PostgreSQL lives. */
export interface EmbeddedOptions {
  dataDir: string
  log: Logger
  /** False, for tests, gives up what protects against a crash of the machine. */
  durable?: boolean
}

const againMs = [0, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000]
const steadyMs = 60_000
const clusterIn = (dataDir: string): string => join(resolve(dataDir), 'postgres')
const connectionTo = (host: string, port: number): EmbeddedConnection => ({
  host,
  port,
  user: superuser,
  database: databaseName,
})

/** Everything that comes before PostgreSQL itself; the answer starts it, as often as it is called. */
async function prepare({ dataDir, log, durable = true }: EmbeddedOptions) {
  await prepareDataFolder(dataDir)
  const dir = clusterIn(dataDir)
  const user = databaseUser(dir, log)
  const { native, major } = openBinaries(resolve(dataDir), user, log)
  const cluster: Cluster = { native, dir, user }
  await prepareCluster(cluster, major, durable)
  const name = clusterName(dir)
  const start = async (signal?: AbortSignal): Promise<{ postmaster: Postmaster; connection: EmbeddedConnection }> => {
    const socketDir = socketFolder(dir, user)
    await settleRemains({ clusterDir: dir, name, socketDir }, log)
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

/** Tries again after growing pauses; undefined when every try failed or `signal` stopped it. */
async function revive(start: Start, pausesMs: number[], options: { signal: AbortSignal; log: Logger }) {
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

function supervise(first: Postmaster, start: Start, log: Logger): Omit<EmbeddedDatabase, 'connection'> {
  const stopping = new AbortController()
  const { promise: lost, resolve: lose } = Promise.withResolvers<string>()
  let current = first
  let state: 'up' | 'down' | 'stopped' = 'up'
  const watchOver = async (): Promise<void> => {
    let pausesMs = [...againMs]
    for (;;) {
      const begun = performance.now()
      const why = await current.ended
      if (stopping.signal.aborted) return
      state = 'down'
      log.error(`PostgreSQL died (${why}). Starting it again.`)
      if (performance.now() - begun > steadyMs) pausesMs = [...againMs]
      const next = await revive(start, pausesMs, { signal: stopping.signal, log })
      if (!next) return void lose('PostgreSQL died and did not come up again.')
      current = next
      if (stopping.signal.aborted) return next.stop()
      state = 'up'
      log.info('PostgreSQL is up again')
    }
  }
  const watched = watchOver()
  return {
    lost,
    state: () => state,
    async stop() {
      stopping.abort()
      state = 'stopped'
      await current.stop()
      await watched
    },
  }
}

/**
 * Starts the PostgreSQL that comes with Keepsnap, with its data in `dataDir`/postgres, making both when they are
 * missing and settling whatever a killed program left behind. Hold the data folder (`holdDataFolder`) before.
 * @throws StartProblem with a sentence for the operator; Error with PostgreSQL's last words when it does not come up
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const start = await prepare(options)
  const { postmaster, connection } = await start()
  const watched = supervise(postmaster, async (signal) => (await start(signal)).postmaster, options.log)
  return {
    ...watched,
    connection,
    async stop() {
      await watched.stop()
      rmSync(connection.host, { recursive: true, force: true })
    },
  }
}

/**
 * The embedded PostgreSQL that another process runs on this data folder, for operator commands beside a server.
 * @returns undefined when none runs or it is not ready
 * @throws StartProblem when this user may not look
 */
export function findEmbedded(dataDir: string): EmbeddedConnection | undefined {
  const dir = clusterIn(dataDir)
  try {
    const file = readPidFile(dir)
    if (file?.status !== 'ready') return undefined
    const alive = clusterProcesses(dir, clusterName(dir)).some(({ pid }) => pid === file.pid)
    return alive ? connectionTo(file.socketDir, file.port) : undefined
  } catch (error) {
    throw new StartProblem(
      `The data folder ${dataDir} cannot be read (${systemCode(error) || String(error)}). Run this as the user that runs Keepsnap, or as root.`,
    )
  }
}
