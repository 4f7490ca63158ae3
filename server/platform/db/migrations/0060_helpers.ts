import { type Kysely, sql } from 'kysely'

/**
 * Helpers who review the photos of an event without an account: a link that one device may use. `asking_hash` is the device that was
 * refused last and asks for the owner's permission. Decisions and hidden photos name the helper in `photos.reviewed_by` and
 * `photos.hidden_by`; when anybody else changes `hidden_at`, a trigger ends that a helper hid the photo.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table helpers (
      id text primary key,
      event_id text not null references events on delete cascade,
      name text not null,
      secret_hash bytea not null unique,
      device_hash bytea unique,
      begun_at timestamptz,
      asking_hash bytea,
      asked_at timestamptz,
      last_seen_at timestamptz,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      revoked_at timestamptz
    )`.execute(db)
  await sql`create index helpers_of_events on helpers (event_id, created_at)`.execute(db)
  await sql`create index helpers_asking on helpers (asking_hash) where asking_hash is not null`.execute(db)
  await sql`alter table photos add hidden_by text`.execute(db)
  await sql`create index photos_of_reviewers on photos (reviewed_by) where reviewed_by <> 'owner'`.execute(db)
  await sql`create index photos_hidden_by on photos (hidden_by) where hidden_by is not null`.execute(db)
  await sql`
    create function end_hidden_by_helper() returns trigger language plpgsql as $$
    begin
      new.hidden_by := null;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger photo_hidden_by before update of hidden_at on photos for each row
      when (old.hidden_by is not null and new.hidden_at is distinct from old.hidden_at
        and new.hidden_by is not distinct from old.hidden_by)
      execute function end_hidden_by_helper()`.execute(db)
  await sql`
    alter table audit_log drop constraint audit_log_actor_kind_check,
      add constraint audit_log_actor_kind_check check (actor_kind in ('admin key', 'operator', 'command', 'helper'))`.execute(
    db,
  )
}
