import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { TestServer } from '../../test/harness.ts'
import { checkBackup, chooseBackup } from '../check-backup.ts'
import { backUpServer, silent } from './backup-fixtures.ts'

/** Why a backup into a folder is refused, or `accepted`. */
export const backupRefusal = (server: TestServer, dir: string): Promise<string> =>
  backUpServer(server, dir).then(
    () => 'accepted',
    (error: Error) => error.message,
  )

/** What is said of a full disk. */
export const fullDisk = (dir: string): string =>
  `The folder ${dir} cannot be used (ENOSPC). Its disk is full, so this backup was not completed. Earlier backups in it are complete, and files that were copied stay. Free some space there, then run the command again to continue.`

/** All files in a folder, except the one that says who holds it. */
export const folderContents = (folder: string): [path: string, base64: string][] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !basename(path).startsWith('holder.json'))
    .map((path) => [path, readFileSync(path, 'base64')])

/** Reads a backup again; rejects when something in it is damaged. */
export const check = async (dir: string, name?: string): Promise<unknown> =>
  checkBackup(dir, await chooseBackup(dir, name), { progress: silent })
