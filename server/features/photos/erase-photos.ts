import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { enqueueAll } from '../../jobs/queue.ts'

/**
 * Deletes photos again that a restored backup contained. The jobs remove their emails in the outbox folder. Publishes
 * no events: that was done when they were deleted. Resolves with the number of photos.
 */
export async function erasePhotos(db: Db, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  return db.transaction().execute(async (tx) => {
    const erased = await tx
      .updateTable('photos')
      .set({ deleted_at: sql`now()` })
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .returning('id')
      .execute()
    await enqueueAll(
      tx,
      erased.map(({ id }) => ({ name: 'delete-photo' as const, payload: { photoId: id }, key: `delete:${id}` })),
    )
    return erased.length
  })
}
