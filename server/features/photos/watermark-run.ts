import type { Db } from '../../db/connect.ts'
import { brandOf } from '../../domain/brands.ts'
import { unregisterKeys, registerKeysForPhoto, newStorageKey } from '../../domain/stored-objects.ts'
import { ImageFailure } from '../../images/sandbox/image-failure.ts'
import type { SingleImageJob } from '../../images/sandbox/image-jobs.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { ProcessingDependencies } from './process-photo.ts'
import {
  advance,
  endRun,
  nextPhoto,
  runOf,
  stalledRuns,
  switchPictures,
  type Markable,
  type Pictures,
  type Run,
} from './watermark-queries.ts'

/** The job of a user's next step, in place of one that has not begun. */
export const enqueueStep = (db: Db, userId: string): Promise<void> =>
  enqueue(db, { name: 'watermark-next-photo', payload: { userId }, key: `mark:${userId}` })

interface Step {
  userId: string
  run: Run
  photo: Markable
}

/**
 * One step of a user's run: one photo is given the logo, or its own picture back; then the next step is queued. The new
 * picture is stored before the row names it, and the old one goes after, so the photo can be read throughout.
 */
export async function markNext(deps: ProcessingDependencies, userId: string): Promise<void> {
  const { db } = deps
  const run = await runOf(db, userId)
  if (!run || (run.state !== 'running' && run.state !== 'stopping')) return
  const { logo } = await brandOf(db, userId)
  // Without a logo or the plan for one there is nothing to lay on; taking off goes on.
  if (run.state === 'stopping' || (run.action === 'apply' && !logo))
    return endRun(db, userId, { run, state: 'stopped' })
  const photo = await nextPhoto(db, userId, { run, logoKey: logo?.key ?? null })
  if (!photo) return endRun(db, userId, { run, state: 'done' })
  const step = { userId, run, photo }
  if (run.action === 'undo') await removeWatermark(deps, step)
  else if (logo) await applyWatermark(deps, step, logo.key)
}

/** The switch, the progress and the next step are one: whichever worker comes first. True when the photo was switched. */
async function settle(db: Db, { userId, run, photo }: Step, to: Pictures | 'failed'): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const from = photo.full_key
    const isSwitched = to !== 'failed' && (await switchPictures(tx, { userId, photoId: photo.id, from }, to))
    const outcome = to === 'failed' ? 'failed' : isSwitched ? 'done' : 'unchanged'
    // Another worker has done it: its switch holds, and ours found nothing to switch.
    if (!(await advance(tx, userId, { run, photoId: photo.id, outcome }))) return isSwitched
    // The unmarked picture stays; only a marked one is of no use any more.
    if (isSwitched && photo.unmarked_key !== null)
      await enqueue(tx, { name: 'delete-object', payload: { key: from }, key: `object:${from}` })
    await enqueueStep(tx, userId)
    return isSwitched
  })
}

async function removeWatermark({ db, storage, log }: ProcessingDependencies, step: Step): Promise<void> {
  const { unmarked_key: key, unmarked_type: type, unmarked_bytes: bytes } = step.photo
  if (key === null || type === null || bytes === null)
    throw new Error('a photo without a plain picture cannot be undone')
  // The marked picture is all there is then: it stays.
  if ((await storage.sizeOf(key)) === null) {
    log.error({ photo: step.photo.id, key }, 'a picture without the watermark is not in the store')
    await settle(db, step, 'failed')
    return
  }
  const plain = { full_key: key, full_type: type, full_bytes: bytes }
  await settle(db, step, {
    ...plain,
    unmarked_key: null,
    unmarked_type: null,
    unmarked_bytes: null,
    watermark_key: null,
  })
}

async function applyWatermark(deps: ProcessingDependencies, step: Step, logoKey: string): Promise<void> {
  const { db, storage, images, log } = deps
  const { photo } = step
  const source =
    photo.unmarked_key === null
      ? { unmarked_key: photo.full_key, unmarked_type: photo.full_type, unmarked_bytes: photo.full_bytes }
      : { unmarked_key: photo.unmarked_key, unmarked_type: photo.unmarked_type, unmarked_bytes: photo.unmarked_bytes }
  const key = newStorageKey('full')
  await registerKeysForPhoto(db, photo.id, [key])
  const storeResult = async (job: SingleImageJob): Promise<boolean> => {
    const { path, contentType: type, bytes } = await job.result
    await storage.moveIn(key, path, { type })
    const full = { full_key: key, full_type: type, full_bytes: bytes }
    return settle(db, step, { ...full, ...source, watermark_key: logoKey })
  }
  let isSwitched = false
  try {
    const job = await images.renderSingle('watermarked', {
      async writeInput(path) {
        if (!(await storage.linkTo(source.unmarked_key, path)))
          throw new ImageFailure('refused', 'The picture is not in the store.')
      },
      writeLogo: (path) => storage.linkTo(logoKey, path),
    })
    isSwitched = await storeResult(job).finally(job.release)
  } catch (error) {
    if (!(error instanceof ImageFailure)) throw error
    log.info({ photo: photo.id, kind: error.kind }, 'a photo could not be given the watermark')
    await settle(db, step, 'failed')
  }
  if (isSwitched) return
  await storage.remove([key])
  await unregisterKeys(db, [key])
}

/** Goes on with runs whose job was lost. */
export async function resumeRuns(db: Db): Promise<void> {
  for (const userId of await stalledRuns(db, 100)) await enqueueStep(db, userId)
}
