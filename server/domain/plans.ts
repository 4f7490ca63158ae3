import { sql } from 'kysely'
import { isPlanId, plans, type Plan } from '@keepsnap/contract/plans.ts'
import type { Db } from '../db/connect.ts'
import { unauthorized } from '../faults.ts'

/** The columns of a user that determine the plan. */
export interface PlanColumns {
  granted_plan: string | null
  granted_until: Date | null
}

/** The current plan: the granted one until it ends, otherwise the free one. */
export function planOf({ granted_plan, granted_until }: PlanColumns, now = new Date()): Plan {
  const isCurrent = granted_until === null || granted_until > now
  return granted_plan !== null && isCurrent && isPlanId(granted_plan) ? plans[granted_plan] : plans.free
}

export async function planOfUser(db: Db, userId: string): Promise<Plan> {
  const user = await db
    .selectFrom('users')
    .select(['granted_plan', 'granted_until'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) throw unauthorized()
  return planOf(user)
}

/** The first day of the current month in UTC, by the database's clock: the key of monthly counts. */
export const currentMonth = sql<string>`date_trunc('month', now() at time zone 'utc')::date`
