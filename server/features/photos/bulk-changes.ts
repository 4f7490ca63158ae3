import { changePhotos, type BulkOutcome } from '@keepsnap/contract/photos.ts'
import { isDatabaseDown } from '../../db/connect.ts'
import { Fault } from '../../faults.ts'
import { disconnectSignal } from '../../http/disconnect-signal.ts'
import type { Serve } from '../../http/serve.ts'
import { publish } from '../../live/bus.ts'
import { hidePhotoOf } from './change-queries.ts'
import { deletePhotoOf } from './delete-photo.ts'
import type { PhotoRouteDependencies } from './routes.ts'
import { createUploadSlots } from './upload-slots.ts'

type BulkAction = 'delete' | 'hide' | 'show'

const tooManyCalls = (): Fault =>
  new Fault('rate_limited', 'Too many changes at once. Please wait for the others to finish.', 5)

/** Changes many photos by the rules of the single calls. Those of a user run one after the other, as they use a connection all the time. */
export function bulkRoutes(
  serve: Serve,
  { db, photoReads, mediaCache }: Pick<PhotoRouteDependencies, 'db' | 'photoReads' | 'mediaCache'>,
): void {
  const withSlot = createUploadSlots({ atOnce: 1, tooMany: tooManyCalls })

  const changeOne = async (userId: string, action: BulkAction, id: string): Promise<BulkOutcome> => {
    const outcome = await db
      .transaction()
      .execute((tx) =>
        action === 'delete'
          ? deletePhotoOf(tx, userId, id).then((isDeleted) => (isDeleted ? 'changed' : 'no photo'))
          : hidePhotoOf(tx, { userId, id, hidden: action === 'hide' }),
      )
    if (outcome === 'changed') mediaCache.invalidatePhoto(id)
    return outcome === 'changed' ? 'done' : outcome === 'no photo' ? 'not found' : 'unchanged'
  }

  serve(changePhotos, async ({ body: { action, ids } }, { actor: { userId }, req, reply }) => {
    const disconnected = disconnectSignal(reply)
    const outcomes = new Map<string, BulkOutcome>()
    const results: { id: string; outcome: BulkOutcome }[] = []
    const changeAll = async (): Promise<void> => {
      for (const id of ids) {
        if (disconnected.aborted) return
        const outcome = outcomes.has(id)
          ? 'unchanged'
          : await changeOne(userId, action, id).catch((error: unknown): BulkOutcome => {
              if (error instanceof Fault && error.code === 'forbidden') return 'refused'
              if (error instanceof Fault || isDatabaseDown(error)) throw error
              req.log.error({ err: error, photoId: id }, `a photo could not be changed: ${action}`)
              return 'failed'
            })
        if (!outcomes.has(id)) outcomes.set(id, outcome)
        results.push({ id, outcome })
      }
    }
    await withSlot(userId, async () => {
      try {
        await changeAll()
      } finally {
        const photos = ids.filter((id, at) => ids.indexOf(id) === at && outcomes.get(id) === 'done')
        if (photos.length > 0) await publish(db, { kind: 'photos', change: action, user: userId, photos })
      }
    })
    return { results, photo_count: await photoReads.count(userId) }
  })
}
