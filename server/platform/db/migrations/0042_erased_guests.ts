import { type Kysely, sql } from 'kysely'

/**
 * Guests whose data an operator erased are in the list of erasures too, so that a restored backup does not bring them back:
 * `id` is a keyed hash of the mailbox. The index finds what a mailbox has requested.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table erasures drop constraint erasures_kind_check`.execute(db)
  await sql`alter table erasures add constraint erasures_kind_check check (kind in ('account', 'photo', 'guest'))`.execute(
    db,
  )
  await sql`create index photo_requests_by_requester on photo_requests (requester_key)`.execute(db)
}
