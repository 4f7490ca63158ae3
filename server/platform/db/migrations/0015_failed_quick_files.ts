import { type Kysely, sql } from 'kysely'

/** The part of an owner's processing time of a day that quick files took which failed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table processing_days add failed_quick_ms bigint not null default 0`.execute(db)
}
