import { cp, mkdtemp, readdir, readFile, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMigrations } from 'graphile-worker'
import { Migrator } from 'kysely/migration'
import { Client, escapeIdentifier, type PoolConfig } from 'pg'
import { connect } from '../../platform/db/connect.ts'
import { migrations } from '../../platform/db/migrations/all.ts'
import { createLog } from '../../platform/process/log.ts'
import { cloneDatabase } from '../cloned-database.ts'

/**
 * URLs of old versions that are closed while their photo is hidden, by their names in `expected.json`: since migration 0046 only
 * those signed with the time since when are open. They work again once the photo is shown.
 */
export const closedWhileHidden = ['b2_url of hidden.jpg, at first', 'thumbnail_url of hidden.jpg, in the end']

/** The first line of a fixture's rows. */
interface Head {
  /** The last migration that the rows fit. */
  migration: string
  dumpedAt: string
}
type Row = Record<string, unknown>

const twoDaysMs = 2 * 24 * 60 * 60 * 1000

async function readRows(file: string): Promise<{ head: Head; tables: Map<string, Row[]> }> {
  const [first = '', ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const tables = new Map<string, Row[]>()
  for (const line of lines) {
    const { table, row } = JSON.parse(line) as { table: string; row: Row } // as the fixture's README.md describes
    tables.set(table, [...(tables.get(table) ?? []), row])
  }
  return { head: JSON.parse(first) as Head, tables } // as above
}

/** An empty database with the schema of an earlier commit. */
async function createDatabase(migration: string): Promise<{ database: PoolConfig; drop: () => Promise<void> }> {
  const { database, drop } = await cloneDatabase({ isBare: true })
  const { db, pool, close } = connect(database, createLog('error'), 2)
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(migration)
  if (error) throw new Error(`the database could not be migrated to ${migration}`, { cause: error })
  await runMigrations({ pgPool: pool })
  await close()
  return { database, drop }
}

async function insertRows(client: Client, table: string, rows: Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
    .map(escapeIdentifier)
    .join()
  await client.query(
    `insert into ${table} (${columns}) overriding system value
     select ${columns} from json_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  )
}

/** Moves all times to where they would be had the rows been written just now: links and sessions have not expired. */
async function moveTimes(client: Client, table: string, dumpedAt: string): Promise<void> {
  const { rows } = await client.query<{ column: string; type: string }>(
    `select quote_ident(attname) as column, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and attgenerated = ''`,
    [table],
  )
  const past = `timestamptz '${dumpedAt}'`
  const moved: Record<string, (column: string) => string> = {
    'timestamp with time zone': (column) => `${column} + (now() - ${past})`,
    date: (column) => `(${column} + age(date_trunc('month', now()), date_trunc('month', ${past})))::date`,
  }
  const changes = rows.flatMap(({ column, type }) => {
    const value = moved[type]?.(column)
    // Numbers of visitors are kept by the whole hour.
    return value ? [`${column} = ${column === 'hour' ? `date_trunc('hour', ${value})` : value}`] : []
  })
  if (changes.length) await client.query(`update ${table} set ${changes.join()}`)
}

/** New rows get ids after those that were loaded. */
async function advanceSequences(client: Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(`
    select attrelid::regclass::text as table, quote_ident(attname) as column from pg_attribute
    where attidentity <> '' and attrelid::regclass::text ~ '^(consents|graphile_worker\\.)'`)
  for (const { table, column } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', '${column}'), greatest(1, (select max(${column}) from ${table})))`,
    )
}

/** A database with a fixture's rows, as if the program of that commit had just ended. */
export async function loadDatabase(fixture: string): Promise<{ database: PoolConfig; drop: () => Promise<void> }> {
  const { head, tables } = await readRows(join(fixture, 'rows.jsonl'))
  const created = await createDatabase(head.migration)
  const client = new Client(created.database)
  await client.connect()
  // Rows come in the order of their tables' names, before those that they refer to.
  await client.query('begin; set local session_replication_role = replica')
  for (const [table, rows] of tables) {
    await insertRows(client, table, rows)
    await moveTimes(client, table, head.dumpedAt)
  }
  await advanceSequences(client)
  await client.query('commit')
  await client.end()
  return created
}

/** A copy of a fixture's data folder, with files that are two days old. */
export async function copyDataFolder(fixture: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keepsnap-old-data-'))
  await cp(join(fixture, 'data'), dir, { recursive: true })
  const then = new Date(Date.now() - twoDaysMs)
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), then, then)
  return dir
}
