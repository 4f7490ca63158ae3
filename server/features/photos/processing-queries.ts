import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { hasBranding } from '../../domain/brands.ts'
import { intendForPhoto, intention, newKey } from '../../domain/objects.ts'
import type { Granted } from '../../domain/plans.ts'
import { announcement } from '../../live/bus.ts'

/** One attempt at a photo. Its number fences it: an attempt that was overtaken changes nothing any more. */
export interface Attempt {
  photoId: string
  userId: string
  attempt: number
  originalKey: string
  originalBytes: number
  fullKey: string
  thumbKey: string
  /** The logo to lay on the full image, and the key for the picture without; null for none. */
  mark: { logoKey: string; plainKey: string } | null
}

interface Claimed extends Granted {
  user_id: string
  attempt: number
  original_key: string
  original_bytes: number
  use_logo_as_watermark: boolean
  logo_key: string | null
}

/** Counts an attempt before its work and writes down the keys it may store under. Undefined when there is nothing to do. */
export async function claim(
  db: Db,
  photoId: string,
  keys: { fullKey: string; thumbKey: string },
): Promise<Attempt | undefined> {
  const { rows } = await sql<Claimed>`
    with claimed as (
      update photos set attempt = attempt + 1
      where id = ${photoId} and state = 'queued' and deleted_at is null and original_key is not null
      returning id, user_id, attempt, original_key, original_bytes
    ), keys as (
      ${intention('claimed', [keys.fullKey, keys.thumbKey])}
    )
    select c.*, u.granted_plan, u.granted_until, u.use_logo_as_watermark, b.key as logo_key
    from claimed c join users u on u.id = c.user_id left join brand_images b on b.user_id = c.user_id and b.kind = 'logo'`.execute(
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
    mark: await markFor(db, photoId, row),
  }
}

/** Photos processed while the setting is on get the logo, if there is one and the plan has branding. */
async function markFor(db: Db, photoId: string, row: Claimed): Promise<Attempt['mark']> {
  if (!row.use_logo_as_watermark || row.logo_key === null || !hasBranding(row)) return null
  const plainKey = newKey('full')
  await intendForPhoto(db, photoId, [plainKey])
  return { logoKey: row.logo_key, plainKey }
}

export interface Measured {
  width: number
  height: number
  /** Base64. */
  thumbhash: string
  thumbBytes: number
}
export interface Finished {
  thumbnail: Measured
  type: string
  bytes: number
  /** The picture without the logo, of the same type; null when the full image carries none. */
  plainBytes: number | null
}

const mine = (db: Pick<Db, 'updateTable'>, { photoId, attempt }: Attempt) =>
  db
    .updateTable('photos')
    .where('id', '=', photoId)
    .where('attempt', '=', attempt)
    .where('state', '=', 'queued')
    .where('deleted_at', 'is', null)

const changed = ({ userId, photoId }: Attempt) =>
  announcement({ kind: 'photo', what: 'changed', user: userId, photo: photoId })

const thumbnailOf = ({ thumbKey }: Attempt, { thumbBytes, width, height, thumbhash }: Measured) => ({
  thumb_key: thumbKey,
  thumb_bytes: thumbBytes,
  width,
  height,
  thumbhash,
})

/**
 * Notes the thumbnail and tells the owner's screens, in one statement: photos are made by the thousand. False when the
 * photo is no longer this attempt's. The same holds below. Does not wait for the disk, for `photoMade` says it all again.
 */
export async function thumbnailMade(db: Db, attempt: Attempt, made: Measured): Promise<boolean> {
  const rows = await db
    .with('mine', (part) => mine(part, attempt).set(thumbnailOf(attempt, made)).returning('id'))
    .selectFrom('mine')
    .select([changed(attempt).as('told'), sql`set_config('synchronous_commit', 'off', true)`.as('hurried')])
    .execute()
  return rows.length === 1
}

/** Says of the thumbnail, too, what a database that has crashed since may have lost. */
export async function photoMade(db: Db, attempt: Attempt, made: Finished): Promise<boolean> {
  const rows = await db
    .with('mine', (part) =>
      mine(part, attempt)
        .set({
          state: 'ready',
          full_key: attempt.fullKey,
          full_type: made.type,
          full_bytes: made.bytes,
          ...thumbnailOf(attempt, made.thumbnail),
          ...(attempt.mark &&
            made.plainBytes !== null && {
              plain_key: attempt.mark.plainKey,
              plain_type: made.type,
              plain_bytes: made.plainBytes,
              marked_with: attempt.mark.logoKey,
            }),
          original_key: null,
          finished_at: sql`now()`,
        })
        .returning('id'),
    )
    .selectFrom('mine')
    .select(changed(attempt).as('told'))
    .execute()
  return rows.length === 1
}

/** Fails a photo for good and gives its place in the month back. */
export async function photoFailed(db: Db, attempt: Attempt, sentence: string): Promise<boolean> {
  const { rows } = await sql`
    with failed as (
      update photos set state = 'failed', error_message = ${sentence}, finished_at = now(), thumb_key = null, thumb_bytes = null
      where id = ${attempt.photoId} and attempt = ${attempt.attempt} and state = 'queued' and deleted_at is null
      returning user_id, counted_month
    ), given_back as (
      update usage_months m set uploads = greatest(0, m.uploads - 1) from failed
      where m.user_id = failed.user_id and m.month = failed.counted_month
    )
    select ${changed(attempt)} from failed`.execute(db)
  return rows.length > 0
}

/** Counts a crash of the image process and forgets its thumbnail; how many there were, 0 when the photo is no longer this attempt's. */
export async function crashed(db: Db, attempt: Attempt): Promise<number> {
  const row = await mine(db, attempt)
    .set({ crashes: sql`crashes + 1`, thumb_key: null, thumb_bytes: null })
    .returning('crashes')
    .executeTakeFirst()
  return row?.crashes ?? 0
}
