import { sql, type RawBuilder } from 'kysely'
import { limits } from '@keepsnap/contract/limits.ts'
import { retention } from '@keepsnap/contract/retention.ts'
import type { Db } from '../../db/connect.ts'
import { unregisterKeys, unreferencedKeys } from '../../domain/stored-objects.ts'
import type { Dependencies } from '../../dependencies.ts'
import { enqueue } from '../../jobs/queue.ts'
import { processJobOf, type PhotoToProcess } from './process-job.ts'
import { deleteOldProcessingDays } from './processing-budget.ts'
import { dropUpload } from './queries.ts'
import { retryDelayedPhotos } from './retry-delayed-photos.ts'
import { deleteOldTurns } from './turns.ts'
import { resumeWatermarkRuns } from './watermark-run.ts'

const cleanUpBatch = 500
const maxBatches = 20

type CleanUpDependencies = Pick<Dependencies, 'db' | 'storage' | 'metrics'>

/** Removes uploads whose program was killed: the row, the bytes and the place in the monthly quota. */
async function dropAbandonedUploads({ db, storage, metrics }: CleanUpDependencies): Promise<void> {
  const abandonedUploads = await db
    .selectFrom('photos')
    .select(['id', 'original_key'])
    .where('state', '=', 'receiving')
    .where('expires_at', '<', sql<Date>`now()`)
    .limit(cleanUpBatch)
    .execute()
  for (const { id, original_key: key } of abandonedUploads) {
    if (!(await dropUpload(db, id))) continue
    metrics.count('keepsnap_uploads_lost_total', {})
    if (!key) continue
    await storage.remove([key])
    await unregisterKeys(db, [key])
  }
}

/** Queues jobs for photos in the state `queued` that have none: none that was added with them, and none that took them. */
async function requeueStalled(db: Db): Promise<void> {
  const hasNoJob = (condition: RawBuilder<unknown>) =>
    sql`not exists (select from graphile_worker._private_jobs as job where ${condition} and job.attempts < job.max_attempts)`
  const { rows } = await sql<PhotoToProcess>`
    select id, user_id as "userId", slow_ms as "slowMs" from photos
    where state = 'queued' and deleted_at is null and created_at < now() - interval '1 minute'
      and ${hasNoJob(sql`job.key = 'photo:' || photos.id`)} and ${hasNoJob(sql`job.key = 'long-photo:' || photos.id`)}
      and ${hasNoJob(sql`job.id = photos.taken_by_job`)} limit ${cleanUpBatch}`.execute(db)
  for (const photo of rows) await enqueue(db, processJobOf(photo))
}

/** Excludes photos that were removed after the end of a plan and can be restored. */
const isNotRestorable = sql`not exists (select 1 from photo_removals where photo_removals.photo_id = photos.id)`

/** Queues jobs for deleted photos that still have bytes, but no job. */
async function resumeDeletions(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from photos where deleted_at < now() - interval '5 minutes' and ${isNotRestorable} and exists (select 1 from stored_objects where stored_objects.photo_id = photos.id)
      and not exists (select 1 from graphile_worker.jobs where jobs.key = 'delete:' || photos.id and jobs.attempts < jobs.max_attempts) limit ${cleanUpBatch}`.execute(
    db,
  )
  for (const { id } of rows) await enqueue(db, { name: 'delete-photo', payload: { photoId: id }, key: `delete:${id}` })
}

/** Removes the originals of photos that failed a week ago. Until then the owner can retry them. */
async function removeFailedOriginals({ db, storage }: Pick<Dependencies, 'db' | 'storage'>): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    with old as (
      select id, original_key from photos where state = 'failed' and original_key is not null
        and finished_at < now() - make_interval(days => ${limits.failedOriginalDays}) limit ${cleanUpBatch}
    )
    update photos set original_key = null from old where photos.id = old.id and photos.state = 'failed' returning old.original_key as key`.execute(
    db,
  )
  const keys = rows.map(({ key }) => key)
  await storage.remove(keys)
  await unregisterKeys(db, keys)
}

/** Removes objects that an attempt stored and no row refers to. */
async function removeUnreferencedObjects({ db, storage }: Pick<Dependencies, 'db' | 'storage'>): Promise<void> {
  for (let batch = 0; batch < maxBatches; batch++) {
    const keys = await unreferencedKeys(db, '15 minutes', cleanUpBatch)
    await storage.remove(keys)
    await unregisterKeys(db, keys)
    if (keys.length < cleanUpBatch) return
  }
}

/** Deletes the rows of deleted photos, and idempotency keys, after a day. */
async function deleteExpiredRows(db: Db): Promise<void> {
  await sql`delete from photos where deleted_at < now() - make_interval(hours => ${retention.deletedPhotoHours}) and ${isNotRestorable} and not exists (select 1 from stored_objects where stored_objects.photo_id = photos.id)`.execute(
    db,
  )
  await sql`update photos set idempotency_key = null, upload_sha256 = null where idempotency_key is not null and created_at < now() - make_interval(hours => ${limits.idempotencyHours})`.execute(
    db,
  )
}

/**
 * Cleans up after everything that can be interrupted. The steps are independent and idempotent: when one fails, the others
 * run all the same.
 */
export async function cleanUpPhotos(deps: CleanUpDependencies): Promise<void> {
  const steps = [
    () => dropAbandonedUploads(deps),
    () => requeueStalled(deps.db),
    () => resumeDeletions(deps.db),
    () => resumeWatermarkRuns(deps.db),
    () => removeFailedOriginals(deps),
    () => removeUnreferencedObjects(deps),
    () => deleteExpiredRows(deps.db),
    () => deleteOldProcessingDays(deps.db),
    () => deleteOldTurns(deps.db),
    // Last: it waits for the store.
    () => retryDelayedPhotos(deps),
  ]
  const failures: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => failures.push(error))
  if (failures.length) throw failures[0]
}
