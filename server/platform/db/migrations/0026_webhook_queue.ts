import { type Kysely, sql } from 'kysely'

/** Which receivers are slow or being called, and the order in which deliveries to one webhook are made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Whether the last attempt took long: such receivers are served by workers of their own.
  // While an attempt is under way, no other is made; the time is over soon after the program that made it has died.
  await sql`alter table webhooks add is_slow boolean not null default false, add busy_until timestamptz`.execute(db)
  await sql`create index webhook_deliveries_queue on webhook_deliveries (webhook_id, created_at, id) where state = 'waiting'`.execute(
    db,
  )
}
