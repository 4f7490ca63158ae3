import { sql } from 'kysely'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { restoreRemovedPhotos as restoreEndpoint } from '@keepsnap/contract/subscriptions.ts'
import type { Db } from '../../platform/db/connect.ts'
import { addPhotoDeletedEvents } from '../integrations/webhook-deliveries.ts'
import { enqueueAll } from '../../platform/jobs/queue.ts'
import { publish } from '../../platform/live/bus.ts'
import { lockUser, photoBytes, storedBytes } from './plans.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { type KeepingClock, type PhotoCount, photosOverLimit, removalTurn, storageOfPlan } from './over-limit-photos.ts'
import { resetStorageWarning } from './usage.ts'

/** How many photos one transaction removes or restores. */
const removalBatch = 200
const restoreBatch = 1_000

/**
 * The first phase of a removal: hides the photos whose turn it is and that do not fit into the plan's storage from every read, at
 * most a batch. Their bytes stay until `deleteRemovedPhotos`. The caller holds the user's lock. Returns the number of
 * photos: 0 when everything fits.
 */
export async function removeOldestPhotos(
  tx: Db,
  { userId, clock, byOperator }: { userId: string; clock: KeepingClock; byOperator: boolean },
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with chosen as (
      select id from ${photosOverLimit(sql`${userId}`, sql`(select ${storageOfPlan()} from users where id = ${userId})`)} as over_limit
      order by turn, created_at, id limit ${removalBatch}
    ), removed as (
      update photos set deleted_at = now() from chosen where photos.id = chosen.id returning photos.id
    )
    insert into photo_removals (photo_id, user_id, clock, restorable_until, by_operator)
    select id, ${userId}, ${clock}, keeping_now(${clock}) + make_interval(days => ${billingLimits.undoRemovalDays}), ${byOperator}
    from removed returning photo_id as id`.execute(tx)
  for (const { id } of rows) await publish(tx, { kind: 'photo', what: 'deleted', user: userId, photo: id })
  await addPhotoDeletedEvents(
    tx,
    userId,
    rows.map(({ id }) => id),
  )
  if (rows.length > 0) await resetStorageWarning(tx, userId)
  return rows.length
}

/** Restores removed photos, the newest first, as many as fit into the storage of the current plan; at most a batch. */
export async function restoreNewestPhotos(
  tx: Db,
  userId: string,
): Promise<{ restored: number; remaining: number } | undefined> {
  if (!(await lockUser(tx, userId))) return undefined
  const { rows } = await sql<{ id: string }>`
    with room as (
      select ${storageOfPlan()} - (
        select ${storedBytes} from photos where photos.user_id = users.id and deleted_at is null and state <> 'receiving') as bytes
      from users where id = ${userId}
    ), removed as (
      select photo_id, sum(${photoBytes}) over (order by ${removalTurn} desc, created_at desc, photos.id desc) as bytes
      from photo_removals join photos on photos.id = photo_removals.photo_id
      where photo_removals.user_id = ${userId} and restorable_until > keeping_now(clock)
      order by ${removalTurn} desc, created_at desc, photos.id desc limit ${restoreBatch}
    ), restored as (
      delete from photo_removals using removed
      where photo_removals.photo_id = removed.photo_id and removed.bytes <= (select bytes from room)
      returning photo_removals.photo_id
    )
    update photos set deleted_at = null from restored where photos.id = restored.photo_id returning photos.id`.execute(
    tx,
  )
  for (const { id } of rows) await publish(tx, { kind: 'photo', what: 'changed', user: userId, photo: id })
  if (rows.length > 0) await publish(tx, { kind: 'plan', user: userId })
  const remaining = await sql<{ photos: number }>`
    select count(*) as photos from photo_removals
    where user_id = ${userId} and restorable_until > keeping_now(clock)`.execute(tx)
  return { restored: rows.length, remaining: remaining.rows[0]?.photos ?? 0 }
}

/** The second phase of a removal: queues the deletion of removed photos that can no longer be restored. */
export async function deleteRemovedPhotos(db: Db): Promise<void> {
  const { rows: owners } = await sql<{ userId: string }>`
    select distinct user_id as "userId" from photo_removals where restorable_until <= keeping_now(clock)`.execute(db)
  for (const { userId } of owners) {
    await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, userId))) return
      const { rows } = await sql<{ id: string }>`
        delete from photo_removals where user_id = ${userId} and restorable_until <= keeping_now(clock)
        returning photo_id as id`.execute(tx)
      await enqueueAll(
        tx,
        rows.map(({ id }) => ({ name: 'delete-photo', payload: { photoId: id }, key: `delete:${id}` })),
      )
    })
  }
}

/** Photos that were removed within the last day without the operator's approval, and their accounts. */
export async function recentRemovals(db: Db): Promise<Pick<PhotoCount, 'photos'> & { accounts: string[] }> {
  const { rows } = await sql<{ photos: number; accounts: string[] }>`
    select count(*) as photos, coalesce(array_agg(distinct user_id), '{}') as accounts
    from photo_removals where removed_at > now() - interval '1 day' and not by_operator`.execute(db)
  return rows[0] ?? { photos: 0, accounts: [] }
}

/** Puts photos back that were removed after a larger plan had ended. */
export function removalRoutes(serve: Serve, { db }: Dependencies): void {
  serve(restoreEndpoint, async (_, { actor }) => {
    const outcome = await db.transaction().execute((tx) => restoreNewestPhotos(tx, actor.userId))
    if (!outcome) throw unauthorized()
    if (outcome.restored > 0) return outcome
    throw outcome.remaining > 0
      ? new Fault(
          'quota_storage',
          'Your removed photos do not fit into the storage of your plan. Choose a larger plan, or delete photos you no longer need.',
        )
      : new Fault('not_found', 'There are no removed photos to put back.')
  })
}
