import { type Kysely, sql } from 'kysely'

/** When the payment provider was last asked about what is not done yet, so that what always fails does not keep the rest waiting. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table billing_customers add sync_tried_at timestamptz, add close_tried_at timestamptz`.execute(db)
  await sql`alter table refunds add tried_at timestamptz`.execute(db)
}
