import { sql } from 'kysely'
import { getHold, holdPhoto, type PhotoHold, releaseHold } from '@keepsnap/contract/screen.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { publish } from '../../platform/live/bus.ts'
import { lockUser } from '../plans/plans.ts'

/** The photo that a user's big screens hold. Null after its end, and when guests may not see the photo any more. */
export async function holdOf(db: Db, userId: string): Promise<PhotoHold | null> {
  const { rows } = await sql<{ photo_id: string; held_until: Date; remaining_ms: number }>`
    select photo_id, held_until, ceil(extract(epoch from held_until - now()) * 1000)::integer as remaining_ms
    from photo_holds join photos on photos.id = photo_holds.photo_id
    where photo_holds.user_id = ${userId} and held_until > now()
      and photos.state = 'ready' and photos.deleted_at is null and photos.hidden_at is null and photos.is_listed`.execute(
    db,
  )
  const [hold] = rows
  if (!hold) return null
  const { photo_id, held_until, remaining_ms } = hold
  return { photo_id, until: held_until.toISOString(), remaining_ms }
}

/** Holds a photo for the full time; a second hold replaces the first. False when the user has no such photo for guests. */
export async function setHold(db: Db, userId: string, photoId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into photo_holds (user_id, photo_id, held_until)
    select user_id, id, now() + make_interval(mins => ${limits.holdMinutes}) from photos
    where id = ${photoId} and user_id = ${userId} and state = 'ready' and deleted_at is null and hidden_at is null and is_listed
    on conflict (user_id) do update set photo_id = excluded.photo_id, held_until = excluded.held_until`.execute(db)
  return numAffectedRows === 1n
}

/** Releases what a user's big screens hold; with `photoId`, only this photo. */
export const releaseHoldOf = (tx: Db, userId: string, photoId?: string) =>
  tx
    .deleteFrom('photo_holds')
    .where('user_id', '=', userId)
    .$if(photoId !== undefined, (one) => one.where('photo_id', '=', photoId ?? ''))
    .execute()

/** Ends the hold of a photo that is not listed any more, or, with `unless`, of one that is of another event. */
export async function endHold(tx: Db, userId: string, unless?: string): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from photo_holds using photos where photo_holds.user_id = ${userId} and photos.id = photo_holds.photo_id
      and (not photos.is_listed or ${unless ?? null}::text <> coalesce(photos.event_id, ''))`.execute(tx)
  if (Number(numAffectedRows) > 0) await publish(tx, { kind: 'hold', user: userId })
}

/** Holds a photo on all of the user's big screens, and releases it. */
export function holdRoutes(serve: Serve, { db }: Dependencies): void {
  const change = async (userId: string, apply: (tx: Db) => Promise<unknown>) => {
    await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, userId))) throw unauthorized()
      await apply(tx)
      await publish(tx, { kind: 'hold', user: userId })
    })
    return { hold: await holdOf(db, userId) }
  }

  serve(getHold, async (_, { actor }) => ({ hold: await holdOf(db, actor.userId) }))

  serve(holdPhoto, async ({ body }, { actor: { userId } }) =>
    change(userId, async (tx) => {
      if (!(await setHold(tx, userId, body.photo_id)))
        throw new Fault('not_found', 'Only a photo of yours that guests can see can be held.')
    }),
  )

  serve(releaseHold, async (_, { actor: { userId } }) => change(userId, (tx) => releaseHoldOf(tx, userId)))
}
