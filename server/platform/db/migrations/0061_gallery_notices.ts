import { type Kysely, sql } from 'kysely'

/** Guests who are told by email when the gallery of an event opens; a row is deleted when its email is queued. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table gallery_notices (
      event_id text not null references events on delete cascade,
      email text not null,
      mailbox_hash bytea not null,
      language text not null check (language ~ '^[a-z]{2}$'),
      created_at timestamptz not null default now(),
      primary key (event_id, mailbox_hash)
    )`.execute(db)
  await sql`create index gallery_notices_of_mailboxes on gallery_notices (mailbox_hash)`.execute(db)
}
