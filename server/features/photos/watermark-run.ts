import type { Db } from '../../db/connect.ts'
import { brandOf } from '../../domain/brands.ts'
import { forgetObjects, intendForPhoto, newKey } from '../../domain/objects.ts'
import { ImageFailure } from '../../images/failure.ts'
import type { MadePicture } from '../../images/pictures.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Parts } from './process.ts'
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
  enqueue(db, { name: 'mark-photo', payload: { userId }, key: `mark:${userId}` })

interface Step {
  userId: string
  run: Run
  photo: Markable
}

/**
 * One step of a user's run: one photo is given the logo, or its own picture back; then the next step is queued. The new
 * picture is stored before the row names it, and the old one goes after, so the photo can be read throughout.
 */
export async function markNext(parts: Parts, userId: string): Promise<void> {
  const { db } = parts
  const run = await runOf(db, userId)
  if (!run || (run.state !== 'running' && run.state !== 'stopping')) return
  const { logo } = await brandOf(db, userId)
  // Without a logo or the plan for one there is nothing to lay on; taking off goes on.
  if (run.state === 'stopping' || (run.what === 'apply' && !logo)) return endRun(db, userId, { run, state: 'stopped' })
  const photo = await nextPhoto(db, userId, { run, logoKey: logo?.key ?? null })
  if (!photo) return endRun(db, userId, { run, state: 'done' })
  const step = { userId, run, photo }
  if (run.what === 'undo') await takeOff(parts, step)
  else if (logo) await layOn(parts, step, logo.key)
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
    if (isSwitched && photo.plain_key !== null)
      await enqueue(tx, { name: 'remove-object', payload: { key: from }, key: `object:${from}` })
    await enqueueStep(tx, userId)
    return isSwitched
  })
}

async function takeOff({ db, storage, log }: Parts, step: Step): Promise<void> {
  const { plain_key: key, plain_type: type, plain_bytes: bytes } = step.photo
  if (key === null || type === null || bytes === null)
    throw new Error('a photo without a plain picture cannot be undone')
  // The marked picture is all there is then: it stays.
  if ((await storage.sizeOf(key)) === null) {
    log.error({ photo: step.photo.id, key }, 'a picture without the watermark is not in the store')
    await settle(db, step, 'failed')
    return
  }
  const plain = { full_key: key, full_type: type, full_bytes: bytes }
  await settle(db, step, { ...plain, plain_key: null, plain_type: null, plain_bytes: null, marked_with: null })
}

async function layOn(parts: Parts, step: Step, logoKey: string): Promise<void> {
  const { db, storage, images, log } = parts
  const { photo } = step
  const source =
    photo.plain_key === null
      ? { plain_key: photo.full_key, plain_type: photo.full_type, plain_bytes: photo.full_bytes }
      : { plain_key: photo.plain_key, plain_type: photo.plain_type, plain_bytes: photo.plain_bytes }
  const key = newKey('full')
  await intendForPhoto(db, photo.id, [key])
  const take = async (made: MadePicture): Promise<boolean> => {
    await storage.adopt(key, made.path, { type: made.type })
    const full = { full_key: key, full_type: made.type, full_bytes: made.bytes }
    return settle(db, step, { ...full, ...source, marked_with: logoKey })
  }
  let isSwitched = false
  try {
    isSwitched = await images.picture({
      work: 'marked',
      async place(path) {
        if (!(await storage.layAt(source.plain_key, path)))
          throw new ImageFailure('refused', 'The picture is not in the store.')
      },
      watermark: { place: (path) => storage.layAt(logoKey, path) },
      take,
    })
  } catch (error) {
    if (!(error instanceof ImageFailure)) throw error
    log.info({ photo: photo.id, kind: error.kind }, 'a photo could not be given the watermark')
    await settle(db, step, 'failed')
  }
  if (isSwitched) return
  await storage.remove([key])
  await forgetObjects(db, [key])
}

/** Goes on with runs whose job was lost. */
export async function resumeRuns(db: Db): Promise<void> {
  for (const userId of await stalledRuns(db, 100)) await enqueueStep(db, userId)
}
