import { type Kysely, sql } from 'kysely'

/** The name that guests are shown, and the clock of times in emails and of guests' file names; null for the server's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add brand_name text, add time_zone text`.execute(db)
}
