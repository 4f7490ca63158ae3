import { type Kysely, sql } from 'kysely'

/** What operators see: indexes for lists over all accounts, the comparisons of the store, and the measured availability. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index users_by_time on users (created_at, id)`.execute(db)
  await sql`create index users_deactivated on users (created_at, id) where not is_active`.execute(db)
  await sql`create index users_with_granted_plan on users (id) where granted_plan is not null`.execute(db)
  // Photos are stored nearly in the order of time: a small index that costs an upload nothing.
  await sql`create index photos_by_time on photos using brin (created_at) with (pages_per_range = 32)`.execute(db)
  await sql`create index photo_reports_open on photo_reports (photo_id) where decided_at is null`.execute(db)
  await sql`create index emails_finished on emails (due_at, state) where state <> 'queued'`.execute(db)
  // Without the calls of admin keys, of which there are many.
  await sql`create index audit_log_of_actions on audit_log (at, id) where actor_kind <> 'admin key'`.execute(db)
  await sql`
    create table storage_checks (
      checked_at timestamptz primary key default now(),
      objects bigint not null,
      missing bigint not null,
      unknown bigint not null
    )`.execute(db)
  // How many minutes of a day (UTC) the program could answer; "last_minute" is the newest of them.
  await sql`
    create table availability_days (
      day date primary key,
      first_minute timestamptz not null,
      last_minute timestamptz not null,
      minutes integer not null
    )`.execute(db)
}
