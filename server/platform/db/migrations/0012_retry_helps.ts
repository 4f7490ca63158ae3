import { type Kysely, sql } from 'kysely'

/** Whether trying a failed photo again can help: not when its file is at fault. Unknown for earlier failures, so it may. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table photos add retry_helps boolean not null default true`.execute(db)
}
