import { type Kysely, sql } from 'kysely'

/** Guests: letters and what they are about, grants, reports, and what is counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table photos add hidden_at timestamptz`.execute(db)

  // A letter to be sent, written in the transaction of its cause. Nothing secret stands here: links are drawn when it goes.
  await sql`
    create table letters (
      id text primary key,
      kind text not null,
      user_id text references users on delete cascade,
      photo_id text references photos on delete cascade,
      email text not null,
      email_key text not null,
      client text,
      facts jsonb not null default '{}',
      state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
      created_at timestamptz not null default now(),
      due_at timestamptz not null default now(),
      give_up_at timestamptz not null,
      attempts integer not null default 0,
      leased_until timestamptz,
      unreachable boolean not null default false,
      failure text,
      sent_at timestamptz
    )`.execute(db)
  await sql`create index letters_by_address on letters (email_key, due_at desc) where kind = 'photo'`.execute(db)
  await sql`create index letters_by_client on letters (client, user_id, created_at) where client is not null`.execute(
    db,
  )
  await sql`create index letters_by_photo on letters (photo_id, due_at desc)`.execute(db)
  await sql`create index letters_by_user on letters (user_id, due_at desc)`.execute(db)
  await sql`create index letters_unsent on letters (due_at) where state = 'queued'`.execute(db)

  await sql`
    create table photo_requests (
      id text primary key,
      photo_id text not null references photos on delete cascade,
      user_id text not null references users on delete cascade,
      letter_id text not null references letters on delete cascade,
      email text not null,
      email_key text not null,
      consent_version text not null,
      requested_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index photo_requests_newest on photo_requests (user_id, requested_at desc, id desc)`.execute(db)
  await sql`create index photo_requests_repeats on photo_requests (photo_id, email_key, requested_at desc)`.execute(db)
  await sql`create index photo_requests_by_letter on photo_requests (letter_id)`.execute(db)

  await sql`
    create table grants (
      grant_hash bytea primary key,
      photo_id text not null references photos on delete cascade,
      request_id text not null references photo_requests on delete cascade,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index grants_by_photo on grants (photo_id)`.execute(db)
  await sql`create index grants_by_request on grants (request_id)`.execute(db)

  await sql`
    create table photo_reports (
      id text primary key,
      photo_id text not null references photos on delete cascade,
      user_id text not null references users on delete cascade,
      reason text not null,
      note text,
      reported_at timestamptz not null default now(),
      decision text check (decision in ('hide', 'keep')),
      decided_at timestamptz
    )`.execute(db)
  await sql`create index photo_reports_newest on photo_reports (user_id, reported_at desc)`.execute(db)
  await sql`create index photo_reports_by_photo on photo_reports (photo_id)`.execute(db)

  // Numbers only: nothing here tells one guest from another.
  await sql`
    create table photo_hours (
      photo_id text not null references photos on delete cascade,
      user_id text not null references users on delete cascade,
      hour timestamptz not null,
      scans integer not null default 0,
      views integer not null default 0,
      downloads integer not null default 0,
      requests integer not null default 0,
      primary key (photo_id, hour)
    )`.execute(db)
  await sql`create index photo_hours_by_user on photo_hours (user_id, hour)`.execute(db)
}
