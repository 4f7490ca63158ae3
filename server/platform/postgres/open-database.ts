import { Client, type PoolConfig } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { lockDataFolder, prepareDataFolder } from '../process/data-folder.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import type { ShutdownStep } from '../process/shutdown.ts'
import { StartupError, systemCode } from '../../faults.ts'

/** A database, and the steps that release it. */
export interface DatabaseConnection {
  database: PoolConfig
  shutdownSteps: ShutdownStep[]
  /** Resolves with a message when another program may use the data folder: this one must exit. */
  lost: Promise<string>
  /** Adds to what other programs read in the lock of the data folder. */
  updateLock(more: { address?: string; stopping?: boolean }): void
}

const neverLost = new Promise<string>(() => {})

const connectMs = 10_000
const runbook = 'docs/runbook.md, "Move to your own PostgreSQL", has the commands.'

/** What is wrong when a database cannot be connected to, and what to do; for an operator who knows DATABASE_URL only. */
function connectionProblem(error: unknown, { host, port, user, database }: Client): string {
  const message = error instanceof Error ? error.message : String(error)
  const code = systemCode(error)
  const address = host.startsWith('/') ? `the socket in ${host}` : `${host}:${port}`
  const because = [message, code].filter(Boolean).join('; ')
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host ${host} of DATABASE_URL is not found (${code}). Correct its name, or look at the name server of this machine.`
  if (code === 'ECONNREFUSED' || code === 'ENOENT')
    return `No PostgreSQL answers at ${address}, the address in DATABASE_URL (${code}). Start it, or correct host and port.`
  if (/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(code) || message.startsWith('timeout'))
    return `The host of DATABASE_URL, ${address}, cannot be reached (${because}). Is the machine running, and does a firewall let port ${port} through?`
  if (code === '3D000')
    return `There is no database ${database} on the PostgreSQL at ${address} (${code}). Create it, or correct DATABASE_URL; ${runbook}`
  if (code.startsWith('28') || message.startsWith('SASL'))
    return `The PostgreSQL at ${address} does not let the user ${user} in (${because}). Correct user and password in DATABASE_URL, with special characters percent-encoded, or allow the user in pg_hba.conf.`
  if (message.includes('does not support SSL'))
    return `DATABASE_URL asks for TLS, which the PostgreSQL at ${address} does not offer. Switch it on there, or remove sslmode from DATABASE_URL.`
  if (/CERT|SIGN|ISSUER|TLS|SSL/.test(code))
    return `The certificate of the PostgreSQL at ${address} is not accepted (${because}). Correct it, or name the certificate of its authority: sslrootcert=FILE in DATABASE_URL.`
  return `The PostgreSQL at ${address} cannot be used (${because}).`
}

/** @throws StartupError when DATABASE_URL cannot be read, or a file of certificates in it */
function clientOf(connectionString: string): Client {
  try {
    return new Client({ connectionString, connectionTimeoutMillis: connectMs })
  } catch (error) {
    // Without the cause, which may have the password.
    throw new StartupError(
      `DATABASE_URL cannot be used (${error instanceof Error ? error.message : String(error)}). Give one such as postgres://user:password@host:5432/keepsnap, with special characters percent-encoded, and certificates in files that can be read.`,
    )
  }
}

/** @throws StartupError when the database of DATABASE_URL cannot be connected to; says why */
async function checkConnection(connectionString: string): Promise<void> {
  const client = clientOf(connectionString)
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new StartupError(connectionProblem(error, client), { cause: error })
  } finally {
    await client.end().catch(() => {})
  }
}

/** The error that says what is in the way of our tables, for a database that was not made for Keepsnap; others stay as they are. */
export function asSchemaProblem(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const isForeign = /^42(P0[67]|710)$/.test(systemCode(cause)) // exists already: a table, a schema, a type
    if (!isForeign && systemCode(cause) !== '42501') continue
    return new StartupError(
      isForeign
        ? `The database has tables of another program, which Keepsnap does not touch (${cause.message}). Give it a database of its own in DATABASE_URL; ${runbook}`
        : `The user of DATABASE_URL may not make the tables of Keepsnap (${cause.message}). Make it the owner of the database; ${runbook}`,
      { cause: error },
    )
  }
  return error
}

/** The database of DATABASE_URL, or the embedded one in the data folder, which is locked for this program. */
export async function openDatabase(config: Config, log: Logger): Promise<DatabaseConnection> {
  await prepareDataFolder(config.dataDir)
  if (config.databaseUrl) {
    await checkConnection(config.databaseUrl)
    return {
      database: { connectionString: config.databaseUrl },
      shutdownSteps: [],
      lost: neverLost,
      updateLock: () => {},
    }
  }
  const folderLock = await lockDataFolder(config.dataDir)
  try {
    const embeddedPostgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
    return {
      database: embeddedPostgres.connection,
      lost: folderLock.lost,
      updateLock: folderLock.update,
      shutdownSteps: [
        { name: 'PostgreSQL', timeoutMs: 20_000, close: () => embeddedPostgres.stop() },
        { name: 'data folder lock', timeoutMs: 1_000, close: () => folderLock.release() },
      ],
    }
  } catch (error) {
    await folderLock.release()
    throw error
  }
}

/** The database of a running server, if there is one; otherwise like `openDatabase`. */
export async function joinOrOpenDatabase(config: Config, log: Logger): Promise<DatabaseConnection> {
  const runningPostgres = config.databaseUrl ? undefined : findEmbeddedPostgres(config.dataDir)
  return runningPostgres
    ? { database: runningPostgres, shutdownSteps: [], lost: neverLost, updateLock: () => {} }
    : openDatabase(config, log)
}
