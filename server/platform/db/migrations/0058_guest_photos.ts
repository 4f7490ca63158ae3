import { type Kysely, sql } from 'kysely'

/**
 * Guests who add photos to events, and how many they added each month: a second count, beside the owner's. A contributor is a device:
 * its cookie has the secret of `token_hash`. A photo outlives its contributor, with its consent.
 *
 * Blocking writes one time: into `blocked_at`, into `reviewed_at` of what it rejects and into `hidden_at` of what it hides, so that it
 * can be undone exactly. `guests_since`: when the first photo of a guest was accepted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contributors (
      id text primary key,
      event_id text not null references events on delete cascade,
      token_hash bytea not null unique,
      name text,
      consent_version text not null,
      consented_at timestamptz not null default now(),
      language text not null,
      failed_ms bigint not null default 0,
      blocked_at timestamptz,
      last_seen_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index contributors_of_events on contributors (event_id)`.execute(db)
  await sql`create index contributors_seen on contributors (last_seen_at)`.execute(db)
  await sql`
    create table guest_months (
      user_id text references users on delete cascade,
      month date,
      uploads integer not null,
      primary key (user_id, month)
    )`.execute(db)
  await sql`
    alter table events
      add guests_since timestamptz,
      add review_emails boolean not null default true,
      add review_emailed_at timestamptz,
      add full_emailed_at timestamptz`.execute(db)
  await sql`
    alter table photos add constraint photos_contributor foreign key (contributor_id)
      references contributors on delete set null`.execute(db)
  await sql`create index photos_of_contributors on photos (contributor_id, created_at) where contributor_id is not null`.execute(
    db,
  )
  await sql`create index photos_of_guests on photos (event_id) where source = 'guest' and deleted_at is null`.execute(
    db,
  )
  await sql`
    create index photos_in_review on photos (event_id, created_at, id)
      where review = 'waiting' and state = 'ready' and deleted_at is null`.execute(db)
  await sql`create index photos_rejected on photos (reviewed_at) where review = 'rejected' and deleted_at is null`.execute(
    db,
  )
}
