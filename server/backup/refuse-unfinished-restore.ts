import type { Db } from '../db/connect.ts'
import { unfinishedRestore } from '../db/unfinished-restore.ts'
import { StartupError } from '../runtime/startup-error.ts'

/** @throws StartupError when a restore into the database was begun and not finished: files are missing. */
export async function refuseUnfinishedRestore(db: Db): Promise<void> {
  const backup = await unfinishedRestore(db)
  if (backup !== undefined)
    throw new StartupError(
      `The restore of the backup ${backup} is not finished: files are missing. Run "restore DIR --from ${backup}" again; it continues.`,
    )
}
