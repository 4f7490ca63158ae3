import { type Kysely, sql } from 'kysely'

/**
 * What a payment provider stores, for demo payments. Times of subscriptions and payments are those of the billing clock;
 * checkouts and events stay on the database's time. There is nothing about persons here.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table demo_customers (
      id text primary key,
      idempotency_key text not null unique,
      -- Whether payments succeed.
      card_pays boolean not null default true,
      created_at timestamptz not null default now()
    )`.execute(db)
  await createSubscriptions(db)
  await sql`
    create table demo_checkouts (
      id text primary key,
      idempotency_key text not null unique,
      customer_id text not null references demo_customers on delete cascade,
      price_id text not null,
      reference text not null,
      success_url text not null,
      cancel_url text not null,
      state text not null default 'open' check (state in ('open', 'paid', 'expired')),
      subscription_id text references demo_subscriptions,
      expires_at timestamptz not null,
      check ((state = 'paid') = (subscription_id is not null))
    )`.execute(db)
  await sql`create index demo_checkouts_by_customer on demo_checkouts (customer_id)`.execute(db)
  await sql`create index demo_checkouts_by_end on demo_checkouts (expires_at) where state <> 'paid'`.execute(db)
  // Numbered, because events of one transaction can have the same time.
  await sql`
    create table demo_events (
      number bigint generated always as identity primary key,
      id text not null unique,
      customer_id text not null references demo_customers on delete cascade,
      type text not null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index demo_events_by_time on demo_events (created_at)`.execute(db)
}

async function createSubscriptions(db: Kysely<unknown>): Promise<void> {
  // The current period is number `period_number`, counted from `anchored_at`.
  await sql`
    create table demo_subscriptions (
      id text primary key,
      customer_id text not null references demo_customers on delete cascade,
      price_id text not null,
      cancel_at_period_end boolean not null default false,
      started_at timestamptz not null,
      anchored_at timestamptz not null,
      period_number integer not null default 1,
      current_period_start timestamptz not null,
      current_period_end timestamptz not null,
      -- What is left of an earlier price, set off against the next payments.
      credit_cents integer not null default 0 check (credit_cents >= 0),
      -- The start of the period whose payment is missing.
      unpaid_since timestamptz,
      ended_at timestamptz
    )`.execute(db)
  await sql`create index demo_subscriptions_by_customer on demo_subscriptions (customer_id)`.execute(db)
  await sql`create index demo_subscriptions_unpaid on demo_subscriptions (unpaid_since) where ended_at is null and unpaid_since is not null`.execute(
    db,
  )
  await sql`create index demo_subscriptions_due on demo_subscriptions (current_period_end) where ended_at is null`.execute(
    db,
  )
  await sql`
    create table demo_price_changes (
      idempotency_key text primary key,
      subscription_id text not null references demo_subscriptions on delete cascade,
      price_id text not null
    )`.execute(db)
  await sql`
    create table demo_payments (
      id text primary key,
      customer_id text not null references demo_customers on delete cascade,
      subscription_id text not null references demo_subscriptions on delete cascade,
      paid_at timestamptz not null,
      amount_cents integer not null check (amount_cents > 0),
      refunded_cents integer not null default 0 check (refunded_cents between 0 and amount_cents),
      refund_key text
    )`.execute(db)
  await sql`create index demo_payments_by_customer on demo_payments (customer_id, paid_at)`.execute(db)
}
