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
const isOwnFolder = (socketFolder: string, uid: number): boolean => {
  const folderStat = lstatSync(socketFolder, { throwIfNoEntry: false })
  return (
    folderStat !== undefined && folderStat.isDirectory() && folderStat.uid === uid && (folderStat.mode & 0o077) === 0
  )
}

/** Finds or creates the private folder of the cluster's socket, in the temporary folder because socket paths must be short. */
export function prepareSocketFolder(clusterDir: string, user: DatabaseUser | undefined): string {
  // `mkdtemp` below adds seven bytes.
  const isShortEnough = Buffer.byteLength(join(tmpdir(), clusterName(clusterDir), socketName)) <= maxSocketBytes - 7
  const socketParent = isShortEnough && (!user || isReachable(tmpdir(), user)) ? realpathSync(tmpdir()) : '/tmp'
  const uid = user?.uid ?? process.geteuid?.() ?? 0
  const socketFolder = join(socketParent, clusterName(clusterDir))
  if (isOwnFolder(socketFolder, uid)) return socketFolder
  const createSocketFolder = (): string => {
    try {
      mkdirSync(socketFolder, { mode: 0o700 })
      return socketFolder
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
      return mkdtempSync(`${socketFolder}-`)
    }
  }
  const createdFolder = createSocketFolder()
  chmodSync(createdFolder, 0o700)
  if (user) chownSync(createdFolder, user.uid, user.gid)
  return createdFolder
}
