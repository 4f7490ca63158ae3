import { limits } from '@keepsnap/contract/limits.ts'
import {
  changePhoto,
  deletePhoto,
  getPhoto,
  latestPhoto,
  listPhotos,
  retryPhoto,
  uploadPhoto,
} from '@keepsnap/contract/photos.ts'
import type { Dependencies } from '../../dependencies.ts'
import { photoView } from '../../domain/photos.ts'
import type { Serve } from '../../http/serve.ts'
import { publish } from '../../live/bus.ts'
import { retryPhotoOf } from './retry-photo.ts'
import type { SpeculativeProcessing } from './speculative-processing.ts'
import { setPhotoHidden } from './change-queries.ts'
import { customerApiRoutes } from './customer-api-routes.ts'
import { deletePhotoOf } from './delete-photo.ts'
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
}

function serveUpload(serve: Serve, { photoReads, urls }: PhotoRouteDependencies, receiveUpload: UploadHandler): void {
  serve(uploadPhoto, async ({ query: order }, { actor, req, reply }) =>
    photoOrNotFound(urls, await photoReads.one(actor.userId, await receiveUpload({ actor, req, reply }, order))),
  )
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

  serve(latestPhoto, async (_, { actor }) => latestOrNotFound(urls, await photoReads.latest(actor.userId)))

  serve(getPhoto, async ({ params }, { actor }) => photoOrNotFound(urls, await photoReads.one(actor.userId, params.id)))
}

function serveChanges(serve: Serve, { db, photoReads, urls, mediaCache }: PhotoRouteDependencies): void {
  serve(changePhoto, async ({ params: { id }, body }, { actor: { userId } }) => {
    await db.transaction().execute(async (tx) => {
      const outcome = await setPhotoHidden(tx, { userId, id, hidden: body.hidden })
      if (outcome === 'no photo') throw photoNotFound()
      if (outcome === 'changed') await publish(tx, { kind: 'photo', what: 'changed', user: userId, photo: id })
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
