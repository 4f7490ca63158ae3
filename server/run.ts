import { once } from 'node:events'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { isDatabaseDown } from './platform/db/connect.ts'
import type { HttpServer } from './platform/http/http-types.ts'
import { createMetricsListener, type MetricsPage } from './platform/http/metrics-page.ts'
import { shutDown, type ShutdownStep, waitForShutdown } from './platform/process/shutdown.ts'
import { nodeWarnings, startupBanner, type StartupInfo, startupWarnings } from './startup-banner.ts'
import { StartupError, systemCode } from './faults.ts'
import {
  asSchemaProblem,
  type DatabaseConnection,
  joinOrOpenDatabase,
  openDatabase,
} from './platform/postgres/open-database.ts'

export interface RunOptions {
  config: Config
  log: Logger
  /** Whether to serve HTTP, run jobs, or both. */
  parts: { serve: boolean; work: boolean }
  /** Whether to start also when the store of files is not this installation's. */
  anyway: boolean
  out: { isTTY?: boolean; write(text: string): unknown }
}

/**
 * The length of the queue of new connections, as far as the system allows. Many guests may scan a code in the same second,
 * and a client that does not fit in the queue retries only seconds later.
 */
const connectionBacklog = 4_096

/** Listens on HOST, or on all interfaces: IPv6 and IPv4, or IPv4 alone where there is no IPv6. */
async function listen(http: HttpServer, { host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  try {
    await http.listen({ port, host: host ?? '::', backlog: connectionBacklog })
  } catch (error) {
    const listenErrorCode = systemCode(error)
    if (listenErrorCode === 'EADDRINUSE')
      throw new StartupError(`Port ${port} is used by another program. Stop that program, or set PORT to another port.`)
    if (listenErrorCode === 'EACCES')
      throw new StartupError(`Port ${port} cannot be used by this user. Set PORT to another port, such as 3000.`)
    if (host === undefined && (listenErrorCode === 'EAFNOSUPPORT' || listenErrorCode === 'EADDRNOTAVAIL'))
      return listen(http, { host: '0.0.0.0', port })
    if (host !== undefined && (listenErrorCode === 'ENOTFOUND' || listenErrorCode === 'EADDRNOTAVAIL'))
      throw new StartupError(`HOST is ${host}, which is not an address of this machine.`)
    throw error
  }
}

/** The port that the server listens on; PORT may be 0. */
function listeningPort(http: HttpServer, config: Config): number {
  const address = http.server.address()
  return typeof address === 'object' && address ? address.port : config.port
}

/** Says that the server is ready: on a terminal with a banner, otherwise in the log. */
function announceReady(info: StartupInfo, { log, out }: RunOptions): void {
  if (out.isTTY) {
    out.write(startupBanner(info))
    return
  }
  const { config, port, isolation } = info
  const { publicUrl, mail, payments } = config
  log.info(
    { port, publicUrl, mail: mail.kind, payments: payments.kind, isolation, ms: Math.round(info.startedInMs) },
    'ready',
  )
  for (const warning of startupWarnings(config)) log.warn(warning)
}

/** Listens for Prometheus on METRICS_PORT: on nodes that only run jobs, and where /metrics has a network of its own. */
async function listenForMetrics(page: MetricsPage | undefined, { config, log }: RunOptions): Promise<ShutdownStep[]> {
  const { metricsPort: port, host } = config
  if (port === undefined || !page) return []
  const listener = createMetricsListener(page)
  const listening = once(listener, 'listening')
  listener.listen({ port, host: host ?? '0.0.0.0' })
  try {
    await listening
  } catch (error) {
    throw new StartupError(
      `METRICS_PORT ${port} cannot be used (${systemCode(error) ?? 'unknown reason'}). Set it to a free port above 1023.`,
    )
  }
  const address = listener.address()
  log.info({ port: typeof address === 'object' ? address?.port : port }, 'listening for Prometheus')
  const close = async (): Promise<void> => {
    listener.close()
    listener.closeAllConnections()
  }
  return [{ name: 'metrics', timeoutMs: 1_000, close }]
}

/** Starts the program; resolves when it runs. `shutdownSteps` receives the steps of its shutdown as soon as there are any. */
async function startProgram(options: RunOptions, shutdownSteps: ShutdownStep[]): Promise<DatabaseConnection> {
  const { config, log, parts, anyway } = options
  const startedAt = performance.now()
  const database = parts.serve ? await openDatabase(config, log) : await joinOrOpenDatabase(config, log)
  shutdownSteps.unshift(...database.shutdownSteps)
  const app = await createApp({
    config,
    log,
    database: database.database,
    parts,
    foreignStore: anyway ? 'warn' : 'refuse',
    webDist: join(import.meta.dirname, '../web/dist'),
    webPages: join(import.meta.dirname, '../web/dist-pages/pages.js'),
    guestRenderer: join(import.meta.dirname, '../web/dist-guest/guest.js'),
  }).catch((error: unknown) => {
    throw isDatabaseDown(error)
      ? new StartupError(
          `The database could not be used while the program started (${error instanceof Error ? error.message : String(error)}).`,
          { cause: error },
        )
      : asSchemaProblem(error)
  })
  shutdownSteps.unshift(...app.shutdownSteps)
  // The program starts without its store, and is not ready until it is back.
  app.deps.storage.check().catch((error: unknown) => log.error({ err: error }, 'the store of files cannot be used'))
  shutdownSteps.unshift(...(await listenForMetrics(app.metricsPage, options)))
  if (!parts.serve || !parts.work) for (const warning of nodeWarnings(config)) log.warn(warning)
  const isolation = app.images?.isolation
  if (app.http) {
    await listen(app.http, config)
    app.startMeasuringAvailability?.()
    const port = listeningPort(app.http, config)
    database.updateLock({ address: `http://localhost:${port}` })
    announceReady(
      { config, port, isolation, store: app.deps.storage.kind, startedInMs: performance.now() - startedAt },
      options,
    )
  } else log.info({ isolation }, 'working')
  return database
}

/** Runs the program until it is stopped; resolves with the exit code. */
export async function run(options: RunOptions): Promise<number> {
  const { config, log } = options
  const stopRequested = waitForShutdown(config.parentPid, (signal) => {
    log.warn(`${signal} again: exiting at once`)
    process.exit(1)
  })
  const shutdownSteps: ShutdownStep[] = []
  try {
    const database = await startProgram(options, shutdownSteps)
    const databaseLost = database.lost.then((message) => ({ message }))
    const stopReason = await Promise.race([stopRequested, databaseLost])
    database.updateLock({ stopping: true })
    const isRequested = typeof stopReason === 'string'
    if (isRequested) log.info(`stopping: ${stopReason}`)
    else log.error(stopReason.message)
    const isClean = await shutDown(shutdownSteps, log)
    return isRequested && isClean ? 0 : 1
  } catch (error) {
    await shutDown(shutdownSteps, log)
    throw error
  }
}
