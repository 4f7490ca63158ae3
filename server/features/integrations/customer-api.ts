import { latestPhotoByKey, listPhotosByKey, uploadPhotoByKey } from '@keepsnap/contract/integrations.ts'
import { customerApiLimits } from '@keepsnap/contract/limits.ts'
import type { ApiDependencies, Dependencies } from '../../dependencies.ts'
import { chosenEvent } from '../events/chosen-event.ts'
import { latestOrNotFound, photoOrNotFound, type PhotoRow, photoView } from '../photos/photo-view.ts'
import { invalidField } from '../../faults.ts'
import { disconnectSignal, type Serve } from '../../platform/http/serve.ts'
import type { UploadHandler } from '../photos/upload.ts'

const unknownBefore =
  'You have no photo with this id, or it was deleted more than a day ago. Start again without before.'

/** What a customer's program may do with a key: read photos and upload. */
export function customerApiRoutes(serve: Serve, deps: ApiDependencies, receiveUpload: UploadHandler): void {
  const { db, photoReads, urls, shutdown } = deps

  serve(uploadPhotoByKey, async ({ query: { wait = 0, ...query } }, { actor, req, reply }) => {
    const photoId = await receiveUpload({ actor, req, reply }, query)
    if (wait === 0) return photoOrNotFound(urls, await photoReads.one(actor.userId, photoId))
    const until = AbortSignal.any([AbortSignal.timeout(wait * 1000), disconnectSignal(reply), shutdown])
    return photoOrNotFound(urls, await processedPhoto(deps, { userId: actor.userId, photoId, until }))
  })

  serve(listPhotosByKey, async ({ query }, { actor, reply }) => {
    const { skip = 0, limit = customerApiLimits.pageMax, before } = query
    if (before !== undefined && skip > 0) throw invalidField('skip', 'Use either before or skip.', 'query')
    const event = await chosenEvent(db, actor, query.event)
    const page = await photoReads.countedPage(actor.userId, { skip, limit: limit + 1, before, event })
    if (!page) throw invalidField('before', unknownBefore, 'query')
    const rows = page.rows.slice(0, limit)
    const lastOfPage = rows.at(-1)
    if (lastOfPage && page.rows.length > limit) reply.header('x-next-before', lastOfPage.id)
    return { photos: rows.map(photoView(urls)), total: page.total, skip, limit }
  })

  serve(latestPhotoByKey, async ({ query }, { actor }) =>
    latestOrNotFound(urls, await photoReads.latest(actor.userId, await chosenEvent(db, actor, query.event))),
  )
}

/** The photo once its processing has ended, or as it is when the signal is aborted; undefined when it is deleted. */
async function processedPhoto(
  { mediaCache, photoReads }: Dependencies,
  { userId, photoId, until }: { userId: string; photoId: string; until: AbortSignal },
): Promise<PhotoRow | undefined> {
  let change = Promise.withResolvers<void>()
  const noteChange = (): void => change.resolve()
  // After each event about it, and when events may have been missed.
  const stopWatching = mediaCache.watch(`photo ${photoId}`, noteChange)
  until.addEventListener('abort', noteChange)
  try {
    for (;;) {
      const photo = await photoReads.one(userId, photoId)
      if (photo?.state !== 'queued' || until.aborted) return photo
      await change.promise
      // Reset before the next read, so that no change during that read is missed.
      change = Promise.withResolvers()
    }
  } finally {
    stopWatching()
    until.removeEventListener('abort', noteChange)
  }
}
