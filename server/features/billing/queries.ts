import { sql } from 'kysely'
import type { SubscriptionState } from '@keepsnap/contract/billing.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { coalesce } from '../../db/coalesce.ts'
import type { Database, Db } from '../../db/connect.ts'
import { prepareQuery } from '../../db/prepared-query.ts'
import { currentMonth, currentPlan, type PlanColumn } from '../../domain/plans.ts'
import { storedBytes } from '../../domain/stored-bytes.ts'

/** What a user has used, which plan counts, and what determines it. */
export interface UsageRow extends PlanColumn {
  photos: number
  bytes: number
  monthEndsAt: Date
  /** A complimentary plan that has not ended. */
  grantedPlan: string | null
  grantedUntil: Date | null
  /** The subscription that counts now. */
  paidPlan: string | null
  paidStatus: SubscriptionState | null
  cancelAtPeriodEnd: boolean | null
  currentPeriodEnd: Date | null
  paidUntil: Date | null
  creditCents: number | null
  refundableUntil: Date | null
  /** A payment that takes days, and the plan that it is for: it is under way, or has failed lately. */
  delayedState: 'pending' | 'failed' | null
  delayedPlan: string | null
  /** Whether photos are going to be removed, or can be put back. */
  hasRemovals: boolean
}

/** For how long Settings say that a payment has failed, unless a later one is made. */
const failureShownDays = 14

const usageQuery = sql<UsageRow>`
  select ${currentPlan} as plan,
    coalesce((select uploads from usage_months where user_id = users.id and month = ${currentMonth}), 0) as photos,
    (select ${storedBytes} from photos where user_id = users.id and deleted_at is null and state <> 'receiving') as bytes,
    (${currentMonth} + interval '1 month') at time zone 'utc' as "monthEndsAt",
    case when granted_until is null or granted_until > now() then granted_plan end as "grantedPlan",
    granted_until as "grantedUntil",
    paid.plan as "paidPlan", paid.status as "paidStatus", paid.cancel_at_period_end as "cancelAtPeriodEnd",
    paid.current_period_end as "currentPeriodEnd", paid.until as "paidUntil", paid.credit_cents as "creditCents",
    case when refundable.until > billing_now() then refundable.until end as "refundableUntil",
    delayed.state as "delayedState", delayed.plan as "delayedPlan",
    exists (select from photo_keeping where photo_keeping.user_id = users.id)
      or exists (select from photo_removals where photo_removals.user_id = users.id) as "hasRemovals"
  from users
    left join paid_plans paid on paid.user_id = users.id and paid.until > billing_now()
      and paid.provider = (select provider from payment_settings)
    left join billing_customers customer on customer.user_id = users.id and replaced_at is null
      and customer.provider = (select provider from payment_settings)
    left join lateral (
      select first_paid_at + make_interval(days => ${sql.lit(billingLimits.refundDays)}) as until
      where not nothing_to_refund and not exists (
        select from refunds where refunds.customer_id = customer.customer_id and subscription_id is null)
    ) refundable on true
    left join lateral (
      select case when state <> 'paid' then state end as state, plan_prices.plan from checkouts
        join plan_prices on plan_prices.price_id = checkouts.price_id and plan_prices.provider = customer.provider
      where checkouts.customer_id = customer.customer_id and (state in ('pending', 'paid')
        or state = 'failed' and state_since > now() - make_interval(days => ${sql.lit(failureShownDays)}))
      order by state = 'pending' desc, created_at desc limit 1
    ) delayed on true
  where users.id = ${''}`

/** The plan and the usage of a user as they are now; undefined when the account is gone. */
export type UsageReads = (userId: string) => Promise<UsageRow | undefined>

/** A prepared statement with coalesced concurrent reads, because open pages read this often. */
export function createUsageReads(db: Db, pool: Database['pool']): UsageReads {
  const usage = coalesce(prepareQuery(pool, 'billing usage', usageQuery.compile(db)))
  return async (userId) => (await usage([userId]))[0]
}
