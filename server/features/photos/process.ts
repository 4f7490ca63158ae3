import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import {
  hasBranding,
  photoWatermarkColumns,
  type Watermark,
  type WatermarkColumns,
  watermarkLayoutOf,
} from '../branding/brands.ts'
import { type ObjectChecksum, storeFile } from '../../ports/storage/storage.ts'
import { currentPlan, type PlanColumn } from '../plans/plans.ts'
import { returnGuestPlacesClause } from '../events/guest-counts.ts'
import { photoFailedExpression, photoReadyExpression } from '../integrations/webhook-deliveries.ts'
import { publishExpression } from '../../platform/live/bus.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  type CaptureTime,
  ImageFailure,
  type PhotoJob,
  type RenderedFile,
  type ThumbnailFile,
} from '../../images/sandbox/image-jobs.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import { storedCaptureTime } from './capture-time.ts'
import {
  checksumsClause,
  newStorageKey,
  registerKeysClause,
  registerKeysForPhoto,
  unregisterKeys,
} from './stored-objects.ts'
import {
  chargeOf,
  photoInTurn,
  settleTurn,
  type TakingJob,
  taskClassOf,
  countProcessingTime,
  partyOf,
} from './processing-turns.ts'

/** Processes the photo whose turn it is when a job starts, if there is one. */
export async function processPhotoInTurn(deps: Dependencies, job: TakingJob): Promise<void> {
  const photoId = await photoInTurn(deps.db, job, deps.speculative.started())
  if (photoId === undefined) deps.speculative.discard(job.photoId)
  else await processPhoto(deps, photoId)
}

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

const maxCrashes = 3

/**
 * Since the upload or the last retry after more than ten. Attempts interrupted by a restart also count, although they are not
 * the photo's fault; hence a high limit.
 */
const maxAttempts = 25

const gaveUpMessage = 'This photo could not be processed. Please try again or upload it again.'

/**
 * Turns an accepted upload into its images. Ends with the photo ready or failed, or unchanged when it was deleted or
 * another attempt superseded this one. Rejects only after an infrastructure failure; the job is then retried.
 */
export async function processPhoto(deps: Dependencies, photoId: string): Promise<void> {
  for (;;) {
    const attempt = await claimAttempt(deps.db, photoId, {
      fullKey: newStorageKey('full'),
      thumbKey: newStorageKey('thumb'),
    })
    if (!attempt) return deps.speculative.discard(photoId)
    if (attempt.attempt % attemptNumberStep > maxAttempts) {
      await failPhoto(deps.db, attempt, { sentence: gaveUpMessage, retryHelps: true })
      deps.metrics.count('keepsnap_photos_finished_total', { kind: kindOf(attempt), outcome: 'gave up' })
      return
    }
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

/** One attempt at processing a photo. Updates carry its number, so that a superseded attempt changes nothing. */
interface ProcessingAttempt {
  photoId: string
  userId: string
  /** Whose turn it takes. */
  party: string
  /** Of a guest's photo: its event, and its contributor, or '' when that is gone. */
  guest: { eventId: string; contributorId: string } | null
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
  party: string
  source: string
  event_id: string | null
  contributor_id: string | null
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
      returning id, user_id, ${partyOf} as party, source, event_id, contributor_id, attempt, original_key, original_bytes, original_sha256, slow_ms
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
    party: row.party,
    guest: row.source === 'guest' ? { eventId: row.event_id ?? '', contributorId: row.contributor_id ?? '' } : null,
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

type AttemptOutcome = 'watermarked' | 'unmarked' | 'superseded'

/** One attempt, from the stored original to the finished photo. */
async function runAttempt(deps: Dependencies, attempt: ProcessingAttempt): Promise<AttemptOutcome> {
  const { db, log } = deps
  const job = await startRendering(deps, attempt)
  let hasFailed = false
  try {
    return await storeRendering(deps, attempt, job)
  } catch (error) {
    hasFailed = error instanceof ImageFailure
    throw error
  } finally {
    await job.release()
    const { photoId, userId, party, guest, slowMs } = attempt
    const usedMs = job.cpuMs()
    const contributorId = guest?.contributorId
    try {
      await settleTurn(db, party, usedMs - chargeOf(slowMs))
      await countProcessingTime(db, { photoId, userId, contributorId, wasQuick: slowMs === null, usedMs, hasFailed })
    } catch (error) {
      log.warn({ err: error }, 'the processing time of a photo could not be counted')
    }
  }
}

/** The rendering of this attempt: the one that was started during the upload, or a new one. */
async function startRendering(
  { storage, images, speculative }: Dependencies,
  { photoId, slowMs, originalKey, watermark }: ProcessingAttempt,
): Promise<PhotoJob> {
  // The rendering that was started during the upload has no watermark.
  if (watermark) speculative.discard(photoId)
  const startedRendering = speculative.claim(photoId)
  if (startedRendering) return startedRendering
  return (await images()).renderPhoto({
    taskClass: taskClassOf(slowMs),
    async writeInput(path) {
      if (!(await storage.linkTo(originalKey, path))) throw new Error('the original is not in the store')
    },
    ...(watermark && {
      watermark: { layout: watermark.layout, writeLogo: (path) => storage.linkTo(watermark.logoKey, path) },
    }),
  })
}

/** Stores what has been rendered, the thumbnail first. `superseded` when this is no longer the photo's current attempt. */
async function storeRendering(
  { db, storage, metrics }: Dependencies,
  attempt: ProcessingAttempt,
  job: PhotoJob,
): Promise<AttemptOutcome> {
  const checksums: ObjectChecksum[] = []
  const storeThumbnail = async (): Promise<boolean> => {
    const thumbnail = await job.thumbnail
    checksums.push(await storeFile(storage, attempt.thumbKey, { path: thumbnail.path, type: 'image/webp' }))
    return recordThumbnail(db, attempt, thumbnail)
  }
  const thumbnailStored = storeThumbnail()
  thumbnailStored.catch(() => {})
  try {
    const { full, unmarked, thumbnail, capturedAt } = await job.result
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
      capturedAt,
      thumbnail,
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

const kindOf = ({ slowMs }: ProcessingAttempt): 'quick' | 'slow' => (slowMs === null ? 'quick' : 'slow')
/** Whether a retry of the same file would fail again. A logo can be replaced, and a timeout can be caused by load. */
const isFileAtFault = ({ kind, code }: ImageFailure): boolean => kind === 'refused' && code !== 'logo'

/** Handles a failed attempt: retries only after a crash, at most twice. */
async function handleFailure(
  { db, log, metrics }: Dependencies,
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

/** Removes objects and their entries. After a failure, the clean-up job removes them. */
async function removeObjects({ db, storage, log }: Dependencies, keys: string[]): Promise<void> {
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
async function removeUnregisteredObjects({ db, storage, log }: Dependencies, keys: string[]): Promise<void> {
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

type Thumbnail = Omit<ThumbnailFile, 'path'>

const thumbnailColumns = ({ thumbKey }: ProcessingAttempt, { bytes, width, height, thumbhash }: Thumbnail) => ({
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
export async function recordThumbnail(db: Db, attempt: ProcessingAttempt, thumbnail: Thumbnail): Promise<boolean> {
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

interface FinishedPhoto {
  thumbnail: Thumbnail
  type: string
  bytes: number
  /** Size of the picture without the logo, of the same type; null without a watermark. */
  unmarkedBytes: number | null
  capturedAt: CaptureTime | null
  /** Of the files that were stored. */
  checksums: readonly ObjectChecksum[]
}

/** Whether the event of a guest's photo shows it at once. One that was rejected meanwhile stays so. */
const isShownAtOnce = sql`(review = 'waiting' and exists (
  select from events where events.id = photos.event_id and events.guest_photos = 'direct'))`
const firstReview = {
  review: sql<string>`case when ${isShownAtOnce} then 'approved' else review end`,
  shown_at: sql<Date | null>`case when ${isShownAtOnce} then coalesce(shown_at, clock_timestamp()) else shown_at end`,
}
/** For everybody but reviewers, a guest's photo begins to exist when it is shown. */
const reviewBegun = ({ userId: user, photoId: photo }: ProcessingAttempt, { eventId: event }: { eventId: string }) => [
  sql`case when updated.review = 'approved' then ${publishExpression({ kind: 'photo', what: 'added', user, photo })}
    else ${publishExpression({ kind: 'photo', what: 'changed', user, photo })} end`.as('notified'),
  publishExpression({ kind: 'review', user, event }).as('reviewed'),
]

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
  const captured_at = await storedCaptureTime(db, attempt.userId, photo.capturedAt)
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
          ...(captured_at && { captured_at }),
          ...(attempt.guest && firstReview),
        })
        .returning(['id', 'filename', 'created_at', 'event_id', 'is_listed', 'review']),
    )
    .with(
      'checksums',
      () => sql<{ key: string }>`(${checksumsClause(photo.checksums, sql`exists (select from updated)`)})`,
    )
    .selectFrom('updated')
    .select([
      ...(attempt.guest ? reviewBegun(attempt, attempt.guest) : [photoChanged(attempt).as('notified')]),
      photoReadyExpression(attempt.userId, 'updated').as('event'),
      sql<number>`extract(epoch from now() - updated.created_at)::float8`.as('seconds'),
    ])
    .execute()
  return rows[0]?.seconds
}

/**
 * Marks the photo as failed, with a sentence for its owner, and releases its monthly quota. False when this attempt is not the
 * current one.
 */
export async function failPhoto(
  db: Db,
  attempt: ProcessingAttempt,
  { sentence, retryHelps }: { sentence: string; retryHelps: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    with failed as (
      update photos set state = 'failed', error_message = ${sentence}, retry_helps = ${retryHelps}, finished_at = now(), thumb_key = null, thumb_bytes = null, taken_by_job = null
      where id = ${attempt.photoId} and attempt = ${attempt.attempt} and state = 'queued' and deleted_at is null
      returning id, user_id, filename, created_at, counted_month, event_id, is_listed, source, review
    ), returned as (
      update usage_months set uploads = greatest(0, usage_months.uploads - 1) from failed
      where usage_months.user_id = failed.user_id and usage_months.month = failed.counted_month and failed.source <> 'guest'
    ), returned_to_guests as (${returnGuestPlacesClause('failed')})
    select ${photoChanged(attempt)},
      case when source <> 'guest' then ${photoFailedExpression(attempt.userId, 'failed', sentence)} end from failed`.execute(
    db,
  )
  return rows.length > 0
}

/** Counts a crash of the image process and removes the thumbnail. Returns the count; 0 when superseded. */
async function countCrash(db: Db, attempt: ProcessingAttempt): Promise<number> {
  const row = await updateIfCurrent(db, attempt)
    .set({ crashes: sql`crashes + 1`, thumb_key: null, thumb_bytes: null })
    .returning('crashes')
    .executeTakeFirst()
  return row?.crashes ?? 0
}

const defaultExpireAfterMs = 20_000
/** Finished renderings that wait for their job keep files, but no process. */
const maxStartedRenderings = 8

export type SpeculativeProcessing = ReturnType<typeof createSpeculativeProcessing>

/**
 * Starts rendering photos before their upload is accepted: the file is complete, but not durable yet, and the client has no
 * answer. The job of an accepted photo claims the rendering instead of starting one. Without a claim nothing of it remains.
 * Keeps at most eight started renderings, each for 20 seconds.
 */
export function createSpeculativeProcessing({ expireAfterMs = defaultExpireAfterMs } = {}) {
  const startedRenderings = new Map<string, { job: PhotoJob; expiry: NodeJS.Timeout }>()
  let starting = 0
  let images: ImagePool | undefined
  const claim = (photoId: string): PhotoJob | undefined => {
    const startedRendering = startedRenderings.get(photoId)
    startedRenderings.delete(photoId)
    clearTimeout(startedRendering?.expiry)
    return startedRendering?.job
  }
  const discard = (photoId: string): void => void claim(photoId)?.release()
  return {
    /** From now on photos can start. Nodes that do not process photos never call this. */
    useImages: (pool: ImagePool) => void (images = pool),
    /** The photos whose renderings wait here for their jobs. */
    started: () => [...startedRenderings.keys()],
    /**
     * Starts rendering a photo if an image process is idle. Resolves when that process has the file, with the rendering if one
     * has started; its `cpuMs` can be read even after it has expired. Sync the file afterwards: renaming blocks while a
     * file is being synced. Never rejects.
     */
    async start(photoId: string, writeInput: (path: string) => Promise<void>): Promise<PhotoJob | undefined> {
      if (!images || startedRenderings.size + starting >= maxStartedRenderings) return undefined
      starting++
      // If it fails, the upload goes on without it, and its job will say what is wrong.
      const job = await images.renderPhotoIfIdle({ writeInput }).catch(() => undefined)
      starting--
      if (!job) return undefined
      const expiry = setTimeout(() => discard(photoId), expireAfterMs).unref()
      startedRenderings.set(photoId, { job, expiry })
      return job
    },
    /** The rendering of a photo, if it was started here; the caller releases it. */
    claim,
    /** Gives up the rendering of a photo that will have no job, or whose job needs something else. */
    discard,
  }
}
