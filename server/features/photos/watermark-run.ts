import type { Db } from '../../db/connect.ts'
import { recordChecksums } from '../../domain/referenced-objects.ts'
import { storeFile } from '../../ports/storage/store-file.ts'
import { unregisterKeys, registerKeysForPhoto, newStorageKey } from '../../domain/stored-objects.ts'
import { photoWatermarkColumns, watermarkOf, type Watermark } from '../../domain/watermarks.ts'
import { ImageFailure } from '../../images/sandbox/image-failure.ts'
import type { SingleImageJob } from '../../images/sandbox/image-jobs.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { ProcessingDependencies } from './process-photo.ts'
import {
  advanceWatermarkRun,
  endWatermarkRun,
  nextPhotoOfRun,
  replaceFullImage,
  watermarkRunOf,
  usersWithStalledRun,
  type FullImageColumns,
  type PhotoOfRun,
  type WatermarkRunRow,
} from './watermark-queries.ts'

/** Queues the next step of a user's run, in place of one that is queued already. */
export const enqueueNextStep = (db: Db, userId: string): Promise<void> =>
  enqueue(db, { name: 'watermark-next-photo', payload: { userId }, key: `mark:${userId}` })

interface WatermarkStep {
  userId: string
  run: WatermarkRunRow
  photo: PhotoOfRun
}

/**
 * One step of a user's run: adds the watermark to one photo or removes it, then queues the next step. The new image is stored
 * before the row refers to it and the old one is removed afterwards, so the photo can be read at any time.
 */
export async function watermarkNextPhoto(deps: ProcessingDependencies, userId: string): Promise<void> {
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

async function removeWatermark(
  { db, storage, log }: ProcessingDependencies,
  watermarkStep: WatermarkStep,
): Promise<void> {
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

async function applyWatermark(
  deps: ProcessingDependencies,
  watermarkStep: WatermarkStep,
  watermark: Watermark,
): Promise<void> {
  const { db, storage, images, log } = deps
  const { photo } = watermarkStep
  const unmarkedImage =
    photo.unmarked_key === null
      ? { unmarked_key: photo.full_key, unmarked_type: photo.full_type, unmarked_bytes: photo.full_bytes }
      : { unmarked_key: photo.unmarked_key, unmarked_type: photo.unmarked_type, unmarked_bytes: photo.unmarked_bytes }
  const key = newStorageKey('full')
  await registerKeysForPhoto(db, photo.id, [key])
  const storeWatermarked = async (job: SingleImageJob): Promise<boolean> => {
    const { path, contentType: type, bytes } = await job.result
    await recordChecksums(db, [await storeFile(storage, key, { path, type })])
    const full = { full_key: key, full_type: type, full_bytes: bytes }
    return finishWatermarkStep(db, watermarkStep, { ...full, ...unmarkedImage, ...photoWatermarkColumns(watermark) })
  }
  let isReplaced = false
  try {
    const job = await images.renderSingle('watermarked', {
      taskClass: 'slow',
      async writeInput(path) {
        if (!(await storage.linkTo(unmarkedImage.unmarked_key, path)))
          throw new ImageFailure('refused', 'The image is not in the store.')
      },
      watermark: { layout: watermark.layout, writeLogo: (path) => storage.linkTo(watermark.logoKey, path) },
    })
    isReplaced = await storeWatermarked(job).finally(job.release)
  } catch (error) {
    if (!(error instanceof ImageFailure)) throw error
    log.info({ photo: photo.id, kind: error.kind }, 'the watermark could not be added to a photo')
    await finishWatermarkStep(db, watermarkStep, 'failed')
  }
  if (isReplaced) return
  await storage.remove([key])
  await unregisterKeys(db, [key])
}

/** Continues runs whose job was lost. */
export async function resumeWatermarkRuns(db: Db): Promise<void> {
  for (const userId of await usersWithStalledRun(db, 100)) await enqueueNextStep(db, userId)
}
