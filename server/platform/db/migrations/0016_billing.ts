import { type Kysely, sql } from 'kysely'

/**
 * Plans, and what the payment provider says about who pays for one. All times of periods are those of the billing clock:
 * the database's clock, moved forward by an operator when payments are a demonstration.
 *
 * `users.became_subscriber_at` was never written; `subscribers` replaces it. The column stays, because a node of the
 * earlier version may still read it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPlans(db)
  await createSettings(db)
  await createCustomers(db)
  await createIntents(db)
  await createCurrentPlan(db)
}

async function createPlans(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table plans (
      id text primary key,
      name text not null,
      description text not null,
      price_cents integer not null,
      interval_type text not null check (interval_type in ('month', 'year')),
      features jsonb not null,
      -- Plans are compared by it: the higher, the better.
      position smallint not null
    )`.execute(db)
  // Prices of earlier settings stay, because subscriptions may still have them.
  await sql`
    create table plan_prices (
      price_id text not null,
      provider text not null check (provider in ('stripe', 'demo')),
      plan text not null references plans,
      is_current boolean not null,
      primary key (provider, price_id)
    )`.execute(db)
  await sql`create unique index current_plan_prices on plan_prices (provider, plan) where is_current`.execute(db)
}

async function createSettings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_settings (
      is_only boolean primary key default true check (is_only),
      -- Null: plans are not sold here.
      provider text check (provider in ('stripe', 'demo')),
      -- How far the provider's events have been read.
      events_read_until timestamptz,
      -- The newest webhook with a valid signature.
      last_webhook_at timestamptz,
      -- When every customer was last compared with the provider, and how many of them differed.
      compared_at timestamptz,
      mismatches integer
    )`.execute(db)
  await sql`insert into payment_settings default values`.execute(db)
  await sql`
    create table demo_clock (
      is_only boolean primary key default true check (is_only),
      moved_by interval not null default '0'
    )`.execute(db)
  await sql`insert into demo_clock default values`.execute(db)
  await sql`
    create function billing_now() returns timestamptz language sql stable as $$
      select now() + case when (select provider from payment_settings) = 'demo'
        then (select moved_by from demo_clock) else interval '0' end
    $$`.execute(db)
}

async function createCustomers(db: Kysely<unknown>): Promise<void> {
  // The row outlives its account until the provider has confirmed that nothing more is charged.
  await sql`
    create table billing_customers (
      customer_id text primary key,
      provider text not null check (provider in ('stripe', 'demo')),
      user_id text references users on delete set null,
      created_at timestamptz not null default now(),
      first_paid_at timestamptz,
      -- Since when the user has another customer, because the provider did not know this one: it is of the other mode of
      -- Stripe, or was deleted there.
      replaced_at timestamptz,
      -- Each synchronization takes a number before it asks the provider; the answer to an older question is not applied.
      last_sync_started bigint not null default 0,
      last_sync_applied bigint not null default 0,
      synced_at timestamptz,
      -- Since when the provider must end everything of this customer; when it confirmed that.
      close_since timestamptz,
      closed_at timestamptz
    )`.execute(db)
  await sql`create unique index billing_customers_by_user on billing_customers (user_id, provider) where replaced_at is null`.execute(
    db,
  )
  await sql`create index billing_customers_to_close on billing_customers (close_since) where close_since is not null and closed_at is null`.execute(
    db,
  )
  await sql`
    create table subscriptions (
      id text primary key,
      customer_id text not null references billing_customers on delete cascade,
      price_id text not null,
      plan text references plans,
      status text not null check (status in ('active', 'past_due', 'canceled', 'incomplete')),
      cancel_at_period_end boolean not null,
      current_period_start timestamptz not null,
      current_period_end timestamptz not null,
      started_at timestamptz not null,
      ended_at timestamptz
    )`.execute(db)
  await sql`create index subscriptions_by_customer on subscriptions (customer_id)`.execute(db)
  // What a user's paid subscription grants; derived from the customer's subscriptions.
  await sql`
    create table paid_plans (
      user_id text not null references users on delete cascade,
      provider text not null check (provider in ('stripe', 'demo')),
      plan text not null references plans,
      subscription_id text not null,
      status text not null check (status in ('active', 'past_due')),
      cancel_at_period_end boolean not null,
      current_period_end timestamptz not null,
      -- Until when the plan counts without news from the provider, days of grace included.
      until timestamptz not null,
      primary key (user_id, provider)
    )`.execute(db)
  await sql`
    create table subscribers (
      user_id text primary key references users on delete cascade,
      became_subscriber_at timestamptz not null default now()
    )`.execute(db)
}

async function createIntents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table checkouts (
      id text primary key,
      user_id text references users on delete set null,
      customer_id text not null references billing_customers on delete cascade,
      price_id text not null,
      -- Null until the provider has answered.
      session_id text unique,
      state text not null default 'open' check (state in ('open', 'paid', 'expired')),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index checkouts_by_customer on checkouts (customer_id, created_at)`.execute(db)
  await sql`
    create table refunds (
      id text primary key,
      customer_id text not null references billing_customers on delete cascade,
      reason text not null check (reason in ('customer', 'operator', 'second subscription', 'account closed')),
      -- Null: everything that the customer paid.
      subscription_id text,
      amount_cents integer,
      requested_at timestamptz not null default now(),
      done_at timestamptz
    )`.execute(db)
  await sql`create unique index refunds_by_customers on refunds (customer_id) where reason = 'customer'`.execute(db)
  await sql`create unique index refunds_of_subscriptions on refunds (subscription_id) where subscription_id is not null`.execute(
    db,
  )
  await sql`
    create table payment_events (
      provider text not null check (provider in ('stripe', 'demo')),
      id text not null,
      type text not null,
      customer_id text,
      created_at timestamptz not null,
      received_at timestamptz not null default now(),
      processed_at timestamptz,
      primary key (provider, id)
    )`.execute(db)
  await sql`create index payment_events_unprocessed on payment_events (received_at) where processed_at is null`.execute(
    db,
  )
  await sql`create index payment_events_by_customer on payment_events (customer_id) where processed_at is null`.execute(
    db,
  )
  // What happens once, such as an email: by the subscription or period that it is about.
  await sql`
    create table billing_effects (
      user_id text not null references users on delete cascade,
      kind text not null,
      subject text not null,
      happened_at timestamptz not null default now(),
      primary key (user_id, kind, subject)
    )`.execute(db)
}

/** The better of the complimentary and the paid plan; only the provider that is in use grants a plan. */
async function createCurrentPlan(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function current_plan(users) returns text language sql stable as $$
      select coalesce((
        select id from plans where id in (
          case when $1.granted_until is null or $1.granted_until > now() then $1.granted_plan end,
          (select plan from paid_plans join payment_settings on payment_settings.provider = paid_plans.provider
            where user_id = $1.id and until > billing_now()))
        order by position desc limit 1), 'free')
    $$`.execute(db)
}
