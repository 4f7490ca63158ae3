import { limits } from '@keepsnap/contract/limits.ts'
import {
  changePhoto,
  deletePhoto,
  getPhoto,
  latestPhoto,
  listPhotos,
  retryPhoto,
  uploadPhoto,
  type Photo,
} from '@keepsnap/contract/photos.ts'
import type { Dependencies } from '../../dependencies.ts'
import { photoView, type PhotoRow } from '../../domain/photos.ts'
import { planOfUser } from '../../domain/plans.ts'
import { Fault } from '../../faults.ts'
import { countRateHit } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve.ts'
import { enqueue } from '../../jobs/queue.ts'
import { publish } from '../../live/bus.ts'
import { processJobOf } from './process-job.ts'
import { admitSlowFile, refuseAfterFailures, slowMsOfFailedPhoto } from './processing-budget.ts'
import type { SpeculativeProcessing } from './speculative-processing.ts'
import { markPhotoDeleted, requeueFailedPhoto, setPhotoHidden, type RequeueOutcome } from './change-queries.ts'
import { lockUser, photoByIdempotencyKey, uploaderOf } from './queries.ts'
import { forgetStorageWarning, hasStorageWarning, warnAboutMonth } from './usage-warnings.ts'
import { monthIsFull } from './quota.ts'
import type { PhotoReads } from './photo-reads.ts'
import { createUploadSlots } from './upload-slots.ts'
import { idempotencyKeyOf, receivePhoto, uploadInProgress } from './upload.ts'

const photoNotFound = (): Fault => new Fault('not_found', 'This photo does not exist.')

/** What the endpoints of photos need. */
export type PhotoRouteDependencies = Pick<Dependencies, 'db' | 'storage' | 'config' | 'log' | 'urls' | 'mediaCache'> & {
  photoReads: PhotoReads
  speculative: SpeculativeProcessing
}

/** Uploads, reads, deletes and retries a user's own photos. Another user's photo does not exist. */
export function photos(serve: Serve, deps: PhotoRouteDependencies): void {
  serveUpload(serve, deps)
  serveReads(serve, deps)
  serveChanges(serve, deps)
}

/** The photo on the wire; 404 when there is none. */
const respondWith = ({ urls }: Pick<Dependencies, 'urls'>, row: PhotoRow | undefined): Photo => {
  if (!row) throw photoNotFound()
  return photoView(urls)(row)
}

/** The photo that an earlier request with the same Idempotency-Key created. */
async function repeatedUpload(deps: PhotoRouteDependencies, userId: string, key: string): Promise<Photo | undefined> {
  const earlierUpload = await photoByIdempotencyKey(deps.db, userId, key)
  if (!earlierUpload) return undefined
  if (earlierUpload.state === 'receiving') throw uploadInProgress()
  if (earlierUpload.deleted) throw new Fault('conflict', 'This photo was already uploaded and has since been deleted.')
  return respondWith(deps, await deps.photoReads.one(userId, earlierUpload.id))
}

function serveUpload(serve: Serve, deps: PhotoRouteDependencies): void {
  const { db, photoReads } = deps
  const withUploadSlot = createUploadSlots()
  serve(uploadPhoto, async ({ query: order }, { actor, req }) => {
    const { userId } = actor
    const idempotencyKey = idempotencyKeyOf(req)
    const repeatedPhoto = idempotencyKey === undefined ? undefined : await repeatedUpload(deps, userId, idempotencyKey)
    if (repeatedPhoto) return repeatedPhoto
    const [uploader] = await Promise.all([uploaderOf(db, userId), countRateHit(db, 'uploads', userId)])
    const id = await withUploadSlot(userId, () =>
      receivePhoto(deps, req, { ...actor, ...uploader, idempotencyKey, order }),
    )
    return respondWith(deps, await photoReads.one(userId, id))
  })
}

function serveReads(serve: Serve, { photoReads, urls }: PhotoRouteDependencies): void {
  serve(listPhotos, async ({ query }, { actor, reply }) => {
    const limit = query.limit ?? limits.listDefault
    const photoRows = await photoReads.page(actor.userId, { limit: limit + 1, before: query.before })
    const page = photoRows.slice(0, limit)
    const lastOfPage = page.at(-1)
    if (lastOfPage && photoRows.length > limit) reply.header('x-next-before', lastOfPage.id)
    return page.map(photoView(urls))
  })

  serve(latestPhoto, async (_, { actor }) => {
    const row = await photoReads.latest(actor.userId)
    if (!row) throw new Fault('not_found', 'No photos found. Upload your first photo!')
    return photoView(urls)(row)
  })

  serve(getPhoto, async ({ params }, { actor }) => respondWith({ urls }, await photoReads.one(actor.userId, params.id)))
}

function serveChanges(serve: Serve, { db, config, photoReads, urls, mediaCache }: PhotoRouteDependencies): void {
  serve(changePhoto, async ({ params: { id }, body }, { actor: { userId } }) => {
    await db.transaction().execute(async (tx) => {
      const outcome = await setPhotoHidden(tx, { userId, id, hidden: body.hidden })
      if (outcome === 'no photo') throw photoNotFound()
      if (outcome === 'changed') await publish(tx, { kind: 'photo', what: 'changed', user: userId, photo: id })
    })
    mediaCache.invalidatePhoto(id)
    return respondWith({ urls }, await photoReads.one(userId, id))
  })

  serve(deletePhoto, async ({ params }, { actor }) => {
    await db.transaction().execute(async (tx) => {
      const isWarned = (await hasStorageWarning(tx, actor.userId)) && (await lockUser(tx, actor.userId))
      if (!(await markPhotoDeleted(tx, actor.userId, params.id))) throw photoNotFound()
      if (isWarned) await forgetStorageWarning(tx, actor.userId)
      await enqueue(tx, { name: 'delete-photo', payload: { photoId: params.id }, key: `delete:${params.id}` })
      await publish(tx, { kind: 'photo', what: 'deleted', user: actor.userId, photo: params.id })
    })
    mediaCache.invalidatePhoto(params.id)
    return null
  })

  serve(retryPhoto, async ({ params }, { actor: { userId } }) => {
    const plan = await planOfUser(db, userId)
    await db.transaction().execute(async (tx) => {
      await lockUser(tx, userId)
      const slowMs = await slowMsOfFailedPhoto(tx, userId, params.id)
      const owner = { userId, plan, minutesPerDay: config.processingMinutesPerDay }
      await refuseAfterFailures(tx, owner)
      if (slowMs !== null) await admitSlowFile(tx, { ...owner, photoId: params.id, slowMs })
      const outcome = await requeueFailedPhoto(tx, { userId, id: params.id })
      if (outcome !== 'queued') throw retryRefusal(outcome)
      await warnAboutMonth(tx, userId)
      await enqueue(tx, processJobOf({ id: params.id, userId, slowMs }))
      await publish(tx, { kind: 'photo', what: 'changed', user: userId, photo: params.id })
    })
    return respondWith({ urls }, await photoReads.one(userId, params.id))
  })
}

/** Why a photo cannot be processed again. */
function retryRefusal(outcome: Exclude<RequeueOutcome, 'queued'>): Fault {
  if (typeof outcome === 'object') return new Fault('quota_photos', monthIsFull(outcome.fullMonthOf).detail)
  switch (outcome) {
    case 'no photo':
      return photoNotFound()
    case 'not failed':
      return new Fault('conflict', 'Only photos whose processing failed can be retried.')
    case 'original gone':
      return new Fault('conflict', 'The uploaded file has been deleted. Please upload it again.')
  }
}
