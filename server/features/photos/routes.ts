import { limits } from '@keepsnap/contract/limits.ts'
import {
  changePhoto,
  deletePhoto,
  getPhoto,
  latestPhoto,
  listPhotos,
  photoDays,
  retryPhoto,
  uploadPhoto,
} from '@keepsnap/contract/photos.ts'
import type { Dependencies } from '../../dependencies.ts'
import { photoView } from '../../domain/photos.ts'
import { invalidField } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { retryPhotoOf } from './retry-photo.ts'
import type { SpeculativeProcessing } from './speculative-processing.ts'
import { bulkRoutes } from './bulk-changes.ts'
import { hidePhotoOf } from './change-queries.ts'
import { customerApiRoutes } from './customer-api-routes.ts'
import { deletePhotoOf } from './delete-photo.ts'
import { checkDays, photoDaysOf, timeZoneOf } from './evenings.ts'
import { changesRoutes } from './photo-changes.ts'
import type { PhotoReads } from './photo-reads.ts'
import { latestOrNotFound, photoNotFound, photoOrNotFound } from './photo-responses.ts'
import { createUploadHandler, type UploadHandler } from './upload-handler.ts'

/** What the endpoints of photos need. */
export type PhotoRouteDependencies = Pick<
  Dependencies,
  'db' | 'bus' | 'storage' | 'config' | 'log' | 'metrics' | 'urls' | 'mediaCache'
> & {
  photoReads: PhotoReads
  shutdown: AbortSignal
  speculative: SpeculativeProcessing
}

/** Uploads, reads, deletes and retries a user's own photos. Another user's photo does not exist. */
export function photoRoutes(serve: Serve, deps: PhotoRouteDependencies): void {
  const receiveUpload = createUploadHandler(deps)
  serveUpload(serve, deps, receiveUpload)
  customerApiRoutes(serve, { ...deps, receiveUpload })
  serveReads(serve, deps)
  serveChanges(serve, deps)
  bulkRoutes(serve, deps)
  changesRoutes(serve, deps)
}

function serveUpload(serve: Serve, { photoReads, urls }: PhotoRouteDependencies, receiveUpload: UploadHandler): void {
  serve(uploadPhoto, async ({ query: order }, { actor, req, reply }) =>
    photoOrNotFound(urls, await photoReads.one(actor.userId, await receiveUpload({ actor, req, reply }, order))),
  )
}

function serveReads(serve: Serve, { db, photoReads, urls }: PhotoRouteDependencies): void {
  serve(listPhotos, async ({ query }, { actor, reply }) => {
    const { limit = limits.listDefault, before, after, from, on } = query
    checkDays({ from, on })
    if ([before, after, from].filter((place) => place !== undefined).length > 1)
      throw invalidField('before', 'Give only one of before, after and from.', 'query')
    const { rows, hasOlder, hasNewer } = await photoReads.page(actor.userId, { ...query, limit })
    const [first, last] = [rows[0], rows.at(-1)]
    if (last && hasOlder) reply.header('x-next-before', last.id)
    if (first && hasNewer) reply.header('x-next-after', first.id)
    return rows.map(photoView(urls))
  })

  serve(photoDays, async ({ query: { limit = limits.listDefault, before } }, { actor: { userId } }) => {
    checkDays({ before })
    const timeZone = await timeZoneOf(db, userId)
    const found = await photoDaysOf(db, userId, { timeZone, limit: limit + 1, before })
    const days = found.slice(0, limit)
    return { days, next: found.length > limit ? (days.at(-1)?.day ?? null) : null, time_zone: timeZone }
  })

  serve(latestPhoto, async (_, { actor }) => latestOrNotFound(urls, await photoReads.latest(actor.userId)))

  serve(getPhoto, async ({ params }, { actor }) => photoOrNotFound(urls, await photoReads.one(actor.userId, params.id)))
}

function serveChanges(serve: Serve, { db, photoReads, urls, mediaCache }: PhotoRouteDependencies): void {
  serve(changePhoto, async ({ params: { id }, body }, { actor: { userId } }) => {
    await db.transaction().execute(async (tx) => {
      if ((await hidePhotoOf(tx, { userId, id, hidden: body.hidden })) === 'no photo') throw photoNotFound()
    })
    mediaCache.invalidatePhoto(id)
    return photoOrNotFound(urls, await photoReads.one(userId, id))
  })

  serve(deletePhoto, async ({ params }, { actor }) => {
    await db.transaction().execute(async (tx) => {
      if (!(await deletePhotoOf(tx, actor.userId, params.id))) throw photoNotFound()
    })
    mediaCache.invalidatePhoto(params.id)
    return null
  })

  serve(retryPhoto, async ({ params }, { actor: { userId } }) => {
    await db.transaction().execute((tx) => retryPhotoOf(tx, { userId, photoId: params.id }))
    return photoOrNotFound(urls, await photoReads.one(userId, params.id))
  })
}
