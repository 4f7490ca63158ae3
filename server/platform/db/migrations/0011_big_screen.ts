import { type Kysely, sql } from 'kysely'

/** What the owner's big screens share: the photo that they hold, and after how many quiet minutes the slow show starts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add slow_show_minutes smallint not null default 0 check (slow_show_minutes in (0, 1, 3, 5))`.execute(
    db,
  )
  await sql`
    create table photo_holds (
      user_id text primary key references users on delete cascade,
      photo_id text not null references photos on delete cascade,
      held_until timestamptz not null
    )`.execute(db)
  await sql`create index photo_holds_by_photo on photo_holds (photo_id)`.execute(db)
}
