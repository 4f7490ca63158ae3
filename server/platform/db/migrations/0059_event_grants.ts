import { type Kysely, sql } from 'kysely'

/**
 * Links to all photos of an event, which its owner sends to an address; one goes with its newest email, so that erasing an address erases it. And links to ZIP files of events, whose photos are listed
 * when they are downloaded.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event_grants (
      id text primary key,
      event_id text not null references events on delete cascade,
      email text not null,
      secret_hash bytea not null unique,
      email_id text references emails on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      revoked_at timestamptz
    )`.execute(db)
  await sql`create index event_grants_of_events on event_grants (event_id, created_at)`.execute(db)
  await sql`create index event_grants_of_emails on event_grants (email_id)`.execute(db)
  await sql`create index event_grants_expired on event_grants (least(expires_at, revoked_at))`.execute(db)
  await sql`
    alter table photo_archives
      add event_id text references events on delete cascade,
      alter files drop not null,
      add check (files is not null or event_id is not null)`.execute(db)
  await sql`create index photo_archives_of_events on photo_archives (event_id) where event_id is not null`.execute(db)
}
