import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { hasBranding } from '../../domain/brands.ts'
import {
  watermarkLayoutOf,
  photoWatermarkColumns,
  type Watermark,
  type WatermarkColumns,
} from '../../domain/watermarks.ts'
import { checksumsClause } from '../../domain/referenced-objects.ts'
import type { ObjectChecksum } from '../../ports/storage/store-file.ts'
import { registerKeysForPhoto, registerKeysClause, newStorageKey } from '../../domain/stored-objects.ts'
import { currentPlan, type PlanColumn } from '../../domain/plans.ts'
import { photoFailedExpression, photoReadyExpression } from '../../domain/webhook-events.ts'
import { publishExpression } from '../../live/bus.ts'

/**
 * Attempt numbers only grow, so that a superseded attempt never has the current number. The remainder by this step is the
 * number of attempts that count; the step is larger than the number after which a photo is given up.
 */
export const attemptNumberStep = 100
/** A retry after more attempts than this continues with the next multiple of the step. */
const manyAttempts = 10

/**
 * The number of a photo that is queued again. It stays small where that is possible: versions before this rule give up
 * photos with a number over 25, also when they work beside this one.
 */
export const nextAttemptNumber = sql<number>`case
  when attempt % ${sql.lit(attemptNumberStep)} <= ${sql.lit(manyAttempts)} then attempt + 1
  else (attempt / ${sql.lit(attemptNumberStep)} + 1) * ${sql.lit(attemptNumberStep)} end`

/** One attempt at processing a photo. Updates carry its number, so that a superseded attempt changes nothing. */
export interface ProcessingAttempt {
  photoId: string
  userId: string
  attempt: number
  originalKey: string
  originalBytes: number
  /** The checksum of the original's bytes as they were received; null for a photo of an early version. */
  originalSha256: Buffer | null
  /** How long it is going to take; null for a quick file. */
  slowMs: number | null
  fullKey: string
  thumbKey: string
  /** What to put on the full image, and the key for the picture without it; null without a watermark. */
  watermark: (Watermark & { unmarkedKey: string }) | null
}

interface ClaimedRow extends PlanColumn, WatermarkColumns {
  user_id: string
  attempt: number
  original_key: string
  original_bytes: number
  original_sha256: Buffer | null
  slow_ms: number | null
  use_logo_as_watermark: boolean
  logo_key: string | null
}

/** Counts an attempt before it starts and records the keys it may use. Undefined when there is nothing to process. */
export async function claimAttempt(
  db: Db,
  photoId: string,
  keys: { fullKey: string; thumbKey: string },
): Promise<ProcessingAttempt | undefined> {
  const { rows } = await sql<ClaimedRow>`
    with claimed as (
      update photos set attempt = attempt + 1
      where id = ${photoId} and state = 'queued' and deleted_at is null and original_key is not null
      returning id, user_id, attempt, original_key, original_bytes, original_sha256, slow_ms
    ), keys as (
      ${registerKeysClause('claimed', [keys.fullKey, keys.thumbKey])}
    )
    select claimed.*, ${currentPlan} as plan, users.use_logo_as_watermark,
      users.watermark_size, users.watermark_corner, users.watermark_strength, brand_images.key as logo_key
    from claimed join users on users.id = claimed.user_id left join brand_images on brand_images.user_id = claimed.user_id and brand_images.kind = 'logo'`.execute(
    db,
  )
  const row = rows[0]
  if (!row) return undefined
  return {
    ...keys,
    photoId,
    userId: row.user_id,
    attempt: row.attempt,
    originalKey: row.original_key,
    originalBytes: row.original_bytes,
    originalSha256: row.original_sha256,
    slowMs: row.slow_ms,
    watermark: await watermarkFor(db, photoId, row),
  }
}

/** Photos that are processed while the setting is on get the logo, if there is one and the plan has branding. */
async function watermarkFor(db: Db, photoId: string, row: ClaimedRow): Promise<ProcessingAttempt['watermark']> {
  if (!row.use_logo_as_watermark || row.logo_key === null || !hasBranding(row)) return null
  const unmarkedKey = newStorageKey('full')
  await registerKeysForPhoto(db, photoId, [unmarkedKey])
  return { logoKey: row.logo_key, layout: watermarkLayoutOf(row), unmarkedKey }
}

/** The columns of a thumbnail. */
export interface ThumbnailRecord {
  width: number
  height: number
  /** Base64. */
  thumbhash: string
  bytes: number
}

/** What is recorded of a finished photo. */
export interface FinishedPhoto {
  thumbnail: ThumbnailRecord
  type: string
  bytes: number
  /** Size of the picture without the logo, of the same type; null without a watermark. */
  unmarkedBytes: number | null
  /** Of the files that were stored. */
  checksums: readonly ObjectChecksum[]
}

/** Updates the photo only while it is queued, not deleted, and this attempt is the current one. */
const updateIfCurrent = (db: Pick<Db, 'updateTable'>, { photoId, attempt }: ProcessingAttempt) =>
  db
    .updateTable('photos')
    .where('id', '=', photoId)
    .where('attempt', '=', attempt)
    .where('state', '=', 'queued')
    .where('deleted_at', 'is', null)

const photoChanged = ({ userId, photoId }: ProcessingAttempt) =>
  publishExpression({ kind: 'photo', what: 'changed', user: userId, photo: photoId })

const thumbnailColumns = ({ thumbKey }: ProcessingAttempt, { bytes, width, height, thumbhash }: ThumbnailRecord) => ({
  thumb_key: thumbKey,
  thumb_bytes: bytes,
  width,
  height,
  thumbhash,
})

/**
 * Records the thumbnail and notifies the owner's screens in one statement. False when this attempt is not the current one.
 * Does not wait for the disk: `finishPhoto` writes the same columns again.
 */
export async function recordThumbnail(
  db: Db,
  attempt: ProcessingAttempt,
  thumbnail: ThumbnailRecord,
): Promise<boolean> {
  const rows = await db
    .with('updated', (part) => updateIfCurrent(part, attempt).set(thumbnailColumns(attempt, thumbnail)).returning('id'))
    .selectFrom('updated')
    .select([
      photoChanged(attempt).as('notified'),
      sql`set_config('synchronous_commit', 'off', true)`.as('asynchronous'),
    ])
    .execute()
  return rows.length === 1
}

/**
 * Makes the photo ready and notifies the owner's screens and webhooks. Writes the thumbnail's columns again, which a database that
 * crashed since `recordThumbnail` may have lost. Resolves with the seconds since the upload began; undefined when this
 * attempt is not the current one.
 */
export async function finishPhoto(
  db: Db,
  attempt: ProcessingAttempt,
  photo: FinishedPhoto,
): Promise<number | undefined> {
  const { watermark } = attempt
  const rows = await db
    .with('updated', (part) =>
      updateIfCurrent(part, attempt)
        .set({
          state: 'ready',
          full_key: attempt.fullKey,
          full_type: photo.type,
          full_bytes: photo.bytes,
          ...thumbnailColumns(attempt, photo.thumbnail),
          ...(watermark &&
            photo.unmarkedBytes !== null && {
              unmarked_key: watermark.unmarkedKey,
              unmarked_type: photo.type,
              unmarked_bytes: photo.unmarkedBytes,
              ...photoWatermarkColumns(watermark),
            }),
          original_key: null,
          taken_by_job: null,
          finished_at: sql`now()`,
        })
        .returning(['id', 'filename', 'created_at']),
    )
    .with(
      'checksums',
      () => sql<{ key: string }>`(${checksumsClause(photo.checksums, sql`exists (select from updated)`)})`,
    )
    .selectFrom('updated')
    .select([
      photoChanged(attempt).as('notified'),
      photoReadyExpression(attempt.userId, 'updated').as('event'),
      sql<number>`extract(epoch from now() - updated.created_at)::float8`.as('seconds'),
    ])
    .execute()
  return rows[0]?.seconds
}

/** Why a photo failed: a sentence for its owner, and whether trying it again can help. */
export interface PhotoFailure {
  sentence: string
  retryHelps: boolean
}

/** Marks the photo as failed and releases its monthly quota. False when this attempt is not the current one. */
export async function failPhoto(
  db: Db,
  attempt: ProcessingAttempt,
  { sentence, retryHelps }: PhotoFailure,
): Promise<boolean> {
  const { rows } = await sql`
    with failed as (
      update photos set state = 'failed', error_message = ${sentence}, retry_helps = ${retryHelps}, finished_at = now(), thumb_key = null, thumb_bytes = null, taken_by_job = null
      where id = ${attempt.photoId} and attempt = ${attempt.attempt} and state = 'queued' and deleted_at is null
      returning id, user_id, filename, created_at, counted_month
    ), returned as (
      update usage_months set uploads = greatest(0, usage_months.uploads - 1) from failed
      where usage_months.user_id = failed.user_id and usage_months.month = failed.counted_month
    )
    select ${photoChanged(attempt)}, ${photoFailedExpression(attempt.userId, 'failed', sentence)} from failed`.execute(
    db,
  )
  return rows.length > 0
}

/** Counts a crash of the image process and removes the thumbnail. Returns the count; 0 when superseded. */
export async function countCrash(db: Db, attempt: ProcessingAttempt): Promise<number> {
  const row = await updateIfCurrent(db, attempt)
    .set({ crashes: sql`crashes + 1`, thumb_key: null, thumb_bytes: null })
    .returning('crashes')
    .executeTakeFirst()
  return row?.crashes ?? 0
}
