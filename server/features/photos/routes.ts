import { limits } from '@keepsnap/contract/limits.ts'
import {
  deletePhoto,
  getPhoto,
  latestPhoto,
  listPhotos,
  retryPhoto,
  uploadPhoto,
  type Photo,
} from '@keepsnap/contract/photos.ts'
import type { Deps } from '../../deps.ts'
import { photoView, type PhotoRow } from '../../domain/photos.ts'
import { planOfUser } from '../../domain/plans.ts'
import { Fault } from '../../faults.ts'
import { countCall } from '../../http/rates.ts'
import type { Serve } from '../../http/serve.ts'
import { enqueue } from '../../jobs/queue.ts'
import { publish } from '../../live/bus.ts'
import type { HeadStarts } from './head-starts.ts'
import { photoByIdempotencyKey, requeue, tombstone, uploaderOf } from './queries.ts'
import { monthIsFull } from './quota.ts'
import type { PhotoReading } from './reading.ts'
import { createTurns } from './turns.ts'
import { idempotencyKeyOf, receivePhoto, stillComing } from './upload.ts'

const noPhoto = (): Fault => new Fault('not_found', 'There is no such photo.')

/** A user's photos: upload, read, delete, try again. Another user's photo does not exist. */
export function photos(
  serve: Serve,
  {
    db,
    storage,
    config,
    log,
    addresses,
    media,
    reading,
    headStarts,
  }: Pick<Deps, 'db' | 'storage' | 'config' | 'log' | 'addresses' | 'media'> & {
    reading: PhotoReading
    headStarts: HeadStarts
  },
): void {
  const view = photoView(addresses)
  const turn = createTurns()
  const shown = (row: PhotoRow | undefined): Photo => {
    if (!row) throw noPhoto()
    return view(row)
  }

  /** The photo that an earlier request with the same key made. */
  const repeated = async (userId: string, key: string): Promise<Photo | undefined> => {
    const before = await photoByIdempotencyKey(db, userId, key)
    if (!before) return undefined
    if (before.state === 'receiving') throw stillComing()
    if (before.deleted)
      throw new Fault('conflict', 'This upload was made before, and its photo has been deleted since.')
    return shown(await reading.one(userId, before.id))
  }

  serve(uploadPhoto, async (_, { actor, req }) => {
    const { userId } = actor
    const idempotencyKey = idempotencyKeyOf(req)
    const before = idempotencyKey === undefined ? undefined : await repeated(userId, idempotencyKey)
    if (before) return before
    const [uploader] = await Promise.all([uploaderOf(db, userId), countCall(db, 'uploads', userId)])
    const id = await turn(userId, () =>
      receivePhoto({ db, storage, config, log, headStarts }, req, { ...actor, ...uploader, idempotencyKey }),
    )
    return shown(await reading.one(userId, id))
  })

  serve(listPhotos, async ({ query }, { actor, reply }) => {
    const limit = query.limit ?? limits.listDefault
    const rows = await reading.page(actor.userId, { limit: limit + 1, before: query.before })
    const page = rows.slice(0, limit)
    if (rows.length > limit) reply.header('x-next-before', page.at(-1)!.id)
    return page.map(view)
  })

  serve(latestPhoto, async (_, { actor }) => {
    const row = await reading.latest(actor.userId)
    if (!row) throw new Fault('not_found', 'No photos found. Upload your first photo!')
    return view(row)
  })

  serve(getPhoto, async ({ params }, { actor }) => shown(await reading.one(actor.userId, params.id)))

  serve(deletePhoto, async ({ params }, { actor }) => {
    await db.transaction().execute(async (tx) => {
      if (!(await tombstone(tx, actor.userId, params.id))) throw noPhoto()
      await enqueue(tx, { name: 'delete-photo', payload: { photoId: params.id }, key: `delete:${params.id}` })
      await publish(tx, { kind: 'photo', what: 'deleted', user: actor.userId, photo: params.id })
    })
    media.forget(params.id)
    return null
  })

  serve(retryPhoto, async ({ params }, { actor: { userId } }) => {
    const plan = await planOfUser(db, userId)
    await db.transaction().execute(async (tx) => {
      const outcome = await requeue(tx, { userId, id: params.id, plan })
      if (outcome === 'no photo') throw noPhoto()
      if (outcome === 'not failed')
        throw new Fault('conflict', 'Only a photo whose processing failed can be tried again.')
      if (outcome === 'original gone')
        throw new Fault('conflict', 'The uploaded file is no longer kept. Please upload it again.')
      if (outcome === 'month full') throw new Fault('quota_photos', monthIsFull(plan).detail)
      await enqueue(tx, { name: 'process-photo', payload: { photoId: params.id }, key: `photo:${params.id}` })
      await publish(tx, { kind: 'photo', what: 'changed', user: userId, photo: params.id })
    })
    return shown(await reading.one(userId, params.id))
  })
}
