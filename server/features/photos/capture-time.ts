import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import type { CaptureTime } from '../../images/sandbox/image-jobs.ts'
import { timeZoneOf } from './gallery.ts'

/**
 * The value of `captured_at` of a photo that is being stored or processed; undefined when its file does not say it. Where the file has
 * no offset, the camera's clock is that of the account's time zone. Later than a day after the upload is ignored.
 */
export async function storedCaptureTime(
  db: Db,
  userId: string,
  captured: CaptureTime | null,
): Promise<RawBuilder<Date | null> | undefined> {
  if (!captured) return undefined
  const { clockMs, offsetMinutes } = captured
  const time =
    offsetMinutes === null
      ? sql`(${new Date(clockMs).toISOString().slice(0, -1)}::timestamp at time zone ${await timeZoneOf(db, userId)}::text)`
      : sql`${new Date(clockMs - offsetMinutes * 60_000).toISOString()}::timestamptz`
  return sql<Date | null>`case when ${time} <= created_at + interval '1 day' then ${time} end`
}
