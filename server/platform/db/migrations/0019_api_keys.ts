import { type Kysely, sql } from 'kysely'

/** Customers' API keys. A deleted key is a deleted row. Only the SHA-256 of a key is stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_keys (
      id text primary key,
      user_id text not null references users on delete cascade,
      name text not null,
      key_hash bytea not null unique,
      last_four text not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      expires_at timestamptz
    )`.execute(db)
  await sql`create index api_keys_by_user on api_keys (user_id, created_at)`.execute(db)
}
