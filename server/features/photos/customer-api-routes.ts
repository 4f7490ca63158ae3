import { latestPhotoByKey, listPhotosByKey, uploadPhotoByKey } from '@keepsnap/contract/customer-api.ts'
import { customerApiLimits } from '@keepsnap/contract/limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { photoView } from '../../domain/photos.ts'
import type { HttpReply } from '../../http/http-types.ts'
import type { Serve } from '../../http/serve.ts'
import type { PhotoReads } from './photo-reads.ts'
import { createProcessingWaits } from './processing-waits.ts'
import { latestOrNotFound, photoOrNotFound } from './photo-responses.ts'
import type { UploadHandler } from './upload-handler.ts'

type CustomerApiDependencies = Pick<Dependencies, 'bus' | 'urls'> & {
  photoReads: PhotoReads
  receiveUpload: UploadHandler
  /** Aborted when this node is about to stop: waiting requests are then answered at once. */
  shutdown: AbortSignal
}

/** What a customer's program may do with a key: read photos and upload. */
export function customerApiRoutes(serve: Serve, deps: CustomerApiDependencies): void {
  const { photoReads, urls, receiveUpload, shutdown } = deps
  const waitForProcessing = createProcessingWaits(deps)

  serve(uploadPhotoByKey, async ({ query: { wait = 0 } }, { actor, req, reply }) => {
    const photoId = await receiveUpload({ actor, req })
    if (wait === 0) return photoOrNotFound(urls, await photoReads.one(actor.userId, photoId))
    const until = AbortSignal.any([AbortSignal.timeout(wait * 1000), disconnectSignal(reply), shutdown])
    return photoOrNotFound(urls, await waitForProcessing({ userId: actor.userId, photoId }, until))
  })

  serve(listPhotosByKey, async ({ query: { skip = 0, limit = customerApiLimits.pageMax } }, { actor }) => {
    const { rows, total } = await photoReads.countedPage(actor.userId, { skip, limit })
    return { photos: rows.map(photoView(urls)), total, skip, limit }
  })

  serve(latestPhotoByKey, async (_, { actor }) => latestOrNotFound(urls, await photoReads.latest(actor.userId)))
}

/** A signal that aborts when the client has closed the connection. */
function disconnectSignal({ raw }: HttpReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  return controller.signal
}
