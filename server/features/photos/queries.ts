import { type RawBuilder, sql } from 'kysely'
import type { Plan } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../platform/db/connect.ts'
import { hasBranding } from '../branding/brands.ts'
import { registerKeysClause } from './stored-objects.ts'
import { currentMonth, currentPlan, type PlanColumn, planNumber, planOf, storedBytes } from '../plans/plans.ts'
import { unauthorized } from '../../faults.ts'
import type { KeyActor, SessionActor } from '../../platform/http/authenticator.ts'
import { addJobExpression, wakeUpExpression } from '../../platform/jobs/queue.ts'
import { publishExpression } from '../../platform/live/bus.ts'
import { joinTurns, type PhotoToProcess, processJobOf } from './processing-turns.ts'
import { warnedPercent } from '../plans/usage.ts'

/** An upload in progress expires this long after it was last extended. */
const expiry = sql`interval '15 minutes'`
/** An upload that `extendUpload` has not extended for this long is abandoned: three times the extension interval. */
const abandonedAfter = sql`interval '15 seconds'`

/** What an idempotency key was used for. */
export interface EarlierUpload {
  id: string
  state: string
  deleted: boolean
  /** Its program has ended. */
  abandoned: boolean
  /** Of the bytes that were received; null for an upload that is not accepted yet, or from before hashes were stored. */
  sha256: Buffer | null
}

/** What an idempotency key was used for within the last day. */
export const photoByIdempotencyKey = (db: Db, userId: string, key: string): Promise<EarlierUpload | undefined> =>
  db
    .selectFrom('photos')
    .select([
      'id',
      'state',
      'upload_sha256 as sha256',
      sql<boolean>`deleted_at is not null`.as('deleted'),
      sql<boolean>`state = 'receiving' and expires_at < now() + ${expiry} - ${abandonedAfter}`.as('abandoned'),
    ])
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()

/** An upload that is about to be received. */
export interface Reservation {
  id: string
  userId: string
  code: string
  originalKey: string
  idempotencyKey: string | undefined
  order?: UploadOrder
}

/** The place of a file among those that were chosen together. */
export interface UploadOrder {
  selection?: string
  position?: number
}

/** Photos a month that a plan includes. */
export const monthlyPhotos = ({ features }: Plan): number => features.max_photos

/**
 * Reserves an upload before its bytes arrive: counts it towards the monthly quota of the current plan, and adds the row
 * and its key; all or nothing. Returns the plan when its quota is used up, otherwise undefined. Throws a unique
 * violation when the idempotency key is in use. Locks the owner first, as deleting the account does: this prevents
 * deadlocks.
 */
export async function reserveUpload(
  db: Db,
  { id, userId, code, originalKey, idempotencyKey, order = {} }: Reservation,
): Promise<Plan | undefined> {
  const { selection = null, position = null } = order
  // If the account has been deleted, the insert must run so that it fails with a foreign-key violation.
  const { rows } = await sql<PlanColumn & { reserved: boolean }>`
    with owner as (
      select ${currentPlan} as plan from users where id = ${userId} for key share
    ), allowed as (
      select coalesce((select ${planNumber(sql`plan`, monthlyPhotos)} from owner), 1) as photos
    ), place as (
      insert into usage_months (user_id, month, uploads)
      select ${userId}, ${currentMonth}, 1 from allowed where photos > 0
      on conflict (user_id, month) do update set uploads = usage_months.uploads + 1
        where usage_months.uploads < (select photos from allowed)
      returning month
    ), photo as (
      insert into photos (id, user_id, code, filename, state, idempotency_key, expires_at, counted_month, original_key,
        selection, selection_position, created_at)
      select ${id}, ${userId}, ${code}, '', 'receiving', ${idempotencyKey ?? null}, now() + ${expiry}, month, ${originalKey},
        ${selection}, ${position}::integer, chosen_order_time(${userId}, ${selection}, ${position}::integer)
      from place returning id
    ), keys as (
      ${registerKeysClause('photo', [originalKey])} returning key
    )
    select plan, exists (select from keys) as reserved from owner`.execute(db)
  const [row] = rows
  return row && !row.reserved ? planOf(row) : undefined
}

/** Postpones the expiry of an upload that is still in progress. */
export async function extendUpload(db: Db, id: string): Promise<void> {
  await sql`update photos set expires_at = now() + ${expiry} where id = ${id} and state = 'receiving'`.execute(db)
}

/**
 * Deletes an upload that was not accepted and releases its monthly quota. When it returns true, the caller
 * removes the bytes; otherwise the upload was accepted after all. Locks the row of the month first, as `reserveUpload`
 * does, which may be waiting for this idempotency key: this prevents deadlocks.
 */
export async function dropUpload(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with month as (
      select usage_months.user_id, usage_months.month from photos
      join usage_months on usage_months.user_id = photos.user_id and usage_months.month = photos.counted_month
      where photos.id = ${id} and photos.state = 'receiving' for update of usage_months
    ), deleted as (
      delete from photos using month where photos.id = ${id} and photos.state = 'receiving' and photos.user_id = month.user_id
      returning photos.user_id, photos.counted_month
    )
    update usage_months set uploads = greatest(0, usage_months.uploads - 1) from deleted
    where usage_months.user_id = deleted.user_id and usage_months.month = deleted.counted_month`.execute(db)
  return numAffectedRows === 1n
}

export const photoRowExists = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('photos').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** The plan of an uploader at the beginning, and whether photos get a watermark. Throws when the account is gone. */
export async function uploaderOf(db: Db, userId: string): Promise<{ plan: Plan; watermark: boolean }> {
  const user = await db
    .selectFrom('users')
    .select([currentPlan.as('plan'), 'use_logo_as_watermark'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) throw unauthorized()
  return { plan: planOf(user), watermark: user.use_logo_as_watermark && hasBranding(user) }
}

/** Locks the user for the rest of the transaction: uploads of one user are accepted one after the other. False when the account is gone. */
export async function lockUser(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from users where id = ${userId} for no key update`.execute(db)
  return rows.length > 0
}

/**
 * Makes an upload a queued photo, with the job that processes it, and notifies the owner's screens. False when the reservation
 * is gone.
 */
export async function acceptUpload(
  db: Db,
  photo: PhotoToProcess,
  received: { filename: string; bytes: number; sha256: Buffer; receivedSha256: Buffer | null },
): Promise<boolean> {
  const { id, userId } = photo
  const job = processJobOf(photo)
  const rows = await db
    .with('accepted', (part) =>
      part
        .updateTable('photos')
        .set({
          state: 'queued',
          expires_at: null,
          filename: received.filename,
          original_bytes: received.bytes,
          original_sha256: received.sha256,
          upload_sha256: received.receivedSha256,
        })
        .where('id', '=', id)
        .where('state', '=', 'receiving')
        .returning('id'),
    )
    .with('joined', () => sql<{ party: string }>`(${joinTurns(userId)})`)
    .selectFrom('accepted')
    .select([
      sql`(${addJobExpression(job)}).id`.as('queued'),
      wakeUpExpression(job.name).as('woken'),
      publishExpression({ kind: 'photo', what: 'added', user: userId, photo: id }).as('notified'),
    ])
    .execute()
  return rows.length === 1
}

interface StorageUse extends PlanColumn {
  bytes: number
  /** Places taken in this month, those of uploads in progress included. */
  places: number
  /** The highest threshold in percent that the owner was told about; 0 if none. */
  photosWarned: number
  storageWarned: number
}

/** Selects the row of the caller's session or key, if it has not ended. */
const credentialOf = (actor: SessionActor | KeyActor): RawBuilder<unknown> =>
  actor.by === 'session'
    ? sql`select from sessions where token_hash = ${actor.sessionHash} and user_id = ${actor.userId}`
    : sql`select from api_keys where id = ${actor.keyId} and user_id = ${actor.userId}
        and (expires_at is null or expires_at > now())`

/**
 * A user's current plan, stored bytes (of a picture with a watermark and the same picture without it, the larger one
 * counts). Undefined when the caller's
 * session or key has ended: ending them takes the user's lock, so the result stays valid while this transaction holds
 * that lock.
 */
export async function currentStorageUse(db: Db, actor: SessionActor | KeyActor): Promise<StorageUse | undefined> {
  const { userId } = actor
  const { rows } = await sql<StorageUse>`
    with counted as materialized (
      select users.id, ${currentPlan} as plan from users where id = ${userId}
    )
    select stored.*, counted.plan,
      coalesce((select uploads from usage_months where user_id = counted.id and month = ${currentMonth}), 0) as places,
      ${warnedPercent('photos')} as "photosWarned", ${warnedPercent('storage')} as "storageWarned"
    from counted, (
      select ${storedBytes} as bytes
      from photos where user_id = ${userId} and deleted_at is null and state <> 'receiving'
    ) stored where exists (${credentialOf(actor)})`.execute(db)
  return rows[0]
}

/** False when the account is deactivated or gone. */
export async function isActiveUser(db: Db, userId: string): Promise<boolean> {
  const user = await db.selectFrom('users').select('is_active').where('id', '=', userId).executeTakeFirst()
  return user?.is_active === true
}
