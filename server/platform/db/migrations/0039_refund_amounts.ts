import { type Kysely, sql } from 'kysely'

/**
 * Which payments a refund gives back, as a list of `{ id, cents }`, so that its amount is its own. Until now the amount of a refund of
 * everything included the earlier refunds of the customer: they are subtracted. A refund that a node of the version before finishes
 * after this, during an upgrade, still includes them; of one that it began, the amount is what was left.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table refunds add payments jsonb not null default '[]'`.execute(db)
  // Every expression reads the amounts as they were before this statement.
  await sql`
    update refunds set amount_cents = greatest(0, amount_cents - earlier.cents)
    from (
      select later.id, coalesce(whole.amount_cents, 0) + coalesce((
          select sum(amount_cents) from refunds part
          where part.customer_id = later.customer_id and part.subscription_id is not null and part.done_at < later.done_at
            and part.done_at > coalesce(whole.done_at, '-infinity')
        ), 0) as cents
      from refunds later left join lateral (
        select amount_cents, done_at from refunds
        where customer_id = later.customer_id and subscription_id is null and done_at < later.done_at
        order by done_at desc limit 1
      ) whole on true
      where later.subscription_id is null and later.done_at is not null
    ) as earlier
    where refunds.id = earlier.id and earlier.cents > 0`.execute(db)
  // Also of customers who were replaced, whom the unique index leaves out.
  await sql`create index billing_customers_of_users on billing_customers (user_id)`.execute(db)
}
