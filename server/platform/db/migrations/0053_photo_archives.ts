import { type Kysely, sql } from 'kysely'

/**
 * The CRC-32 of stored files, which ZIP files need before their bytes; null for files of earlier versions until it is first needed.
 * And the links that download photos as one ZIP file, with the list that its bytes follow from, in `files`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stored_objects add crc32 bigint check (crc32 between 0 and 4294967295)`.execute(db)
  await sql`
    create table photo_archives (
      secret_hash bytea primary key,
      user_id text not null references users on delete cascade,
      name text not null,
      entity_tag text not null,
      time_zone text not null,
      media_epoch integer not null,
      files jsonb not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index photo_archives_of_users on photo_archives (user_id, created_at)`.execute(db)
  await sql`create index photo_archives_by_time on photo_archives (created_at)`.execute(db)
}
