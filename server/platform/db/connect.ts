import { Kysely, PostgresDialect } from 'kysely'
import { Client, type ClientConfig, Pool, type PoolConfig, types } from 'pg'
import type { Logger } from 'pino'
import type { DB } from './schema.ts'

/** The query builder for our schema; a transaction has the same type. */
export type Db = Kysely<DB>

export interface Database {
  db: Db
  pool: Pool
  close(): Promise<void>
}

const poolByDb = new WeakMap<Db, Pool>()

/** The pool of a query builder that `connect` has returned; a transaction has none. */
export function poolOf(db: Db): Pool {
  const pool = poolByDb.get(db)
  if (!pool) throw new Error('only what connect() returns has a pool')
  return pool
}

const int8Oid = 20
const dateOid = 1082

/**
 * Opens a connection pool. 64-bit integers are returned as numbers (counts and byte sums stay below 2^53). Timeouts, unless
 * `config` has others: 15 s for a statement, 5 s for a free connection.
 */
export function connect(config: PoolConfig, log: Logger, size = 16): Database {
  const pool = new Pool({
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    ...config,
    // A database host that disappears sends no reset; without keep-alive, its queries would never end.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    max: size,
    idleTimeoutMillis: 60_000,
    idle_in_transaction_session_timeout: 30_000,
    types: {
      getTypeParser: (oid, format) =>
        oid === int8Oid ? Number : oid === dateOid ? String : types.getTypeParser(oid, format),
    },
  })
  // Without these listeners, a connection that breaks, idle or in use, would end the process. During shutdown the order of
  // closing does not matter.
  pool.on('error', (error) => pool.ending || log.warn({ err: error }, 'a database connection was lost'))
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  poolByDb.set(db, pool)
  return { db, pool, close: () => db.destroy() }
}

const databaseDownCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|57P0[1-5]|08\d{3}|53[1-3]00|25006|55P03|57014|40P01)$/
const databaseDownMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|not currently accepting connections/

/**
 * Whether an error means that the database is down, overloaded, full, read-only or breaking a deadlock, rather than that a
 * query is wrong.
 */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    ('severity' in error || 'syscall' in error || code === '' ? databaseDownCodes.test(code) : false) ||
    databaseDownMessages.test(error.message)
  )
}

/** Ignores the errors of a database that is down, full or read-only: for writes that are optional. */
export function ignoreDatabaseDown(error: unknown): void {
  if (!isDatabaseDown(error)) throw error
}

const violationCodes = { unique: '23505', 'foreign key': '23503' } as const

/** Whether an error is a violation of a unique or foreign-key constraint. */
export const isViolation = (
  error: unknown,
  of: keyof typeof violationCodes,
): error is Error & { constraint?: string } =>
  error instanceof Error && 'code' in error && error.code === violationCodes[of]

/** True for a foreign-key violation on `user_id` or `session_hash`. */
export const isCallerForeignKeyViolation = (error: unknown): boolean =>
  isViolation(error, 'foreign key') && /_(user_id|session_hash)_fkey$/.test(error.constraint ?? '')

/** A database connection that listens on a channel and is reopened whenever it is lost. */
export interface ListenConnection {
  isListening(): boolean
  close(): Promise<void>
}

interface ListenOptions {
  channel: string
  onNotification(payload: string): void
  /** Called when listening has begun, and when the connection or an attempt to open it has failed. */
  onStateChange(isListening: boolean): void
}

const clientOptions = { connectionTimeoutMillis: 5_000, query_timeout: 5_000, keepAlive: true }
const connectionCheckMs = 10_000
const reconnectMs = { first: 200, max: 5_000 }

/** Keeps a connection listening until `close`; retries with exponential backoff, and checks every 10 s that it responds. */
export function keepListening(database: ClientConfig, options: ListenOptions): ListenConnection {
  const { channel, onNotification, onStateChange } = options
  let currentClient: Client | undefined
  let isListening = false
  let isClosed = false
  let retryTimer: NodeJS.Timeout | undefined

  const reconnect = (lostClient: Client, delayMs: number): void => {
    if (currentClient !== lostClient || isClosed) return
    currentClient = undefined
    isListening = false
    onStateChange(false)
    void lostClient.end().catch(() => {})
    retryTimer = setTimeout(() => void openConnection(Math.min(delayMs * 2, reconnectMs.max)), delayMs)
  }
  const openConnection = async (nextDelayMs: number): Promise<void> => {
    const listenClient = new Client({ ...database, ...clientOptions })
    currentClient = listenClient
    listenClient.on('error', () => reconnect(listenClient, nextDelayMs))
    listenClient.on('end', () => reconnect(listenClient, nextDelayMs))
    listenClient.on('notification', ({ payload }) => onNotification(payload ?? ''))
    try {
      await listenClient.connect()
      await listenClient.query(`listen ${channel}`)
      if (currentClient !== listenClient) return
      isListening = true
      onStateChange(true)
    } catch {
      reconnect(listenClient, nextDelayMs)
    }
  }
  const connectionCheck = setInterval(() => {
    const listenClient = currentClient
    if (listenClient && isListening)
      listenClient.query('select 1').catch(() => reconnect(listenClient, reconnectMs.first))
  }, connectionCheckMs)
  connectionCheck.unref()
  void openConnection(reconnectMs.first)

  return {
    isListening: () => isListening,
    async close() {
      isClosed = true
      clearInterval(connectionCheck)
      clearTimeout(retryTimer)
      await currentClient?.end().catch(() => {})
    },
  }
}
