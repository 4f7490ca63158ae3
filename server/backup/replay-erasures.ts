import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../db/connect.ts'
import { StartupError } from '../runtime/startup-error.ts'
import { backupsIn } from './backup-folder.ts'
import { erasureFileName, backupErasuresFileName, readErasures } from './erasure-file.ts'
import { pagesOf } from './file-lists.ts'
import { backupNames } from './manifest.ts'

const pageSize = 500

/** Erases what a backup has brought back. Each resolves with how many of them were there. */
export interface Erasers {
  accounts(db: Db, ids: readonly string[]): Promise<number>
  photos(db: Db, ids: readonly string[]): Promise<number>
  /** The last time of each guest, by the hash of the mailbox. */
  guests(db: Db, erased: ReadonlyMap<string, Date>): Promise<number>
}

export interface Replay {
  db: Db
  dir: string
  /** Where the data folder is, whose file of erasures may have survived the database. */
  dataDir: string
  /** A file of erasures from elsewhere, such as from the data folder of before. */
  erasuresFile: string | undefined
  /** Restores photos even if their owners deleted them after the backup. */
  withDeletedPhotos: boolean
  erasers: Erasers
}

/** @throws StartupError when the file of `--erasures` is none: before anything is restored */
export async function checkErasuresFile(path: string): Promise<void> {
  if ((await stat(path).catch(() => undefined))?.isFile()) return
  throw new StartupError(
    `There is no file ${path}. Give --erasures the file ${erasureFileName} of the data folder of before.`,
  )
}

/** All files of erasures: also those of later backups in the folder, which list later erasures. */
async function erasureFiles({ dir, dataDir, erasuresFile }: Replay): Promise<string[]> {
  const names = await backupNames(dir)
  return [
    ...names.map((name) => join(backupsIn(dir), name, backupErasuresFileName)),
    join(dataDir, erasureFileName),
    ...(erasuresFile === undefined ? [] : [erasuresFile]),
  ]
}

/** Deletes again the accounts, photos and guests that were deleted after the backup. Idempotent. */
export async function replayErasures(replay: Replay): Promise<Record<keyof Erasers, number>> {
  const { db, erasers, withDeletedPhotos } = replay
  const erased = { accounts: 0, photos: 0, guests: 0 }
  const guests = new Map<string, Date>()
  for (const file of await erasureFiles(replay)) {
    for await (const page of pagesOf(readErasures(file), pageSize)) {
      const idsOf = (wanted: 'account' | 'photo'): string[] =>
        page.flatMap(({ kind, id }) => (kind === wanted ? id : []))
      erased.accounts += await erasers.accounts(db, idsOf('account'))
      if (!withDeletedPhotos) erased.photos += await erasers.photos(db, idsOf('photo'))
      for (const { kind, id, at } of page)
        if (kind === 'guest' && Date.parse(at) > (guests.get(id)?.getTime() ?? 0)) guests.set(id, new Date(at))
    }
  }
  if (guests.size > 0) erased.guests = await erasers.guests(db, guests)
  return erased
}
