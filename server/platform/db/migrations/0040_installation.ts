import { type Kysely, sql } from 'kysely'

/**
 * The id of this installation, which its store of files and its folder of backups carry, too. It is in every backup, so a
 * restored database has that of the backup. `disk_marked`, `s3_marked`: a store of this kind carries it, so one without it is
 * not from an earlier version.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table installation (
      only_row boolean primary key default true check (only_row),
      id text not null default replace(gen_random_uuid()::text, '-', '') check (id ~ '^[0-9a-f]{32}$'),
      disk_marked boolean not null default false,
      s3_marked boolean not null default false
    )`.execute(db)
  await sql`insert into installation default values`.execute(db)
}
