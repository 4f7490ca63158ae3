import { type Kysely, sql } from 'kysely'

/**
 * When the last backup of this database was finished and how long it took; null before the first. `since`: from when its
 * absence counts, which is the creation of the database, its restore, or the upgrade to this version. It is in no backup.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backup_state (
      only_row boolean primary key default true check (only_row),
      since timestamptz not null default now(),
      finished_at timestamptz,
      seconds double precision check (seconds >= 0),
      check ((finished_at is null) = (seconds is null))
    )`.execute(db)
  await sql`insert into backup_state default values`.execute(db)
}
