import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { photoWatermarkColumns, type Watermark } from '../../domain/watermarks.ts'
import { minWatermarkedSidePx } from '../../images/watermark-layout.ts'
import { publishExpression } from '../../live/bus.ts'

/**
 * The row of a user's watermark run, which adds the watermark to existing photos or removes it. `since` and `cursor_id`
 * together identify one step of it.
 */
export interface WatermarkRunRow {
  action: 'apply' | 'undo'
  state: 'running' | 'stopping' | 'done' | 'stopped'
  total: number
  done: number
  failed: number
  started_at: Date
  finished_at: Date | null
  since: string
  cursor_id: string | null
}

export async function watermarkRunOf(db: Db, userId: string): Promise<WatermarkRunRow | undefined> {
  const { rows } = await sql<WatermarkRunRow>`
    select action, state, total, done, failed, started_at, finished_at, started_at::text as since, cursor_id
    from watermark_runs where user_id = ${userId}`.execute(db)
  return rows[0]
}

/** A condition on photos: large enough for this watermark and without it, or with a watermark that can be removed. */
function needsWatermarkAction(action: WatermarkRunRow['action'], watermark: Watermark | null) {
  if (action === 'undo') return sql`photos.unmarked_key is not null`
  if (!watermark) return sql`false`
  const { watermark_key: key, watermark_layout: layout } = photoWatermarkColumns(watermark)
  return sql`least(photos.width, photos.height) >= ${minWatermarkedSidePx} and (photos.unmarked_key is null
    or photos.watermark_key is distinct from ${key}::text or photos.watermark_layout is distinct from ${layout}::text)`
}

/** How many photos a run with each action would process now. */
export async function countPhotosToProcess(
  db: Db,
  userId: string,
  watermark: Watermark | null,
): Promise<{ applicable: number; undoable: number }> {
  const { rows } = await sql<{ applicable: number; undoable: number }>`
    select count(*) filter (where ${needsWatermarkAction('apply', watermark)})::int as applicable,
      count(*) filter (where ${needsWatermarkAction('undo', watermark)})::int as undoable
    from photos where photos.user_id = ${userId} and photos.deleted_at is null and photos.state = 'ready'`.execute(db)
  return rows[0] ?? { applicable: 0, undoable: 0 }
}

/** Starts a run, which replaces the previous one. False while that one is still in progress. */
export async function insertWatermarkRun(
  tx: Db,
  userId: string,
  { action, total }: { action: WatermarkRunRow['action']; total: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into watermark_runs (user_id, action, state, total) values (${userId}, ${action}, 'running', ${total})
    on conflict (user_id) do update set action = excluded.action, state = 'running', total = excluded.total, done = 0, failed = 0,
      cursor_at = null, cursor_id = null, started_at = clock_timestamp(), finished_at = null
      where watermark_runs.state in ('done', 'stopped') returning 1`.execute(tx)
  return rows.length === 1
}

/** Asks a run to stop; its next step ends it. */
export const requestRunStop = async (tx: Db, userId: string): Promise<void> =>
  void (await tx
    .updateTable('watermark_runs')
    .set({ state: 'stopping' })
    .where('user_id', '=', userId)
    .where('state', '=', 'running')
    .execute())

/** Ends a run, if it is still this one. */
export const endWatermarkRun = async (
  db: Db,
  userId: string,
  { run, state }: { run: WatermarkRunRow; state: 'done' | 'stopped' },
): Promise<void> =>
  void (await sql`
    update watermark_runs set state = ${state}, finished_at = now(),
      total = case when ${state} = 'done' then done + failed else total end
    where user_id = ${userId} and started_at::text = ${run.since} and state in ('running', 'stopping')`.execute(db))

/** The photo that a step of a run processes. */
export interface PhotoOfRun {
  id: string
  full_key: string
  full_type: string
  full_bytes: number
  unmarked_key: string | null
  unmarked_type: string | null
  unmarked_bytes: number | null
}

/** The next photo of a run, newest first. Photos that were uploaded after the start of the run are not part of it. */
export async function nextPhotoOfRun(
  db: Db,
  userId: string,
  { run, watermark }: { run: WatermarkRunRow; watermark: Watermark | null },
): Promise<PhotoOfRun | undefined> {
  const { rows } = await sql<PhotoOfRun>`
    select photos.id, full_key, full_type, full_bytes, unmarked_key, unmarked_type, unmarked_bytes
    from photos join watermark_runs on watermark_runs.user_id = photos.user_id
    where photos.user_id = ${userId} and photos.deleted_at is null and photos.state = 'ready' and photos.full_key is not null
      and photos.created_at <= watermark_runs.started_at
      and (photos.created_at, photos.id) < (
        select coalesce(cursor_at, 'infinity'), coalesce(cursor_id, '') from watermark_runs where user_id = ${userId})
      and ${needsWatermarkAction(run.action, watermark)}
    order by photos.created_at desc, photos.id desc limit 1`.execute(db)
  return rows[0]
}

/**
 * Records the outcome for a photo and moves the cursor past it. False when another worker has done so already.
 * `unchanged` (the photo was deleted) is not counted.
 */
export async function advanceWatermarkRun(
  tx: Db,
  userId: string,
  { run, photoId, outcome }: { run: WatermarkRunRow; photoId: string; outcome: 'done' | 'failed' | 'unchanged' },
): Promise<boolean> {
  const { rows } = await sql`
    update watermark_runs set done = done + ${outcome === 'done' ? 1 : 0}, failed = failed + ${outcome === 'failed' ? 1 : 0},
      cursor_id = ${photoId}, cursor_at = coalesce((select created_at from photos where id = ${photoId}), cursor_at)
    where user_id = ${userId} and started_at::text = ${run.since} and cursor_id is not distinct from ${run.cursor_id}
      and state in ('running', 'stopping') returning 1`.execute(tx)
  return rows.length === 1
}

/** The columns of a photo's full image, with and without the watermark. */
export interface FullImageColumns {
  full_key: string
  full_type: string
  full_bytes: number
  unmarked_key: string | null
  unmarked_type: string | null
  unmarked_bytes: number | null
  watermark_key: string | null
  watermark_layout: string | null
}

/**
 * Points a photo to other images, which are in the store already, and notifies its owner's screens. False when the photo
 * has another full image than `from` by now.
 */
export async function replaceFullImage(
  tx: Db,
  { userId, photoId, from }: { userId: string; photoId: string; from: string },
  newImages: FullImageColumns,
): Promise<boolean> {
  const rows = await tx
    .with('updated', (part) =>
      part
        .updateTable('photos')
        .set(newImages)
        .where('id', '=', photoId)
        .where('full_key', '=', from)
        .where('state', '=', 'ready')
        .where('deleted_at', 'is', null)
        .returning('id'),
    )
    .selectFrom('updated')
    .select(publishExpression({ kind: 'photo', what: 'changed', user: userId, photo: photoId }).as('notified'))
    .execute()
  return rows.length === 1
}

/** Users whose run is in progress but has no job, which was lost. */
export async function usersWithStalledRun(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from watermark_runs where state in ('running', 'stopping')
      and not exists (select 1 from graphile_worker.jobs where jobs.key = 'mark:' || watermark_runs.user_id and jobs.attempts < jobs.max_attempts) limit ${limit}`.execute(
    db,
  )
  return rows.map(({ user_id: userId }) => userId)
}

/** The full image, without a watermark, of the newest photo that is ready and that no operator hid. */
export async function newestUnmarkedImage(
  db: Db,
  userId: string,
): Promise<{ key: string; width: number | null; height: number | null } | undefined> {
  const { rows } = await sql<{ key: string; width: number | null; height: number | null }>`
    select coalesce(unmarked_key, full_key) as key, width, height from photos
    where user_id = ${userId} and deleted_at is null and state = 'ready' and full_key is not null
      and operator_decision is distinct from 'hide'
    order by created_at desc, id desc limit 1`.execute(db)
  return rows[0]
}
