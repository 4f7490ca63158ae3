import { createHash } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { Pool } from 'pg'
import { makeJobsDue, sharedScratchDir, type TestServer } from './harness.ts'

/** Parts of the server that the checker looks into. */
type CheckedServer = Pick<TestServer, 'app' | 'dir'>

/** A stored file that a row names, and how large it should be; `photo` is null for files of brands and archives. */
interface NamedFile {
  row: string
  photo: string | null
  what: 'original' | 'full' | 'thumbnail' | 'unmarked' | 'screen' | 'file'
  key: string
  bytes: number | null
  sha256: Buffer | null
}

/** Rows of photos that were not deleted, or were removed after the end of a plan and can be put back for some days. */
const living = `select *, 'photo ' || id || ' (' || state || ')' as row from photos
  where deleted_at is null or exists (select from photo_removals where photo_id = photos.id)`

const namedFiles = `
  select row, id as photo, what, key, bytes, sha256 from (${living}) as living, lateral (values
    ('original', original_key, original_bytes, original_sha256), ('full', full_key, full_bytes, null),
    ('thumbnail', thumb_key, thumb_bytes, null), ('unmarked', unmarked_key, unmarked_bytes, null),
    ('screen', case when screen_of = full_key then screen_key end, screen_bytes, null)
  ) as file (what, key, bytes, sha256) where key is not null
  union all select 'a brand of ' || user_id, null, 'file', key, bytes, null from brand_images
  union all select 'an archive of ' || user_id, null, 'file', key, bytes, null from archives
    where state = 'ready' and key is not null`

/** Rows that something is wrong with, whatever is stored; one sentence for each. */
const wrongRows = `
  select row || ': has no file that its state needs' as problem from (${living}) as living
    where state not in ('failed', 'queued', 'ready') or state = 'queued' and original_key is null
      or state = 'ready' and (full_key is null or thumb_key is null)
  union all select row || ': has half a watermark' from (${living}) as living
    where (unmarked_key is null) <> (watermark_key is null)
  union all select 'watermark run of ' || user_id || ' is still ' || state from watermark_runs
    where state in ('running', 'stopping')
  union all select 'still processing: ' || id from photos where state = 'queued' and deleted_at is null
  union all select 'still receiving: ' || id from photos where state = 'receiving'
  union all select format('still to be done: %s, begun %s times, held by %s, %s', key, attempts, locked_by, last_error)
    from graphile_worker.jobs
  union all select format('%s in %s: counted %s, there are %s', user_id, month, coalesce(uploads, 0), coalesce(found, 0))
    from (select user_id, month, uploads from usage_months where uploads > 0) as counted
    full join (select user_id, counted_month as month, count(*) as found from photos where state <> 'failed' and source <> 'guest' group by 1, 2)
      as recounted using (user_id, month)
    where coalesce(uploads, 0) <> coalesce(found, 0)
  union all select format('%s in %s: counted %s of guests, there are at least %s', user_id, month, coalesce(uploads, 0), coalesce(found, 0))
    from guest_months full join (select user_id, counted_month as month, count(*) as found from photos
      where state <> 'failed' and source = 'guest' and review <> 'rejected' and deleted_at is null group by 1, 2)
      as recounted using (user_id, month)
    where coalesce(uploads, 0) < coalesce(found, 0)
  union all select format('%s: %s photos counted, there are %s', counted.user_id, counted.photos, count(photos.id))
    from photo_counts as counted left join photos
      on photos.user_id = counted.user_id and photos.deleted_at is null and photos.state <> 'receiving' and photos.is_listed
    group by counted.user_id having counted.photos <> count(photos.id)`

/** What is wrong with stored files and with keys: missing, of another size or content, not registered, or of no row. */
async function wrongFiles({ pool, storage }: CheckedServer['app']['deps']): Promise<string[]> {
  const stored = new Map<string, number>()
  for await (const { key, bytes } of storage.list()) stored.set(key, bytes)
  const { rows: named } = await pool.query<NamedFile>(namedFiles)
  const { rows: registered } = await pool.query<{ key: string; photo: string | null }>(
    'select key, photo_id as photo from stored_objects',
  )
  const photoOf = new Map(registered.map(({ key, photo }) => [key, photo]))
  const known = new Set(named.map(({ key }) => key))
  const problems = named.flatMap(({ row, photo, what, key, bytes }) => [
    ...(stored.get(key) === bytes ? [] : [`${row}: ${what} should have ${bytes} bytes and has ${stored.get(key)}`]),
    ...(photo === null || photoOf.get(key) === photo ? [] : [`${row}: ${what} is not registered`]),
  ])
  for (const { row, what, key, sha256 } of named) {
    if (sha256 === null || !stored.has(key)) continue
    const bytes = await buffer((await storage.open(key))!)
    if (!createHash('sha256').update(bytes).digest().equals(sha256))
      problems.push(`${row}: ${what} is not what came in`)
  }
  for (const key of stored.keys()) if (!known.has(key)) problems.push(`stored and unknown: ${key}`)
  for (const { key } of registered) if (!known.has(key)) problems.push(`written down and unknown: ${key}`)
  return problems
}

export async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** Files of uploads in progress, and files that image processes work on. */
export async function temporaryFiles({ dir }: { dir: string }): Promise<string[]> {
  const shared = await sharedScratchDir()
  const folders = [join(dir, 'files', 'incoming'), join(dir, 'scratch'), ...(shared === undefined ? [] : [shared])]
  return (await Promise.all(folders.map(filesBelow))).flat()
}

/**
 * The invariants I1 to I5 of docs/security.md when nothing is in progress: rows, keys and stored bytes agree, counters
 * match a recount, originals have their checksums, no job waits and there are no orphans.
 */
export async function expectConsistent(server: CheckedServer): Promise<void> {
  const { deps } = server.app
  const { rows } = await deps.pool.query<{ problem: string }>(wrongRows)
  expect({
    rows: rows.map(({ problem }) => problem),
    files: await wrongFiles(deps),
    temporary: await temporaryFiles(server),
  }).toEqual({ rows: [], files: [], temporary: [] })
}

/** Makes everything that is scheduled or leased due, as if hours had passed, and runs it; twice. */
export async function runOverdueWork({ app, work }: Pick<TestServer, 'app' | 'work'>): Promise<void> {
  const { pool } = app.deps
  for (let round = 0; round < 2; round++) {
    await work()
    await pool.query(`
      update emails set leased_until = leased_until - interval '2 hours';
      update stored_objects set created_at = created_at - interval '2 hours';
      update photos set expires_at = expires_at - interval '2 hours', created_at = created_at - interval '2 hours',
        deleted_at = case when deleted_at > now() - interval '20 hours' then deleted_at - interval '2 hours' else deleted_at end;
      select graphile_worker.force_unlock_workers(array(select distinct locked_by from graphile_worker.jobs
        where locked_by not in (select id from workers where heartbeat_at > now() - interval '8 seconds')));
      select graphile_worker.add_job('clean-up', '{}'::json)`)
    await makeJobsDue(pool)
    await work()
  }
}

/** How many files and sockets this process has open, including pipes to processes that it has started. */
export const openFiles = (): number => readdirSync('/proc/self/fd').length

/** How many times this process has one file open. */
export const timesOpen = (path: string): number =>
  readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === path
    } catch {
      return false // closed meanwhile
    }
  }).length

/** Where a server that keeps files on disk has the file of a key. */
export function storedFilePath({ dir }: Pick<TestServer, 'dir'>, key: string): string {
  const [kind = '', name = ''] = key.split('/')
  return join(dir, 'files', kind, name.slice(0, 2), name)
}

/** Changes one byte in the middle of a file, and nothing else. */
export async function flipByte(path: string): Promise<void> {
  const file = await open(path, 'r+')
  const { size } = await file.stat()
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size >> 1)
  await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, size >> 1)
  await file.close()
}

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
