import { type Kysely, sql } from 'kysely'

/** Outgoing webhooks and the log of their deliveries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhooks (
      id text primary key,
      user_id text not null references users on delete cascade,
      url text not null,
      events text[] not null,
      -- Encrypted with a key that is derived from the secret key.
      encrypted_secret bytea not null,
      secret_last_four text not null,
      encrypted_previous_secret bytea,
      previous_secret_until timestamptz,
      -- Null while it is enabled.
      disabled_because text check (disabled_because in ('owner', 'failing')),
      disabled_at timestamptz,
      -- Since when no delivery has succeeded; null while they do.
      failing_since timestamptz,
      created_at timestamptz not null default now(),
      check ((encrypted_previous_secret is null) = (previous_secret_until is null)),
      check ((disabled_because is null) = (disabled_at is null))
    )`.execute(db)
  await sql`create index webhooks_by_user on webhooks (user_id, created_at)`.execute(db)
  await sql`
    create table webhook_deliveries (
      id text primary key,
      webhook_id text not null references webhooks on delete cascade,
      -- The header webhook-id. Derived from the event, so that an event that is noticed twice is delivered once.
      message_id text not null,
      is_replay boolean not null default false,
      type text not null,
      -- The bytes that are signed and sent, at every attempt the same.
      body text not null,
      state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'cancelled')),
      attempts integer not null default 0,
      created_at timestamptz not null default now(),
      next_attempt_at timestamptz,
      give_up_at timestamptz not null,
      finished_at timestamptz,
      check ((state = 'waiting') = (finished_at is null))
    )`.execute(db)
  await sql`create unique index webhook_deliveries_of_events on webhook_deliveries (webhook_id, message_id) where not is_replay`.execute(
    db,
  )
  await sql`create index webhook_deliveries_by_time on webhook_deliveries (webhook_id, created_at, id)`.execute(db)
  await sql`create index webhook_deliveries_waiting on webhook_deliveries (next_attempt_at) where state = 'waiting'`.execute(
    db,
  )
  await sql`create index webhook_deliveries_finished on webhook_deliveries (finished_at) where finished_at is not null`.execute(
    db,
  )
  await sql`
    create table webhook_attempts (
      delivery_id text not null references webhook_deliveries on delete cascade,
      number integer not null,
      at timestamptz not null default now(),
      -- Of the answer; null if there was none.
      status integer,
      duration_ms integer not null,
      error text,
      -- The beginning of the answer.
      response text,
      primary key (delivery_id, number)
    )`.execute(db)
}
