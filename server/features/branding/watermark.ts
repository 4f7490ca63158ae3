import { readFile } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import {
  startWatermarkRun,
  stopWatermarkRun,
  watermarkPreview,
  watermarkRun,
  type WatermarkRun,
} from '@keepsnap/contract/branding.ts'
import { Fault } from '../../faults.ts'
import { ImageFailure } from '../../images/sandbox/image-jobs.ts'
import { storeFile } from '../../ports/storage/storage.ts'
import type { Db } from '../../platform/db/connect.ts'
import { minWatermarkedSidePx } from '../../images/protocol.ts'
import { publishExpression } from '../../platform/live/bus.ts'
import { recordChecksums, storeUnderNewKey } from '../photos/stored-objects.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Dependencies } from '../../dependencies.ts'
import { planOfUser, lockUser } from '../plans/plans.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { brandingNotInPlan, photoWatermarkColumns, type Watermark, watermarkOf } from './brands.ts'

/** Previews the watermark, and adds it to existing photos or removes it. */
export function watermarkRoutes(serve: Serve, deps: Dependencies): void {
  const { db } = deps
  const renderPreview = createWatermarkPreviews(deps)

  serve(watermarkPreview, async (_, { actor: { userId }, reply }) => {
    await countRateHit(db, 'previews', userId)
    const plan = await planOfUser(db, userId)
    if (!plan.features.custom_branding) throw brandingNotInPlan(plan)
    const [watermark, photo] = await Promise.all([watermarkOf(db, userId), newestUnmarkedImage(db, userId)])
    if (!watermark) throw new Fault('not_found', 'There is no logo yet. Upload one to see it on a photo.')
    if (!photo) throw new Fault('not_found', 'There is no photo yet. Upload one to see your logo on it.')
    const previewJpeg = await renderPreview(userId, photo.key, watermark)
    await reply
      .headers({ 'cache-control': 'no-store', 'content-security-policy': "default-src 'none'; sandbox" })
      .type('image/jpeg')
      .send(previewJpeg)
  })

  serve(watermarkRun, (_, { actor }) => runView(db, actor.userId))

  serve(startWatermarkRun, async ({ body: { what } }, { actor: { userId } }) => {
    await db.transaction().execute(async (tx) => {
      await lockUser(tx, userId)
      const watermark = await watermarkOf(tx, userId)
      if (what === 'apply') {
        const plan = await planOfUser(tx, userId)
        if (!plan.features.custom_branding) throw brandingNotInPlan(plan)
        if (!watermark) throw new Fault('conflict', 'Upload a logo first.')
      }
      const { applicable, undoable } = await countPhotosToProcess(tx, userId, watermark)
      if (!(await insertWatermarkRun(tx, userId, { action: what, total: what === 'apply' ? applicable : undoable })))
        throw new Fault('conflict', 'Your photos are already being processed. Wait for that to finish, or stop it.')
      await enqueueNextStep(tx, userId)
    })
    return runView(db, userId)
  })

  serve(stopWatermarkRun, async (_, { actor: { userId } }) => {
    await db.transaction().execute(async (tx) => {
      // Its next step ends it.
      await tx
        .updateTable('watermark_runs')
        .set({ state: 'stopping' })
        .where('user_id', '=', userId)
        .where('state', '=', 'running')
        .execute()
      if ((await watermarkRunOf(tx, userId))?.state === 'stopping') await enqueueNextStep(tx, userId)
    })
    return runView(db, userId)
  })
}

async function runView(db: Db, userId: string): Promise<WatermarkRun> {
  const watermark = await watermarkOf(db, userId)
  const [run, photoCounts] = await Promise.all([
    watermarkRunOf(db, userId),
    countPhotosToProcess(db, userId, watermark),
  ])
  return {
    state: run?.state ?? 'idle',
    what: run?.action ?? null,
    total: run?.total ?? 0,
    done: run?.done ?? 0,
    failed: run?.failed ?? 0,
    started_at: run?.started_at.toISOString() ?? null,
    finished_at: run?.finished_at?.toISOString() ?? null,
    ...photoCounts,
  }
}

/**
 * The row of a user's watermark run, which adds the watermark to existing photos or removes it. `since` and `cursor_id`
 * together identify one step of it.
 */
interface WatermarkRunRow {
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

async function watermarkRunOf(db: Db, userId: string): Promise<WatermarkRunRow | undefined> {
  const { rows } = await sql<WatermarkRunRow>`
    select action, state, total, done, failed, started_at, finished_at, started_at::text as since, cursor_id
    from watermark_runs where user_id = ${userId}`.execute(db)
  return rows[0]
}

/** How many photos a run with each action would process now. */
async function countPhotosToProcess(db: Db, userId: string, watermark: Watermark | null) {
  const { rows } = await sql<{ applicable: number; undoable: number }>`
    select count(*) filter (where ${needsWatermarkAction('apply', watermark)})::int as applicable,
      count(*) filter (where ${needsWatermarkAction('undo', watermark)})::int as undoable
    from photos where photos.user_id = ${userId} and photos.deleted_at is null and photos.is_listed and photos.state = 'ready'`.execute(
    db,
  )
  return rows[0] ?? { applicable: 0, undoable: 0 }
}

/** A condition on photos: large enough for this watermark and without it, or with a watermark that can be removed. */
function needsWatermarkAction(action: WatermarkRunRow['action'], watermark: Watermark | null) {
  if (action === 'undo') return sql`photos.unmarked_key is not null`
  if (!watermark) return sql`false`
  const { watermark_key: key, watermark_layout: layout } = photoWatermarkColumns(watermark)
  return sql`least(photos.width, photos.height) >= ${minWatermarkedSidePx} and (photos.unmarked_key is null
    or photos.watermark_key is distinct from ${key}::text or photos.watermark_layout is distinct from ${layout}::text)`
}

/** Starts a run, which replaces the previous one. False while that one is still in progress. */
async function insertWatermarkRun(
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

/** Queues the next step of a user's run, in place of one that is queued already. */
const enqueueNextStep = (db: Db, userId: string): Promise<void> =>
  enqueue(db, { name: 'watermark-next-photo', payload: { userId }, key: `mark:${userId}` })

/** Continues runs whose job was lost. */
export async function resumeWatermarkRuns(db: Db): Promise<void> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from watermark_runs where state in ('running', 'stopping')
      and not exists (select 1 from graphile_worker.jobs where jobs.key = 'mark:' || watermark_runs.user_id and jobs.attempts < jobs.max_attempts) limit 100`.execute(
    db,
  )
  for (const { userId } of rows) await enqueueNextStep(db, userId)
}

interface WatermarkStep {
  userId: string
  run: WatermarkRunRow
  photo: PhotoOfRun
}

/**
 * One step of a user's run: adds the watermark to one photo or removes it, then queues the next step. The new image is stored
 * before the row refers to it and the old one is removed afterwards, so the photo can be read at any time.
 */
export async function watermarkNextPhoto(deps: Dependencies, userId: string): Promise<void> {
  const { db } = deps
  const run = await watermarkRunOf(db, userId)
  if (!run || (run.state !== 'running' && run.state !== 'stopping')) return
  const watermark = await watermarkOf(db, userId)
  // Without a logo, or a plan with branding, no watermark can be added; one can still be removed.
  if (run.state === 'stopping' || (run.action === 'apply' && !watermark))
    return endWatermarkRun(db, userId, { run, state: 'stopped' })
  const photo = await nextPhotoOfRun(db, userId, { run, watermark })
  if (!photo) return endWatermarkRun(db, userId, { run, state: 'done' })
  const watermarkStep = { userId, run, photo }
  if (run.action === 'undo') await removeWatermark(deps, watermarkStep)
  else if (watermark) await applyWatermark(deps, watermarkStep, watermark)
}

async function removeWatermark({ db, storage, log }: Dependencies, watermarkStep: WatermarkStep): Promise<void> {
  const { unmarked_key: key, unmarked_type: type, unmarked_bytes: bytes } = watermarkStep.photo
  if (key === null || type === null || bytes === null)
    throw new Error('a photo without an unmarked image cannot lose its watermark')
  // Then the watermarked image is the only one: the photo keeps it.
  if ((await storage.sizeOf(key)) === null) {
    log.error({ photo: watermarkStep.photo.id, key }, 'an unmarked image is not in the store')
    await finishWatermarkStep(db, watermarkStep, 'failed')
    return
  }
  await finishWatermarkStep(db, watermarkStep, {
    full_key: key,
    full_type: type,
    full_bytes: bytes,
    unmarked_key: null,
    unmarked_type: null,
    unmarked_bytes: null,
    watermark_key: null,
    watermark_layout: null,
  })
}

async function applyWatermark(deps: Dependencies, watermarkStep: WatermarkStep, watermark: Watermark): Promise<void> {
  const { db, storage, images, log } = deps
  const { photo } = watermarkStep
  const unmarkedImage =
    photo.unmarked_key === null
      ? { unmarked_key: photo.full_key, unmarked_type: photo.full_type, unmarked_bytes: photo.full_bytes }
      : { unmarked_key: photo.unmarked_key, unmarked_type: photo.unmarked_type, unmarked_bytes: photo.unmarked_bytes }
  await storeUnderNewKey(deps, { photoId: photo.id, kind: 'full' }, async (key) => {
    try {
      const job = await (
        await images()
      ).renderSingle('watermarked', {
        taskClass: 'slow',
        async writeInput(path) {
          if (!(await storage.linkTo(unmarkedImage.unmarked_key, path)))
            throw new ImageFailure('refused', 'The image is not in the store.')
        },
        watermark: { layout: watermark.layout, writeLogo: (path) => storage.linkTo(watermark.logoKey, path) },
      })
      try {
        const { path, contentType: type, bytes } = await job.result
        await recordChecksums(db, [await storeFile(storage, key, { path, type })])
        const both = { full_key: key, full_type: type, full_bytes: bytes, ...unmarkedImage }
        return await finishWatermarkStep(db, watermarkStep, { ...both, ...photoWatermarkColumns(watermark) })
      } finally {
        await job.release()
      }
    } catch (error) {
      if (!(error instanceof ImageFailure)) throw error
      log.info({ photo: photo.id, kind: error.kind }, 'the watermark could not be added to a photo')
      await finishWatermarkStep(db, watermarkStep, 'failed')
      return false
    }
  })
}

/**
 * Updates the photo and the progress and queues the next step, in one transaction: only the first of several workers
 * succeeds. True when the photo was updated.
 */
async function finishWatermarkStep(
  db: Db,
  { userId, run, photo }: WatermarkStep,
  newImages: FullImageColumns | 'failed',
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const oldFullKey = photo.full_key
    const isReplaced =
      newImages !== 'failed' && (await replaceFullImage(tx, { userId, photoId: photo.id, from: oldFullKey }, newImages))
    const outcome = newImages === 'failed' ? 'failed' : isReplaced ? 'done' : 'unchanged'
    // Another worker has processed this photo, so `replaceFullImage` has changed nothing.
    if (!(await advanceWatermarkRun(tx, userId, { run, photoId: photo.id, outcome }))) return isReplaced
    // The unmarked image is kept; an old watermarked one is no longer needed.
    if (isReplaced && photo.unmarked_key !== null)
      await enqueue(tx, { name: 'delete-object', payload: { key: oldFullKey }, key: `object:${oldFullKey}` })
    await enqueueNextStep(tx, userId)
    return isReplaced
  })
}

/** The photo that a step of a run processes. */
interface PhotoOfRun extends Omit<FullImageColumns, 'watermark_key' | 'watermark_layout'> {
  id: string
}

/** The next photo of a run, newest first. Photos that were uploaded after the start of the run are not part of it. */
async function nextPhotoOfRun(
  db: Db,
  userId: string,
  { run, watermark }: { run: WatermarkRunRow; watermark: Watermark | null },
): Promise<PhotoOfRun | undefined> {
  const { rows } = await sql<PhotoOfRun>`
    select photos.id, full_key, full_type, full_bytes, unmarked_key, unmarked_type, unmarked_bytes
    from photos join watermark_runs on watermark_runs.user_id = photos.user_id
    where photos.user_id = ${userId} and photos.deleted_at is null and photos.is_listed and photos.state = 'ready' and photos.full_key is not null
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
async function advanceWatermarkRun(
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

/** Ends a run, if it is still this one. */
const endWatermarkRun = async (
  db: Db,
  userId: string,
  { run, state }: { run: WatermarkRunRow; state: 'done' | 'stopped' },
): Promise<void> =>
  void (await sql`
    update watermark_runs set state = ${state}, finished_at = now(),
      total = case when ${state} = 'done' then done + failed else total end
    where user_id = ${userId} and started_at::text = ${run.since} and state in ('running', 'stopping')`.execute(db))

/** The columns of a photo's full image, with and without the watermark. */
interface FullImageColumns {
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

/** Previews of a few hundred kilobytes each. */
const maxCachedPreviews = 20
const previewTimeoutMs = 40_000

/** Renders what a photo would look like with a logo; one preview at a time for each user, the latest ones cached. */
function createWatermarkPreviews({ storage, images }: Dependencies) {
  const previewCache = new LRUCache<string, Buffer>({ max: maxCachedPreviews })
  const runningPreviews = new Map<string, Promise<Buffer>>()

  async function renderPreview(photoKey: string, { logoKey, layout }: Watermark): Promise<Buffer> {
    const pool = await images()
    const previewDeadline = AbortSignal.timeout(previewTimeoutMs)
    const input = {
      async writeInput(path: string) {
        if (!(await storage.linkTo(photoKey, path))) throw new Fault('not_found', 'This photo no longer exists.')
      },
      watermark: { layout, writeLogo: (path: string) => storage.linkTo(logoKey, path) },
    }
    try {
      const job = await pool.renderSingle('preview', input, previewDeadline)
      try {
        return await readFile((await job.result).path)
      } finally {
        await job.release()
      }
    } catch (error) {
      if (previewDeadline.aborted)
        throw new Fault('unavailable', 'The preview is taking too long right now. Please try again.', 10)
      throw error instanceof ImageFailure ? new Fault('conflict', error.sentence) : error
    }
  }

  return async (userId: string, photoKey: string, watermark: Watermark): Promise<Buffer> => {
    const cacheKey = `${photoKey} ${Object.values(photoWatermarkColumns(watermark)).join(' ')}`
    await runningPreviews.get(userId)?.catch(() => {})
    const cachedPreview = previewCache.get(cacheKey)
    if (cachedPreview) return cachedPreview
    if (runningPreviews.has(userId))
      throw new Fault('rate_limited', 'A preview is already in progress. Please wait for it.', 2)
    const preview = renderPreview(photoKey, watermark).finally(() => runningPreviews.delete(userId))
    runningPreviews.set(userId, preview)
    previewCache.set(cacheKey, await preview)
    return preview
  }
}

/** The full image, without a watermark, of the newest photo that is ready and that no operator hid. */
async function newestUnmarkedImage(db: Db, userId: string): Promise<{ key: string } | undefined> {
  const { rows } = await sql<{ key: string }>`
    select coalesce(unmarked_key, full_key) as key from photos
    where user_id = ${userId} and deleted_at is null and is_listed and state = 'ready' and full_key is not null
      and operator_decision is distinct from 'hide'
    order by created_at desc, id desc limit 1`.execute(db)
  return rows[0]
}
