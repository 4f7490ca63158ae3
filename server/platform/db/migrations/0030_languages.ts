import { type Kysely, sql } from 'kysely'

/**
 * The language of emails: of a user, and of a guest who requested a photo (the one of the page on which that was). Null while
 * unknown. The check allows any tag, so that a new language needs no migration.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add language text check (language ~ '^[a-z]{2}$')`.execute(db)
  await sql`alter table photo_requests add language text check (language ~ '^[a-z]{2}$')`.execute(db)
}
