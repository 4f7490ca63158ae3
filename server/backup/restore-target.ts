import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from 'pg'
import { migrations } from '../db/migrations/all.ts'
import { plural, timeText } from '../lib/operator-texts.ts'
import { markName, type Storage } from '../ports/storage/storage.ts'
import { StartupError } from '../runtime/startup-error.ts'
import type { Manifest } from './manifest.ts'
import { contentsText, countsText } from './size-of-backups.ts'

/** Whether the target is empty, or an interrupted restore has already filled the tables. */
export type TargetState = 'empty' | 'tables restored'

const known = new Set(Object.keys(migrations))

/**
 * Whether this program can read a backup: it knows all of its migrations.
 * @throws StartupError when it does not
 */
export function checkMigrations({ migrations: backupMigrations }: Manifest): void {
  const unknown = backupMigrations.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new StartupError(
      `This backup was made by a newer Keepsnap (its database has the migration ${unknown}). Restore it with that one or a later one.`,
    )
}

async function exists(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [table])
  return rows[0]?.found === true
}

const count = async (client: Client, query: string, values: unknown[] = []): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(query, values)
  return Number(rows[0]?.count ?? 0)
}

/** PostgreSQL notices only after a moment that a program was killed. */
const disconnectWaitMs = 3_000

/** @throws StartupError when something else uses the database, such as a server that runs */
async function refuseOthers(client: Client): Promise<void> {
  for (const end = Date.now() + disconnectWaitMs; ; await wait(100)) {
    const others = await count(
      client,
      `select count(*) from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    if (others === 0) return
    if (Date.now() > end)
      throw new StartupError(
        `Something else is connected to the database (${others} connections). Stop every Keepsnap that uses it, then restore.`,
      )
  }
}

const howToEmpty =
  'Restore into an empty one: a new DATA_DIR, or with DATABASE_URL a new database (dropdb, createdb) and an empty folder or bucket.'

/** What is in a database in use, and from when the newest of it is. */
async function describeDatabase(client: Client): Promise<string> {
  const { rows } = await client.query<{ accounts: string; photos: string; newest: Date | null }>(
    `select (select count(*) from users) as accounts, (select count(*) from photos) as photos,
       greatest((select max(created_at) from users), (select max(created_at) from photos)) as newest`,
  )
  const { accounts = '0', photos = '0', newest = null } = rows[0] ?? {}
  const since = newest ? `, the newest of ${timeText(newest)}` : ''
  return `It has ${countsText({ accounts: Number(accounts), photos: Number(photos) })}${since}.`
}

async function refuseNonEmptyDatabase(client: Client, manifest: Manifest): Promise<void> {
  if (!(await exists(client, 'public.kysely_migration'))) {
    const tables = await count(
      client,
      `select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
         and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`,
    )
    if (tables > 0)
      throw new StartupError(`The database has ${plural(tables, 'table')} of another program. ${howToEmpty}`)
    return
  }
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  for (const table of ['users', 'photos', 'stored_objects'])
    if ((await exists(client, `public.${table}`)) && (await count(client, `select count(*) from ${table}`)) > 0)
      throw new StartupError(
        `The database is in use: the table ${table} has rows. ${await describeDatabase(client)} The backup is ${contentsText(manifest)}. Nothing was changed. ${howToEmpty}`,
      )
  const newer = rows.find(({ name }, at) => manifest.migrations[at] !== name)
  if (newer)
    throw new StartupError(
      `The database has been used by a newer Keepsnap than the backup (it has the migration ${newer.name}). It has no accounts, so nothing is lost by replacing it: delete the folder "postgres" in DATA_DIR, or with DATABASE_URL create the database again (dropdb, createdb). Then restore.`,
    )
}

/**
 * Makes sure that a backup can be restored into a database without overwriting anything.
 * @throws StartupError when it is in use, or another restore into it was begun
 */
export async function checkDatabase(client: Client, manifest: Manifest): Promise<TargetState> {
  await refuseOthers(client)
  if (await exists(client, 'public.restores')) {
    const { rows } = await client.query<{ backup: string }>('select backup from restores')
    const begun = rows[0]?.backup
    if (begun === manifest.name) return 'tables restored'
    if (begun !== undefined)
      throw new StartupError(
        `The restore of the backup ${begun} into this database was interrupted. Finish it with --from ${begun}, or start again: ${howToEmpty}`,
      )
  }
  await refuseNonEmptyDatabase(client, manifest)
  return 'empty'
}

/** @throws StartupError when the files that are to be kept are those of another installation */
export async function refuseStoreOfOther(storage: Storage, installation: string | undefined): Promise<void> {
  const found = await storage.readInstallation()
  if (found === null || installation === undefined || found === installation) return
  throw new StartupError(
    `The files that --keep-files would keep are of another Keepsnap, by their file ${markName} (${found}; that of the backup is ${installation}). Nothing was changed. ${howToEmpty}`,
  )
}

/** @throws StartupError when the store has files, which the nightly comparison would remove */
export async function refuseNonEmptyStore(storage: Storage): Promise<void> {
  for await (const { key } of storage.list())
    throw new StartupError(
      `The ${storage.kind === 'disk' ? 'folder "files" in DATA_DIR' : 'bucket'} is not empty: it has ${key}. Nothing was changed. ${howToEmpty} If these are the files of the same Keepsnap and only the database was lost, restore with --keep-files.`,
    )
}
