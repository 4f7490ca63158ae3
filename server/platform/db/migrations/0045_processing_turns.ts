import { type Kysely, sql } from 'kysely'

/**
 * Parties take turns by the processing time that they have used (`features/photos/turns.ts`). A party is an account; events may
 * become others, so nothing refers to users. `taken_by_job` is the job that processes a photo, whichever photo it was added for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table processing_turns (
      party text primary key,
      used_ms bigint not null,
      -- When it last had a turn.
      turn_at timestamptz
    )`.execute(db)
  await sql`alter table photos add taken_by_job bigint`.execute(db)
  await sql`create index photos_taken on photos (taken_by_job) where taken_by_job is not null`.execute(db)
}
