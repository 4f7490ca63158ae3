import { sql } from 'kysely'
import type { Plan } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../db/connect.ts'
import { hasBranding } from '../../domain/brands.ts'
import { intention } from '../../domain/objects.ts'
import { planOf, thisMonth } from '../../domain/plans.ts'
import { signInAgain } from '../../faults.ts'
import { queueing } from '../../jobs/queue.ts'
import { announcement } from '../../live/bus.ts'

/** What an idempotency key was used for within the last day. */
export const photoByIdempotencyKey = (
  db: Db,
  userId: string,
  key: string,
): Promise<{ id: string; state: string; deleted: boolean } | undefined> =>
  db
    .selectFrom('photos')
    .select(['id', 'state', sql<boolean>`deleted_at is not null`.as('deleted')])
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()

export interface Intent {
  id: string
  userId: string
  code: string
  originalKey: string
  idempotencyKey: string | undefined
  plan: Plan
}

/**
 * The write-ahead intent of an upload: one of the month's places is taken, the row and its key exist, all or nothing.
 * False when the month is full. Throws a unique violation when the idempotency key is in use. The owner is held first, as
 * a deletion of the account does, so that neither waits for the other.
 */
export async function intendUpload(
  db: Db,
  { id, userId, code, originalKey, idempotencyKey, plan }: Intent,
): Promise<boolean> {
  const { rows } = await sql`
    with owner as (
      select id from users where id = ${userId} for key share
    ), place as (
      insert into usage_months as m (user_id, month, uploads)
      select ${userId}, ${thisMonth}, 1 from (values (1)) as one left join owner on true where ${plan.features.max_photos} > 0
      on conflict (user_id, month) do update set uploads = m.uploads + 1 where m.uploads < ${plan.features.max_photos}
      returning month
    ), photo as (
      insert into photos (id, user_id, code, filename, state, idempotency_key, expires_at, counted_month, original_key)
      select ${id}, ${userId}, ${code}, '', 'receiving', ${idempotencyKey ?? null}, now() + interval '15 minutes', month, ${originalKey}
      from place returning id
    )
    ${intention('photo', [originalKey])} returning key`.execute(db)
  return rows.length > 0
}

/** An upload that is still coming in is not abandoned. */
export async function keepReceiving(db: Db, id: string): Promise<void> {
  await sql`update photos set expires_at = now() + interval '15 minutes' where id = ${id} and state = 'receiving'`.execute(
    db,
  )
}

/**
 * Takes an upload back that was not completed, with its place in the month. Its bytes are the caller's to remove, but
 * only when this says true: otherwise it was completed after all. The month is held first, as by `intendUpload`, which may
 * be waiting for what becomes of this very idempotency key.
 */
export async function dropUpload(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with held as (
      select m.user_id, m.month from photos p join usage_months m on m.user_id = p.user_id and m.month = p.counted_month
      where p.id = ${id} and p.state = 'receiving' for update of m
    ), gone as (
      delete from photos p using held where p.id = ${id} and p.state = 'receiving' and p.user_id = held.user_id
      returning p.user_id, p.counted_month
    )
    update usage_months m set uploads = greatest(0, m.uploads - 1) from gone
    where m.user_id = gone.user_id and m.month = gone.counted_month`.execute(db)
  return numAffectedRows === 1n
}

export const hasRow = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('photos').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** Who uploads: the plan that holds now, and whether the logo goes on what comes. Refuses whose account is gone. */
export async function uploaderOf(db: Db, userId: string): Promise<{ plan: Plan; marks: boolean }> {
  const user = await db
    .selectFrom('users')
    .select(['granted_plan', 'granted_until', 'use_logo_as_watermark'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) throw signInAgain()
  return { plan: planOf(user), marks: user.use_logo_as_watermark && hasBranding(user) }
}

/** Makes the user's uploads take turns for the rest of the transaction. False when the account is gone. */
export async function lockUser(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from users where id = ${userId} for no key update`.execute(db)
  return rows.length > 0
}

/**
 * The upload is whole and safe: from here on the photo exists, is queued behind so many others of its owner's, and the
 * owner's screens hear of it. False when its intent is gone.
 */
export async function acceptUpload(
  db: Db,
  { id, userId, behind }: { id: string; userId: string; behind: number },
  received: { filename: string; bytes: number; sha256: Buffer },
): Promise<boolean> {
  const job = queueing({ name: 'process-photo', payload: { photoId: id }, key: `photo:${id}`, behind })
  const rows = await db
    .with('accepted', (part) =>
      part
        .updateTable('photos')
        .set({
          state: 'queued',
          expires_at: null,
          created_at: sql`clock_timestamp()`,
          filename: received.filename,
          original_bytes: received.bytes,
          original_sha256: received.sha256,
        })
        .where('id', '=', id)
        .where('state', '=', 'receiving')
        .returning('id'),
    )
    .selectFrom('accepted')
    .select([
      sql`(${job}).id`.as('queued'),
      announcement({ kind: 'photo', what: 'added', user: userId, photo: id }).as('told'),
    ])
    .execute()
  return rows.length === 1
}

/**
 * Bytes of what a user has stored now (of a picture with a logo and the same without, the larger one counts), and how many
 * photos of it wait for processing, which is the place in the queue of one more. Undefined when the session that brings it has ended. Ending all of an account's waits for its owner's lock, so the answer holds with it.
 */
export async function storedBefore(
  db: Db,
  userId: string,
  sessionHash: Buffer,
): Promise<{ bytes: number; waiting: number } | undefined> {
  const { rows } = await sql<{ bytes: number; waiting: number }>`
    select stored.* from sessions, (
      select coalesce(sum(case when full_key is null then coalesce(original_bytes, 0) else
          greatest(coalesce(full_bytes, 0), coalesce(plain_bytes, 0)) + coalesce(thumb_bytes, 0) end), 0)::bigint as bytes,
        count(*) filter (where state = 'queued') as waiting
      from photos where user_id = ${userId} and deleted_at is null and state <> 'receiving'
    ) stored where token_hash = ${sessionHash}`.execute(db)
  return rows[0]
}

/** Phase one of a deletion: gone from every read at once. False when there is no such photo of this user. */
export async function tombstone(db: Db, userId: string, id: string): Promise<boolean> {
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

/** Puts a failed photo back into the queue, taking a place in this month; what stands in the way otherwise. */
export async function requeue(
  db: Db,
  { userId, id, plan }: { userId: string; id: string; plan: Plan },
): Promise<'queued' | 'no photo' | 'not failed' | 'original gone' | 'month full'> {
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
  const { rows } = await sql<{ month: string }>`
    insert into usage_months as m (user_id, month, uploads) values (${userId}, ${thisMonth}, 1)
    on conflict (user_id, month) do update set uploads = m.uploads + 1 where m.uploads < ${plan.features.max_photos}
    returning month::text`.execute(db)
  const month = rows[0]?.month
  if (month === undefined) return 'month full'
  await db
    .updateTable('photos')
    .set({ state: 'queued', crashes: 0, error_message: null, finished_at: null, counted_month: sql`${month}::date` })
    .where('id', '=', id)
    .execute()
  return 'queued'
}
