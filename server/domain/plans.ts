import { sql } from 'kysely'
import { isPlanId, plans, type Plan } from '@keepsnap/contract/plans.ts'
import type { Db } from '../db/connect.ts'
import { signInAgain } from '../faults.ts'

/** The columns that decide a user's plan. */
export interface Granted {
  granted_plan: string | null
  granted_until: Date | null
}

/** The plan that holds now: a granted one until it ends, otherwise the free one. */
export function planOf({ granted_plan, granted_until }: Granted, now = new Date()): Plan {
  const lasts = granted_until === null || granted_until > now
  return granted_plan !== null && lasts && isPlanId(granted_plan) ? plans[granted_plan] : plans.free
}

export async function planOfUser(db: Db, userId: string): Promise<Plan> {
  const user = await db
    .selectFrom('users')
    .select(['granted_plan', 'granted_until'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) throw signInAgain()
  return planOf(user)
}

/** The first day of the current month, UTC, by the database's clock: what monthly counts are kept under. */
export const thisMonth = sql<string>`date_trunc('month', now() at time zone 'utc')::date`
