import { type Kysely, sql } from 'kysely'

/** Which version of the General Conditions was in force when an account was made; null for accounts from before this. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column terms_version text`.execute(db)
}
