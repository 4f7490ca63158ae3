import { sql, type RawBuilder } from 'kysely'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { FindingKind } from '@keepsnap/contract/operator-integrity.ts'
import type { Db } from '../../db/connect.ts'
import type { FindingList } from './findings.ts'

/** More than this many of a kind are not counted. */
const countMax = 100_000
const examplesMax = 20

const isRestorable = sql`exists (select from photo_removals where photo_removals.photo_id = photos.id)`

/** Real payments always matter; unfinished demo payments do not once payments are real or off. */
const isRelevantProvider = sql`(billing_customers.provider = 'stripe'
  or billing_customers.provider = (select provider from payment_settings))`

const isComparisonLate = sql`provider is not null and compared_at < now() - interval '2 days'`

/** Accounts whose paid plan differs from our copy of the provider's state, unless events are still unprocessed. */
const mismatchedPlans = sql`
select 'account ' || paid_plans.user_id as name, null::timestamptz as since
from paid_plans join payment_settings on payment_settings.provider = paid_plans.provider
  left join subscriptions on subscriptions.id = paid_plans.subscription_id
  left join billing_customers on billing_customers.customer_id = subscriptions.customer_id
where (billing_customers.user_id is distinct from paid_plans.user_id
    or subscriptions.plan is distinct from paid_plans.plan
    or subscriptions.status <> paid_plans.status
    or subscriptions.cancel_at_period_end <> paid_plans.cancel_at_period_end
    or subscriptions.current_period_end <> paid_plans.current_period_end
    or paid_plans.until > paid_plans.current_period_end + make_interval(days => ${sql.lit(billingLimits.graceDays)})
    or paid_plans.until < billing_now() - interval '2 hours')
  and not exists (select from payment_events
    where payment_events.customer_id = subscriptions.customer_id and processed_at is null)
union all
select 'account ' || users.id, null
from subscriptions join billing_customers using (customer_id)
  join payment_settings on payment_settings.provider = billing_customers.provider
  join users on users.id = billing_customers.user_id
where subscriptions.status = 'active' and subscriptions.plan is not null and users.is_active
  and billing_customers.replaced_at is null and subscriptions.current_period_end > billing_now()
  and not exists (select from paid_plans where paid_plans.user_id = users.id
    and paid_plans.provider = billing_customers.provider)
  and not exists (select from payment_events
    where payment_events.customer_id = subscriptions.customer_id and processed_at is null)`

/** Queries for overdue work: the name of each item and since when it is overdue. */
const lateWork: Partial<Record<FindingKind, RawBuilder<unknown>>> = {
  photos: sql`
    select 'photo ' || id as name, created_at as since from photos
    where state = 'queued' and deleted_at is null
      and created_at < now() - case when slow_ms is null then interval '15 minutes' else interval '1 hour' end
    union all
    select 'upload ' || id, created_at from photos where state = 'receiving' and expires_at < now() - interval '15 minutes'`,
  'jobs-failed': sql`
    select task_identifier || ' (job ' || id || ')', updated_at from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null`,
  // Slow photos have times in the past by versions before 0045.
  'jobs-waiting': sql`
    select task_identifier || ' (job ' || id || ')', greatest(run_at, created_at) from graphile_worker.jobs
    where locked_at is null and attempts < max_attempts and greatest(run_at, created_at) < now() - interval '15 minutes'
      and task_identifier not in ('process-slow-photo', 'process-long-photo')
    union all
    select task_identifier || ' (job ' || id || ')', locked_at from graphile_worker.jobs
    where locked_at < now() - interval '1 minute'
      and locked_by not in (select id from workers where heartbeat_at > now() - interval '30 seconds')`,
  deletions: sql`
    select 'photo ' || id, deleted_at from photos
    where deleted_at < now() - interval '1 day' and not ${isRestorable}
      and exists (select from stored_objects where stored_objects.photo_id = photos.id)`,
  emails: sql`
    select 'email ' || id || ' (' || kind || ')', created_at from emails
    where state = 'queued' and not awaits_verification and (due_at < now() - interval '15 minutes'
      or failure is not null and created_at < now() - interval '1 hour')`,
  payments: sql`
    select 'event ' || id, received_at from payment_events join payment_settings using (provider)
    where processed_at is null and received_at < now() - interval '15 minutes'
    union all
    select 'refund ' || refunds.id, requested_at from refunds join billing_customers using (customer_id)
    where done_at is null and requested_at < now() - interval '1 day' and ${isRelevantProvider}
    union all
    select 'customer ' || customer_id || ' to close', close_since from billing_customers
      left join users on users.id = user_id
    where users.is_active is not true and closed_at is null and ${isRelevantProvider} and (close_since < billing_now() - interval '1 day'
      or close_since is null and not exists (select from graphile_worker.jobs
        where key = 'close:' || customer_id and attempts < max_attempts))
    union all
    select 'comparison with the payment provider', compared_at from payment_settings where ${isComparisonLate}`,
  plans: mismatchedPlans,
  webhooks: sql`
    select 'delivery ' || webhook_deliveries.id, next_attempt_at
    from webhook_deliveries join webhooks on webhooks.id = webhook_id
    where state = 'waiting' and next_attempt_at < now() - interval '1 hour' and disabled_at is null`,
  expired: sql`
    select 'archive ' || id, expires_at from archives where expires_at < now() - interval '1 day'
    union all
    select 'photo ' || id, deleted_at from photos
    where deleted_at < now() - interval '3 days' and not ${isRestorable}
      and not exists (select from stored_objects where stored_objects.photo_id = photos.id)
    union all
    select 'photo ' || photo_id || ' that can be put back', restorable_until from photo_removals
    where restorable_until < now() - interval '2 days'
    union all
    select 'live ticket', expires_at from ws_tickets where expires_at < now() - interval '1 day'`,
}

interface Overdue {
  count: number
  since: Date | null
  examples: string[] | null
}

/** Finds overdue jobs, emails, payments and deliveries, and expired rows. */
export async function checkOverdueWork(db: Db, found: FindingList): Promise<void> {
  for (const [kind, query] of Object.entries(lateWork)) {
    const { rows } = await sql<Overdue>`
      with late (name, since) as (select * from (${query}) as late limit ${countMax})
      select (select count(*) from late) as count, (select min(since) from late) as since,
        (select array_agg(name) from (select name from late order by since nulls last limit ${examplesMax}) as first) as examples`.execute(
      db,
    )
    const [late] = rows
    // The keys of the object's type.
    if (late) found.addCounted(kind as keyof typeof lateWork, { ...late, examples: late.examples ?? [] })
  }
}

/** How many nodes run jobs now. If none does, everything waits. */
export async function countWorkers(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct node) as count from workers where heartbeat_at > now() - interval '30 seconds'`.execute(db)
  return rows[0]?.count ?? 0
}

const accountsMax = 10_000

/** Accounts whose paid plan differs from our copy of the payment provider's state. */
export async function accountsWithMismatchedPlan(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    name: string
  }>`select name from (${mismatchedPlans}) as other limit ${accountsMax}`.execute(db)
  return rows.map(({ name }) => name.replace(/^account /, ''))
}

/** Whether the nightly comparison of paying customers with the payment provider is overdue. */
export async function hasLateComparison(db: Db): Promise<boolean> {
  const { rows } = await sql`select from payment_settings where ${isComparisonLate}`.execute(db)
  return rows.length > 0
}
