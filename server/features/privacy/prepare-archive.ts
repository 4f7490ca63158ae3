import type { Db } from '../../db/connect.ts'
import { newId } from '../../lib/ids.ts'
import { enqueue } from '../../jobs/queue.ts'
import { hasRecentArchive, lockArchiveOwner, requestArchive } from './queries.ts'

/** Has an archive built that the owner did not ask for, so no email announces it. Does nothing while there is a recent one. */
export async function prepareArchive(db: Db, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await lockArchiveOwner(tx, userId)) || (await hasRecentArchive(tx, userId))) return
    const id = newId()
    if (await requestArchive(tx, { userId, id, isAnnounced: false }))
      await enqueue(tx, { name: 'build-archive', payload: { archiveId: id }, key: `archive:${id}` })
  })
}
