import { sql } from 'kysely'
import type { Plan } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../db/connect.ts'
import { currentMonth, currentPlan, planNumber, planOf, type PlanColumn } from '../../domain/plans.ts'
import { publish } from '../../live/bus.ts'
import { hiddenByOperator } from './operator-decisions.ts'
import { nextAttemptNumber } from './processing-queries.ts'
import { lockUser, monthlyPhotos } from './queries.ts'

/** The first phase of a deletion: removes the photo from every read. False when the user has no such photo. */
export async function markPhotoDeleted(db: Db, userId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('photos')
    .set({ deleted_at: sql`now()` })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('state', '!=', 'receiving')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Hides a photo from guests or shows it, for its owner. A photo that is hidden already keeps its `hidden_at`. Throws
 * 403 for an attempt to show what an operator has hidden.
 */
async function setPhotoHidden(
  db: Db,
  { userId, id, hidden }: { userId: string; id: string; hidden: boolean },
): Promise<'changed' | 'unchanged' | 'no photo'> {
  const photo = await db
    .selectFrom('photos')
    .select(['hidden_at', 'operator_decision'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('state', '!=', 'receiving')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!photo) return 'no photo'
  if ((photo.hidden_at !== null) === hidden) return 'unchanged'
  if (photo.operator_decision === 'hide') throw hiddenByOperator()
  await db
    .updateTable('photos')
    .set({ hidden_at: hidden ? sql`now()` : null })
    .where('id', '=', id)
    .execute()
  return 'changed'
}

/** Hides or shows a photo, as `setPhotoHidden` does, and tells the owner's screens. */
export async function hidePhotoOf(
  tx: Db,
  change: { userId: string; id: string; hidden: boolean },
): Promise<'changed' | 'unchanged' | 'no photo'> {
  const outcome = await setPhotoHidden(tx, change)
  if (outcome === 'changed')
    await publish(tx, { kind: 'photo', what: 'changed', user: change.userId, photo: change.id })
  return outcome
}

/** The result of queueing a failed photo again. */
export type RequeueOutcome = 'queued' | 'no photo' | 'not failed' | 'original gone' | { fullMonthOf: Plan }

/**
 * Queues a failed photo again, with enough attempts, and counts it towards the monthly quota; otherwise returns why it cannot.
 * Earlier attempts no longer change it.
 */
export async function requeueFailedPhoto(
  db: Db,
  { userId, id }: { userId: string; id: string },
): Promise<RequeueOutcome> {
  await lockUser(db, userId)
  const photo = await db
    .selectFrom('photos')
    .select(['state', 'original_key'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!photo || photo.state === 'receiving') return 'no photo'
  if (photo.state !== 'failed') return 'not failed'
  if (photo.original_key === null) return 'original gone'
  const { rows } = await sql<PlanColumn & { month: string | null }>`
    with owner as (
      select ${currentPlan} as plan from users where id = ${userId}
    ), place as (
      insert into usage_months (user_id, month, uploads) values (${userId}, ${currentMonth}, 1)
      on conflict (user_id, month) do update set uploads = usage_months.uploads + 1
        where usage_months.uploads < (select ${planNumber(sql`plan`, monthlyPhotos)} from owner)
      returning month::text
    )
    select plan, (select month from place) from owner`.execute(db)
  const [row] = rows
  if (!row) return 'no photo'
  const { month } = row
  if (month === null) return { fullMonthOf: planOf(row) }
  await db
    .updateTable('photos')
    .set({
      state: 'queued',
      attempt: nextAttemptNumber,
      crashes: 0,
      error_message: null,
      finished_at: null,
      counted_month: sql`${month}::date`,
    })
    .where('id', '=', id)
    .execute()
  return 'queued'
}
