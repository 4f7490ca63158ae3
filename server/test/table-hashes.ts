import { createHash } from 'node:crypto'
import type { TestServer } from './harness.ts'

/** Tables of rate limits, heartbeats and migrations, which change without a change of data. */
const volatileTables = new Set([
  'rate_hits',
  'photo_request_attempts',
  'sign_in_delays',
  'workers',
  'storage_nodes',
  'storage_state',
  'kysely_migration',
  'kysely_migration_lock',
])

/** All rows of ours and all jobs, as one hash for each table: two of them are equal when nothing was changed in between. */
export async function hashTables({
  app,
}: {
  app: { deps: Pick<TestServer['app']['deps'], 'pool'> }
}): Promise<Record<string, string>> {
  const { pool } = app.deps
  const { rows: tables } = await pool.query<{ name: string }>(`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' or (table_schema = 'graphile_worker' and table_name = '_private_jobs') order by 1`)
  const hashes: Record<string, string> = {}
  for (const { name } of tables) {
    if (volatileTables.has(name.replace('public.', ''))) continue
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t order by 1`)
    const hash = createHash('sha256').update(rows.map(({ row }) => row).join('\n'))
    hashes[name] = `${rows.length} rows ${hash.digest('hex')}`
  }
  return hashes
}
