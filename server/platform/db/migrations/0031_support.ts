import { type Kysely, sql } from 'kysely'

/** Messages to support. The id is also that of the email about it. `client` is a pseudonym, removed when it no longer counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table support_messages (
      id text primary key,
      user_id text references users on delete cascade,
      name text not null,
      email text not null,
      mailbox text not null,
      subject text not null,
      message text not null,
      is_priority boolean not null,
      filled_honeypot boolean not null,
      state text not null check (state in ('open', 'answered', 'suspected')),
      client text,
      is_emailed boolean not null,
      is_confirmed boolean not null,
      created_at timestamptz not null default now(),
      answered_at timestamptz,
      check ((state = 'answered') = (answered_at is not null))
    )`.execute(db)
  await sql`create index support_messages_inbox on support_messages (state, is_priority desc, created_at desc, id)`.execute(
    db,
  )
  await sql`create index support_messages_by_time on support_messages (created_at)`.execute(db)
  await sql`create index support_messages_by_client on support_messages (client, created_at) where client is not null`.execute(
    db,
  )
  await sql`create index support_messages_by_user on support_messages (user_id) where user_id is not null`.execute(db)
}
