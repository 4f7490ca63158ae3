import { type Kysely, sql } from 'kysely'

/** The secret keys that the installation was used with, by fingerprint, so that none is replaced without its successor knowing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table secret_keys (
      fingerprint text primary key,
      first_used_at timestamptz not null default now(),
      replaced_at timestamptz,
      -- What links to unsubscribe are signed with, encrypted under the key in use. Set when the key is replaced.
      unsubscribe_key bytea
    )`.execute(db)
  await sql`create unique index one_secret_key_in_use on secret_keys ((true)) where replaced_at is null`.execute(db)
}
