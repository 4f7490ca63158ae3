import { type Kysely, sql } from 'kysely'

/**
 * When the newest backup was last read and compared with its checksums, and how many of its files were damaged or missing then.
 * Until the first time, `checked_at` is the creation of the database, its restore, or its upgrade to this version.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table backup_state add checked_at timestamptz not null default now(),
      add damaged integer not null default 0 check (damaged >= 0)`.execute(db)
}
