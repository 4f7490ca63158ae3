import { escapeIdentifier, type Client } from 'pg'
import { copyToFile } from './connection.ts'
import type { ListedFile, Manifest, TableFile } from './manifest.ts'
import { StartupError } from '../runtime/startup-error.ts'
import { namedFilesSql } from './named-files.ts'

/**
 * Not backed up: heartbeats, rate limits, short-lived tickets and links to ZIP files of photos, the state of backups and restores, and which store is in
 * use; and counts of photos, which are counted again when they are read. A restore puts the files into the configured store, and the first start afterwards uses that one.
 */
export const excludedTables = [
  'photo_counts',
  'workers',
  'rate_hits',
  'ws_tickets',
  'photo_archives',
  'restores',
  'backup_state',
  'storage_state',
  'storage_nodes',
  'storage_copies',
  'storage_removals',
  'kysely_migration',
  'kysely_migration_lock',
]

interface Table {
  name: string
  columns: string[]
}

/**
 * Our tables with the columns that can be written, but for numbers of transactions, which mean nothing in another database. Tables of another program are included if they can be read and have such a
 * name; a restore leaves them out.
 * @throws StartupError when there is one that cannot be read
 */
async function tablesOf(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { isReadable: boolean; owner: string }>(
    `select relname as name, array_agg(attname::text order by attnum) as columns,
       has_table_privilege(pg_class.oid, 'select') as "isReadable", pg_get_userbyid(relowner) as owner
     from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped and attgenerated = ''
       and atttypid <> 'xid8'::regtype
       and relname ~ '^[a-z0-9_]+$' and relname <> all ($1) and not exists (
         select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
     group by pg_class.oid order by relname`,
    [excludedTables],
  )
  const unreadable = rows.find(({ isReadable }) => !isReadable)
  if (unreadable)
    throw new StartupError(
      `The user of DATABASE_URL may not read the table ${unreadable.name} of ${unreadable.owner} in the database. If it is of another program, move it to another database or schema; otherwise make Keepsnap's user its owner. Nothing was backed up.`,
    )
  return rows
}

export const columnList = (columns: readonly string[]): string => columns.map(escapeIdentifier).join(', ')

/** Writes the rows of a table, all of them or some. */
export async function dumpTable(
  client: Client,
  { name, columns }: Table,
  { folder, file = `${name}.tsv`, where = 'true' }: { folder: string; file?: string; where?: string },
): Promise<TableFile> {
  const query = `select ${columnList(columns)} from public.${escapeIdentifier(name)} where ${where}`
  return { table: name, columns, ...(await copyToFile(client, query, { folder, file })) }
}

/** Jobs without columns that depend on the queue's version or on running workers. */
const jobsQuery = `
  select tasks.identifier, queues.queue_name, jobs.payload, jobs.run_at, jobs.max_attempts, jobs.key, jobs.priority, jobs.flags,
    jobs.attempts, jobs.last_error, jobs.created_at, jobs.updated_at
  from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
    left join graphile_worker._private_job_queues queues on queues.id = jobs.job_queue_id
  order by jobs.id`

/** A consistent snapshot of the database. */
export type Snapshot = Pick<Manifest, 'postgres' | 'migrations' | 'tables' | 'jobs' | 'sequences'> & {
  /** Which files the rows of this moment name. */
  namedFiles: ListedFile & { rows: number }
}

async function dumpAll(client: Client, folder: string): Promise<Snapshot> {
  const { rows: versions } = await client.query<{ server_version: string }>('show server_version')
  const { rows: migrations } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  const tables: TableFile[] = []
  for (const table of await tablesOf(client)) tables.push(await dumpTable(client, table, { folder }))
  const namedFiles = await copyToFile(client, `${namedFilesSql} order by 1`, { folder, file: 'named-files.txt' })
  const jobs = await copyToFile(client, jobsQuery, { folder, file: 'jobs.txt' })
  // Sequences are not transactional: read last, they are past every id in the tables.
  const { rows: sequences } = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' and last_value is not null`,
  )
  return {
    postgres: versions[0]?.server_version ?? '',
    migrations: migrations.map(({ name }) => name),
    tables,
    jobs,
    sequences: Object.fromEntries(sequences.map(({ name, value }) => [name, Number(value)])),
    namedFiles,
  }
}

/** Dumps a consistent snapshot of all tables. It blocks no writers: it only reads, and holds no row locks. */
export async function dumpSnapshot(client: Client, folder: string): Promise<Snapshot> {
  await client.query('begin isolation level repeatable read read only')
  const snapshot = await dumpAll(client, folder)
  await client.query('commit')
  return snapshot
}
