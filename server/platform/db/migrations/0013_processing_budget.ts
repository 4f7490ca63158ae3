import { type Kysely, sql } from 'kysely'

/** What slow files cost: an estimate for each photo that is not a plain JPEG, and the time that was used, by owner and day (UTC). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table photos add slow_ms integer check (slow_ms >= 0)`.execute(db)
  await sql`
    create index photos_slow on photos (user_id)
    where slow_ms is not null and deleted_at is null and state in ('receiving', 'queued')`.execute(db)
  await sql`
    create table processing_days (
      user_id text not null references users on delete cascade,
      day date not null,
      used_ms bigint not null,
      primary key (user_id, day)
    )`.execute(db)
  await sql`create index processing_days_by_day on processing_days (day)`.execute(db)
  // Nobody knows what made these fail. If it was their time, a retry is slow.
  await sql`update photos set slow_ms = 10000 where state = 'failed' and deleted_at is null`.execute(db)
}
