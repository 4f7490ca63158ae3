import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { currentMonth, type PlanColumns } from '../../domain/plans.ts'
import { storedBytes } from '../../domain/stored-bytes.ts'

/** What a user has used, and what determines the plan. */
export interface UsageRow extends PlanColumns {
  photos: number
  bytes: number
  monthEndsAt: Date
}

/** Undefined when the account is gone. */
export async function usageOf(db: Db, userId: string): Promise<UsageRow | undefined> {
  const { rows } = await sql<UsageRow>`
    select granted_plan, granted_until,
      coalesce((select uploads from usage_months where user_id = users.id and month = ${currentMonth}), 0) as photos,
      (select ${storedBytes} from photos where user_id = users.id and deleted_at is null and state <> 'receiving') as bytes,
      (${currentMonth} + interval '1 month') at time zone 'utc' as "monthEndsAt"
    from users where id = ${userId}`.execute(db)
  return rows[0]
}
