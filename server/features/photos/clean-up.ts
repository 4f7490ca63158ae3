import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { limits, retention } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { storeStaged, type Storage } from '../../ports/storage/storage.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { resumeWatermarkRuns } from '../branding/watermark.ts'
import { newStorageKey, registerKeysForPhoto, unreferencedKeys, unregisterKeys } from './stored-objects.ts'
import { attemptNumberStep } from './process.ts'
import { deleteOldTurns, type PhotoToProcess, processJobOf, deleteOldProcessingDays } from './processing-turns.ts'
import { deletionJob } from './delete.ts'
import { dropUpload } from './upload.ts'

const cleanUpBatch = 500
const maxBatches = 20

/**
 * Cleans up after everything that can be interrupted. The steps are independent and idempotent: when one fails, the others
 * run all the same.
 */
export async function cleanUpPhotos(deps: Dependencies): Promise<void> {
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

/** Removes uploads whose program was killed: the row, the bytes and the place in the monthly quota. */
async function dropAbandonedUploads({ db, storage, metrics }: Dependencies): Promise<void> {
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
  for (const { id } of rows) await enqueue(db, deletionJob(id))
}

/** Removes the originals of photos that failed a week ago. Until then the owner can retry them. */
async function removeFailedOriginals({ db, storage }: Dependencies): Promise<void> {
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
async function removeUnreferencedObjects({ db, storage }: Dependencies): Promise<void> {
  for (let batch = 0; batch < maxBatches; batch++) {
    const keys = await unreferencedKeys(db, cleanUpBatch)
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

const maxPhotos = 500
/** The clean-up job runs every minute, so a photo waits for at most 80 seconds once files can be stored. */
const shortDelaySeconds = 20

/**
 * From this attempt on, the delays of the queue apply, of up to six hours: otherwise a store that fails only sometimes
 * would use up the attempts of a photo within half an hour, and the photo would be given up.
 */
const maxAttemptsWithoutDelay = 20

const chunkBytes = 256 * 1024
/** A store that takes longer cannot be used. What the test leaves is removed by the clean-up job. */
const maxTestMs = 30_000

/**
 * Makes the jobs of delayed photos due at once when files can be stored, at most 500. The queue delays a job after each
 * failure, after ten by six hours: without this, photos would wait that long after an outage of the store.
 */
async function retryDelayedPhotos(deps: Dependencies): Promise<void> {
  const photos = await delayedPhotos(deps.db)
  const [largest] = photos.toSorted((one, other) => other.originalBytes - one.originalBytes)
  if (!largest) return
  const timedOut = wait(maxTestMs, false, { ref: false })
  if (!(await Promise.race([canStoreFile(deps, largest), timedOut]))) return
  const jobIds = photos.map(({ jobId }) => jobId)
  await sql`select count(*) from graphile_worker.reschedule_jobs(${jobIds}::bigint[], run_at => now())`.execute(deps.db)
}

interface DelayedPhoto {
  photoId: string
  jobId: number
  originalBytes: number
}

/** Photos whose processing was interrupted by an infrastructure failure and is delayed, the oldest first. */
async function delayedPhotos(db: Db): Promise<DelayedPhoto[]> {
  const { rows } = await sql<DelayedPhoto>`
    select photos.id as "photoId", jobs.id as "jobId", coalesce(original_bytes, 0)::int8 as "originalBytes"
    from photos join graphile_worker.jobs on jobs.id = coalesce(photos.taken_by_job,
      (select job.id from graphile_worker._private_jobs as job where job.key = 'photo:' || photos.id))
    where state = 'queued' and deleted_at is null and attempt % ${sql.lit(attemptNumberStep)} < ${maxAttemptsWithoutDelay}
      and jobs.attempts > 0 and jobs.attempts < jobs.max_attempts and locked_at is null
      and run_at > now() + make_interval(secs => ${shortDelaySeconds})
    order by photos.created_at limit ${maxPhotos}`.execute(db)
  return rows
}

/** Whether a file of the size of this photo can be stored and read now: `check` alone does not notice a full disk. */
async function canStoreFile({ db, storage }: Dependencies, { photoId, originalBytes }: DelayedPhoto): Promise<boolean> {
  if (!(await hasSucceeded(storage.check()))) return false
  const key = newStorageKey('orig')
  await registerKeysForPhoto(db, photoId, [key])
  const file = { source: Readable.from(fillBytes(originalBytes)), type: 'application/octet-stream' }
  // After a failure, the clean-up job removes what may be left under the key.
  if (!(await hasSucceeded(storeStaged(storage, key, file)))) return false
  if (!(await hasSucceeded(readFile(storage, key)))) return false
  if (!(await hasSucceeded(storage.remove([key])))) return false
  await unregisterKeys(db, [key])
  return true
}

/** Bytes that a file system cannot compress. */
function* fillBytes(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= chunkBytes) yield randomBytes(Math.min(left, chunkBytes))
}

const hasSucceeded = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    // The jobs of the photos log why files cannot be stored.
    () => false,
  )

/** Reads a stored file to its end, and keeps nothing of it. */
async function readFile(storage: Storage, key: string): Promise<void> {
  const stored = await storage.open(key)
  if (!stored) throw new Error('the file is not there')
  for await (const chunk of stored) void chunk
}
