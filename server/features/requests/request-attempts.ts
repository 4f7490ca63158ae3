import { sql } from 'kysely'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import { retention } from '@keepsnap/contract/retention.ts'
import type { Db } from '../../db/connect.ts'

/** A guest's request as the limits per client count it: without the email address. */
interface RequestAttempt {
  /** A pseudonym. */
  client: string
  photoId: string
  ownerId: string
}

/**
 * Counts a client's request; false when the client has reached the daily limit for the photo or its owner. Every request
 * counts, also one that sends no email: what is left of the limit says nothing about an address. Concurrent requests can
 * exceed the limit.
 */
export async function countRequestAttempt(tx: Db, { client, photoId, ownerId }: RequestAttempt): Promise<boolean> {
  const { perClientPhotoDay, perClientOwnerDay } = emailLimits
  const { numAffectedRows } = await sql`
    insert into photo_request_attempts (user_id, photo_id, client)
    select ${ownerId}, ${photoId}, ${client} from (
      select count(*) filter (where photo_id = ${photoId}) as photo_attempts, count(*) as owner_attempts
      from photo_request_attempts
      where user_id = ${ownerId} and client = ${client} and attempted_at > now() - make_interval(days => ${retention.requestAttemptDays})) as earlier
    where photo_attempts < ${perClientPhotoDay} and owner_attempts < ${perClientOwnerDay}`.execute(tx)
  return numAffectedRows === 1n
}

/** Deletes attempts that no longer count. */
export async function deleteOldRequestAttempts(db: Db): Promise<void> {
  await db
    .deleteFrom('photo_request_attempts')
    .where('attempted_at', '<', sql<Date>`now() - make_interval(days => ${retention.requestAttemptDays})`)
    .execute()
}
