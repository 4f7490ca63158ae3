import { sql } from 'kysely'
import { type BulkOutcome, changePhoto, changePhotos } from '@keepsnap/contract/photos.ts'
import { type Db, isDatabaseDown } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import { disconnectSignal, type Serve } from '../../platform/http/serve.ts'
import { publish } from '../../platform/live/bus.ts'
import { deletePhotoOf } from './delete.ts'
import { hiddenByOperator, photoNotFound, photoOrNotFound } from './photo-view.ts'
import { createUploadSlots } from './upload.ts'

const tooManyCalls = (): Fault =>
  new Fault('rate_limited', 'Too many changes at once. Please wait for the others to finish.', 5)

/** Hides photos of the caller's or shows them, and changes many at once by the rules of the single calls. */
export function changeRoutes(serve: Serve, { db, photoReads, urls, mediaCache }: Dependencies): void {
  serve(changePhoto, async ({ params: { id }, body }, { actor: { userId } }) => {
    await db.transaction().execute(async (tx) => {
      if ((await hidePhotoOf(tx, { userId, id, hidden: body.hidden })) === 'no photo') throw photoNotFound()
    })
    mediaCache.invalidatePhoto(id)
    return photoOrNotFound(urls, await photoReads.one(userId, id))
  })

  // Calls of a user run one after the other, as they use a connection all the time.
  const withSlot = createUploadSlots({ atOnce: 1, tooMany: tooManyCalls })
  const changeOne = async (userId: string, action: 'delete' | 'hide' | 'show', id: string): Promise<BulkOutcome> => {
    const outcome = await db
      .transaction()
      .execute((tx) =>
        action === 'delete'
          ? deletePhotoOf(tx, userId, id, { onlyListed: true }).then((isDeleted) =>
              isDeleted ? 'changed' : 'no photo',
            )
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

/**
 * Hides a photo from guests or shows it, for its owner, and tells the owner's screens. One that the owner has hidden already keeps its
 * `hidden_at`. Throws 403 for an attempt to show what an operator has hidden.
 */
async function hidePhotoOf(
  tx: Db,
  { userId, id, hidden }: { userId: string; id: string; hidden: boolean },
): Promise<'changed' | 'unchanged' | 'no photo'> {
  const photo = await tx
    .selectFrom('photos')
    .select(['hidden_at', 'hidden_by', 'operator_decision'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('state', '!=', 'receiving')
    .where('is_listed', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!photo) return 'no photo'
  // What a helper has hidden stays so, whatever that helper does: with a new time, so that addresses of its pictures end, too.
  const isHelpers = photo.hidden_by !== null
  if ((photo.hidden_at !== null) === hidden && !isHelpers) return 'unchanged'
  if (photo.operator_decision === 'hide' && !(hidden && isHelpers)) throw hiddenByOperator()
  await tx
    .updateTable('photos')
    .set({ hidden_at: hidden ? sql`now()` : null, hidden_by: null })
    .where('id', '=', id)
    .execute()
  await publish(tx, { kind: 'photo', what: 'changed', user: userId, photo: id })
  return 'changed'
}
