import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { newStorageKey, registerKeysForPhoto, unregisterKeys } from '../../domain/stored-objects.ts'
import { storeStaged } from '../../ports/storage/storage.ts'
import { attemptNumberStep } from './processing-queries.ts'

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
async function readFile(storage: Dependencies['storage'], key: string): Promise<void> {
  const stored = await storage.open(key)
  if (!stored) throw new Error('the file is not there')
  for await (const chunk of stored) void chunk
}

/** Whether a file of the size of this photo can be stored and read now: `check` alone does not notice a full disk. */
async function canStoreFile(
  { db, storage }: Pick<Dependencies, 'db' | 'storage'>,
  { photoId, originalBytes }: DelayedPhoto,
): Promise<boolean> {
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

/**
 * Makes the jobs of delayed photos due at once when files can be stored, at most 500. The queue delays a job after each
 * failure, after ten by six hours: without this, photos would wait that long after an outage of the store.
 */
export async function retryDelayedPhotos(deps: Pick<Dependencies, 'db' | 'storage'>): Promise<void> {
  const photos = await delayedPhotos(deps.db)
  const [largest] = photos.toSorted((one, other) => other.originalBytes - one.originalBytes)
  if (!largest) return
  const timedOut = wait(maxTestMs, false, { ref: false })
  if (!(await Promise.race([canStoreFile(deps, largest), timedOut]))) return
  const jobIds = photos.map(({ jobId }) => jobId)
  await sql`select count(*) from graphile_worker.reschedule_jobs(${jobIds}::bigint[], run_at => now())`.execute(deps.db)
}
