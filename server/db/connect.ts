import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types, type PoolConfig } from 'pg'
import type { Logger } from 'pino'
import type { DB } from './schema.ts'

/** The query builder bound to our schema; an open transaction is one too. */
export type Db = Kysely<DB>

export interface Database {
  db: Db
  pool: Pool
  close(): Promise<void>
}

const int8 = 20
const date = 1082

/**
 * Opens a bounded pool. Counts and byte sums come back as numbers (they stay below 2^53); a statement may take 15 s,
 * waiting for a free connection 5 s.
 */
export function connect(where: PoolConfig, log: Logger, size = 16): Database {
  const pool = new Pool({
    ...where,
    max: size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
    types: {
      getTypeParser: (oid, format) =>
        oid === int8 ? Number : oid === date ? String : types.getTypeParser(oid, format),
    },
  })
  // Without these a connection that breaks while idle or lent would end the program.
  // While the program ends it does not matter who lets go first.
  pool.on('error', (error) => pool.ending || log.warn({ err: error }, 'a database connection broke'))
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, close: () => db.destroy() }
}

const downCodes = /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|57P0[1-5]|08\d{3}|53300|55P03|57014|40P01)$/
const downTexts =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|not currently accepting connections/

/** Whether an error says that the database is away, overloaded or unlocking itself, rather than that a query is wrong. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    ('severity' in error || 'syscall' in error || code === '' ? downCodes.test(code) : false) ||
    downTexts.test(error.message)
  )
}

const violations = { unique: '23505', 'foreign key': '23503' } as const

/** Whether a row could not be written because of one that is there (`unique`), or of one that is gone (`foreign key`). */
export const isViolation = (error: unknown, of: keyof typeof violations): error is Error & { constraint?: string } =>
  error instanceof Error && 'code' in error && error.code === violations[of]

/** Whether the row that is gone is, by the name of the constraint, an account's or a session's. */
export const isCallerGone = (error: unknown): boolean =>
  isViolation(error, 'foreign key') && /_(user_id|session_hash)_fkey$/.test(error.constraint ?? '')
