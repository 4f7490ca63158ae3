import { type Kysely, sql } from 'kysely'

/**
 * What the hourly check of the payment provider found, payments that are disputed at a bank, payments that take days, and
 * whether anything that a customer paid is left to refund.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payment_settings
      -- The newest check that the provider answered.
      add checked_at timestamptz,
      -- Why plans are not sold until a later check passes; null: they are.
      add refused_because text,
      -- What an operator should correct although plans are sold.
      add check_warning text,
      -- Why the newest check got no answer; null when it got one.
      add unreachable_because text`.execute(db)
  await sql`
    create table disputes (
      id text primary key,
      customer_id text not null references billing_customers on delete cascade,
      payment_id text not null,
      state text not null check (state in ('open', 'won', 'lost')),
      reason text not null,
      amount_cents integer not null,
      opened_at timestamptz not null,
      -- Until when the provider takes evidence.
      respond_by timestamptz,
      -- When operators were emailed about it.
      told_at timestamptz
    )`.execute(db)
  await sql`create index disputes_of_customers on disputes (customer_id)`.execute(db)
  // An event about a dispute names a payment: its customer is not known until the provider was asked.
  await sql`alter table payment_events add payment_id text`.execute(db)
  await sql`alter table checkouts drop constraint checkouts_state_check`.execute(db)
  await sql`
    alter table checkouts
      add constraint checkouts_state_check check (state in ('open', 'pending', 'paid', 'failed', 'expired')),
      -- When it became pending or failed.
      add state_since timestamptz`.execute(db)
  await sql`alter table billing_customers add nothing_to_refund boolean not null default false`.execute(db)
}
