import { type Kysely, sql } from 'kysely'

/**
 * A receiver that was slow is served among slow ones for some time, not only until its next answer; so is a new one, of which
 * nothing is known. Otherwise one that is slow at every second call would hold up the quick ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhooks drop is_slow, add slow_until timestamptz not null default now() + interval '10 minutes'`.execute(
    db,
  )
}
