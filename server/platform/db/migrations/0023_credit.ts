import { type Kysely, sql } from 'kysely'

/** What is left of a user's earlier payments, in cents; the next ones are paid from it first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table paid_plans add credit_cents integer not null default 0`.execute(db)
}
