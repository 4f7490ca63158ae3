import { type Kysely, sql } from 'kysely'

/** Whether an owner wants emails before addresses of guests are removed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add allow_request_removal_emails boolean not null default true`.execute(db)
}
