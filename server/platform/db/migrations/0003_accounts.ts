import { type Kysely, sql } from 'kysely'

/** What people own besides photos: links that confirm, sessions they can see, brands, watermarks, archives, consents. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add email_verified_at timestamptz`.execute(db)
  await sql`alter table sessions add id text not null unique default replace(gen_random_uuid()::text, '-', '')`.execute(
    db,
  )

  // Links of letters that do something once. Only the hash stands here; the link is drawn when the letter goes.
  await sql`
    create table links (
      id text primary key,
      token_hash bytea not null unique,
      kind text not null check (kind in ('reset', 'verify')),
      user_id text not null references users on delete cascade,
      email text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db)
  await sql`create index links_by_user on links (user_id, kind)`.execute(db)

  // Letters that wait until the account's address is confirmed; and the counts of those that carry links.
  await sql`alter table letters add held boolean not null default false`.execute(db)
  await sql`create index letters_held on letters (user_id) where held`.execute(db)
  await sql`create index letters_to_users on letters (email_key, created_at desc) where kind <> 'photo'`.execute(db)

  // What somebody agreed to or took back, and in which words.
  await sql`
    create table consents (
      id bigint generated always as identity primary key,
      user_id text not null references users on delete cascade,
      kind text not null check (kind in ('marketing', 'promotional')),
      given boolean not null,
      version text not null,
      at timestamptz not null default now()
    )`.execute(db)
  await sql`create index consents_by_user on consents (user_id, at)`.execute(db)

  await sql`
    create table brand_images (
      user_id text not null references users on delete cascade,
      kind text not null check (kind in ('logo', 'background')),
      key text not null unique,
      type text not null,
      bytes bigint not null,
      width integer not null,
      height integer not null,
      created_at timestamptz not null default now(),
      primary key (user_id, kind)
    )`.execute(db)

  // The unmarked picture is kept, private, while the one that guests get carries the logo; `marked_with` is that logo's key.
  await sql`alter table photos add plain_key text unique, add plain_type text, add plain_bytes bigint, add marked_with text`.execute(
    db,
  )
  await sql`
    create table watermark_runs (
      user_id text primary key references users on delete cascade,
      what text not null check (what in ('apply', 'undo')),
      state text not null check (state in ('running', 'stopping', 'done', 'stopped')),
      total integer not null,
      done integer not null default 0,
      failed integer not null default 0,
      after_at timestamptz,
      after_id text,
      started_at timestamptz not null default now(),
      finished_at timestamptz
    )`.execute(db)

  await sql`
    create table archives (
      user_id text primary key references users on delete cascade,
      id text not null unique,
      state text not null check (state in ('queued', 'ready', 'failed')),
      secret_hash bytea unique,
      key text unique,
      bytes bigint,
      requested_at timestamptz not null default now(),
      ready_at timestamptz,
      expires_at timestamptz
    )`.execute(db)

  // Objects that belong to an account rather than to a photo: brands and archives. Their bytes outlive a deleted account by a job only.
  await sql`alter table objects add user_id text references users on delete set null`.execute(db)
  await sql`create index objects_by_user on objects (user_id) where user_id is not null`.execute(db)
}
