import { type Kysely, sql } from 'kysely'

/**
 * Events, their codes, and to which event a photo, an API key and a webhook belong. Nothing of before belongs to one.
 *
 * `shown_at`: when guests could first see a photo that a guest added; null for all others, which they can see from `created_at` on.
 * `is_listed`: whether a photo exists outside of its review, that is for lists, screens, keys and guests. A trigger keeps it, and
 * deleting an event sets it. Whatever changes it locks the account's row first. An API key and a webhook keep the id of an event that is gone, so that they do not begin
 * to serve all photos of the account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table events (
      id text primary key,
      user_id text not null references users on delete cascade,
      name text not null,
      starts_on date,
      ends_on date check (ends_on >= starts_on),
      ask_email boolean,
      gallery text not null default 'off' check (gallery in ('off', 'link')),
      gallery_opens_at timestamptz,
      closes_at timestamptz,
      guest_archive boolean not null default false,
      code_on_latest boolean not null default false,
      link_on_photo_pages boolean not null default true,
      guest_photos text not null default 'off' check (guest_photos in ('off', 'review', 'direct')),
      guest_paused boolean not null default false,
      guest_allowance integer check (guest_allowance > 0),
      archived_at timestamptz,
      deleted_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index events_of_users on events (user_id, created_at)`.execute(db)
  await sql`create index events_deleted on events (deleted_at) where deleted_at is not null`.execute(db)
  await sql`
    create table event_codes (
      code text primary key,
      event_id text not null references events on delete cascade,
      kind text not null check (kind in ('event', 'table')),
      label text not null default '',
      created_at timestamptz not null default now(),
      revoked_at timestamptz
    )`.execute(db)
  await sql`create index event_codes_of_events on event_codes (event_id, created_at)`.execute(db)
  await sql`alter table users add current_event_id text references events on delete set null`.execute(db)
  await sql`alter table api_keys add event_id text`.execute(db)
  await sql`alter table webhooks add event_id text`.execute(db)

  await sql`
    alter table photos
      add event_id text references events on delete set null,
      add source text not null default 'owner' check (source in ('owner', 'key', 'guest')),
      add contributor_id text,
      add event_code text,
      add review text not null default 'none' check (review in ('none', 'waiting', 'approved', 'rejected')),
      add reviewed_at timestamptz,
      add reviewed_by text,
      add captured_at timestamptz,
      add shown_at timestamptz,
      add consent jsonb,
      add is_listed boolean not null default true`.execute(db)
  await sql`
    create index photos_shown on photos (user_id, (coalesce(shown_at, created_at)) desc, id desc)
      where deleted_at is null and state <> 'receiving' and is_listed`.execute(db)
  await sql`
    create index photos_of_events on photos (event_id, (coalesce(shown_at, created_at)) desc, id desc) where event_id is not null`.execute(
    db,
  )
  await sql`create index photos_captured on photos (event_id, captured_at) where captured_at is not null`.execute(db)
  await sql`
    create function set_photo_listed() returns trigger language plpgsql as $$
    begin
      new.is_listed := new.review in ('none', 'approved')
        and not exists (select from events where id = new.event_id and deleted_at is not null);
      return new;
    end $$`.execute(db)
  await sql`
    create trigger photo_listed before insert or update of review, event_id on photos
      for each row when (new.event_id is not null or new.review <> 'none' or not new.is_listed)
      execute function set_photo_listed()`.execute(db)
  await sql`drop trigger photo_changes on photos`.execute(db)
  await sql`
    create trigger photo_changes before insert or update of
      code, filename, state, created_at, deleted_at, error_message, retry_helps, original_key, full_key, full_bytes, full_type, thumb_key,
      width, height, thumbhash, hidden_at, operator_decision, operator_decided_at, operator_message, event_id, review, shown_at, is_listed
    on photos for each row when (new.state <> 'receiving') execute function note_photo_change()`.execute(db)

  // As in migration 0049, but without photos that are not listed.
  await sql`
    create or replace function count_added_photos() returns trigger language plpgsql as $$
    begin
      perform add_to_photo_count(user_id, change) from (
        select user_id, count(*) as change from added
        where deleted_at is null and state <> 'receiving' and is_listed group by user_id order by user_id
      ) as changes;
      return null;
    end $$`.execute(db)
  await sql`
    create or replace function count_changed_photos() returns trigger language plpgsql as $$
    begin
      perform add_to_photo_count(user_id, change) from (
        select user_id, sum(photos) as change from (
          select user_id, 1 as photos from added where deleted_at is null and state <> 'receiving' and is_listed
          union all select user_id, -1 from removed where deleted_at is null and state <> 'receiving' and is_listed
        ) as both_versions group by user_id having sum(photos) <> 0 order by user_id
      ) as changes;
      return null;
    end $$`.execute(db)
  await sql`
    create or replace function count_removed_photos() returns trigger language plpgsql as $$
    begin
      update photo_counts set photos = photo_counts.photos - changes.photos from (
        select user_id, count(*) as photos from removed
        where deleted_at is null and state <> 'receiving' and is_listed group by user_id order by user_id
      ) as changes where photo_counts.user_id = changes.user_id;
      return null;
    end $$`.execute(db)
}
