import type { Dependencies } from '../../dependencies.ts'
import { storeFile, type ObjectChecksum } from '../../ports/storage/store-file.ts'
import { unregisterKeys, newStorageKey } from '../../domain/stored-objects.ts'
import { ImageFailure } from '../../images/sandbox/image-failure.ts'
import type { PhotoJob, RenderedFile, ThumbnailFile } from '../../images/sandbox/image-jobs.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import { countProcessingTime } from './processing-budget.ts'
import {
  attemptNumberStep,
  claimAttempt,
  countCrash,
  failPhoto,
  finishPhoto,
  recordThumbnail,
  type ProcessingAttempt,
  type ThumbnailRecord,
} from './processing-queries.ts'
import { taskClassOf } from './process-job.ts'
import type { SpeculativeProcessing } from './speculative-processing.ts'
import { chargeOf, photoInTurn, settleTurn, type TakingJob } from './turns.ts'

/** What processing a photo needs. */
export type ProcessingDependencies = Pick<Dependencies, 'db' | 'storage' | 'log' | 'metrics'> & {
  images: ImagePool
  speculative: SpeculativeProcessing
}

const maxCrashes = 3
/**
 * Since the upload or the last retry after more than ten. Attempts interrupted by a restart also count, although they are not
 * the photo's fault; hence a high limit.
 */
const maxAttempts = 25
const gaveUpMessage = 'This photo could not be processed. Please try again or upload it again.'

/** Removes objects and their entries. After a failure, the clean-up job removes them. */
async function removeObjects({ db, storage, log }: ProcessingDependencies, keys: string[]): Promise<void> {
  try {
    await storage.remove(keys)
    await unregisterKeys(db, keys)
  } catch (error) {
    log.warn({ err: error }, 'objects that are no longer needed are left for the clean-up job')
  }
}

/**
 * Removes objects of an attempt that are no longer registered in the database because the photo was deleted meanwhile.
 * Registered objects are kept for the next attempt or the clean-up job.
 */
async function removeUnregisteredObjects({ db, storage, log }: ProcessingDependencies, keys: string[]): Promise<void> {
  try {
    const knownObjects = await db.selectFrom('stored_objects').select('key').where('key', 'in', keys).execute()
    await storage.remove(keys.filter((key) => !knownObjects.some((object) => object.key === key)))
  } catch (error) {
    log.warn({ err: error }, 'objects of a deleted photo may be left in the store')
  }
}

/** The keys under which an attempt may have stored objects. */
const attemptKeys = ({ fullKey, thumbKey, watermark }: ProcessingAttempt): string[] => [
  fullKey,
  thumbKey,
  ...(watermark ? [watermark.unmarkedKey] : []),
]

const thumbnailRecordOf = ({ width, height, thumbhash, bytes }: ThumbnailFile): ThumbnailRecord => ({
  width,
  height,
  thumbhash,
  bytes,
})

/** The rendering of this attempt: the one that was started during the upload, or a new one. */
async function startRendering(
  { storage, images, speculative }: ProcessingDependencies,
  { photoId, slowMs, originalKey, watermark }: ProcessingAttempt,
): Promise<PhotoJob> {
  // The rendering that was started during the upload has no watermark.
  if (watermark) speculative.discard(photoId)
  const startedRendering = speculative.claim(photoId)
  if (startedRendering) return startedRendering
  return images.renderPhoto({
    taskClass: taskClassOf(slowMs),
    async writeInput(path) {
      if (!(await storage.linkTo(originalKey, path))) throw new Error('the original is not in the store')
    },
    ...(watermark && {
      watermark: { layout: watermark.layout, writeLogo: (path) => storage.linkTo(watermark.logoKey, path) },
    }),
  })
}

const kindOf = ({ slowMs }: ProcessingAttempt): 'quick' | 'slow' => (slowMs === null ? 'quick' : 'slow')

type AttemptOutcome = 'watermarked' | 'unmarked' | 'superseded'

/** Stores what has been rendered, the thumbnail first. `superseded` when this is no longer the photo's current attempt. */
async function storeRendering(
  { db, storage, metrics }: ProcessingDependencies,
  attempt: ProcessingAttempt,
  job: PhotoJob,
): Promise<AttemptOutcome> {
  const checksums: ObjectChecksum[] = []
  const storeThumbnail = async (): Promise<boolean> => {
    const thumbnail = await job.thumbnail
    checksums.push(await storeFile(storage, attempt.thumbKey, { path: thumbnail.path, type: 'image/webp' }))
    return recordThumbnail(db, attempt, thumbnailRecordOf(thumbnail))
  }
  const thumbnailStored = storeThumbnail()
  thumbnailStored.catch(() => {})
  try {
    const { full, unmarked, thumbnail } = await job.result
    const { contentType: type, bytes } = full
    const storeImage = async (key: string, { path, inputUnchanged }: RenderedFile): Promise<void> => {
      // The SHA-256 of the received file is known; it need not be computed again.
      const sha256 = inputUnchanged ? attempt.originalSha256 : null
      checksums.push(await storeFile(storage, key, { path, type, sha256 }))
    }
    await storeImage(attempt.fullKey, full)
    if (attempt.watermark && unmarked) await storeImage(attempt.watermark.unmarkedKey, unmarked)
    if (!(await thumbnailStored)) return 'superseded'
    const readySeconds = await finishPhoto(db, attempt, {
      type,
      bytes,
      unmarkedBytes: unmarked?.bytes ?? null,
      thumbnail: thumbnailRecordOf(thumbnail),
      checksums,
    })
    if (readySeconds === undefined) return 'superseded'
    metrics.count('keepsnap_photos_finished_total', { kind: kindOf(attempt), outcome: 'ready' })
    metrics.observe('keepsnap_photo_ready_seconds', { kind: kindOf(attempt) }, readySeconds)
    return unmarked ? 'watermarked' : 'unmarked'
  } finally {
    // Failure handling must not run while the thumbnail is still being stored.
    await thumbnailStored.catch(() => {})
  }
}

/** One attempt, from the stored original to the finished photo. */
async function runAttempt(deps: ProcessingDependencies, attempt: ProcessingAttempt): Promise<AttemptOutcome> {
  const job = await startRendering(deps, attempt)
  let hasFailed = false
  try {
    return await storeRendering(deps, attempt, job)
  } catch (error) {
    hasFailed = error instanceof ImageFailure
    throw error
  } finally {
    await job.release()
    await countWork(deps, attempt, { usedMs: job.cpuMs(), hasFailed })
  }
}

/** Counts the processing time of an attempt, whatever the outcome. */
async function countWork(
  { db, log }: ProcessingDependencies,
  { photoId, userId, slowMs }: ProcessingAttempt,
  work: { usedMs: number; hasFailed: boolean },
): Promise<void> {
  try {
    await settleTurn(db, userId, work.usedMs - chargeOf(slowMs))
    await countProcessingTime(db, { photoId, userId, wasQuick: slowMs === null, ...work })
  } catch (error) {
    log.warn({ err: error }, 'the processing time of a photo could not be counted')
  }
}

/** Whether a retry of the same file would fail again. A logo can be replaced, and a timeout can be caused by load. */
const isFileAtFault = ({ kind, code }: ImageFailure): boolean => kind === 'refused' && code !== 'logo'

/** Handles a failed attempt: retries only after a crash, at most twice. */
async function handleFailure(
  { db, log, metrics }: ProcessingDependencies,
  attempt: ProcessingAttempt,
  failure: ImageFailure,
): Promise<'retry' | 'failed'> {
  log.info({ photo: attempt.photoId, attempt: attempt.attempt, kind: failure.kind }, 'a photo could not be processed')
  if (failure.kind === 'crashed') {
    const crashes = await countCrash(db, attempt)
    if (crashes > 0 && crashes < maxCrashes) return 'retry'
  }
  if (await failPhoto(db, attempt, { sentence: failure.sentence, retryHelps: !isFileAtFault(failure) }))
    metrics.count('keepsnap_photos_finished_total', { kind: kindOf(attempt), outcome: failure.kind })
  return 'failed'
}

async function giveUp({ db, metrics }: ProcessingDependencies, attempt: ProcessingAttempt): Promise<void> {
  await failPhoto(db, attempt, { sentence: gaveUpMessage, retryHelps: true })
  metrics.count('keepsnap_photos_finished_total', { kind: kindOf(attempt), outcome: 'gave up' })
}

/**
 * Turns an accepted upload into its images. Ends with the photo ready or failed, or unchanged when it was deleted or
 * another attempt superseded this one. Rejects only after an infrastructure failure; the job is then retried.
 */
export async function processPhoto(deps: ProcessingDependencies, photoId: string): Promise<void> {
  for (;;) {
    const attempt = await claimAttempt(deps.db, photoId, {
      fullKey: newStorageKey('full'),
      thumbKey: newStorageKey('thumb'),
    })
    if (!attempt) return deps.speculative.discard(photoId)
    if (attempt.attempt % attemptNumberStep > maxAttempts) return giveUp(deps, attempt)
    try {
      const outcome = await runAttempt(deps, attempt)
      if (outcome === 'superseded') return await removeObjects(deps, attemptKeys(attempt))
      // A photo that is too small for a watermark has no second picture.
      const unusedKeys = attempt.watermark && outcome === 'unmarked' ? [attempt.watermark.unmarkedKey] : []
      return await removeObjects(deps, [attempt.originalKey, ...unusedKeys])
    } catch (error) {
      if (!(error instanceof ImageFailure)) {
        await removeUnregisteredObjects(deps, attemptKeys(attempt))
        throw error
      }
      const afterFailure = await handleFailure(deps, attempt, error)
      await removeObjects(deps, attemptKeys(attempt))
      if (afterFailure === 'failed') return
    }
  }
}

/** Processes the photo whose turn it is when a job starts, if there is one. */
export async function processPhotoInTurn(deps: ProcessingDependencies, job: TakingJob): Promise<void> {
  const photoId = await photoInTurn(deps.db, job, deps.speculative.started())
  if (photoId === undefined) deps.speculative.discard(job.photoId)
  else await processPhoto(deps, photoId)
}
