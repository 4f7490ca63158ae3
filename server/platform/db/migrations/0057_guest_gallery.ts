import { type Kysely, sql } from 'kysely'

/**
 * What guests do with the codes of an event, by event and time, as `photo_activity` counts it by photo. `hour` is a quarter of an
 * hour, as there. An event has one code of its own that works.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event_activity (
      event_id text not null references events on delete cascade,
      user_id text not null references users on delete cascade,
      hour timestamptz not null,
      scans integer not null default 0,
      views integer not null default 0,
      saves integer not null default 0,
      requests integer not null default 0,
      joins integer not null default 0,
      adds integer not null default 0,
      archives integer not null default 0,
      primary key (event_id, hour)
    )`.execute(db)
  await sql`create index event_activity_of_users on event_activity (user_id, hour)`.execute(db)
  await sql`
    create unique index event_codes_own on event_codes (event_id) where kind = 'event' and revoked_at is null`.execute(
    db,
  )
}
