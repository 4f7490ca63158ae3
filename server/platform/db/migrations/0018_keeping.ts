import { type Kysely, sql } from 'kysely'

/**
 * What happens to photos when a plan ends that had more storage: emails, removal after 30 days, and a week to undo it. Times
 * of a row are those of its clock: the billing clock if the plan that ended was a demonstration, else the database's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function keeping_now(clock text) returns timestamptz language sql stable as $$
      select case when clock = 'demo' then billing_now() else now() end
    $$`.execute(db)
  await createKeeping(db)
  await createRemovals(db)
  // The highest threshold that the owner was told about, of a plan and, for photos, of a month.
  await sql`
    create table usage_warnings (
      user_id text not null references users on delete cascade,
      subject text not null check (subject in ('photos', 'storage')),
      plan text not null,
      month date,
      percent smallint not null,
      primary key (user_id, subject)
    )`.execute(db)
  // Whether an email says that the archive is ready: its owner asked for it.
  await sql`alter table archives add is_announced boolean not null default true`.execute(db)
}

async function createKeeping(db: Kysely<unknown>): Promise<void> {
  // The plan that counted when it was last looked at; without a row, the free one. Its end is noticed by comparing.
  await sql`
    create table counted_plans (
      user_id text primary key references users on delete cascade,
      plan text not null,
      clock text not null check (clock in ('database', 'demo')),
      seen_at timestamptz not null,
      -- When it ends unless it is renewed; null if it does not end.
      until timestamptz
    )`.execute(db)
  // A plan that was granted before this version and has ended since is noticed like any other.
  await sql`
    insert into counted_plans (user_id, plan, clock, seen_at, until)
    select users.id, granted_plan, 'database', least(granted_until, now()), granted_until
    from users where granted_plan <> 'free'`.execute(db)
  // Accounts that store more than their plan includes since a larger plan ended.
  await sql`
    create table photo_keeping (
      user_id text primary key references users on delete cascade,
      clock text not null check (clock in ('database', 'demo')),
      -- When the larger plan ended; later if emails were late.
      starts_at timestamptz not null,
      -- When the removal was allowed, by the limits of a run or by the operator.
      approved_at timestamptz,
      by_operator boolean not null default false
    )`.execute(db)
  await sql`
    create table photo_keeping_emails (
      user_id text not null references photo_keeping on delete cascade,
      day smallint not null,
      -- Not a foreign key: emails are deleted after some months.
      email_id text not null,
      attempts smallint not null default 1,
      queued_at timestamptz not null default now(),
      accepted_at timestamptz,
      -- Kept as a file: no mail server has accepted it.
      is_file boolean not null default false,
      primary key (user_id, day)
    )`.execute(db)
  await sql`
    create table removal_guard (
      is_only boolean primary key default true check (is_only),
      -- The database's time of the last run.
      checked_at timestamptz,
      stopped_at timestamptz,
      stopped_because text
    )`.execute(db)
  await sql`insert into removal_guard default values`.execute(db)
}

async function createRemovals(db: Kysely<unknown>): Promise<void> {
  // Photos that were removed and can be put back; their bytes stay.
  await sql`
    create table photo_removals (
      photo_id text primary key references photos on delete cascade,
      user_id text not null references users on delete cascade,
      clock text not null check (clock in ('database', 'demo')),
      removed_at timestamptz not null default now(),
      restorable_until timestamptz not null,
      by_operator boolean not null
    )`.execute(db)
  await sql`create index photo_removals_by_user on photo_removals (user_id)`.execute(db)
  await sql`create index photo_removals_by_time on photo_removals (removed_at)`.execute(db)
}
