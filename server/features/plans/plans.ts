import { type RawBuilder, sql } from 'kysely'
import { isPlanId, type Plan, planIds, plans } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../platform/db/connect.ts'
import { unauthorized } from '../../faults.ts'

/** The id of a user's current plan. */
export interface PlanColumn {
  plan: string
}

/**
 * The current plan of a row of `users`, by the database's clocks: the better of a complimentary and a paid plan. See
 * the function `current_plan` in migration 0016.
 */
export const currentPlan = sql<string>`current_plan(users)`

/** The plan with this id; the free plan for an unknown id. */
export const planOf = ({ plan }: PlanColumn): Plan => (isPlanId(plan) ? plans[plan] : plans.free)

/** An SQL expression for a number of the plan with the id `plan`; the free plan's for an unknown id. */
export const planNumber = (plan: RawBuilder<unknown>, numberOf: (plan: Plan) => number): RawBuilder<number> =>
  sql<number>`case ${plan} ${sql.join(
    planIds.map((id) => sql`when ${sql.lit(id)} then ${sql.lit(numberOf(plans[id]))}::bigint`),
    sql` `,
  )} else ${sql.lit(numberOf(plans.free))} end`

export async function planOfUser(db: Db, userId: string): Promise<Plan> {
  const user = await db.selectFrom('users').select(currentPlan.as('plan')).where('id', '=', userId).executeTakeFirst()
  if (!user) throw unauthorized()
  return planOf(user)
}

/** The first day of the current month in UTC, by the database's clock: the key of monthly counts. */
export const currentMonth = sql<string>`date_trunc('month', now() at time zone 'utc')::date`

/**
 * The bytes by which a photo uses its owner's storage. Of the image with a watermark and the one without it, only the
 * larger counts.
 */
export const photoBytes = sql<number>`case when full_key is null then coalesce(original_bytes, 0) else
  greatest(coalesce(full_bytes, 0), coalesce(unmarked_bytes, 0)) + coalesce(thumb_bytes, 0) end`

/** The storage that the selected photos use, in bytes. */
export const storedBytes = sql<number>`coalesce(sum(${photoBytes}), 0)::bigint`

/** Locks the user for the rest of the transaction: uploads of one user are accepted one after the other. False when the account is gone. */
export async function lockUser(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from users where id = ${userId} for no key update`.execute(db)
  return rows.length > 0
}

/**
 * Paid plans of the current provider that have not ended. The time is a subquery, because the function would otherwise
 * be called for each row.
 */
export const currentPaidPlans = sql`
  select user_id, plan, status from paid_plans
  where provider = (select provider from payment_settings) and until > (select billing_now()) and plan <> 'free'`

/** Complimentary plans that have not ended. */
export const currentGrantedPlans = sql`
  select id as user_id, granted_plan as plan from users
  where granted_plan is not null and granted_plan <> 'free' and (granted_until is null or granted_until > now())`
