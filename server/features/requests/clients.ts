import { sql } from 'kysely'
import { letterLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'

/** A guest's wish, as far as limits of clients count it: never the address. */
interface CountedAsk {
  /** A pseudonym. */
  client: string
  photoId: string
  ownerId: string
}

/**
 * Counts that a client asked, unless it did so within a day as often as one venue may, about a photo or about its
 * owner's. Whatever comes of asking, it counts: what is left to a client says nothing about anybody's address. May be
 * overrun by as many as ask at the same moment.
 */
export async function takeAsk(tx: Db, { client, photoId, ownerId }: CountedAsk): Promise<boolean> {
  const { perClientPhotoDay, perClientOwnerDay } = letterLimits
  const { numAffectedRows } = await sql`
    insert into asks (user_id, photo_id, client)
    select ${ownerId}, ${photoId}, ${client} from (
      select count(*) filter (where photo_id = ${photoId}) as photo, count(*) as owner from asks
      where user_id = ${ownerId} and client = ${client} and asked_at > now() - interval '1 day') as asked
    where photo < ${perClientPhotoDay} and owner < ${perClientOwnerDay}`.execute(tx)
  return numAffectedRows === 1n
}

/** Forgets who asked before the day that counts. */
export async function forgetAsks(db: Db): Promise<void> {
  await db
    .deleteFrom('asks')
    .where('asked_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute()
}
