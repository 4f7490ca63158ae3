import { type Kysely, sql } from 'kysely'

/** Accounts, photos and what keeps them honest. Forward only; later changes are later files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id text primary key,
      email text not null,
      email_key text not null unique,
      username text not null,
      password_hash text not null,
      is_admin boolean not null default false,
      is_active boolean not null default true,
      granted_plan text,
      granted_until timestamptz,
      use_logo_as_watermark boolean not null default false,
      ask_email_to_receive_photo boolean not null default false,
      allow_marketing_emails boolean not null default false,
      allow_promotional_emails boolean not null default false,
      media_epoch integer not null default 1,
      created_at timestamptz not null default now(),
      became_subscriber_at timestamptz
    )`.execute(db)

  await sql`
    create table sessions (
      token_hash bytea primary key,
      user_id text not null references users on delete cascade,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      user_agent text
    )`.execute(db)
  await sql`create index sessions_by_user on sessions (user_id)`.execute(db)

  await sql`
    create table ws_tickets (
      ticket_hash bytea primary key,
      session_hash bytea not null references sessions on delete cascade,
      expires_at timestamptz not null
    )`.execute(db)

  // One row a client and rate: the moments of its calls within the last minute, never more of them than the rate allows.
  await sql`create table rate_hits (key text primary key, hits timestamptz[] not null)`.execute(db)
  // Tries at an account's password: of one client that it knows, or, with an empty name, of everybody else.
  await sql`
    create table sign_in_delays (
      account text not null,
      client text not null,
      failures integer not null,
      last_failure_at timestamptz not null,
      primary key (account, client)
    )`.execute(db)
  await sql`
    create table known_clients (
      user_id text not null references users on delete cascade,
      client text not null,
      seen_at timestamptz not null default now(),
      primary key (user_id, client)
    )`.execute(db)

  await sql`
    create table photos (
      id text primary key,
      user_id text not null references users on delete cascade,
      code text not null unique,
      filename text not null,
      state text not null check (state in ('receiving', 'queued', 'ready', 'failed')),
      idempotency_key text,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      deleted_at timestamptz,
      counted_month date not null,
      attempt integer not null default 0,
      crashes integer not null default 0,
      error_message text,
      original_key text,
      original_bytes bigint,
      original_sha256 bytea,
      full_key text unique,
      full_type text,
      full_bytes bigint,
      thumb_key text unique,
      thumb_bytes bigint,
      width integer,
      height integer,
      thumbhash text,
      finished_at timestamptz,
      unique (user_id, idempotency_key)
    )`.execute(db)
  await sql`
    create index photos_newest on photos (user_id, created_at desc, id desc)
      where deleted_at is null and state <> 'receiving'`.execute(db)
  await sql`
    create index photos_unfinished on photos (state, created_at)
      where state in ('receiving', 'queued', 'failed') or deleted_at is not null`.execute(db)

  // Uploads accepted in a calendar month (UTC). Deleting gives nothing back, failing does.
  await sql`
    create table usage_months (
      user_id text not null references users on delete cascade,
      month date not null,
      uploads integer not null check (uploads >= 0),
      primary key (user_id, month)
    )`.execute(db)

  // Every key is written here before its bytes are stored, so that no stored byte is unknown.
  await sql`
    create table objects (
      key text primary key,
      photo_id text references photos on delete set null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index objects_by_photo on objects (photo_id)`.execute(db)

  // Sliding and exact: the row lock makes parallel calls take turns, whichever node they reach.
  await sql`
    create function take_rate(who text, most integer) returns integer language plpgsql as $$
    declare recent timestamptz[];
    begin
      insert into rate_hits values (who, '{}') on conflict do nothing;
      select hits into recent from rate_hits where key = who for update;
      recent := array(select hit from unnest(recent) as hit where hit > clock_timestamp() - interval '1 minute' order by hit);
      if cardinality(recent) < most then
        update rate_hits set hits = recent || clock_timestamp() where key = who;
        return 0;
      end if;
      return greatest(1, ceil(extract(epoch from recent[1] + interval '1 minute' - clock_timestamp())));
    end $$`.execute(db)

  // Counted as a failure before the password is looked at, so that parallel guesses cannot slip through; success
  // removes the row. Five tries are free, then 1, 2, 4 ... 900 seconds; a day of quiet forgives.
  await sql`
    create function start_sign_in(whose text, who text) returns integer language plpgsql as $$
    declare tries integer; latest timestamptz; wait double precision;
    begin
      loop
        insert into sign_in_delays values (whose, who, 0, '-infinity') on conflict do nothing;
        select failures, last_failure_at into tries, latest from sign_in_delays
          where account = whose and client = who for update;
        exit when found; -- A success may have removed the row between the two.
      end loop;
      if latest < clock_timestamp() - interval '1 day' then tries := 0; end if;
      if tries >= 5 then
        wait := least(power(2, least(tries - 5, 10)), 900) - extract(epoch from clock_timestamp() - latest);
        if wait > 0 then return ceil(wait); end if;
      end if;
      update sign_in_delays set failures = tries + 1, last_failure_at = clock_timestamp()
        where account = whose and client = who;
      return 0;
    end $$`.execute(db)

  await sql`create table workers (id text primary key, node text not null, beat_at timestamptz not null default now())`.execute(
    db,
  )
}
