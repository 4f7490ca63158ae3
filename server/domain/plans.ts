import { sql } from 'kysely'
import { isPlanId, plans, type Plan } from '@keepsnap/contract/plans.ts'
import type { Db } from '../db/connect.ts'
import { unauthorized } from '../faults.ts'

/** The id of the plan that counts for a user now. */
export interface PlanColumn {
  plan: string
}

/**
 * The plan that counts for a row of `users` now, by the database's clocks: the better one of a complimentary and a paid
 * plan. See the function `current_plan` in migration 0016.
 */
export const currentPlan = sql<string>`current_plan(users)`

/** What a plan includes; a plan that does not exist counts as the free one. */
export const planOf = ({ plan }: PlanColumn): Plan => (isPlanId(plan) ? plans[plan] : plans.free)

export async function planOfUser(db: Db, userId: string): Promise<Plan> {
  const user = await db.selectFrom('users').select(currentPlan.as('plan')).where('id', '=', userId).executeTakeFirst()
  if (!user) throw unauthorized()
  return planOf(user)
}

/** The first day of the current month in UTC, by the database's clock: the key of monthly counts. */
export const currentMonth = sql<string>`date_trunc('month', now() at time zone 'utc')::date`
