import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createReadStream } from 'node:fs'
import { sql } from 'kysely'
import { Client, type ClientConfig, escapeIdentifier } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Db } from '../platform/db/connect.ts'
import { StartupError } from '../faults.ts'
import { writeHashed } from './backup-folder.ts'
import type { ListedFile, Manifest, TableFile } from './backup-manifest.ts'

/** Makes the text format of values independent of server settings and versions, without rounding. */
const portable = `
  set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 3; set bytea_output = 'hex'; set search_path = public;
  set statement_timeout = 0; set lock_timeout = '60s'; set idle_in_transaction_session_timeout = 0`

/** A connection for copying whole tables: without limits of time, and with portable formats. */
export async function connectForCopy(database: ClientConfig): Promise<Client> {
  const client = new Client({ ...database, connectionTimeoutMillis: 10_000, keepAlive: true })
  // A connection that breaks rejects the query in progress; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  await client.query(portable)
  return client
}

/** Writes the rows of a query into a private file, in PostgreSQL's text format of COPY, which every version reads. */
export async function copyToFile(
  client: Client,
  query: string,
  { folder, file }: { folder: string; file: string },
): Promise<ListedFile & { rows: number }> {
  const rows = client.query(copyTo(`copy (${query}) to stdout`))
  const checksum = await writeHashed(rows, join(folder, file))
  return { file, rows: rows.rowCount, ...checksum }
}

async function copyIntoTable(client: Client, target: string, rows: Readable): Promise<void> {
  await pipeline(rows, client.query(copyFrom(`copy ${target} from stdin`)))
}

/** Notes that a good backup was finished now, by the clock of the database, for /admin and the metrics. */
export async function recordBackup(client: Client, seconds: number): Promise<void> {
  await client.query(
    `insert into backup_state (finished_at, seconds) values (now(), $1)
     on conflict (only_row) do update set finished_at = excluded.finished_at, seconds = excluded.seconds`,
    [seconds],
  )
}

/** Once a week, and after damage was found until it is gone. Half a day less: a daily backup does not always begin at the same second. */
export async function isCheckDue(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from backup_state where checked_at < now() - interval '156 hours' or damaged > 0`.execute(db)
  return rows.length > 0
}

/** Notes that the newest backup was compared with its checksums now, and how many of its files were not as they were written. */
export async function recordCheck(db: Db, damaged: number): Promise<void> {
  await sql`update backup_state set checked_at = now(), damaged = ${damaged}`.execute(db)
}

/** Clears the recorded time of the last backup: a restored database has no backup of its own yet. */
async function forgetBackups(client: Client): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('public.backup_state') is not null as found`,
  )
  // Absent at the schema of an older backup: the migration that follows creates it.
  if (rows[0]?.found) await client.query('truncate backup_state; insert into backup_state default values')
}

/**
 * The files that rows name and whose bytes a backup needs: of photos that are there or can be put back, of brands, and
 * archives. With the content type, the size that the row says, and the row's photo or account.
 */
export const namedFilesSql = `
  select stored_objects.key collate "C" as key,
    case stored_objects.key when photos.original_key then photos.original_bytes when photos.full_key then photos.full_bytes
      when photos.thumb_key then photos.thumb_bytes when photos.unmarked_key then photos.unmarked_bytes
      else coalesce(brand_images.bytes, archives.bytes) end as bytes,
    case stored_objects.key when photos.full_key then photos.full_type when photos.unmarked_key then photos.unmarked_type
      when photos.thumb_key then 'image/webp' when archives.key then 'application/zip'
      else coalesce(brand_images.type, 'application/octet-stream') end as type,
    stored_objects.photo_id, stored_objects.user_id
  from stored_objects
    left join photos on photos.id = stored_objects.photo_id
    left join brand_images on brand_images.key = stored_objects.key
    left join archives on archives.key = stored_objects.key and archives.state = 'ready'
  where brand_images.key is not null or archives.key is not null
    or photos.state <> 'receiving'
      and (photos.deleted_at is null or exists (select from photo_removals where photo_removals.photo_id = photos.id))
      and stored_objects.key in (photos.original_key, photos.full_key, photos.thumb_key, photos.unmarked_key)`

/**
 * Not backed up: heartbeats, rate limits, short-lived tickets and links to ZIP files of photos, event grants and helpers, since revoked ones would work again, the state of backups and restores, and which store is in
 * use; and counts of photos, which are counted again when they are read. A restore puts the files into the configured store, and the first start afterwards uses that one.
 */
const excludedTables = [
  'photo_counts',
  'workers',
  'rate_hits',
  'ws_tickets',
  'photo_archives',
  'event_grants',
  'helpers',
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

const columnList = (columns: readonly string[]): string => columns.map(escapeIdentifier).join(', ')

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

interface Constraint {
  table: string
  name: string
  definition: string
}

/** The names of Keepsnap's tables: those of the backup and those that no backup has. Others are of another program. */
async function ownTables(client: Client, { tables }: Manifest): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_has_role(relowner, 'usage') and relname = any ($1)
       and relname not like 'kysely%'`,
    [[...tables.map(({ table }) => table), ...excludedTables]],
  )
  return rows.map(({ name }) => name)
}

/** Drops all foreign keys, because tables are loaded in order of name; returns the statements that add them again. */
async function dropForeignKeys(client: Client, own: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<Constraint>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conrelid = any ($1::regclass[])`,
    [own],
  )
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  return rows.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`)
}

/** Disables or enables triggers: loading a backup must not record erasures. */
async function setTriggers(client: Client, own: readonly string[], state: 'disable' | 'enable'): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `select distinct tgrelid::regclass::text as table from pg_trigger where not tgisinternal and tgrelid = any ($1::regclass[])`,
    [own],
  )
  for (const { table } of rows) await client.query(`alter table ${table} ${state} trigger user`)
}

const nameOf = ({ table }: Pick<TableFile, 'table'>): string => `public.${escapeIdentifier(table)}`

async function loadTable(client: Client, folder: string, table: TableFile): Promise<void> {
  const target = `${nameOf(table)} (${columnList(table.columns)})`
  await copyIntoTable(client, target, createReadStream(join(folder, table.file)))
}

/** Replaces the rows that changed during the backup by their newer versions. */
async function loadChanged(client: Client, folder: string, { changed }: Manifest): Promise<void> {
  const { userIds, tables } = changed
  for (const table of tables) {
    const [name, columns] = [nameOf(table), columnList(table.columns)]
    await client.query(`create temp table changed_rows as select ${columns} from ${name} with no data`)
    await copyIntoTable(client, `changed_rows (${columns})`, createReadStream(join(folder, table.file)))
    if (table.table === 'photos') await client.query(`delete from ${name} where id in (select id from changed_rows)`)
    // Removes rows that the account no longer had; everything of a deleted account is erased later.
    else if (table.table !== 'stored_objects')
      await client.query(`delete from ${name} where user_id = any ($1)`, [userIds])
    await client.query(`insert into ${name} (${columns}) select ${columns} from changed_rows on conflict do nothing`)
    await client.query('drop table changed_rows')
  }
}

/** Adds the jobs through the queue's own function. Jobs that were running run again, since all are idempotent. */
async function loadJobs(client: Client, folder: string, { jobs }: Manifest): Promise<void> {
  await client.query(`
    truncate graphile_worker._private_jobs, graphile_worker._private_job_queues, graphile_worker._private_tasks;
    create temp table backup_jobs (
      number integer generated always as identity, identifier text, queue_name text, payload json, run_at timestamptz,
      max_attempts integer, key text, priority integer, flags jsonb, attempts integer, last_error text,
      created_at timestamptz, updated_at timestamptz)`)
  const columns =
    'identifier, queue_name, payload, run_at, max_attempts, key, priority, flags, attempts, last_error, created_at, updated_at'
  await copyIntoTable(client, `backup_jobs (${columns})`, createReadStream(join(folder, jobs.file)))
  await client.query(`
    create temp table added_jobs as
    select number, (graphile_worker.add_job(identifier, payload, queue_name => queue_name, run_at => run_at,
      max_attempts => max_attempts, job_key => key, priority => priority,
      flags => (select array_agg(flag) from jsonb_object_keys(flags) as flag))).id
    from (select * from backup_jobs order by number) as ordered;
    update graphile_worker._private_jobs as jobs set attempts = backup_jobs.attempts, last_error = backup_jobs.last_error,
      created_at = backup_jobs.created_at, updated_at = backup_jobs.updated_at
    from added_jobs join backup_jobs using (number) where jobs.id = added_jobs.id;
    drop table added_jobs; drop table backup_jobs`)
}

/** Photos that changed during the backup can be newer than the events of the account: of one that came meanwhile, or was deleted. */
async function settleEvents(client: Client): Promise<void> {
  await client.query(
    `update photos set event_id = null where event_id is not null and not exists (select from events where events.id = event_id)`,
  )
  const isListed = `(review in ('none', 'approved') and not exists (
    select from events where events.id = photos.event_id and deleted_at is not null))`
  await client.query(`update photos set is_listed = ${isListed} where is_listed <> ${isListed}`)
}

/**
 * Fills the migrated, empty tables from a backup in one transaction, but for tables of another program that the backup has, at the end of which all foreign keys hold and the
 * restore is marked as begun.
 */
export async function restoreTables(client: Client, folder: string, manifest: Manifest): Promise<void> {
  await client.query('begin')
  const own = (await ownTables(client, manifest)).map((table) => nameOf({ table }))
  const addForeignKeys = await dropForeignKeys(client, own)
  await setTriggers(client, own, 'disable')
  await client.query(`truncate ${own.join()}`)
  for (const table of manifest.tables) if (own.includes(nameOf(table))) await loadTable(client, folder, table)
  await loadChanged(client, folder, manifest)
  // Backups by an older program beside this one have these numbers of transactions of another database.
  for (const table of manifest.tables.filter(({ columns }) => columns.includes('changed_by')))
    await client.query(`update ${nameOf(table)} set changed_by = null where changed_by is not null`)
  if (manifest.tables.some(({ table }) => table === 'events')) await settleEvents(client)
  await loadJobs(client, folder, manifest)
  for (const [name, value] of Object.entries(manifest.sequences))
    await client.query('select setval(to_regclass($1), $2)', [`public.${escapeIdentifier(name)}`, value])
  for (const statement of addForeignKeys) await client.query(statement)
  await setTriggers(client, own, 'enable')
  await forgetBackups(client)
  await client.query('insert into restores (backup) values ($1)', [manifest.name])
  await client.query('commit')
}
