import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemCode } from '../start-problem.ts'
import type { DatabaseUser } from './embedded-user.ts'

/** PostgreSQL's own limit is 107 bytes on Linux and 103 on macOS, for the folder, a slash and the name. */
const maxSocketBytes = 103
const socketName = '.s.PGSQL.5432'

const executableFor = (path: string, { uid, gid }: DatabaseUser): boolean => {
  const { uid: owner, gid: group, mode } = statSync(path)
  const shift = owner === uid ? 6 : group === gid ? 3 : 0
  return ((mode >> shift) & 1) === 1
}

/** Whether the user may pass through every folder from the root down to and including `folder`. */
export function reachable(folder: string, user: DatabaseUser): boolean {
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    if (!executableFor(path, user)) return false
    if (path === dirname(path)) return true
  }
}

/** Gives the folder with everything in it to the user, unless it is the user's already. Links are not followed. */
export function giveTo(folder: string, { uid, gid }: DatabaseUser): void {
  if (lstatSync(folder).uid === uid) return
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), uid, gid)
  // Last, so that a walk that was cut short starts again.
  lchownSync(folder, uid, gid)
}

/** A name that is the same for the same folder, whichever path leads to it, and differs for every other. */
export function clusterName(clusterDir: string): string {
  const { dev, ino } = statSync(clusterDir, { bigint: true })
  return `keepsnap-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 12)}`
}

/** Whether the folder is a real one, closed to all but this owner. Nobody else's folder of the same name is trusted. */
const isOwn = (folder: string, uid: number): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found !== undefined && found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0
}

/** Makes, or finds, the closed folder of the cluster's socket, in the temporary folder because socket paths must be short. */
export function socketFolder(clusterDir: string, user: DatabaseUser | undefined): string {
  const roomy = Buffer.byteLength(join(tmpdir(), clusterName(clusterDir), socketName)) <= maxSocketBytes - 7
  const parent = roomy && (!user || reachable(tmpdir(), user)) ? realpathSync(tmpdir()) : '/tmp'
  const uid = user?.uid ?? process.geteuid?.() ?? 0
  const folder = join(parent, clusterName(clusterDir))
  if (isOwn(folder, uid)) return folder
  const make = (): string => {
    try {
      mkdirSync(folder, { mode: 0o700 })
      return folder
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
      return mkdtempSync(`${folder}-`)
    }
  }
  const made = make()
  chmodSync(made, 0o700)
  if (user) chownSync(made, user.uid, user.gid)
  return made
}
