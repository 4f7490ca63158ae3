import type { Pool } from 'pg'
import type { TestServer } from './harness.ts'

/** Tables of rate limits, heartbeats and migrations, which change without a change of data. */
const volatileTables = [
  'rate_hits',
  'photo_request_attempts',
  'sign_in_delays',
  'workers',
  'storage_nodes',
  'storage_state',
  'kysely_migration',
  'kysely_migration_lock',
]

const hashQueries = new WeakMap<Pool, Promise<string>>()

/** One query for all tables: a query for each table took a sixth of all queries of the tests. */
async function createHashQuery(pool: Pool): Promise<string> {
  const hashQuery = `select %L as name, count(*) || ' rows ' || coalesce(md5(string_agg(t::text, chr(10) order by t::text)), '') as hash from (select %s from %I.%I) t`
  const { rows } = await pool.query<{ query: string }>(
    `select string_agg(format($1, table_schema || '.' || table_name, columns, table_schema, table_name), ' union all ') as query
    from information_schema.tables, lateral (
      select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns from information_schema.columns
      where (columns.table_schema, columns.table_name) = (tables.table_schema, tables.table_name) and data_type <> 'xid8'
    ) as listed
    where table_schema = 'public' and table_name <> all ($2)
      or table_schema = 'graphile_worker' and table_name = '_private_jobs'`,
    [hashQuery, volatileTables],
  )
  const query = rows[0]?.query
  if (!query) throw new Error('the database has no tables')
  return query
}

/** All rows of ours, without numbers of transactions, and all jobs, as one hash for each table: two of them are equal when nothing was changed in between. */
export async function hashTables({
  app,
}: {
  app: { deps: Pick<TestServer['app']['deps'], 'pool'> & Partial<Pick<TestServer['app']['deps'], 'guestActivity'>> }
}): Promise<Record<string, string>> {
  const { pool, guestActivity } = app.deps
  // Counts of earlier calls wait in memory for two seconds.
  await guestActivity?.flush()
  const query = hashQueries.get(pool) ?? createHashQuery(pool)
  hashQueries.set(pool, query)
  // Prepared: planning it would take three times as long as running it.
  const { rows } = await pool.query<{ name: string; hash: string }>({ name: 'hash tables', text: await query })
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}
