import { join } from 'node:path'
import type { Logger } from 'pino'
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/connect.ts'
import { isPrivateUrl } from '../lib/private-url.ts'
import type { DatabaseConnection } from '../postgres/open-database.ts'
import { shutDown, waitForShutdown } from '../runtime/shutdown.ts'
import { StartupError } from '../runtime/startup-error.ts'
import { refuseUsedDatabase } from './accounts.ts'
import { fillInstance } from './fill-instance.ts'
import { waitUntilProcessed } from './photos.ts'

/** What the command `demo` works with. */
interface DemoContext {
  config: Config
  log: Logger
  db: Db
  database: DatabaseConnection['database']
  /** Prints progress for the operator. */
  reportProgress(progress: string): void
}

/** Throws for a site on the internet and for real payments, where invented accounts must not exist. */
export function refusePublicSite({ publicUrl, payments }: Config): void {
  if (!isPrivateUrl(publicUrl))
    throw new StartupError(
      `demo is only for a machine or a network of your own, and PUBLIC_URL is ${publicUrl}. Set it to a loopback or private address, such as http://localhost:3000.`,
    )
  if (payments.kind !== 'demo')
    throw new StartupError(
      `demo needs demo payments, and payments are ${payments.kind} here. Set PAYMENTS=demo for the server and for this command.`,
    )
}

const interrupted =
  'Interrupted: some of the accounts and photos exist, without passwords to sign in. Stop the server, delete the data folder (or empty the database of DATABASE_URL), and run demo again.'

/** The app without a listening socket; a server may be running on the same database. */
const openApp = ({ config, log, database }: DemoContext) =>
  createApp({
    config,
    log,
    database,
    parts: { serve: true, work: true },
    webDist: join(import.meta.dirname, '../../web/dist'),
    guestRenderer: join(import.meta.dirname, '../../web/dist-guest/guest.js'),
    webPages: join(import.meta.dirname, '../../web/dist-pages/pages.js'),
  })

/** Fills an empty instance; resolves to the text to print. Stops on SIGINT and SIGTERM. */
export async function runDemo(context: DemoContext): Promise<string> {
  const { config, log, db, reportProgress } = context
  refusePublicSite(config)
  await refuseUsedDatabase(db)
  const stop = new AbortController()
  const stopped = waitForShutdown(config.parentPid, () => process.exit(1))
  void stopped.then(() => stop.abort(new StartupError(interrupted)))
  const { deps, http, shutdownSteps } = await openApp(context)
  try {
    if (!http) throw new Error('the program has no API')
    const { signal } = stop
    const fillContext = { deps, http, publicUrl: config.publicUrl, signal, reportProgress }
    return await fillInstance({ ...fillContext, waitUntilProcessed: () => waitUntilProcessed(db, signal) })
  } catch (error) {
    // After an interruption, any error is a consequence of it.
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    await shutDown(shutdownSteps, log)
  }
}
