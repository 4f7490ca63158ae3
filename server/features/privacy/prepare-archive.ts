import type { Db } from '../../db/connect.ts'
import { newId } from '../../lib/ids.ts'
import { enqueue } from '../../jobs/queue.ts'
import { hasRecentArchive, lockArchiveOwner, requestArchive } from './queries.ts'

/** Queues an archive that the owner did not request; no email announces it. Does nothing if there is a recent one. */
export async function prepareArchive(db: Db, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await lockArchiveOwner(tx, userId)) || (await hasRecentArchive(tx, userId))) return
    const id = newId()
    if (await requestArchive(tx, { userId, id, isAnnounced: false }))
      await enqueue(tx, { name: 'build-archive', payload: { archiveId: id }, key: `archive:${id}` })
  })
}
