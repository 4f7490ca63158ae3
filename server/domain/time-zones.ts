import type { Db } from '../db/connect.ts'

/** The IANA time zone of a user; null for the server's. */
export async function timeZoneOf(db: Db, userId: string): Promise<string | null> {
  const user = await db.selectFrom('users').select('time_zone').where('id', '=', userId).executeTakeFirst()
  return user?.time_zone ?? null
}
