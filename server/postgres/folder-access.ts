import { lchownSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseUser } from './database-user.ts'

const canEnter = (path: string, { uid, gid }: DatabaseUser): boolean => {
  const { uid: owner, gid: group, mode } = statSync(path)
  const permissionShift = owner === uid ? 6 : group === gid ? 3 : 0
  return ((mode >> permissionShift) & 1) === 1
}

/** Whether the user can enter `folder` and every folder above it. */
export function isReachable(folder: string, user: DatabaseUser): boolean {
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    if (!canEnter(path, user)) return false
    if (path === dirname(path)) return true
  }
}

/** Changes the owner of a folder and everything in it, unless the folder already has this owner. Does not follow links. */
export function changeOwner(folder: string, { uid, gid }: DatabaseUser): void {
  if (lstatSync(folder).uid === uid) return
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), uid, gid)
  // The folder itself comes last, so that an interrupted change is repeated.
  lchownSync(folder, uid, gid)
}
