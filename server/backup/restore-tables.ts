import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { escapeIdentifier, type Client } from 'pg'
import { forgetBackups } from './backup-state.ts'
import { copyIntoTable } from './connection.ts'
import { columnList, excludedTables } from './dump-tables.ts'
import type { Manifest, TableFile } from './manifest.ts'

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
  await loadJobs(client, folder, manifest)
  for (const [name, value] of Object.entries(manifest.sequences))
    await client.query('select setval(to_regclass($1), $2)', [`public.${escapeIdentifier(name)}`, value])
  for (const statement of addForeignKeys) await client.query(statement)
  await setTriggers(client, own, 'enable')
  await forgetBackups(client)
  await client.query('insert into restores (backup) values ($1)', [manifest.name])
  await client.query('commit')
}
