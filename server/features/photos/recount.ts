import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/**
 * Raises the count of an account's month to the number of photos that exist. Never lowers it: photos that were deleted count
 * too. Uploads of the account wait meanwhile. Whether it was too low.
 */
export function recountMonth(db: Db, userId: string, month: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows: owners } = await sql`select 1 from users where id = ${userId} for no key update`.execute(tx)
    if (owners.length === 0) return false
    await sql`
      insert into usage_months (user_id, month, uploads) values (${userId}, ${month}::date, 0)
      on conflict (user_id, month) do update set uploads = usage_months.uploads`.execute(tx)
    const { rows } = await sql`
      update usage_months set uploads = counted.photos
      from (select count(*) as photos from photos
        where user_id = ${userId} and counted_month = ${month}::date and state <> 'failed') as counted
      where usage_months.user_id = ${userId} and usage_months.month = ${month}::date and uploads < counted.photos
      returning 1`.execute(tx)
    return rows.length === 1
  })
}
