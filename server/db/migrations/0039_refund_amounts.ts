import { sql, type Kysely } from 'kysely'

/**
 * What of the payments concerned had been given back before a refund began, so that its amount is its own. Until now the amount
 * of a refund of everything included the earlier refunds of the customer: they are subtracted. Attempts that have begun count from 0.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table refunds add refunded_before_cents integer check (refunded_before_cents >= 0)`.execute(db)
  await sql`update refunds set refunded_before_cents = 0 where tried_at is not null`.execute(db)
  // Every expression reads the amounts as they were before this statement.
  await sql`
    update refunds set amount_cents = greatest(0, amount_cents - earlier.cents), refunded_before_cents = earlier.cents
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
}
