import { type Kysely, sql } from 'kysely'

/** Admin keys, the audit log, and which sessions of operators have entered the password lately. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A revoked key stays, because the audit log names it.
  await sql`
    create table admin_keys (
      id text primary key,
      name text not null,
      key_hash bytea not null unique,
      last_four text not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db)
  // Without foreign keys: an entry outlives the accounts and photos that it is about.
  await sql`
    create table audit_log (
      id text primary key,
      at timestamptz not null default now(),
      actor_kind text not null check (actor_kind in ('admin key', 'operator', 'command')),
      -- Of the key or the operator; null for a command.
      actor_id text,
      -- Name of the key or email address of the operator, as it was then.
      actor_name text not null,
      action text not null,
      subject_kind text check (subject_kind in ('user', 'photo')),
      subject_id text,
      subject_name text,
      -- The owner, when the subject is a photo: entries about an account are found by it.
      user_id text,
      reason text,
      outcome text not null check (outcome in ('done', 'refused')),
      detail text,
      check ((subject_kind is null) = (subject_id is null))
    )`.execute(db)
  await sql`create index audit_log_by_time on audit_log (at, id)`.execute(db)
  await sql`create index audit_log_by_user on audit_log (user_id, at) where user_id is not null`.execute(db)
  await sql`
    create table operator_confirmations (
      session_hash bytea primary key references sessions on delete cascade,
      confirmed_at timestamptz not null default now()
    )`.execute(db)
}
