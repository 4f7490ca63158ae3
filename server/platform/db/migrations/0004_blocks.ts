import { type Kysely, sql } from 'kysely'

/** Mailboxes that take no photos, and what clients ask for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A keyed hash, from which no address can be found or tried. A few builds had this table from 0002.
  await sql`
    create table if not exists blocked_mailboxes (
      block bytea primary key,
      blocked_at timestamptz not null default now()
    )`.execute(db)

  // Each time that a guest asked, whatever came of it, for a day: no address stands here, and a client by its pseudonym.
  await sql`
    create table asks (
      user_id text not null references users on delete cascade,
      photo_id text not null references photos on delete cascade,
      client text not null,
      asked_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index asks_by_client on asks (user_id, client, asked_at)`.execute(db)
  await sql`create index asks_by_photo on asks (photo_id)`.execute(db)
  await sql`create index asks_by_age on asks (asked_at)`.execute(db)

  // What clients ask for was counted by their letters.
  await sql`alter table letters drop column client`.execute(db)
}
