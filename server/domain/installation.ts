import type { Db } from '../db/connect.ts'
import type { StoreName } from '../ports/storage/two-stores.ts'

/** The id of this installation, and whether a store of each kind has been marked with it. */
export async function readInstallation(db: Db): Promise<{ id: string; isMarked: Record<StoreName, boolean> }> {
  const row = await db.selectFrom('installation').selectAll().executeTakeFirstOrThrow()
  return { id: row.id, isMarked: { disk: row.disk_marked, s3: row.s3_marked } }
}

/** Gives a restored database the id that its backups have. */
export async function setInstallationId(db: Db, id: string): Promise<void> {
  await db.updateTable('installation').set({ id }).execute()
}

/** Notes that a store of this kind has been marked. */
export async function noteMarkedStore(db: Db, name: StoreName): Promise<void> {
  await db
    .updateTable('installation')
    .set(name === 'disk' ? { disk_marked: true } : { s3_marked: true })
    .execute()
}
