import { type Kysely, sql } from 'kysely'

/**
 * What an operator decided about a photo last, and the message to its owner; null for photos of earlier versions, whose
 * owners can show what an operator hid.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table photos add operator_decision text check (operator_decision in ('hide', 'show')),
      add operator_decided_at timestamptz,
      add operator_message text,
      add check ((operator_decision is null) = (operator_decided_at is null))`.execute(db)
}
