import { type Kysely, sql } from 'kysely'

/**
 * Pseudonyms of the /56 and the /48 from which a message to support came, beside `client`: one subscriber can have all networks of
 * a /48. Null for IPv4, for messages from before, and after a day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table support_messages add networks text[]`.execute(db)
}
