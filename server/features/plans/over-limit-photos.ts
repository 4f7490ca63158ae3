import { type RawBuilder, sql } from 'kysely'
import type { SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { storageBytes } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../platform/db/connect.ts'
import { currentPlan, photoBytes, planNumber, storedBytes } from './plans.ts'

/** The clock by which a row's days are counted: demo payments' or the database's. See `keeping_now`, migration 0018. */
export type KeepingClock = 'database' | 'demo'

/** The storage limit of the current plan of a row of `users`, in bytes. */
export const storageOfPlan = (plan: RawBuilder<unknown> = currentPlan): RawBuilder<number> =>
  planNumber(plan, storageBytes)

/** The order in which photos are removed: what guests added and the owner rejected, then what waits for review, then the oldest. */
export const removalTurn = sql`(case photos.review when 'rejected' then 0 when 'waiting' then 1 else 2 end)`

/**
 * A subquery for the photos of a user that are removed first, so that the others fit into `limit` bytes: id, bytes, created_at and
 * turn, see `removalTurn`. Queued photos are not selected, but their bytes count; photos being received are ignored.
 */
export const photosOverLimit = (userId: RawBuilder<unknown>, limit: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select id, bytes, created_at, turn from (
    select id, state, created_at, bytes, turn, sum(bytes) over () as total,
      coalesce(sum(bytes) filter (where state <> 'queued') over (
        order by turn, created_at, id rows between unbounded preceding and 1 preceding), 0) as older
    from (select id, state, created_at, ${photoBytes} as bytes, ${removalTurn} as turn from photos
      where photos.user_id = ${userId} and deleted_at is null and state <> 'receiving') as sized
  ) as ordered where state <> 'queued' and bytes > 0 and older < total - ${limit})`

/** The maximum age of the provider's answer about a missing payment. */
const newsDays = 2

/**
 * Whether a row of `users` may still be charged for a plan that is not in effect: payments were switched to another
 * provider or off, the provider has not answered, or the price is unknown. Until the provider confirms the end of the
 * subscription, nothing is removed.
 */
export const mayStillBeCharged = sql<boolean>`exists (
  select from billing_customers join subscriptions using (customer_id)
  where billing_customers.user_id = users.id and billing_customers.provider = 'stripe' and (
    subscriptions.status = 'active' or subscriptions.status = 'past_due'
      and coalesce(synced_at, billing_customers.created_at) < now() - make_interval(days => ${newsDays}))
    and not exists (
      select from paid_plans join payment_settings using (provider)
      where paid_plans.user_id = users.id and subscription_id = subscriptions.id and until > billing_now()))`

/** An archive that expires sooner is not linked to in an email; a new one is built. */
export const archiveMinDays = 3

/** How many photos, and their bytes. */
export interface PhotoCount {
  photos: number
  bytes: number
}

/** What will be removed from an account. */
interface PendingRemoval extends PhotoCount {
  plan: string
  storedBytes: number
  removeAt: Date
}

/** Undefined when nothing will be removed. */
export async function pendingRemovalOf(db: Db, userId: string): Promise<PendingRemoval | undefined> {
  const { rows } = await sql<PendingRemoval>`
    select over.*, ${currentPlan} as plan, (
        select ${storedBytes} from photos
        where photos.user_id = users.id and deleted_at is null and state <> 'receiving') as "storedBytes",
      greatest(starts_at + make_interval(days => ${billingLimits.keepDays}), keeping_now(clock)) as "removeAt"
    from photo_keeping join users on users.id = photo_keeping.user_id, lateral (
      select count(*) as photos, coalesce(sum(bytes), 0)::bigint as bytes
      from ${photosOverLimit(sql`users.id`, storageOfPlan())} as over_limit) as over
    where users.id = ${userId} and over.photos > 0`.execute(db)
  return rows[0]
}

/** What was removed from an account and can be put back. */
interface RestorablePhotos extends PhotoCount {
  plan: string
  until: Date
}

/** Undefined when there is nothing to put back. */
export async function restorablePhotosOf(db: Db, userId: string): Promise<RestorablePhotos | undefined> {
  const { rows } = await sql<RestorablePhotos>`
    select count(*) as photos, ${storedBytes} as bytes, min(restorable_until) as until,
      (select ${currentPlan} from users where users.id = ${userId}) as plan
    from photo_removals join photos on photos.id = photo_removals.photo_id
    where photo_removals.user_id = ${userId} and restorable_until > keeping_now(clock) having count(*) > 0`.execute(db)
  return rows[0]
}

/** The pending removal and the restorable photos, as fields of the subscription status. */
export async function removalFields(
  db: Db,
  userId: string,
): Promise<Pick<SubscriptionStatus, 'removal' | 'removed_photos'>> {
  const [pending, restorable] = await Promise.all([pendingRemovalOf(db, userId), restorablePhotosOf(db, userId)])
  return {
    ...(pending && { removal: { photos: pending.photos, bytes: pending.bytes, at: pending.removeAt.toISOString() } }),
    ...(restorable && {
      removed_photos: { photos: restorable.photos, bytes: restorable.bytes, until: restorable.until.toISOString() },
    }),
  }
}

/**
 * When the plan ended that a row of `users` had at its last check (`before`, a row of `counted_plans`, which may be
 * missing); now if it has not ended. Never before that check, even if the subscription ended earlier: the plan was
 * still in effect then.
 */
export const previousPlanEnd = sql<Date>`least(keeping_now(coalesce(before.clock, 'database')), greatest(before.seen_at, coalesce((
    select max(subscriptions.ended_at) from subscriptions join billing_customers using (customer_id)
    where billing_customers.user_id = users.id and (provider = 'demo') = (before.clock = 'demo')
      and subscriptions.ended_at >= before.seen_at),
  before.until, keeping_now(coalesce(before.clock, 'database')))))`

const paidPlan = sql`paid_plans.plan`
const periodMonths = planNumber(paidPlan, ({ interval_type }) => (interval_type === 'year' ? 12 : 1))
const priceCents = planNumber(paidPlan, ({ price_cents }) => price_cents)

/** When a row of `paid_plans` ends if later payments are declined: remaining credit still pays for some periods. */
const declinedUntil = sql<Date>`until + ((demo_subscriptions.anchored_at at time zone 'utc' + make_interval(months => (
    ${periodMonths} * (period_number + demo_subscriptions.credit_cents / nullif(${priceCents}, 0)))::integer
  )) at time zone 'utc' - demo_subscriptions.current_period_end)`

/** Accounts whose plan ends early enough that photos are removed by `at`, and the storage limit that they have then. */
const accountsWithEndingPlans = (at: Date): RawBuilder<unknown> => {
  const isOver = (end: RawBuilder<Date>) => sql`${end} + make_interval(days => ${billingLimits.keepDays}) <= ${at}`
  return sql`
    select users.id, ${storageOfPlan()} as storage from photo_keeping join users on users.id = photo_keeping.user_id
    where clock = 'demo' and ${isOver(sql`starts_at`)}
    union
    -- Accounts whose days the next check starts to count.
    select users.id, ${storageOfPlan()} from counted_plans before join users on users.id = before.user_id
    where before.clock = 'demo' and ${storageOfPlan()} < ${storageOfPlan(sql`before.plan`)} and ${isOver(previousPlanEnd)}
    union
    select users.id, ${storageOfPlan(sql`case when granted_until is null or granted_until > now() then granted_plan end`)}
    from paid_plans join users on users.id = paid_plans.user_id
      left join demo_subscriptions on demo_subscriptions.id = paid_plans.subscription_id
      left join demo_customers on demo_customers.id = demo_subscriptions.customer_id
    where provider = 'demo' and case when paid_plans.cancel_at_period_end or status = 'past_due' then ${isOver(sql`until`)}
      else not card_pays and ${isOver(declinedUntil)} end`
}

/**
 * How many photos of how many accounts with demo subscriptions would be removed by `at`, a time of the billing clock,
 * if nothing else happens. Counts accounts whose larger plan has ended, accounts whose subscription will not be renewed
 * (cancelled, or payments declined), and removed photos that can no longer be restored by then. Complimentary plans end
 * by the database's clock. Errs on the early side: a past-due subscription may end after its plan.
 */
export async function photosDueForRemoval(db: Db, at: Date): Promise<{ photos: number; accounts: number }> {
  const { rows } = await sql<{ photos: number; accounts: number }>`
    with accounts as (
      select id, min(storage) as storage from (${accountsWithEndingPlans(at)}) as ending group by id
    ), due as (
      select accounts.id as account, over_limit.id as photo
      from accounts, lateral ${photosOverLimit(sql`accounts.id`, sql`accounts.storage`)} as over_limit
      union all
      select user_id, photo_id from photo_removals
      where clock = 'demo' and restorable_until > keeping_now(clock) and restorable_until <= ${at}
    )
    select count(*) as photos, count(distinct account) as accounts from due`.execute(db)
  return rows[0] ?? { photos: 0, accounts: 0 }
}
