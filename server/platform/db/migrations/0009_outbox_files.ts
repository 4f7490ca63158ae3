import { type Kysely, sql } from 'kysely'

/**
 * The size of an email that is kept as a file. Null for emails that were sent, and for the files of earlier versions, which
 * are never removed to make room.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table emails add file_bytes bigint`.execute(db)
  await sql`create index emails_removable_files on emails (sent_at) where kind = 'photo' and file_bytes is not null`.execute(
    db,
  )
}
