import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemCode } from '../runtime/startup-error.ts'
import type { DatabaseUser } from './database-user.ts'
import { isReachable } from './folder-access.ts'

/** The limit of socket paths: 107 bytes on Linux and 103 on macOS, for the folder, a slash and the name. */
const maxSocketBytes = 103
const socketName = '.s.PGSQL.5432'

/** A name that identifies a folder, whichever path it is reached by. */
export function clusterName(clusterDir: string): string {
  const { dev, ino } = statSync(clusterDir, { bigint: true })
  return `keepsnap-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 12)}`
}

/** Whether a path is a folder (not a link) that only this owner can use. Another user's folder must not be trusted. */
const isOwn = (folder: string, uid: number): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found !== undefined && found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0
}

/** Finds or creates the private folder of the cluster's socket, in the temporary folder because socket paths must be short. */
export function prepareSocketFolder(clusterDir: string, user: DatabaseUser | undefined): string {
  // `mkdtemp` below adds seven bytes.
  const isShort = Buffer.byteLength(join(tmpdir(), clusterName(clusterDir), socketName)) <= maxSocketBytes - 7
  const parent = isShort && (!user || isReachable(tmpdir(), user)) ? realpathSync(tmpdir()) : '/tmp'
  const uid = user?.uid ?? process.geteuid?.() ?? 0
  const folder = join(parent, clusterName(clusterDir))
  if (isOwn(folder, uid)) return folder
  const create = (): string => {
    try {
      mkdirSync(folder, { mode: 0o700 })
      return folder
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
      return mkdtempSync(`${folder}-`)
    }
  }
  const created = create()
  chmodSync(created, 0o700)
  if (user) chownSync(created, user.uid, user.gid)
  return created
}
