import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { mayStillBeCharged, pendingRemovalOf, type KeepingClock } from '../../domain/over-limit-photos.ts'
import { publish } from '../../live/bus.ts'
import { queueRemovedEmail } from './keeping-emails.ts'
import { checkAllPlanStorage, stopRemovalCountdown, type PlanStorageDependencies } from './plan-storage.ts'
import { approveRemovals, waitingRemovals, type ClockWatch, type RecentRemovals } from './removal-guard.ts'

/** What removing photos needs from the feature that owns them. */
export interface RemovalDependencies extends PlanStorageDependencies {
  log: Dependencies['log']
  clockWatch: ClockWatch
  /** Removes a batch of the oldest photos that do not fit; the caller holds the user's lock. The number of photos. */
  removePhotos(tx: Db, removal: { userId: string; clock: KeepingClock; byOperator: boolean }): Promise<number>
  /** Queues the deletion of photos that can no longer be restored. */
  deleteRemovedPhotos(db: Db): Promise<void>
  recentRemovals(db: Db): Promise<RecentRemovals>
}

interface ApprovedRow {
  clock: KeepingClock
  byOperator: boolean
  /** Whether batches before this one removed photos. */
  hasRemoved: boolean
}

/** Removes one batch of an account's photos; returns whether there may be more. */
const removeBatch = ({ db, removePhotos }: RemovalDependencies, userId: string): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await sql`select 1 from users where id = ${userId} for no key update`.execute(tx)
    const { rows } = await sql<ApprovedRow>`
      select clock, by_operator as "byOperator", exists (
        select from photo_removals where photo_removals.user_id = users.id and removed_at >= approved_at) as "hasRemoved"
      from photo_keeping join users on users.id = photo_keeping.user_id
      where user_id = ${userId} and approved_at is not null and is_active and not ${mayStillBeCharged}`.execute(tx)
    const [approved] = rows
    if (!approved) return false
    const { hasRemoved, ...removal } = approved
    const removed = await removePhotos(tx, { userId, ...removal })
    if (removed > 0 && (await pendingRemovalOf(tx, userId))) return true
    await stopRemovalCountdown(tx, userId)
    if (removed > 0 || hasRemoved) await queueRemovedEmail(tx, userId)
    await publish(tx, { kind: 'plan', user: userId })
    return false
  })

/** Removes the photos of every account whose removal was approved; continues where a killed run ended. */
export async function removeApprovedPhotos(deps: RemovalDependencies): Promise<void> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from photo_keeping where approved_at is not null order by user_id`.execute(deps.db)
  for (const { userId } of rows) while (await removeBatch(deps, userId));
}

/**
 * Detects plans that have ended, queues emails, removes photos that are due, and deletes those that were not restored
 * in time. Idempotent, and safe to run on several nodes at once.
 */
export async function checkKeptPhotos(deps: RemovalDependencies): Promise<void> {
  await checkAllPlanStorage(deps)
  const stopped = await deps.db
    .transaction()
    .execute((tx) => approveRemovals(tx, { clockWatch: deps.clockWatch, recent: deps.recentRemovals }))
  if (stopped !== undefined)
    deps.log.error(
      { reason: stopped },
      'removing photos after the end of plans is stopped: run "keepsnap removals" to see what would be removed and to go on',
    )
  else {
    const { photos, accounts } = await waitingRemovals(deps.db)
    if (photos > 0)
      deps.log.error(
        { photos, accounts },
        'photos are due to be removed after the end of plans, but the emails about it were only saved as files: run "keepsnap removals" to remove them',
      )
  }
  await removeApprovedPhotos(deps)
  // After a jump of the clock, the time for restoring photos would seem to be over.
  if (stopped === undefined) await deps.deleteRemovedPhotos(deps.db)
}
