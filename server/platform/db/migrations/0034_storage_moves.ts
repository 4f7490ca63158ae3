import { type Kysely, sql } from 'kysely'

/** Which store is in use, which nodes follow it, and what is remembered while files are moved to the other one (decision 45). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table storage_state (
      only_row boolean primary key default true check (only_row),
      store text not null check (store in ('disk', 's3')),
      step text not null default 'settled' check (step in ('settled', 'copying', 'clearing', 'kept')),
      -- Grows with each change of the two.
      generation bigint not null default 1
    )`.execute(db)
  await sql`
    create table storage_nodes (
      node text primary key,
      -- What identifies the stores of the node; null for one that it does not have.
      disk text,
      s3 text,
      -- The node changes files only as this generation says.
      generation bigint not null,
      seen_at timestamptz not null default now()
    )`.execute(db)
  // Files that both stores have, with the same bytes.
  await sql`create table storage_copies (key text primary key, bytes bigint not null)`.execute(db)
  // Files that were removed while a copy may have been on its way.
  await sql`create table storage_removals (key text primary key)`.execute(db)
}
