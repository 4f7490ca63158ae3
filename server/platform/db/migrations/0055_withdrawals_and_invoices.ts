import { type Kysely, sql } from 'kysely'

/**
 * Withdrawals from contracts, businesses with the invoices that operators hand over, and invoices of demo payments, which
 * were payments alone before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createDemoInvoices(db)
  await createWithdrawals(db)
  await createInvoices(db)
}

async function createDemoInvoices(db: Kysely<unknown>): Promise<void> {
  await sql`alter table demo_customers add business jsonb`.execute(db)
  await sql`
    create table demo_invoices (
      id text primary key,
      number bigint generated always as identity unique,
      customer_id text not null references demo_customers on delete cascade,
      subscription_id text not null references demo_subscriptions on delete cascade,
      reason text not null check (reason in ('first', 'change', 'renewal')),
      issued_at timestamptz not null,
      -- Of each: priceId, cents, from, to.
      lines jsonb not null,
      due_cents integer not null check (due_cents >= 0),
      business jsonb
    )`.execute(db)
  await sql`create index demo_invoices_by_customer on demo_invoices (customer_id, issued_at)`.execute(db)
  await sql`alter table demo_payments add invoice_id text references demo_invoices`.execute(db)
  await sql`create index demo_payments_by_invoice on demo_payments (invoice_id)`.execute(db)
  await sql`
    create table demo_refunds (
      idempotency_key text primary key,
      payment_id text not null references demo_payments on delete cascade,
      cents integer not null check (cents > 0)
    )`.execute(db)
  await sql`create index demo_refunds_by_payment on demo_refunds (payment_id)`.execute(db)
  // Invoices of the payments that were made before. Prices before a change are not known: a payment of more than a month's price
  // was for a year. What a change was charged less than its price was paid by the unused time before it.
  const toTime = (value: string) => sql.raw(`to_char((${value}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
  await sql`
    insert into demo_invoices (id, customer_id, subscription_id, reason, issued_at, lines, due_cents)
    select 'demo_in_' || substr(payment.id, length('demo_pay_') + 1), payment.customer_id, subscription_id, reason, paid_at,
      jsonb_build_array(jsonb_build_object('priceId', price, 'cents', amount_cents + credit, 'from', ${toTime('paid_at')},
        'to', ${toTime(`paid_at + case price when 'demo_pro_yearly' then interval '1 year' else interval '1 month' end`)}))
      || case when credit > 0 then jsonb_build_array(jsonb_build_object('priceId', null, 'cents', -credit,
        'from', ${toTime('paid_at')}, 'to', ${toTime('paid_at')})) else '[]' end,
      amount_cents
    from demo_payments payment join demo_subscriptions on demo_subscriptions.id = subscription_id
      cross join lateral (select
        case when paid_at = started_at then 'first' when paid_at = anchored_at then 'change' else 'renewal' end as reason,
        case when paid_at >= anchored_at then price_id when amount_cents > 1499 then 'demo_pro_yearly'
          else 'demo_pro_monthly' end as price) known
      cross join lateral (select case when reason = 'change'
        then greatest(0, case price when 'demo_pro_yearly' then 14999 else 1499 end - amount_cents) else 0 end as credit) set_off
    order by paid_at`.execute(db)
  await sql`
    update demo_payments set invoice_id = 'demo_in_' || substr(id, length('demo_pay_') + 1)`.execute(db)
}

async function createWithdrawals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table withdrawals (
      id text primary key,
      -- By the billing clock.
      made_at timestamptz not null default now(),
      created_at timestamptz not null default now(),
      -- As they were written in the form.
      name text not null,
      email text not null,
      contract text not null,
      mailbox text not null,
      language text not null,
      -- Pseudonyms, for a day.
      client text,
      networks text[],
      -- Null when there is no such account, or it was deleted since.
      user_id text references users on delete set null,
      -- Of a session: the invoice with which the contract began that its page has shown.
      session_invoice_id text,
      customer_id text references billing_customers on delete set null,
      -- The contract: the invoice with which it began, and its subscription. Null when none was found.
      invoice_id text,
      subscription_id text,
      plan text,
      concluded_at timestamptz,
      -- What it cost when it was found (cents), and the invoices that this counts.
      cost jsonb,
      -- received: the contract is to be found; waiting: for the link or an operator; unmatched: no contract was found; late: after the 14 days;
      -- accepted: the plan ends and the money goes back; done: both have happened; dismissed: there is nothing to do.
      state text not null check (state in ('received', 'waiting', 'unmatched', 'late', 'accepted', 'done', 'dismissed')),
      accepted_by text check (accepted_by in ('customer', 'link', 'operator')),
      decided_at timestamptz,
      note text,
      -- Which payments are refunded: id, cents, and what of each was refunded before.
      payments jsonb not null default '[]',
      amount_cents integer,
      tried_at timestamptz,
      done_at timestamptz,
      check ((state = 'done') = (done_at is not null)),
      check ((state in ('accepted', 'done')) = (accepted_by is not null)),
      check (state not in ('waiting', 'late', 'accepted', 'done')
        or (invoice_id is not null and subscription_id is not null and plan is not null and concluded_at is not null and cost is not null))
    )`.execute(db)
  await sql`
    create unique index withdrawals_of_contracts on withdrawals (invoice_id) where state in ('accepted', 'done')`.execute(
    db,
  )
  await sql`create index withdrawals_by_state on withdrawals (state, made_at)`.execute(db)
  await sql`create index withdrawals_by_time on withdrawals (made_at, id)`.execute(db)
  await sql`create index withdrawals_by_creation on withdrawals (created_at)`.execute(db)
  await sql`create index withdrawals_of_mailboxes on withdrawals (mailbox)`.execute(db)
  await sql`create index withdrawals_of_invoices on withdrawals (invoice_id)`.execute(db)
  await sql`create index withdrawals_of_users on withdrawals (user_id)`.execute(db)
  await sql`create index withdrawals_of_customers on withdrawals (customer_id)`.execute(db)
}

async function createInvoices(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table businesses (
      user_id text primary key references users on delete cascade,
      -- All texts are empty when the user has removed the business. The provider does not know every part of an address.
      name text not null,
      vat_number text not null,
      street text not null,
      postal_code text not null,
      city text not null,
      country text not null,
      -- Grows with each change.
      version integer not null default 1,
      -- The customer of whom the provider has it; null when that is to be told.
      customer_id text references billing_customers on delete set null,
      -- When it was changed here, or was last the same at the provider.
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index businesses_by_customer on businesses (customer_id)`.execute(db)
  // Kept as long as the law on accounting wants, also when the account is deleted.
  await sql`
    create table business_invoices (
      id text primary key,
      kind text not null check (kind in ('invoice', 'credit_note')),
      provider text not null,
      customer_id text references billing_customers on delete set null,
      number text not null,
      -- The provider's invoice, also of a credit note.
      source_id text not null,
      -- Of a credit note: the invoice that it corrects.
      corrects text references business_invoices,
      issued_at timestamptz not null,
      currency text not null,
      -- Buyer, seller, lines and VAT as they were when it was issued.
      document jsonb not null,
      -- With the VAT that it includes.
      total_cents integer not null check (total_cents >= 0),
      -- Euros for one unit of the currency; null until it is known.
      eur_rate numeric check (eur_rate > 0),
      rate_by text check (rate_by in ('provider', 'operator')),
      -- What is missing before it can be handed over.
      waits_for text[] not null,
      created_at timestamptz not null default now(),
      check (corrects is null or kind = 'credit_note'),
      check ((eur_rate is null) = (rate_by is null))
    )`.execute(db)
  await sql`
    create unique index business_invoices_of_provider on business_invoices (provider, source_id) where corrects is null`.execute(
    db,
  )
  // Credit notes for refunds have numbers of ours, without gaps.
  await sql`
    create unique index credit_note_numbers on business_invoices (provider, number) where corrects is not null`.execute(
    db,
  )
  await sql`create index business_invoices_by_time on business_invoices (issued_at, id)`.execute(db)
  await sql`create index business_invoices_of_customers on business_invoices (customer_id)`.execute(db)
  await sql`create index business_invoices_by_correction on business_invoices (corrects)`.execute(db)
  await sql`create index business_invoices_that_wait on business_invoices (issued_at) where waits_for <> '{}'`.execute(
    db,
  )
  await sql`alter table billing_customers add invoices_read_at timestamptz`.execute(db)
}
